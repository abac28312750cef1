// SPDX-License-Identifier: Apache-2.0
package import SubtitleModel

/// Reduces RGBA bitmaps to indices into one common palette.
///
/// Entry 0 is transparent. Where the colours fit they are kept exactly, most used first; else they
/// are grouped by median cut on components weighted by alpha, so that what is hardly seen weighs
/// little, and small palettes are refined by moving each entry to its group's mean.
package enum Quantizer {
  /// Bitmaps with their common palette.
  package struct Result: Sendable, Hashable {
    /// The colours; entry 0 is transparent.
    package var palette: Palette
    /// The bitmaps, in the order given.
    package var bitmaps: [IndexedBitmap]
    /// Whether every colour was kept.
    package var isExact: Bool
  }

  /// Palettes up to this size are refined: above it the groups are too small to gain by it.
  private static let refinedSize = 16
  private static let refinements = 8

  /// Reduces bitmaps.
  ///
  /// - Parameters:
  ///   - bitmaps: The pixels, straight alpha.
  ///   - maximumColors: The most entries of the palette, with the transparent one; 2 to 256.
  /// - Returns: The palette, and the bitmaps as indices into it.
  package static func quantize(_ bitmaps: [RGBABitmap], maximumColors: Int) -> Result {
    precondition((2...256).contains(maximumColors), "a palette has 2 to 256 entries")
    let colors = histogram(of: bitmaps)
    let isExact = colors.count < maximumColors
    var indices: [UInt32: UInt8] = [0: 0]
    var palette: [PaletteColor] = [.transparent]
    if isExact {
      for (index, color) in colors.enumerated() { indices[color.word] = UInt8(index + 1) }
      palette += colors.map { PaletteColor(word: $0.word) }
    } else {
      let groups = group(colors, into: maximumColors - 1)
      for (index, group) in groups.enumerated() {
        for color in group { indices[color.word] = UInt8(index + 1) }
      }
      palette += groups.map(representative)
    }
    return Result(
      palette: Palette(colors: palette), bitmaps: bitmaps.map { map($0, by: indices) },
      isExact: isExact)
  }

  private static func map(_ bitmap: RGBABitmap, by indices: [UInt32: UInt8]) -> IndexedBitmap {
    var result: [UInt8] = []
    result.reserveCapacity(bitmap.width * bitmap.height)
    var last: (word: UInt32, index: UInt8) = (0, 0)
    forEachWord(of: bitmap) { word in
      if word != last.word { last = (word, indices[word] ?? 0) }
      result.append(last.index)
    }
    return IndexedBitmap(width: bitmap.width, height: bitmap.height, indices: result)
  }

  /// The colours that can be seen, most used first; ties by value, so that the order is fixed.
  private static func histogram(of bitmaps: [RGBABitmap]) -> [WeightedColor] {
    var counts: [UInt32: Int] = [:]
    var run: (word: UInt32, count: Int) = (0, 0)
    for bitmap in bitmaps {
      forEachWord(of: bitmap) { word in
        if word == run.word {
          run.count += 1
        } else {
          counts[run.word, default: 0] += run.count
          run = (word, 1)
        }
      }
    }
    counts[run.word, default: 0] += run.count
    counts[0] = nil
    return counts.map { WeightedColor(word: $0.key, count: $0.value) }
      .sorted { ($1.count, $0.word) < ($0.count, $1.word) }
  }

  /// Calls with each pixel as a word; a transparent pixel is 0 whatever its colour.
  private static func forEachWord(of bitmap: RGBABitmap, _ body: (UInt32) -> Void) {
    bitmap.bytes.withUnsafeBufferPointer { bytes in
      for pixel in stride(from: 0, to: bytes.count, by: 4) {
        let alpha = UInt32(bytes[pixel + 3])
        let color =
          UInt32(bytes[pixel]) << 24 | UInt32(bytes[pixel + 1]) << 16
          | UInt32(bytes[pixel + 2]) << 8
        body(alpha == 0 ? 0 : color | alpha)
      }
    }
  }

  /// Groups colours by median cut: the group with the widest spread is split, again and again.
  private static func group(_ colors: [WeightedColor], into count: Int) -> [[WeightedColor]] {
    var groups = [ColorGroup(colors)]
    while groups.count < count {
      guard let index = groups.indices.max(by: { groups[$0].urgency < groups[$1].urgency }),
        let (low, high) = groups[index].split()
      else { break }
      groups[index] = low
      groups.append(high)
    }
    var result = groups.map(\.colors)
    guard count <= refinedSize else { return result }
    for _ in 0..<refinements {
      let means = result.map { mean(of: $0[...]) }
      var next = [[WeightedColor]](repeating: [], count: means.count)
      for color in colors {
        let nearest = means.indices.min {
          means[$0].distance(to: color) < means[$1].distance(to: color)
        }
        next[nearest ?? 0].append(color)
      }
      next.removeAll(where: \.isEmpty)
      if next == result { break }
      result = next
    }
    return result
  }

  /// The colour of a group: the one that most of its pixels have, else the mean.
  ///
  /// So a text's fill and outline stay what they are, whatever their edges add.
  private static func representative(of group: [WeightedColor]) -> PaletteColor {
    let total = group.reduce(0) { $0 + $1.count }
    if let main = group.first(where: { 2 * $0.count >= total }) {
      return PaletteColor(word: main.word)
    }
    return mean(of: group[...]).color
  }

  fileprivate static func mean(of colors: ArraySlice<WeightedColor>) -> ColorMean {
    var sums = SIMD4<Double>.zero
    var total = 0.0
    for color in colors {
      sums += color.components * Double(color.count)
      total += Double(color.count)
    }
    return ColorMean(components: total > 0 ? sums / total : .zero)
  }
}

