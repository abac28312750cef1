// SPDX-License-Identifier: Apache-2.0
package import SubtitleModel

extension PaletteEntry {
  /// The matrix between RGB and Y'CbCr.
  package enum Matrix: Sendable {
    /// Standard definition.
    case bt601
    /// High definition.
    case bt709

    /// The matrix of a canvas: BT.709 above 576 lines, else BT.601, as decoders choose it.
    package static func of(_ canvas: Canvas) -> Matrix { canvas.height > 576 ? .bt709 : .bt601 }

    /// The weights of red and blue in luma.
    var weights: (red: Double, blue: Double) {
      switch self {
      case .bt601: (0.299, 0.114)
      case .bt709: (0.2126, 0.0722)
      }
    }
  }

  /// Converts a full-range RGB colour to limited-range Y'CbCr, each component rounded.
  ///
  /// - Parameters:
  ///   - color: The colour; its straight alpha is kept. With alpha 0 the colour becomes black.
  ///   - matrix: The matrix of the canvas.
  package init(_ color: PaletteColor, matrix: Matrix) {
    guard color.alpha > 0 else {
      self.init(luma: 16, cr: 128, cb: 128, alpha: 0)
      return
    }
    let weights = matrix.weights
    let red = Double(color.red) / 255
    let blue = Double(color.blue) / 255
    let green = Double(color.green) / 255
    let luma = weights.red * red + weights.blue * blue + (1 - weights.red - weights.blue) * green
    self.init(
      luma: UInt8((16 + 219 * luma).rounded()),
      cr: UInt8((128 + 112 * (red - luma) / (1 - weights.red)).rounded()),
      cb: UInt8((128 + 112 * (blue - luma) / (1 - weights.blue)).rounded()),
      alpha: color.alpha)
  }
}

extension PaletteDefinitionSegment {
  /// Makes a definition of every colour of a palette.
  package init(id: Int, version: UInt8, palette: Palette, matrix: PaletteEntry.Matrix) {
    self.init(
      id: id, version: version,
      entries: palette.colors.enumerated().map { index, color in
        (UInt8(index), PaletteEntry(color, matrix: matrix))
      })
  }
}
