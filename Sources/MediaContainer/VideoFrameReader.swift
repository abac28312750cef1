// SPDX-License-Identifier: Apache-2.0
internal import CFFmpegShims
public import SubtitleModel

/// Decodes the frames of a file's first video stream, in order of presentation.
///
/// Not for use by two threads at once; calls block while they read and decode.
public final class VideoFrameReader {
  private let source: any ByteSource
  private let cancellation: CancellationFlag?
  private let timeOrigin: TimeOrigin
  private let threads: Int
  private var decoder: VideoDecoder
  /// A frame that was decoded to find the place and is not yet given out.
  private var pending: Frame?

  /// What the container says of itself.
  public let description: MediaDescription

  /// What had to be done that the caller may not expect, such as a conversion; one sentence each.
  public private(set) var notes: [String] = []

  /// The largest width and height that is decoded.
  public static let maximumSide = 16384

  /// Opens a file and its first video stream.
  ///
  /// - Parameters:
  ///   - source: The bytes: a file, or segments joined in memory.
  ///   - timeOrigin: Where zero of time is.
  ///   - threads: How many threads decode, 1 to 16.
  ///   - cancellation: Ends the reader's work early, with `CancellationError`.
  /// - Throws: `MediaError`, of kind `.noVideo` if there is no video stream.
  public init(
    source: any ByteSource, timeOrigin: TimeOrigin = .containerStart, threads: Int = 1,
    cancellation: CancellationFlag? = nil
  ) throws {
    self.source = source
    self.cancellation = cancellation
    self.timeOrigin = timeOrigin
    self.threads = min(max(threads, 1), 16)
    decoder = try VideoDecoder(
      source: source, timeOrigin: timeOrigin, threads: self.threads, cancellation: cancellation)
    description = decoder.demuxer.describe(timeOrigin)
  }

  /// Opens a local file and its first video stream.
  ///
  /// - Throws: As the other initializer does.
  public convenience init(
    path: String, timeOrigin: TimeOrigin = .containerStart, threads: Int = 1,
    cancellation: CancellationFlag? = nil
  ) throws {
    try self.init(
      source: try LocalFile(path: path), timeOrigin: timeOrigin, threads: threads,
      cancellation: cancellation)
  }

  /// Goes to the last place at or before a time from which decoding can begin.
  ///
  /// The next frame is one at or before the time, or the first of the file if all are later.
  ///
  /// - Throws: `MediaError`, `CancellationError`.
  public func seek(to time: Timestamp) throws {
    pending = nil
    for step in Self.backSteps {
      guard try decoder.seek(to: time - step) else { break }
      guard let frame = try decoder.next(skippingUntil: nil) else { continue }
      if let found = decoder.time(of: frame), found <= time {
        pending = frame
        return
      }
    }
    decoder = try VideoDecoder(
      source: source, timeOrigin: timeOrigin, threads: threads, cancellation: cancellation)
  }

  /// How far before the time wanted a seek tries to land; containers without an index land late.
  private static let backSteps: [Timestamp] = [0, 2000, 6000, 15000, 60000].map {
    Timestamp(milliseconds: $0)
  }

  /// Gives the luma of the next frame, or of the next one at or after a time.
  ///
  /// It only goes forward: frames before the time are decoded as far as others need them, and
  /// passed over. Luma is the decoder's own; formats deeper than 8 bits are shifted down. RGB video
  /// is converted (see `notes`).
  ///
  /// - Parameter time: The earliest time wanted; nil for the next frame.
  /// - Returns: The frame with its true time; nil at the end of the file.
  /// - Throws: `MediaError`, `CancellationError`.
  public func nextLuma(atOrAfter time: Timestamp? = nil) throws -> LumaFrame? {
    guard let (frame, shown) = try nextRaw(atOrAfter: time) else { return nil }
    let size = try size(of: frame)
    if let luma = frame.component(0, size) { return LumaFrame(time: shown, luma: luma) }
    return LumaFrame(time: shown, luma: try converted(frame, size).plane(0, size))
  }

  /// Gives the next frame in planar 4:2:0, or the next one at or after a time.
  ///
  /// Formats with other chroma are converted by libswscale; deeper ones are shifted down to 8 bits.
  ///
  /// - Parameter time: The earliest time wanted; nil for the next frame.
  /// - Returns: The frame with its true time; nil at the end of the file.
  /// - Throws: `MediaError`, `CancellationError`.
  public func nextFrame(atOrAfter time: Timestamp? = nil) throws -> PlanarFrame? {
    guard let (frame, shown) = try nextRaw(atOrAfter: time) else { return nil }
    let size = try size(of: frame)
    let half = Canvas(width: (size.width + 1) / 2, height: (size.height + 1) / 2)
    if bs_is_420(frame.pointer) != 0, let luma = frame.component(0, size),
      let cb = frame.component(1, half), let cr = frame.component(2, half)
    {
      return PlanarFrame(time: shown, luma: luma, cb: cb, cr: cr)
    }
    let planar = try converted(frame, size)
    return PlanarFrame(
      time: shown, luma: frame.component(0, size) ?? planar.plane(0, size),
      cb: planar.plane(1, half), cr: planar.plane(2, half))
  }

  /// Saves the work of frames that are not on screen at some times, until the next seek.
  ///
  /// The frames on screen at the times, each the last that begins at or before its time, are then
  /// surely among those given; of the others only those that further frames are predicted from.
  /// The rest of the stream is held in memory, packed.
  ///
  /// - Parameter times: On the reader's timeline.
  /// - Throws: `MediaError`, `CancellationError`.
  public func limit(toFramesShownAt times: [Timestamp]) throws {
    try decoder.limit(toFramesShownAt: times)
  }

  private func nextRaw(atOrAfter time: Timestamp?) throws -> (Frame, Timestamp)? {
    while true {
      let frame: Frame
      if let waiting = pending {
        frame = waiting
        pending = nil
      } else if let next = try decoder.next(skippingUntil: time) {
        frame = next
      } else {
        return nil
      }
      let shown = decoder.time(of: frame) ?? .zero
      if let time, shown < time { continue }
      return (frame, shown)
    }
  }

  private func size(of frame: Frame) throws -> Canvas {
    let (width, height) = (Int(frame.pointer.pointee.width), Int(frame.pointer.pointee.height))
    guard (1...Self.maximumSide).contains(width), (1...Self.maximumSide).contains(height) else {
      throw MediaError(
        .tooLarge,
        "\(source.name): a frame is \(width)x\(height), beyond \(Self.maximumSide) a side")
    }
    return Canvas(width: width, height: height)
  }

  private func converted(_ frame: Frame, _ size: Canvas) throws -> Frame {
    let format = AVPixelFormat(rawValue: frame.pointer.pointee.format)
    let name = av_get_pix_fmt_name(format).map { String(cString: $0) } ?? "an unknown format"
    let note = "frames were converted from \(name) to yuv420p"
    if !notes.contains(note) { notes.append(note) }
    let target = try Frame(width: size.width, height: size.height, format: AV_PIX_FMT_YUV420P)
    let code = bs_scale(
      frame.pointer, target.pointer, Int32(bs_filter_bicubic), 0)
    guard code >= 0 else {
      throw MediaError(
        .unsupported,
        "\(source.name): frames of \(name) cannot be converted: \(libraryMessage(code))")
    }
    return target
  }
}
