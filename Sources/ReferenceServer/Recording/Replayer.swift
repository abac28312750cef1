// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Gives recorded answers back.
///
/// An exchange is found by method, path, query and body, secrets left aside. Where several fit, they
/// come in their order, and the last one again from then on.
package final class Replayer: Sendable {
  /// What an exchange is found by.
  struct Key: Hashable {
    var method: String
    /// Decoded, in lower case, without a slash at its end.
    var path: String
    /// Names in lower case with their values, sorted; without secrets.
    var query: [String]
    /// The body with sorted members; nil for one that was not kept, which fits any.
    var body: String?
  }

  private let exchanges: [RecordedExchange]
  private let places: [Key: [Int]]
  private let used = Mutex<[Key: Int]>([:])

  /// Offers exchanges.
  package init(_ exchanges: [RecordedExchange]) {
    self.exchanges = exchanges
    var places: [Key: [Int]] = [:]
    for (place, exchange) in exchanges.enumerated() {
      places[Self.key(of: exchange), default: []].append(place)
    }
    self.places = places
  }

  /// The recorded answer to a request, or an error that tells what was not recorded.
  package func answer(_ request: ServerRequest) -> ServerResponse {
    let wanted = Self.key(of: RecordedExchange(asking: request))
    var open = wanted
    open.body = nil
    guard
      let (key, found) = [wanted, open].lazy.compactMap({ key in
        self.places[key].map { (key, $0) }
      }).first
    else { return Self.error(explanation(of: wanted, path: request.path)) }
    let turn = used.withLock { used in
      defer { used[key, default: 0] += 1 }
      return used[key] ?? 0
    }
    let exchange = exchanges[found[min(turn, found.count - 1)]]
    guard case .omitted(let type, let count) = exchange.responseBody, request.method != "HEAD"
    else { return Self.response(of: exchange) }
    let size = count.map { "\($0) bytes" } ?? "the bytes"
    return Self.error(
      "The recording describes \(size) of '\(type)' for \(wanted.method) \(request.path) but does "
        + "not hold them; ask the server itself for media.")
  }

  private static func response(of exchange: RecordedExchange) -> ServerResponse {
    // What belongs to one connection, or to the bytes on the wire, is not given back.
    let left: Set = [
      "connection", "content-encoding", "content-length", "date", "keep-alive",
      "transfer-encoding", "upgrade", "trailer", "te",
    ]
    let headers = exchange.responseHeaders.filter { !left.contains($0.name.lowercased()) }.map {
      (name: $0.name, value: $0.value.text ?? "")
    }
    var response = ServerResponse(status: exchange.status, headers: headers)
    switch exchange.responseBody {
    case _ where exchange.status == 204 || exchange.status == 304: break
    case .none, .omitted: break
    case .json(let value): response.body = .bytes(Array(value.serialized.utf8))
    case .text(let text): response.body = .bytes(Array(text.utf8))
    }
    return response
  }

  private static func error(_ sentence: String) -> ServerResponse {
    ServerResponse(
      status: 501, headers: [("Content-Type", "text/plain; charset=utf-8")],
      body: .bytes(Array((sentence + "\n").utf8)))
  }

  /// What the nearest exchange differs in; values are not told.
  private func explanation(of wanted: Key, path: String) -> String {
    let request = "\(wanted.method) \(path)"
    let samePath = places.keys.filter { $0.path == wanted.path }
    guard !samePath.isEmpty else { return "No exchange with the path of \(request) was recorded." }
    let sameMethod = samePath.filter { $0.method == wanted.method }
    guard !sameMethod.isEmpty else {
      let methods = Set(samePath.map(\.method)).sorted().joined(separator: ", ")
      return "For \(request) only other methods were recorded: \(methods)."
    }
    if sameMethod.contains(where: { $0.query == wanted.query }) {
      return "\(request) was recorded, but with another body."
    }
    let differences = sameMethod.map { Set($0.query).symmetricDifference(wanted.query) }
    let nearest = differences.min { $0.count < $1.count } ?? []
    let names = Set(nearest.map { String($0.prefix { $0 != "=" }) }).sorted()
    return "\(request) was recorded, but with another query; these parameters differ: "
      + names.joined(separator: ", ") + "."
  }

  private static func key(of exchange: RecordedExchange) -> Key {
    let request = ServerRequest(method: exchange.method, target: exchange.target)
    var path = request.path.lowercased()
    if path.hasSuffix("/"), path.utf8.count > 1 { path.removeLast() }
    let query = request.parameters.compactMap { name, value -> String? in
      if name.isEmpty, value.isEmpty { return nil }
      return Redaction.placeholder(of: name) == nil ? "\(name.lowercased())=\(value)" : nil
    }
    let body: String?
    switch exchange.requestBody {
    case .none: body = ""
    case .json(let value): body = value.sorted.serialized
    case .text(let text): body = "text " + text
    case .omitted: body = nil
    }
    return Key(method: exchange.method, path: path, query: query.sorted(), body: body)
  }
}

extension RecordedExchange {
  /// A request as it would be recorded, without an answer.
  fileprivate init(asking request: ServerRequest) {
    self.init(
      request: request, response: ServerResponse(status: 200), redaction: Redaction(known: []))
  }
}

extension JSON {
  /// The value with the members of its objects in the order of their names.
  fileprivate var sorted: JSON {
    switch self {
    case .array(let elements): .array(elements.map(\.sorted))
    case .object(let members):
      .object(
        members.map { Member(name: $0.name, value: $0.value.sorted) }.sorted { $0.name < $1.name })
    default: self
    }
  }
}
