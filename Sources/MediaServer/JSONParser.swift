// SPDX-License-Identifier: Apache-2.0

/// Why a text is no JSON: what is wrong and at which byte.
///
/// Nothing of the text is repeated: it may hold a token.
public struct JSONFault: Error, Sendable, Hashable, CustomStringConvertible {
  /// Bytes from the start.
  public var offset: Int
  /// What is wrong.
  public var reason: String

  /// The reason and the place.
  public var description: String { "\(reason) at byte \(offset)" }
}

extension JSONValue {
  /// How deep arrays and objects may nest; an item of a server has 6 levels.
  public static let depthLimit = 64
  /// How many values one text may hold; one item with 60 streams and 300 people has 6000.
  public static let countLimit = 200_000

  /// Reads JSON (RFC 8259); a byte order mark is passed over.
  ///
  /// - Parameter bytes: The whole text, in UTF-8; broken sequences become replacement characters.
  /// - Throws: `JSONFault`, also where a limit is passed.
  public init(parsing bytes: [UInt8]) throws(JSONFault) {
    var parser = JSONParser(bytes)
    self = try parser.document()
  }
}

/// The state of one reading.
private struct JSONParser {
  private let bytes: [UInt8]
  private var offset = 0
  private var count = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func document() throws(JSONFault) -> JSONValue {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
    let value = try value(depth: 0)
    skipBlanks()
    guard offset == bytes.count else { throw fault("something follows the value") }
    return value
  }

  private func fault(_ reason: String) -> JSONFault { JSONFault(offset: offset, reason: reason) }

  private mutating func skipBlanks() {
    while offset < bytes.count {
      switch bytes[offset] {
      case 32, 9, 10, 13: offset += 1
      default: return
      }
    }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    skipBlanks()
    guard offset < bytes.count, bytes[offset] == UInt8(ascii: character) else { return false }
    offset += 1
    return true
  }

  private mutating func value(depth: Int) throws(JSONFault) -> JSONValue {
    guard depth <= JSONValue.depthLimit else {
      throw fault("nested deeper than \(JSONValue.depthLimit) levels")
    }
    count += 1
    guard count <= JSONValue.countLimit else {
      throw fault("more than \(JSONValue.countLimit) values")
    }
    skipBlanks()
    guard offset < bytes.count else { throw fault("the text ends where a value should be") }
    switch bytes[offset] {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return try number()
    }
  }

  private mutating func word(
    _ word: String, _ value: JSONValue
  ) throws(JSONFault) -> JSONValue {
    guard bytes[offset...].starts(with: word.utf8) else { throw fault("no value") }
    offset += word.utf8.count
    return value
  }

  private mutating func array(depth: Int) throws(JSONFault) -> JSONValue {
    offset += 1
    if take("]") { return .array([]) }
    var values: [JSONValue] = []
    repeat { values.append(try value(depth: depth + 1)) } while take(",")
    guard take("]") else { throw fault("an array is not closed") }
    return .array(values)
  }

  private mutating func object(depth: Int) throws(JSONFault) -> JSONValue {
    offset += 1
    if take("}") { return .object([]) }
    var members: [JSONValue.Member] = []
    repeat {
      skipBlanks()
      guard offset < bytes.count, bytes[offset] == UInt8(ascii: "\"") else {
        throw fault("a member has no name")
      }
      let name = try string()
      guard take(":") else { throw fault("a member has no value") }
      members.append(JSONValue.Member(name, try value(depth: depth + 1)))
    } while take(",")
    guard take("}") else { throw fault("an object is not closed") }
    return .object(members)
  }

  private mutating func number() throws(JSONFault) -> JSONValue {
    let start = offset
    while offset < bytes.count, "+-.eE0123456789".utf8.contains(bytes[offset]) { offset += 1 }
    let text = String(decoding: bytes[start..<offset], as: UTF8.self)
    guard let first = text.utf8.first, first == UInt8(ascii: "-") || (48...57).contains(first),
      text.utf8.count <= 64, Double(text) != nil
    else {
      offset = start
      throw fault("no value")
    }
    return .number(text)
  }

  private mutating func string() throws(JSONFault) -> String {
    offset += 1
    var content: [UInt8] = []
    while offset < bytes.count {
      let byte = bytes[offset]
      switch byte {
      case UInt8(ascii: "\""):
        offset += 1
        return String(decoding: content, as: UTF8.self)
      case UInt8(ascii: "\\"):
        offset += 1
        content += try escape().utf8
      case 0..<32: throw fault("a control character stands in a text")
      default:
        content.append(byte)
        offset += 1
      }
    }
    throw fault("a text is not closed")
  }

  private mutating func escape() throws(JSONFault) -> String {
    guard offset < bytes.count else { throw fault("a text is not closed") }
    let byte = bytes[offset]
    offset += 1
    switch byte {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return String(try scalar())
    default: throw fault("an unknown escape")
    }
  }

  /// A `\uXXXX`, two of them for characters beyond 16 bits; lone halves become U+FFFD.
  private mutating func scalar() throws(JSONFault) -> Character {
    let replacement: Character = "\u{FFFD}"
    let high = try unit()
    if let scalar = Unicode.Scalar(high) { return Character(scalar) }
    guard (0xD800..<0xDC00).contains(high), bytes[offset...].starts(with: "\\u".utf8) else {
      return replacement
    }
    let mark = offset
    offset += 2
    let low = try unit()
    guard (0xDC00..<0xE000).contains(low) else {
      offset = mark
      return replacement
    }
    let value = 0x10000 + ((UInt32(high) - 0xD800) << 10) + (UInt32(low) - 0xDC00)
    return Unicode.Scalar(value).map { Character($0) } ?? replacement
  }

  private mutating func unit() throws(JSONFault) -> UInt16 {
    let digits = bytes[offset...].prefix(4)
    guard digits.count == 4, let text = String(validating: digits, as: UTF8.self),
      text.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let value = UInt16(text, radix: 16)
    else { throw fault("an escape without four hexadecimal digits") }
    offset += 4
    return value
  }
}
