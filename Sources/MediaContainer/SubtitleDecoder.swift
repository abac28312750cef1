// SPDX-License-Identifier: Apache-2.0
internal import CFFmpegShims
internal import SubtitleModel

/// Decodes one track's packets by libavcodec.
final class SubtitleDecoder {
  /// What one packet did.
  enum Outcome {
    /// It is part of something larger, or says nothing.
    case nothing
    /// It clears the screen from a time on, in the stream's own clock.
    case clear(at: Timestamp)
    /// It shows a picture.
    case picture(Picture)
    /// It replaces what is shown by a picture of which nothing can be drawn.
    case nothingDrawable(at: Timestamp, reason: String)
    /// It could not be decoded.
    case fault(String)
  }

  /// A picture with its times in the stream's own clock.
  struct Picture {
    var start: Timestamp
    /// Where the stream states when the picture goes.
    var stop: Timestamp?
    /// Whether the stream states that it stands until the next one.
    var isOpen = false
    var objects: [CueObject]
  }

  private let context: UnsafeMutablePointer<AVCodecContext>
  /// Seconds of one tick of the packets' times.
  let timebase: AVRational
  private let codec: SubtitleCodec
  /// The last packets' times: in microseconds as libavcodec repeats them, and exactly.
  private var times: [(microseconds: Int64, exact: Timestamp)] = []
  private var lastTime: Timestamp?
  /// Bytes of a DVD sub-picture that are still to come in further packets.
  private var missingBytes = 0

  /// How many packets of one display set are remembered for their times.
  private static let rememberedTimes = 256

  /// Opens the decoder of a container's stream.
  convenience init(stream: UnsafeMutablePointer<AVStream>, name: String) throws {
    let label = "\(name): stream \(stream.pointee.index)"
    guard let parameters = stream.pointee.codecpar else {
      throw MediaError(.unsupported, "\(label) has no parameters")
    }
    try self.init(parameters: parameters, timebase: stream.pointee.time_base, label: label)
  }

  /// Opens a decoder by its coding and set-up data, without a container.
  convenience init(
    codec: SubtitleCodec, codecPrivate: [UInt8], timebase: AVRational, label: String
  ) throws {
    guard let id = codec.libraryID else {
      throw MediaError(.notBitmap, "\(label) is a \(codec.rawValue) track, not one of bitmaps")
    }
    var parameters = avcodec_parameters_alloc()
    defer { avcodec_parameters_free(&parameters) }
    guard let parameters, parameters.setExtradata(codecPrivate) else {
      throw MediaError(.tooLarge, "\(label): not enough memory for a decoder")
    }
    parameters.pointee.codec_type = AVMEDIA_TYPE_SUBTITLE
    parameters.pointee.codec_id = id
    try self.init(parameters: parameters, timebase: timebase, label: label)
  }

  private init(
    parameters: UnsafeMutablePointer<AVCodecParameters>, timebase: AVRational, label: String
  ) throws {
    codec = SubtitleCodec(parameters.pointee.codec_id)
    self.timebase = timebase
    guard let decoder = avcodec_find_decoder(parameters.pointee.codec_id),
      let fresh = avcodec_alloc_context3(decoder)
    else {
      throw MediaError(
        .unsupported,
        "\(label): FFmpeg's libraries have no decoder for "
          + codecName(parameters.pointee.codec_id))
    }
    context = fresh
    var code = avcodec_parameters_to_context(context, parameters)
    context.pointee.pkt_timebase = timebase
    context.pointee.thread_count = 1
    // A few bytes of run lengths can ask for gigabytes of pixels.
    context.pointee.max_pixels = Int64(DecodingLimits.pixelsPerCue)
    if code >= 0 { code = avcodec_open2(context, decoder, nil) }
    guard code >= 0 else {
      let said = LibraryLog.take().first.map { " (\($0))" } ?? ""
      throw MediaError(
        .damaged,
        "\(label): the decoder refuses the track's set-up data: \(libraryMessage(code))\(said)")
    }
  }

  deinit {
    var freeing: UnsafeMutablePointer<AVCodecContext>? = context
    avcodec_free_context(&freeing)
  }

  /// The canvas that is known so far.
  var canvas: Canvas? {
    guard context.pointee.width > 0, context.pointee.height > 0 else { return nil }
    return Canvas(width: Int(context.pointee.width), height: Int(context.pointee.height))
  }

