// SPDX-License-Identifier: Apache-2.0
import BurnInNegotiation
import Testing

/// A door that tasks wait at until it is opened.
actor Gate {
  private var isOpen = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func wait() async {
    if isOpen { return }
    await withCheckedContinuation { waiting.append($0) }
  }

  func open() {
    isOpen = true
    for continuation in waiting { continuation.resume() }
    waiting = []
  }
}

/// A player and its server by a script: answers come in order, and everything is written down.
actor ScriptedHost: BurnInHost {
  enum Event: Equatable {
    case asked(Int)
    case opened(burned: Int?, at: Int64, direct: Bool, paused: Bool)
    case selected(SubtitleChoice)
    case reported(Int)
    case retired(String, at: Int64)
    case notified(Notice)
    case remembered(SubtitlePreference)
    case failed(PlaybackError)
  }

  /// What the server does with one request.
  enum Reply {
    case answer(PlaybackAnswer)
    case error(PlaybackError)
    /// Waits at the gate, whatever becomes of the task, and answers then.
    indirect case held(Gate, Reply)
  }

  private(set) var events: [Event] = []
  private(set) var bodies: [PlaybackInfoBody] = []
  private(set) var requests: [LoadRequest] = []
  private(set) var openings: [StreamOpening] = []
  private(set) var states: [TitleState] = []
  private var replies: [Reply]
  private var opens: [Result<OpenedStream, PlaybackError>]
  private let openGate: Gate?
  private let noticeGate: Gate?
  /// How many requests were answered to a task that had been cancelled.
  private(set) var answeredCancelled = 0
  private var waiting: [(Event, CheckedContinuation<Void, Never>)] = []
  private let fallback: OpenedStream

  /// A host whose opens end as `opens` says, and as `fallback` where that script has ended.
  init(
    _ replies: [Reply], opens: [Result<OpenedStream, PlaybackError>] = [],
    fallback: OpenedStream = OpenedStream(), openGate: Gate? = nil, noticeGate: Gate? = nil
  ) {
    self.replies = replies
    self.opens = opens
    self.fallback = fallback
    self.openGate = openGate
    self.noticeGate = noticeGate
  }

  /// The subtitle index of each request.
  var asked: [Int] { bodies.map(\.subtitleStreamIndex) }

  var notices: [Notice] {
    events.compactMap { if case .notified(let notice) = $0 { notice } else { nil } }
  }

  var lastReport: Int? {
    events.compactMap { if case .reported(let index) = $0 { index } else { nil } }.last
  }

  /// Waits until the event has happened `count` times.
  func reached(_ event: Event, count: Int = 1) async {
    while events.count(where: { $0 == event }) < count {
      await withCheckedContinuation { waiting.append((event, $0)) }
    }
  }

  private func note(_ event: Event) {
    events.append(event)
    for (wanted, continuation) in waiting where wanted == event { continuation.resume() }
    waiting.removeAll { $0.0 == event }
  }

  nonisolated func playbackInfoBody(for start: LoadStart) -> PlaybackInfoBody {
    PlaybackInfoBody(
      userID: "u1", mediaSourceID: start.request.mediaSourceID,
      startTimeTicks: start.startTimeTicks, audioStreamIndex: start.request.audioStreamIndex,
      deviceProfile: .members(["Name": .string("Sample")]))
  }

  func playbackInfo(
    _ body: PlaybackInfoBody, for request: LoadRequest
  ) async throws(PlaybackError) -> PlaybackAnswer {
    bodies.append(body)
    requests.append(request)
    var reply = replies.isEmpty ? .error(.network(code: nil)) : replies.removeFirst()
    note(.asked(body.subtitleStreamIndex))
    while case .held(let gate, let next) = reply {
      await gate.wait()
      reply = next
    }
    if Task.isCancelled { answeredCancelled += 1 }
    switch reply {
    case .answer(let answer): return answer
    case .error(let error): throw error
    case .held: throw .cancelled
    }
  }

  func open(_ stream: StreamOpening) async throws(PlaybackError) -> OpenedStream {
    openings.append(stream)
    note(
      .opened(
        burned: stream.burnedIndex, at: stream.start.startTimeTicks,
        direct: stream.source == .server(.directPlay), paused: stream.start.isPaused))
    if let gate = openGate { await gate.wait() }
    return opens.isEmpty ? fallback : try opens.removeFirst().get()
  }

  func select(_ choice: SubtitleChoice) { note(.selected(choice)) }
  func report(_ report: PlaybackReport) { note(.reported(report.subtitleStreamIndex)) }
  func retire(_ session: PlaySession, at position: PlaybackPosition) {
    #expect(!Task.isCancelled, "a session is ended by a task that can still send")
    note(.retired(session.id, at: position.ticks))
  }
  func notify(_ notice: Notice) async {
    note(.notified(notice))
    if let gate = noticeGate { await gate.wait() }
  }
  func remember(_ preference: SubtitlePreference) { note(.remembered(preference)) }
  func failed(_ error: PlaybackError, origin: LoadOrigin) { note(.failed(error)) }
  func stateChanged(_ state: TitleState) { states.append(state) }
}

