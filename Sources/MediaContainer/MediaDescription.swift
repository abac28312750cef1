// SPDX-License-Identifier: Apache-2.0
internal import CFFmpegShims
public import SubtitleModel

/// Where a reader's zero of time is.
public enum TimeOrigin: Sendable, Hashable {
  /// The container's start time (its earliest presentation time) is zero.
  ///
  /// Files without video and audio (.sup, .idx, .mks) keep their own clock, so that a late first
  /// cue keeps its time.
  case containerStart
  /// Times are the container's own, as segments of one stream need them.
  case absolute
}

/// What a container says of itself and of its streams.
public struct MediaDescription: Sendable, Hashable {
  /// FFmpeg's name of the container, such as `matroska,webm`.
  public var formatName: String
  /// The length of the file, from its start time; nil where unknown.
  public var duration: Timestamp?
  /// The container's time that became zero; zero where times are kept as they are.
  public var startTime: Timestamp
  /// The first video stream that is no cover picture.
  public var video: VideoDescription?
  /// The subtitle streams, in the container's order.
  public var subtitles: [TrackDescription]
  /// The number of streams of all kinds.
  public var streamCount: Int

  /// Makes a description, such as that of a raw stream that needs no demuxer.
  package init(
    formatName: String, duration: Timestamp?, startTime: Timestamp, video: VideoDescription?,
    subtitles: [TrackDescription], streamCount: Int
  ) {
    self.formatName = formatName
    self.duration = duration
    self.startTime = startTime
    self.video = video
    self.subtitles = subtitles
    self.streamCount = streamCount
  }
}

extension DecodedTrack {
  /// The canvas to draw the track on: its own, or the likeliest where it states none.
  ///
  /// Where neither the container nor the stream states a canvas (a VobSub without `size:`), FFmpeg
  /// takes the size of the file's video, and without video 720x576. Cues that lie outside the latter
  /// were made for a larger picture: then it is the smallest usual one that holds them all.
  public func canvas(fallingBackTo video: VideoDescription?) -> Canvas {
    if let canvas { return canvas }
    if let video, video.width > 0, video.height > 0 {
      return Canvas(width: video.width, height: video.height)
    }
    let right = cues.map { $0.bounds.x + $0.bounds.width }.max() ?? 0
    let bottom = cues.map { $0.bounds.y + $0.bounds.height }.max() ?? 0
    let usual = [(720, 576), (1280, 720), (1920, 1080), (3840, 2160)].map {
      Canvas(width: $0, height: $1)
    }
    return usual.first { $0.width >= right && $0.height >= bottom }
      ?? Canvas(width: max(right, 3840), height: max(bottom, 2160))
  }
}

extension Demuxer {
  /// The time that is subtracted from all times.
  func origin(_ wanted: TimeOrigin) -> Timestamp {
    guard wanted == .containerStart, context.pointee.start_time != bs_no_pts else { return .zero }
    let streams = (0..<streamCount).compactMap { stream($0) }
    let carriesFilm = streams.contains { stream in
      let type = stream.pointee.codecpar.pointee.codec_type
      return type == AVMEDIA_TYPE_AUDIO || (type == AVMEDIA_TYPE_VIDEO && !stream.isCover)
    }
    guard carriesFilm else { return .zero }
    // The start time is in microseconds; a stream that begins then knows it exactly.
    let start = context.pointee.start_time
    let microseconds = AVRational(num: 1, den: Int32(AV_TIME_BASE))
    for stream in streams where stream.pointee.start_time != bs_no_pts {
      let timebase = stream.pointee.time_base
      if timebase.num > 0, timebase.den > 0,
        av_rescale_q(stream.pointee.start_time, timebase, microseconds) == start
      {
        return timebase.timestamp(stream.pointee.start_time)
      }
    }
    return microseconds.timestamp(start)
  }

  /// When the file ends, as the container states or libavformat estimates it; nil where unknown.
  ///
  /// A Matroska file of subtitles alone ends by its stated length, counted from zero: libavformat knows
  /// the time of its first block of some codings only.
  func end(origin: Timestamp) -> Timestamp? {
    let duration = context.pointee.duration
    guard duration != bs_no_pts, duration > 0 else { return nil }
    let microseconds = AVRational(num: 1, den: Int32(AV_TIME_BASE))
    let start = context.pointee.start_time
    if formatName.hasPrefix("matroska"), !hasFilm {
      return microseconds.timestamp(duration) - origin
    }
    return (start == bs_no_pts ? origin : microseconds.timestamp(start))
      + microseconds.timestamp(duration) - origin
  }

  private var hasFilm: Bool {
    (0..<streamCount).contains {
      let type = stream($0)?.pointee.codecpar.pointee.codec_type
      return type == AVMEDIA_TYPE_VIDEO || type == AVMEDIA_TYPE_AUDIO
    }
  }

  /// Describes the container and its streams.
  func describe(_ timeOrigin: TimeOrigin) -> MediaDescription {
    let duration = context.pointee.duration
    var subtitles: [TrackDescription] = []
    for index in 0..<streamCount {
      guard let stream = stream(index),
        stream.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_SUBTITLE
      else { continue }
      subtitles.append(stream.describeTrack(ordinal: subtitles.count))
    }
    return MediaDescription(
      formatName: formatName,
      duration: duration != bs_no_pts && duration > 0
        ? Timestamp(ticks: duration, numerator: 1, denominator: Int64(AV_TIME_BASE)) : nil,
      startTime: origin(timeOrigin), video: videoStream.flatMap { describeVideo($0) },
      subtitles: subtitles, streamCount: streamCount)
  }

