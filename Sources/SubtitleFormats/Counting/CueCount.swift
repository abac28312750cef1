// SPDX-License-Identifier: Apache-2.0
public import SubtitleModel

/// When a cue is shown, found without decoding its picture.
public struct CountedCue: Sendable, Hashable {
  /// When it appears.
  public var start: Timestamp
  /// When it goes.
  public var end: Timestamp
  /// Whether the stream marks any of its objects as forced.
  public var isForced: Bool

  /// Makes a cue.
  public init(start: Timestamp, end: Timestamp, isForced: Bool) {
    self.start = start
    self.end = end
    self.isForced = isForced
  }
}

/// How many cues a track has, found without decoding pictures.
public struct CueCount: Sendable, Hashable {
  /// The canvas that the stream itself states, the first if it states several.
  public var canvas: Canvas?
  /// Cues: visible changes to a picture.
  public var cueCount = 0
  /// Cues with at least one object that is marked as forced.
  public var forcedCueCount = 0
  /// Cues that only change the palette of the one before, as fades do.
  public var paletteUpdateCount = 0
  /// The first cue.
  public var firstCue: CountedCue?
  /// The last cue.
  public var lastCue: CountedCue?
  /// What the headers say beyond the cues.
  public var survey = TrackSurvey()
  /// What is remarkable and no fault, one sentence without a full stop each.
  public var notes: [String] = []
  /// What could not be read, one sentence each.
  public var faults: [String] = []

  /// Makes a count of nothing.
  public init() {}
}

/// A change of what a track shows.
struct CountingEvent: Hashable {
  var start: Timestamp
  /// The end that the stream states.
  var streamEnd: Timestamp?
  /// The end that the container states.
  var containerEnd: Timestamp?
  /// Whether a picture is shown; else the screen is cleared.
  var isPicture: Bool
  var isForced = false
  var isPaletteUpdate = false
  /// Whether it shows the last event's picture in other opacities, which is one cue if no gap lies
  /// between.
  var continuesLast = false
  /// The canvas that its objects are placed in, as the stream states it.
  var canvas: Canvas?
  /// Objects shown.
  var objectCount = 0
  /// Those that are marked as forced.
  var forcedObjectCount = 0
}

extension CueCount {
  /// Counts the cues of a track's events.
  ///
  /// - Parameters:
  ///   - events: The events, in the stream's order.
  ///   - codec: The coding; cues end by its ``CueEndRule/written(_:)``.
  ///   - fileEnd: When the file ends; nil if unknown.
  ///   - filmLength: What the cues' coverage is reckoned of; nil takes the last cue's end.
  mutating func take(
    _ events: [CountingEvent], codec: SubtitleCodec, fileEnd: Timestamp?, filmLength: Timestamp?
  ) {
    var spans: [(start: Timestamp, end: Timestamp)] = []
    defer { cover(spans, filmLength: filmLength) }
    let rule = CueEndRule.written(codec)
    let order = events.indices.sorted { (events[$0].start, $0) < (events[$1].start, $1) }
    for (place, index) in order.enumerated() where events[index].isPicture {
      let event = events[index]
      let next = place + 1 < order.count ? events[order[place + 1]] : nil
      let end = rule.end(
        of: StatedEnds(
          start: event.start, stream: event.streamEnd, container: event.containerEnd),
        next: next.map { CueEndRule.Change(time: $0.start, isClear: !$0.isPicture) },
        fileEnd: fileEnd
      ).time
      guard end > event.start else { continue }
      if event.continuesLast, lastCue?.end == event.start {
        lastCue?.end = end
        if cueCount == 1 { firstCue?.end = end }
        spans[spans.count - 1].end = end
        continue
      }
      let cue = CountedCue(start: event.start, end: end, isForced: event.isForced)
      cueCount += 1
      if event.isForced { forcedCueCount += 1 }
      if event.isPaletteUpdate { paletteUpdateCount += 1 }
      if firstCue == nil { firstCue = cue }
      lastCue = cue
      spans.append((cue.start, cue.end))
      survey.add(event) { codec.customaryMatrix(for: $0) }
    }
  }

  /// Sets the coverage and notes what is remarkable about it.
  ///
  /// - Parameters:
  ///   - spans: Start and end of each cue, by rising start.
  ///   - filmLength: When the film ends, from time zero; nil if unknown.
  package mutating func cover(
    _ spans: [(start: Timestamp, end: Timestamp)], filmLength: Timestamp?
  ) {
    survey.coverage = CueCoverage(spans, filmLength: filmLength)
    if let note = survey.coverage?.note { notes.append(note) }
  }
}

extension SubtitleCodec {
  /// The matrix that our decoder takes for Y'CbCr colours on a canvas; nil for codings of RGB.
  func customaryMatrix(for canvas: Canvas) -> PaletteConversion.Matrix? {
    switch self {
    case .pgs: PaletteConversion.customary(for: canvas).matrix
    case .dvb: DVBDecoder.Options().conversion.matrix
    case .vobsub, .xsub, .teletext, .text, .unknown: nil
    }
  }
}
