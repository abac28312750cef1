// SPDX-License-Identifier: Apache-2.0
internal import CFFmpegShims
internal import SubtitleModel

/// An opened container: owns libavformat's context and the I/O under it.
///
/// The demuxer reads only through its byte source. The one exception is the `.sub` file of an
/// `.idx` file (docs/decisions/0010-vobsub-pair.md).
final class Demuxer {
  let context: UnsafeMutablePointer<AVFormatContext>
  let bridge: SourceBridge
  private let io: UnsafeMutablePointer<AVIOContext>
  /// FFmpeg's name of the container, such as `matroska,webm`.
  let formatName: String

  /// Containers that are read; none of them opens a second file by itself.
  private static let formats = "matroska,webm,mov,mp4,m4a,3gp,3g2,mj2,mpegts,mpeg,avi,sup"

  /// Opens a container and reads what is needed to describe its streams.
  ///
  /// - Parameters:
  ///   - source: The bytes.
  ///   - companion: The path of the `.sub` file if the source is an `.idx` file.
  ///   - cancellation: Ends the work early.
  /// - Throws: `MediaError`, `CancellationError`, or what the source throws.
  init(source: any ByteSource, companion: String?, cancellation: CancellationFlag?) throws {
    _ = LibraryLog.install
    _ = LibraryLog.take()
    let bridge = SourceBridge(source: source, cancellation: cancellation)
    guard let io = bridge.makeContext() else { throw Self.outOfMemory(source) }
    do {
      let context = try Self.open(bridge: bridge, io: io, companion: companion)
      self.context = context
      formatName =
        context.pointee.iformat.flatMap { $0.pointee.name }
        .map { String(cString: $0) } ?? ""
    } catch {
      bs_io_free(io)
      throw error
    }
    self.bridge = bridge
    self.io = io
    try findStreams()
  }

  deinit {
    var closing: UnsafeMutablePointer<AVFormatContext>? = context
    avformat_close_input(&closing)
    bs_io_free(io)
  }

  private static func outOfMemory(_ source: any ByteSource) -> MediaError {
    MediaError(.tooLarge, "\(source.name): not enough memory to open the file")
  }

  private static func open(
    bridge: SourceBridge, io: UnsafeMutablePointer<AVIOContext>, companion: String?
  ) throws -> UnsafeMutablePointer<AVFormatContext> {
    var context = avformat_alloc_context()
    guard let fresh = context else { throw outOfMemory(bridge.source) }
    fresh.pointee.pb = io
    fresh.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
    fresh.pointee.interrupt_callback = AVIOInterruptCB(
      callback: { opaque in
        guard let opaque else { return 0 }
        let bridge = Unmanaged<SourceBridge>.fromOpaque(opaque).takeUnretainedValue()
        return bridge.cancellation?.isCancelled == true ? 1 : 0
      }, opaque: Unmanaged.passUnretained(bridge).toOpaque())
    bs_forbid_second_files(fresh)
    var options: OpaquePointer?
    defer { av_dict_free(&options) }
    var format: UnsafePointer<AVInputFormat>?
    if let companion {
      av_dict_set(&options, "protocol_whitelist", "file", 0)
      av_dict_set(&options, "format_whitelist", "vobsub,mpeg", 0)
      av_dict_set(&options, "sub_name", "file:" + companion, 0)
      format = av_find_input_format("vobsub")
    } else {
      av_dict_set(&options, "protocol_whitelist", "none", 0)
      av_dict_set(&options, "format_whitelist", formats, 0)
    }
    let code = avformat_open_input(&context, nil, format, &options)
    guard code >= 0, let opened = context else {
      try bridge.checkFault()
      throw openingFault(code, bridge.source)
    }
    return opened
  }

  private static func openingFault(_ code: Int32, _ source: any ByteSource) -> MediaError {
    let lines = LibraryLog.take()
    let detail = lines.last.map { " (\($0))" } ?? ""
    if code == bs_no_memory { return outOfMemory(source) }
    let whitelisted = lines.contains { $0.contains("whitelist") }
    if whitelisted || (code == bs_invalid_data && lines.isEmpty) {
      return MediaError(
        .notMedia,
        "\(source.name): is not a media file of a kind that is read here "
          + "(Matroska, MP4, MPEG-TS, MPEG-PS, AVI, .sup, .idx)")
    }
    return MediaError(
      .damaged,
      "\(source.name): the file's headers are damaged or cut off: \(libraryMessage(code))\(detail)")
  }

