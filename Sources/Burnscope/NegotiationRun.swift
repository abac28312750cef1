// SPDX-License-Identifier: Apache-2.0
public import BurnInNegotiation
internal import HTTPTransport
internal import MediaContainer
public import MediaServer

/// What is asked of a server in a negotiation.
public struct NegotiationWish: Sendable {
  /// The server and how to sign in.
  public var server: VerificationServer
  /// The server's item.
  public var item: String
  /// The stream to be burned in, by the server's index; nil asks for none, or lets Auto choose.
  public var streamIndex: Int?
  /// What the client says that it can play.
  public var profile: ClientProfile
  /// What Auto goes by where no stream is named; nil for no automatic choice.
  public var auto: AutoPreferences?
  /// The language of the sound for Auto; nil takes that of the source's default track.
  public var audioLanguage: String?
  /// A PEM file of certificates to trust instead of the system's.
  public var certificateAuthorityFile: String?

  /// Makes a wish.
  public init(
    server: VerificationServer, item: String, streamIndex: Int? = nil,
    profile: ClientProfile = .transcodeOnly, auto: AutoPreferences? = nil,
    audioLanguage: String? = nil
  ) {
    self.server = server
    self.item = item
    self.streamIndex = streamIndex
    self.profile = profile
    self.auto = auto
    self.audioLanguage = audioLanguage
  }
}

/// What Auto chose, of which rows and why.
public struct AutomaticChoice: Sendable, Hashable {
  /// What is decided, and why.
  public var decision: AutoDecision
  /// The rows in the order of the player's list.
  public var rows: [SubtitleTrack]
  /// Whether burn-in rows were left out because the video is only repackaged.
  public var videoCopyOnly: Bool

  /// The row that was chosen.
  public var row: SubtitleTrack? {
    guard case .select(let id) = decision.verdict else { return nil }
    return rows.first { $0.id == id }
  }
}

/// What became of a negotiation.
public struct NegotiationReport: Sendable {
  /// The end of it.
  public var summary: NegotiationSummary
  /// What the lint says of the answer that was to burn in.
  public var lint: [LintFinding]
  /// The server's kind and version; nil offline.
  public var server: ServerInfo?
  /// The stream that was wanted, by the server's index.
  public var track: Int?
  /// The first answer.
  public var first: PlaybackAnswer?
  /// The answer to the burn-in request.
  public var second: PlaybackAnswer?
  /// The bodies sent, in order; they hold no credential.
  public var bodies: [PlaybackInfoBody] = []
  /// What Auto chose, where it was let.
  public var auto: AutomaticChoice?

  /// The streams of the source, as the first answer lists them.
  public var streams: [SourceStream] { (first ?? second)?.source?.streams ?? [] }
}

/// Negotiates a burn-in with a server as a careful client does; nothing is played.
///
/// No transcode starts, since no segment is asked for, so nothing has to be stopped.
///
/// - Parameter wish: What is asked.
/// - Returns: The outcome; that a server refuses is no error.
/// - Throws: `MediaServerFault`, `CancellationError`.
public func negotiateBurnIn(_ wish: NegotiationWish) async throws -> NegotiationReport {
  let cancellation = CancellationFlag()
  return try await withTaskCancellationHandler {
    try await onOwnThread {
      do {
        return try NegotiationRun(wish: wish, cancellation: cancellation).perform()
      } catch {
        if cancellation.isCancelled { throw CancellationError() }
        throw error
      }
    }
  } onCancel: {
    cancellation.cancel()
  }
}

/// Judges saved answers without a server.
///
/// - Parameters:
///   - answer: The answer to the burn-in request.
///   - first: The answer to the first request, if it was saved.
///   - track: The stream that was asked for, by the server's index.
///   - server: The server software.
/// - Returns: What a careful client makes of it; nil if the answers leave the negotiation open.
public func judgeBurnIn(
  _ answer: PlaybackAnswer, first: PlaybackAnswer? = nil, track: Int, server: ServerKind
) -> NegotiationReport? {
  let negotiation = Negotiation.judging(answer, first: first, track: track, server: server)
  let isSecond = negotiation.second != nil
  guard let summary = negotiation.summary else { return nil }
  return NegotiationReport(
    summary: summary,
    lint: lint(
      isSecond ? answer : nil, first: first, track: track, server: server, serverURL: nil,
      body: nil), server: nil, track: track, first: first ?? (isSecond ? nil : answer),
    second: isSecond ? answer : nil)
}

/// The lint of the URL of an answer.
private func lint(
  _ answer: PlaybackAnswer?, first: PlaybackAnswer?, track: Int?, server: ServerKind,
  serverURL: String?, body: PlaybackInfoBody?
) -> [LintFinding] {
  guard let answer, let url = answer.source?.transcodingURL else { return [] }
  return BurnIn.lint(
    LintFacts(
      url: url, track: track, server: server, serverURL: serverURL, answer: answer,
      firstAnswer: first, body: body))
}

