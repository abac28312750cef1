// SPDX-License-Identifier: Apache-2.0

/// The whole state of the title that plays: one value, changed by pure transitions.
///
/// A transition takes what happened and returns what is to be done. It never waits and never
/// calls out; `PlaybackCoordinator` does both. Outcomes carry the generation of the load that they
/// belong to, and those of a load that was replaced change nothing.
public struct TitleState: Sendable, Hashable {
  /// Where the current load stands.
  public enum Phase: Sendable, Hashable {
    /// Nothing was begun, or the load was cancelled.
    case idle
    /// The server is asked.
    case asking
    /// The engine opens the stream.
    case opening
    /// The stream plays.
    case established
    /// The load or the playback failed.
    case failed(PlaybackError)
  }

  /// The server that is played from.
  public let server: ServerKind
  /// The server's address, with its base path.
  public let serverURL: String
  /// Where the current load stands.
  public internal(set) var phase: Phase = .idle
  /// The number of the current load; later loads have higher numbers.
  public internal(set) var generation = 0
  /// The load that was begun last; its request is what a retry sends.
  public internal(set) var start: LoadStart?
  /// The negotiation of the current load; nil if it is offline.
  public internal(set) var negotiation: Negotiation?
  /// The session that the server keeps.
  public internal(set) var session: PlaySession?
  /// The stream that is burned in, as the server confirmed it (R20).
  public internal(set) var burnedIndex: Int?
  /// Whether the current stream is a transcode.
  public internal(set) var isTranscode = false
  /// Whether the transcode only repackages the video (R24).
  public internal(set) var videoCopyOnly = false
  /// The rows of the current stream in stored order; empty before it is open.
  public internal(set) var tracks: [SubtitleTrack] = []
  /// What is chosen; nil if nothing is.
  public internal(set) var selected: SubtitleChoice?
  /// Whether there is an explicit choice, so that Auto keeps away (R28).
  public internal(set) var hasExplicitChoice = false
  /// What the user prefers when Auto chooses; nil once a burn-in was confirmed (R28).
  public internal(set) var autoPreferences: AutoPreferences?
  /// A choice that was made while a load ran, for when it is established (A18).
  public internal(set) var deferred: SubtitleChoice?
  /// A choice by hand that the player made by itself, made again after a reload of the title.
  public internal(set) var localChoice: SubtitleChoice?
  /// The rows that are not offered any more.
  public internal(set) var droppedRows = DroppedRows()
  /// Where playback stood when it was last heard of.
  public internal(set) var position = PlaybackPosition(ticks: 0)
  /// The language of the audio that plays.
  public internal(set) var audioLanguage: String?
  /// The audio that plays, by the server's stream index.
  public internal(set) var audioStreamIndex: Int?
  /// Where the session's own stream stood when it was last heard of.
  var sessionPosition = PlaybackPosition(ticks: 0)
  /// The last session that was renewed: one is renewed once.
  var renewedSessionID: String?
  /// Whether a list of rows was adopted since the load began.
  var knowsTracks = false
  /// Whether Auto has chosen on this load.
  var hasAutoResolved = false

  /// The state before the first load.
  public init(server: ServerKind, serverURL: String) {
    self.server = server
    self.serverURL = serverURL
  }

  /// The last request that was begun.
  public var request: LoadRequest? { start?.request }

  /// The indexes that are dropped for the version that plays (R21, A12).
  public var dropped: Set<Int> { droppedRows.indexes(sourceID: request?.mediaSourceID) }

  /// Whether a load runs.
  public var isLoading: Bool { phase == .asking || phase == .opening }

  /// The row that is chosen.
  public var selectedTrack: SubtitleTrack? {
    selected.flatMap { choice in tracks.first { $0.choice == choice } }
  }

  /// The subtitle index in reports (R29).
  public var reportedSubtitleIndex: Int {
    BurnIn.reportedSubtitleIndex(burnedIndex: burnedIndex, selected: selected)
  }

  /// The controls for the chosen row (R30, A21).
  public var styleControls: StyleControls {
    BurnIn.styleControls(selected: selected == .off ? nil : selected, codec: selectedTrack?.codec)
  }

  /// A report of playback as it stands; nil without a session (R29, R31).
  public var report: PlaybackReport? {
    guard phase == .established, let session else { return nil }
    return PlaybackReport(
      session: session, position: position, subtitleStreamIndex: reportedSubtitleIndex,
      audioStreamIndex: audioStreamIndex)
  }
}
