// SPDX-License-Identifier: Apache-2.0

/// Replaces tokens, passwords and keys by placeholders.
package struct Redaction: Sendable {
  /// What stands for a token or a key.
  package static let token = "TOKEN"
  /// What stands for a password.
  package static let password = "PASSWORD"
  /// Secrets below this length are replaced by their names only, since they may be words.
  static let shortestKnown = 8

  /// Secrets that are known and replaced wherever they stand.
  private let known: [String]

  /// - Parameter known: Tokens that were given out, and API keys.
  package init(known: some Sequence<String>) {
    var texts: Set<String> = []
    for secret in known where secret.utf8.count >= Self.shortestKnown && secret != Self.token {
      texts.insert(secret)
      texts.insert(percentEncoded(secret))
    }
    // Longer ones first, so that one that holds another goes as a whole.
    self.known = texts.sorted { $0.utf8.count > $1.utf8.count }
  }

  /// The placeholder of what a name holds; nil for a name that holds no secret.
  static func placeholder(of name: String) -> String? {
    let plain = name.lowercased().filter { $0.isLetter || $0.isNumber }
    if plain.hasSuffix("providerid") { return nil }
    if plain.contains("password") || ["pw", "newpw", "currentpw", "pin"].contains(plain) {
      return password
    }
    let words = ["token", "apikey", "secret", "cookie", "authorization"]
    return words.contains { plain.contains($0) } ? token : nil
  }

  /// A path with its query.
  package func target(_ text: String) -> String {
    guard let mark = text.firstIndex(of: "?") else { return path(text) }
    return path(String(text[..<mark])) + "?" + query(String(text[text.index(after: mark)...]))
  }

  /// A path: what follows a part with the name of a secret is one.
  private func path(_ text: String) -> String {
    var placeholder: String?
    return text.split(separator: "/", omittingEmptySubsequences: false).map { part in
      defer {
        if !part.isEmpty {
          let name = percentDecoded(String(part), plusIsSpace: false)
          // /Auth/Keys/KEY
          placeholder = name.lowercased() == "keys" ? Self.token : Self.placeholder(of: name)
        }
      }
      return part.isEmpty ? "" : placeholder ?? replacingKnown(String(part))
    }.joined(separator: "/")
  }

  /// Names and values as in an address, without the question mark.
  func query(_ text: String) -> String {
    text.split(separator: "&", omittingEmptySubsequences: false).map { item in
      guard let equals = item.firstIndex(of: "=") else { return replacingKnown(String(item)) }
      let name = String(item[..<equals])
      let decoded = percentDecoded(name, plusIsSpace: true)
      if let placeholder = Self.placeholder(of: decoded) { return "\(name)=\(placeholder)" }
      let value = String(item[item.index(after: equals)...])
      // A value may be an address with a secret of its own.
      let inner = percentDecoded(value, plusIsSpace: true)
      let clean = self.text(inner)
      return "\(name)=" + (clean == inner ? replacingKnown(value) : percentEncoded(clean))
    }.joined(separator: "&")
  }

  /// A header's value.
  package func header(_ name: String, _ value: String) -> String {
    guard let placeholder = Self.placeholder(of: name) else { return text(value) }
    guard let space = value.firstIndex(of: " "),
      ["mediabrowser", "emby"].contains(value[..<space].lowercased())
    else { return placeholder }
    let parts = Credentials.parse(value, schemes: ["mediabrowser", "emby"])
    let items = parts.sorted { $0.key < $1.key }.map { key, value in
      "\(key)=\"\(Self.placeholder(of: key) ?? percentEncoded(text(value)))\""
    }
    return value[...space] + items.joined(separator: ", ")
  }

  /// A JSON value; names stay, and so do true, false and null.
  package func json(_ value: JSON) -> JSON { json(value, as: nil) }

  private func json(_ value: JSON, as placeholder: String?) -> JSON {
    switch value {
    case .null, .bool: return value
    case .integer, .number, .float: return placeholder.map { .string($0) } ?? value
    case .string(let text): return .string(placeholder ?? string(text))
    case .array(let elements): return .array(elements.map { json($0, as: placeholder) })
    case .object(let members):
      return .object(
        members.map { member in
          JSON.Member(
            name: replacingKnown(member.name),
            value: json(member.value, as: placeholder ?? Self.placeholder(of: member.name)))
        })
    }
  }

  /// A string of a JSON value, which may be a JSON text itself.
  private func string(_ text: String) -> String {
    guard let first = text.utf8.first, first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
      let inner = try? JSON(parsing: Array(text.utf8))
    else { return self.text(text) }
    let clean = json(inner)
    return clean == inner ? text : clean.text(htmlSafe: false)
  }

  /// A text in which `name=value` may stand, such as a playlist, or an address with a password.
  package func text(_ text: String) -> String {
    let text = withoutUserInformation(text)
    guard text.contains("=") else { return replacingKnown(text) }
    var result = ""
    var rest = text[...]
    while let equals = rest.firstIndex(of: "=") {
      let before = rest[..<equals]
      let name = before.suffix(while: Self.isNamePart)
      result += before
      result += "="
      rest = rest[rest.index(after: equals)...]
      let decoded = percentDecoded(name, plusIsSpace: false)
      guard !name.isEmpty, let placeholder = Self.placeholder(of: decoded) else { continue }
      let isQuoted = rest.first == "\""
      if isQuoted {
        result += "\""
        rest = rest.dropFirst()
      }
      let value = rest.prefix { isQuoted ? $0 != "\"" : !Self.endsValue($0) }
      if !value.isEmpty { result += placeholder }
      rest = rest[value.endIndex...]
    }
    return replacingKnown(result + rest)
  }

  /// The text with the password of each `scheme://name:password@host` replaced.
  private func withoutUserInformation(_ text: String) -> String {
    guard text.contains("://"), text.contains("@") else { return text }
    var result = ""
    var rest = text[...]
    while let mark = rest.firstRange(of: "://") {
      result += rest[..<mark.upperBound]
      rest = rest[mark.upperBound...]
      let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" && !Self.endsValue($0) }
      guard let at = authority.lastIndex(of: "@"), let colon = authority.firstIndex(of: ":"),
        colon < at
      else { continue }
      result += authority[...colon] + Self.password
      rest = rest[at...]
    }
    return result + rest
  }

  private static func isNamePart(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || "_-.%".contains(character)
  }

  private static func endsValue(_ character: Character) -> Bool {
    character.isWhitespace || "&\"'<>\\".contains(character)
  }

  private func replacingKnown(_ text: String) -> String {
    known.reduce(text) { $0.replacing($1, with: Self.token) }
  }
}

extension Substring {
  /// The longest end whose characters all pass.
  fileprivate func suffix(while passes: (Character) -> Bool) -> Substring {
    var start = endIndex
    while start > startIndex, passes(self[index(before: start)]) { start = index(before: start) }
    return self[start...]
  }
}

/// Letters, digits and `-._~` as they are, every other byte as an escape.
func percentEncoded(_ text: String) -> String {
  var result = ""
  for byte in text.utf8 {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
      result.unicodeScalars.append(Unicode.Scalar(byte))
    default:
      let digits = String(byte, radix: 16, uppercase: true)
      result += digits.utf8.count < 2 ? "%0\(digits)" : "%\(digits)"
    }
  }
  return result
}
