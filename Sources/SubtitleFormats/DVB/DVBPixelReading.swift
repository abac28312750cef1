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

  private let data: [UInt8]
  private var bits: BitReader
  private var map24: [UInt8] = [0x0, 0x7, 0x8, 0xF]
  private var map28: [UInt8] = [0x00, 0x77, 0x88, 0xFF]
  private var map48: [UInt8] = (0..<16).map { UInt8($0 * 0x11) }
  private(set) var damages: Set<Damage> = []

  init(_ data: [UInt8]) {
    self.data = data
    bits = BitReader(data)
  }

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
      if openCodes(depth, &target, row, &column) { break }
      if target.x + column >= target.width, endsHere(depth) { break }
      guard bits.remainingBits >= (depth == .eight ? 8 : depth.rawValue) else {
        damages.insert(.endOfString)
        break
      }
      let code = DVBPixelCode(bits.ahead(), depth)
      try bits.skip(code.size)
      if code.isEnd { break }
      guard code.run > 0 else { continue }
      put(code, depth, &target, row, column)
      column += code.run
    }
    bits.align()
  }

  /// Draws codes as long as their line is not full and eight bytes are left: nearly all of them.
  ///
  /// - Returns: Whether the string's end was met and passed.
  private mutating func openCodes(
    _ depth: PixelDepth, _ target: inout Target, _ row: Int, _ column: inout Int
  ) -> Bool {
    let (line, width) = (target.y + row, target.width)
    guard line < target.height, target.x + column < width else { return false }
    let start = bits.bitPosition
    let values = values(depth, target)
    var bit = start
    var left = target.x + column
    var isEnded = false
    var (isDeeper, isOutside) = (false, false)
    data.withUnsafeBytes { source in
      target.pixels.withUnsafeMutableBufferPointer { pixels in
        let row = UnsafeMutableBufferPointer(rebasing: pixels[line * width..<(line + 1) * width])
        while left < width, bit >> 3 <= source.count - 8 {
          // At least 57 bits; a code has up to 24.
          let word =
            UInt64(bigEndian: source.loadUnaligned(fromByteOffset: bit >> 3, as: UInt64.self))
            << UInt64(truncatingIfNeeded: bit & 7)
          let code = DVBPixelCode(word, depth)
          bit += code.size
          if code.isEnd {
            isEnded = true
            return
          }
          let right = min(left + code.run, width)
          if code.run > 0, !values.keeps(code.color) {
            if left + code.run > width { isOutside = true }
            if code.color > values.mask { isDeeper = true }
            row.fill(values.value(of: code.color), from: left, count: right - left)
          }
          left += code.run
        }
      }
    }
    column = left - target.x
    if isDeeper { damages.insert(.deeper) }
    if isOutside { damages.insert(.outside) }
    // What was read is there.
    try? bits.skip(bit - start)
    return isEnded
  }

  /// What codes of a depth stand for in the region: by a map table, or cut to its depth.
  private func values(_ depth: PixelDepth, _ target: Target) -> DVBPixelValues {
    let map: [UInt8]? =
      switch (depth, target.depth) {
      case (.two, .four): map24
      case (.two, .eight): map28
      case (.four, .eight): map48
      default: nil
      }
    return DVBPixelValues(
      mask: map == nil ? target.depth.mask : depth.mask, map: map,
      kept: target.keepsCode1 ? 1 : nil)
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

  private mutating func put(
    _ code: DVBPixelCode, _ depth: PixelDepth, _ target: inout Target, _ row: Int, _ column: Int
  ) {
    let values = values(depth, target)
    if values.keeps(code.color) { return }
    if code.color > values.mask { damages.insert(.deeper) }
    let value = values.value(of: code.color)
    let line = target.y + row
    let left = target.x + column
    let right = min(left + code.run, target.width)
    if line >= target.height || left + code.run > target.width { damages.insert(.outside) }
    guard line < target.height, left < right else { return }
    target.pixels.withUnsafeMutableBufferPointer {
      $0.fill(value, from: line * target.width + left, count: right - left)
    }
  }
}

/// What the pixel codes of a string stand for in its region.
private struct DVBPixelValues {
  /// The largest code that is not cut.
  let mask: UInt8
  /// The values by the codes; nil if they are the codes.
  let map: [UInt8]?
  /// The code that leaves pixels as they are.
  let kept: UInt8?

  @inline(__always)
  func keeps(_ code: UInt8) -> Bool { code == kept }

  @inline(__always)
  func value(of code: UInt8) -> UInt8 {
    if let map { return map[Int(code & mask)] }
    return code & mask
  }
}

/// One pixel code, read without looking whether it is there.
private struct DVBPixelCode {
  /// Pixels; 0 draws nothing.
  var run = 1
  var color: UInt8 = 0
  /// Bits.
  var size: Int
  /// Whether it ends the string.
  var isEnd = false

  /// Reads the code in a word's highest bits.
  @inline(__always)
  init(_ word: UInt64, _ depth: PixelDepth) {
    /// The bits from a place on, counted from the highest.
    @inline(__always)
    func bits(_ place: Int, _ count: Int) -> Int {
      Int(truncatingIfNeeded: (word &<< UInt64(place)) &>> UInt64(64 &- count))
    }
    size = depth.rawValue
    color = UInt8(truncatingIfNeeded: bits(0, depth.rawValue))
    guard color == 0 else { return }
    switch depth {
    case .two:  // 7.2.5.2.1
      if bits(2, 1) == 1 {
        (run, color, size) = (bits(3, 3) + 3, UInt8(bits(6, 2)), 8)
      } else if bits(3, 1) == 1 {
        size = 4
      } else {
        switch bits(4, 2) {
        case 0: (size, isEnd) = (6, true)
        case 1: (run, size) = (2, 6)
        case 2: (run, color, size) = (bits(6, 4) + 12, UInt8(bits(10, 2)), 12)
        default: (run, color, size) = (bits(6, 8) + 29, UInt8(bits(14, 2)), 16)
        }
      }
    case .four:  // 7.2.5.2.2
      if bits(4, 1) == 0 {
        let count = bits(5, 3)
        (run, size, isEnd) = (count + 2, 8, count == 0)
      } else if bits(5, 1) == 0 {
        (run, color, size) = (bits(6, 2) + 4, UInt8(bits(8, 4)), 12)
      } else {
        switch bits(6, 2) {
        case 0: size = 8
        case 1: (run, size) = (2, 8)
        case 2: (run, color, size) = (bits(8, 4) + 9, UInt8(bits(12, 4)), 16)
        default: (run, color, size) = (bits(8, 8) + 25, UInt8(bits(16, 4)), 20)
        }
      }
    case .eight:  // 7.2.5.2.3
      if bits(8, 1) == 1 {
        // A coloured run of zero is no end of string: it draws nothing and goes on.
        (run, color, size) = (bits(9, 7), UInt8(bits(16, 8)), 24)
      } else {
        (run, size) = (bits(9, 7), 16)
        isEnd = run == 0
      }
    }
  }
}
