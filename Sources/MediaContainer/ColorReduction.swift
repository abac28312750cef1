// SPDX-License-Identifier: Apache-2.0
internal import SubtitleModel

/// Reduces palettes to what a format can carry.
enum ColorReduction {
  /// Gives an object the most used colours of its own, others replaced by the nearest kept one.
  ///
  /// Colours that are used fewer times are merged; entries that no pixel uses are dropped.
  static func reduce(_ object: CueObject, to count: Int) -> CueObject {
    let uses = self.uses(of: object.bitmap)
    var totals: [PaletteColor: Int] = [:]
    for index in 0..<256 where uses[index] > 0 {
      totals[seen(object.palette[UInt8(index)]), default: 0] += uses[index]
    }
    let kept = ranked(totals).prefix(count)
    var map = [UInt8](repeating: 0, count: 256)
    for index in 0..<256 where uses[index] > 0 {
      let color = seen(object.palette[UInt8(index)])
      map[index] = UInt8(nearest(to: color, in: kept))
    }
    let bitmap = IndexedBitmap(
      width: object.bitmap.width, height: object.bitmap.height,
      indices: object.bitmap.indices.map { map[Int($0)] })
    return CueObject(
      x: object.x, y: object.y, bitmap: bitmap, palette: Palette(colors: Array(kept)),
      isForced: object.isForced)
  }

  /// The 16 most used opaque colours of a track, as FFmpeg's option `palette` has them.
  static func trackPalette(of cues: [Cue]) -> String {
    var totals: [PaletteColor: Int] = [:]
    for object in cues.flatMap(\.objects) {
      let uses = self.uses(of: object.bitmap)
      for index in 0..<256 where uses[index] > 0 {
        let color = object.palette[UInt8(index)]
        guard color.alpha > 0 else { continue }
        let opaque = PaletteColor(
          red: color.red, green: color.green, blue: color.blue, alpha: 255)
        totals[opaque, default: 0] += uses[index] * Int(color.alpha)
      }
    }
    var colors = Array(ranked(totals).prefix(16))
    let black = PaletteColor(red: 0, green: 0, blue: 0, alpha: 255)
    while colors.count < 16 { colors.append(black) }
    return colors.map { color in
      let value = Int(color.red) << 16 | Int(color.green) << 8 | Int(color.blue)
      let text = String(value, radix: 16)
      return String(repeating: "0", count: 6 - text.count) + text
    }.joined(separator: ",")
  }

  /// Fully transparent colours look alike, whatever their red, green and blue.
  private static func seen(_ color: PaletteColor) -> PaletteColor {
    color.alpha == 0 ? .transparent : color
  }

  private static func uses(of bitmap: IndexedBitmap) -> [Int] {
    var uses = [Int](repeating: 0, count: 256)
    for index in bitmap.indices { uses[Int(index)] += 1 }
    return uses
  }

  /// Most used first; ties by value, so that the result does not depend on hashing.
  private static func ranked(_ totals: [PaletteColor: Int]) -> [PaletteColor] {
    func word(_ color: PaletteColor) -> Int {
      Int(color.alpha) << 24 | Int(color.red) << 16 | Int(color.green) << 8 | Int(color.blue)
    }
    return totals.sorted { ($1.value, word($0.key)) < ($0.value, word($1.key)) }.map(\.key)
  }

  private static func nearest(to color: PaletteColor, in kept: ArraySlice<PaletteColor>) -> Int {
    func distance(_ other: PaletteColor) -> Int {
      let (mine, theirs) = (Int(color.alpha), Int(other.alpha))
      let components: [(UInt8, UInt8)] = [
        (color.red, other.red), (color.green, other.green), (color.blue, other.blue),
      ]
      let shades = components.reduce(0) { sum, pair in
        let difference = (Int(pair.0) * mine - Int(pair.1) * theirs) / 255
        return sum + difference * difference
      }
      return shades + 3 * (mine - theirs) * (mine - theirs)
    }
    return kept.indices.min { distance(kept[$0]) < distance(kept[$1]) } ?? 0
  }
}
