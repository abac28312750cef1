// SPDX-License-Identifier: Apache-2.0
import Compositing
import MediaContainer
import SubtitleFormats
import SubtitleModel

/// Compares what our own decoder and libavcodec show of one track, over its whole time.
///
/// Both are decoded side by side, and cues are forgotten once compared: what is held at a time are the
/// pictures of some minutes.
final class LintComparison {
  /// The differences.
  private(set) var findings: [TrackFinding] = []
  /// What our own decoder found.
  private(set) var log = FindingLog()
  /// Pictures that both or one of them shows.
  private(set) var pictureCount = 0
  /// Pictures that are the same in every pixel.
  private(set) var sameCount = 0
  /// Pictures whose colours differ by no more than rounding.
  private(set) var roundedCount = 0
  private let track: NativeTrack
  private let video: VideoDescription?
  private let cancellation: CancellationFlag?
  private let lag: Timestamp?
  private let progress: (Double) -> Void
  private var decoder: any SubtitleDecoder
  private var spans: SpanStream
  private var next = 0
  private var latest: Timestamp?
  private var ownSettled: Timestamp?
  private var window = ComparisonWindow()
  private var recent: [Cue] = []
  private var notes: [StreamFinding] = []
  private var diagnostics: [String] = []
  private var libraryCanvas: Canvas?
  private var canvas = Canvas(width: 720, height: 576)
  private var otherCanvas = Canvas(width: 720, height: 576)
  /// Canvases that differ, each two once.
  private var canvasPairs: [(own: Canvas, other: Canvas, time: Timestamp)] = []
  /// How many of them are told.
  private static let canvasPairLimit = 50

  /// How far times may lie apart without a word: containers round to milliseconds.
  private static let tolerance = Timestamp(milliseconds: 2)
  /// How far packets may run back in time before the whole track is held.
  private static let longestLag = Timestamp(milliseconds: 60_000)

  /// Makes a comparison of a track.
  ///
  /// - Throws: `MediaError` of kind `.notBitmap`.
  init(
    _ track: NativeTrack, video: VideoDescription?, _ cancellation: CancellationFlag?,
    progress: @escaping (Double) -> Void
  ) throws {
    self.track = track
    self.video = video
    self.cancellation = cancellation
    self.progress = progress
    decoder = try track.decoder()
    spans = SpanStream(codec: track.description.codec)
    lag = Self.lag(of: track)
  }

  /// By how much times may run back; nil if it is much, or texts in the packets state the times.
  private static func lag(of track: NativeTrack) -> Timestamp? {
    guard track.description.codec != .xsub else { return nil }
    var (latest, most) = (Timestamp?.none, Timestamp.zero)
    for time in track.packets.lazy.compactMap(\.time) {
      if let latest { most = max(most, latest - time) }
      latest = max(latest ?? time, time)
    }
    return most <= longestLag ? longestLag + longestLag : nil
  }

  /// Compares all pictures.
  ///
  /// - Parameter reader: The file, opened by libavformat.
  /// - Throws: `MediaError` of kind `.tooLarge` for a canvas that cannot be drawn, or as the reader;
  ///   `CancellationError`.
  func run(_ reader: MediaReader) throws {
    try reader.decodeTrackInParts(track.description.streamIndex, lag: lag) { part in
      if cancellation?.isCancelled == true { throw CancellationError() }
      window.other += part.cues
      diagnostics = part.diagnostics
      libraryCanvas = part.canvas
      try decode(past: part.settled)
      let settled = [ownSettled, part.settled].compactMap { $0 }.min()
      guard let ready = window.take(before: settled) else { return }
      try compare(ready)
    }
    for (own, other, time) in canvasPairs {
      add(
        "compare.canvas", .warning, at: time, "the canvas is \(own), by libavcodec \(other)", nil)
    }
  }

