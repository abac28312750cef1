// SPDX-License-Identifier: Apache-2.0
import SubtitleFormats
import SubtitleModel

/// The cues of two decoders that are yet to be compared.
struct ComparisonWindow {
  /// A cue of our own with the offset of the structure that begins it.
  struct OwnCue {
    var cue: Cue
    var offset: Int64
  }

  /// A pair of cues that are shown together for some time; nil where one shows nothing.
  struct Pair: Hashable {
    var own: Int?
    var other: Int?
  }

  /// Cues of our own that are remembered, to find one that libavcodec shows late.
  static let recentCount = 32
  /// Cues held at most while one reaches into the next without end.
  private static let limit = 512

  /// Ours, in order of start.
  var own: [OwnCue] = []
  /// Libavcodec's, in order of start.
  var other: [Cue] = []

  /// Pixels of our cues, bitmaps that share their memory counted each time.
  var pixelCount: Int {
    own.reduce(0) { sum, own in
      own.cue.objects.reduce(sum) { $0 + $1.bitmap.indices.count }
    }
  }

  /// Takes spans of our decoder; one that goes on with the same picture belongs to the cue before.
  mutating func takeOwn(_ spans: [CueTimeline.Span]) {
    for span in spans where !span.event.objects.isEmpty {
      let objects = span.event.objects.map(\.object)
      if let last = own.last, last.cue.end == span.event.time, last.cue.objects == objects,
        last.cue.canvas == span.event.canvas
      {
        own[own.count - 1].cue.end = span.end
        own[own.count - 1].cue.endCause = span.cause
        continue
      }
      own.append(
        OwnCue(
          cue: Cue(
            index: own.count, start: span.event.time, end: span.end, endCause: span.cause,
            objects: objects, canvas: span.event.canvas),
          offset: span.event.offset))
    }
  }

  /// Takes out the cues up to the last time that none of them reaches over.
  ///
  /// - Parameter settled: All cues that start before it are here; nil takes everything.
  /// - Returns: The cues; nil if there are none that can be compared yet.
  mutating func take(before settled: Timestamp?) -> ComparisonWindow? {
    guard let settled else {
      defer { self = ComparisonWindow() }
      return own.isEmpty && other.isEmpty ? nil : self
    }
    let ranges = (own.map { ($0.cue.start, $0.cue.end) } + other.map { ($0.start, $0.end) })
      .filter { $0.0 < settled }.sorted { $0 < $1 }
    guard var most = ranges.first?.1 else { return nil }
    var quiet: Timestamp?
    for (start, end) in ranges.dropFirst() {
      if start >= most { quiet = start }
      most = max(most, end)
    }
    if most < settled { quiet = settled }
    if quiet == nil, ranges.count > Self.limit { quiet = ranges.last?.0 }
    guard let quiet else { return nil }
    var ready = ComparisonWindow()
    ready.own = own.filter { $0.cue.start < quiet }
    ready.other = other.filter { $0.start < quiet }
    own.removeAll { $0.cue.start < quiet }
    other.removeAll { $0.start < quiet }
    return ready
  }

  /// Which cues are shown together, in order of time.
  func stretches(tolerance: Timestamp) -> [(pair: Pair, start: Timestamp)] {
    let times = Set(
      own.flatMap { [$0.cue.start, $0.cue.end] } + other.flatMap { [$0.start, $0.end] }
    ).sorted()
    var result: [(Pair, Timestamp)] = []
    var (left, right) = (0, 0)
    for (start, end) in zip(times, times.dropFirst()) where end - start > tolerance {
      while left < own.count, own[left].cue.end <= start { left += 1 }
      while right < other.count, other[right].end <= start { right += 1 }
      let one = left < own.count && own[left].cue.start <= start ? left : nil
      let another = right < other.count && other[right].start <= start ? right : nil
      if one != nil || another != nil { result.append((Pair(own: one, other: another), start)) }
    }
    return result
  }
}
