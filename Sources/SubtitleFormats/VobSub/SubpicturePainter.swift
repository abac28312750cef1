// SPDX-License-Identifier: Apache-2.0
import SubtitleModel

/// Carries out the commands of a unit by their dates, and draws what is visible after each.
struct SubpicturePainter {
  /// What is visible from a date on.
  struct Step: Sendable {
    var date: Int
    var objects: [ShownObject]
  }

  private let unit: SubpictureUnit
  private let index: VobSubIndex
  private let palette: [PaletteColor]?
  private let givenCanvas: Canvas?
  /// The canvas, grown to hold the area.
  private(set) var canvas: Canvas?
  /// The date of the last stop, behind which nothing is shown.
  private(set) var stop: Int?
  private(set) var findings: [(rule: FindingRule, sentence: String)] = []
  private var decoded: (key: [Int], pixels: [UInt8])?
  private var budget = PacketBudget()

  init(unit: SubpictureUnit, index: VobSubIndex, palette: [PaletteColor]?, canvas: Canvas?) {
    self.unit = unit
    self.index = index
    self.palette = palette
    givenCanvas = canvas
    self.canvas = canvas
  }

  private mutating func note(_ rule: FindingRule, _ sentence: String) {
    if !findings.contains(where: { $0.rule == rule }) { findings.append((rule, sentence)) }
  }

  /// The visible changes, by rising date; the first is always at the unit's own time.
  mutating func steps() -> [Step] {
    let schedule = SubpictureSchedule<[ShownObject]>(unit) { state in
      let objects = draw(state)
      return objects.isEmpty ? nil : objects
    }
    stop = schedule.stop
    for date in schedule.zeroLengths {
      note(
        .vobsubZeroLength,
        "one sequence starts and stops the display at date \(date); it is shown from the "
          + "unit's time to that date")
    }
    if !schedule.hasStarted { note(.vobsubNoStart, "no command starts the display") }
    if schedule.isLeftOn {
      note(.vobsubNoStop, "no command stops the display before the next unit")
    }
    let changes = schedule.changes(==)
    let pictures = changes.filter { $0.look != nil }
    if pictures.count > 1 {
      note(
        .vobsubSteps,
        "the unit changes its picture in \(pictures.count) steps, the first at date "
          + "\(pictures[0].date), the last at date \(pictures[pictures.count - 1].date)")
    }
    return changes.map { Step(date: $0.date, objects: $0.look ?? []) }
  }

  private mutating func draw(_ state: SubpictureState) -> [ShownObject] {
    guard let area = state.area else {
      note(.vobsubNoArea, "no command sets the display area")
      return []
    }
    guard !area.isEmpty else {
      note(.vobsubArea, "the display area ends before it begins")
      return []
    }
    let contrasts = state.effectiveContrasts
    if state.isBlank {
      note(.vobsubInvisible, "every contrast is zero, which shows nothing")
      return []
    }
    guard var pixels = pixels(of: area, state) else { return [] }
    var colors = (0..<4).map { color(code: $0, state.colors, contrasts) }
    if !state.changes.isEmpty {
      note(
        .vobsubColorLines, "colours or contrasts change within the picture, by lines and columns")
    }
    recolor(&pixels, &colors, area, state.changes)
    let place = index.place(of: area)
    if index.movesPictures {
      note(
        .vobsubMoved,
        "origin, scale or alignment of the index move the area of \(area.width)x\(area.height) at "
          + "\(area.x),\(area.y) to \(place.width)x\(place.height) at \(place.x),\(place.y)")
    }
    guard !place.isEmpty, place.width * place.height <= VobSubDecoder.pixelLimit else {
      note(
        .vobsubMoved,
        "the index scales the area to \(place.width)x\(place.height), which is not drawn")
      return []
    }
    let isCopied =
      !state.changes.isEmpty || place.width != area.width || place.height != area.height
    guard !isCopied || take(place) else { return [] }
    grow(to: place)
    let bitmap = IndexedBitmap(width: area.width, height: area.height, indices: pixels)
      .scaled(width: place.width, height: place.height)
    let shown = Palette(colors: colors)
    guard bitmap.isVisible(in: shown) else { return [] }
    return [
      ShownObject(
        id: 0,
        object: CueObject(
          x: place.x, y: place.y, bitmap: bitmap, palette: shown, isForced: state.isForced))
    ]
  }

