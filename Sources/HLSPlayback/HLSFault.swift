// SPDX-License-Identifier: Apache-2.0
public import HTTPTransport

/// Why a stream cannot be read.
///
/// Cancellation is not among the kinds: it surfaces as `CancellationError`. The description is one
/// sentence and never holds a query, userinfo or token.
public struct HLSFault: Error, Sendable, Hashable, CustomStringConvertible {
  /// What went wrong.
  public enum Kind: Sendable, Hashable {
    /// The text is no playlist, or breaks its grammar.
    case malformed
    /// The playlist ends before it is complete, or grows while it is played.
    case incomplete
    /// The segments are encrypted.
    case encrypted
    /// A limit on sizes or counts is passed.
    case tooLarge
    /// An address leads somewhere other than http or https.
    case forbiddenAddress
    /// The server answered with a status other than success.
    case status(Int)
    /// The exchange failed.
    case transport(HTTPFault.Kind)
    /// The server does not answer byte ranges, or answers them wrongly.
    case ranges
    /// The time base of the stream cannot be told.
    case timeline
    /// The caller's values make no sense.
    case invalidRequest
  }

  /// What went wrong.
  public var kind: Kind
  /// One sentence: what, where, which values.
  public var description: String

  /// Makes a fault of its kind and its sentence.
  public init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }

  /// Takes over a fault of the transport.
  init(_ fault: HTTPFault) { self.init(.transport(fault.kind), fault.description) }
}
