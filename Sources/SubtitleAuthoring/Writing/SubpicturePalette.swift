// SPDX-License-Identifier: Apache-2.0
internal import SubtitleFormats
internal import SubtitleModel

/// The 16 colours of a VobSub track, and the units that are drawn with them.
struct SubpicturePalette {
  /// Dates are written in units of 1024 ticks of 90 kHz; 0xFFFF means none.
  private static let lastDate: Int64 = 0xFFFE

  /// The colours, at most 16, without alpha.
  let colors: [PaletteColor]

  /// Takes the colours that cover most pixels; those past the 16th are drawn as the nearest of them.
  init(of cues: [Cue]) {
    var counts: [PaletteColor: Int] = [:]
    for object in cues.lazy.flatMap(\.objects) {
      for (index, count) in object.bitmap.counts.enumerated() where count > 0 {
        let color = object.palette[UInt8(index)]
        if color.alpha > 0 { counts[color.opaque, default: 0] += count }
      }
    }
    let ordered = counts.sorted { ($1.value, $0.key.order) < ($0.value, $1.key.order) }
    colors = ordered.prefix(16).map(\.key)
  }

  /// The colours as the line `palette:` of an .idx file has them, black in place of those missing.
  var text: String {
    (0..<16).map { index -> String in
      let digits = String(index < colors.count ? colors[index].order : 0, radix: 16)
      return String(repeating: "0", count: 6 - digits.utf8.count) + digits
    }.joined(separator: ", ")
  }

  /// The unit of a cue: its objects as one picture of four colours.
  func unit(of cue: Cue) -> SubpictureUnit {
    let picture = FourColorPicture(of: cue)
    var look = SubpictureUnit.Look(
      x: picture.x, y: picture.y,
      colors: PixelCodes(
        picture.colors.map { UInt8(FourColorPicture.nearest(to: $0.opaque, among: colors)) }),
      contrasts: PixelCodes(picture.colors.map { UInt8((Int($0.alpha) * 15 + 127) / 255) }))
    look.isForced = cue.isForced
    let date = ((cue.end - cue.start).ticks90k + 512) / 1024
    return SubpictureUnit(
      picture.bitmap, look, stop: Int(min(max(date, 1), Self.lastDate)))
  }
}

/// A cue's objects as one picture of four colours.
struct FourColorPicture {
  /// Column of the left edge.
  let x: Int
  /// Row of the top edge.
  let y: Int
  /// The colours of the codes; the first is nothing wherever three are enough for the rest.
  let colors: [PaletteColor]
  /// The codes.
  let bitmap: IndexedBitmap

  /// Draws the objects over each other; colours past the fourth become the nearest.
  init(of cue: Cue) {
    let bounds = cue.bounds
    var picture = MergedPicture(width: bounds.width, height: bounds.height)
    for object in cue.objects {
      picture.draw(object, x: object.x - bounds.x, y: object.y - bounds.y)
    }
    let codes = picture.codes
    let codeOf = picture.colors.map { UInt8(Self.nearest(to: $0, among: codes)) }
    x = bounds.x
    y = bounds.y
    colors = codes
    bitmap = IndexedBitmap(
      width: bounds.width, height: bounds.height, indices: picture.pixels.map { codeOf[Int($0)] })
  }

  /// The place of the colour that differs least, alpha included.
  static func nearest(to color: PaletteColor, among colors: [PaletteColor]) -> Int {
    func distance(_ other: PaletteColor) -> Int {
      let differences = zip(
        [color.red, color.green, color.blue, color.alpha],
        [other.red, other.green, other.blue, other.alpha])
      return differences.reduce(0) { sum, pair in
        let difference = Int(pair.0) - Int(pair.1)
        return sum + difference * difference
      }
    }
    return colors.indices.min { distance(colors[$0]) < distance(colors[$1]) } ?? 0
  }
}

/// Objects drawn over each other, each pixel the place of its colour in a list.
private struct MergedPicture {
  /// The colours; the first is nothing.
  private(set) var colors: [PaletteColor] = [.transparent]
  /// Places among the colours, row by row.
  private(set) var pixels: [UInt16]
  private let width: Int

  init(width: Int, height: Int) {
    self.width = width
    pixels = [UInt16](repeating: 0, count: width * height)
  }

  /// Draws an object that lies inside; what it has no alpha at keeps what is there.
  mutating func draw(_ object: CueObject, x: Int, y: Int) {
    let places = (0..<256).map { index -> UInt16 in
      let color = object.palette[UInt8(index)]
      guard color.alpha > 0 else { return 0 }
      if let place = colors.firstIndex(of: color) { return UInt16(place) }
      // The list ends where its places do: 256 objects of 255 colours are beyond any script.
      guard colors.count < Int(UInt16.max) else { return 1 }
      colors.append(color)
      return UInt16(colors.count - 1)
    }
    let bitmap = object.bitmap
    for row in 0..<bitmap.height {
      let target = (y + row) * width + x
      for column in 0..<bitmap.width {
        let place = places[Int(bitmap.indices[row * bitmap.width + column])]
        if place > 0 { pixels[target + column] = place }
      }
    }
  }

  /// The four colours to draw with: nothing, then those of most pixels.
  var codes: [PaletteColor] {
    var counts = [Int](repeating: 0, count: colors.count)
    for place in pixels { counts[Int(place)] += 1 }
    let ordered = colors.indices.dropFirst().filter { counts[$0] > 0 }
      .sorted { (counts[$1], $0) < (counts[$0], $1) }.map { colors[$0] }
    // A picture without transparent pixels may have four colours.
    let isFull = counts[0] == 0 && ordered.count > 3
    return isFull ? Array(ordered.prefix(4)) : [.transparent] + ordered.prefix(3)
  }
}

extension IndexedBitmap {
  /// How many pixels have each index.
  fileprivate var counts: [Int] {
    var counts = [Int](repeating: 0, count: 256)
    for index in indices { counts[Int(index)] += 1 }
    return counts
  }
}

extension PaletteColor {
  /// The same colour, opaque.
  fileprivate var opaque: PaletteColor {
    PaletteColor(red: red, green: green, blue: blue, alpha: 255)
  }

  /// Red, green and blue as one number.
  fileprivate var order: Int { Int(red) << 16 | Int(green) << 8 | Int(blue) }
}
