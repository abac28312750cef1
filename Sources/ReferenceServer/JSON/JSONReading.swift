// SPDX-License-Identifier: Apache-2.0

/// A text that is no JSON.
package struct JSONFault: Error, Sendable, Hashable, CustomStringConvertible {
  /// What was expected.
  package var reason: String
  /// The offset of the first byte at fault.
  package var offset: Int
  package var description: String { "The JSON text is damaged at byte \(offset): \(reason)." }
}

extension JSON {
  /// Arrays and objects in each other; deeper texts are refused, as the real server does.
  package static let depthLimit = 64

  /// Reads one value with nothing but white space around it.
  package init(parsing bytes: [UInt8]) throws(JSONFault) {
    var reader = JSONReader(bytes: bytes)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { reader.position = 3 }
    self = try reader.value(depth: 0)
    reader.skipSpace()
    if reader.position < bytes.count { throw reader.fault("nothing may follow the value") }
  }
}

private struct JSONReader {
  let bytes: [UInt8]
  var position = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  func fault(_ reason: String) -> JSONFault { JSONFault(reason: reason, offset: position) }

  var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
      position += 1
    }
  }

  mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    position += 1
    return true
  }

  mutating func value(depth: Int) throws(JSONFault) -> JSON {
    guard depth <= JSON.depthLimit else { throw fault("the values are nested too deeply") }
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case let byte? where "-0123456789".utf8.contains(byte): return try number()
    default: throw fault("a value is expected")
    }
  }

  mutating func word(_ word: String, _ value: JSON) throws(JSONFault) -> JSON {
    guard bytes[position...].starts(with: word.utf8) else { throw fault("'\(word)' is expected") }
    position += word.utf8.count
    return value
  }

  mutating func number() throws(JSONFault) -> JSON {
    let start = position
    while let byte = next, "+-.0123456789eE".utf8.contains(byte) { position += 1 }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if let value = Int(text) { return .integer(value) }
    guard let value = Double(text), value.isFinite else {
      position = start
      throw fault("a number is expected")
    }
    return .number(value)
  }

  mutating func array(depth: Int) throws(JSONFault) -> JSON {
    position += 1
    var elements: [JSON] = []
    skipSpace()
    if take(UInt8(ascii: "]")) { return .array([]) }
    while true {
      elements.append(try value(depth: depth + 1))
      skipSpace()
      if take(UInt8(ascii: "]")) { return .array(elements) }
      guard take(UInt8(ascii: ",")) else { throw fault("',' or ']' is expected") }
    }
  }

  mutating func object(depth: Int) throws(JSONFault) -> JSON {
    position += 1
    var members: [JSON.Member] = []
    skipSpace()
    if take(UInt8(ascii: "}")) { return .object([]) }
    while true {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw fault("a name is expected") }
      let name = try string()
      skipSpace()
      guard take(UInt8(ascii: ":")) else { throw fault("':' is expected") }
      members.append(.init(name: name, value: try value(depth: depth + 1)))
      skipSpace()
      if take(UInt8(ascii: "}")) { return .object(members) }
      guard take(UInt8(ascii: ",")) else { throw fault("',' or '}' is expected") }
    }
  }

  mutating func string() throws(JSONFault) -> String {
    position += 1
    var units: [UInt8] = []
    var pending: UInt16?  // the first half of a surrogate pair
    while let byte = next {
      position += 1
      if byte == UInt8(ascii: "\"") { return String(decoding: units, as: UTF8.self) }
      if byte < 0x20 { throw fault("a control character stands in a string") }
      guard byte == UInt8(ascii: "\\") else {
        units.append(byte)
        continue
      }
      guard let kind = next else { break }
      position += 1
      if kind == UInt8(ascii: "u") {
        let unit = try hexadecimal()
        if let high = pending, 0xDC00...0xDFFF ~= unit {
          let code = 0x10000 + (UInt32(high) - 0xD800) << 10 + (UInt32(unit) - 0xDC00)
          append(code, to: &units)
          pending = nil
        } else if 0xD800...0xDBFF ~= unit {
          pending = unit
        } else {
          append(UInt32(unit), to: &units)
        }
        continue
      }
      guard let plain = Self.escapes[kind] else { throw fault("the escape is unknown") }
      units.append(plain)
    }
    throw fault("the string does not end")
  }

  static let escapes: [UInt8: UInt8] = [
    0x22: 0x22, 0x5C: 0x5C, 0x2F: 0x2F, 0x62: 0x08, 0x66: 0x0C, 0x6E: 0x0A, 0x72: 0x0D, 0x74: 0x09,
  ]

  mutating func hexadecimal() throws(JSONFault) -> UInt16 {
    guard position + 4 <= bytes.count else { throw fault("four digits are expected") }
    let text = String(decoding: bytes[position..<position + 4], as: UTF8.self)
    guard text.utf8.allSatisfy({ $0 != 0x2B && $0 != 0x2D }), let unit = UInt16(text, radix: 16)
    else { throw fault("four digits are expected") }
    position += 4
    return unit
  }

  /// Appends a code point; half a surrogate pair becomes the replacement character.
  func append(_ code: UInt32, to units: inout [UInt8]) {
    let scalar = Unicode.Scalar(code) ?? "\u{FFFD}"
    units.append(contentsOf: Array(String(Character(scalar)).utf8))
  }
}
