// SPDX-License-Identifier: Apache-2.0
internal import HTTPTransport
internal import MediaContainer
internal import SubtitleModel
internal import Synchronization

/// The loading of one window.
struct WindowLoader {
  /// All segments of a window together; 60 s at 60 Mbit/s.
  static let byteLimit = 512 << 20
  /// Segments fetched beyond the plan at either end, where the pictures' times show that the
  /// server's segments lie beside the playlist's: a group of pictures in segments of 3 s.
  static let extraLimit = 4

  /// Segments in a row that decode as one stream.
  private struct Run {
    var first: Int
    var last: Int
    var initialization: MediaAddress?
    var parts: [[UInt8]]
  }

  private let session: HLSSession
  private let wanted: [Timestamp]
  private var result = WindowFrames()
  private var fetched: [Int: [UInt8]] = [:]
  private var leftOut: Set<Int> = []
  private var byteCount = 0

  private var segments: [MediaPlaylist.Segment] { session.playlist.segments }

  init(session: HLSSession, wanted: [Timestamp]) {
    self.session = session
    self.wanted = wanted
  }

  mutating func load(_ plan: WindowPlan) throws -> WindowFrames {
    if let starter = plan.starter, !plan.segments.contains(starter) {
      _ = try fetch(starter, purpose: "the segment to start at")
    }
    let range = try adjusted(plan.segments)
    for number in range where fetched[number] == nil { try keep(number) }
    var frames: [Int: LumaFrame] = [:]
    for run in runs(range) {
      try session.fetcher.checkCancellation()
      do {
        try decode(run, into: &frames)
      } catch let fault as MediaError {
        result.notes.append("\(Self.label(run.first, run.last)) cannot be decoded: \(fault)")
      } catch let fault as HLSFault {
        result.notes.append("\(Self.label(run.first, run.last)) left out: \(fault)")
      }
    }
    result.frames = wanted.enumerated().compactMap { index, time in
      frames[index].map { WindowFrame(wanted: time, frame: $0) }
    }
    return result
  }

  private static func label(_ first: Int, _ last: Int) -> String {
    first == last ? "segment \(first)" : "segments \(first) to \(last)"
  }

  /// Fetches one segment; nil, with a note, if it does not come.
  private mutating func fetch(_ number: Int, purpose: String) throws -> [UInt8]? {
    try session.fetcher.checkCancellation()
    let segment = segments[number]
    guard !session.fetcher.isHopeless else {
      leftOut.insert(number)
      return nil
    }
    do throws(HLSFault) {
      guard !segment.isGap else {
        throw HLSFault(.status(404), "the playlist marks it as missing")
      }
      return try fetchBytes(segment)
    } catch {
      try session.fetcher.checkCancellation()
      leftOut.insert(number)
      result.notes.append("\(purpose) \(number) left out: \(error)")
      return nil
    }
  }

  /// Narrows what the fetcher throws; cancellation is seen again by the caller's check.
  private func fetchBytes(_ segment: MediaPlaylist.Segment) throws(HLSFault) -> [UInt8] {
    do {
      return try session.fetcher.segment(segment.address) {
        Self.looksLikeMedia($0, isFragment: segment.initialization != nil)
      }
    } catch let fault as HLSFault {
      throw fault
    } catch {
      throw HLSFault(.transport(.cancelled), "\(segment.address): cancelled")
    }
  }

  private mutating func keep(_ number: Int) throws {
    guard !leftOut.contains(number) else { return }
    guard byteCount <= Self.byteLimit else {
      leftOut.insert(number)
      result.notes.append(
        "segment \(number) left out: the window has \(byteCount) bytes already, more than the "
          + "\(Self.byteLimit) allowed")
      return
    }
    guard let bytes = try fetch(number, purpose: "segment") else { return }
    byteCount += bytes.count
    fetched[number] = bytes
  }

  /// Whether the bytes begin as MPEG-TS packets or MP4 boxes do.
  static func looksLikeMedia(_ bytes: [UInt8], isFragment: Bool) -> Bool {
    guard isFragment else {
      return bytes.count >= 188 && bytes[0] == 0x47 && (bytes.count < 376 || bytes[188] == 0x47)
    }
    guard bytes.count >= 16 else { return false }
    let boxes = ["styp", "moof", "sidx", "emsg", "prft", "ftyp", "moov", "free", "skip", "mdat"]
    return boxes.contains(String(decoding: bytes[4..<8], as: UTF8.self))
  }

  /// The range, widened where the first segment's pictures show that content lies beside the
  /// playlist's times.
  private mutating func adjusted(_ range: ClosedRange<Int>) throws -> ClosedRange<Int> {
    guard let earliest = wanted.first, let latest = wanted.last else { return range }
    for number in range {
      try keep(number)
      guard fetched[number] != nil else { continue }
      guard let run = runs(number...number).first,
        let shift = try? shift(of: run)
      else { return range }
      var (first, last) = (range.lowerBound, range.upperBound)
      let lowest = max(0, first - Self.extraLimit)
      let highest = min(segments.count - 1, last + Self.extraLimit)
      while first > lowest, segments[first].start + shift > earliest { first -= 1 }
      while last < highest, segments[last].end + shift <= latest { last += 1 }
      return first...last
    }
    return range
  }

