// SPDX-License-Identifier: Apache-2.0

/// Decides how a film gets to a client.
struct Negotiator: Sendable {
  let film: Film
  let request: PlaybackRequest
  let profile: JSON
  let version: ServerVersion
  let deviceID: String
  let playSessionID: String
  let token: String
  /// The track that the user's last report of this film named; nil where there was none.
  var rememberedSubtitle: Int?

  /// The bit rate of a profile that names none.
  static let standardBitRate = 8_000_000

  /// Indices count only beside the source's own identifier; else they are dropped silently.
  private var namesSource: Bool {
    request.mediaSourceID.map { film.isSource($0, of: version) } == true
  }

  private var subtitleIndex: Int? {
    guard namesSource else { return ownChoice }
    if version.isEmby { return embySubtitleIndex }
    return request.subtitleIndex ?? ownChoice
  }

  /// What the server takes where nobody asks: the remembered track, else a default or forced one.
  var ownChoice: Int? {
    if rememberedSubtitle == -1 { return -1 }
    return film.subtitles.first { $0.index == rememberedSubtitle }?.index
      ?? film.defaultSubtitle?.index
  }

  private var audioIndex: Int? {
    (namesSource ? request.audioIndex : nil) ?? film.defaultAudio?.index
  }

  private var subtitle: FilmStream? { film.subtitles.first { $0.index == subtitleIndex } }

  var maximumBitRate: Int { request.maximumBitRate ?? Self.standardBitRate }

  /// Decides.
  func outcome() -> NegotiationOutcome {
    let reasons = reasonsAgainstDirectPlay()
    let deliveries = Dictionary(
      uniqueKeysWithValues: film.subtitles.map { ($0.index, delivery(of: $0)) })
    var outcome = NegotiationOutcome(
      supportsDirectPlay: reasons.isEmpty, supportsTranscoding: false, transcodingURL: nil,
      directURL: version.isEmby && reasons.isEmpty ? embyDirectURL : nil, container: nil,
      audioIndex: audioIndex, subtitleIndex: subtitleIndex, deliveries: deliveries)
    guard let transcoding = TranscodingProfile(of: profile) else { return outcome }
    outcome.supportsTranscoding = true
    if !reasons.isEmpty || isToldToTranscode {
      outcome.container = transcoding.container
      outcome.transcodingURL = transcodingURL(
        transcoding, reasons: reasons.isEmpty ? ["DirectPlayError"] : reasons)
    }
    return outcome
  }

  /// For Emby the switches of direct play are advice: they get an address of a transcode, but the
  /// film still counts as one that can be played as it is.
  private var isToldToTranscode: Bool {
    version.isEmby && !request.enablesDirectPlay && !request.enablesDirectStream
  }

  /// Encode, unless the profile takes the track's coding by itself and the server can give it.
  func delivery(of track: FilmStream) -> SubtitleDelivery {
    let codec = track.codecName(of: version).lowercased()
    let isTakenOutside = (profile["SubtitleProfiles"]?.elements ?? []).contains { entry in
      guard entry["Method"]?.text?.lowercased() == "external" else { return false }
      let format = entry["Format"]?.text?.lowercased()
      switch track.codec {
      case "dvb_subtitle": return false
      case "hdmv_pgs_subtitle" where version.isEmby, "dvd_subtitle" where version.isEmby:
        return false
      case "dvd_subtitle":
        return version.givesVobSub && !(track.path?.hasSuffix(".sub") ?? false)
          && (format == "dvdsub" || format == "vobsub")
          && entry["Container"]?.text?.lowercased() == "mks"
      case "hdmv_pgs_subtitle": return format == codec
      default:
        guard track.isTextSubtitle, let format else { return false }
        return format == codec || SubtitleDownload.textTypes[format] != nil
      }
    }
    guard isTakenOutside else { return SubtitleDelivery(method: .encode, url: nil) }
    let format: String
    switch track.codec {
    case "hdmv_pgs_subtitle": format = "pgssub"
    case "dvd_subtitle": format = "mks"
    default: format = textFormat(of: track)
    }
    let item = version.isEmby ? film.id : Identifier.dashed(film.id)
    return SubtitleDelivery(
      method: .external,
      url: "/Videos/\(item)/\(film.sourceID)/Subtitles/\(track.index)/0/Stream."
        + "\(format)?\(version.tokenParameter)=\(token)")
  }

  /// The format in which the profile takes a text track: its own, else one that it can become.
  private func textFormat(of track: FilmStream) -> String {
    let formats = (profile["SubtitleProfiles"]?.elements ?? []).filter {
      $0["Method"]?.text?.lowercased() == "external"
    }.compactMap { $0["Format"]?.text?.lowercased() }
    if formats.contains(track.codec.lowercased()) { return track.codec.lowercased() }
    return formats.first { SubtitleDownload.textTypes[$0] != nil } ?? "vtt"
  }

