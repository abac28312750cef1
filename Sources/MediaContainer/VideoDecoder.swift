// SPDX-License-Identifier: Apache-2.0
internal import CFFmpegShims
internal import SubtitleModel

/// One pass of decoding over a file's video stream.
final class VideoDecoder {
  let demuxer: Demuxer
  private let streamIndex: Int
  private let timebase: AVRational
  private let origin: Timestamp
  private let context: UnsafeMutablePointer<AVCodecContext>
  private let packet: Packet
  private var isDraining = false
  /// Packets in a row that the decoder refused.
  private var refusals = 0

  /// How long before the time wanted every frame is decoded; further back, frames that no other
  /// needs are left out.
  private static let fullDecoding = Timestamp(milliseconds: 1500)
  /// How many packets in a row may be refused before the stream counts as damaged.
  private static let maximumRefusals = 5000

  init(
    source: any ByteSource, timeOrigin: TimeOrigin, threads: Int, cancellation: CancellationFlag?
  ) throws {
    demuxer = try Demuxer(source: source, companion: nil, cancellation: cancellation)
    guard let index = demuxer.videoStream, let stream = demuxer.stream(index),
      let parameters = stream.pointee.codecpar
    else { throw MediaError(.noVideo, "\(source.name): the file has no video stream") }
    let (width, height) = (Int(parameters.pointee.width), Int(parameters.pointee.height))
    guard width <= VideoFrameReader.maximumSide, height <= VideoFrameReader.maximumSide else {
      throw MediaError(
        .tooLarge,
        "\(source.name): the video is \(width)x\(height), beyond "
          + "\(VideoFrameReader.maximumSide) a side")
    }
    streamIndex = index
    timebase = stream.pointee.time_base
    origin = demuxer.origin(timeOrigin)
    packet = try Packet()
    guard let codec = avcodec_find_decoder(parameters.pointee.codec_id),
      let fresh = avcodec_alloc_context3(codec)
    else {
      throw MediaError(
        .unsupported,
        "\(source.name): FFmpeg's libraries have no decoder for "
          + "\(codecName(parameters.pointee.codec_id)) video")
    }
    context = fresh
    var code = avcodec_parameters_to_context(context, parameters)
    context.pointee.pkt_timebase = timebase
    context.pointee.thread_count = Int32(threads)
    context.pointee.max_pixels = Int64(VideoFrameReader.maximumSide * VideoFrameReader.maximumSide)
    if code >= 0 { code = avcodec_open2(context, codec, nil) }
    guard code >= 0 else {
      throw MediaError(
        .damaged,
        "\(source.name): the video decoder cannot be opened: \(libraryMessage(code))")
    }
    demuxer.select([index])
  }

  deinit {
    var freeing: UnsafeMutablePointer<AVCodecContext>? = context
    avcodec_free_context(&freeing)
  }

  /// When a frame is shown; nil where neither packet nor decoder knows.
  func time(of frame: Frame) -> Timestamp? {
    let best = frame.pointer.pointee.best_effort_timestamp
    let ticks = best != bs_no_pts ? best : frame.pointer.pointee.pts
    return ticks == bs_no_pts ? nil : timebase.timestamp(ticks) - origin
  }

  /// Goes to the container's last entry point at or before a time.
  ///
  /// - Returns: Whether the container could do it.
  func seek(to time: Timestamp) throws -> Bool {
    let wanted = (time + origin).seconds
    guard timebase.num > 0, timebase.den > 0 else { return false }
    let ticks = (wanted * Double(timebase.den) / Double(timebase.num)).rounded(.down)
    guard ticks.magnitude < 9e18 else { return false }
    let code = av_seek_frame(
      demuxer.context, Int32(streamIndex), Int64(ticks), AVSEEK_FLAG_BACKWARD)
    try demuxer.bridge.checkFault()
    guard code >= 0 else { return false }
    avcodec_flush_buffers(context)
    isDraining = false
    refusals = 0
    return true
  }

  /// Decodes the next frame.
  ///
  /// - Parameter time: Frames well before it may be left out if no other frame needs them.
  /// - Returns: The frame; nil at the end.
  /// - Throws: `MediaError`, `CancellationError`, or what the source throws.
  func next(skippingUntil time: Timestamp?) throws -> Frame? {
    let frame = try Frame()
    while true {
      try demuxer.bridge.checkFault()
      let code = avcodec_receive_frame(context, frame.pointer)
      if code >= 0 {
        _ = LibraryLog.take()
        return frame
      }
      if code == bs_eof || (isDraining && code == bs_again) { return nil }
      // Damage in one frame is no reason to stop: the next packet may decode.
      guard !isDraining || code == bs_again else { return nil }
      try feed(skippingUntil: time)
    }
  }

  private func feed(skippingUntil time: Timestamp?) throws {
    while true {
      guard try demuxer.readPacket(packet) else {
        isDraining = true
        avcodec_send_packet(context, nil)
        return
      }
      defer { packet.reset() }
      guard packet.streamIndex == streamIndex else { continue }
      let isFarBefore =
        time.flatMap { wanted in
          packet.ticks.map { timebase.timestamp($0) - origin + Self.fullDecoding < wanted }
        } ?? false
      context.pointee.skip_frame = isFarBefore ? AVDISCARD_NONREF : AVDISCARD_DEFAULT
      guard avcodec_send_packet(context, packet.pointer) < 0 else {
        refusals = 0
        return
      }
      refusals += 1
      guard refusals < Self.maximumRefusals else {
        throw MediaError(
          .damaged,
          "\(demuxer.bridge.source.name): \(refusals) video packets in a row cannot be decoded, "
            + "the last near byte \(demuxer.bytePosition)")
      }
    }
  }
}
