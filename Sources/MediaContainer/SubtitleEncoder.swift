// SPDX-License-Identifier: Apache-2.0
internal import CFFmpegShims
public import SubtitleModel

/// One packet to be written to a track.
public struct SubtitlePacket: Sendable, Hashable {
  /// When it is shown, from the start of the file, 0 or more.
  public var time: Timestamp
  /// How long, where the container shall state it.
  public var duration: Timestamp?
  /// The packet's bytes in the form the codec's tracks have in containers.
  ///
  /// PGS: a display set's segments without the `PG` heads of .sup files. VobSub: a sub-picture unit.
  /// DVB: segments from their sync bytes on, without data identifier and end marker.
  public var bytes: [UInt8]

  /// Makes a packet.
  public init(time: Timestamp, duration: Timestamp?, bytes: [UInt8]) {
    self.time = time
    self.duration = duration
    self.bytes = bytes
  }
}

/// A track's packets with what its decoder must know beforehand.
public struct EncodedTrack: Sendable, Hashable {
  /// The coding.
  public var codec: SubtitleCodec
  /// The decoder's set-up data (Matroska's CodecPrivate): an .idx head for VobSub, page ids for DVB.
  public var codecPrivate: [UInt8]
  /// The canvas.
  public var canvas: Canvas
  /// The packets, in order of time.
  public var packets: [SubtitlePacket]

  /// Makes a track; PGS has no set-up data.
  public init(
    codec: SubtitleCodec, codecPrivate: [UInt8] = [], canvas: Canvas, packets: [SubtitlePacket]
  ) {
    self.codec = codec
    self.codecPrivate = codecPrivate
    self.canvas = canvas
    self.packets = packets
  }
}

/// Encodes cues as VobSub or DVB subtitles by libavcodec.
public enum SubtitleEncoder {
  /// Encodes a track.
  ///
  /// VobSub has 4 colours a picture of 16 a track, and times in steps of 1024/90000 s; the encoder
  /// takes the nearest of the 16 most used colours. DVB pictures are reduced to 16 colours each. A
  /// DVB cue is two packets, the second of which clears the screen, unless the next cue begins then.
  ///
  /// - Parameters:
  ///   - cues: The cues, in order, not overlapping, with objects inside the canvas.
  ///   - codec: `.vobsub` or `.dvb`.
  ///   - canvas: The canvas.
  ///   - isForHearingImpaired: Whether DVB's descriptor says so.
  ///   - cancellation: Ends the work early, with `CancellationError`.
  /// - Returns: The packets with the decoder's set-up data.
  /// - Throws: `MediaError` of kind `.invalidRequest` where a cue cannot be encoded, `.unsupported`
  ///   where the libraries lack the encoder.
  public static func encode(
    _ cues: [Cue], as codec: SubtitleCodec, canvas: Canvas, isForHearingImpaired: Bool = false,
    cancellation: CancellationFlag? = nil
  ) throws -> EncodedTrack {
    guard codec == .vobsub || codec == .dvb else {
      throw MediaError(
        .invalidRequest, "\(codec.rawValue) tracks are not encoded by FFmpeg's libraries")
    }
    guard (1...4096).contains(canvas.width), (1...4096).contains(canvas.height) else {
      throw MediaError(
        .invalidRequest, "a canvas of \(canvas) is beyond 4096x4096, the most VobSub can address")
    }
    let session = try Session(codec: codec, canvas: canvas, cues: cues)
    var track = EncodedTrack(
      codec: codec, codecPrivate: session.codecPrivate, canvas: canvas, packets: [])
    if codec == .dvb {
      // EN 300 468, 6.2.41: composition page 1, ancillary page 1, then the subtitling type.
      track.codecPrivate = [0, 1, 0, 1, isForHearingImpaired ? 0x20 : 0x10]
    }
    for (position, cue) in cues.enumerated() {
      if cancellation?.isCancelled == true { throw CancellationError() }
      try check(cue, canvas: canvas)
      let next = position + 1 < cues.count ? cues[position + 1].start : nil
      if let next, next < cue.end {
        throw MediaError(
          .invalidRequest,
          "cue \(cue.index) ends at \(cue.end), after the next one's start at \(next)")
      }
      track.packets.append(
        SubtitlePacket(
          time: cue.start, duration: cue.end - cue.start,
          bytes: try session.encode(cue.objects, at: cue.start, until: cue.end)))
      if codec == .dvb, next != cue.end {
        track.packets.append(
          SubtitlePacket(
            time: cue.end, duration: nil,
            bytes: try session.encode([], at: cue.end, until: cue.end)))
      }
    }
    return track
  }

