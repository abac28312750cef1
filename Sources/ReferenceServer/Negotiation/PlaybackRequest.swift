// SPDX-License-Identifier: Apache-2.0

/// What a client asks in a negotiation: the body, with the query's values before it.
struct PlaybackRequest: Sendable {
  var userID: String?
  var mediaSourceID: String?
  var audioIndex: Int?
  var subtitleIndex: Int?
  var startTicks: Int?
  var maximumBitRate: Int?
  var enablesDirectPlay: Bool
  var enablesDirectStream: Bool
  var allowsVideoCopy: Bool
  var allowsAudioCopy: Bool
  var alwaysBurnsIn: Bool
  /// Nil where the client sends none; an empty one permits nothing.
  var profile: JSON?

  /// Takes the profile that the device left with the server where the body has none.
  init(body: JSON, request: ServerRequest, storedProfile: JSON? = nil) {
    func text(_ name: String) -> String? { request.parameter(name) ?? body[name]?.text }
    func whole(_ name: String) -> Int? { request.number(name) ?? body[name]?.whole }
    func flag(_ name: String) -> Bool { request.flag(name) ?? body[name]?.flag ?? true }
    userID = text("UserId")
    mediaSourceID = text("MediaSourceId")
    audioIndex = whole("AudioStreamIndex")
    subtitleIndex = whole("SubtitleStreamIndex")
    profile = body["DeviceProfile"] ?? storedProfile
    startTicks = whole("StartTimeTicks")
    let rate = whole("MaxStreamingBitrate") ?? profile?["MaxStreamingBitrate"]?.whole
    maximumBitRate = rate.map { min(max($0, 0), StreamPlan.bitRateLimit) }
    enablesDirectPlay = flag("EnableDirectPlay")
    enablesDirectStream = flag("EnableDirectStream")
    allowsVideoCopy = flag("AllowVideoStreamCopy")
    allowsAudioCopy = flag("AllowAudioStreamCopy")
    alwaysBurnsIn = body["AlwaysBurnInSubtitleWhenTranscoding"]?.flag ?? false
  }
}

/// What a device profile says of one kind of transcode.
struct TranscodingProfile: Sendable {
  var container: String
  var videoCodecs: String
  var audioCodecs: String
  var segmentLength: Int?
  var minimumSegments: Int?
  var maximumWidth: Int?
  var maximumHeight: Int?

  /// The first profile of a video over HLS in a container and coding that the server makes.
  init?(of profile: JSON) {
    let entries = profile["TranscodingProfiles"]?.elements ?? []
    let entry = entries.first { entry in
      let kind = entry["Type"]?.text?.lowercased() ?? "audio"
      let context = entry["Context"]?.text?.lowercased() ?? "streaming"
      let codecs = (entry["VideoCodec"]?.text ?? "").lowercased().split(separator: ",")
      return kind == "video" && context == "streaming"
        && entry["Protocol"]?.text?.lowercased() == "hls"
        && ["ts", "mp4"].contains(entry["Container"]?.text?.lowercased())
        && codecs.contains("h264")
    }
    guard let entry, let container = entry["Container"]?.text else { return nil }
    self.container = container.lowercased()
    videoCodecs = entry["VideoCodec"]?.text ?? "h264"
    audioCodecs = entry["AudioCodec"]?.text ?? "aac"
    segmentLength = entry["SegmentLength"]?.whole.flatMap { $0 > 0 ? $0 : nil }
    minimumSegments = entry["MinSegments"]?.whole.flatMap { $0 > 0 ? $0 : nil }
    let codecConditions = (profile["CodecProfiles"]?.elements ?? []).filter { entry in
      guard entry["Type"]?.text?.lowercased() == "video" else { return false }
      let codecs = (entry["Codec"]?.text ?? "").lowercased().split(separator: ",")
      return codecs.isEmpty || codecs.contains("h264")
    }.flatMap { $0["Conditions"]?.elements ?? [] }
    let conditions = (entry["Conditions"]?.elements ?? []) + codecConditions
    maximumWidth = Self.limit("Width", in: conditions)
    maximumHeight = Self.limit("Height", in: conditions)
  }

  private static func limit(_ property: String, in conditions: [JSON]) -> Int? {
    conditions.filter {
      $0["Property"]?.text?.lowercased() == property.lowercased()
        && ["lessthanequal", "equals"].contains($0["Condition"]?.text?.lowercased())
    }.compactMap { $0["Value"]?.whole }.min()
  }
}
