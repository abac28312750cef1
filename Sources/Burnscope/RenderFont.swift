// SPDX-License-Identifier: Apache-2.0
internal import SubtitleModel

/// Digits and a few signs of 5 by 7 dots, for the labels of contact sheets.
enum RenderFont {
  /// Columns of a sign with the gap behind it, in dots.
  static let advance = 6
  /// Rows of a sign, in dots.
  static let height = 7

  /// The dots of each sign, a row a line, the leftmost dot in bit 4.
  private static let glyphs: [Character: [UInt8]] = [
    "0": [0b01110, 0b10001, 0b10011, 0b10101, 0b11001, 0b10001, 0b01110],
    "1": [0b00100, 0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110],
    "2": [0b01110, 0b10001, 0b00001, 0b00110, 0b01000, 0b10000, 0b11111],
    "3": [0b11110, 0b00001, 0b00001, 0b01110, 0b00001, 0b00001, 0b11110],
    "4": [0b00010, 0b00110, 0b01010, 0b10010, 0b11111, 0b00010, 0b00010],
    "5": [0b11111, 0b10000, 0b11110, 0b00001, 0b00001, 0b10001, 0b01110],
    "6": [0b00110, 0b01000, 0b10000, 0b11110, 0b10001, 0b10001, 0b01110],
    "7": [0b11111, 0b00001, 0b00010, 0b00100, 0b01000, 0b01000, 0b01000],
    "8": [0b01110, 0b10001, 0b10001, 0b01110, 0b10001, 0b10001, 0b01110],
    "9": [0b01110, 0b10001, 0b10001, 0b01111, 0b00001, 0b00010, 0b01100],
    ":": [0b00000, 0b00100, 0b00100, 0b00000, 0b00100, 0b00100, 0b00000],
    ".": [0b00000, 0b00000, 0b00000, 0b00000, 0b00000, 0b01100, 0b01100],
    "-": [0b00000, 0b00000, 0b00000, 0b11111, 0b00000, 0b00000, 0b00000],
    "#": [0b01010, 0b01010, 0b11111, 0b01010, 0b11111, 0b01010, 0b01010],
    "F": [0b11111, 0b10000, 0b10000, 0b11110, 0b10000, 0b10000, 0b10000],
  ]

  /// Draws a line of signs; unknown ones leave a gap, dots outside the picture are left out.
  ///
  /// - Parameters:
  ///   - text: What to draw.
  ///   - picture: The picture to draw on.
  ///   - x: The left column.
  ///   - y: The top row.
  ///   - scale: Pixels a dot, each way.
  ///   - color: The colour of the dots.
  static func draw(
    _ text: String, on picture: inout RGBABitmap, x: Int, y: Int, scale: Int, color: PaletteColor
  ) {
    let components = [color.red, color.green, color.blue, color.alpha]
    for (position, sign) in text.enumerated() {
      guard let rows = glyphs[sign] else { continue }
      for dotY in 0..<height * scale {
        for dotX in 0..<5 * scale where rows[dotY / scale] >> UInt8(4 - dotX / scale) & 1 == 1 {
          let column = x + position * advance * scale + dotX
          let row = y + dotY
          guard (0..<picture.width).contains(column), (0..<picture.height).contains(row) else {
            continue
          }
          let place = 4 * (row * picture.width + column)
          for component in 0..<4 { picture.bytes[place + component] = components[component] }
        }
      }
    }
  }
}