  /// The index of the first video stream that is no cover picture.
  var videoStream: Int? {
    (0..<streamCount).first { index in
      guard let stream = stream(index) else { return false }
      return stream.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_VIDEO && !stream.isCover
    }
  }

  private func describeVideo(_ index: Int) -> VideoDescription? {
    guard let stream = stream(index), let parameters = stream.pointee.codecpar else { return nil }
    var aspect = stream.pointee.sample_aspect_ratio
    if aspect.num <= 0 || aspect.den <= 0 { aspect = parameters.pointee.sample_aspect_ratio }
    if aspect.num <= 0 || aspect.den <= 0 { aspect = AVRational(num: 1, den: 1) }
    var rate = stream.pointee.avg_frame_rate
    if rate.num <= 0 || rate.den <= 0 { rate = stream.pointee.r_frame_rate }
    if rate.num <= 0 || rate.den <= 0 { rate = AVRational(num: 0, den: 1) }
    let space = parameters.pointee.color_space
    let matrix =
      space == AVCOL_SPC_UNSPECIFIED
      ? nil : av_color_space_name(space).map { String(cString: $0) }
    return VideoDescription(
      streamIndex: index, codecName: codecName(parameters.pointee.codec_id),
      width: Int(parameters.pointee.width), height: Int(parameters.pointee.height),
      sampleAspectNumerator: Int(aspect.num), sampleAspectDenominator: Int(aspect.den),
      frameRateNumerator: Int(rate.num), frameRateDenominator: Int(rate.den), colorMatrix: matrix)
  }
}

extension UnsafeMutablePointer<AVStream> {
  /// Whether the stream is a cover picture and not a film.
  var isCover: Bool { pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0 }

  /// A value of the stream's metadata, without surrounding spaces; nil where empty.
  func metadata(_ key: String) -> String? {
    guard let entry = av_dict_get(pointee.metadata, key, nil, 0),
      let value = entry.pointee.value
    else { return nil }
    let text = Substring(String(cString: value)).trimmingSpaces
    return text.isEmpty ? nil : text
  }

  /// Describes a subtitle stream.
  func describeTrack(ordinal: Int) -> TrackDescription {
    let parameters = pointee.codecpar
    let id = parameters?.pointee.codec_id ?? AV_CODEC_ID_NONE
    let codec = SubtitleCodec(id)
    var canvas: Canvas?
    if let parameters, parameters.pointee.width > 0, parameters.pointee.height > 0 {
      canvas = Canvas(width: Int(parameters.pointee.width), height: Int(parameters.pointee.height))
    } else if codec == .vobsub, let decoder = try? SubtitleDecoder(stream: self, name: "") {
      canvas = decoder.canvas
    }
    return TrackDescription(
      streamIndex: Int(pointee.index), subtitleOrdinal: ordinal, codec: codec,
      codecName: codecName(id), language: metadata("language"), title: metadata("title"),
      flags: TrackFlags(disposition: pointee.disposition), canvas: canvas)
  }
}

extension SubtitleCodec {
  /// The coding of FFmpeg's number.
  init(_ id: AVCodecID) {
    switch id {
    case AV_CODEC_ID_HDMV_PGS_SUBTITLE: self = .pgs
    case AV_CODEC_ID_DVD_SUBTITLE: self = .vobsub
    case AV_CODEC_ID_DVB_SUBTITLE: self = .dvb
    case AV_CODEC_ID_XSUB: self = .xsub
    case AV_CODEC_ID_DVB_TELETEXT: self = .teletext
    default:
      let properties = avcodec_descriptor_get(id).map { $0.pointee.props } ?? 0
      self = properties & AV_CODEC_PROP_TEXT_SUB != 0 ? .text : .unknown
    }
  }

  /// FFmpeg's number of a bitmap coding; nil for the others.
  var libraryID: AVCodecID? {
    switch self {
    case .pgs: AV_CODEC_ID_HDMV_PGS_SUBTITLE
    case .vobsub: AV_CODEC_ID_DVD_SUBTITLE
    case .dvb: AV_CODEC_ID_DVB_SUBTITLE
    case .xsub: AV_CODEC_ID_XSUB
    case .teletext, .text, .unknown: nil
    }
  }
}

extension TrackFlags {
  /// Each flag with FFmpeg's bit for it.
  private static let bits: [(TrackFlags, Int32)] = [
    (.default, AV_DISPOSITION_DEFAULT), (.forced, AV_DISPOSITION_FORCED),
    (.hearingImpaired, AV_DISPOSITION_HEARING_IMPAIRED),
    (.visualImpaired, AV_DISPOSITION_VISUAL_IMPAIRED), (.original, AV_DISPOSITION_ORIGINAL),
    (.dub, AV_DISPOSITION_DUB), (.commentary, AV_DISPOSITION_COMMENT),
    (.lyrics, AV_DISPOSITION_LYRICS), (.captions, AV_DISPOSITION_CAPTIONS),
    (.descriptions, AV_DISPOSITION_DESCRIPTIONS),
  ]

  /// The flags of FFmpeg's disposition bits.
  init(disposition: Int32) {
    self = []
    for (flag, bit) in Self.bits where disposition & bit != 0 { insert(flag) }
  }

  /// FFmpeg's disposition bits.
  var disposition: Int32 {
    Self.bits.reduce(0) { contains($1.0) ? $0 | $1.1 : $0 }
  }
}

/// FFmpeg's name of a coding.
func codecName(_ id: AVCodecID) -> String {
  avcodec_get_name(id).map { String(cString: $0) } ?? "unknown"
}
