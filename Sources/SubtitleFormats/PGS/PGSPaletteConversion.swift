// SPDX-License-Identifier: Apache-2.0
package import SubtitleModel

/// How Y'CbCr palette entries become full-range RGB.
public struct PaletteConversion: Sendable, Hashable {
  /// The matrix between Y'CbCr and RGB.
  public enum Matrix: String, Sendable, Hashable, CaseIterable {
    /// Standard definition (ITU-R BT.601).
    case bt601
    /// High definition (ITU-R BT.709).
    case bt709
    /// Ultra-high definition, non-constant luminance (ITU-R BT.2020).
    case bt2020

    /// The weights of red and blue in luma.
    var weights: (red: Double, blue: Double) {
      switch self {
      case .bt601: (0.299, 0.114)
      case .bt709: (0.2126, 0.0722)
      case .bt2020: (0.2627, 0.0593)
      }
    }
  }

  /// What the codes 0 to 255 mean.
  public enum Range: String, Sendable, Hashable, CaseIterable {
    /// 16 is black and 235 white; Cb and Cr swing from 16 to 240.
    case limited
    /// 0 is black and 255 white; Cb and Cr swing from 0 to 255.
    case full
  }

  /// The matrix.
  package var matrix: Matrix
  /// The range.
  package var range: Range

  /// Makes a conversion.
  package init(matrix: Matrix, range: Range = .limited) {
    self.matrix = matrix
    self.range = range
  }

  /// What decoders that are not told choose: BT.709 above 576 lines, else BT.601; limited range.
  package static func customary(for canvas: Canvas) -> PaletteConversion {
    PaletteConversion(matrix: canvas.height > 576 ? .bt709 : .bt601)
  }

  /// Converts one colour, each component rounded to the nearest and clipped.
  ///
  /// - Parameters:
  ///   - luma: Y'.
  ///   - cb: Cb.
  ///   - cr: Cr.
  ///   - alpha: Straight alpha, kept.
  /// - Returns: The colour in full-range RGB.
  package func color(luma: UInt8, cb: UInt8, cr: UInt8, alpha: UInt8) -> PaletteColor {
    Coefficients(self).color(luma: luma, cb: cb, cr: cr, alpha: alpha)
  }

  /// The factors of a conversion: codes to RGB of 0 to 255.
  struct Coefficients {
    private let black: Double
    private let luma: Double
    private let red: Double
    private let blue: Double
    private let greenOfRed: Double
    private let greenOfBlue: Double

    init(_ conversion: PaletteConversion) {
      let weights = conversion.matrix.weights
      let isLimited = conversion.range == .limited
      let scale = isLimited ? 255.0 / 224 : 1
      let green = 1 - weights.red - weights.blue
      black = isLimited ? 16 : 0
      luma = isLimited ? 255.0 / 219 : 1
      red = 2 * (1 - weights.red) * scale
      blue = 2 * (1 - weights.blue) * scale
      greenOfRed = red * weights.red / green
      greenOfBlue = blue * weights.blue / green
    }

    @inline(__always)
    func color(luma code: UInt8, cb: UInt8, cr: UInt8, alpha: UInt8) -> PaletteColor {
      let y = (Double(code) - black) * luma
      let (u, v) = (Double(cb) - 128, Double(cr) - 128)
      return PaletteColor(
        red: Self.code(y + red * v), green: Self.code(y - greenOfRed * v - greenOfBlue * u),
        blue: Self.code(y + blue * u), alpha: alpha)
    }

    @inline(__always)
    private static func code(_ value: Double) -> UInt8 { UInt8(min(max(value, 0), 255) + 0.5) }
  }
}

/// A palette as an epoch knows it: entries that were never sent are undefined, and transparent.
struct PGSPaletteState: Sendable, Hashable {
  private(set) var entries = [PaletteEntry?](repeating: nil, count: 256)
  private(set) var version: UInt8 = 0

  mutating func merge(_ segment: PaletteDefinitionSegment) {
    version = segment.version
    for (index, entry) in segment.entries { entries[Int(index)] = entry }
  }

  /// Whether any entry is not wholly transparent.
  var isVisible: Bool { entries.contains { ($0?.alpha ?? 0) > 0 } }

  func colors(_ conversion: PaletteConversion) -> Palette {
    let coefficients = PaletteConversion.Coefficients(conversion)
    return Palette(
      colors: entries.map { entry in
        guard let entry else { return .transparent }
        return coefficients.color(
          luma: entry.luma, cb: entry.cb, cr: entry.cr, alpha: entry.alpha)
      })
  }
}
