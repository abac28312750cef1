// SPDX-License-Identifier: Apache-2.0

/// A request with its answer, as a file of a recording holds it.
package struct RecordedExchange: Sendable, Equatable {
  /// What follows the headers.
  package enum Body: Sendable, Equatable {
    case none
    case json(JSON)
    case text(String)
    /// Bytes that are only described: media, and what nobody can read.
    case omitted(type: String, byteCount: Int?)
  }

  package var method: String
  /// The path with its query.
  package var target: String
  package var requestHeaders: [JSON.Member]
  package var requestBody: Body
  package var status: Int
  package var responseHeaders: [JSON.Member]
  package var responseBody: Body
}

// Making one of what was asked and answered.
extension RecordedExchange {
  /// Bytes of a text that is kept.
  static let textLimit = 8 << 20

  /// Describes an exchange, its secrets replaced.
  package init(request: ServerRequest, response: ServerResponse, redaction: Redaction) {
    func headers(_ list: [(name: String, value: String)]) -> [JSON.Member] {
      var members: [JSON.Member] = []
      for (name, value) in list {
        let clean = redaction.header(name, value)
        if let index = members.firstIndex(where: { $0.name.lowercased() == name.lowercased() }) {
          members[index].value = .string((members[index].value.text ?? "") + ", " + clean)
        } else {
          members.append(JSON.Member(name: name, value: .string(clean)))
        }
      }
      return members
    }
    method = request.method
    target = redaction.target(request.target)
    // The length of a sign-in's body would tell that of the password.
    requestHeaders = headers(request.headers.filter { $0.name.lowercased() != "content-length" })
    requestBody = Self.body(
      of: request.body, type: request.header("Content-Type") ?? "", isRequest: true,
      redaction: redaction)
    status = response.status
    responseHeaders = headers(response.headers)
    let type = response.headers.first { $0.name.lowercased() == "content-type" }?.value ?? ""
    switch response.body {
    case .bytes(let bytes):
      responseBody = Self.body(of: bytes, type: type, isRequest: false, redaction: redaction)
    case .json(let value): responseBody = .json(redaction.json(value))
    case .file(_, _, let count): responseBody = .omitted(type: type, byteCount: Int(count))
    case .cut(_, let claimed): responseBody = .omitted(type: type, byteCount: claimed)
    case .endless: responseBody = .omitted(type: type, byteCount: nil)
    case .hangUp: responseBody = .none
    }
  }

  /// A request's body is kept only if it is JSON or a form, since a secret in anything else could
  /// not be told.
  private static func body(
    of bytes: [UInt8], type: String, isRequest: Bool, redaction: Redaction
  ) -> Body {
    guard !bytes.isEmpty else { return .none }
    let kind = type.lowercased().prefix { $0 != ";" }
    let omitted = Body.omitted(type: redaction.text(type), byteCount: bytes.count)
    guard bytes.count <= textLimit else { return omitted }
    if isRequest || kind.contains("json"), let value = try? JSON(parsing: bytes) {
      return .json(redaction.json(value))
    }
    let text = String(decoding: bytes, as: UTF8.self)
    if isRequest {
      return kind == "application/x-www-form-urlencoded" ? .text(redaction.query(text)) : omitted
    }
    let isText = kind.hasPrefix("text/") || kind.contains("mpegurl") || kind.hasSuffix("subrip")
    return isText ? .text(redaction.text(text)) : omitted
  }
}

// The file.
extension RecordedExchange {
  /// The content of the file.
  package var json: JSON {
    .fields([
      "request": .fields([
        "method": .string(method), "path": .string(target), "headers": .object(requestHeaders),
        "body": requestBody.json,
      ]),
      "response": .fields([
        "status": .integer(status), "headers": .object(responseHeaders),
        "body": responseBody.json,
      ]),
    ])
  }

  /// Reads the content of a file.
  ///
  /// - Throws: What is wrong, as the end of a sentence.
  package init(_ json: JSON) throws(RecordingFault) {
    guard let request = json["request"], let response = json["response"] else {
      throw RecordingFault("it has no members 'request' and 'response'")
    }
    guard let method = request["method"]?.text, (1...20).contains(method.utf8.count),
      method.utf8.allSatisfy({ (0x41...0x5A).contains($0) })
    else { throw RecordingFault("'request.method' is no method in capitals") }
    guard let target = request["path"]?.text, target.hasPrefix("/") else {
      throw RecordingFault("'request.path' is no path that begins with '/'")
    }
    guard let status = response["status"]?.whole, (200...599).contains(status) else {
      throw RecordingFault("'response.status' is no status of 200 to 599")
    }
    self.method = method
    self.target = target
    self.status = status
    requestHeaders = try Self.headers(request["headers"], "request.headers")
    responseHeaders = try Self.headers(response["headers"], "response.headers")
    requestBody = Body(request["body"], type: Self.type(in: requestHeaders))
    responseBody = Body(response["body"], type: Self.type(in: responseHeaders))
  }

  private static func type(in headers: [JSON.Member]) -> String {
    headers.first { $0.name.lowercased() == "content-type" }?.value.text ?? ""
  }

  private static func headers(
    _ value: JSON?, _ name: String
  ) throws(RecordingFault) -> [JSON.Member] {
    guard let value else { return [] }
    guard case .object(let members) = value else {
      throw RecordingFault("'\(name)' is no object")
    }
    for member in members {
      let isName =
        !member.name.isEmpty
        && member.name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ":") }
      guard isName, let text = member.value.text, text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
      else { throw RecordingFault("'\(name)' holds what is no header") }
    }
    return members
  }
}

extension RecordedExchange.Body {
  fileprivate var json: JSON {
    switch self {
    case .none: .null
    case .json(let value): value
    case .text(let text): .string(text)
    case .omitted(let type, let count):
      .fields(["omitted": .string(type), "bytes": count.map { .integer($0) } ?? .null])
    }
  }

  /// Reads a body; the Content-Type tells a JSON text from a text, and an object from a description.
  fileprivate init(_ value: JSON?, type: String) {
    let isJSON = type.lowercased().contains("json")
    switch value {
    case nil: self = .none
    case .string(let text) where !isJSON: self = .text(text)
    case .object(_) where !isJSON && value?["omitted"]?.text != nil:
      self = .omitted(type: value?["omitted"]?.text ?? "", byteCount: value?["bytes"]?.whole)
    case let value?: self = .json(value)
    }
  }
}

/// Why a file is no recorded exchange: the end of a sentence.
package struct RecordingFault: Error, Sendable, Equatable {
  package var reason: String
  init(_ reason: String) { self.reason = reason }
}