  /// Decodes one packet.
  func decode(_ packet: Packet, _ limits: inout PixelBudget) -> Outcome {
    note(packet)
    guard packet.pointer.pointee.size > 0 else { return .nothing }
    let isWhole = completesSubPicture(packet)
    // libavcodec would take the container's duration for the stream's own where that is missing.
    packet.pointer.pointee.duration = 0
    var subtitle = AVSubtitle()
    var hasSubtitle: Int32 = 0
    let code = bs_decode_subtitle(context, &subtitle, &hasSubtitle, packet.pointer)
    guard code >= 0 else { return .fault(libraryMessage(code)) }
    guard hasSubtitle != 0 else {
      // A DVD sub-picture with nothing to see replaces the one before.
      if codec == .vobsub, isWhole, let lastTime { return .clear(at: lastTime) }
      return .nothing
    }
    defer {
      avsubtitle_free(&subtitle)
      times.removeAll(keepingCapacity: true)
    }
    guard let base = exactTime(subtitle.pts) else { return .fault("it has no time") }
    let start = base + Timestamp(milliseconds: Int64(subtitle.start_display_time))
    var stop: Timestamp?
    let isOpen = subtitle.end_display_time >= openEnd
    if !isOpen, subtitle.end_display_time > subtitle.start_display_time {
      stop = base + Timestamp(milliseconds: Int64(subtitle.end_display_time))
    }
    switch objects(of: subtitle, &limits) {
    case .success(let objects) where objects.isEmpty && subtitle.num_rects > 0:
      return .nothingDrawable(
        at: start, reason: "none of its \(subtitle.num_rects) objects can be drawn")
    case .success(let objects) where objects.isEmpty: return .clear(at: start)
    case .success(let objects):
      return .picture(Picture(start: start, stop: stop, isOpen: isOpen, objects: objects))
    case .failure(let fault): return .nothingDrawable(at: start, reason: fault.description)
    }
  }

  /// The stop time from which on it means "until the next": the largest that a DVD can state,
  /// 0xFFFF units of 1024 ticks of 90 kHz, and libavcodec's own mark for PGS.
  private var openEnd: UInt32 { codec == .vobsub ? 0xFFFF * 1024 / 90 : .max }

  private func note(_ packet: Packet) {
    guard let ticks = packet.ticks else { return }
    let exact = timebase.timestamp(ticks)
    lastTime = exact
    guard times.count < Self.rememberedTimes, timebase.num > 0, timebase.den > 0 else { return }
    let microseconds = AVRational(num: 1, den: Int32(AV_TIME_BASE))
    times.append((av_rescale_q(ticks, timebase, microseconds), exact))
  }

  /// libavcodec's time, without its rounding to microseconds.
  private func exactTime(_ microseconds: Int64) -> Timestamp? {
    guard microseconds != bs_no_pts else { return lastTime }
    return times.first { $0.microseconds == microseconds }?.exact
      ?? Timestamp(ticks: microseconds, numerator: 1, denominator: Int64(AV_TIME_BASE))
  }

  /// Whether a packet ends a DVD sub-picture, whose first two bytes state its size.
  private func completesSubPicture(_ packet: Packet) -> Bool {
    guard codec == .vobsub, let data = packet.pointer.pointee.data else { return true }
    let size = Int(packet.pointer.pointee.size)
    if missingBytes > 0 {
      missingBytes = max(0, missingBytes - size)
    } else if size >= 2 {
      missingBytes = max(0, (Int(data[0]) << 8 | Int(data[1])) - size)
    }
    return missingBytes == 0
  }

  private func objects(
    of subtitle: AVSubtitle, _ limits: inout PixelBudget
  ) -> Result<[CueObject], MediaError> {
    guard subtitle.num_rects > 0, let rects = subtitle.rects else { return .success([]) }
    guard subtitle.num_rects <= DecodingLimits.objectsPerCue else {
      return .failure(
        MediaError(
          .tooLarge,
          "it has \(subtitle.num_rects) rectangles, more than \(DecodingLimits.objectsPerCue)"))
    }
    var result: [CueObject] = []
    var pixels = 0
    for index in 0..<Int(subtitle.num_rects) {
      guard let rect = rects[index]?.pointee, rect.type == SUBTITLE_BITMAP,
        rect.w > 0, rect.h > 0, let data = rect.data.0, Int(rect.linesize.0) >= Int(rect.w)
      else { continue }
      pixels += Int(rect.w) * Int(rect.h)
      guard pixels <= DecodingLimits.pixelsPerCue else {
        return .failure(
          MediaError(
            .tooLarge, "it has more than \(DecodingLimits.pixelsPerCue) pixels"))
      }
      let bitmap = limits.shared(
        width: Int(rect.w), height: Int(rect.h), data: data, stride: Int(rect.linesize.0))
      result.append(
        CueObject(
          x: Int(rect.x), y: Int(rect.y), bitmap: bitmap, palette: Palette(rect: rect),
          isForced: rect.flags & AV_SUBTITLE_FLAG_FORCED != 0))
    }
    return .success(result)
  }
}

extension Palette {
  /// The palette of a decoded rectangle: words of 0xAARRGGBB, straight alpha.
  fileprivate init(rect: AVSubtitleRect) {
    guard let data = rect.data.1, rect.nb_colors > 0 else {
      self.init(colors: [])
      return
    }
    let count = min(Int(rect.nb_colors), 256)
    self.init(
      colors: data.withMemoryRebound(to: UInt32.self, capacity: count) { words in
        (0..<count).map { index in
          let word = words[index]
          return PaletteColor(
            red: UInt8(truncatingIfNeeded: word >> 16), green: UInt8(truncatingIfNeeded: word >> 8),
            blue: UInt8(truncatingIfNeeded: word), alpha: UInt8(truncatingIfNeeded: word >> 24))
        }
      })
  }
}
