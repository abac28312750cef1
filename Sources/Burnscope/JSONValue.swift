// SPDX-License-Identifier: Apache-2.0
import SubtitleModel

/// A JSON document in the making; the keys of objects are written in alphabetical order.
enum JSONValue {
  case null
  case bool(Bool)
  case integer(Int)
  /// Seconds with as many decimals as needed, from whole nanoseconds.
  case seconds(Timestamp)
  /// A part of a whole, 0 to 1, with four decimals at most.
  case share(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  static func text(_ string: String?) -> JSONValue { string.map { .string($0) } ?? .null }

  static func size(_ canvas: Canvas?) -> JSONValue {
    guard let canvas else { return .null }
    return .object(["width": .integer(canvas.width), "height": .integer(canvas.height)])
  }

  private var isInteger: Bool { if case .integer = self { true } else { false } }

  /// The document, indented by two spaces a level; longer rows of whole numbers are on one line.
  func text(depth: Int = 0) -> String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .integer(let value): "\(value)"
    case .seconds(let time): Self.decimal(time.nanoseconds)
    case .share(let share):
      Self.decimal(Int64((min(1, max(0, share)) * 10_000).rounded()) * 100_000)
    case .string(let text): Self.quoted(text)
    case .array(let values) where values.count > 2 && values.allSatisfy(\.isInteger):
      "[" + values.map(\.line).joined(separator: ", ") + "]"
    case .array(let values):
      Self.nested("[", values.map { $0.text(depth: depth + 1) }, "]", depth)
    case .object(let members):
      Self.nested(
        "{",
        members.sorted { $0.key < $1.key }.map {
          "\(Self.quoted($0.key)): \($0.value.text(depth: depth + 1))"
        }, "}", depth)
    }
  }

  /// The document on one line.
  var line: String {
    switch self {
    case .array(let values): "[" + values.map(\.line).joined(separator: ",") + "]"
    case .object(let members):
      "{"
        + members.sorted { $0.key < $1.key }.map { "\(Self.quoted($0.key)):\($0.value.line)" }
        .joined(separator: ",") + "}"
    default: text()
    }
  }

  private static func nested(
    _ open: String, _ parts: [String], _ close: String, _ depth: Int
  ) -> String {
    guard !parts.isEmpty else { return open + close }
    let indent = String(repeating: "  ", count: depth)
    return open + "\n" + parts.map { "\(indent)  \($0)" }.joined(separator: ",\n")
      + "\n\(indent)\(close)"
  }

  private static func decimal(_ nanoseconds: Int64) -> String {
    let magnitude = nanoseconds.magnitude
    var digits = String(magnitude % 1_000_000_000)
    digits = String(repeating: "0", count: 9 - digits.count) + digits
    while digits.count > 1, digits.last == "0" { digits.removeLast() }
    return (nanoseconds < 0 ? "-" : "") + "\(magnitude / 1_000_000_000).\(digits)"
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      default:
        if scalar.value < 0x20 || scalar.value == 0x7F {
          let digits = String(scalar.value, radix: 16)
          result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        } else {
          result.unicodeScalars.append(scalar)
        }
      }
    }
    return result + "\""
  }
}
