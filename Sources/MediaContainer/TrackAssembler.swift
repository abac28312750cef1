// SPDX-License-Identifier: Apache-2.0
internal import SubtitleModel

/// Joins a track's events to cues: finds each cue's end and what causes it, by ``CueEndRule/burned``.
struct TrackAssembler {
  /// A change of what is shown.
  struct Event {
    var start: Timestamp
    /// The end that the stream states.
    var streamEnd: Timestamp?
    /// Whether the stream says that it stands until the next one.
    var isOpen = false
    /// The end that the container states.
    var containerEnd: Timestamp?
    /// What is shown; nothing for a clear.
    var objects: [CueObject]
    /// The canvas at that time; nil if not known.
    var canvas: Canvas?

    fileprivate var ends: StatedEnds {
      StatedEnds(start: start, stream: streamEnd, isOpen: isOpen, container: containerEnd)
    }
  }

  private var events: [Event] = []
  private(set) var diagnostics: [String] = []
  private var unlistedDiagnostics = 0

  private static func change(_ event: Event) -> CueEndRule.Change {
    CueEndRule.Change(time: event.start, isClear: event.objects.isEmpty)
  }

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
      let (end, cause) = CueEndRule.burned.end(
        of: event.ends, next: next.map(Self.change), fileEnd: fileEnd)
      guard end > event.start else {
        note("the picture at \(event.start) is replaced at the same time and never shown")
        continue
      }
      cues.append(
        Cue(
          index: cues.count, start: event.start, end: end, endCause: cause, objects: event.objects,
          canvas: event.canvas))
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
      let lastEnd = CueEndRule.burned.stated(last.ends, next: Self.change(event))?.time
      let isContinued = lastEnd.map { $0 >= event.start } ?? true
      if event.objects == last.objects, event.canvas == last.canvas || event.objects.isEmpty,
        event.objects.isEmpty || isContinued
      {
        merged[merged.count - 1].streamEnd = event.streamEnd
        merged[merged.count - 1].isOpen = event.isOpen
        merged[merged.count - 1].containerEnd = event.containerEnd
      } else {
        merged.append(event)
      }
    }
    events = merged
  }
}
