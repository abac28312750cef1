// SPDX-License-Identifier: Apache-2.0

/// A URL or a relative reference, cut into the five parts of RFC 3986.
///
/// Nothing is decoded or normalised; only `resolved(against:)` takes dot segments out of the path.
/// The description is redacted: it never holds userinfo, query or fragment.
public struct URLReference: Sendable, Hashable {
  /// The scheme as written, without its colon; nil in a relative reference.
  public var scheme: String?
  /// Userinfo, host and port as written; nil where there is no `//`.
  public var authority: String?
  /// The path, possibly empty.
  public var path: String
  /// The query without its question mark; nil where there is none.
  public var query: String?
  /// The fragment without its number sign; nil where there is none.
  public var fragment: String?

  /// Cuts a text into its parts; every text is some reference (RFC 3986 appendix B).
  public init(_ text: String) {
    var rest = text[...].utf8
    if let mark = rest.firstIndex(of: UInt8(ascii: "#")) {
      fragment = String(rest[rest.index(after: mark)...])
      rest = rest[..<mark]
    }
    if let mark = rest.firstIndex(of: UInt8(ascii: "?")) {
      query = String(rest[rest.index(after: mark)...])
      rest = rest[..<mark]
    }
    if let end = Self.endOfScheme(rest) {
      scheme = String(rest[..<end])
      rest = rest[rest.index(after: end)...]
    }
    if rest.starts(with: "//".utf8) {
      rest = rest.dropFirst(2)
      let end = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
      authority = String(rest[..<end])
      rest = rest[end...]
    }
    path = String(rest) ?? ""
  }

  /// The parts put together again (RFC 3986 section 5.3).
  ///
  /// Holds userinfo and query: not for messages.
  public var text: String {
    var result = ""
    if let scheme { result += scheme + ":" }
    if let authority { result += "//" + authority }
    result += path
    if let query { result += "?" + query }
    if let fragment { result += "#" + fragment }
    return result
  }

  /// The host without userinfo, port and brackets, in lower case; nil where there is none.
  public var host: String? {
    guard let authority else { return nil }
    let place = Self.withoutUserinfo(authority)
    if place.first == "[" {
      guard let end = place.firstIndex(of: "]") else { return nil }
      return place[place.index(after: place.startIndex)..<end].lowercased()
    }
    let name = place.prefix { $0 != ":" }
    return name.isEmpty ? nil : name.lowercased()
  }

  /// The port as written, or the scheme's own (80 and 443); nil where neither is known.
  public var port: Int? {
    guard let authority else { return nil }
    var place = Self.withoutUserinfo(authority)
    if place.first == "[", let end = place.firstIndex(of: "]") {
      place = place[place.index(after: end)...]
    }
    if let colon = place.lastIndex(of: ":") {
      let digits = place[place.index(after: colon)...]
      if !digits.isEmpty { return Int(digits) }
    }
    switch scheme?.lowercased() {
    case "http": return 80
    case "https": return 443
    default: return nil
    }
  }

  /// Whether the scheme is http or https and a host is named.
  public var isHTTP: Bool {
    let name = scheme?.lowercased()
    return (name == "http" || name == "https") && host != nil
  }

  /// Whether both have the same scheme, host and port.
  public func hasSameOrigin(as other: URLReference) -> Bool {
    scheme?.lowercased() == other.scheme?.lowercased() && host == other.host && port == other.port
  }

  /// The absolute form of this reference, seen from a base (RFC 3986 section 5.2.2, strict).
  public func resolved(against base: URLReference) -> URLReference {
    var target = self
    if scheme != nil || authority != nil {
      if scheme == nil { target.scheme = base.scheme }
      target.path = Self.removingDotSegments(path)
      return target
    }
    target.scheme = base.scheme
    target.authority = base.authority
    if path.isEmpty {
      target.path = base.path
      target.query = query ?? base.query
    } else if path.utf8.first == UInt8(ascii: "/") {
      target.path = Self.removingDotSegments(path)
    } else {
      target.path = Self.removingDotSegments(merged(with: base))
    }
    return target
  }

