// SPDX-License-Identifier: Apache-2.0

/// The server and version that the stand-in behaves like.
public struct ServerVersion: Sendable, Hashable, CustomStringConvertible {
  /// Whose server it is.
  public enum Product: String, Sendable, Hashable {
    /// Jellyfin.
    case jellyfin
    /// Emby.
    case emby
  }

  /// Whose server it is.
  public let product: Product
  /// The text that is advertised, such as `10.11.11`.
  public let description: String
  /// What counts: 8 to 11 for Jellyfin 10.8 to 10.11, 12 for 12; 9 for Emby 4.9.
  let line: Int

  /// The version without an option.
  public static let standard = ServerVersion(
    product: .jellyfin, line: 11, description: "10.11.11")

  /// The names of ``init(named:)``, oldest first, with the version that each advertises.
  public static let names: [(name: String, version: String)] = [
    ("jellyfin-10.8", "10.8.13"), ("jellyfin-10.9", "10.9.11"),
    ("jellyfin-10.10", "10.10.7"), ("jellyfin-10.11", "10.11.11"), ("jellyfin-12", "12.0.0"),
    ("emby-4.9", "4.9.5.0"),
  ]

  /// Reads a version of Jellyfin, 10.8 to 12; nil for anything else.
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
    product = .jellyfin
    description = text
  }

  /// Reads a server with its version: `jellyfin-10.10` or `emby-4.9`.
  ///
  /// A version may be more exact, such as `jellyfin-10.10.3` and `emby-4.9.1.90`. Nil for anything
  /// else.
  public init?(named name: String) {
    let name = name.lowercased()
    let version = Self.names.first { $0.name == name }?.version
    if name.hasPrefix("jellyfin-") {
      self.init(version ?? String(name.dropFirst("jellyfin-".count)))
      return
    }
    guard name.hasPrefix("emby-") else { return nil }
    let text = version ?? String(name.dropFirst("emby-".count))
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard (2...4).contains(parts.count), parts.allSatisfy({ UInt16($0) != nil }), parts[0] == "4",
      parts[1] == "9"
    else { return nil }
    self.init(product: .emby, line: 9, description: text)
  }

  private init(product: Product, line: Int, description: String) {
    self.product = product
    self.line = line
    self.description = description
  }
}

// Routes and credentials.
extension ServerVersion {
  /// Whether it is Emby.
  var isEmby: Bool { product == .emby }
  /// Whether it is Jellyfin of this line of versions or a later one.
  func isJellyfin(from first: Int) -> Bool { product == .jellyfin && line >= first }

  /// Whether `/UserViews` and `GET /Items/{id}` exist.
  var hasPlainItemRoutes: Bool { isJellyfin(from: 9) }
  /// Whether `/emby` before a path is cut off.
  var cutsEmbyPrefix: Bool { !isJellyfin(from: 12) }
  /// Whether X-Emby-Token, X-MediaBrowser-Token, X-Emby-Authorization, the scheme Emby and
  /// `api_key` are accepted.
  var acceptsLegacyTokens: Bool { !isJellyfin(from: 12) }
  /// Whether `/Videos/{id}/stream` needs a token.
  var guardsFiles: Bool { isEmby }
  /// The documents that the `type` of an error points to.
  var problemType: String {
    line == 8
      ? "https://tools.ietf.org/html/rfc7231#section-6.5."
      : "https://tools.ietf.org/html/rfc9110#section-15.5."
  }
}

// What answers show.
extension ServerVersion {
  /// Whether there is a range for every stream and not for video only.
  var hasRangeEverywhere: Bool { isJellyfin(from: 9) }
  /// Whether streams tell if they are for the hard of hearing.
  var tellsHearingImpaired: Bool { isEmby || line >= 9 }
  /// Whether a source without a TranscodingUrl names a protocol for it.
  var namesProtocolAlways: Bool { isJellyfin(from: 9) }
  /// Whether a source tells if it has segments, which are marks of intros.
  var tellsSegments: Bool { isJellyfin(from: 10) }
  /// Whether streams tell if they are the original language.
  var tellsOriginal: Bool { isJellyfin(from: 12) }
  /// Whether attachments are streams with an index of their own.
  var numbersAttachments: Bool { isEmby }
  /// Whether subtitle files beside the film come before the streams of the film, or behind them.
  var numbersFilesFirst: Bool { !isEmby }
  /// Extensions of subtitle files that are found beside a film.
  var subtitleExtensions: Set<String> {
    let common: Set = ["ass", "sami", "smi", "srt", "ssa", "sub", "vtt"]
    if isEmby { return common }
    return common.union(line >= 9 ? ["mks", "sup"] : ["mks"])
  }
}

// URLs and playlists.
extension ServerVersion {
  /// The token's name in the URLs that are given out.
  var tokenParameter: String { isJellyfin(from: 11) ? "ApiKey" : "api_key" }
  /// What the query of a TranscodingUrl begins with.
  var queryStart: String { product == .jellyfin && line == 11 ? "?&" : "?" }
  /// What stands between two transcode reasons in a URL.
  var reasonSeparator: String { isEmby || line >= 11 ? "," : ",%20" }
  /// Whether a missing SubtitleMethod means burning in.
  var burnsWithoutMethod: Bool { isEmby || line <= 9 }
  /// Whether segments of a film with a fractional rate are a whole number of frames long.
  var stretchesSegments: Bool { isJellyfin(from: 11) }
  /// Whether fMP4 segments begin at the key frame before the asked time.
  var seeksInaccurately: Bool { product == .jellyfin && line < 12 }
}

// Tracks by themselves.
extension ServerVersion {
  /// Whether PGS tracks can be had by themselves.
  var givesPGS: Bool { isJellyfin(from: 10) }
  /// Whether VobSub tracks can be had by themselves.
  var givesVobSub: Bool { isJellyfin(from: 12) }
  /// Whether the bytes of a .sup file are taken for text and so spoiled.
  var spoilsSupFiles: Bool { product == .jellyfin && (10...11).contains(line) }
}
