// SPDX-License-Identifier: Apache-2.0

/// A request as it came in.
package struct ServerRequest: Sendable {
  /// The method in capitals.
  var method: String
  /// The path, decoded, without the query.
  var path: String
  /// Path and query as they were sent.
  let target: String
  /// The query as it was sent, with its question mark; empty if there was none.
  var query: String
  /// Names and values in order.
  var headers: [(name: String, value: String)] = []
  /// The body.
  var body: [UInt8] = []
  /// Names and values of the query, decoded, in order.
  let parameters: [(name: String, value: String)]

  /// Takes a request line apart.
  package init(
    method: String, target: String, headers: [(name: String, value: String)] = [],
    body: [UInt8] = []
  ) {
    let end = target.firstIndex(of: "?") ?? target.endIndex
    self.method = method
    self.target = target
    path = percentDecoded(target[..<end], plusIsSpace: false)
    query = String(target[end...])
    self.headers = headers
    self.body = body
    parameters = query.dropFirst().split(separator: "&").map { item in
      let equals = item.firstIndex(of: "=") ?? item.endIndex
      return (
        percentDecoded(item[..<equals], plusIsSpace: true),
        percentDecoded(item[equals...].dropFirst(), plusIsSpace: true)
      )
    }
  }

  /// The first header of a name, whatever its letters' case.
  func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  /// The first value of a parameter, whatever its letters' case; nil if absent or empty.
  func parameter(_ name: String) -> String? {
    let value = parameters.first { $0.name.lowercased() == name.lowercased() }?.value
    return value?.isEmpty == true ? nil : value
  }

  /// A parameter that is a whole number; nil if absent or no number.
  func number(_ name: String) -> Int? { parameter(name).flatMap { Int($0) } }

  /// A parameter that is true or false; nil if absent or neither.
  func flag(_ name: String) -> Bool? { parameter(name).flatMap { Bool($0.lowercased()) } }
}

/// Decodes percent escapes; an escape that is none stays as it is.
func percentDecoded(_ text: some StringProtocol, plusIsSpace: Bool) -> String {
  var bytes: [UInt8] = []
  var rest = Array(text.utf8)[...]
  while let byte = rest.popFirst() {
    if byte == UInt8(ascii: "%"), rest.count >= 2,
      let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
    {
      bytes.append(value)
      rest = rest.dropFirst(2)
    } else {
      bytes.append(byte == UInt8(ascii: "+") && plusIsSpace ? 0x20 : byte)
    }
  }
  return String(decoding: bytes, as: UTF8.self)
}