  /// Decodes by our own decoder until all is settled before a time; nil decodes the rest.
  private func decode(past time: Timestamp?) throws {
    var pixels = spans.pixelCount + window.pixelCount
    while next < track.packets.count {
      if let time, let lag, let latest, latest >= time + lag { break }
      if cancellation?.isCancelled == true { throw CancellationError() }
      if next & 63 == 0 { progress(Double(next) / Double(track.packets.count)) }
      let packet = track.packets[next]
      let events = try decoder.decode(packet)
      pixels += events.reduce(0) { sum, event in
        event.objects.reduce(sum) { $0 + $1.object.bitmap.indices.count }
      }
      try checkHeld(pixels, spans.eventCount + window.own.count + events.count, packet.offset)
      spans.append(events)
      if let time = packet.time { latest = max(latest ?? time, time) }
      next += 1
    }
    let isWhole = next == track.packets.count && time == nil
    if isWhole { spans.append(try decoder.finish()) }
    notes += decoder.log.findings
    log.absorb(decoder.log)
    decoder.log = FindingLog(decoder.log.strictness)
    if isWhole {
      window.takeOwn(spans.finish(fileEnd: track.end))
      ownSettled = nil
    } else if let latest {
      let (settled, time) = spans.takeSpans(before: latest - (lag ?? .zero))
      window.takeOwn(settled)
      ownSettled = time
    }
  }

  /// Refuses a track that makes too much wait for being compared.
  private func checkHeld(_ pixels: Int, _ events: Int, _ offset: Int64) throws {
    guard pixels > NativeLimits.pixelsPerTrack || events > NativeLimits.eventsPerTrack else {
      return
    }
    throw MediaError(
      .tooLarge,
      "\(track.packetFile): stream \(track.description.streamIndex) has up to byte "
        + "\(track.places.place(of: offset).offset ?? 0) more than \(NativeLimits.eventsPerTrack) "
        + "events or \(NativeLimits.pixelsPerTrack) pixels to be compared at once")
  }

  /// Compares the cues of a window, none of which reaches out of it.
  private func compare(_ ready: ComparisonWindow) throws {
    let cues = ready.own.map(\.cue)
    let own = DecodedTrack(
      description: track.description, canvas: decoder.canvas ?? track.description.canvas,
      cues: cues)
    let other = DecodedTrack(
      description: track.description, canvas: libraryCanvas, cues: ready.other,
      diagnostics: diagnostics)
    canvas = own.canvas(fallingBackTo: video)
    otherCanvas = other.canvas(fallingBackTo: video)
    let causes = ComparisonCauses(
      cues: recent + cues, findings: track.findings + notes, other: other,
      codec: track.description.codec)
    let stretches = ready.stretches(tolerance: Self.tolerance)
    var partners: (own: [Int: Set<Int>], other: [Int: Set<Int>]) = ([:], [:])
    for (pair, _) in stretches {
      guard let own = pair.own, let other = pair.other else { continue }
      partners.own[own, default: []].insert(other)
      partners.other[other, default: []].insert(own)
    }
    var seen: Set<ComparisonWindow.Pair> = []
    for (pair, time) in stretches where seen.insert(pair).inserted {
      if cancellation?.isCancelled == true { throw CancellationError() }
      let ownPartners = pair.own.flatMap { partners.own[$0] } ?? []
      let otherPartners = pair.other.flatMap { partners.other[$0] } ?? []
      offset = ready.own.last { $0.cue.start <= time }?.offset ?? offset
      if let own = pair.own, let other = pair.other {
        if ownPartners.count == 1, otherPartners.count == 1 {
          compareTimes(cues[own], ready.other[other], causes)
        }
      } else if !ownPartners.isEmpty || !otherPartners.isEmpty {
        // A cue that both have, at a time that one does not show it.
        continue
      }
      try compare(
        pair.own.map { cues[$0] }, pair.other.map { ready.other[$0] }, at: time,
        from: cues.last { $0.start <= time }?.start, causes)
    }
    recent = Array((recent + cues).suffix(ComparisonWindow.recentCount))
    let start = recent.first?.start
    notes.removeAll { note in note.time.map { time in start.map { time < $0 } ?? false } ?? false }
  }

  /// The offset of our last cue.
  private var offset: Int64?

