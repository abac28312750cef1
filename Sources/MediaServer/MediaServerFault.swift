// SPDX-License-Identifier: Apache-2.0
public import HTTPTransport

/// Why a media server did not give what was asked.
///
/// The description is one sentence and never holds a token, password, query or any of the answer.
public struct MediaServerFault: Error, Sendable, Hashable, CustomStringConvertible {
  /// What went wrong.
  public enum Kind: Sendable, Hashable {
    /// The server takes no connection.
    case unreachable
    /// The credentials are missing or refused (401), or do not permit it (403).
    case unauthorized(status: Int)
    /// The server knows no such item or media source.
    case notFound
    /// The server answered with another status.
    case serverError(status: Int)
    /// The answer is not what the endpoint should give.
    case undecodable
    /// The exchange failed otherwise.
    case transport(HTTPFault.Kind)
    /// The server offers no transcode.
    case notTranscoded
    /// The caller's values cannot be sent.
    case invalidRequest
    /// The server is of a kind that is not spoken with here.
    case unsupportedServer
  }

  /// What went wrong.
  public var kind: Kind
  /// One sentence: which endpoint, what happened, what to do.
  public var description: String

  /// Makes a fault of its kind and its sentence.
  public init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }

  /// Takes over a fault of the transport.
  init(_ fault: HTTPFault) {
    self.init(
      fault.kind == .unreachable ? .unreachable : .transport(fault.kind), fault.description)
  }

  /// Whether the caller gave up.
  public var isCancellation: Bool { kind == .transport(.cancelled) }
}
