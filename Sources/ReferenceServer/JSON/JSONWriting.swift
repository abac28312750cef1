// SPDX-License-Identifier: Apache-2.0

extension JSON {
  /// The value as the server writes it: no white space, HTML-safe escapes, ASCII only.
  package var serialized: String { text(htmlSafe: true) }

  /// The value without white space, with HTML-safe escapes and in ASCII only, or with the escapes
  /// that JSON demands.
  package func text(htmlSafe: Bool) -> String {
    var text = ""
    write(to: &text, htmlSafe)
    return text
  }

  private func write(to text: inout String, _ htmlSafe: Bool) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .integer(let value): text += String(value)
    case .number(let value): text += Self.plain(String(value), isFinite: value.isFinite)
    case .float(let value): text += Self.plain(String(value), isFinite: value.isFinite)
    case .string(let value): Self.writeString(value, to: &text, htmlSafe)
    case .array(let elements):
      text += "["
      for (index, element) in elements.enumerated() {
        if index > 0 { text += "," }
        element.write(to: &text, htmlSafe)
      }
      text += "]"
    case .object(let members):
      text += "{"
      for (index, member) in members.enumerated() {
        if index > 0 { text += "," }
        Self.writeString(member.name, to: &text, htmlSafe)
        text += ":"
        member.value.write(to: &text, htmlSafe)
      }
      text += "}"
    }
  }

  /// Whole numbers stand without a point; what JSON cannot say becomes 0.
  private static func plain(_ digits: String, isFinite: Bool) -> String {
    guard isFinite else { return "0" }
    return digits.hasSuffix(".0") ? String(digits.dropLast(2)) : digits
  }

  private static func writeString(_ value: String, to text: inout String, _ htmlSafe: Bool) {
    text += "\""
    defer { text += "\"" }
    guard htmlSafe else {
      for scalar in value.unicodeScalars {
        switch scalar {
        case "\"", "\\": text += "\\" + String(scalar)
        case "\u{0}"..<" ":
          let digits = String(scalar.value, radix: 16, uppercase: true)
          text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        default: text.unicodeScalars.append(scalar)
        }
      }
      return
    }
    for unit in value.utf16 {
      switch unit {
      case 0x08: text += "\\b"
      case 0x09: text += "\\t"
      case 0x0A: text += "\\n"
      case 0x0C: text += "\\f"
      case 0x0D: text += "\\r"
      case 0x5C: text += "\\\\"
      case 0x22, 0x26, 0x27, 0x2B, 0x3C, 0x3E, 0x60, 0..<0x20, 0x7F...:
        let digits = String(unit, radix: 16, uppercase: true)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(Unicode.Scalar(UInt8(truncatingIfNeeded: unit)))
      }
    }
  }
}
