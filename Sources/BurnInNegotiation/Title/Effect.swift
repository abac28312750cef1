// SPDX-License-Identifier: Apache-2.0

/// Something that a transition of a title's state wants done, in order.
public enum Effect: Sendable, Hashable {
  /// Send a PlaybackInfo request, and hand the outcome to `answered`.
  case ask(PlaybackInfoBody)
  /// Begin another load with `begin`.
  case load(LoadStart)
  /// Open a stream, and hand the outcome to `established` or `openFailed`.
  case open(StreamOpening)
  /// Let the engine show this subtitle.
  case select(SubtitleChoice)
  /// Show a notice.
  case notify(Notice)
  /// Report playback to the server.
  case report(PlaybackReport)
  /// Tell the server that a session is over.
  case retire(PlaySession, at: PlaybackPosition)
  /// Store a preference that the next title is to know.
  case remember(SubtitlePreference)
  /// Show a failure in the way of the load's origin.
  case fail(PlaybackError, LoadOrigin)
}

/// The stream that a load opens.
public struct StreamOpening: Sendable, Hashable {
  /// Where the stream comes from.
  public enum Source: Sendable, Hashable {
    /// The server, as it was negotiated.
    case server(PlayableStream)
    /// A download on the device.
    case offline
  }

  /// The load.
  public var start: LoadStart
  /// Where the stream comes from.
  public var source: Source
  /// The session that the server keeps for it; nil if offline.
  public var session: PlaySession?
  /// The text tracks to mount beside it (R11).
  public var mounted: [MountedSubtitle]
  /// The stream that is burned in, by the server's index; nil for none.
  public var burnedIndex: Int?
}

/// What the engine found in a stream that it opened.
public struct OpenedStream: Sendable, Hashable {
  /// The subtitles that the player shows by itself: those in the stream, with the server's index
  /// where there is one, the mounted ones, and those from OpenSubtitles.
  public var tracks: [SubtitleTrack]
  /// The language of the audio that plays.
  public var audioLanguage: String?
  /// The audio that plays, by the server's stream index.
  public var audioStreamIndex: Int?

  /// A stream with the given tracks.
  public init(
    tracks: [SubtitleTrack] = [], audioLanguage: String? = nil, audioStreamIndex: Int? = nil
  ) {
    self.tracks = tracks
    self.audioLanguage = audioLanguage
    self.audioStreamIndex = audioStreamIndex
  }
}

/// What the user is told when a burn-in is missed; nothing else is ever told (R34, R38).
public enum Notice: Sendable, Hashable {
  /// The server answered without confirming the burn-in.
  case burnInUnconfirmed(index: Int)
  /// The burn-in request failed; the row can be chosen again.
  case burnInRequestFailed(index: Int)
  /// The burned-in stream would not open.
  case burnedStreamWouldNotOpen(index: Int)

  /// The notice as one sentence; a player may use its own.
  public var sentence: String {
    switch self {
    case .burnInUnconfirmed: "The server cannot show this subtitle; playing without it."
    case .burnInRequestFailed: "This subtitle could not be requested; playing without it."
    case .burnedStreamWouldNotOpen: "The video with this subtitle failed; playing without it."
    }
  }
}

/// A report of playback to the server (R29).
public struct PlaybackReport: Sendable, Hashable {
  /// The session that plays.
  public var session: PlaySession
  /// Where playback stands.
  public var position: PlaybackPosition
  /// The subtitle that is in the picture or that plays, by the server's index; -1 for none.
  public var subtitleStreamIndex: Int
  /// The audio that plays, by the server's stream index.
  public var audioStreamIndex: Int?
}

/// The preference that a choice by hand leaves for other titles (A20).
public enum SubtitlePreference: Sendable, Hashable {
  /// Subtitles always, in the language.
  case always(language: String?)
  /// No subtitles.
  case off
}
