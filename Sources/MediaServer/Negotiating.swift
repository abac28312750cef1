// SPDX-License-Identifier: Apache-2.0
public import BurnInNegotiation
internal import HTTPTransport

/// What went over the wire in a negotiation.
public struct NegotiationLog: Sendable, Hashable {
  /// The bodies sent, in order; they hold no credential.
  public var bodies: [PlaybackInfoBody] = []
  /// The answers as they came, in order; they may hold a token.
  public var answers: [JSONValue] = []
}

extension PlaybackAnswer {
  /// The facts of an answer that a decision uses, with a URL of which each character may be sent.
  ///
  /// - Parameters:
  ///   - json: The answer.
  ///   - mediaSourceID: The source asked for; nil for the first.
  public init(_ json: JSONValue, mediaSourceID: String?) {
    self.init(json: json.wireValue, mediaSourceID: mediaSourceID)
    guard let url = source?.transcodingURL else { return }
    source?.transcodingURL = URLReference.encodingIllegalCharacters(in: url)
  }
}

extension MediaServerConnection {
  /// Sends the requests of a negotiation until it is over.
  ///
  /// - Parameters:
  ///   - negotiation: The negotiation, at its beginning; at its end afterwards.
  ///   - item: The item's id.
  /// - Returns: What was sent and answered.
  /// - Throws: The fault of the first request, of a cancelled one, or of refused credentials. A
  ///   burn-in request that fails otherwise ends the negotiation with the first answer.
  public func negotiate(
    _ negotiation: inout Negotiation, item: String
  ) throws(MediaServerFault) -> NegotiationLog {
    try Self.check(id: item)
    var log = NegotiationLog()
    while true {
      switch negotiation.step {
      case .ask(let body):
        let json = try playbackInfo(body, item: item)
        log.bodies.append(body)
        log.answers.append(json)
        negotiation.firstAnswered(
          .success(PlaybackAnswer(json, mediaSourceID: body.mediaSourceID)))
      case .askAgain(let body):
        log.bodies.append(body)
        do throws(MediaServerFault) {
          let json = try playbackInfo(body, item: item)
          log.answers.append(json)
          negotiation.secondAnswered(
            .success(PlaybackAnswer(json, mediaSourceID: body.mediaSourceID)))
        } catch {
          let reason = PlaybackError(error)
          negotiation.secondAnswered(.failure(reason))
          if reason.endsNegotiation { throw error }
        }
      case .finished, .failed: return log
      }
    }
  }

  /// One PlaybackInfo request.
  private func playbackInfo(
    _ body: PlaybackInfoBody, item: String
  ) throws(MediaServerFault) -> JSONValue {
    // Emby reads the user from the query too.
    let query = try kind() == .emby ? "?UserId=\(try signIn())" : ""
    return try call(
      .post, "/Items/\(item)/PlaybackInfo" + query, headers: try mediaHeaders(),
      body: JSONValue(body.json))
  }

  /// The address of an item's PlaybackInfo, for messages.
  func place(of item: String) -> String {
    URLReference.redacted("\(baseURL)/Items/\(item)/PlaybackInfo")
  }
}

extension PlaybackError {
  /// What a fault of a request means for a negotiation.
  init(_ fault: MediaServerFault) {
    self =
      switch fault.kind {
      case .unauthorized(status: 401): .signInRequired
      case .unauthorized(let status), .serverError(let status): .http(status: status)
      case .notFound: .http(status: 404)
      case .transport(.cancelled): .cancelled
      case .transport(.timeout): .timedOut
      default: .network(code: nil)
      }
  }
}

extension JSONValue {
  /// Takes over a value of the negotiation core.
  init(_ value: WireValue) {
    self =
      switch value {
      case .null: .null
      case .bool(let value): .bool(value)
      case .number(let digits): .number(digits)
      case .string(let text): .string(text)
      case .array(let values): .array(values.map { JSONValue($0) })
      case .object(let members): .object(members.map { Member($0.name, JSONValue($0.value)) })
      }
  }

  /// The value in the negotiation core's own type.
  public var wireValue: WireValue {
    switch self {
    case .null: .null
    case .bool(let value): .bool(value)
    case .number(let digits): .number(digits)
    case .string(let text): .string(text)
    case .array(let values): .array(values.map(\.wireValue))
    case .object(let members): .object(members.map { .init($0.name, $0.value.wireValue) })
    }
  }
}
