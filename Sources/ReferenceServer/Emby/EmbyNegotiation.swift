// SPDX-License-Identifier: Apache-2.0

// What Emby's negotiation does in its own way.
extension Negotiator {
  /// The track of the answer: -1 is not trusted, since Emby was seen to choose a default track then.
  var embySubtitleIndex: Int? {
    guard let asked = request.subtitleIndex else { return ownChoice }
    guard asked < 0 else { return asked }
    return film.subtitles.first { $0.isDefault }?.index ?? asked
  }

  /// The address of the file as it is.
  var embyDirectURL: String {
    let ending = film.fileExtension.isEmpty ? "" : "." + film.fileExtension
    return "/videos/\(film.id)/original\(ending)?DeviceId=\(deviceID)"
      + "&MediaSourceId=\(film.sourceID)&PlaySessionId=\(playSessionID)&api_key=\(token)"
  }

  /// The address of the transcode.
  ///
  /// Index and method of a track stand in it together or not at all, and each once. What the client
  /// said of stream copies does not stand there.
  func embyTranscodingURL(
    _ transcoding: TranscodingProfile, subtitleIndex: Int?, method: DeliveryMethod,
    reasons: [String]
  ) -> String {
    let audio = film.stream(request.audioIndex) ?? film.defaultAudio
    let audioRate = audio == nil ? 0 : min(audio?.bitRate ?? 192_000, 640_000)
    let burned = subtitleIndex.flatMap { $0 >= 0 && method == .encode ? $0 : nil }
    let start = request.startTicks.flatMap { $0 > 0 ? $0 : nil }
    var items: [(String, String?)] = [
      ("DeviceId", deviceID), ("MediaSourceId", film.sourceID),
      ("StartTimeTicks", start.map { "\($0)" }), ("PlaySessionId", playSessionID),
      ("api_key", token), ("VideoCodec", transcoding.videoCodecs),
      ("AudioCodec", transcoding.audioCodecs),
      ("VideoBitrate", "\(max(maximumBitRate - audioRate, 0))"),
      ("AudioBitrate", audio == nil ? nil : "\(audioRate)"),
      ("MaxWidth", transcoding.maximumWidth.map { "\($0)" }),
      ("MaxHeight", transcoding.maximumHeight.map { "\($0)" }),
      ("AudioStreamIndex", audio.map { "\($0.index)" }), ("TranscodingMaxAudioChannels", "2"),
      ("SegmentContainer", transcoding.container),
      ("SegmentLength", transcoding.segmentLength.map { "\($0)" }),
      ("MinSegments", transcoding.minimumSegments.map { "\($0)" }),
      ("BreakOnNonKeyFrames", "True"), ("SubtitleStreamIndex", burned.map { "\($0)" }),
      ("SubtitleMethod", burned == nil ? nil : "Encode"),
    ]
    if let video = film.video {
      items.append(
        ("\(video.codec)-profile", video.profile?.lowercased().filter { $0 != " " }))
      items.append(("\(video.codec)-level", video.level.map { "\($0)" }))
    }
    items.append(("TranscodeReasons", reasons.joined(separator: version.reasonSeparator)))
    let query = items.compactMap { name, value in value.map { "\(name)=\($0)" } }
    return "/videos/\(film.id)/master.m3u8?" + query.joined(separator: "&")
  }
}
