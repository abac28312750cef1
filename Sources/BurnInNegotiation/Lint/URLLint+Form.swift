// SPDX-License-Identifier: Apache-2.0

extension URLLint {
  /// The ticks of a segment, which Jellyfin trusts as the place to start from.
  mutating func checkTicks() {
    let names = ["runtimeTicks", "actualSegmentLengthTicks"]
    let present = names.filter { !query.values($0).isEmpty }
    if let written = facts.asWritten {
      let original = StreamQuery(url: written)
      let altered = names.filter { original.values($0) != query.values($0) }
      if !altered.isEmpty {
        find(
          .runtimeTicksAltered, .fault,
          "The segment's \(altered.joined(separator: " and ")) is not what the playlist says, so "
            + "another picture comes under its number.",
          "Jellyfin DynamicHlsController.cs trusts runtimeTicks as the start position")
      }
    }
    if present.count == 1, let missing = names.first(where: { !present.contains($0) }) {
      find(
        .segmentTicksMissing, .fault,
        "The segment has no \(missing), which Jellyfin answers with 400.",
        "Jellyfin DynamicHlsController.cs requires both")
    }
  }

  mutating func checkForm() {
    let named = facts.answer?.source?.transcodingSubProtocol.map(Text.folded) ?? ""
    if !named.isEmpty, named != "hls" {
      find(
        .notHLS, .fault, "The answer's TranscodingSubProtocol is not hls.",
        "a burn-in is claimed for HLS answers only")
    } else if !isStreamPath {
      find(
        .notHLS, .doubt, "The URL leads to neither a playlist nor a segment of HLS.",
        "both servers write master.m3u8")
    }
    if let parts = URLParts(encodable), parts.scheme != nil || parts.authority != nil {
      checkOrigin(parts)
    }
    if encodable != facts.url {
      find(
        .illegalCharacters, .note,
        "The URL holds characters that must be percent-encoded: encode those alone, and nothing "
          + "twice.", "Jellyfin does not encode the values of the query")
    }
    checkReasons()
  }

  /// The URL with characters that no URL may hold replaced, so that its parts can be told.
  private var encodable: String {
    String(
      decoding: facts.url.utf8.map { byte in
        byte <= 0x20 || byte >= 0x7F || "\"<>\\^`{|}".utf8.contains(byte) ? 0x5F : byte
      }, as: UTF8.self)
  }

  /// Whether the path ends as a playlist or a segment does.
  private var isStreamPath: Bool {
    guard let path = URLParts(encodable)?.path.lowercased() else { return false }
    return [".m3u8", ".ts", ".mp4", ".m4s"].contains { path.hasSuffix($0) }
  }

  private mutating func checkOrigin(_ parts: URLParts) {
    if let server = facts.serverURL.flatMap(URLParts.init)?.origin, parts.origin != server {
      find(
        .foreignOrigin, .fault, "The URL is not on the server itself and must not be played.",
        "rule R10")
    } else {
      find(
        .absoluteURL, .note, "The URL is absolute, where both servers write a path from the root.",
        "rule R10: it must be on the server itself, without user information")
    }
  }

  private mutating func checkReasons() {
    let separators = Set(
      query.values("TranscodeReasons").flatMap { value in
        let parts = value.split(separator: ",", omittingEmptySubsequences: false).dropFirst()
        return parts.map { $0.hasPrefix(" ") || $0.hasPrefix("+") }
      })
    if separators.count > 1 {
      find(
        .reasonsMixed, .note,
        "The transcode reasons are separated by commas with and without a blank: something rewrote "
          + "them.", "Jellyfin up to 10.10 writes a blank, 10.11 and Emby do not")
    }
  }

  /// What one of the servers does not bear.
  mutating func checkServerHabits() {
    let names = Set(query.items.map(\.name))
    let starts = query.values("StartTimeTicks").compactMap { Int64($0) }
    if facts.server == .jellyfin, starts.contains(where: { $0 > 0 }) {
      find(
        .startTimeOnHLS, .fault,
        "The URL has StartTimeTicks, which Jellyfin's HLS answers with 400.",
        "Jellyfin DynamicHlsController.cs")
    }
    if facts.server == .emby,
      query.values("EnableDirectStream").contains(where: { Text.folded($0) == "false" })
    {
      find(
        .directStreamDisabled, .fault,
        "The URL has EnableDirectStream=false, with which Emby finds no segment.",
        "measured on Emby 4.10 by others")
    }
    if facts.track != nil, names.contains("manifestsubtitles") {
      find(
        .manifestSubtitles, .doubt,
        "The URL has ManifestSubtitles, which is to be left out when a subtitle is burned in.",
        "a code comment of emby-watchparty")
    }
  }

  /// What the answer and the request say beside the URL.
  mutating func checkAnswer() {
    guard let track = facts.track else { return }
    if let streams = facts.answer?.source?.streams, !streams.isEmpty,
      !streams.contains(where: { $0.index == track && $0.type == .subtitle })
    {
      find(
        .streamUnknown, .fault,
        "Stream \(track) is no subtitle of the source: the server encodes the video, burns nothing "
          + "in and reports no error.", "Jellyfin EncodingHelper.cs; a stale index is only echoed")
    }
    if let echo = facts.answer?.source?.defaultSubtitleStreamIndex, echo != track {
      find(
        .echoDiffers, .fault,
        "The answer says that it will use subtitle \(echo), and \(track) is wanted.",
        "Jellyfin MediaInfoHelper.cs: DefaultSubtitleStreamIndex is what the server will use")
    }
    if let body = facts.body, body.subtitleStreamIndex >= 0, body.mediaSourceID?.isEmpty != false {
      find(
        .sourceNotSent, .fault,
        "The request names a subtitle and no MediaSourceId, so the server drops the index.",
        "Jellyfin MediaInfoHelper.cs; Emby's open code has the same rule")
    }
  }
}
