// SPDX-License-Identifier: Apache-2.0
internal import BurnInVerification
internal import HLSPlayback
internal import MediaContainer
internal import SubtitleModel

/// The frames of a live transcode, fetched window by window as a session asks for them.
///
/// Not `Sendable`: it belongs to the thread of its session.
final class TranscodeFrames: SessionFrames {
  /// Runs of segments fetched at most, where no other track looks like the asked one, and where one
  /// does.
  static let windowLimit = 8
  static let windowLimitWithTwins = 16
  /// Bytes of luma kept; what is dropped is fetched again when it is asked for.
  static let memoryLimit = 768 << 20
  /// Segments decoded at a time: each costs the server a wait, and all its frames a little memory.
  static let segmentsAtOnce = 8

  private let stream: HLSSession
  private let reference: ReferenceFrames?
  private let framesPerSecond: Double
  private let mostWindows: Int
  private let progress: (String) -> Void
  private var windows: [ClosedRange<Int>] = []
  private var loadedSegments: Set<Int> = []
  private var planes: [Int: SamplePlane] = [:]
  private var arrival: [Int] = []
  private var keptBytes = 0
  /// Grid frames worth keeping when their segment is decoded.
  private var likely: [Int]
  private var size: Canvas?

  /// What went wrong, one sentence each, without repeats.
  private(set) var notes: [String] = []
  /// The first error that ends a session: the task was cancelled, or the stream is refused.
  private(set) var fatalError: (any Error)?

  init(
    stream: HLSSession, reference: ReferenceFrames?, framesPerSecond: Double, likelyFrames: [Int],
    mostWindows: Int, progress: @escaping (String) -> Void
  ) {
    self.stream = stream
    self.reference = reference
    self.framesPerSecond = framesPerSecond
    self.mostWindows = mostWindows
    self.progress = progress
    likely = likelyFrames
  }

  /// Runs of segments opened.
  var windowCount: Int { windows.count }

  /// Opens the windows that a session begins with; they are fetched when first looked at.
  func open(_ ranges: [ClosedRange<Timestamp>]) {
    for range in ranges where windows.count < mostWindows {
      add(stream.planWindow(covering: range).segments)
    }
  }

  func isAtHand(frame: Int) -> Bool {
    let segment = segment(of: frame)
    return windows.contains { $0.contains(segment) }
  }

  func transcode(frame: Int) -> SamplePlane? {
    guard frame >= 0, fatalError == nil else { return nil }
    if let known = planes[frame] { return known }
    let number = segment(of: frame)
    if !windows.contains(where: { $0.contains(number) }) {
      guard windows.count < mostWindows else { return nil }
      let reach = Timestamp(seconds: 40 / framesPerSecond)
      let time = time(of: frame)
      add(stream.planWindow(covering: (time - reach)...(time + reach)).segments)
    }
    if !loadedSegments.contains(number) { loadWindow(around: number) }
    if let known = planes[frame] { return known }
    // Nobody foresaw this frame: decode its segment once more and keep all of it.
    guard loadedSegments.contains(number), fatalError == nil else { return nil }
    load(number...number, wanted: frames(in: number...number))
    return planes[frame]
  }

  func reference(frame: Int, neighbours: Int) -> [SamplePlane] {
    guard let reference, let size, fatalError == nil else { return [] }
    do {
      return try reference.planes(at: time(of: frame), neighbours: neighbours, size: size)
    } catch let error as CancellationError {
      fatalError = error
    } catch {
      note("the source has no frame at \(time(of: frame)): \(error)")
    }
    return []
  }

  // MARK: - Fetching

  private func time(of frame: Int) -> Timestamp {
    // A third of a frame inside, so that rounded times do not show the one before.
    Timestamp(seconds: (Double(frame) + 0.33) / framesPerSecond)
  }

  private func segment(of frame: Int) -> Int { stream.playlist.segmentNumber(at: time(of: frame)) }

  private func add(_ segments: ClosedRange<Int>) {
    // Windows that touch are one: the server goes on where it is.
    var joined = segments
    windows.removeAll { window in
      guard window.lowerBound <= joined.upperBound + 1, joined.lowerBound <= window.upperBound + 1
      else { return false }
      joined =
        min(window.lowerBound, joined.lowerBound)...max(window.upperBound, joined.upperBound)
      return true
    }
    windows.append(joined)
  }

  private func frames(in segments: ClosedRange<Int>) -> [Int] {
    let list = stream.playlist.segments
    let start = list[segments.lowerBound].start
    let end = list[segments.upperBound].start + list[segments.upperBound].duration
    let first = max(0, Int((start.seconds * framesPerSecond - 0.33).rounded(.up)))
    let last = Int((end.seconds * framesPerSecond - 0.33).rounded(.up))
    return first < last ? Array(first..<last) : []
  }

