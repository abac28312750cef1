// SPDX-License-Identifier: Apache-2.0
import MediaContainer
import SubtitleFormats
import SubtitleModel

/// Tells by which known cause two decoders' pictures of a cue differ.
struct ComparisonCauses {
  private let findings: [StreamFinding]
  private let other: DecodedTrack
  private let cues: [Cue]
  private let codec: SubtitleCodec

  /// Differences of colours that are but rounding: both convert Y'CbCr in whole numbers.
  private static let rounding = 2
  /// How far from its time a cue is looked for.
  private static let reach = Timestamp(milliseconds: 60_000)

  init(cues: [Cue], findings: [StreamFinding], other: DecodedTrack, codec: SubtitleCodec) {
    self.cues = cues
    self.other = other
    self.findings = findings
    self.codec = codec
  }

  /// A cause, and whether no eye sees the difference.
  struct Cause {
    var text: String?
    var isHarmless = false
  }

  /// What libavcodec passes over, by the rule whose finding tells of it.
  private static let habits: [String: String] = [
    "vobsub.color-changes": "libavcodec passes changes of colours within a picture over",
    "pgs.window-clips": "libavcodec does not clip objects to their window",
    "pgs.palette-entry-undefined": "a colour is not defined: it is transparent here",
    "pgs.palette-undefined": "the palette is not defined",
    "pgs.object-undefined": "an object is not defined: libavcodec draws what it kept, or nothing",
    "pgs.object-incomplete": "an object is incomplete",
    "pgs.object-rows": "rows of an object are short or long: libavcodec drops the picture",
    "pgs.object-outside-canvas": "an object reaches past the canvas: FFmpeg leaves it out",
    "pgs.epoch-continue-bare": "an epoch is continued without objects",
    "pgs.end-missing": "the end of the display set is missing: libavcodec shows no picture then",
    "vobsub.rows": "rows of the picture are missing or cut",
    "vobsub.area-outside-canvas": "the area reaches past the canvas: FFmpeg leaves it out",
    "vobsub.palette-guessed": "the palette is not stated and guessed in two ways",
    "vobsub.start-and-stop": "the picture starts and stops in one sequence",
    "vobsub.index-layout": "libavcodec passes origin, scale and alignment of the index over",
    "dvb.region-unfilled": "a region is not filled: it keeps its old pixels or begins with none",
    "dvb.end-of-string": "codes of pixels have the wrong end",
    "dvb.clut-default": "the default colours of EN 300 743 are used",
    "dvb.region-outside-display": "a region reaches past the display: FFmpeg leaves it out",
    "vobsub.color-lines": "libavcodec refuses units with changes of colours within the picture",
    "dvb.non-modifying-color": "libavcodec draws the colour that is to modify nothing",
    "dvb.object-string": "an object is given as characters, which libavcodec refuses",
    "xsub.rows": "rows of the picture are missing",
    "xsub.times": "the picture ends before it begins",
  ]

  /// The cause of a difference.
  ///
  /// - Parameters:
  ///   - own: Our cue; nil where ours has none.
  ///   - another: libavcodec's; nil where it has none.
  ///   - difference: The difference of their pictures.
  ///   - canvas: libavcodec's canvas.
  ///   - time: When the unit began that ours is of, or was of.
  /// - Returns: The cause; without a text where none is known.
  func cause(
    _ own: Cue?, _ another: Cue?, _ difference: CuePictureDifference, canvas: Canvas,
    from time: Timestamp
  ) -> Cause {
    if let own, let another {
      if difference.most <= Self.rounding {
        return Cause(text: "colours are rounded differently", isHarmless: true)
      }
      if own.objects.count == 1, own.objects.map(\.rect) == another.objects.map(\.rect),
        own.objects.map(\.bitmap) == another.objects.map(\.bitmap)
      {
        return Cause(text: alphaOrColor(own, another))
      }
    }
    var texts: [String] = []
    if isLate(own, another) { texts.append(Self.microseconds) }
    if let another, another.objects.contains(where: { Self.reachesPast($0, canvas) }) {
      texts.append("an object reaches past the canvas: FFmpeg leaves it out")
    }
    if let another, Self.overlaps(another) {
      texts.append("objects overlap: FFmpeg copies the later one with its transparent pixels")
    }
    let end = own?.end ?? another?.end ?? time
    // What libavcodec shows of XSUB is late: what is the matter came before.
    let start = codec == .xsub ? Timestamp.zero : time
    for finding in findings where finding.time.map({ $0 >= start && $0 < end }) ?? false {
      guard let habit = Self.habits[finding.rule.code] else { continue }
      let text = "\(habit) [\(finding.rule.code)]"
      if !texts.contains(text) { texts.append(text) }
    }
    texts += habitsByPicture(own, another, time)
    if another == nil, let said = other.diagnostics.first(where: { $0.contains("\(time)") }) {
      texts.append("libavcodec says: \(said)")
    }
    if texts.first != Self.microseconds, let another, let moved = moved(another, from: own) {
      texts.append("the times differ: libavcodec shows our cue of \(moved.start) here")
    }
    if texts.isEmpty, let own, let another { texts += Self.shape(own, another) }
    return Cause(text: texts.isEmpty ? nil : texts.joined(separator: "; "))
  }

