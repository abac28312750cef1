// SPDX-License-Identifier: Apache-2.0

/// What one stream URL asks for, decided as the server decides it at stream time.
package struct StreamPlan: Sendable, Equatable {
  enum SegmentContainer: String, Sendable {
    case transportStream = "ts"
    case fragmentedMP4 = "mp4"
  }

  var film: Film
  var video: FilmStream
  var audio: FilmStream?
  /// The track drawn into the picture, if there is one of the index asked for.
  var burned: FilmStream?
  /// Whether an index was asked to be burned in, also one that names no track.
  var wantsBurnIn: Bool
  var copiesVideo: Bool
  var container: SegmentContainer
  /// Seconds.
  var segmentLength: Int
  var width: Int
  var height: Int
  /// Bits a second; nil for no limit.
  var videoBitRate: Int?
  var audioBitRate: Int
  var maximumFrameRate: Float?
  var version: ServerVersion
  /// Marks of the drawing that are wrong on purpose.
  var faults: [Fault]
  var preset: String

  /// Decides what a request for a playlist or a segment asks for; nil for a film without video.
  package init?(request: ServerRequest, film: Film, configuration: ReferenceServerConfiguration) {
    guard let video = film.video else { return nil }
    let version = configuration.version
    self.film = film
    self.video = video
    self.version = version
    faults = configuration.faults
    preset = configuration.preset
    audio =
      request.number("AudioStreamIndex").flatMap { index in
        film.audio.first { $0.index == index }
      } ?? film.defaultAudio
    container = Self.container(of: request)
    videoBitRate = request.number("VideoBitrate").flatMap {
      $0 > 0 ? min($0, Self.bitRateLimit) : nil
    }
    audioBitRate = min(max(request.number("AudioBitrate") ?? 128_000, 32_000), 10_000_000)
    maximumFrameRate = request.parameter("MaxFramerate").flatMap { Float($0) }

    let size = OutputSize(video: video, request: request, serverLimit: configuration.maximumHeight)
    (width, height) = (size.width, size.height)
    let index = request.number("SubtitleStreamIndex").flatMap { $0 >= 0 ? $0 : nil }
    let encodes = Self.encodes(request, version: version)
    let always = request.flag("AlwaysBurnInSubtitleWhenTranscoding") == true
    copiesVideo =
      !(index != nil && encodes)
      && Self.mayCopy(request, video: video, size: size)
    if configuration.faults.contains(.copyVideo) { copiesVideo = true }
    if copiesVideo { (width, height) = (video.width ?? width, video.height ?? height) }
    wantsBurnIn = index != nil && !copiesVideo && (encodes || always)
    burned = wantsBurnIn ? film.subtitles.first { $0.index == index } : nil
    segmentLength =
      request.number("SegmentLength").flatMap { (1...60).contains($0) ? $0 : nil }
      ?? (copiesVideo ? 6 : 3)
    applyFaults()
  }

  /// Bits a second above which no film goes; keeps sums in range.
  static let bitRateLimit = 2_000_000_000

  /// The container of the segments; Emby's clients may send a list.
  private static func container(of request: ServerRequest) -> SegmentContainer {
    let names = (request.parameter("SegmentContainer") ?? "").lowercased().split(separator: ",")
    let isMP4 = names.contains("mp4") || names.contains("m4s")
    return isMP4 && !names.contains("ts") ? .fragmentedMP4 : .transportStream
  }

  /// Whether the request's SubtitleMethod, or its absence, means burning in.
  private static func encodes(_ request: ServerRequest, version: ServerVersion) -> Bool {
    guard let method = request.parameter("SubtitleMethod")?.lowercased() else {
      return version.burnsWithoutMethod
    }
    // Emby was seen to burn nothing where the address has the method twice.
    let count = request.parameters.count { $0.name.lowercased() == "subtitlemethod" }
    if version.isEmby, count > 1 { return false }
    return method == "encode" || method == "0"
  }

  /// Whether the video need not be encoded anew.
  private static func mayCopy(
    _ request: ServerRequest, video: FilmStream, size: OutputSize
  ) -> Bool {
    let codecs = (request.parameter("VideoCodec") ?? "").lowercased().split(separator: ",")
    guard codecs.contains(Substring(video.codec)), request.flag("AllowVideoStreamCopy") != false,
      request.flag("EnableAutoStreamCopy") != false, !size.isReduced
    else { return false }
    if let limit = request.number("VideoBitrate"), let rate = video.bitRate, rate > limit {
      return false
    }
    return true
  }

  private mutating func applyFaults() {
    for fault in faults {
      switch fault {
      case .ignoreSubtitle: burned = nil
      case .wrongTrack(let index):
        if wantsBurnIn { burned = film.subtitles.first { $0.index == index } }
      default: break
      }
    }
  }
}

/// The size of the encoded picture.
struct OutputSize: Equatable {
  var width: Int
  var height: Int
  /// Whether it is smaller than the stored picture.
  var isReduced: Bool

  /// The side that no server passes.
  static let sideLimit = 4096

  /// Works out the size: the stored picture, fitted into the limits of the request, of its bit rate
  /// and of the server, with even sides.
  init(video: FilmStream, request: ServerRequest, serverLimit: Int?) {
    let storedWidth = max(video.width ?? 2, 2)
    let storedHeight = max(video.height ?? 2, 2)
    var maximumWidth = request.number("MaxWidth") ?? request.number("Width")
    var maximumHeight = request.number("MaxHeight") ?? request.number("Height")
    if let rate = request.number("VideoBitrate"), let source = video.bitRate, rate < source,
      let width = Self.widthLimit(for: rate), width < maximumWidth ?? storedWidth
    {
      maximumWidth = width
      maximumHeight = nil
    }
    if let serverLimit { maximumHeight = min(maximumHeight ?? serverLimit, serverLimit) }
    let limitWidth = min(max(maximumWidth ?? storedWidth, 2), Self.sideLimit)
    let limitHeight = min(max(maximumHeight ?? storedHeight, 2), Self.sideLimit)
    let scale = min(
      1, Double(limitWidth) / Double(storedWidth), Double(limitHeight) / Double(storedHeight))
    width = max(Int((Double(storedWidth) * scale).rounded(.toNearestOrEven)) / 2 * 2, 2)
    height = max(Int((Double(storedHeight) * scale).rounded(.toNearestOrEven)) / 2 * 2, 2)
    isReduced = scale < 1
  }

  /// The widest picture that the server makes at a bit rate below the film's own; nil for any.
  ///
  /// Each row of the table is a bit rate and the width of the row before it.
  static func widthLimit(for bitRate: Int) -> Int? {
    let table = [
      (320_000, 426), (400_000, 426), (950_000, 640), (2_500_000, 720), (4_000_000, 1280),
      (20_000_000, 1920), (35_000_000, 2560),
    ]
    return table.first { bitRate <= $0.0 }?.1
  }
}