  /// Fetches what is missing of the window that a segment lies in, from there on.
  private func loadWindow(around number: Int) {
    guard let window = windows.first(where: { $0.contains(number) }) else { return }
    var next = window.lowerBound
    while next <= window.upperBound, fatalError == nil {
      if loadedSegments.contains(next) {
        next += 1
        continue
      }
      var last = next
      while last < window.upperBound, last - next + 1 < Self.segmentsAtOnce,
        !loadedSegments.contains(last + 1)
      {
        last += 1
      }
      let span = next...last
      let inside = Set(frames(in: span))
      load(span, wanted: likely.filter { inside.contains($0) })
      loadedSegments.formUnion(span)
      next = last + 1
    }
  }

  private func load(_ segments: ClosedRange<Int>, wanted: [Int]) {
    progress("fetching segments \(segments.lowerBound) to \(segments.upperBound)")
    let isContinued = segments.lowerBound > 0 && loadedSegments.contains(segments.lowerBound - 1)
    do {
      let plan = WindowPlan(
        starter: isContinued ? nil : starter(of: segments), segments: segments)
      let result = try stream.loadWindow(
        plan, wanted: Array(wanted.map(time).prefix(HLSSession.frameLimit)))
      result.notes.forEach(note)
      for (frame, found) in zip(matching(wanted, result.frames), result.frames) {
        keep(frame, found.frame.luma)
      }
    } catch let error as CancellationError {
      fatalError = error
    } catch {
      note("\(error)")
    }
  }

  /// The numbers of the frames that were found, in the order of the result.
  private func matching(_ wanted: [Int], _ found: [WindowFrame]) -> [Int] {
    let numbers = Dictionary(
      wanted.map { (time(of: $0), $0) }, uniquingKeysWith: { first, _ in first })
    return found.map { numbers[$0.wanted] ?? -1 }
  }

  private func starter(of segments: ClosedRange<Int>) -> Int? {
    let first = stream.playlist.segments[segments.lowerBound]
    let middle = first.start + Timestamp(milliseconds: 500)
    return stream.planWindow(covering: middle...middle).starter
  }

  private func keep(_ frame: Int, _ plane: SamplePlane) {
    guard frame >= 0 else { return }
    size = Canvas(width: plane.width, height: plane.height)
    if planes.updateValue(plane, forKey: frame) == nil {
      arrival.append(frame)
      keptBytes += plane.samples.count
    }
    while keptBytes > Self.memoryLimit, arrival.count > 1 {
      let oldest = arrival.removeFirst()
      keptBytes -= planes.removeValue(forKey: oldest)?.samples.count ?? 0
    }
  }

  private func note(_ sentence: String) {
    if !notes.contains(sentence) { notes.append(sentence) }
  }
}

/// Frames of the source film, in the size of the transcode.
final class ReferenceFrames {
  private let reader: VideoFrameReader
  private let scaler = FrameScaler()
  private let halfFrame: Timestamp
  private let frame: Timestamp
  private var position: Timestamp?
  private var recent: [(time: Timestamp, neighbours: Int, planes: [SamplePlane])] = []

  /// Farther ahead than this it pays to seek.
  private static let patience = Timestamp(milliseconds: 1500)
  /// Answers kept: a look asks once for the frame alone and once with its neighbours.
  private static let mostRecent = 24

  init(reader: VideoFrameReader) {
    self.reader = reader
    let rate = reader.description.video?.frameRate ?? 25
    frame = Timestamp(seconds: 1 / rate)
    halfFrame = Timestamp(seconds: 0.5 / rate)
  }

  /// Luma at a time, the nearest frame first.
  func planes(at time: Timestamp, neighbours: Int, size: Canvas) throws -> [SamplePlane] {
    if let known = recent.first(where: { $0.time == time && $0.neighbours >= neighbours }) {
      return known.planes
    }
    var first = time - halfFrame
    for _ in 0..<neighbours { first = first - frame }
    if first < .zero { first = .zero }
    if let position, position <= first, first - position < Self.patience {
      // The wanted frames lie just ahead.
    } else {
      try reader.seek(to: first)
    }
    var found: [PlanarFrame] = []
    while found.count < 2 * neighbours + 1,
      let next = try reader.nextFrame(atOrAfter: found.isEmpty ? first : nil)
    {
      found.append(next)
      position = next.time + Timestamp(nanoseconds: 1)
    }
    let sorted = found.sorted {
      abs(($0.time - time).nanoseconds) < abs(($1.time - time).nanoseconds)
    }
    let planes = try sorted.map { try scaler.scale($0, to: size).luma }
    if recent.count >= Self.mostRecent { recent.removeFirst() }
    recent.append((time, neighbours, planes))
    return planes
  }
}
