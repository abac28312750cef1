// SPDX-License-Identifier: Apache-2.0

/// Why a request or a load did not bring a picture.
///
/// The words tell apart what the rules tell apart: only a `load` failure may be blamed on a burn-in
/// (R22), and a cancelled request, a changed account and a refused sign-in are never burn-in
/// events (A4). No case carries text from a server, so that no token can come along.
public enum PlaybackError: Error, Sendable, Hashable {
  /// The player's engine could not open or go on with the stream.
  case load(LoadFailure)
  /// The server answered a request with a status that is no success.
  case http(status: Int)
  /// The connection failed; `code` is the platform's number, if there is one.
  case network(code: Int?)
  /// A request took too long.
  case timedOut
  /// The server wants a new sign-in.
  case signInRequired
  /// Another account was chosen while the request was out.
  case accountChanged
  /// A load that nobody asked for by hand used up its time to start.
  case startTimedOut
  /// The device's audio session could not start.
  case audioSession
  /// The request or the load was cancelled.
  case cancelled
  /// The server's first answer names nothing that can be played (R2).
  case playbackUnavailable(Unplayable)

  /// Whether a failed burn-in request is passed on instead of playing the first answer (A4).
  public var endsNegotiation: Bool {
    switch self {
    case .cancelled, .accountChanged, .signInRequired, .http(status: 401): true
    default: false
    }
  }
}

/// Why an answer cannot be played.
public enum Unplayable: String, Error, Sendable, Hashable {
  /// The answer carries an `ErrorCode`.
  case errorCode
  /// The answer lacks the media source that was asked for.
  case noSource
  /// The answer has no `PlaySessionId`.
  case noSession
  /// The server offers neither direct play nor a transcode.
  case noStream
  /// The transcode is not on the server itself.
  case foreignStream

  /// The reason as the end of a sentence.
  public var words: String {
    switch self {
    case .errorCode: "it carries an error code"
    case .noSource: "it lacks the media source that was asked for"
    case .noSession: "it has no play session"
    case .noStream: "it offers neither direct play nor a transcode"
    case .foreignStream: "its stream is not on the server itself"
    }
  }
}

/// What the player's engine says about a load that failed.
public struct LoadFailure: Sendable, Hashable {
  /// The kind of failure, by the engine's own names.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The origin refused the source.
    case sourceRefused
    /// The origin asked for fewer requests.
    case sourceRateLimited
    /// A source on demand failed.
    case vodSourceFailed
    /// The platform's own player failed on the item.
    case nativeItemFailed
    /// No track could be played within the engine's time to open.
    case noPlayableTrackWithinBudget
    /// The engine would not take the playlist.
    case masterPlaylistRejected
    /// The engine's own pipeline failed, or the stream ended before the first picture.
    case softwarePipelineFailed
    /// The engine's audio bridge gave no sound.
    case audioBridgeProducedNoOutput
    /// Dolby Vision wants hardware that is not there.
    case dolbyVisionRequiresHardware
    /// Live sound apart from the picture is not supported.
    case demuxedAudioLiveUnsupported
    /// Another audio track could not be chosen.
    case audioTrackSwitchFailed
    /// A kind that this core does not know; it is never blamed on a burn-in.
    case unknown
  }

  /// The kind of failure.
  public var kind: Kind
  /// The domain of `code`; without one, `code` is the origin's HTTP status.
  public var domain: String?
  /// The number of the failure.
  public var code: Int?
  /// The domain of the error underneath, if there is one.
  public var underlyingDomain: String?

  /// A failure of the given kind.
  public init(
    _ kind: Kind, domain: String? = nil, code: Int? = nil, underlyingDomain: String? = nil
  ) {
    self.kind = kind
    self.domain = domain
    self.code = code
    self.underlyingDomain = underlyingDomain
  }
}

extension PlaybackError: CustomStringConvertible {
  /// The failure as one sentence.
  public var description: String {
    switch self {
    case .load(let failure): "The player could not open the stream (\(failure))."
    case .http(let status): "The server answered with status \(status)."
    case .network(let code):
      "The connection to the server failed\(code.map { " (code \($0))" } ?? "")."
    case .timedOut: "The server did not answer in time."
    case .signInRequired: "The server wants a new sign-in."
    case .accountChanged: "Another account was chosen while the request was out."
    case .startTimedOut: "The stream did not start in time."
    case .audioSession: "The audio session could not start."
    case .cancelled: "The load was cancelled."
    case .playbackUnavailable(let why): "The answer cannot be played: \(why.words)."
    }
  }
}

extension LoadFailure: CustomStringConvertible {
  /// The kind, and the number with its domain if there is one.
  public var description: String {
    guard let code else { return kind.rawValue }
    return "\(kind.rawValue), \(domain ?? "status") \(code)"
  }
}
