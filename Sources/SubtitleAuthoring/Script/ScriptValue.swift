// SPDX-License-Identifier: Apache-2.0

/// A JSON value that knows its line, so that a fault in a script can name it.
struct ScriptValue: Sendable {
  /// What the value is.
  enum Content: Sendable {
    case null
    case boolean(Bool)
    case number(Double)
    case string(String)
    case array([ScriptValue])
    case object([(key: String, value: ScriptValue)])
  }

  /// The line that the value begins in, from 1.
  var line: Int
  /// What it is.
  var content: Content

  /// The word for the kind of value, for messages.
  var kindName: String {
    switch content {
    case .null: "null"
    case .boolean: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

/// Reads JSON, as RFC 8259 has it, into values that know their lines.
///
/// Keys must not repeat within an object.
struct ScriptParser {
  /// How deep arrays and objects may be nested: a script needs seven levels.
  static let maximumDepth = 32

  /// A fault of syntax.
  struct Fault: Error {
    var line: Int
    var reason: String
  }

  private let bytes: [UInt8]
  private var position = 0
  private var line = 1

  private init(_ text: String) { bytes = Array(text.utf8) }

  /// Parses a whole text.
  static func parse(_ text: String) throws(Fault) -> ScriptValue {
    var parser = ScriptParser(text)
    let value = try parser.value(depth: 0)
    parser.skipSpace()
    guard parser.position == parser.bytes.count else {
      throw parser.fault("text follows the end of the script")
    }
    return value
  }

  private func fault(_ reason: String) -> Fault { Fault(line: line, reason: reason) }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
      if byte == 0x0A { line += 1 }
      position += 1
    }
  }

  private mutating func expect(_ character: Character) throws(Fault) {
    skipSpace()
    guard let byte = next, byte == character.asciiValue else {
      throw fault("'\(character)' is missing")
    }
    position += 1
  }

  private mutating func take(_ character: Character) -> Bool {
    skipSpace()
    guard let byte = next, byte == character.asciiValue else { return false }
    position += 1
    return true
  }

  private mutating func value(depth: Int) throws(Fault) -> ScriptValue {
    guard depth < Self.maximumDepth else {
      throw fault("values are nested deeper than \(Self.maximumDepth) levels")
    }
    skipSpace()
    let start = line
    guard let byte = next else { throw fault("the script ends where a value is expected") }
    let content: ScriptValue.Content
    switch byte {
    case UInt8(ascii: "{"): content = .object(try object(depth: depth))
    case UInt8(ascii: "["): content = .array(try array(depth: depth))
    case UInt8(ascii: "\""): content = .string(try string())
    case UInt8(ascii: "t"): content = try word("true", .boolean(true))
    case UInt8(ascii: "f"): content = try word("false", .boolean(false))
    case UInt8(ascii: "n"): content = try word("null", .null)
    default: content = .number(try number())
    }
    return ScriptValue(line: start, content: content)
  }

  private mutating func object(
    depth: Int
  ) throws(Fault) -> [(key: String, value: ScriptValue)] {
    try expect("{")
    var members: [(key: String, value: ScriptValue)] = []
    var keys: Set<String> = []
    if take("}") { return members }
    repeat {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw fault("a key in quotes is missing") }
      let key = try string()
      guard keys.insert(key).inserted else { throw fault("the key '\(key)' is there twice") }
      try expect(":")
      members.append((key, try value(depth: depth + 1)))
    } while take(",")
    try expect("}")
    return members
  }

  private mutating func array(depth: Int) throws(Fault) -> [ScriptValue] {
    try expect("[")
    var elements: [ScriptValue] = []
    if take("]") { return elements }
    repeat { elements.append(try value(depth: depth + 1)) } while take(",")
    try expect("]")
    return elements
  }

  private mutating func word(
    _ word: String, _ content: ScriptValue.Content
  ) throws(Fault) -> ScriptValue.Content {
    guard bytes[position...].starts(with: word.utf8) else {
      throw fault("a value is expected: true, false, null, a number, a string, '[' or '{'")
    }
    position += word.utf8.count
    return content
  }

  private mutating func number() throws(Fault) -> Double {
    let start = position
    while let byte = next,
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-.eE".utf8.contains(byte)
    { position += 1 }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    let isPlain = digits.first?.isNumber == true && digits.last?.isNumber == true
    let hasLeadingZero = digits.count > 1 && digits.hasPrefix("0") && !digits.hasPrefix("0.")
    guard isPlain, !hasLeadingZero, let value = Double(text), value.isFinite else {
      throw fault("a value is expected: true, false, null, a number, a string, '[' or '{'")
    }
    return value
  }

  private mutating func string() throws(Fault) -> String {
    position += 1
    var scalars = String.UnicodeScalarView()
    var start = position
    func text(_ range: Range<Int>) -> String.UnicodeScalarView {
      String(decoding: bytes[range], as: UTF8.self).unicodeScalars
    }
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        scalars.append(contentsOf: text(start..<position))
        position += 1
        return String(scalars)
      case UInt8(ascii: "\\"):
        scalars.append(contentsOf: text(start..<position))
        position += 1
        scalars.append(try escape())
        start = position
      case 0..<0x20:
        throw fault("a string is not closed on its line; write a line break as \\n")
      default:
        position += 1
      }
    }
    throw fault("the script ends inside a string")
  }

  private mutating func escape() throws(Fault) -> Unicode.Scalar {
    guard let byte = next else { throw fault("the script ends inside a string") }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "b"): return "\u{08}"
    case UInt8(ascii: "f"): return "\u{0C}"
    case UInt8(ascii: "u"): return try unicodeEscape()
    default: throw fault("'\\\(Character(Unicode.Scalar(byte)))' is no escape of JSON")
    }
  }

  private mutating func unicodeEscape() throws(Fault) -> Unicode.Scalar {
    let first = try fourDigits()
    if let scalar = Unicode.Scalar(first) { return scalar }
    if (0xD800..<0xDC00).contains(first), bytes[position...].starts(with: "\\u".utf8) {
      position += 2
      let second = try fourDigits()
      if (0xDC00..<0xE000).contains(second),
        let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
      {
        return scalar
      }
    }
    throw fault("a \\u escape is half of a surrogate pair")
  }

  private mutating func fourDigits() throws(Fault) -> UInt32 {
    let digits = String(decoding: bytes[position...].prefix(4), as: UTF8.self)
    guard digits.utf8.count == 4, digits.allSatisfy(\.isHexDigit),
      let value = UInt32(digits, radix: 16)
    else { throw fault("a \\u escape needs four hexadecimal digits") }
    position += 4
    return value
  }
}