  private static func check(_ cue: Cue, canvas: Canvas) throws {
    let area = PixelRect(x: 0, y: 0, width: canvas.width, height: canvas.height)
    guard !cue.objects.isEmpty, cue.end > cue.start, cue.start >= .zero else {
      throw MediaError(
        .invalidRequest, "cue \(cue.index) shows nothing, or from \(cue.start) to \(cue.end)")
    }
    for object in cue.objects
    where object.rect.isEmpty || object.rect.intersection(area) != object.rect {
      let rect = object.rect
      throw MediaError(
        .invalidRequest,
        "cue \(cue.index) has an object of \(rect.width)x\(rect.height) at \(rect.x),\(rect.y), "
          + "which is empty or leaves the canvas of \(canvas)")
    }
  }

  /// An opened encoder.
  private final class Session {
    private let context: UnsafeMutablePointer<AVCodecContext>
    private let codec: SubtitleCodec

    init(codec: SubtitleCodec, canvas: Canvas, cues: [Cue]) throws {
      _ = LibraryLog.install
      self.codec = codec
      guard let id = codec.libraryID, let encoder = avcodec_find_encoder(id),
        let fresh = avcodec_alloc_context3(encoder)
      else {
        throw MediaError(
          .unsupported, "FFmpeg's libraries have no encoder for \(codec.rawValue) tracks")
      }
      context = fresh
      context.pointee.width = Int32(canvas.width)
      context.pointee.height = Int32(canvas.height)
      context.pointee.time_base = AVRational(num: 1, den: 1000)
      var options: OpaquePointer?
      defer { av_dict_free(&options) }
      if codec == .vobsub {
        av_dict_set(&options, "palette", ColorReduction.trackPalette(of: cues), 0)
      }
      let code = avcodec_open2(context, encoder, &options)
      guard code >= 0 else {
        throw MediaError(
          .unsupported, "the \(codec.rawValue) encoder cannot be opened: \(libraryMessage(code))")
      }
    }

    deinit {
      var freeing: UnsafeMutablePointer<AVCodecContext>? = context
      avcodec_free_context(&freeing)
    }

    var codecPrivate: [UInt8] {
      Array(
        UnsafeBufferPointer(
          start: context.pointee.extradata, count: Int(max(0, context.pointee.extradata_size))))
    }

    /// The encoder's output is bounded by this: a DVD sub-picture by its 16-bit size, a DVB page by
    /// its regions' pixels.
    private static let capacity = 4 << 20

    func encode(_ objects: [CueObject], at start: Timestamp, until end: Timestamp) throws -> [UInt8]
    {
      let reduced = objects.map { codec == .dvb ? ColorReduction.reduce($0, to: 16) : $0 }
      var words: [[UInt32]] = reduced.map { object in
        object.palette.colors.map { color in
          UInt32(color.alpha) << 24 | UInt32(color.red) << 16 | UInt32(color.green) << 8
            | UInt32(color.blue)
        }
      }
      for index in words.indices where codec == .vobsub {
        words[index] += Array(repeating: 0, count: 256 - words[index].count)
      }
      var output = [UInt8](repeating: 0, count: Self.capacity)
      _ = LibraryLog.take()
      let code = withRects(reduced, words) { rects in
        bs_encode_subtitle(
          context, rects.baseAddress, Int32(rects.count), start.nanoseconds / 1000, 0,
          UInt32(clamping: (end - start).milliseconds), &output, Int32(output.count))
      }
      guard code >= 0 else {
        let detail = LibraryLog.take().first.map { " (\($0))" } ?? ""
        throw MediaError(
          .invalidRequest,
          "the cue at \(start) cannot be encoded as \(codec.rawValue): "
            + libraryMessage(code) + detail)
      }
      return Array(output.prefix(Int(code)))
    }

    /// Lends the objects as C sees them; their arrays are held for the call.
    private func withRects<Result>(
      _ objects: [CueObject], _ words: [[UInt32]],
      _ body: (UnsafeBufferPointer<bs_rect>) -> Result
    ) -> Result {
      func lend(_ index: Int, _ rects: [bs_rect]) -> Result {
        guard index < objects.count else { return rects.withUnsafeBufferPointer(body) }
        let object = objects[index]
        return object.bitmap.indices.withUnsafeBufferPointer { indices in
          words[index].withUnsafeBufferPointer { palette in
            let rect = bs_rect(
              x: Int32(object.x), y: Int32(object.y), width: Int32(object.bitmap.width),
              height: Int32(object.bitmap.height), color_count: Int32(palette.count),
              forced: object.isForced ? 1 : 0, indices: indices.baseAddress,
              palette: palette.baseAddress)
            return lend(index + 1, rects + [rect])
          }
        }
      }
      return lend(0, [])
    }
  }
}
