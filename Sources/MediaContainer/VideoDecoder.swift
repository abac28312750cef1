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
  /// Packets read ahead of the decoder, while only some frames are wanted.
  private var queue: ArraySlice<Packet> = []
  /// Times of the frames wanted alone, in ticks; nil: all.
  private var needed: Set<Int64>?
  /// Times of the packets decoded since the last seek, in ticks; nil if one has none.
  private var decodedTicks: [Int64]? = []
  /// Packets in a row that the decoder refused.
  private var refusals = 0

  /// How long before the time wanted every frame is decoded.
  ///
  /// Further back, frames that no other needs are left out. Of packets with a presentation time this
  /// is two frames and rounding; a decoding time alone is off by the reordering.
  private static let fullDecoding = Timestamp(milliseconds: 100)
  private static let fullDecodingWithoutTimes = Timestamp(milliseconds: 1500)
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
    queue = []
    needed = nil
    decodedTicks = []
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

  /// Leaves out frames that are not on screen at some times and that no other frame needs.
  ///
  /// Reads the stream to its end. Without effect where packets have no presentation times.
  ///
  /// - Parameter times: On the decoder's timeline.
  /// - Throws: `MediaError`, `CancellationError`, or what the source throws.
  func limit(toFramesShownAt times: [Timestamp]) throws {
    guard var known = decodedTicks else { return }
    var packets: [Packet] = []
    var isTimed = true
    while true {
      let packet = try Packet()
      guard try demuxer.readPacket(packet) else { break }
      guard packet.streamIndex == streamIndex else { continue }
      if let ticks = packet.presentationTicks { known.append(ticks) } else { isTimed = false }
      packets.append(packet)
    }
    try demuxer.bridge.checkFault()
    queue = packets[...]
    guard isTimed else { return }
    let shown = known.sorted().map { (ticks: $0, time: timebase.timestamp($0) - origin) }
    needed = Set(
      times.compactMap { time in
        // The last frame at or before the time.
        var (low, high) = (0, shown.count)
        while low < high {
          let middle = (low + high) / 2
          if shown[middle].time <= time { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? shown[low - 1].ticks : nil
      })
  }

  private func feed(skippingUntil time: Timestamp?) throws {
    while true {
      let packet: Packet
      if let queued = queue.popFirst() {
        packet = queued
      } else if try demuxer.readPacket(self.packet) {
        packet = self.packet
      } else {
        isDraining = true
        avcodec_send_packet(context, nil)
        return
      }
      defer { packet.reset() }
      guard packet.streamIndex == streamIndex else { continue }
      context.pointee.skip_frame =
        isUnwanted(packet, skippingUntil: time) ? AVDISCARD_NONREF : AVDISCARD_DEFAULT
      if let ticks = packet.presentationTicks {
        decodedTicks?.append(ticks)
      } else {
        decodedTicks = nil
      }
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

  /// Whether nobody looks at a packet's frame.
  private func isUnwanted(_ packet: Packet, skippingUntil time: Timestamp?) -> Bool {
    guard let ticks = packet.ticks else { return false }
    if let needed { return !needed.contains(ticks) }
    guard let time else { return false }
    let isTimed = packet.presentationTicks != nil
    let reach = isTimed ? Self.fullDecoding : Self.fullDecodingWithoutTimes
    return timebase.timestamp(ticks) - origin + reach < time
  }
}
