// SPDX-License-Identifier: Apache-2.0

extension BurnIn {
  /// Query names under which the servers' versions write a credential, in lower case.
  static let credentialQueryNames: Set<String> = [
    "api_key", "apikey", "x-emby-token", "x-mediabrowser-token", "token", "access_token",
  ]

  /// Query names that never reach the player's stream URL, in lower case (R10).
  ///
  /// Credentials travel in headers only; the start time is the playlist's own affair.
  static let droppedQueryNames = credentialQueryNames.union(["starttimeticks"])

  /// The URL that the player opens for a transcode; nil if it must not be played (R10).
  ///
  /// The URL must belong to the server itself: the same scheme, host and port, and no user
  /// information. A path from the root is joined onto the server's own base path unless it begins
  /// with it. Credentials and the start time are dropped; every other byte of the query is kept, but for
  /// characters that no URL may hold, which servers leave as they are: those are percent-encoded.
  /// - Parameters:
  ///   - serverURL: The server's address, with its base path.
  ///   - transcodingURL: The answer's `TranscodingUrl`.
  /// - Returns: An absolute URL without credentials.
  public static func sanitizeStreamUrl(serverURL: String, transcodingURL: String) -> String? {
    let transcodingURL = URLParts.encoded(transcodingURL)
    guard let server = URLParts(serverURL), let origin = server.origin, server.query == nil,
      !server.hasFragment, let stream = URLParts(transcodingURL)
    else { return nil }
    var address = serverURL.utf8.prefix(server.addressLength)
    var path = stream.path
    if stream.authority != nil || stream.scheme != nil {
      guard stream.origin == origin else { return nil }
      address = transcodingURL.utf8.prefix(stream.addressLength)
    } else {
      guard !path.isEmpty else { return nil }
      if !path.hasPrefix("/") { path = "/" + path }
      var base = server.path
      while base.hasSuffix("/") { base.removeLast() }
      if !base.isEmpty, path != base, !path.hasPrefix(base + "/") { path = base + path }
    }
    guard !URLParts.hasDotSegment(path), !path.hasPrefix("//") else { return nil }
    return (String(Substring(address))) + path + keptQuery(stream.query)
  }

  /// The query without what is dropped, with its question mark; empty if nothing is left.
  private static func keptQuery(_ query: String?) -> String {
    guard let query else { return "" }
    let items = query.split(separator: "&", omittingEmptySubsequences: false)
    let kept = items.filter { !droppedQueryNames.contains(StreamQuery.item($0).name) }
    return kept.allSatisfy(\.isEmpty) ? "" : "?" + kept.joined(separator: "&")
  }
}

/// The parts of a URL, absolute or relative.
struct URLParts {
  /// Scheme, host and effective port, in lower case.
  struct Origin: Equatable {
    var scheme: String
    var host: String
    var port: Int
  }

  var scheme: String?
  var authority: String?
  var path: String
  var query: String?
  var hasFragment: Bool
  /// The bytes of scheme and authority with their punctuation.
  var addressLength: Int

  /// The parts; nil if the text holds a byte that no URL has.
  init?(_ text: String) {
    // Blanks, controls and the backslash are read differently by different URL parsers.
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\\") }) else {
      return nil
    }
    var rest = Substring(text)
    let mark = rest.firstIndex(of: "#")
    hasFragment = mark != nil
    if let mark { rest = rest[..<mark] }
    if let mark = rest.firstIndex(of: "?") {
      query = String(rest[rest.index(after: mark)...])
      rest = rest[..<mark]
    }
    if let colon = rest.firstIndex(of: ":"), !rest[..<colon].contains("/") {
      scheme = rest[..<colon].lowercased()
      rest = rest[rest.index(after: colon)...]
    }
    if rest.hasPrefix("//") {
      rest = rest.dropFirst(2)
      let end = rest.firstIndex(of: "/") ?? rest.endIndex
      authority = String(rest[..<end])
      rest = rest[end...]
    }
    path = String(rest)
    let schemeLength = scheme.map { $0.utf8.count + 1 } ?? 0
    addressLength = schemeLength + (authority.map { $0.utf8.count + 2 } ?? 0)
  }

  /// The text with blanks and other printable characters that no URL may hold percent-encoded.
  ///
  /// Control characters and the backslash stay: a URL with one of those is refused.
  static func encoded(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    let illegal = Array(" \"<>^`{|}".utf8)
    guard text.utf8.contains(where: { $0 >= 0x80 || illegal.contains($0) }) else { return text }
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      if byte >= 0x80 || illegal.contains(byte) {
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The origin of an HTTP URL without user information; nil for anything else.
  var origin: Origin? {
    guard let scheme, scheme == "http" || scheme == "https", let authority,
      !authority.contains("@"), !authority.isEmpty
    else { return nil }
    var host = authority.lowercased()
    var port = scheme == "https" ? 443 : 80
    if let colon = host.lastIndex(of: ":"), !host[colon...].contains("]") {
      let digits = String(host[host.index(after: colon)...])
      host = String(host[..<colon])
      if !digits.isEmpty {
        guard let number = Text.strictInteger(digits), number <= 0xFFFF else { return nil }
        port = number
      }
    }
    return host.isEmpty ? nil : Origin(scheme: scheme, host: host, port: port)
  }

  /// Whether a segment of the path is `.` or `..`, also if it is written with percent codes.
  static func hasDotSegment(_ path: String) -> Bool {
    path.split(separator: "/").contains { segment in
      let decoded = StreamQuery.decoded(segment)
      return decoded == "." || decoded == ".." || decoded.contains("/") || decoded.contains("\\")
    }
  }
}
