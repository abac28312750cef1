// SPDX-License-Identifier: Apache-2.0
import BinaryReading
import SubtitleModel

/// Reads the sub-blocks of one field (7.2.5.1) and hands over runs of pixel codes.
struct DVBPixelReader {
  /// What was wrong with the data, at most one of each kind.
  enum Damage: Hashable {
    case endOfString
    case cut
    case unknownType(UInt8)
    case deeper
    case outside
  }

  /// Where pixels go: a region's memory from an object's place on.
  struct Target {
    var pixels: [UInt8]
    let width: Int
    let height: Int
    let depth: PixelDepth
    let x: Int
    let y: Int
    let keepsCode1: Bool
  }

  private var bits: BitReader
  private var map24: [UInt8] = [0x0, 0x7, 0x8, 0xF]
  private var map28: [UInt8] = [0x00, 0x77, 0x88, 0xFF]
  private var map48: [UInt8] = (0..<16).map { UInt8($0 * 0x11) }
  private(set) var damages: Set<Damage> = []

  init(_ data: [UInt8]) { bits = BitReader(data) }

  /// Draws the field's lines: from `first`, every second row of the object.
  mutating func draw(into target: inout Target, first: Int) {
    var row = first
    var column = 0
    do throws(ReadFault) {
      while bits.remainingBits >= 8 {
        let type = UInt8(truncatingIfNeeded: try bits.bits(8))
        switch type {
        case 0x10: try string(.two, &target, row, &column)
        case 0x11: try string(.four, &target, row, &column)
        case 0x12: try string(.eight, &target, row, &column)
        case 0x20: for index in 0..<4 { map24[index] = UInt8(try bits.bits(4)) }
        case 0x21: for index in 0..<4 { map28[index] = UInt8(try bits.bits(8)) }
        case 0x22: for index in 0..<16 { map48[index] = UInt8(try bits.bits(8)) }
        case 0xF0:
          row += 2
          column = 0
        default:
          damages.insert(.unknownType(type))
          return
        }
      }
    } catch {
      damages.insert(.cut)
    }
  }

  /// A string of pixels up to its end.
  private mutating func string(
    _ depth: PixelDepth, _ target: inout Target, _ row: Int, _ column: inout Int
  ) throws(ReadFault) {
    while true {
      if target.x + column >= target.width, endsHere(depth) { break }
      guard bits.remainingBits >= (depth == .eight ? 8 : depth.rawValue) else {
        damages.insert(.endOfString)
        break
      }
      let (code, run) =
        switch depth {
        case .two: try two()
        case .four: try four()
        case .eight: try eight()
        }
      if run == 0 { break }
      guard run > 0 else { continue }
      put(code, run, depth, &target, row, column)
      column += run
    }
    bits.align()
  }

  /// Whether a line that is full ends here; its end is passed, in whichever form it stands.
  private mutating func endsHere(_ depth: PixelDepth) -> Bool {
    var ahead = bits
    let width = depth == .two ? 6 : depth == .four ? 8 : 16
    if let zeros = try? ahead.bits(width), zeros == 0 {
      bits = ahead
      return true
    }
    ahead = bits
    ahead.align()
    if depth == .eight, let zero = try? ahead.bits(8), zero == 0, Self.startsBlock(ahead) {
      // One byte of zero where two belong.
      damages.insert(.endOfString)
      bits = ahead
      return true
    }
    ahead = bits
    ahead.align()
    if Self.startsBlock(ahead) {
      damages.insert(.endOfString)
      bits = ahead
      return true
    }
    return false
  }

  /// Whether the end of a line stands here, with another block or the end behind.
  private static func startsBlock(_ reader: BitReader) -> Bool {
    var reader = reader
    guard reader.remainingBits >= 8 else { return true }
    guard let type = try? reader.bits(8), type == 0xF0 else { return false }
    guard reader.remainingBits >= 8, let next = try? reader.bits(8) else { return true }
    return [0x10, 0x11, 0x12, 0x20, 0x21, 0x22, 0xF0].contains(next)
  }

  /// A code of 2 bits (7.2.5.2.1); a run of zero ends the string.
  private mutating func two() throws(ReadFault) -> (UInt8, Int) {
    let code = try bits.bits(2)
    if code != 0 { return (UInt8(code), 1) }
    if try bits.flag() {
      let run = Int(try bits.bits(3)) + 3
      return (UInt8(try bits.bits(2)), run)
    }
    if try bits.flag() { return (0, 1) }
    switch try bits.bits(2) {
    case 0: return (0, 0)
    case 1: return (0, 2)
    case 2:
      let run = Int(try bits.bits(4)) + 12
      return (UInt8(try bits.bits(2)), run)
    default:
      let run = Int(try bits.bits(8)) + 29
      return (UInt8(try bits.bits(2)), run)
    }
  }

  /// A code of 4 bits (7.2.5.2.2).
  private mutating func four() throws(ReadFault) -> (UInt8, Int) {
    let code = try bits.bits(4)
    if code != 0 { return (UInt8(code), 1) }
    if !(try bits.flag()) {
      let run = Int(try bits.bits(3))
      return (0, run == 0 ? 0 : run + 2)
    }
    if !(try bits.flag()) {
      let run = Int(try bits.bits(2)) + 4
      return (UInt8(try bits.bits(4)), run)
    }
    switch try bits.bits(2) {
    case 0: return (0, 1)
    case 1: return (0, 2)
    case 2:
      let run = Int(try bits.bits(4)) + 9
      return (UInt8(try bits.bits(4)), run)
    default:
      let run = Int(try bits.bits(8)) + 25
      return (UInt8(try bits.bits(4)), run)
    }
  }

  /// A code of 8 bits (7.2.5.2.3); a run below zero is nothing.
  private mutating func eight() throws(ReadFault) -> (UInt8, Int) {
    let code = try bits.bits(8)
    if code != 0 { return (UInt8(code), 1) }
    if try bits.flag() {
      let run = Int(try bits.bits(7))
      let colored = UInt8(try bits.bits(8))
      // A coloured run of zero is no end of string: it draws nothing and goes on.
      return (colored, run == 0 ? -1 : run)
    }
    return (0, Int(try bits.bits(7)))
  }

  /// A string's code in the region's depth, by the map tables; too deep a code is cut.
  private mutating func mapped(_ code: UInt8, _ depth: PixelDepth, _ region: PixelDepth) -> UInt8 {
    switch (depth, region) {
    case (.two, .four): return map24[Int(code & 3)]
    case (.two, .eight): return map28[Int(code & 3)]
    case (.four, .eight): return map48[Int(code & 15)]
    default:
      if code > region.mask { damages.insert(.deeper) }
      return code & region.mask
    }
  }

  private mutating func put(
    _ code: UInt8, _ run: Int, _ depth: PixelDepth, _ target: inout Target, _ row: Int,
    _ column: Int
  ) {
    if target.keepsCode1, code == 1 { return }
    let value = mapped(code, depth, target.depth)
    let line = target.y + row
    let left = target.x + column
    let right = min(left + run, target.width)
    if line >= target.height || left + run > target.width { damages.insert(.outside) }
    guard line < target.height, left < right else { return }
    for place in (line * target.width + left)..<(line * target.width + right) {
      target.pixels[place] = value
    }
  }
}
