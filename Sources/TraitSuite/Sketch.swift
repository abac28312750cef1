// SPDX-License-Identifier: Apache-2.0
package import SubtitleModel

/// Pictures written as text, a letter a pixel.
///
/// W white, K black, R red, G green, B blue, Y yellow, M magenta, C cyan, N another; lower case where
/// the colour lets something through; `.` and all that is left out nothing.
package enum Sketch {
  /// The colours of a coding's letters, RGB with straight alpha.
  ///
  /// Red of Y'CbCr 81, 90, 240 by BT.601 in limited range is 254.44, -0.48, -0.97 before rounding and
  /// clipping: red less one. VobSub and XSUB hold RGB.
  package static func legend(_ codec: SubtitleCodec) -> [Character: PaletteColor] {
    var legend: [Character: PaletteColor] = [:]
    for (letter, bits) in zip("KBGCRMYW", 0..<8) {
      legend[letter] = PaletteColor(
        red: bits & 4 == 0 ? 0 : 255, green: bits & 2 == 0 ? 0 : 255,
        blue: bits & 1 == 0 ? 0 : 255, alpha: 255)
    }
    if codec == .pgs || codec == .dvb {
      legend["R"] = PaletteColor(red: 254, green: 0, blue: 0, alpha: 255)
    }
    legend["N"] = PaletteColor(red: 127, green: 127, blue: 127, alpha: 255)
    return legend
  }

  /// Paints rows of letters; a letter without a colour is left transparent.
  package static func paint(
    _ rows: [String], on size: Canvas, legend: [Character: PaletteColor]
  ) -> RGBABitmap {
    var picture = RGBABitmap(width: size.width, height: size.height, filledWith: .transparent)
    for (y, row) in rows.prefix(size.height).enumerated() {
      for (x, letter) in row.prefix(size.width).enumerated() {
        guard let color = legend[letter] else { continue }
        let at = 4 * (y * size.width + x)
        picture.bytes.replaceSubrange(
          at..<at + 4, with: [color.red, color.green, color.blue, color.alpha])
      }
    }
    return picture
  }
}

extension IndexedBitmap {
  /// A bitmap drawn as digits, `.` for index 0.
  package init(_ rows: [String]) {
    let indices = rows.flatMap { row in row.utf8.map { $0 == 46 ? 0 : $0 - 48 } }
    self.init(width: rows.first?.utf8.count ?? 0, height: rows.count, indices: indices)
  }

  /// A bitmap of one index.
  package init(_ width: Int, _ height: Int, _ index: UInt8) {
    self.init(
      width: width, height: height, indices: [UInt8](repeating: index, count: width * height))
  }
}
