// SPDX-License-Identifier: Apache-2.0
package import SubtitleModel

/// One step of a cue whose colours change while its bitmaps stay, as in a fade.
package struct CueStep: Sendable, Hashable {
  /// When the colours change; the first step's time is the cue's start.
  package var time: Timestamp
  /// The colours of each object, in the order of the cue's objects.
  package var palettes: [Palette]

  /// Makes a step.
  package init(time: Timestamp, palettes: [Palette]) {
    self.time = time
    self.palettes = palettes
  }

  /// The largest alpha of any colour, 0 to 255: the height of the alpha curve.
  package var alpha: UInt8 {
    palettes.reduce(0) { most, palette in palette.colors.reduce(most) { max($0, $1.alpha) } }
  }
}

/// A cue with what its stream says beyond the picture.
package struct DecodedCue: Sendable, Hashable {
  /// Times and bitmaps; the colours are those of the most opaque step.
  package var cue: Cue
  /// The stream's numbers of the cue's objects, in their order.
  package var objectIDs: [Int]
  /// The canvas that the objects are placed in.
  package var canvas: Canvas?
  /// The alpha curve: one step for a cue that does not change.
  package var steps: [CueStep]
  /// Absolute offset of the structure that begins the cue.
  package var offset: Int64
}

/// The events of a track in order of time, with the end of each.
///
/// A later event of the same time replaces an earlier one. An event ends by ``CueEndRule/written(_:)``.
package struct CueTimeline: Sendable {
  /// An event with its end.
  package struct Span: Sendable, Hashable {
    /// The event.
    package var event: SubtitleEvent
    /// When it stops to be shown; not before the event's time.
    package var end: Timestamp
    /// What ends it.
    package var cause: CueEnd
  }

  /// The events that are shown for some time, in order; clears are among them.
  package private(set) var spans: [Span] = []

  /// Orders events and finds their ends.
  ///
  /// - Parameters:
  ///   - events: The events in the stream's order.
  ///   - codec: The coding.
  ///   - fileEnd: When the file ends; nil if unknown.
  package init(_ events: [SubtitleEvent], codec: SubtitleCodec, fileEnd: Timestamp?) {
    let ordered = Self.order(events)
    let rule = CueEndRule.written(codec)
    spans.reserveCapacity(ordered.count)
    for (index, event) in ordered.enumerated() {
      let next = index + 1 < ordered.count ? ordered[index + 1] : nil
      let (end, cause) = rule.end(
        of: StatedEnds(
          start: event.time, stream: event.streamEnd, container: event.containerEnd),
        next: next.map { CueEndRule.Change(time: $0.time, isClear: $0.objects.isEmpty) },
        fileEnd: fileEnd)
      if end > event.time { spans.append(Span(event: event, end: end, cause: cause)) }
    }
  }

  /// Sorts by time, dropping later steps of units that were replaced before.
  private static func order(_ events: [SubtitleEvent]) -> [SubtitleEvent] {
    sorted(lasting(events))
  }

  /// The events without later steps of units that were replaced before, in the stream's order.
  static func lasting(_ events: [SubtitleEvent]) -> [SubtitleEvent] {
    var kept: [SubtitleEvent] = []
    kept.reserveCapacity(events.count)
    for event in events {
      if !event.isContinuation {
        while let last = kept.last, last.isContinuation, last.time >= event.time {
          kept.removeLast()
        }
      }
      kept.append(event)
    }
    return kept
  }

  static func sorted(_ kept: [SubtitleEvent]) -> [SubtitleEvent] {
    let isSorted = zip(kept, kept.dropFirst()).allSatisfy { $0.time <= $1.time }
    if isSorted { return kept }
    return kept.indices.sorted { (kept[$0].time, $0) < (kept[$1].time, $1) }.map { kept[$0] }
  }

  /// What is shown at a time; nothing before the first event.
  package func objects(at time: Timestamp) -> [ShownObject] { event(at: time)?.objects ?? [] }

  /// The event that is in force at a time; nil before the first one and behind an event's end.
  package func event(at time: Timestamp) -> SubtitleEvent? {
    var low = 0
    var high = spans.count
    while low < high {
      let middle = (low + high) / 2
      if spans[middle].event.time <= time { low = middle + 1 } else { high = middle }
    }
    guard low > 0, spans[low - 1].end > time else { return nil }
    return spans[low - 1].event
  }

  /// The cues: one for each visible change; colours that only fade make one cue of several steps.
  package func cues() -> [DecodedCue] {
    var result: [DecodedCue] = []
    for span in spans where !span.event.objects.isEmpty {
      if let last = result.last, last.cue.end == span.event.time, Self.continues(last, span.event) {
        result[result.count - 1].extend(by: span)
      } else {
        result.append(DecodedCue(span, index: result.count))
      }
    }
    return result
  }

  /// Whether an event shows a cue's bitmaps at the same places, in the same or faded colours.
  private static func continues(_ cue: DecodedCue, _ event: SubtitleEvent) -> Bool {
    let old = cue.cue.objects
    guard old.count == event.objects.count, cue.canvas == event.canvas, let last = cue.steps.last
    else { return false }
    for (index, shown) in event.objects.enumerated() {
      let object = shown.object
      guard old[index].rect == object.rect, old[index].isForced == object.isForced,
        cue.objectIDs[index] == shown.id, old[index].bitmap == object.bitmap,
        isFade(from: last.palettes[index], to: object.palette)
      else { return false }
    }
    return true
  }

  /// Whether two palettes differ in alpha alone: a colour without alpha has no hue to compare.
  private static func isFade(from old: Palette, to new: Palette) -> Bool {
    if old == new { return true }
    for index in 0..<max(old.colors.count, new.colors.count) {
      let (left, right) = (old[UInt8(index)], new[UInt8(index)])
      guard left.alpha > 0, right.alpha > 0 else { continue }
      if left.red != right.red || left.green != right.green || left.blue != right.blue {
        return false
      }
    }
    return true
  }
}

extension DecodedCue {
  /// Makes a cue of one step.
  init(_ span: CueTimeline.Span, index: Int) {
    let event = span.event
    self.init(
      cue: Cue(
        index: index, start: event.time, end: span.end, endCause: span.cause,
        objects: event.objects.map(\.object), canvas: event.canvas),
      objectIDs: event.objects.map(\.id), canvas: event.canvas,
      steps: [CueStep(time: event.time, palettes: event.objects.map(\.object.palette))],
      offset: event.offset)
  }

  /// Goes on with an event that shows the same bitmaps.
  mutating func extend(by span: CueTimeline.Span) {
    cue.end = span.end
    cue.endCause = span.cause
    let step = CueStep(time: span.event.time, palettes: span.event.objects.map(\.object.palette))
    guard step.palettes != steps.last?.palettes else { return }
    let most = steps.map(\.alpha).max() ?? 0
    steps.append(step)
    if step.alpha > most {
      for index in cue.objects.indices { cue.objects[index].palette = step.palettes[index] }
    }
  }
}

extension SubtitleDecoder {
  /// Decodes a whole track.
  ///
  /// - Returns: The events, in the stream's order.
  /// - Throws: The first finding of severity error, if the log is strict.
  package mutating func events(
    of packets: some Sequence<TrackPacket>
  ) throws(StreamFinding) -> [SubtitleEvent] {
    var events: [SubtitleEvent] = []
    for packet in packets { events += try decode(packet) }
    return events + (try finish())
  }
}
