// SPDX-License-Identifier: Apache-2.0
internal import BurnInNegotiation
internal import HTTPTransport

/// The container of a transcode's segments.
public enum SegmentContainer: String, Sendable, Hashable, CaseIterable {
  /// MPEG-TS.
  case ts
  /// Fragmented MP4.
  case mp4
}

/// A wish for a transcode with a subtitle track burned in.
public struct BurnInRequest: Sendable, Hashable {
  /// The item's id.
  public var item: String
  /// The media source's id, as the item gives it; without it the server drops the subtitle index.
  public var source: String
  /// The server's index of the subtitle stream.
  public var subtitleStreamIndex: Int
  /// Rows of the picture at most; nil for the source's.
  public var maximumHeight: Int?
  /// Bits a second at most.
  ///
  /// A value below the source's makes the server scale the picture down.
  public var maximumBitrate: Int
  /// The container of the segments.
  public var container: SegmentContainer

  /// Above what any film has, so that the server does not scale down.
  public static let generousBitrate = 200_000_000

  /// Makes a wish.
  public init(
    item: String, source: String, subtitleStreamIndex: Int, maximumHeight: Int? = nil,
    maximumBitrate: Int = BurnInRequest.generousBitrate, container: SegmentContainer = .ts
  ) {
    self.item = item
    self.source = source
    self.subtitleStreamIndex = subtitleStreamIndex
    self.maximumHeight = maximumHeight
    self.maximumBitrate = maximumBitrate
    self.container = container
  }

  /// The body of PlaybackInfo: nothing may be played or copied as it is, and no bitmap format is
  /// declared, so that every bitmap track is to be burned in.
  func body(userID: String, kind: ServerKind) -> PlaybackInfoBody {
    PlaybackInfoBody(
      userID: userID, mediaSourceID: source, maxStreamingBitrate: maximumBitrate,
      deviceProfile: ClientProfile.transcodeOnly.deviceProfile(
        kind: kind, container: container, maximumBitrate: maximumBitrate,
        maximumHeight: maximumHeight)
    ).forbiddingCopy()
  }
}

/// What the server offers for a wish; the description shows no query.
public struct BurnInOffer: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible
{
  /// The master playlist, absolute and without a token: that travels in header fields.
  public var playlistURL: String
  /// The play session, to be stopped afterwards.
  public var playSessionID: String
  /// The device that the URL names, to be stopped with.
  public var deviceID: String?
  /// The media source as answered, with each track's delivery method.
  public var source: MediaSource
  /// What speaks against a burn-in, one sentence each; none of it is proof.
  public var findings: [String]

  /// Makes an offer.
  public init(
    playlistURL: String, playSessionID: String, deviceID: String?, source: MediaSource,
    findings: [String]
  ) {
    self.playlistURL = playlistURL
    self.playSessionID = playSessionID
    self.deviceID = deviceID
    self.source = source
    self.findings = findings
  }

  /// The playlist without its query.
  public var description: String { URLReference.redacted(playlistURL) }
  /// The same as the description.
  public var debugDescription: String { description }
}

