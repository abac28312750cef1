// SPDX-License-Identifier: Apache-2.0
package import SubtitleModel

/// Finds what a track shows at a time without decoding it from its start.
///
/// The result is that of linear decoding for every time. Decoding begins at the last packet that
/// forgets all before it, or at an acquisition point; an acquisition point counts only if nothing
/// decoded from it on referred to something from before.
package struct RandomAccess {
  /// A packet as the index knows it.
  package struct Entry: Sendable, Hashable {
    /// When it is shown; nil for a packet that goes with the one before.
    package var time: Timestamp?
    /// Whether decoding may begin there.
    package var entryPoint: EntryPoint

    /// Makes an entry.
    package init(time: Timestamp?, entryPoint: EntryPoint) {
      self.time = time
      self.entryPoint = entryPoint
    }
  }

  private let entries: [Entry]
  /// The latest time of all packets up to each.
  private let latest: [Timestamp?]
  private let codec: SubtitleCodec
  private let fileEnd: Timestamp?
  private let decoder: any SubtitleDecoder
  private let read: (Int) throws -> TrackPacket

  /// What is shown at a time.
  package struct Picture: Sendable, Hashable {
    /// The objects, in drawing order.
    package var objects: [ShownObject]
    /// The canvas that they are placed in.
    package var canvas: Canvas?
    /// How many packets were decoded for it.
    package var packetsDecoded: Int
    /// How many events were held at once at most.
    package var eventsHeld: Int
  }

  /// Makes an index.
  ///
  /// - Parameters:
  ///   - entries: All packets, in the stream's order.
  ///   - codec: The coding.
  ///   - decoder: A fresh decoder with the options wanted.
  ///   - fileEnd: When the file ends; nil if unknown.
  ///   - read: Reads a packet by its place among the entries.
  package init(
    entries: [Entry], codec: SubtitleCodec, decoder: any SubtitleDecoder, fileEnd: Timestamp?,
    read: @escaping (Int) throws -> TrackPacket
  ) {
    self.entries = entries
    self.codec = codec
    self.decoder = decoder
    self.fileEnd = fileEnd
    self.read = read
    var high: Timestamp?
    latest = entries.map { entry in
      if let time = entry.time { high = max(high ?? time, time) }
      return high
    }
  }

  /// Makes an index of packets that are at hand.
  package init(
    packets: [TrackPacket], codec: SubtitleCodec, decoder: any SubtitleDecoder,
    fileEnd: Timestamp?
  ) {
    self.init(
      entries: packets.map { Entry(time: $0.time, entryPoint: decoder.entryPoint(of: $0)) },
      codec: codec, decoder: decoder, fileEnd: fileEnd, read: { packets[$0] })
  }

  /// What is shown at a time.
  ///
  /// - Throws: What `read` throws, or the first finding of severity error of a strict decoder.
  package func picture(at time: Timestamp) throws -> Picture {
    if codec == .xsub {
      // The times are in the packets' texts, and may be far from the container's: all are read.
      let attempt = try decode(from: 0, through: entries.count - 1, time: time)
      return picture(attempt, time, attempt.count)
    }
    let last = entries.lastIndex { $0.time.map { $0 <= time } ?? false } ?? -1
    var decoded = 0
    var start = last
    while start > 0 {
      if isCandidate(start, at: time) {
        let attempt = try decode(from: start, through: last, time: time)
        decoded += attempt.count
        let isCertain =
          entries[start].entryPoint == .reset || attempt.decoder.isSelfContained
        if isCertain, attempt.firstTime.map({ $0 <= time }) ?? false {
          return picture(attempt, time, decoded)
        }
      }
      start -= 1
    }
    let attempt = try decode(from: 0, through: last, time: time)
    return picture(attempt, time, decoded + attempt.count)
  }

  private struct Attempt {
    var decoder: any SubtitleDecoder
    /// Of the units before the last: what is in force, and what is next.
    var settled: [SubtitleEvent] = []
    /// The last unit and its later steps.
    var recent: [SubtitleEvent] = []
    var count = 0
    /// When the first event takes effect.
    var firstTime: Timestamp?
    /// The canvas of the last event by the time asked for.
    var canvas: Canvas?
    /// How many events were held at once at most.
    var mostEvents = 0

    /// Takes events and forgets those that do not bear on the time asked for.
    ///
    /// Of what came before the last unit two events are enough: the one in force, and the next. The last
    /// unit's later steps may yet be void.
    mutating func take(_ new: [SubtitleEvent], at time: Timestamp) {
      guard !new.isEmpty else { return }
      if firstTime == nil { firstTime = new[0].time }
      if let last = new.last(where: { $0.time <= time }) { canvas = last.canvas }
      recent = CueTimeline.lasting(recent + new)
      mostEvents = max(mostEvents, settled.count + recent.count)
      guard let unit = recent.lastIndex(where: { !$0.isContinuation }), unit > 0 else { return }
      var shown: SubtitleEvent?
      var following: SubtitleEvent?
      for event in settled + recent[..<unit] {
        if event.time <= time {
          if shown.map({ event.time >= $0.time }) ?? true { shown = event }
        } else if following.map({ event.time < $0.time }) ?? true {
          following = event
        }
      }
      settled = [shown, following].compactMap { event in
        var event = event
        event?.isContinuation = false
        return event
      }
      recent.removeFirst(unit)
    }

    /// All that is held.
    var events: [SubtitleEvent] { settled + recent }
  }

  private func picture(_ attempt: Attempt, _ time: Timestamp, _ count: Int) -> Picture {
    let timeline = CueTimeline(attempt.events, codec: codec, fileEnd: fileEnd)
    let event = timeline.event(at: time)
    return Picture(
      objects: event?.objects ?? [], canvas: event?.canvas ?? attempt.canvas, packetsDecoded: count,
      eventsHeld: attempt.mostEvents)
  }

  /// Whether decoding may begin at a packet: nothing before it may be later than it.
  private func isCandidate(_ index: Int, at asked: Timestamp) -> Bool {
    guard entries[index].entryPoint != .none, let time = entries[index].time, time <= asked else {
      return false
    }
    return latest[index - 1].map { $0 <= time } ?? true
  }

  /// Decodes up to the packets of a time, and on to the next event, which may be the end.
  private func decode(from start: Int, through last: Int, time: Timestamp) throws -> Attempt {
    var attempt = Attempt(decoder: decoder)
    attempt.decoder.reset()
    var bound = last
    var index = start
    var isSettled = false
    while index < entries.count, index <= bound || !isSettled {
      attempt.take(try attempt.decoder.decode(try read(index)), at: time)
      attempt.count += 1
      index += 1
      guard index > bound, !isSettled,
        let next = attempt.events.filter({ $0.time > time && !$0.isContinuation }).map(\.time).min()
      else { continue }
      // Packets further on may still come before that event.
      isSettled = true
      bound = max(bound, entries.lastIndex { $0.time.map { $0 <= next } ?? false } ?? bound)
    }
    attempt.take(try attempt.decoder.finish(), at: time)
    return attempt
  }
}
