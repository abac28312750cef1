// SPDX-License-Identifier: Apache-2.0
package import SubtitleModel

/// Finds the ends of a track's events while decoding goes on, holding only those that are not settled.
///
/// All spans together are those of a ``CueTimeline`` of the whole track, if no event comes before a time
/// that was given as settled.
package struct SpanStream: Sendable {
  private let codec: SubtitleCodec
  private var events: [SubtitleEvent] = []

  /// Makes a stream without events.
  package init(codec: SubtitleCodec) { self.codec = codec }

  /// How many events are held.
  package var eventCount: Int { events.count }

  /// Pixels of the events held, bitmaps that share their memory counted each time.
  package var pixelCount: Int {
    events.reduce(0) { sum, event in
      event.objects.reduce(sum) { $0 + $1.object.bitmap.indices.count }
    }
  }

  /// Takes events, in the stream's order.
  package mutating func append(_ new: [SubtitleEvent]) { events += new }

  /// The spans that are settled once no event comes before a time; they are forgotten.
  ///
  /// - Parameter horizon: The time that all later events have at least.
  /// - Returns: The spans in order of time, and the time before which all were handed over.
  package mutating func takeSpans(
    before horizon: Timestamp
  ) -> (spans: [CueTimeline.Span], settled: Timestamp) {
    events = CueTimeline.lasting(events)
    let ordered = CueTimeline.sorted(events)
    let count = ordered.firstIndex { $0.time >= horizon } ?? ordered.count
    // The last one may yet be replaced.
    guard count > 0 else { return ([], horizon) }
    let cut = ordered[count - 1].time
    let spans = CueTimeline(Array(ordered[..<count]), codec: codec, fileEnd: nil).spans
    events.removeAll { $0.time < cut }
    return (spans.filter { $0.event.time < cut }, cut)
  }

  /// The spans of all other events.
  ///
  /// - Parameter fileEnd: When the file ends; nil if unknown.
  /// - Returns: The spans, in order of time.
  package mutating func finish(fileEnd: Timestamp?) -> [CueTimeline.Span] {
    defer { events = [] }
    return CueTimeline(events, codec: codec, fileEnd: fileEnd).spans
  }
}