/// A colour and how many pixels have it.
private struct WeightedColor: Hashable {
  /// Red, green, blue and alpha, from the high byte down.
  var word: UInt32
  var count: Int

  /// Red, green and blue times alpha, and alpha, each 0 to 255.
  var components: SIMD4<Double> {
    let alpha = Double(word & 0xFF)
    return SIMD4(
      Double(word >> 24) * alpha / 255, Double(word >> 16 & 0xFF) * alpha / 255,
      Double(word >> 8 & 0xFF) * alpha / 255, alpha)
  }
}

/// The mean of a group, in the components of ``WeightedColor``.
private struct ColorMean {
  var components: SIMD4<Double>

  func distance(to color: WeightedColor) -> Double {
    let difference = components - color.components
    return (difference * difference).sum()
  }

  var color: PaletteColor {
    let alpha = components.w
    func straight(_ value: Double) -> UInt8 {
      alpha > 0 ? UInt8(min(255, (value * 255 / alpha).rounded())) : 0
    }
    return PaletteColor(
      red: straight(components.x), green: straight(components.y), blue: straight(components.z),
      alpha: UInt8(max(1, alpha.rounded())))
  }
}

/// Colours that will share an entry, or be split.
private struct ColorGroup {
  var colors: [WeightedColor]
  /// The component that spreads most, and how much its splitting gains.
  var axis = 0
  var urgency = 0.0

  init(_ colors: [WeightedColor]) {
    self.colors = colors
    let mean = Quantizer.mean(of: colors[...]).components
    var spread = SIMD4<Double>.zero
    for color in colors {
      let difference = color.components - mean
      spread += difference * difference * Double(color.count)
    }
    guard colors.count > 1 else { return }
    axis = (0..<4).max { spread[$0] < spread[$1] } ?? 0
    urgency = spread[axis]
  }

  /// Two groups, parted at the mean of the axis that spreads most; nil if all are alike.
  func split() -> (ColorGroup, ColorGroup)? {
    guard colors.count > 1 else { return nil }
    let mean = Quantizer.mean(of: colors[...]).components[axis]
    let low = colors.filter { $0.components[axis] <= mean }
    let high = colors.filter { $0.components[axis] > mean }
    guard !low.isEmpty, !high.isEmpty else { return nil }
    return (ColorGroup(low), ColorGroup(high))
  }
}

extension PaletteColor {
  fileprivate init(word: UInt32) {
    self.init(
      red: UInt8(word >> 24), green: UInt8(word >> 16 & 0xFF), blue: UInt8(word >> 8 & 0xFF),
      alpha: UInt8(word & 0xFF))
  }
}