  /// This path behind the last slash of the base's (RFC 3986 section 5.2.3).
  private func merged(with base: URLReference) -> String {
    if base.authority != nil && base.path.isEmpty { return "/" + path }
    guard let slash = base.path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
    return String(base.path[...slash]) + path
  }

  /// Where the scheme's colon is, if the text begins with a scheme.
  private static func endOfScheme(_ text: Substring.UTF8View) -> Substring.UTF8View.Index? {
    guard let first = text.first, isLetter(first) else { return nil }
    for index in text.indices {
      let byte = text[index]
      if byte == UInt8(ascii: ":") { return index }
      guard isLetter(byte) || isDigit(byte) || "+-.".utf8.contains(byte) else { return nil }
    }
    return nil
  }

  /// The authority from behind its last at sign.
  private static func withoutUserinfo(_ authority: String) -> Substring {
    guard let at = authority.lastIndex(of: "@") else { return authority[...] }
    return authority[authority.index(after: at)...]
  }

  /// The path with `.` and `..` worked in (RFC 3986 section 5.2.4).
  static func removingDotSegments(_ path: String) -> String {
    guard !path.isEmpty else { return path }
    let isRooted = path.utf8.first == UInt8(ascii: "/")
    var kept: [Substring] = []
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    for (index, segment) in segments.enumerated() {
      let isLast = index == segments.count - 1
      switch segment {
      case ".":
        if isLast { kept.append("") }
      case "..":
        if kept.count > (isRooted ? 1 : 0) { kept.removeLast() }
        if isLast { kept.append("") }
      default:
        kept.append(segment)
      }
    }
    return kept.joined(separator: "/")
  }

  static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}

extension URLReference: CustomStringConvertible, CustomDebugStringConvertible {
  /// Scheme, host, port and path: what may be shown.
  public var description: String {
    guard let authority else {
      return scheme == nil ? path : "a URL without a host (\(scheme ?? ""):)"
    }
    let place = Self.withoutUserinfo(authority)
    return (scheme.map { $0 + ":" } ?? "") + "//" + place + path
  }

  /// The same as the description: a debugger's or test's print is as public as a log.
  public var debugDescription: String { description }
}

extension URLReference {
  /// The URL without userinfo, query and fragment, for messages.
  public static func redacted(_ url: String) -> String { URLReference(url).description }

  /// The text with every byte that no URL may hold percent-encoded, and nothing else changed.
  ///
  /// What is encoded already stays: a percent sign is encoded only where no two hexadecimal digits
  /// follow it.
  public static func encodingIllegalCharacters(in text: String) -> String {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    for (index, byte) in bytes.enumerated() {
      if byte == UInt8(ascii: "%") {
        let isEscape =
          index + 2 < bytes.count && isHexadecimal(bytes[index + 1])
          && isHexadecimal(bytes[index + 2])
        if isEscape { result.append(byte) } else { result += "%25".utf8 }
      } else if isLegal(byte) {
        result.append(byte)
      } else {
        result += percentEncoded(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The text with everything but letters, digits, `-`, `.`, `_` and `~` percent-encoded: a value
  /// for a query or one path segment.
  public static func encodingComponent(_ text: String) -> String {
    var result: [UInt8] = []
    for byte in text.utf8 {
      if isLetter(byte) || isDigit(byte) || "-._~".utf8.contains(byte) {
        result.append(byte)
      } else {
        result += percentEncoded(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func percentEncoded(_ byte: UInt8) -> [UInt8] {
    let digits = Array("0123456789ABCDEF".utf8)
    return [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
  }

  private static func isLegal(_ byte: UInt8) -> Bool {
    isLetter(byte) || isDigit(byte) || "-._~:/?#[]@!$&'()*+,;=".utf8.contains(byte)
  }
}