/// The film that the sequences play: text 2, PGS 3, and a VobSub 4 beside the media.
enum Film {
  static let server = "https://media.example.test"
  static let address = "/videos/i1/master.m3u8?MediaSourceId=s1&VideoCodec=h264"

  static let streams = [
    SourceStream(index: 0, type: .video, codec: "hevc"),
    SourceStream(index: 1, type: .audio, codec: "aac", language: "jpn"),
    SourceStream(index: 2, type: .subtitle, codec: "subrip", language: "fra"),
    SourceStream(index: 3, type: .subtitle, codec: "PGSSUB", language: "eng"),
    SourceStream(index: 4, type: .subtitle, codec: "dvdsub", language: "ger", isExternal: true),
  ]

  static let text = SubtitleTrack(
    id: 1_073_741_826, kind: .textSidecar, sourceIndex: 2, codec: "subrip", language: "fra")
  static let native = SubtitleTrack(
    id: 7, kind: .embedded, sourceIndex: 3, codec: "hdmv_pgs_subtitle", language: "eng")

  /// What the engine finds in a transcode, and in the file itself.
  static let transcode = OpenedStream(tracks: [text], audioLanguage: "jpn", audioStreamIndex: 1)
  static let file = OpenedStream(tracks: [native], audioLanguage: "jpn", audioStreamIndex: 1)

  static let english = AutoPreferences(language: "en")

  static func answer(_ query: String = "", session: String = "p1") -> ScriptedHost.Reply {
    .answer(
      PlaybackAnswer(
        playSessionID: session,
        source: .init(
          transcodingURL: address + query, transcodingSubProtocol: "hls", streams: streams)))
  }

  /// An answer that confirms the burn-in of the index.
  static func burned(_ index: Int, session: String = "p2") -> ScriptedHost.Reply {
    answer("&SubtitleStreamIndex=\(index)&SubtitleMethod=Encode", session: session)
  }

  static func direct(session: String = "d1") -> ScriptedHost.Reply {
    .answer(
      PlaybackAnswer(
        playSessionID: session, source: .init(supportsDirectPlay: true, streams: streams)))
  }

  static func start(
    _ pick: SubtitlePick = .unspecified, title: String = "A", auto: AutoPreferences? = nil,
    at ticks: Int64 = 0, quality: String? = nil, origin: LoadOrigin = .userInitiated
  ) -> LoadStart {
    LoadStart(
      request: LoadRequest(
        contentID: title, mediaSourceID: "s1", pick: pick, quality: quality),
      origin: origin, startTimeTicks: ticks, preferences: auto)
  }

  static func coordinator(
    _ host: ScriptedHost, server: ServerKind = .jellyfin
  ) -> PlaybackCoordinator {
    PlaybackCoordinator(host: host, server: server, serverURL: Film.server)
  }

  static func at(_ ticks: Int64, paused: Bool = false) -> PlaybackPosition {
    PlaybackPosition(ticks: ticks, isPaused: paused)
  }
}