  /// How much later than the playlist says a run's first picture is.
  private func shift(of run: Run) throws -> Timestamp? {
    let reader = try open(run)
    guard let first = try reader.nextLuma()?.time, let offset = try offset(of: run, first: first)
    else { return nil }
    return first - offset - segments[run.first].start
  }

  /// The segments fetched, as stretches without a hole.
  private func runs(_ range: ClosedRange<Int>) -> [Run] {
    var runs: [Run] = []
    for number in range {
      guard let bytes = fetched[number] else { continue }
      let segment = segments[number]
      if var last = runs.popLast() {
        let continues =
          last.last == number - 1 && !segment.isDiscontinuous
          && last.initialization == segment.initialization
        if continues {
          last.last = number
          last.parts.append(bytes)
          runs.append(last)
          continue
        }
        runs.append(last)
      }
      runs.append(
        Run(first: number, last: number, initialization: segment.initialization, parts: [bytes]))
    }
    return runs
  }

  private func open(_ run: Run) throws -> VideoFrameReader {
    var parts = run.parts
    if let address = run.initialization {
      parts.insert(try session.fetcher.initialization(address), at: 0)
    }
    let label = "\(session.name), \(Self.label(run.first, run.last))"
    return try VideoFrameReader(
      source: MemoryBytes(name: label, parts: parts), timeOrigin: .absolute,
      threads: session.options.decodingThreads, cancellation: session.cancellation)
  }

  /// Finds the offset of a run, measured at segment 0 where nothing else tells it.
  private func offset(of run: Run, first: Timestamp) throws -> Timestamp? {
    let segment = segments[run.first]
    // A stretch behind a discontinuity has a clock of its own.
    let isContinuous = !segments[...run.first].contains(where: \.isDiscontinuous)
    var rule = TimelineOffset(isTransportStream: segment.initialization == nil)
    if isContinuous { rule.established = session.established.withLock { $0 } }
    if let offset = rule.offset(first: first, start: segment.start) {
      if isContinuous && rule.established == nil {
        session.established.withLock { $0 = offset }
      }
      return offset
    }
    guard isContinuous, rule.established == nil, let measured = try measuredAtStart() else {
      return nil
    }
    session.established.withLock { $0 = measured }
    rule.established = measured
    return rule.offset(first: first, start: segment.start)
  }

  /// The first presentation time of segment 0, whose film time is 0.
  private func measuredAtStart() throws -> Timestamp? {
    let segment = segments[0]
    let bytes = try fetchBytes(segment)
    let run = Run(first: 0, last: 0, initialization: segment.initialization, parts: [bytes])
    return try open(run).nextLuma()?.time
  }
}

// Decoding.
extension WindowLoader {
  /// How far a frame's time may lie behind the time wanted and still count as shown then: clocks of
  /// containers round to a millisecond.
  static let rounding = Timestamp(milliseconds: 1)
  /// No frame of a transcode is shown longer; frames further before a time wanted are passed over.
  static let longestFrame = Timestamp(milliseconds: 2000)
  /// The time of a frame where the stream does not say its rate.
  static let unknownInterval = Timestamp(milliseconds: 100)

  /// Decodes a run forward and keeps the frames on screen at the times wanted.
  private mutating func decode(_ run: Run, into frames: inout [Int: LumaFrame]) throws {
    let reader = try open(run)
    guard let first = try reader.nextLuma() else {
      result.notes.append("\(Self.label(run.first, run.last)) holds no picture")
      return
    }
    guard let offset = try offset(of: run, first: first.time) else {
      result.notes.append(
        "\(Self.label(run.first, run.last)) left out: its first picture has the time "
          + "\(first.time) where the playlist says \(segments[run.first].start), and segment 0 "
          + "does not tell the stream's offset")
      return
    }
    result.offset = offset
    let interval = Self.interval(of: reader.description.video)
    try reader.limit(
      toFramesShownAt: wanted.indices.filter { frames[$0] == nil }.map {
        wanted[$0] + offset + Self.rounding
      })
    var shown = first
    var coming = try reader.nextLuma()
    for (index, time) in wanted.enumerated() where frames[index] == nil {
      let target = time + offset + Self.rounding
      guard first.time <= target else { continue }
      while let next = coming, next.time <= target {
        shown = next
        coming = try reader.nextLuma(atOrAfter: target - Self.longestFrame)
      }
      // The last frame of a stretch is shown for its own time, not for ever.
      guard coming != nil || target < shown.time + interval + interval else { break }
      frames[index] = LumaFrame(time: shown.time - offset, luma: shown.luma)
    }
  }

  /// The time between two frames.
  private static func interval(of video: VideoDescription?) -> Timestamp {
    guard let rate = video?.frameRate, rate >= 1 else { return unknownInterval }
    return Timestamp(seconds: 1 / rate)
  }
}
