// SPDX-License-Identifier: Apache-2.0

/// Why a request brought no answer.
///
/// A status such as 404 is an answer, not a fault. The description is one sentence and never holds
/// a query, userinfo or a header's value.
public struct HTTPFault: Error, Sendable, Hashable {
  /// What went wrong.
  public enum Kind: Sendable, Hashable {
    /// The request itself cannot be sent: bad URL, scheme, header or range.
    case invalidRequest
    /// The host's name is unknown, or no connection stands in time, or it is lost before an answer.
    case unreachable
    /// The connection stood, and the whole answer did not come before the deadline.
    case timeout
    /// The answer is longer than its limit, in bytes.
    case tooLarge(limit: Int)
    /// The caller gave up.
    case cancelled
    /// TLS failed, or the certificate is not trusted.
    case tls
    /// What came is not proper HTTP.
    case malformed
    /// The body ended before it was complete.
    case truncated
    /// Too many redirects, or one to a forbidden place.
    case redirect
    /// A byte range was asked for and the whole file was answered.
    case rangeIgnored
  }

  /// What went wrong.
  public var kind: Kind
  /// Method and redacted URL.
  public var place: String
  /// The host asked, without port; empty where the URL names none.
  public var host: String
  /// What happened, as the end of a sentence.
  public var reason: String

  /// Makes a fault of a request.
  public init(_ kind: Kind, _ request: HTTPRequest, _ reason: String) {
    self.kind = kind
    self.place = request.description
    self.host = URLReference(request.url).host ?? ""
    self.reason = reason
  }
}

extension HTTPFault: CustomStringConvertible {
  /// One sentence: what was asked where, and what happened.
  public var description: String { "\(place): \(reason)" }
}
