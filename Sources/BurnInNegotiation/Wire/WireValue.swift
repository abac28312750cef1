// SPDX-License-Identifier: Apache-2.0

/// A JSON value, as servers answer and as vector files are written.
///
/// Numbers keep their digits. Names are looked up exactly first and then without regard to letter
/// case, and a scalar is read from the type that a server wrote it in: servers differ in both.
public indirect enum WireValue: Sendable, Hashable {
  /// A member of an object.
  public struct Member: Sendable, Hashable {
    /// The name.
    public var name: String
    /// The value.
    public var value: WireValue

    /// A member of the name and the value.
    public init(_ name: String, _ value: WireValue) {
      self.name = name
      self.value = value
    }
  }

  /// Nothing.
  case null
  /// True or false.
  case bool(Bool)
  /// A number in its own digits.
  case number(String)
  /// A text.
  case string(String)
  /// A list.
  case array([WireValue])
  /// An object with its members in order.
  case object([Member])

  /// A whole number.
  public static func integer(_ value: Int) -> WireValue { .number("\(value)") }

  /// An object of the members in order.
  public static func members(_ members: KeyValuePairs<String, WireValue>) -> WireValue {
    .object(members.map { Member($0.key, $0.value) })
  }

  /// The member with the name; nil if there is none, if it is null, or if this is no object.
  public subscript(name: String) -> WireValue? {
    guard case .object(let members) = self else { return nil }
    let folded = name.lowercased()
    let member =
      members.last { $0.name == name } ?? members.last { $0.name.lowercased() == folded }
    return member.flatMap { $0.value == .null ? nil : $0.value }
  }

  /// The text; a number as its digits; nil for anything else.
  public var string: String? {
    switch self {
    case .string(let text), .number(let text): text
    default: nil
    }
  }

  /// The whole number, also from a text or from `3.0`; nil for anything else.
  public var int: Int? {
    guard let text = string.map(Text.trimmed) else { return nil }
    if let value = Int(text) { return value }
    guard let number = Double(text), number > -0x1p53, number < 0x1p53 else { return nil }
    let value = Int(number)
    return Double(value) == number ? value : nil
  }

  /// The number, also from a text.
  public var double: Double? { string.flatMap { Double(Text.trimmed($0)) } }

  /// The truth value, also from the text or from 0 and 1.
  public var bool: Bool? {
    switch self {
    case .bool(let value): return value
    case .string(let text), .number(let text):
      switch Text.folded(text) {
      case "true", "1": return true
      case "false", "0": return false
      default: return nil
      }
    default: return nil
    }
  }

  /// The list; nil for anything else.
  public var array: [WireValue]? { if case .array(let values) = self { values } else { nil } }

  /// Whether two values say the same: numbers by value, members in any order.
  public func matches(_ other: WireValue) -> Bool {
    switch (self, other) {
    case (.number(let one), .number(let two)):
      return one == two || (Double(one) == Double(two) && Double(one) != nil && Int(one) == nil)
    case (.array(let one), .array(let two)):
      return one.count == two.count && zip(one, two).allSatisfy { $0.matches($1) }
    case (.object(let one), .object(let two)):
      return one.count == two.count
        && one.allSatisfy { member in
          two.contains { $0.name == member.name && $0.value.matches(member.value) }
        }
    default: return self == other
    }
  }
}

extension WireValue: CustomStringConvertible {
  /// The value as compact JSON.
  public var description: String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .number(let digits): digits
    case .string(let text): Self.quoted(text)
    case .array(let values): "[" + values.map(\.description).joined(separator: ",") + "]"
    case .object(let members):
      "{"
        + members.map { Self.quoted($0.name) + ":" + $0.value.description }
        .joined(separator: ",") + "}"
    }
  }

  /// The text in quotation marks, with what JSON wants escaped.
  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case let scalar where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}

extension WireValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral {
  /// A text.
  public init(stringLiteral value: String) { self = .string(value) }
  /// True or false.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
}