  private mutating func grow(to place: PixelRect) {
    guard let given = givenCanvas else { return }
    let (right, bottom) = (place.x + place.width, place.y + place.height)
    guard right > given.width || bottom > given.height else { return }
    canvas = Canvas(width: max(right, given.width), height: max(bottom, given.height))
    note(
      .vobsubOutside,
      "the area of \(place.width)x\(place.height) at \(place.x),\(place.y) leaves the canvas of "
        + "\(given), which is grown")
  }

  /// Takes the pixels of a picture that is not made of an earlier one's memory.
  private mutating func take(_ rect: PixelRect) -> Bool {
    if budget.take(pixels: rect.width * rect.height) { return true }
    note(
      .vobsubLimit,
      "the pictures of the unit pass \(DecoderLimits.pixelsPerPacket) pixels, the rest is left out")
    return false
  }

  /// The area's pixel codes, decoded once for as long as area and addresses stay.
  private mutating func pixels(of area: PixelRect, _ state: SubpictureState) -> [UInt8]? {
    let addresses = state.addresses ?? (4, 4)
    let key = [area.width, area.height, addresses.top, addresses.bottom]
    if let decoded, decoded.key == key { return decoded.pixels }
    guard take(area) else { return nil }
    var pixels = [UInt8](repeating: 0, count: area.width * area.height)
    var missing = 0
    for (first, address) in [(0, addresses.top), (1, addresses.bottom)] where first < area.height {
      guard let data = unit.data(at: address) else {
        missing += (area.height - first + 1) / 2
        continue
      }
      missing +=
        SubpictureRunLength.decode(
          data, first: first, width: area.width, height: area.height, into: &pixels
        ).missing
    }
    if missing > 0 { note(.vobsubRows, "the pixel data end before the last \(missing) lines") }
    decoded = (key, pixels)
    return pixels
  }

  /// The colour of a pixel code.
  private mutating func color(
    code: Int, _ colors: PixelCodes, _ contrasts: PixelCodes
  ) -> PaletteColor {
    var color: PaletteColor
    var alpha = Int(contrasts.values[code]) * 17
    if let custom = index.customColors, custom.isOn {
      color = custom.colors[code]
      alpha = custom.transparent[code] ? 0 : 255
    } else if let palette, Int(colors.values[code]) < palette.count {
      color = palette[Int(colors.values[code])]
    } else {
      note(.vobsubNoPalette, "there is no palette, so greys are guessed from the contrasts")
      color = Self.guess(code, colors, contrasts)
    }
    color.alpha = UInt8((alpha * index.alpha + 50) / 100)
    return color
  }

  /// Greys by rank among the visible colours: the last is white, an only one too.
  ///
  /// Codes of one colour get one grey; outlines come before fills on most discs.
  private static func guess(
    _ code: Int, _ colors: PixelCodes, _ contrasts: PixelCodes
  ) -> PaletteColor {
    var ranks: [UInt8] = []
    for other in 0..<4 where contrasts.values[other] > 0 && !ranks.contains(colors.values[other]) {
      ranks.append(colors.values[other])
    }
    let rank = ranks.firstIndex(of: colors.values[code]) ?? 0
    let level = ranks.count > 1 ? UInt8(255 * rank / (ranks.count - 1)) : 255
    return PaletteColor(red: level, green: level, blue: level, alpha: 255)
  }

  /// Applies the colours that change within the picture: each set of four gets indices of its own.
  private mutating func recolor(
    _ pixels: inout [UInt8], _ colors: inout [PaletteColor], _ area: PixelRect,
    _ changes: [LineControl]
  ) {
    var bases: [[PaletteColor]: Int] = [colors: 0]
    for control in changes {
      let first = max(control.firstLine, area.y)
      let last = min(control.lastLine, area.y + area.height - 1)
      guard first <= last else { continue }
      for (order, change) in control.changes.enumerated() {
        let set = (0..<4).map { color(code: $0, change.colors, change.contrasts) }
        let next = order + 1 < control.changes.count ? control.changes[order + 1].column : .max
        let left = max(change.column, area.x)
        let right = min(next, area.x + area.width)
        guard left < right else { continue }
        if bases[set] == nil {
          guard colors.count + 4 <= 256 else {
            note(.vobsubChanges, "more than 64 sets of colours in one picture; the rest is left")
            return
          }
          bases[set] = colors.count
          colors += set
        }
        guard let base = bases[set] else { continue }
        for line in first...last {
          let start = (line - area.y) * area.width - area.x
          for place in (start + left)..<(start + right) {
            pixels[place] = pixels[place] & 3 | UInt8(base)
          }
        }
      }
    }
  }
}
