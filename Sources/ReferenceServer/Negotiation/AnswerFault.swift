// SPDX-License-Identifier: Apache-2.0

/// What is wrong, on purpose, with the answer to a request for a burn-in.
///
/// The answer to a request without a subtitle stays right, so that a client's way back can be tested.
public enum AnswerFault: String, Sendable, Hashable, CaseIterable {
  /// The URL names the method External.
  case external
  /// The URL names no method.
  case noMethod = "no-method"
  /// The URL names the method twice.
  case doubledMethod = "doubled-method"
  /// The URL names the next stream.
  case otherIndex = "other-index"
  /// The URL names no stream.
  case noIndex = "no-index"
  /// The answer is an error code.
  case errorCode = "error-code"
  /// The answer offers direct play beside the transcode.
  case directPlay = "direct-play"
  /// The URL leads to another server.
  case foreign
  /// The answer lacks the media source.
  case noSource = "no-source"
  /// The transcode is no HLS stream.
  case notHLS = "not-hls"
  /// The status is 503.
  case refused
  /// The connection is closed without an answer.
  case dropped = "hang-up"

  /// An answer with the fault.
  ///
  /// - Parameter answer: A right answer: `MediaSources` with one source, and a session.
  /// - Returns: The answer to send.
  func doctored(_ answer: JSON) -> ServerResponse {
    switch self {
    case .refused: return .empty(503)
    case .dropped: return ServerResponse(status: 499, body: .hangUp)
    case .errorCode:
      return .json(.fields(["MediaSources": [], "ErrorCode": "NoCompatibleStream"]))
    case .noSource:
      return .json(
        .fields(["MediaSources": [], "PlaySessionId": answer["PlaySessionId"] ?? .null]))
    default: break
    }
    guard let source = answer["MediaSources"]?.elements.first else { return .json(answer) }
    return .json(
      answer.replacing("MediaSources", with: .array([doctored(source: source)])))
  }

  private func doctored(source: JSON) -> JSON {
    switch self {
    case .directPlay: return source.replacing("SupportsDirectPlay", with: true)
    case .notHLS: return source.replacing("TranscodingSubProtocol", with: "http")
    default: break
    }
    guard let url = source["TranscodingUrl"]?.text else { return source }
    return source.replacing("TranscodingUrl", with: .string(doctored(url: url)))
  }

  private func doctored(url: String) -> String {
    if self == .foreign { return "http://other.invalid" + url }
    guard let mark = url.firstIndex(of: "?") else { return url }
    let items = url[url.index(after: mark)...]
      .split(separator: "&", omittingEmptySubsequences: false)
    let changed = items.flatMap { item -> [String] in
      let text = String(item)
      switch self {
      case .external where text.hasPrefix("SubtitleMethod="): return ["SubtitleMethod=External"]
      case .noMethod where text.hasPrefix("SubtitleMethod="): return []
      case .doubledMethod where text.hasPrefix("SubtitleMethod="): return [text, text]
      case .noIndex where text.hasPrefix("SubtitleStreamIndex="): return []
      case .otherIndex where text.hasPrefix("SubtitleStreamIndex="):
        let index = Int(text.dropFirst("SubtitleStreamIndex=".count)) ?? 0
        return ["SubtitleStreamIndex=\(index + 1)"]
      default: return [text]
      }
    }
    return url[...mark] + changed.joined(separator: "&")
  }
}

extension JSON {
  /// This object with another value under a name that it has; without it, with the name added.
  fileprivate func replacing(_ name: String, with value: JSON) -> JSON {
    guard case .object(var members) = self else { return self }
    if let place = members.firstIndex(where: { $0.name == name }) {
      members[place].value = value
    } else {
      members.append(Member(name: name, value: value))
    }
    return .object(members)
  }
}
