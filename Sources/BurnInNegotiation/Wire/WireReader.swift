// SPDX-License-Identifier: Apache-2.0

/// That a text is no JSON.
public struct WireFault: Error, Sendable, Hashable, CustomStringConvertible {
  /// The byte at which the fault was met, from the start of the text.
  public var offset: Int
  /// What was wanted there.
  public var wanted: String

  /// The fault as one sentence; it holds nothing of the text.
  public var description: String { "The JSON is broken at byte \(offset): \(wanted)." }
}

extension WireValue {
  /// The deepest nesting that is read: more than any answer has, and far from the stack's end.
  public static let nestingLimit = 64

  /// The value of a JSON text in UTF-8.
  /// - Throws: The place at which the text is no JSON.
  public init(parsing bytes: some Collection<UInt8>) throws(WireFault) {
    var reader = WireReader(bytes: Array(bytes))
    self = try reader.document()
  }
}

/// A strict reader of JSON (RFC 8259).
struct WireReader {
  let bytes: [UInt8]
  var position = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  /// The one value of the text.
  mutating func document() throws(WireFault) -> WireValue {
    let value = try value(depth: 0)
    skipBlanks()
    guard position == bytes.count else { throw fault("the text should end") }
    return value
  }

  private func fault(_ wanted: String) -> WireFault { WireFault(offset: position, wanted: wanted) }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipBlanks() {
    while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { position += 1 }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    skipBlanks()
    guard next == byte else { return false }
    position += 1
    return true
  }

  private mutating func value(depth: Int) throws(WireFault) -> WireValue {
    guard depth <= WireValue.nestingLimit else { throw fault("the nesting is too deep") }
    skipBlanks()
    switch next {
    case UInt8(ascii: "{"): return .object(try members(depth: depth))
    case UInt8(ascii: "["): return .array(try elements(depth: depth))
    case UInt8(ascii: "\""): return .string(try text())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return .number(try number())
    }
  }

  private mutating func word(_ word: String, _ value: WireValue) throws(WireFault) -> WireValue {
    guard bytes[position...].starts(with: word.utf8) else { throw fault("a value is wanted") }
    position += word.utf8.count
    return value
  }

  private mutating func elements(depth: Int) throws(WireFault) -> [WireValue] {
    position += 1
    var values: [WireValue] = []
    if take(UInt8(ascii: "]")) { return values }
    repeat { values.append(try value(depth: depth + 1)) } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "]")) else { throw fault("a comma or the end of a list is wanted") }
    return values
  }

  private mutating func members(depth: Int) throws(WireFault) -> [WireValue.Member] {
    position += 1
    var members: [WireValue.Member] = []
    if take(UInt8(ascii: "}")) { return members }
    repeat {
      skipBlanks()
      guard next == UInt8(ascii: "\"") else { throw fault("a name is wanted") }
      let name = try text()
      guard take(UInt8(ascii: ":")) else { throw fault("a colon is wanted") }
      members.append(.init(name, try value(depth: depth + 1)))
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "}")) else { throw fault("a comma or the end of an object is wanted") }
    return members
  }

  private mutating func number() throws(WireFault) -> String {
    let start = position
    if next == UInt8(ascii: "-") { position += 1 }
    let first = next
    var count = digits()
    guard count == 1 || (count > 1 && first != UInt8(ascii: "0")) else {
      position = start
      throw fault("a value is wanted")
    }
    if next == UInt8(ascii: ".") {
      position += 1
      count = digits()
      guard count > 0 else { throw fault("a digit is wanted") }
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      position += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
      guard digits() > 0 else { throw fault("a digit is wanted") }
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func digits() -> Int {
    let start = position
    while let byte = next, byte >= 0x30, byte <= 0x39 { position += 1 }
    return position - start
  }

  private mutating func text() throws(WireFault) -> String {
    position += 1
    var result: [UInt8] = []
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        return String(decoding: result, as: UTF8.self)
      case UInt8(ascii: "\\"):
        result.append(contentsOf: Array(String(try escape()).utf8))
      case 0..<0x20:
        throw fault("a control character must be escaped")
      default:
        result.append(byte)
        position += 1
      }
    }
    throw fault("the text has no end")
  }

  /// The character of an escape sequence; half a surrogate pair is the replacement character.
  private mutating func escape() throws(WireFault) -> Unicode.Scalar {
    position += 1
    guard let byte = next else { throw fault("the text has no end") }
    let plain: [UInt8: Unicode.Scalar] = [
      0x22: "\"", 0x5C: "\\", 0x2F: "/", 0x62: "\u{8}", 0x66: "\u{C}", 0x6E: "\n", 0x72: "\r",
      0x74: "\t",
    ]
    if let scalar = plain[byte] {
      position += 1
      return scalar
    }
    guard byte == UInt8(ascii: "u") else { throw fault("this escape is not known") }
    position += 1
    let unit = try codeUnit()
    guard (0xD800..<0xDC00).contains(unit), bytes[position...].starts(with: [0x5C, 0x75]) else {
      return Unicode.Scalar(unit) ?? "\u{FFFD}"
    }
    let mark = position
    position += 2
    let low = try codeUnit()
    guard (0xDC00..<0xE000).contains(low) else {
      position = mark
      return "\u{FFFD}"
    }
    return Unicode.Scalar(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00)) ?? "\u{FFFD}"
  }

  private mutating func codeUnit() throws(WireFault) -> UInt32 {
    guard position + 4 <= bytes.count,
      let value = UInt32(
        String(decoding: bytes[position..<position + 4], as: UTF8.self), radix: 16),
      bytes[position] != UInt8(ascii: "+"), bytes[position] != UInt8(ascii: "-")
    else { throw fault("four hexadecimal digits are wanted") }
    position += 4
    return value
  }
}
