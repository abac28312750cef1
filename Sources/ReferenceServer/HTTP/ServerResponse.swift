// SPDX-License-Identifier: Apache-2.0

/// An answer.
package struct ServerResponse: Sendable {
  /// What follows the headers.
  package enum Body: Sendable, Equatable {
    /// These bytes.
    case bytes([UInt8])
    /// A JSON value that is still to be written.
    case json(JSON)
    /// A part of a file.
    case file(path: String, offset: Int64, count: Int64)
    /// These bytes over and over, until the client goes.
    case endless([UInt8])
    /// These bytes of a body that claims to be longer.
    case cut([UInt8], claimed: Int)
    /// Nothing: the connection is closed without an answer.
    case hangUp

    /// This body with a JSON value as bytes.
    func written(htmlSafe: Bool) -> Body {
      guard case .json(let value) = self else { return self }
      return .bytes(Array(value.text(htmlSafe: htmlSafe).utf8))
    }
  }

  /// The status.
  package var status: Int
  /// Names and values, in order.
  package var headers: [(name: String, value: String)] = []
  /// What follows.
  package var body: Body = .bytes([])

  /// Makes an answer.
  package init(
    status: Int, headers: [(name: String, value: String)] = [], body: Body = .bytes([])
  ) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// A status with nothing behind it.
  static func empty(_ status: Int) -> ServerResponse { ServerResponse(status: status) }

  /// A JSON value.
  static func json(_ value: JSON, status: Int = 200) -> ServerResponse {
    ServerResponse(
      status: status, headers: [("Content-Type", "application/json; charset=utf-8")],
      body: .json(value))
  }

  /// What the server says of anything thrown inside it.
  static func plain(_ status: Int) -> ServerResponse {
    ServerResponse(
      status: status, headers: [("Content-Type", "text/plain")],
      body: .bytes(Array("Error processing request.".utf8)))
  }

  /// A playlist.
  static func playlist(_ text: String) -> ServerResponse {
    ServerResponse(
      status: 200, headers: [("Content-Type", "application/vnd.apple.mpegurl")],
      body: .bytes(Array(text.utf8)))
  }
}
