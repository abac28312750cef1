// SPDX-License-Identifier: Apache-2.0
internal import CFFmpegShims
internal import SubtitleModel

/// A container being written: owns libavformat's context and the I/O under it.
final class Muxer {
  private let context: UnsafeMutablePointer<AVFormatContext>
  private let io: UnsafeMutablePointer<AVIOContext>
  private let sink: FileSink
  private let path: String
  private let packet: Packet

  init(sink: FileSink, libraryName: String, path: String) throws {
    _ = LibraryLog.install
    _ = LibraryLog.take()
    self.sink = sink
    self.path = path
    packet = try Packet()
    var fresh: UnsafeMutablePointer<AVFormatContext>?
    let code = avformat_alloc_output_context2(&fresh, nil, libraryName, nil)
    guard code >= 0, let context = fresh else {
      throw MediaError(
        .unsupported, "\(path): FFmpeg's libraries cannot write \(libraryName) files")
    }
    guard let io = sink.makeContext() else {
      avformat_free_context(context)
      throw MediaError(.tooLarge, "\(path): not enough memory to write the file")
    }
    context.pointee.pb = io
    context.pointee.flags |= AVFMT_FLAG_CUSTOM_IO | AVFMT_FLAG_BITEXACT
    self.context = context
    self.io = io
  }

  deinit {
    avformat_free_context(context)
    bs_io_free(io)
  }

  /// Adds the film's video and audio streams; the result maps their indices to the new ones.
  func copyStreams(of demuxer: Demuxer) throws -> [Int: Int] {
    var map: [Int: Int] = [:]
    for index in 0..<demuxer.streamCount {
      guard let source = demuxer.stream(index), let parameters = source.pointee.codecpar else {
        continue
      }
      let type = parameters.pointee.codec_type
      guard type == AVMEDIA_TYPE_VIDEO || type == AVMEDIA_TYPE_AUDIO, !source.isCover else {
        continue
      }
      let stream = try addStream()
      try check(avcodec_parameters_copy(stream.pointee.codecpar, parameters), "copying a stream")
      stream.pointee.codecpar.pointee.codec_tag = 0
      stream.pointee.time_base = source.pointee.time_base
      stream.pointee.avg_frame_rate = source.pointee.avg_frame_rate
      stream.pointee.r_frame_rate = source.pointee.r_frame_rate
      stream.pointee.sample_aspect_ratio = source.pointee.sample_aspect_ratio
      stream.pointee.disposition = source.pointee.disposition
      for key in ["language", "title"] {
        if let value = source.metadata(key) { av_dict_set(&stream.pointee.metadata, key, value, 0) }
      }
      map[index] = Int(stream.pointee.index)
    }
    return map
  }

  /// Adds a subtitle track; the result is its index.
  func addTrack(_ track: OutputTrack, packetID: Int32?) throws -> Int {
    let stream = try addStream()
    if let packetID { stream.pointee.id = packetID }
    guard let parameters = stream.pointee.codecpar, let id = track.content.codec.libraryID else {
      throw MediaError(.invalidRequest, "\(path): the track's codec cannot be written")
    }
    parameters.pointee.codec_type = AVMEDIA_TYPE_SUBTITLE
    parameters.pointee.codec_id = id
    parameters.pointee.width = Int32(clamping: track.content.canvas.width)
    parameters.pointee.height = Int32(clamping: track.content.canvas.height)
    guard parameters.setExtradata(track.content.codecPrivate) else {
      throw MediaError(.tooLarge, "\(path): not enough memory to write the file")
    }
    stream.pointee.time_base = AVRational(num: 1, den: 90_000)
    stream.pointee.disposition = track.flags.disposition
    if let language = track.language {
      av_dict_set(&stream.pointee.metadata, "language", language, 0)
    }
    if let title = track.title { av_dict_set(&stream.pointee.metadata, "title", title, 0) }
    return Int(stream.pointee.index)
  }

  /// Writes the container's header; only then are the streams' timebases known.
  func writeHeader(_ options: [(String, String)]) throws {
    var dictionary: OpaquePointer?
    defer { av_dict_free(&dictionary) }
    for (name, value) in options { av_dict_set(&dictionary, name, value, 0) }
    try check(avformat_write_header(context, &dictionary), "writing the header")
  }

  /// Writes a packet of a copied stream, and empties it.
  func copy(
    _ source: Packet, from stream: UnsafeMutablePointer<AVStream>, to output: Int, origin: Timestamp
  ) throws {
    guard let target = context.pointee.streams[output] else { return }
    let pointer = source.pointer
    let timebase = stream.pointee.time_base
    if timebase.num > 0, timebase.den > 0, origin != .zero {
      let shift = av_rescale_q(
        origin.nanoseconds, AVRational(num: 1, den: 1_000_000_000), timebase)
      if pointer.pointee.pts != bs_no_pts { pointer.pointee.pts -= shift }
      if pointer.pointee.dts != bs_no_pts { pointer.pointee.dts -= shift }
    }
    av_packet_rescale_ts(pointer, timebase, target.pointee.time_base)
    pointer.pointee.stream_index = Int32(output)
    pointer.pointee.pos = -1
    try check(av_interleaved_write_frame(context, pointer), "writing a packet")
  }

  /// Writes a subtitle packet.
  func write(_ queued: QueuedPacket) throws {
    guard let target = context.pointee.streams[queued.output] else { return }
    let bytes = queued.packet.bytes
    try check(av_new_packet(packet.pointer, Int32(bytes.count)), "making a packet")
    bytes.withUnsafeBytes { source in
      guard let base = source.baseAddress, let data = packet.pointer.pointee.data else { return }
      UnsafeMutableRawPointer(data).copyMemory(from: base, byteCount: source.count)
    }
    let timebase = target.pointee.time_base
    let nanoseconds = AVRational(num: 1, den: 1_000_000_000)
    let time = av_rescale_q(queued.packet.time.nanoseconds, nanoseconds, timebase)
    packet.pointer.pointee.pts = time
    packet.pointer.pointee.dts = time
    packet.pointer.pointee.duration =
      queued.packet.duration.map {
        av_rescale_q((queued.packet.time + $0).nanoseconds, nanoseconds, timebase) - time
      } ?? 0
    packet.pointer.pointee.stream_index = Int32(queued.output)
    packet.pointer.pointee.flags |= AV_PKT_FLAG_KEY
    try check(av_interleaved_write_frame(context, packet.pointer), "writing a subtitle packet")
  }

  /// Writes the container's end and gives the file its name.
  func finish() throws {
    try check(av_write_trailer(context), "writing the end")
    avio_flush(io)
    try check(io.pointee.error, "writing the end")
    try sink.finish()
  }

  private func addStream() throws -> UnsafeMutablePointer<AVStream> {
    guard let stream = avformat_new_stream(context, nil) else {
      throw MediaError(.tooLarge, "\(path): not enough memory to write the file")
    }
    return stream
  }

  private func check(_ code: Int32, _ work: String) throws {
    guard code < 0 else { return }
    if let fault = sink.fault { throw fault }
    let detail = LibraryLog.take().last.map { " (\($0))" } ?? ""
    throw MediaError(
      .invalidRequest, "\(path): \(work) failed: \(libraryMessage(code))\(detail)")
  }
}
