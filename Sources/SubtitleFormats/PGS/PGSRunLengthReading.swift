// SPDX-License-Identifier: Apache-2.0
package import SubtitleModel

extension PGSRunLength {
  /// What was wrong with run-length coded rows, and where first.
  package struct Damage: Sendable, Hashable {
    /// Rows with fewer pixels than the width; the rest is index 0.
    package var shortRows = 0
    /// Rows with more pixels than the width; the rest is dropped.
    package var longRows = 0
    /// Rows that the data end before; they are index 0.
    package var missingRows = 0
    /// The first damaged row.
    package var firstRow: Int?
    /// Bytes behind the last row.
    package var spareBytes = 0

    /// Whether every row was whole.
    package var isNone: Bool { firstRow == nil && spareBytes == 0 }
  }

  /// A decoded object.
  struct Decoded: Sendable {
    var bitmap: IndexedBitmap
    var used: PGSUsedIndices
    var damage: Damage
  }

  /// Decodes run-length coded pixels.
  ///
  /// Rows that are too short are filled with index 0, rows that are too long are cut; the next row
  /// begins behind the end-of-line code in both cases.
  ///
  /// - Parameters:
  ///   - data: The object's data, all fragments joined.
  ///   - width: Columns, 1 or more; the caller has bounded `width * height`.
  ///   - height: Rows, 1 or more.
  /// - Returns: The pixels, and what was wrong with the rows.
  package static func decode(
    _ data: [UInt8], width: Int, height: Int
  ) -> (bitmap: IndexedBitmap, damage: Damage) {
    let result = decoded(data, width: width, height: height)
    return (result.bitmap, result.damage)
  }

  /// Bytes behind the last pixel that may be stored over: 8 literals and a short run.
  private static let slack = 96

  static func decoded(_ data: [UInt8], width: Int, height: Int) -> Decoded {
    let count = width * height
    var damage = Damage()
    var used = PGSUsedIndices()
    let indices = [UInt8](unsafeUninitializedCapacity: count + slack) { output, written in
      data.withUnsafeBufferPointer { input in
        guard let pixels = output.baseAddress else { return }
        var rows = PGSRows(
          source: input.baseAddress ?? UnsafePointer(pixels), sourceCount: input.count,
          pixels: pixels, width: width, height: height)
        damage = rows.decode()
        used = rows.used
      }
      written = count
    }
    return Decoded(
      bitmap: IndexedBitmap(width: width, height: height, indices: indices), used: used,
      damage: damage)
  }
}

/// What is known, without looking at its pixels, of the palette indices that a bitmap uses.
struct PGSUsedIndices: Sendable {
  /// Whether index 0 is used.
  var usesZero = false
  /// Whether index 255 is used.
  var uses255 = false
  /// The highest index used but 255; 0 if there is none.
  var highest = 0

  /// Whether any of a bitmap's pixels has a colour with alpha.
  func isVisible(_ bitmap: IndexedBitmap, in palette: Palette) -> Bool {
    if highest > 0, palette[UInt8(highest)].alpha > 0 { return true }
    if uses255, palette[255].alpha > 0 { return true }
    if usesZero, palette[0].alpha > 0 { return true }
    guard highest > 1, palette.colors.prefix(highest).dropFirst().contains(where: { $0.alpha > 0 })
    else { return false }
    return IndexSet256(of: bitmap).isVisible(in: palette)
  }

  /// The indices used of which a table has no entry, rising.
  func missing<Entry>(from entries: [Entry?], _ bitmap: IndexedBitmap) -> [Int] {
    var result: [Int] = []
    if usesZero, entries[0] == nil { result.append(0) }
    if highest > 0, entries[1...highest].contains(where: { $0 == nil }) {
      let used = IndexSet256(of: bitmap)
      result += (1...highest).filter { entries[$0] == nil && used.contains(UInt8($0)) }
    }
    if uses255, entries[255] == nil { result.append(255) }
    return result
  }
}

/// The loop over run-length codes, on bare pointers.
///
/// `source` has `sourceCount` bytes, `pixels` room for `width * height` and 96 behind. A store may pass
/// the pixel where the row stands by up to 72 bytes: those are pixels still to come, or the room behind.
private struct PGSRows {
  /// Bytes that one turn of the fast loop may read: 8 literals and a run's 4.
  static let reach = 12
  /// Pixels that a run stores at once.
  static let block = 64

  let source: UnsafePointer<UInt8>
  let sourceCount: Int
  let pixels: UnsafeMutablePointer<UInt8>
  let width: Int
  let height: Int
  /// The largest index so far, in each lane of eight.
  private var most = SIMD8<UInt8>()
  /// The largest index plus one, where 255 counts as 0.
  private var mostBelow255 = SIMD8<UInt8>()
  /// The smallest index of a run.
  private var least: UInt8 = 255