/// One negotiation with a server, on the caller's thread.
private final class NegotiationRun {
  private let wish: NegotiationWish
  private let cancellation: CancellationFlag

  init(wish: NegotiationWish, cancellation: CancellationFlag) {
    self.wish = wish
    self.cancellation = cancellation
  }

  func perform() throws -> NegotiationReport {
    let connection = try MediaServerConnection(
      baseURL: wish.server.baseURL, credentials: wish.server.credentials,
      identity: ClientIdentity(deviceID: wish.server.deviceID),
      client: HTTPClient(
        configuration: HTTPConfiguration(certificateAuthorityFile: wish.certificateAuthorityFile)),
      cancellation: { [cancellation] in cancellation.isCancelled })
    let info = try connection.requireKnownServer()
    defer { connection.signOut() }
    let item = try connection.item(wish.item)
    let kind = try connection.kind()
    if let index = wish.streamIndex, let source = item.sources.first, !source.streams.isEmpty,
      let sentence = source.refusal(ofSubtitle: index)
    {
      throw MediaServerFault(.invalidRequest, sentence)
    }
    var body = PlaybackInfoBody(
      userID: try connection.signIn(), mediaSourceID: item.sources.first?.id,
      maxStreamingBitrate: wish.server.maximumBitrate,
      deviceProfile: wish.profile.deviceProfile(
        kind: kind, container: wish.server.container, maximumBitrate: wish.server.maximumBitrate,
        maximumHeight: wish.server.maximumHeight))
    if wish.profile == .transcodeOnly { body = body.forbiddingCopy() }
    var report = try negotiate(
      connection, kind, body, pick: wish.streamIndex.map { .stream($0) } ?? .unspecified)
    if wish.streamIndex == nil, let preferences = wish.auto {
      let auto = choose(preferences, report, kind: kind, body: body)
      // A pick of Auto comes after the first load: the stream is asked for anew.
      if let row = auto.row, row.isBurnInRow, let index = row.sourceIndex {
        let sent = report.bodies
        report = try negotiate(connection, kind, body, pick: .stream(index))
        report.bodies = sent + report.bodies
      }
      report.auto = auto
    }
    report.server = info
    return report
  }

  private func negotiate(
    _ connection: MediaServerConnection, _ kind: ServerKind, _ body: PlaybackInfoBody,
    pick: SubtitlePick
  ) throws -> NegotiationReport {
    var negotiation = Negotiation(
      server: kind, serverURL: connection.baseURL, body: body, pick: pick)
    let log = try connection.negotiate(&negotiation, item: wish.item)
    guard let summary = negotiation.summary else { throw CancellationError() }
    return NegotiationReport(
      summary: summary,
      lint: lint(
        negotiation.second, first: negotiation.first, track: pick.streamIndex, server: kind,
        serverURL: connection.baseURL, body: negotiation.secondBody), track: pick.streamIndex,
      first: negotiation.first, second: negotiation.second, bodies: log.bodies)
  }

  /// Auto's choice among the rows of a player on the first answer.
  private func choose(
    _ preferences: AutoPreferences, _ report: NegotiationReport, kind: ServerKind,
    body: PlaybackInfoBody
  ) -> AutomaticChoice {
    let streams = report.streams
    let isDirect = report.summary.outcome == NegotiationOutcome.directPlay.rawValue
    var playable = BurnIn.mountedSubtitles(streams: streams, isDirectPlay: isDirect).map { text in
      Self.row(text.stream, id: text.trackID, kind: .textSidecar)
    }
    if isDirect {
      let embedded = streams.filter { $0.type == .subtitle && !$0.isExternal }
      playable += embedded.map { Self.row($0, id: $0.index ?? 0, kind: .embedded) }
    }
    let rows = BurnIn.pickerRows(
      playable: playable,
      burnIn: BurnIn.burnInRows(server: kind, isTranscode: !isDirect, streams: streams))
    let copyOnly = BurnIn.videoCopyOnly(
      videoCodec: report.first?.source?.videoCodec,
      transcodeReasons: BurnIn.transcodeReasons(
        transcodingURL: report.first?.source?.transcodingURL),
      allowsVideoStreamCopy: body.allowVideoStreamCopy != false)
    let audio = streams.filter { $0.type == .audio }
    let language =
      wish.audioLanguage ?? (audio.first { $0.isDefault } ?? audio.first).flatMap(\.language)
    return AutomaticChoice(
      decision: BurnIn.resolveAuto(
        preferences: preferences, audioLanguage: language, tracks: rows, videoCopyOnly: copyOnly),
      rows: rows, videoCopyOnly: copyOnly)
  }

  private static func row(
    _ stream: SourceStream, id: Int, kind: SubtitleTrack.Kind
  ) -> SubtitleTrack {
    SubtitleTrack(
      id: id, kind: kind, sourceIndex: stream.index, codec: stream.codec,
      language: stream.language, title: stream.title, isForced: stream.isForced,
      isDefault: stream.isDefault, isHearingImpaired: stream.isHearingImpaired,
      isExternal: stream.isExternal)
  }
}