  /// Why the file cannot be played as it is; empty if it can.
  private func reasonsAgainstDirectPlay() -> [String] {
    guard request.enablesDirectPlay || version.isEmby else { return ["DirectPlayError"] }
    if let rate = film.bitRate, rate > maximumBitRate { return ["ContainerBitrateExceedsLimit"] }
    let profiles = (profile["DirectPlayProfiles"]?.elements ?? []).filter {
      $0["Type"]?.text?.lowercased() == "video"
    }
    guard !profiles.isEmpty else { return ["DirectPlayError"] }
    let candidates = profiles.map(reasons(against:))
    var best = candidates.min { $0.count < $1.count } ?? ["DirectPlayError"]
    if let subtitle, delivery(of: subtitle).method == .encode {
      best.append("SubtitleCodecNotSupported")
    }
    return best
  }

  private func reasons(against entry: JSON) -> [String] {
    func permits(_ name: String, _ value: String?) -> Bool {
      guard let list = entry[name]?.text, !list.isEmpty, let value else { return true }
      let wanted = value.lowercased().split(separator: ",")
      return list.lowercased().split(separator: ",").contains { wanted.contains($0) }
    }
    var reasons: [String] = []
    if !permits("Container", film.container) { reasons.append("ContainerNotSupported") }
    if !permits("VideoCodec", film.video?.codec) { reasons.append("VideoCodecNotSupported") }
    if !permits("AudioCodec", film.stream(audioIndex)?.codec) {
      reasons.append("AudioCodecNotSupported")
    }
    return reasons
  }

  private func transcodingURL(_ transcoding: TranscodingProfile, reasons: [String]) -> String {
    let chosen = subtitle.map { delivery(of: $0).method } ?? .encode
    if version.isEmby {
      return embyTranscodingURL(
        transcoding, subtitleIndex: subtitleIndex, method: chosen, reasons: reasons)
    }
    return jellyfinTranscodingURL(transcoding, method: chosen, reasons: reasons)
  }

  private func jellyfinTranscodingURL(
    _ transcoding: TranscodingProfile, method: DeliveryMethod, reasons: [String]
  ) -> String {
    let audio = film.stream(audioIndex)
    let audioRate = audio == nil ? 0 : min(audio?.bitRate ?? 192_000, 640_000)
    let audioCodecs = transcoding.audioCodecs.lowercased().split(separator: ",")
    let copiesAudio = audio.map { audioCodecs.contains(Substring($0.codec)) } ?? true
    let burns = method == .encode || request.alwaysBurnsIn
    let sent = subtitleIndex.flatMap { $0 >= 0 && burns ? $0 : nil }
    var items: [(String, String?)] = [
      ("DeviceId", deviceID), ("MediaSourceId", film.sourceID),
      ("VideoCodec", transcoding.videoCodecs), ("AudioCodec", transcoding.audioCodecs),
      ("AudioStreamIndex", audio.map { "\($0.index)" }),
      ("SubtitleStreamIndex", sent.map { "\($0)" }),
      ("VideoBitrate", "\(max(maximumBitRate - audioRate, 0))"),
      ("AudioBitrate", copiesAudio ? nil : "\(audioRate)"),
      ("MaxFramerate", film.video?.realFrameRate.map { JSON.float($0).serialized }),
      ("MaxWidth", transcoding.maximumWidth.map { "\($0)" }),
      ("MaxHeight", transcoding.maximumHeight.map { "\($0)" }),
      ("SegmentContainer", transcoding.container),
      ("SegmentLength", transcoding.segmentLength.map { "\($0)" }),
      ("MinSegments", transcoding.minimumSegments.map { "\($0)" }),
      ("PlaySessionId", playSessionID), (version.tokenParameter, token),
      ("SubtitleMethod", method == .encode ? "Encode" : nil),
    ]
    if let video = film.video {
      items.append(("\(video.codec)-level", video.level.map { "\($0)" }))
      // The server takes spaces out and encodes nothing.
      let profile = video.profile?.lowercased().filter { $0 != " " }
      items.append(("\(video.codec)-profile", profile))
    }
    items.append(("TranscodeReasons", reasons.joined(separator: version.reasonSeparator)))
    items.append(("allowVideoStreamCopy", request.allowsVideoCopy ? nil : "false"))
    items.append(("allowAudioStreamCopy", request.allowsAudioCopy ? nil : "false"))
    items.append(
      ("alwaysBurnInSubtitleWhenTranscoding", request.alwaysBurnsIn ? "true" : nil))
    let query = items.compactMap { name, value in value.map { "\(name)=\($0)" } }
    return "/videos/\(Identifier.dashed(film.id))/master.m3u8\(version.queryStart)"
      + query.joined(separator: "&")
  }
}
