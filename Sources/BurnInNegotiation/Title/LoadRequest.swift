// SPDX-License-Identifier: Apache-2.0

/// What a load is asked to play.
public struct LoadRequest: Sendable, Hashable {
  /// The title.
  public var contentID: String
  /// The file version, by the id of its media source; nil for the server's own choice.
  public var mediaSourceID: String?
  /// The subtitle to begin with; the burn-in pick rides on it (R26).
  public var pick: SubtitlePick
  /// The file beside the stream that is chosen again once the stream is open.
  public var reapplied: SubtitleChoice?
  /// The audio, by the server's stream index.
  public var audioStreamIndex: Int?
  /// The quality, by the player's own name for it.
  public var quality: String?
  /// Whether a download on the device is played: nothing is sent to a server (R31).
  public var isOffline: Bool

  /// A request for the title.
  public init(
    contentID: String, mediaSourceID: String? = nil, pick: SubtitlePick = .unspecified,
    reapplied: SubtitleChoice? = nil, audioStreamIndex: Int? = nil, quality: String? = nil,
    isOffline: Bool = false
  ) {
    self.contentID = contentID
    self.mediaSourceID = mediaSourceID
    self.pick = pick
    self.reapplied = reapplied
    self.audioStreamIndex = audioStreamIndex
    self.quality = quality
    self.isOffline = isOffline
  }
}

/// Who wants a load, which decides what a failure shows.
public enum LoadOrigin: Sendable, Hashable {
  /// The user, by hand.
  case userInitiated
  /// The end of the title before.
  case autoplay
  /// The player itself, after the server lost a session.
  case recovery
}

/// How a load begins.
public struct LoadStart: Sendable, Hashable {
  /// What is asked to play.
  public var request: LoadRequest
  /// Who wants the load.
  public var origin: LoadOrigin
  /// Where playback begins, in server ticks of 100 ns.
  public var startTimeTicks: Int64
  /// Whether playback begins paused.
  public var isPaused: Bool
  /// What the user prefers when Auto chooses; nil if Auto is not to choose.
  public var preferences: AutoPreferences?

  /// A load of the request.
  public init(
    request: LoadRequest, origin: LoadOrigin = .userInitiated, startTimeTicks: Int64 = 0,
    isPaused: Bool = false, preferences: AutoPreferences? = nil
  ) {
    self.request = request
    self.origin = origin
    self.startTimeTicks = startTimeTicks
    self.isPaused = isPaused
    self.preferences = preferences
  }
}

/// Where playback stands.
public struct PlaybackPosition: Sendable, Hashable {
  /// The position in server ticks of 100 ns.
  public var ticks: Int64
  /// Whether playback is paused.
  public var isPaused: Bool

  /// A position in server ticks of 100 ns.
  public init(ticks: Int64, isPaused: Bool = false) {
    self.ticks = ticks
    self.isPaused = isPaused
  }
}

/// A play session that the server keeps for the player.
public struct PlaySession: Sendable, Hashable {
  /// The server's id of the session.
  public var id: String
  /// The title.
  public var contentID: String
  /// The file version.
  public var mediaSourceID: String?
  /// Whether the server transcodes, so that there is an encode to stop.
  public var isTranscode: Bool
}
