// SPDX-License-Identifier: Apache-2.0

/// Why an answer to a burn-in request confirms nothing.
public enum Doubt: Error, Sendable, Hashable {
  /// The answer cannot be played.
  case unplayable(Unplayable)
  /// The server lets the file play as it is.
  case directPlay
  /// The transcode is not served as HLS.
  case notHLS
  /// The URL names no subtitle stream.
  case noIndex
  /// The URL names another stream, names several, or writes the index badly.
  case anotherIndex
  /// Neither the URL nor the stream names a method.
  case noMethod
  /// The URL, or the stream if the URL names none, has another method than Encode.
  case anotherMethod

  /// The doubt as the end of a sentence.
  public var words: String {
    switch self {
    case .unplayable(let why): why.words
    case .directPlay: "it offers direct play"
    case .notHLS: "its transcode is not HLS"
    case .noIndex: "its URL names no subtitle stream"
    case .anotherIndex: "its URL names another subtitle stream, or several"
    case .noMethod: "it names no delivery method"
    case .anotherMethod: "it names another method than Encode, or several"
    }
  }
}

extension BurnIn {
  /// The stream that a second answer burns the subtitle into.
  ///
  /// The answer must be a transcode that can be played, be served as HLS if it says how it is
  /// served, and confirm the index (R6, R10, A2).
  /// - Throws: Why the answer confirms nothing.
  static func confirmedStream(
    of answer: PlaybackAnswer, index: Int, serverURL: String
  ) throws(Doubt) -> PlayableStream {
    let stream: PlayableStream
    do throws(Unplayable) {
      stream = try answer.playable(serverURL: serverURL)
    } catch {
      throw .unplayable(error)
    }
    guard stream.isTranscode, let source = answer.source, let url = source.transcodingURL else {
      throw .directPlay
    }
    if let name = source.transcodingSubProtocol, !name.isEmpty, Text.folded(name) != "hls" {
      throw .notHLS
    }
    let delivery = source.stream(index)?.deliveryMethod
    guard confirms(index: index, transcodingURL: url, deliveryMethod: delivery) else {
      throw doubt(index: index, query: StreamQuery(url: url), deliveryMethod: delivery)
    }
    return stream
  }

  /// Why a URL that does not confirm the index does not.
  private static func doubt(index: Int, query: StreamQuery, deliveryMethod: String?) -> Doubt {
    let indexes = query.values("SubtitleStreamIndex")
    if indexes.isEmpty { return .noIndex }
    if !indexes.allSatisfy({ Text.strictInteger($0) == index }) { return .anotherIndex }
    let methods = query.values("SubtitleMethod").filter { !Text.trimmed($0).isEmpty }
    return methods.isEmpty && deliveryMethod == nil ? .noMethod : .anotherMethod
  }
}
