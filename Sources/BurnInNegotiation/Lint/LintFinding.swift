// SPDX-License-Identifier: Apache-2.0

/// Something in a transcode's URL, or in the answer around it, that keeps a subtitle out of the
/// picture or a token in a log.
///
/// A finding never repeats a value of the URL that could be a secret: it names parameters, stream
/// indexes and ticks.
public struct LintFinding: Sendable, Hashable, CustomStringConvertible {
  /// What was found.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    /// The URL names the stream and no delivery method.
    case methodMissing = "method-missing"
    /// The URL names the method more than once.
    case methodDoubled = "method-doubled"
    /// The URL names several methods that differ.
    case methodContradicts = "method-contradicts"
    /// The URL names another method than Encode.
    case methodNotEncode = "method-not-encode"
    /// The URL names Encode and no stream.
    case encodeWithoutIndex = "encode-without-index"
    /// The URL names no subtitle stream.
    case indexMissing = "index-missing"
    /// The URL names the stream more than once.
    case indexDoubled = "index-doubled"
    /// The URL names several streams.
    case indexContradicts = "index-contradicts"
    /// The URL names another stream than the wanted one.
    case indexOfAnotherStream = "index-of-another-stream"
    /// The stream's index is no number in plain digits.
    case indexMalformed = "index-malformed"
    /// The URL names a subtitle though none is wanted.
    case indexUnwanted = "index-unwanted"
    /// The index names no subtitle stream of the source.
    case streamUnknown = "stream-unknown"
    /// The server may copy the video, and then burns nothing.
    case copyAllowed = "copy-allowed"
    /// The second answer has the first answer's session.
    case sessionReused = "session-reused"
    /// The URL names another session than the answer.
    case sessionContradicts = "session-contradicts"
    /// The query holds a token.
    case tokenInQuery = "token-in-query"
    /// The ticks of a segment are not those that the server wrote.
    case runtimeTicksAltered = "runtime-ticks-altered"
    /// A segment lacks one of its two tick parameters.
    case segmentTicksMissing = "segment-ticks-missing"
    /// The transcode is not served as HLS.
    case notHLS = "not-hls"
    /// The URL is absolute, where servers write a path.
    case absoluteURL = "absolute-url"
    /// The URL leads to another server.
    case foreignOrigin = "foreign-origin"
    /// The reasons are separated in two ways.
    case reasonsMixed = "reasons-mixed"
    /// An HLS URL of Jellyfin has a start time.
    case startTimeOnHLS = "start-time-on-hls"
    /// An HLS URL of Emby forbids direct streaming.
    case directStreamDisabled = "direct-stream-disabled"
    /// The playlist is to carry text subtitles beside a burn-in.
    case manifestSubtitles = "manifest-subtitles"
    /// The answer says that it will use another subtitle.
    case echoDiffers = "echo-differs"
    /// The request named a subtitle and no media source.
    case sourceNotSent = "source-not-sent"
    /// The URL holds characters that no URL may hold.
    case illegalCharacters = "illegal-characters"
  }

  /// How much a finding weighs.
  public enum Weight: String, Sendable, Hashable, CaseIterable {
    /// The subtitle will not be in the picture, or the stream will not play.
    case fault
    /// It depends on the server's version or settings.
    case doubt
    /// Nothing is wrong with the picture.
    case note
  }

  /// What was found.
  public var code: Code
  /// How much it weighs.
  public var weight: Weight
  /// The finding as one sentence.
  public var sentence: String
  /// Where the rule is from.
  public var source: String

  /// The code and the sentence.
  public var description: String { "\(code.rawValue): \(sentence)" }
}

/// What is known about a URL that is checked; only the URL must be.
public struct LintFacts: Sendable, Hashable {
  /// The URL as it is: of a playlist, of a segment, or the answer's `TranscodingUrl`.
  public var url: String
  /// The stream that is to be burned in, by the server's index; nil if none is wanted.
  public var track: Int?
  /// The server software; nil checks what holds for both.
  public var server: ServerKind?
  /// The server's address.
  public var serverURL: String?
  /// The URL as the server wrote it, if `url` is what is about to be fetched.
  public var asWritten: String?
  /// The answer that the URL is from.
  public var answer: PlaybackAnswer?
  /// The first answer of the negotiation, if the URL is from the second.
  public var firstAnswer: PlaybackAnswer?
  /// The request that the answer is for.
  public var body: PlaybackInfoBody?

  /// Facts about a URL.
  public init(
    url: String, track: Int?, server: ServerKind? = nil, serverURL: String? = nil,
    asWritten: String? = nil, answer: PlaybackAnswer? = nil, firstAnswer: PlaybackAnswer? = nil,
    body: PlaybackInfoBody? = nil
  ) {
    self.url = url
    self.track = track
    self.server = server
    self.serverURL = serverURL
    self.asWritten = asWritten
    self.answer = answer
    self.firstAnswer = firstAnswer
    self.body = body
  }
}
