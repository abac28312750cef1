// SPDX-License-Identifier: Apache-2.0

/// What a player does for the negotiation core.
///
/// The coordinator calls one member at a time for a load. A member that waits should end soon after
/// its task is cancelled; what it returns after that is not used.
public protocol BurnInHost: Sendable {
  /// The body of the PlaybackInfo request for a load, as the player has always sent it (R1).
  func playbackInfoBody(for start: LoadStart) -> PlaybackInfoBody

  /// Sends a PlaybackInfo request.
  /// - Throws: Why there is no answer; an answer with an error code is an answer.
  func playbackInfo(
    _ body: PlaybackInfoBody, for request: LoadRequest
  ) async throws(PlaybackError) -> PlaybackAnswer

  /// Opens a stream in the engine, and returns once it plays or is ready to.
  /// - Throws: Why the stream would not open.
  func open(_ stream: StreamOpening) async throws(PlaybackError) -> OpenedStream

  /// Lets the engine show a subtitle that the player shows by itself.
  func select(_ choice: SubtitleChoice) async

  /// Reports playback to the server.
  func report(_ report: PlaybackReport) async

  /// Tells the server that a session is over, and stops its encode.
  func retire(_ session: PlaySession, at position: PlaybackPosition) async

  /// Shows a notice.
  func notify(_ notice: Notice) async

  /// Stores what a choice by hand says about other titles.
  func remember(_ preference: SubtitlePreference) async

  /// Shows that a load or playback failed.
  func failed(_ error: PlaybackError, origin: LoadOrigin) async

  /// Takes in the state after each change, to show rows and controls.
  func stateChanged(_ state: TitleState) async
}

extension BurnInHost {
  /// Stores nothing.
  public func remember(_ preference: SubtitlePreference) async {}

  /// Shows nothing.
  public func stateChanged(_ state: TitleState) async {}
}
