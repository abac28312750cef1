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

  /// Bytes behind the last pixel that may be stored over: 8 literals and a block.
  private static let slack = 96

  static func decoded(_ data: [UInt8], width: Int, height: Int) -> Decoded {
    let count = width * height
    var damage = Damage()
    var used = PGSUsedIndices()
    let indices = [UInt8](unsafeUninitializedCapacity: count + slack) { output, written in
      data.withUnsafeBufferPointer { input in
        guard let pixels = output.baseAddress else { return }
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256) { runs in
          runs.initialize(repeating: 0)
          guard let runColors = runs.baseAddress else { return }
          var rows = PGSRows(
            source: input.baseAddress ?? UnsafePointer(pixels), sourceCount: input.count,
            pixels: pixels, width: width, height: height, runColors: runColors)
          damage = rows.decode()
          used = rows.used
        }
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
    return bitmap.isVisible(in: palette)
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

/// The largest literals seen, without a branch for each.
private struct LiteralsSeen {
  /// In each lane of eight.
  private var most = SIMD8<UInt8>()
  /// The same of the literal plus one, where 255 counts as 0.
  private var mostBelow255 = SIMD8<UInt8>()

  /// Whether 255 is among them.
  var has255: Bool { most.max() == 255 }
  /// The highest but 255; 0 or less if there is none.
  var highest: Int { Int(mostBelow255.max()) - 1 }

  /// Notes eight literals; 0 stands for none.
  @inline(__always)
  mutating func note(_ word: UInt64) {
    let indices = unsafeBitCast(word, to: SIMD8<UInt8>.self)
    most = pointwiseMax(most, indices)
    mostBelow255 = pointwiseMax(mostBelow255, indices &+ 1)
  }
}

/// The loop over run-length codes, on bare pointers.
///
/// `source` has `sourceCount` bytes, `pixels` room for `width * height` and 96 behind, `runColors` for
/// 256. A store may pass the pixel where the row stands by up to 72 bytes: those are pixels still to
/// come, or the room behind. What bounds the speed is the chain from one code's place to the next one's.
private struct PGSRows {
  /// Bytes that one turn of the fast loop may read: 8 literals and a run's 4.
  static let reach = 12
  /// Pixels that a run stores at least: a store too many costs less than a branch foreseen wrong.
  static let block = 64

  let source: UnsafePointer<UInt8>
  let sourceCount: Int
  let pixels: UnsafeMutablePointer<UInt8>
  let width: Int
  let height: Int
  /// 1 for each index that a run has.
  let runColors: UnsafeMutablePointer<UInt8>
  private var literalsSeen = LiteralsSeen()

  init(
    source: UnsafePointer<UInt8>, sourceCount: Int, pixels: UnsafeMutablePointer<UInt8>,
    width: Int, height: Int, runColors: UnsafeMutablePointer<UInt8>
  ) {
    self.source = source
    self.sourceCount = sourceCount
    self.pixels = pixels
    self.width = width
    self.height = height
    self.runColors = runColors
  }

  /// What is known of the indices used.
  var used: PGSUsedIndices {
    let ofRuns = (1..<255).last { runColors[$0] != 0 } ?? 0
    return PGSUsedIndices(
      usesZero: runColors[0] != 0, uses255: literalsSeen.has255 || runColors[255] != 0,
      highest: max(ofRuns, literalsSeen.highest))
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
          runColors[0] = 1
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
      runColors[0] = 1
    }
    damage.spareBytes = sourceCount - at
    return damage
  }

  /// Decodes up to the end-of-line code or the data's end; the pixels that the row's codes hold.
  @inline(__always)
  private mutating func decodeRow(_ line: UnsafeMutablePointer<UInt8>, _ position: inout Int) -> Int
  {
    guard sourceCount &- position >= Self.reach else { return finishRow(line, &position, 0) }
    let raw = UnsafeRawPointer(source)
    let fastEnd = raw + (sourceCount &- Self.reach)
    let start = UnsafeMutableRawPointer(line)
    let end = start + width
    var at = raw + position
    var output = start
    let runColors = runColors
    // A copy of its own stays in registers.
    var literalsSeen = literalsSeen
    defer { self.literalsSeen = literalsSeen }
    while at <= fastEnd, output <= end {
      // Eight bytes at once: those before the first zero are literals.
      let word = UInt64(littleEndian: at.loadUnaligned(as: UInt64.self))
      let zeros = (word &- 0x0101_0101_0101_0101) & (~word & 0x8080_8080_8080_8080)
      output.storeBytes(of: word.littleEndian, as: UInt64.self)
      // The first zero's top bit, 8 for each literal and 7; the code that it begins is 0, then two
      // bits of form (coloured, long) and six of length, perhaps more length, perhaps a colour.
      let bit = UInt64(truncatingIfNeeded: zeros.trailingZeroBitCount)
      let literals = Int(bit &>> 3)
      let code: UInt32
      let isLong: Int
      let isColored: Int
      if _fastPath(zeros & 0x80_8080_8080 != 0) {
        // At most four literals: the whole code is here, and its form a shift away.
        isLong = Int(truncatingIfNeeded: (word &>> 7) &>> bit) & 1
        isColored = Int(truncatingIfNeeded: (word &>> 8) &>> bit) & 1
        code = UInt32(truncatingIfNeeded: word &>> (bit & 0x38))
        literalsSeen.note(word & ((1 &<< (bit & 0x38)) &- 1))
      } else {
        literalsSeen.note(literals == 8 ? word : word & ((1 &<< (bit & 0x38)) &- 1))
        if literals == 8 {
          at += 8
          output += 8
          continue
        }
        code = UInt32(littleEndian: at.loadUnaligned(fromByteOffset: literals, as: UInt32.self))
        isLong = Int(code &>> 14) & 1
        isColored = Int(code &>> 15) & 1
      }
      // Two bytes and one more for each bit of the form that is set. The two are added early: what is
      // added last delays the next code.
      at += Int((bit &+ 16) &>> 3) &+ isLong &+ isColored
      output += literals
      if _slowPath(code & 0xFF00 == 0) {
        position = at - raw
        return output - start
      }
      // Without branches: which of the four forms comes next is not to be foreseen.
      let length = Int(code &>> 8 & 0x3F)
      let run = length &<< (isLong &<< 3) | Int(code &>> 16 & 0xFF) & (0 &- isLong)
      let color =
        UInt8(truncatingIfNeeded: code &>> UInt32(truncatingIfNeeded: 16 &+ isLong &<< 3))
        & UInt8(truncatingIfNeeded: 0 &- isColored)
      runColors[Int(color)] = 1
      if _fastPath(run <= Self.block) {
        let eight = UInt64(color) &* 0x0101_0101_0101_0101
        output.storeBytes(of: SIMD8(repeating: eight), as: SIMD8<UInt64>.self)
      } else if output < end {
        output.initializeMemory(as: UInt8.self, repeating: color, count: min(run, end - output))
      }
      output += run
    }
    position = at - raw
    return finishRow(line, &position, output - start)
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
        runColors[Int(color)] = 1
        (line + column).update(repeating: color, count: room)
      }
      column += run
    }
    return column
  }
}
