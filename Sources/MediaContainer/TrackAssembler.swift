// SPDX-License-Identifier: Apache-2.0
internal import SubtitleModel

/// Joins a track's events to cues: finds each cue's end and what causes it.
struct TrackAssembler {
  /// A change of what is shown.
  struct Event {
    var start: Timestamp
    /// The end that the stream states.
    var streamEnd: Timestamp?
    /// The end that the container states.
    var containerEnd: Timestamp?
    /// What is shown; nothing for a clear.
    var objects: [CueObject]
  }

  /// How long a cue that nothing ends is shown where the length of the file is unknown.
  static let openEnd = Timestamp(milliseconds: 10_000)

  private let codec: SubtitleCodec
  private var events: [Event] = []
  private(set) var diagnostics: [String] = []
  private var unlistedDiagnostics = 0

  init(codec: SubtitleCodec) { self.codec = codec }

  /// The number of events so far.
  var eventCount: Int { events.count }

  mutating func append(_ event: Event) { events.append(event) }

  mutating func note(_ diagnostic: String) {
    if diagnostics.count < DecodingLimits.diagnosticsPerTrack {
      diagnostics.append(diagnostic)
    } else {
      unlistedDiagnostics += 1
    }
  }

  /// Finds the cues.
  ///
  /// - Parameter fileEnd: When the file ends, on the cues' timeline; nil where unknown.
  /// - Returns: The cues, in order of start.
  mutating func cues(fileEnd: Timestamp?) -> [Cue] {
    sortEvents()
    mergeRepeats()
    var cues: [Cue] = []
    for (index, event) in events.enumerated() where !event.objects.isEmpty {
      let next = index + 1 < events.count ? events[index + 1] : nil
      let (end, cause) = self.end(of: event, next: next, fileEnd: fileEnd)
      guard end > event.start else {
        note("the picture at \(event.start) is replaced at the same time and never shown")
        continue
      }
      cues.append(
        Cue(
          index: cues.count, start: event.start, end: end, endCause: cause, objects: event.objects))
    }
    if unlistedDiagnostics > 0 {
      diagnostics.append("\(unlistedDiagnostics) further faults are not listed")
    }
    return cues
  }

  /// The cues that are settled once no event comes before a time; they are forgotten.
  ///
  /// - Parameter horizon: The time that all later events have at least.
  /// - Returns: The cues in order of start, and the time before which all were handed over.
  mutating func takeCues(before horizon: Timestamp) -> (cues: [Cue], settled: Timestamp) {
    sortEvents()
    mergeRepeats()
    let count = events.firstIndex { $0.start >= horizon } ?? events.count
    // The last one may yet be replaced.
    guard count > 0 else { return ([], horizon) }
    let rest = Array(events[(count - 1)...])
    let cut = rest[0].start
    events.removeSubrange(count...)
    let settled = cues(fileEnd: nil).filter { $0.start < cut }
    events = rest
    return (settled, cut)
  }

  private mutating func sortEvents() {
    let isSorted = zip(events, events.dropFirst()).allSatisfy { $0.start <= $1.start }
    guard !isSorted else { return }
    note("times run backwards; the events were put in order of their times")
    let sorted = events.enumerated().sorted {
      ($0.element.start, $0.offset) < ($1.element.start, $1.offset)
    }
    events = sorted.map(\.element)
  }

  /// Drops events that change nothing: the same picture again while it is shown, clears of nothing.
  private mutating func mergeRepeats() {
    var merged: [Event] = []
    for event in events {
      guard let last = merged.last else {
        merged.append(event)
        continue
      }
      let lastEnd = minimum(last.streamEnd, effectiveContainerEnd(last, next: event))
      let isContinued = lastEnd.map { $0 >= event.start } ?? true
      if event.objects == last.objects, event.objects.isEmpty || isContinued {
        merged[merged.count - 1].streamEnd = event.streamEnd
        merged[merged.count - 1].containerEnd = event.containerEnd
      } else {
        merged.append(event)
      }
    }
    events = merged
  }

  /// The container's end where it counts.
  ///
  /// A DVD sub-picture's own stop command is what players obey, so the container's duration only
  /// stands in for a missing one. In the other formats a clear that follows says more exactly what
  /// the duration says.
  private func effectiveContainerEnd(_ event: Event, next: Event?) -> Timestamp? {
    guard let end = event.containerEnd, end > event.start else { return nil }
    switch codec {
    case .vobsub, .xsub: return event.streamEnd == nil ? end : nil
    default: return next.map { $0.objects.isEmpty } == true ? nil : end
    }
  }

  private func minimum(_ left: Timestamp?, _ right: Timestamp?) -> Timestamp? {
    guard let left else { return right }
    return right.map { min(left, $0) } ?? left
  }

  private func end(
    of event: Event, next: Event?, fileEnd: Timestamp?
  ) -> (Timestamp, CueEnd) {
    var best: (Timestamp, CueEnd)?
    func consider(_ time: Timestamp?, _ cause: CueEnd) {
      guard let time else { return }
      if let found = best, found.0 <= time { return }
      best = (time, cause)
    }
    if let next { consider(next.start, next.objects.isEmpty ? .clear : .nextCue) }
    if let stop = event.streamEnd, stop > event.start { consider(stop, .streamDuration) }
    consider(effectiveContainerEnd(event, next: next), .containerDuration)
    if let best { return best }
    if let fileEnd, fileEnd > event.start { return (fileEnd, .endOfFile) }
    return (event.start + Self.openEnd, .endOfFile)
  }
}