  init(
    source: UnsafePointer<UInt8>, sourceCount: Int, pixels: UnsafeMutablePointer<UInt8>,
    width: Int, height: Int
  ) {
    self.source = source
    self.sourceCount = sourceCount
    self.pixels = pixels
    self.width = width
    self.height = height
  }

  /// What is known of the indices used.
  var used: PGSUsedIndices {
    PGSUsedIndices(
      usesZero: least == 0, uses255: most.max() == 255,
      highest: max(0, Int(mostBelow255.max()) - 1))
  }

  mutating func decode() -> PGSRunLength.Damage {
    var damage = PGSRunLength.Damage()
    var at = 0
    var row = 0
    while row < height, at < sourceCount {
      let line = pixels + row * width
      let reached = decodeRow(line, &at)
      if reached != width {
        if damage.firstRow == nil { damage.firstRow = row }
        if reached < width {
          damage.shortRows += 1
          (line + reached).update(repeating: 0, count: width - reached)
          least = 0
        } else {
          damage.longRows += 1
        }
      }
      row += 1
    }
    if row < height {
      if damage.firstRow == nil { damage.firstRow = row }
      damage.missingRows = height - row
      (pixels + row * width).update(repeating: 0, count: (height - row) * width)
      least = 0
    }
    damage.spareBytes = sourceCount - at
    return damage
  }

  /// Decodes up to the end-of-line code or the data's end; the pixels that the row's codes hold.
  @inline(__always)
  private mutating func decodeRow(_ line: UnsafeMutablePointer<UInt8>, _ position: inout Int) -> Int
  {
    var at = position
    var column = 0
    let fastEnd = sourceCount - Self.reach
    let raw = UnsafeRawPointer(source)
    let output = UnsafeMutableRawPointer(line)
    while at <= fastEnd, column <= width {
      // Eight bytes at once: those before the first zero are literals.
      let word = UInt64(
        littleEndian: raw.loadUnaligned(fromByteOffset: at, as: UInt64.self))
      let zeros = (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
      let literals = zeros.trailingZeroBitCount &>> 3
      output.storeBytes(of: word.littleEndian, toByteOffset: column, as: UInt64.self)
      mark(
        unsafeBitCast(
          word & ~(~0 &<< UInt64(literals &<< 3)) | (literals == 8 ? word : 0),
          to: SIMD8<UInt8>.self))
      at += literals
      column += literals
      if literals == 8 { continue }
      // The run's code: 0, flags and length, perhaps more length, perhaps a colour.
      let code = UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: at, as: UInt32.self))
      let second = Int(code &>> 8 & 0xFF)
      if second == 0 {
        position = at + 2
        return column
      }
      // Without branches: which of the four forms comes next is not to be foreseen.
      let isLong = second &>> 6 & 1
      let isColored = second &>> 7
      let low = Int(code &>> 16 & 0xFF) & (0 &- isLong)
      let run = (second & 0x3F) &<< (isLong &<< 3) | low
      let color =
        UInt8(truncatingIfNeeded: code &>> UInt32(truncatingIfNeeded: 16 + isLong &<< 3))
        & UInt8(truncatingIfNeeded: 0 &- isColored)
      at += 2 + isLong + isColored
      mark(SIMD8(repeating: color))
      least = min(least, color)
      if run <= Self.block {
        output.storeBytes(
          of: SIMD64<UInt8>(repeating: color), toByteOffset: column, as: SIMD64<UInt8>.self)
      } else if column < width {
        (line + column).update(repeating: color, count: min(run, width - column))
      }
      column += run
    }
    position = at
    return finishRow(line, &position, column)
  }

  /// Notes indices; 0 stands for no literal and is noted by runs alone.
  @inline(__always)
  private mutating func mark(_ indices: SIMD8<UInt8>) {
    most = pointwiseMax(most, indices)
    mostBelow255 = pointwiseMax(mostBelow255, indices &+ 1)
  }

  /// Goes on code by code: behind the width, and near the end of the data.
  private mutating func finishRow(
    _ line: UnsafeMutablePointer<UInt8>, _ position: inout Int, _ start: Int
  ) -> Int {
    var at = position
    var column = start
    defer { position = at }
    while at < sourceCount {
      let first = source[at]
      var run = 1
      var color = first
      at += 1
      if first == 0 {
        guard at < sourceCount else { break }
        let second = source[at]
        at += 1
        if second == 0 { break }
        run = Int(second & 0x3F)
        if second & 0x40 != 0 {
          guard at < sourceCount else { break }
          run = run << 8 | Int(source[at])
          at += 1
        }
        if second & 0x80 != 0 {
          guard at < sourceCount else { break }
          color = source[at]
          at += 1
        }
      }
      let room = min(run, width - column)
      if room > 0 {
        mark(SIMD8(repeating: color))
        least = min(least, color)
        (line + column).update(repeating: color, count: room)
      }
      column += run
    }
    return column
  }
}
