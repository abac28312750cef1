// SPDX-License-Identifier: Apache-2.0
import SubtitleModel

/// A family of CLUTs: one for each depth, beginning with the default colours (EN 300 743, 10).
struct DVBCLUTFamily: Sendable, Hashable {
  private var two: [PaletteColor] = Self.defaultTwo
  private var four: [PaletteColor] = Self.defaultFour
  private var eight: [PaletteColor] = Self.defaultEight

  init() {}

  /// The colours of a depth.
  func palette(_ depth: PixelDepth) -> Palette {
    switch depth {
    case .two: Palette(colors: two)
    case .four: Palette(colors: four)
    case .eight: Palette(colors: eight)
    }
  }

  /// Sets a colour in the CLUTs that the entry names.
  ///
  /// - Returns: Whether its number exists in each of them.
  mutating func set(_ entry: CLUTDefinitionSegment.Entry, _ conversion: PaletteConversion) -> Bool {
    let color =
      entry.luma == 0
      ? PaletteColor.transparent
      : conversion.color(
        luma: entry.luma, cb: entry.cb, cr: entry.cr, alpha: 255 - entry.transparency)
    var isWhole = !entry.depths.isEmpty
    for depth in PixelDepth.allCases where entry.depths.contains(PixelDepths(depth)) {
      guard entry.id <= depth.mask else {
        isWhole = false
        continue
      }
      switch depth {
      case .two: two[Int(entry.id)] = color
      case .four: four[Int(entry.id)] = color
      case .eight: eight[Int(entry.id)] = color
      }
    }
    return isWhole
  }

  /// Nothing, white, black and grey (10.3).
  static let defaultTwo = [
    .transparent, PaletteColor(red: 255, green: 255, blue: 255, alpha: 255),
    PaletteColor(red: 0, green: 0, blue: 0, alpha: 255),
    PaletteColor(red: 127, green: 127, blue: 127, alpha: 255),
  ]

  /// Nothing and the seven full colours, then black and the seven half ones (10.2).
  static let defaultFour: [PaletteColor] = (0..<16).map { index in
    if index == 0 { return .transparent }
    let level: UInt8 = index < 8 ? 255 : 127
    return PaletteColor(
      red: index & 1 == 0 ? 0 : level, green: index & 2 == 0 ? 0 : level,
      blue: index & 4 == 0 ? 0 : level, alpha: 255)
  }

  /// The 256 colours (10.1).
  ///
  /// Bits 1, 2 and 4 are a third of red, green and blue, 16, 32 and 64 two thirds; 8 and 128 choose
  /// transparency and level. Fractions of a step are cut, but 42.5 is 43.
  static let defaultEight: [PaletteColor] = (0..<256).map { index in
    func component(_ bit: Int, _ low: Int, _ high: Int, _ base: Int) -> UInt8 {
      UInt8(
        base + (index & bit == 0 ? 0 : low) + (index & (bit << 4) == 0 ? 0 : high))
    }
    func color(_ low: Int, _ high: Int, _ base: Int, _ alpha: UInt8) -> PaletteColor {
      PaletteColor(
        red: component(1, low, high, base), green: component(2, low, high, base),
        blue: component(4, low, high, base), alpha: alpha)
    }
    if index == 0 { return .transparent }
    // A quarter opaque.
    if index < 8 { return color(255, 0, 0, 63) }
    switch index & 0x88 {
    case 0x00: return color(85, 170, 0, 255)
    case 0x08: return color(85, 170, 0, 127)
    case 0x80: return color(43, 85, 127, 255)
    default: return color(43, 85, 0, 255)
    }
  }
}
