// SPDX-License-Identifier: Apache-2.0

extension PlaybackAnswer {
  /// The facts of a PlaybackInfo answer as a server wrote it.
  ///
  /// Names in any letter case, unknown members, missing members and numbers as text are borne; what
  /// cannot be read counts as absent.
  /// - Parameters:
  ///   - json: The answer.
  ///   - mediaSourceID: The media source that was asked for; nil takes the first.
  public init(json: WireValue, mediaSourceID: String? = nil) {
    let sources = json["MediaSources"]?.array ?? []
    let source =
      mediaSourceID.map { wanted in
        sources.first { Self.isSame($0["Id"]?.string, wanted) }
      } ?? sources.first
    self.init(
      errorCode: json["ErrorCode"]?.string, playSessionID: json["PlaySessionId"]?.string,
      source: source.map(Source.init(json:)))
  }

  /// Whether two ids are the same: Jellyfin writes a GUID with and without hyphens.
  private static func isSame(_ id: String?, _ other: String) -> Bool {
    guard let id else { return false }
    func plain(_ text: String) -> String { Text.folded(text).replacing("-", with: "") }
    return id == other || plain(id) == plain(other)
  }
}

extension PlaybackAnswer.Source {
  /// The facts of a media source as a server wrote it.
  public init(json: WireValue) {
    self.init(
      supportsDirectPlay: json["SupportsDirectPlay"]?.bool ?? false,
      supportsTranscoding: json["SupportsTranscoding"]?.bool ?? false,
      transcodingURL: json["TranscodingUrl"]?.string,
      transcodingSubProtocol: json["TranscodingSubProtocol"]?.string,
      defaultSubtitleStreamIndex: json["DefaultSubtitleStreamIndex"]?.int,
      streams: (json["MediaStreams"]?.array ?? []).map(SourceStream.init(json:)))
  }
}

extension SourceStream {
  /// A stream as a server wrote it.
  public init(json: WireValue) {
    self.init(
      index: json["Index"]?.int, type: StreamType(serverName: json["Type"]?.string),
      codec: json["Codec"]?.string, language: json["Language"]?.string,
      title: json["DisplayTitle"]?.string ?? json["Title"]?.string,
      isDefault: json["IsDefault"]?.bool ?? false, isForced: json["IsForced"]?.bool ?? false,
      isHearingImpaired: json["IsHearingImpaired"]?.bool ?? false,
      isExternal: json["IsExternal"]?.bool ?? false,
      deliveryMethod: json["DeliveryMethod"]?.string, height: json["Height"]?.int)
  }
}
