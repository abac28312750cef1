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
  package static func decode(
    _ data: [UInt8], width: Int, height: Int
  ) -> (bitmap: IndexedBitmap, damage: Damage) {
    let result = decoded(data, width: width, height: height)
    return (result.bitmap, result.damage)
  }

  /// Bytes behind the last pixel that a short run may be stored over.
  private static let slack = 16

  static func decoded(_ data: [UInt8], width: Int, height: Int) -> Decoded {
    let count = width * height
    var damage = Damage()
    var used = IndexSet256(of: IndexedBitmap(width: 0, height: 0, indices: []))
    let indices = [UInt8](unsafeUninitializedCapacity: count + slack) { output, written in
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256) { flags in
        flags.initialize(repeating: 0)
        data.withUnsafeBufferPointer { input in
          guard let source = input.baseAddress, let pixels = output.baseAddress,
            let flag = flags.baseAddress
          else { return }
          var rows = Rows(
            source: source, sourceCount: input.count, pixels: pixels, flags: flag, width: width,
            height: height)
          damage = rows.decode()
        }
        if data.isEmpty {
          output[0..<count].initialize(repeating: 0)
          flags[0] = 1
          damage.missingRows = height
          damage.firstRow = 0
        }
        used = IndexSet256(flags: UnsafeBufferPointer(flags))
      }
      written = count
    }
    return Decoded(
      bitmap: IndexedBitmap(width: width, height: height, indices: indices), used: used,
      damage: damage)
  }

  /// The loop over codes, on bare pointers.
  ///
  /// `pixels` has room for `width * height` bytes and the slack behind; `flags` for 256.
  private struct Rows {
    let source: UnsafePointer<UInt8>
    let sourceCount: Int
    let pixels: UnsafeMutablePointer<UInt8>
    let flags: UnsafeMutablePointer<UInt8>
    let width: Int
    let height: Int

    mutating func decode() -> Damage {
      var damage = Damage()
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
      defer { position = at }
      while at < sourceCount {
        let first = source[at]
        if first != 0 {
          at += 1
          if column < width {
            line[column] = first
            flags[Int(first)] = 1
          }
          column += 1
          continue
        }
        guard at + 1 < sourceCount else {
          at = sourceCount
          break
        }
        let second = source[at + 1]
        at += 2
        if second == 0 { break }
        var run = Int(second & 0x3F)
        if second & 0x40 != 0 {
          guard at < sourceCount else { break }
          run = run << 8 | Int(source[at])
          at += 1
        }
        var color: UInt8 = 0
        if second & 0x80 != 0 {
          guard at < sourceCount else { break }
          color = source[at]
          at += 1
        }
        let room = min(run, width - column)
        if room > 0 {
          flags[Int(color)] = 1
          if room <= PGSRunLength.slack {
            // Up to 15 bytes too many: they lie in pixels still to come, or in the slack.
            UnsafeMutableRawPointer(line + column).storeBytes(
              of: SIMD16<UInt8>(repeating: color), as: SIMD16<UInt8>.self)
          } else {
            (line + column).update(repeating: color, count: room)
          }
        }
        column += run
      }
      return column
    }
  }
}
