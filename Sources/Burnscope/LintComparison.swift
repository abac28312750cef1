// SPDX-License-Identifier: Apache-2.0
import Compositing
import MediaContainer
import SubtitleFormats
import SubtitleModel

/// Compares what our own decoder and libavcodec show of one track, over its whole time.
struct LintComparison {
  /// The track by our own decoder.
  let decoding: NativeTrack.Decoding
  /// The differences.
  private(set) var findings: [TrackFinding] = []
  /// Pictures that both or one of them shows.
  private(set) var pictureCount = 0
  /// Pictures that are the same in every pixel.
  private(set) var sameCount = 0
  /// Pictures whose colours differ by no more than rounding.
  private(set) var roundedCount = 0
  private let track: NativeTrack
  private let other: DecodedTrack
  private let cues: [Cue]
  private let canvas: Canvas
  private let otherCanvas: Canvas
  private let causes: ComparisonCauses
  private let cancellation: CancellationFlag?

  /// How far times may lie apart without a word: containers round to milliseconds.
  private static let tolerance = Timestamp(milliseconds: 2)

  /// Decodes a track and takes libavcodec's version of it.
  ///
  /// - Throws: `MediaError`; `CancellationError`.
  init(
    _ track: NativeTrack, _ other: DecodedTrack?, video: VideoDescription?,
    _ cancellation: CancellationFlag?
  ) throws {
    guard let other else {
      throw MediaError(
        .unsupported,
        "\(track.name): stream \(track.description.streamIndex) is not decoded by libavcodec")
    }
    self.track = track
    self.other = other
    self.cancellation = cancellation
    decoding = try track.decoded(cancellation: cancellation)
    cues = decoding.cues.flatMap(\.separated)
    let own = DecodedTrack(
      description: track.description, canvas: decoding.canvas, cues: cues)
    canvas = own.canvas(fallingBackTo: video)
    otherCanvas = other.canvas(fallingBackTo: video)
    causes = ComparisonCauses(cues: cues, log: decoding.log, other: other)
  }

  /// A pair of cues that are shown together for some time; nil where one shows nothing.
  private struct Pair: Hashable {
    var own: Int?
    var other: Int?
  }

  /// Compares all pictures.
  ///
  /// - Throws: `MediaError` of kind `.tooLarge` for a canvas that cannot be drawn;
  ///   `CancellationError`.
  mutating func run(progress: (Double) -> Void) throws {
    let stretches = stretches()
    var partners: (own: [Int: Set<Int>], other: [Int: Set<Int>]) = ([:], [:])
    for (pair, _) in stretches {
      guard let own = pair.own, let other = pair.other else { continue }
      partners.own[own, default: []].insert(other)
      partners.other[other, default: []].insert(own)
    }
    var seen: Set<Pair> = []
    for (index, (pair, time)) in stretches.enumerated() {
      if cancellation?.isCancelled == true { throw CancellationError() }
      if index & 7 == 0 { progress(Double(index) / Double(stretches.count)) }
      guard seen.insert(pair).inserted else { continue }
      let ownPartners = pair.own.flatMap { partners.own[$0] } ?? []
      let otherPartners = pair.other.flatMap { partners.other[$0] } ?? []
      if let own = pair.own, let other = pair.other {
        if ownPartners.count == 1, otherPartners.count == 1 {
          compareTimes(cues[own], self.other.cues[other])
        }
      } else if !ownPartners.isEmpty || !otherPartners.isEmpty {
        // A cue that both have, at a time that one does not show it.
        continue
      }
      try compare(pair, at: time)
    }
    if canvas != otherCanvas {
      add(
        "compare.canvas", .warning, at: nil,
        "the canvas is \(canvas), by libavcodec \(otherCanvas)", nil)
    }
  }

  /// Which cues are shown together, in order of time.
  private func stretches() -> [(pair: Pair, start: Timestamp)] {
    let times = Set((cues + other.cues).flatMap { [$0.start, $0.end] }).sorted()
    var result: [(Pair, Timestamp)] = []
    var (left, right) = (0, 0)
    for (start, end) in zip(times, times.dropFirst()) where end - start > Self.tolerance {
      while left < cues.count, cues[left].end <= start { left += 1 }
      while right < other.cues.count, other.cues[right].end <= start { right += 1 }
      let own = left < cues.count && cues[left].start <= start ? left : nil
      let another = right < other.cues.count && other.cues[right].start <= start ? right : nil
      if own != nil || another != nil { result.append((Pair(own: own, other: another), start)) }
    }
    return result
  }

  private mutating func compareTimes(_ own: Cue, _ another: Cue) {
    let distance = { (left: Timestamp, right: Timestamp) in max(left, right) - min(left, right) }
    guard
      max(distance(own.start, another.start), distance(own.end, another.end)) > Self.tolerance
    else { return }
    add(
      "compare.time", .note, at: own.start,
      "the cue is shown from \(own.start) to \(own.end), ended by \(own.endCause.words), with "
        + "libavcodec from \(another.start) to \(another.end), ended by \(another.endCause.words)",
      nil)
  }

  private mutating func compare(_ pair: Pair, at time: Timestamp) throws {
    pictureCount += 1
    let own = pair.own.map { cues[$0] }
    let another = pair.other.map { other.cues[$0] }
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
    let before = cues.last { $0.start <= time }?.start
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

  private mutating func add(
    _ code: String, _ severity: TrackFindingSeverity, at time: Timestamp?, _ sentence: String,
    _ difference: CuePictureDifference?
  ) {
    let place = time.flatMap { time in
      decoding.cues.last { $0.cue.start <= time }.map { track.places.place(of: $0.offset) }
    }
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

/// Finds where two pictures differ.
enum PictureDifference {
  /// The difference of two pictures of one size; nil if there is none.
  ///
  /// Pixels without alpha are the same whatever their colour.
  static func between(_ left: RGBABitmap, _ right: RGBABitmap) -> CuePictureDifference? {
    guard left.bytes != right.bytes else { return nil }
    var (count, most) = (0, 0)
    var (first, last) = ((x: Int.max, y: Int.max), (x: -1, y: -1))
    left.bytes.withUnsafeBytes { left in
      right.bytes.withUnsafeBytes { other in
        for pixel in 0..<(min(left.count, other.count) / 4) {
          let one = left.loadUnaligned(fromByteOffset: 4 * pixel, as: UInt32.self)
          let two = other.loadUnaligned(fromByteOffset: 4 * pixel, as: UInt32.self)
          if one == two || (left[4 * pixel + 3] == 0 && other[4 * pixel + 3] == 0) { continue }
          count += 1
          for part in 0..<4 {
            most = max(most, abs(Int(left[4 * pixel + part]) - Int(other[4 * pixel + part])))
          }
          let (x, y) = (pixel % right.width, pixel / right.width)
          first = (min(first.x, x), min(first.y, y))
          last = (max(last.x, x), max(last.y, y))
        }
      }
    }
    guard count > 0 else { return nil }
    return CuePictureDifference(
      pixels: count,
      box: PixelRect(
        x: first.x, y: first.y, width: last.x - first.x + 1, height: last.y - first.y + 1),
      most: most, cause: nil)
  }
}