  /// What libavcodec passes over, by what is seen of our picture and of the track.
  private func habitsByPicture(_ own: Cue?, _ another: Cue?, _ time: Timestamp) -> [String] {
    var texts: [String] = []
    if codec == .vobsub, another == nil, let own {
      if own.objects.contains(where: { $0.bitmap.height == 1 }) {
        texts.append("libavcodec refuses pictures of one line")
      }
      let unit = findings.last { $0.rule.code == "vobsub.steps" && ($0.time ?? time) <= own.start }
      if unit != nil {
        texts.append(
          "libavcodec makes one picture of a unit, with its first contrast [vobsub.steps]")
      }
    }
    if codec == .dvb, own?.objects.contains(where: { $0.palette.colors.count > 16 }) ?? false {
      texts.append("libavcodec reads one byte too many at the end of a string of 8-bit pixels")
    }
    if own == nil || another == nil, findings.contains(where: { $0.rule.code == "pgs.time-wrap" }) {
      texts.append("libavformat does not count the clock of 32 bits on [pgs.time-wrap]")
    }
    return texts
  }

  /// Why the same cue has other times; nil where that is not known.
  func timeCause(_ own: Cue, _ another: Cue) -> String? {
    if codec == .xsub, another.start > own.start { return Self.microseconds }
    guard own.endCause == .containerDuration, another.endCause != .containerDuration else {
      return nil
    }
    return codec == .vobsub
      ? "FFmpeg heeds the stop command, not the container's duration [vobsub.duration-differs]"
      : "FFmpeg does not heed the container's duration where the stream leaves the end open"
  }

  /// FFmpeg subtracts the packet's time from that in the text, but takes its ticks for microseconds.
  private static let microseconds =
    "libavcodec takes the packet's time for microseconds: what it shows comes late by nearly the time "
    + "it is due at"

  /// Whether the other decoder has a cue's picture, only later, or nothing but that.
  private func isLate(_ own: Cue?, _ another: Cue?) -> Bool {
    guard codec == .xsub else { return false }
    if let another {
      return cues.contains { $0.start < another.start && Self.looksAlike($0, another) }
    }
    return other.cues.contains { late in
      own.map { $0.start < late.start && Self.looksAlike($0, late) } ?? false
    }
  }

  private static func looksAlike(_ one: Cue, _ another: Cue) -> Bool {
    one.objects.map(\.bitmap) == another.objects.map(\.bitmap)
  }

  /// Our cue of another time with the bitmaps of libavcodec's.
  private func moved(_ another: Cue, from own: Cue?) -> Cue? {
    let bitmaps = another.objects.map(\.bitmap)
    return cues.first {
      $0.start != own?.start
        && max($0.start, another.start) - min($0.start, another.start) < Self.reach
        && $0.objects.map(\.bitmap) == bitmaps
    }
  }

  /// What the objects' places and sizes tell.
  private static func shape(_ own: Cue, _ another: Cue) -> [String] {
    guard own.objects.count == another.objects.count else {
      return ["ours has \(own.objects.count) objects, libavcodec's \(another.objects.count)"]
    }
    for (left, right) in zip(own.objects, another.objects) where left.rect != right.rect {
      if left.bitmap == right.bitmap {
        return ["the same bitmap lies at \(left.x),\(left.y) and \(right.x),\(right.y)"]
      }
      if left.bitmap.width <= right.bitmap.width, left.bitmap.height <= right.bitmap.height {
        return [
          "an object is cropped, or its transparent rim left out, to \(left.rect.width)x"
            + "\(left.rect.height); libavcodec has \(right.rect.width)x\(right.rect.height)"
        ]
      }
    }
    return []
  }

  private func alphaOrColor(_ own: Cue, _ another: Cue) -> String {
    let left = own.objects[0].palette
    let right = another.objects[0].palette
    let hasSameAlpha = (0...255).allSatisfy {
      left[UInt8($0)].alpha == right[UInt8($0)].alpha
    }
    return hasSameAlpha
      ? "colours are converted by another matrix, or come from another palette"
      : "the palettes have other alphas"
  }

  private static func reachesPast(_ object: CueObject, _ canvas: Canvas) -> Bool {
    let whole = PixelRect(x: 0, y: 0, width: canvas.width, height: canvas.height)
    return !object.rect.isEmpty && object.rect.intersection(whole) != object.rect
  }

  private static func overlaps(_ cue: Cue) -> Bool {
    for (index, one) in cue.objects.enumerated() {
      for other in cue.objects[(index + 1)...]
      where !one.rect.intersection(other.rect).isEmpty {
        return true
      }
    }
    return false
  }
}
