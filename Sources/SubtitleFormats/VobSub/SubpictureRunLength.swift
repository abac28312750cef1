// SPDX-License-Identifier: Apache-2.0
package import SubtitleModel

/// The run-length code of DVD sub-pictures: nibbles, lines of whole bytes.
///
///     11cc                 runs of 1 to 3
///     0011 11cc            4 to 15
///     0000 1111 11cc       16 to 63
///     0000 0011 1111 11cc  64 to 255
///     0000 0000 0000 00cc  to the end of the line
package enum SubpictureRunLength {
  /// Codes one line; pixels are codes 0 to 3.
  package static func encode(_ line: ArraySlice<UInt8>) -> [UInt8] {
    var nibbles: [UInt8] = []
    var position = line.startIndex
    while position < line.endIndex {
      let code = line[position] & 3
      var end = position + 1
      while end < line.endIndex, line[end] & 3 == code { end += 1 }
      let isRest = end == line.endIndex
      var run = end - position
      if isRest, run > 63 {
        nibbles += [0, 0, 0, code]
        position = end
        continue
      }
      run = min(run, 255)
      let value = run << 2 | Int(code)
      let count = run < 4 ? 1 : run < 16 ? 2 : run < 64 ? 3 : 4
      for place in stride(from: count - 1, through: 0, by: -1) {
        nibbles.append(UInt8(value >> (4 * place) & 15))
      }
      position += run
    }
    if nibbles.count % 2 == 1 { nibbles.append(0) }
    return stride(from: 0, to: nibbles.count, by: 2).map { nibbles[$0] << 4 | nibbles[$0 + 1] }
  }

  /// Codes both fields of a bitmap: the even lines, then the odd ones.
  package static func encode(_ bitmap: IndexedBitmap) -> (top: [UInt8], bottom: [UInt8]) {
    var fields: [[UInt8]] = [[], []]
    for row in 0..<bitmap.height {
      fields[row % 2] += encode(bitmap.indices[row * bitmap.width..<(row + 1) * bitmap.width])
    }
    return (fields[0], fields[1])
  }

  /// Decodes one field into its lines of a bitmap; runs are cut at the end of the line.
  ///
  /// - Parameters:
  ///   - data: The field's data on; what follows the last line is not looked at.
  ///   - first: The first line, 0 for the top field and 1 for the bottom one.
  ///   - width: Columns.
  ///   - height: Rows of both fields.
  ///   - pixels: The bitmap, `width * height` codes.
  /// - Returns: How many lines the data end before, which stay as they are, and the bytes used.
  static func decode(
    _ data: ArraySlice<UInt8>, first: Int, width: Int, height: Int, into pixels: inout [UInt8]
  ) -> (missing: Int, used: Int) {
    data.withUnsafeBufferPointer { source in
      pixels.withUnsafeMutableBufferPointer { output in
        var at = 0
        let end = source.count * 2
        for row in stride(from: first, to: height, by: 2) {
          var column = 0
          while column < width {
            guard at < end else { return ((height - row + 1) / 2, source.count) }
            var value = 0
            var limit = 4
            for place in 0..<4 {
              guard at < end else { break }
              let byte = source[at >> 1]
              value = value << 4 | Int(at & 1 == 0 ? byte >> 4 : byte & 15)
              at += 1
              // A code of n nibbles is at least 4 to the power n - 1, times 4.
              limit = 4 << (2 * place)
              if value >= limit { break }
            }
            let run = value < 4 ? width - column : min(value >> 2, width - column)
            let code = UInt8(value & 3)
            output.fill(code, from: row * width + column, count: run)
            column += run
          }
          at = (at + 1) & ~1
        }
        return (0, at / 2)
      }
    }
  }
}