extension MediaServerConnection {
  /// Negotiates a transcode with a track burned in; it starts with the first segment asked for.
  ///
  /// An answer that does not confirm the burn-in is offered too, with what speaks against it: the
  /// picture decides. Each call makes new play sessions: a server names a session's files without
  /// the subtitle track, so a session used again would show the old one.
  ///
  /// - Parameter wish: What is wanted.
  /// - Returns: The offer; stop its session afterwards, whatever happens.
  /// - Throws: A fault of kind `.notTranscoded` where the server offers no transcode.
  public func requestBurnIn(_ wish: BurnInRequest) throws(MediaServerFault) -> BurnInOffer {
    let user = try signIn()
    let kind = try kind()
    let body = wish.body(userID: user, kind: kind)
    var negotiation = Negotiation(
      server: kind, serverURL: baseURL, body: body, pick: .stream(wish.subtitleStreamIndex))
    let log = try negotiate(&negotiation, item: wish.item)
    let place = place(of: wish.item)
    let last = log.answers.last ?? .null
    if let code = last["ErrorCode"].text {
      throw MediaServerFault(
        .notTranscoded, "\(place): the server refuses (\(code.filter(\.isLetter).prefix(60)))")
    }
    let sources = last["MediaSources"].elements
    guard let answer = sources.first(where: { $0["Id"].text == wish.source }),
      let source = MediaSource(answer)
    else {
      throw MediaServerFault(.notFound, "\(place): the answer lacks the media source asked for")
    }
    guard let play = last["PlaySessionId"].text else {
      throw MediaServerFault(.undecodable, "\(place): the answer has no PlaySessionId")
    }
    guard let path = answer["TranscodingUrl"].text else {
      throw MediaServerFault(
        .notTranscoded,
        "\(place): the server offers no transcode; may the user transcode video?")
    }
    let url = try streamURL(path, kind: kind, place)
    guard negotiation.second != nil else {
      throw MediaServerFault(.notTranscoded, "\(place): \(Self.sentence(of: negotiation.result))")
    }
    var findings = Self.findings(
      LintFacts(
        url: path, track: wish.subtitleStreamIndex, server: kind, serverURL: baseURL,
        answer: negotiation.second, firstAnswer: negotiation.first, body: negotiation.secondBody))
    if findings.isEmpty, case .success(let end) = negotiation.result, end.outcome != .confirmed {
      findings.append(Self.sentence(of: negotiation.result))
    }
    return BurnInOffer(
      playlistURL: url, playSessionID: play,
      deviceID: StreamQuery(url: path).values("DeviceId").first, source: source, findings: findings)
  }

  /// Why a negotiation ended as it did, without a full stop.
  private static func sentence(of result: Result<Negotiated, PlaybackError>?) -> String {
    let text =
      switch result {
      case .success(let end): end.reason
      case .failure(let error): error.description
      case nil: "the negotiation did not end"
      }
    return text.hasSuffix(".") ? String(text.dropLast()) : text
  }

  /// The address that a transcode is played at: on this server, without credentials.
  private func streamURL(
    _ path: String, kind: ServerKind, _ place: String
  ) throws(MediaServerFault) -> String {
    let encoded = URLReference.encodingIllegalCharacters(in: path)
    guard let url = BurnIn.sanitizeStreamUrl(serverURL: baseURL, transcodingURL: encoded) else {
      throw MediaServerFault(
        .undecodable,
        "\(place): the transcode's address \(URLReference(encoded)) leads to another server")
    }
    return kind == .emby ? Self.forcingEncoder(url) : url
  }

  /// Stops the session of an offer; see `stop(playSessionID:deviceID:)`.
  @discardableResult
  public func stop(_ offer: BurnInOffer) -> MediaServerFault? {
    stop(playSessionID: offer.playSessionID, deviceID: offer.deviceID)
  }

  /// Emby's URL, so that the video is encoded anew: PlaybackInfo's fields are only advice there.
  ///
  /// Takes out `ManifestSubtitles`, which offers texts beside the picture, and whatever repeats a
  /// parameter word for word; two `SubtitleMethod` in one URL break the burn-in.
  static func forcingEncoder(_ url: String) -> String {
    guard let mark = url.firstIndex(of: "?") else { return url + "?EnableAutoStreamCopy=false" }
    var seen: Set<String> = []
    let items = url[url.index(after: mark)...].split(separator: "&").filter { item in
      let name = item.prefix { $0 != "=" }.lowercased()
      if ["manifestsubtitles", "enableautostreamcopy"].contains(name) { return false }
      return seen.insert(name + item.dropFirst(name.count)).inserted
    }
    return url[...mark] + (items + ["EnableAutoStreamCopy=false"]).joined(separator: "&")
  }

  /// What of a URL's lint speaks against a burn-in, one sentence each without a full stop.
  private static func findings(_ facts: LintFacts) -> [String] {
    // What `forcingEncoder` mends is no finding.
    let mended: [LintFinding.Code] =
      facts.server == .emby ? [.copyAllowed, .manifestSubtitles] : []
    return BurnIn.lint(facts).filter { finding in
      finding.weight != .note && !mended.contains(finding.code)
    }.map { finding in
      let text = finding.sentence
      return (text.hasSuffix(".") ? String(text.dropLast()) : text) + " (\(finding.code.rawValue))"
    }
  }
}
