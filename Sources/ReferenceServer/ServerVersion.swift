// SPDX-License-Identifier: Apache-2.0

/// The version that the server says it has, and what depends on it.
public struct ServerVersion: Sendable, Hashable, CustomStringConvertible {
  /// The text that is advertised, such as `10.11.11`.
  public let description: String
  /// What counts: 8 to 11 for 10.8 to 10.11, 12 for 12.
  let line: Int

  /// Reads a version of 10.8 to 12; nil for anything else.
  public init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
    guard (2...3).contains(parts.count), let major = parts[0], let minor = parts[1],
      parts.allSatisfy({ $0 != nil })
    else { return nil }
    switch (major, minor) {
    case (10, 8...11): line = minor
    case (12, _): line = 12
    default: return nil
    }
    description = text
  }

  /// The version without an option.
  public static let standard = ServerVersion(line: 11, description: "10.11.11")

  private init(line: Int, description: String) {
    self.line = line
    self.description = description
  }

  /// Whether `/UserViews` and `GET /Items/{id}` exist.
  var hasPlainItemRoutes: Bool { line >= 9 }
  /// Whether `/emby` before a path is cut off.
  var cutsEmbyPrefix: Bool { line < 12 }
  /// Whether X-Emby-Token, X-MediaBrowser-Token and `api_key` are accepted.
  var acceptsLegacyTokens: Bool { line < 12 }
  /// The token's name in the URLs that are given out.
  var tokenParameter: String { line >= 11 ? "ApiKey" : "api_key" }
  /// What the query of a TranscodingUrl begins with.
  var queryStart: String { line == 11 ? "?&" : "?" }
  /// What stands between two transcode reasons in a URL.
  var reasonSeparator: String { line >= 11 ? "," : ",%20" }
  /// Whether a missing SubtitleMethod means burning in.
  var burnsWithoutMethod: Bool { line <= 9 }
  /// Whether segments of a film with a fractional rate are a whole number of frames long.
  var stretchesSegments: Bool { line >= 11 }
  /// Whether fMP4 segments begin at the key frame before the asked time.
  var seeksInaccurately: Bool { line < 12 }
  /// The documents that the `type` of an error points to.
  var problemType: String {
    line == 8
      ? "https://tools.ietf.org/html/rfc7231#section-6.5."
      : "https://tools.ietf.org/html/rfc9110#section-15.5."
  }
}