  private func compareTimes(_ own: Cue, _ another: Cue, _ causes: ComparisonCauses) {
    let distance = { (left: Timestamp, right: Timestamp) in max(left, right) - min(left, right) }
    guard
      max(distance(own.start, another.start), distance(own.end, another.end)) > Self.tolerance
    else { return }
    add(
      "compare.time", .note, at: own.start,
      "the cue is shown from \(own.start) to \(own.end), ended by \(own.endCause.words), with "
        + "libavcodec from \(another.start) to \(another.end), ended by \(another.endCause.words)"
        + (causes.timeCause(own, another).map { "; \($0)" } ?? ""), nil)
  }

  private func compare(
    _ own: Cue?, _ another: Cue?, at time: Timestamp, from before: Timestamp?,
    _ causes: ComparisonCauses
  ) throws {
    pictureCount += 1
    let canvas = own?.canvas ?? canvas
    let otherCanvas = another?.canvas ?? otherCanvas
    noteCanvases(canvas, otherCanvas, at: time)
    if own?.objects == another?.objects, canvas == otherCanvas {
      let isWhole = own?.objectsLeftOut(on: canvas).isEmpty ?? true
      if own?.objects.count == 1, isWhole {
        sameCount += 1
        return
      }
    }
    let area = Canvas(
      width: max(canvas.width, otherCanvas.width), height: max(canvas.height, otherCanvas.height))
    let left = try picture(own, on: area, habit: .authored, cut: canvas)
    let right = try picture(another, on: area, habit: .server, cut: otherCanvas)
    guard var difference = PictureDifference.between(left, right) else {
      sameCount += 1
      return
    }
    let cause = causes.cause(
      own, another, difference, canvas: otherCanvas, from: own?.start ?? before ?? time)
    difference.cause = cause.text
    if cause.isHarmless {
      roundedCount += 1
      // One case tells all.
      guard roundedCount == 1 else { return }
    }
    let what =
      own == nil
      ? "libavcodec shows a picture where ours has none"
      : another == nil
        ? "libavcodec shows nothing" : "\(difference.pixels) pixels differ from libavcodec's"
    let box = difference.box
    let place = "in \(box.width)x\(box.height) at \(box.x),\(box.y)"
    add(
      cause.isHarmless
        ? "compare.rounding"
        : own == nil ? "compare.extra" : another == nil ? "compare.missing" : "compare.picture",
      cause.isHarmless ? .note : .warning, at: time,
      "\(what) \(place), by up to \(difference.most) of 255; "
        + (cause.text ?? "the cause is not known"), difference)
  }

  /// Notes canvases that differ, once for each two of them.
  private func noteCanvases(_ own: Canvas, _ other: Canvas, at time: Timestamp) {
    guard own != other, canvasPairs.count < Self.canvasPairLimit,
      !canvasPairs.contains(where: { $0.own == own && $0.other == other })
    else { return }
    canvasPairs.append((own, other, time))
  }

  private func picture(
    _ cue: Cue?, on area: Canvas, habit: DrawingHabit, cut: Canvas
  ) throws -> RGBABitmap {
    var cue = cue ?? Cue(index: 0, start: .zero, end: .zero, endCause: .clear, objects: [])
    if habit == .server {
      let leftOut = Set(cue.objectsLeftOut(on: cut))
      cue.objects = cue.objects.enumerated().filter { !leftOut.contains($0.offset) }.map(\.element)
    }
    do {
      return try cue.picture(on: area, habit: habit)
    } catch {
      throw MediaError(
        .tooLarge,
        "\(track.name): stream \(track.description.streamIndex) cannot be compared: \(error)")
    }
  }

  private func add(
    _ code: String, _ severity: TrackFindingSeverity, at time: Timestamp?, _ sentence: String,
    _ difference: CuePictureDifference?
  ) {
    let place = time == nil ? nil : offset.map { track.places.place(of: $0) }
    findings.append(
      TrackFinding(
        severity: severity, code: code, source: "libavcodec", time: time, file: track.packetFile,
        offset: place?.offset, offsetInPacket: place?.inPacket, sentence: sentence,
        difference: difference))
  }
}

extension CueEnd {
  /// The end in words.
  fileprivate var words: String {
    switch self {
    case .nextCue: "the next cue"
    case .clear: "a clear"
    case .containerDuration: "the container's duration"
    case .streamDuration: "the stream's own duration"
    case .endOfFile: "the file's end"
    }
  }
}
