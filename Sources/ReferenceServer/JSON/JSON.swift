// SPDX-License-Identifier: Apache-2.0

/// A JSON value whose members keep their order, since clients decode the answers strictly and
/// people compare them by eye.
package enum JSON: Sendable, Equatable {
  case null
  case bool(Bool)
  case integer(Int)
  case number(Double)
  /// A number that is single precision on the wire, such as a frame rate.
  case float(Float)
  case string(String)
  case array([JSON])
  case object([Member])

  /// A name with its value.
  package struct Member: Sendable, Equatable {
    package var name: String
    package var value: JSON

    package init(name: String, value: JSON) {
      self.name = name
      self.value = value
    }
  }

  /// An object of the members that have a value; a member is left out by nil, not by `.null`.
  package static func fields(_ members: KeyValuePairs<String, JSON?>) -> JSON {
    .object(members.compactMap { name, value in value.map { Member(name: name, value: $0) } })
  }

  /// This object with the members of another behind its own.
  package func adding(_ members: KeyValuePairs<String, JSON?>) -> JSON {
    guard case .object(let own) = self, case .object(let more) = JSON.fields(members) else {
      return self
    }
    return .object(own + more)
  }

  /// The member of a name, whatever its letters' case; nil if absent or null.
  package subscript(_ name: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    let found = members.first { $0.name.lowercased() == name.lowercased() }
    return found?.value == .null ? nil : found?.value
  }

  /// The text of a string.
  package var text: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// A whole number, also one that is written as a string.
  package var whole: Int? {
    switch self {
    case .integer(let value): value
    case .number(let value): Int(exactly: value)
    case .string(let text): Int(text)
    default: nil
    }
  }

  /// True or false.
  package var flag: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The elements of an array; none for anything else.
  package var elements: [JSON] {
    if case .array(let elements) = self { elements } else { [] }
  }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral
{
  package init(stringLiteral value: String) { self = .string(value) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(integerLiteral value: Int) { self = .integer(value) }
  package init(arrayLiteral elements: JSON...) { self = .array(elements) }
}
