// SPDX-License-Identifier: Apache-2.0

/// A value of JSON, read leniently: servers differ in letter case, leave fields out, write null for
/// nothing, and numbers as text.
public enum JSONValue: Sendable, Hashable {
  /// null, or a member that is not there.
  case null
  /// true or false.
  case bool(Bool)
  /// A number, as its digits.
  case number(String)
  /// A text.
  case string(String)
  /// An array.
  case array([JSONValue])
  /// An object's members in order.
  case object([Member])

  /// A name and its value.
  public struct Member: Sendable, Hashable {
    /// The name as written.
    public var name: String
    /// The value.
    public var value: JSONValue

    /// Makes a member.
    public init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  /// The member of that name; letter case counts only where two differ in nothing else.
  public subscript(name: String) -> JSONValue {
    guard case .object(let members) = self else { return .null }
    if let exact = members.last(where: { $0.name == name }) { return exact.value }
    let lowered = name.lowercased()
    return members.last { $0.name.lowercased() == lowered }?.value ?? .null
  }

  /// The elements of an array; empty for anything else.
  public var elements: [JSONValue] {
    guard case .array(let values) = self else { return [] }
    return values
  }

  /// The text, or a number's digits; nil for anything else.
  public var text: String? {
    switch self {
    case .string(let text), .number(let text): text
    default: nil
    }
  }

  /// A whole number, also from `1.0` and `"1"`.
  public var integer: Int? {
    guard let text else { return nil }
    if let whole = Int(text) { return whole }
    guard let value = Double(text), value == value.rounded(), abs(value) < 9e15 else { return nil }
    return Int(value)
  }

  /// A truth, also from `"true"`, `1` and `0`.
  public var truth: Bool? {
    switch self {
    case .bool(let value): value
    case .number("1"): true
    case .number("0"): false
    case .string(let text):
      switch text.lowercased() {
      case "true": true
      case "false": false
      default: nil
      }
    default: nil
    }
  }

  /// Whether it is null or not there.
  public var isNull: Bool { self == .null }
}

extension JSONValue {
  /// The value as JSON text, in the order of its members.
  public var encoded: String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .number(let digits): digits
    case .string(let text): Self.quoted(text)
    case .array(let values): "[" + values.map(\.encoded).joined(separator: ",") + "]"
    case .object(let members):
      "{"
        + members.map { Self.quoted($0.name) + ":" + $0.value.encoded }.joined(separator: ",")
        + "}"
    }
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// Makes a text.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Makes a number.
  public init(integerLiteral value: Int) { self = .number(String(value)) }
  /// Makes a truth.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// Makes an array.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  /// Makes an object of members in that order.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(elements.map { Member($0.0, $0.1) })
  }
}
