// SPDX-License-Identifier: Apache-2.0

/// The facts of a PlaybackInfo answer that a decision uses.
public struct PlaybackAnswer: Sendable, Hashable {
  /// The media source that was asked for.
  public struct Source: Sendable, Hashable {
    /// Whether the server lets the file play as it is.
    public var supportsDirectPlay: Bool
    /// Whether the server would transcode; this decides the list of qualities and nothing else.
    public var supportsTranscoding: Bool
    /// The URL of the transcode as the server wrote it, token and all: never to be shown.
    public var transcodingURL: String?
    /// The protocol of the transcode, `hls` or `http`; nil if the server did not say.
    public var transcodingSubProtocol: String?
    /// The subtitle that the server says it will use.
    public var defaultSubtitleStreamIndex: Int?
    /// The streams of the source.
    public var streams: [SourceStream]

    /// A source with the given facts.
    public init(
      supportsDirectPlay: Bool = false, supportsTranscoding: Bool = true,
      transcodingURL: String? = nil, transcodingSubProtocol: String? = nil,
      defaultSubtitleStreamIndex: Int? = nil, streams: [SourceStream] = []
    ) {
      self.supportsDirectPlay = supportsDirectPlay
      self.supportsTranscoding = supportsTranscoding
      self.transcodingURL = transcodingURL
      self.transcodingSubProtocol = transcodingSubProtocol
      self.defaultSubtitleStreamIndex = defaultSubtitleStreamIndex
      self.streams = streams
    }

    /// The stream with the server's index.
    public func stream(_ index: Int) -> SourceStream? { streams.first { $0.index == index } }

    /// The codec of the source's first video stream.
    public var videoCodec: String? { streams.first { $0.type == .video }?.codec }
  }

  /// The error code; nil if the server wrote none.
  public var errorCode: String?
  /// The play session that the server opened for the answer.
  public var playSessionID: String?
  /// The media source that was asked for; nil if the answer lacks it.
  public var source: Source?

  /// An answer with the given facts.
  public init(errorCode: String? = nil, playSessionID: String? = nil, source: Source? = nil) {
    self.errorCode = errorCode
    self.playSessionID = playSessionID
    self.source = source
  }

  /// What of the answer can be played (R2, R4, R10).
  ///
  /// A direct play wins over a transcode that is offered beside it. A transcode must be on the
  /// server itself.
  /// - Parameter serverURL: The server's address, with its base path.
  /// - Returns: The direct play, or the transcode by its clean URL.
  /// - Throws: Why nothing can be played.
  public func playable(serverURL: String) throws(Unplayable) -> PlayableStream {
    guard errorCode == nil else { throw .errorCode }
    guard let source else { throw .noSource }
    guard playSessionID?.isEmpty == false else { throw .noSession }
    if source.supportsDirectPlay { return .directPlay }
    guard let url = source.transcodingURL, !url.isEmpty else { throw .noStream }
    guard let clean = BurnIn.sanitizeStreamUrl(serverURL: serverURL, transcodingURL: url) else {
      throw .foreignStream
    }
    return .transcode(url: clean)
  }
}

/// What of an answer is played.
public enum PlayableStream: Sendable, Hashable {
  /// The file as it is.
  case directPlay
  /// The transcode at a URL that holds no credential.
  case transcode(url: String)

  /// Whether the server transcodes.
  public var isTranscode: Bool { if case .transcode = self { true } else { false } }
}