  /// How far into a file streams are looked for, by container.
  ///
  /// Program streams announce nothing: a track exists from its first packet on, which on a DVD may
  /// come minutes into the film. Transport streams announce tracks in their program map, but their
  /// parameters come with the first packet. The other containers have headers.
  private func probeLimits() -> (bytes: Int64, microseconds: Int64) {
    switch formatName {
    case "mpeg": (128 << 20, 900_000_000)
    case "mpegts": (48 << 20, 30_000_000)
    default: (8 << 20, 15_000_000)
    }
  }

  private func findStreams() throws {
    let limits = probeLimits()
    context.pointee.probesize = limits.bytes
    context.pointee.max_analyze_duration = limits.microseconds
    let code = avformat_find_stream_info(context, nil)
    try bridge.checkFault()
    guard code >= 0 else { throw Self.openingFault(code, bridge.source) }
    guard context.pointee.nb_streams > 0 else {
      throw MediaError(.damaged, "\(bridge.source.name): the file has no streams")
    }
  }

  /// The number of streams.
  var streamCount: Int { Int(context.pointee.nb_streams) }

  /// A stream by its index in the container.
  func stream(_ index: Int) -> UnsafeMutablePointer<AVStream>? {
    index >= 0 && index < streamCount ? context.pointee.streams[index] : nil
  }

  /// Lets only some streams' packets through.
  func select(_ indices: Set<Int>) {
    for index in 0..<streamCount {
      stream(index)?.pointee.discard =
        indices.contains(index) ? AVDISCARD_DEFAULT : AVDISCARD_ALL
    }
  }

  /// Reads the next packet.
  ///
  /// - Returns: False at the end of the file, and where damage makes going on impossible: then
  ///   `stopCause` says why.
  func readPacket(_ packet: Packet) throws -> Bool {
    var failures = 0
    while true {
      let code = av_read_frame(context, packet.pointer)
      if code >= 0 { return true }
      try bridge.checkFault()
      if code == bs_eof { return false }
      failures += 1
      if code != bs_again || failures > Self.maximumRetries {
        stopCause = "reading stopped near byte \(bytePosition): \(libraryMessage(code))"
        return false
      }
    }
  }

  /// Why reading ended before the end of the file, if it did.
  private(set) var stopCause: String?

  /// How often a demuxer may ask to be called again without giving a packet.
  private static let maximumRetries = 1000

  /// Where the source is read next.
  var bytePosition: Int64 { bridge.position }
}

/// One packet's memory, used again for each packet.
final class Packet {
  let pointer: UnsafeMutablePointer<AVPacket>

  init() throws {
    guard let fresh = av_packet_alloc() else {
      throw MediaError(.tooLarge, "not enough memory for a packet")
    }
    pointer = fresh
  }

  deinit {
    var freeing: UnsafeMutablePointer<AVPacket>? = pointer
    av_packet_free(&freeing)
  }

  /// Lets go of the packet's bytes.
  func reset() { av_packet_unref(pointer) }

  var streamIndex: Int { Int(pointer.pointee.stream_index) }

  /// The presentation time, or the decoding time where it is missing, in ticks.
  var ticks: Int64? {
    if pointer.pointee.pts != bs_no_pts { return pointer.pointee.pts }
    return pointer.pointee.dts != bs_no_pts ? pointer.pointee.dts : nil
  }

  /// The presentation time in ticks; nil where it is missing.
  var presentationTicks: Int64? {
    pointer.pointee.pts != bs_no_pts ? pointer.pointee.pts : nil
  }
}

extension AVRational {
  /// A time in ticks of this timebase; zero where the timebase is nonsense.
  func timestamp(_ ticks: Int64) -> Timestamp {
    guard num > 0, den > 0 else { return .zero }
    return Timestamp(ticks: ticks, numerator: Int64(num), denominator: Int64(den))
  }
}
