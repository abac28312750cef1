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
    var used: IndexSet256
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
    var used = IndexSet256()
    let indices = [UInt8](unsafeUninitializedCapacity: count + slack) { output, written in
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 512) { flags in
        flags.initialize(repeating: 0)
        data.withUnsafeBufferPointer { input in
          guard let pixels = output.baseAddress, let flag = flags.baseAddress else { return }
          var rows = PGSRows(
            source: input.baseAddress ?? UnsafePointer(pixels), sourceCount: input.count,
            pixels: pixels, flags: flag, width: width, height: height)
          damage = rows.decode()
        }
        // The second half holds literals, which are never 0.
        for index in 1..<256 where flags[256 + index] != 0 { flags[index] = 1 }
        used = IndexSet256(flags: UnsafeBufferPointer(flags))
      }
      written = count
    }
    return Decoded(
      bitmap: IndexedBitmap(width: width, height: height, indices: indices), used: used,
      damage: damage)
  }
}

/// The loop over run-length codes, on bare pointers.
///
/// `source` has `sourceCount` bytes, `pixels` room for `width * height` and 96 behind, `flags` for 512:
/// the first half marks the indices of runs, the second those of literals. A store may pass the pixel
/// where the row stands by up to 72 bytes: those are pixels still to come, or the room behind.
private struct PGSRows {
  /// Bytes that one turn of the fast loop may read: 8 literals and a run's 4.
  static let reach = 12
  /// Pixels that a run stores at once.
  static let block = 64

  let source: UnsafePointer<UInt8>
  let sourceCount: Int
  let pixels: UnsafeMutablePointer<UInt8>
  let flags: UnsafeMutablePointer<UInt8>
  let width: Int
  let height: Int

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
          flags[0] = 1
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
      flags[0] = 1
    }
    damage.spareBytes = sourceCount - at
    return damage
  }

  /// Decodes up to the end-of-line code or the data's end; the pixels that the row's codes hold.
  @inline(__always)
  private func decodeRow(_ line: UnsafeMutablePointer<UInt8>, _ position: inout Int) -> Int {
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
      let literals = zeros.trailingZeroBitCount >> 3
      output.storeBytes(of: word.littleEndian, toByteOffset: column, as: UInt64.self)
      mark(literals == 8 ? word : word & ((1 << UInt64(literals << 3)) &- 1), isAny: literals > 0)
      at += literals
      column += literals
      if literals == 8 { continue }
      // The run's code, from the same word where it holds all four bytes.
      let code =
        literals > 4
        ? UInt64(
          UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: at, as: UInt32.self)))
        : word >> UInt64(literals << 3)
      let second = Int(code >> 8 & 0xFF)
      if second == 0 {
        position = at + 2
        return column
      }
      let isLong = second >> 6 & 1
      let isColored = second >> 7
      let short = second & 0x3F
      let run = isLong == 1 ? short << 8 | Int(code >> 16 & 0xFF) : short
      let color =
        UInt8(truncatingIfNeeded: code >> UInt64(16 + isLong << 3)) & (0 &- UInt8(isColored))
      at += 2 + isLong + isColored
      flags[Int(color)] = 1
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

  /// Marks the literals of a word; bytes of zero mark a place that is not looked at.
  @inline(__always)
  private func mark(_ word: UInt64, isAny: Bool) {
    guard isAny else { return }
    let literals = flags + 256
    literals[Int(word & 0xFF)] = 1
    literals[Int(word >> 8 & 0xFF)] = 1
    literals[Int(word >> 16 & 0xFF)] = 1
    literals[Int(word >> 24 & 0xFF)] = 1
    literals[Int(word >> 32 & 0xFF)] = 1
    literals[Int(word >> 40 & 0xFF)] = 1
    literals[Int(word >> 48 & 0xFF)] = 1
    literals[Int(word >> 56)] = 1
  }

  /// Goes on code by code: behind the width, and near the end of the data.
  private func finishRow(
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
        flags[Int(color)] = 1
        (line + column).update(repeating: color, count: room)
      }
      column += run
    }
    return column
  }
}
