// SPDX-License-Identifier: Apache-2.0
public import BurnInNegotiation

/// What a server says of itself without a token.
public struct ServerInfo: Sendable, Hashable {
  /// The product, such as `Jellyfin Server`; nil on Emby, which does not say.
  public var productName: String?
  /// The version, such as `10.11.11`; empty where unknown.
  public var version: String
  /// The server's own name.
  public var serverName: String

  /// Makes an answer.
  public init(productName: String?, version: String, serverName: String) {
    self.productName = productName
    self.version = version
    self.serverName = serverName
  }

  /// Whether it is an Emby server: only those leave their product unnamed.
  public var isEmby: Bool { productName == nil && !version.isEmpty }

  /// The dialect it speaks; nil for a product that is neither.
  public var kind: ServerKind? {
    if isEmby { return .emby }
    return productName?.lowercased().contains("jellyfin") == true ? .jellyfin : nil
  }

  /// The name of the layout in which this version draws bitmap subtitles; nil where not known.
  ///
  /// Jellyfin stretches the canvas up to 10.8, fits and pads it in 10.9, and goes by the aspect
  /// rule from 10.10 on. Emby is known up to 3.5 only.
  public var layoutName: String? {
    let parts = version.split(separator: ".").map { Int($0) ?? -1 }
    guard let major = parts.first, major >= 0 else { return nil }
    if isEmby { return major <= 3 ? "emby-3.5" : nil }
    guard productName?.lowercased().contains("jellyfin") == true else { return nil }
    guard major >= 10 else { return nil }
    guard major == 10 else { return "jellyfin" }
    switch parts.count > 1 ? parts[1] : -1 {
    case 0...8: return "jellyfin-10.8"
    case 9: return "jellyfin-10.9"
    case 10...: return "jellyfin"
    default: return nil
    }
  }

  /// Reads an answer; nil if it has no version.
  init?(_ json: JSONValue) {
    guard let version = json["Version"].text, !version.isEmpty else { return nil }
    self.init(
      productName: json["ProductName"].text, version: version,
      serverName: json["ServerName"].text ?? "")
  }
}

/// One stream of a media source.
public struct MediaStream: Sendable, Hashable {
  /// The server's index, which a client sends as SubtitleStreamIndex.
  public var index: Int
  /// `Video`, `Audio`, `Subtitle` or another word.
  public var type: String
  /// The coding in the server's words, such as `PGSSUB`.
  public var codec: String?
  /// The language.
  public var language: String?
  /// The title in the file.
  public var title: String?
  /// Whether it lies in a file of its own.
  public var isExternal: Bool
  /// The container's flag.
  public var isForced: Bool
  /// How the server would deliver it, such as `Encode`; nil before PlaybackInfo.
  public var deliveryMethod: String?
  /// Columns and rows, where known.
  public var width: Int?
  /// Rows, where known.
  public var height: Int?

  /// Makes a stream.
  public init(
    index: Int, type: String, codec: String? = nil, language: String? = nil, title: String? = nil,
    isExternal: Bool = false, isForced: Bool = false, deliveryMethod: String? = nil,
    width: Int? = nil, height: Int? = nil
  ) {
    self.index = index
    self.type = type
    self.codec = codec
    self.language = language
    self.title = title
    self.isExternal = isExternal
    self.isForced = isForced
    self.deliveryMethod = deliveryMethod
    self.width = width
    self.height = height
  }

  /// Whether it is a subtitle stream.
  public var isSubtitle: Bool { type.lowercased() == "subtitle" }

  /// Reads a stream; nil without index or type.
  init?(_ json: JSONValue) {
    guard let index = json["Index"].integer, let type = json["Type"].text else { return nil }
    self.init(
      index: index, type: type, codec: json["Codec"].text, language: json["Language"].text,
      title: json["Title"].text, isExternal: json["IsExternal"].truth ?? false,
      isForced: json["IsForced"].truth ?? false, deliveryMethod: json["DeliveryMethod"].text,
      width: json["Width"].integer, height: json["Height"].integer)
  }
}

/// One version of an item: a file with its streams.
public struct MediaSource: Sendable, Hashable {
  /// The server's id of it, to be sent back unchanged.
  public var id: String
  /// The version's name.
  public var name: String?
  /// Its length in the server's ticks of 100 ns.
  public var runTimeTicks: Int?
  /// The file's size in bytes.
  public var size: Int?
  /// The streams, in the server's order.
  public var streams: [MediaStream]

  /// Makes a source.
  public init(
    id: String, name: String? = nil, runTimeTicks: Int? = nil, size: Int? = nil,
    streams: [MediaStream]
  ) {
    self.id = id
    self.name = name
    self.runTimeTicks = runTimeTicks
    self.size = size
    self.streams = streams
  }

  /// Reads a source; nil without an id.
  init?(_ json: JSONValue) {
    guard let id = json["Id"].text else { return nil }
    self.init(
      id: id, name: json["Name"].text, runTimeTicks: json["RunTimeTicks"].integer,
      size: json["Size"].integer,
      streams: json["MediaStreams"].elements.compactMap { MediaStream($0) })
  }
}

/// An item of a library with its versions.
public struct MediaItem: Sendable, Hashable {
  /// The server's id.
  public var id: String
  /// The title.
  public var name: String
  /// The versions, at least one.
  public var sources: [MediaSource]

  /// Makes an item.
  public init(id: String, name: String, sources: [MediaSource]) {
    self.id = id
    self.name = name
    self.sources = sources
  }
}

/// Where the subtitle track behind a server's stream index lies.
public enum TrackPlace: Sendable, Hashable {
  /// In the media file: its position among the file's subtitle streams (ffmpeg's `0:s:N`).
  case embedded(ordinal: Int)
  /// In a file of its own, which the static stream does not hold.
  case external
  /// The index names no stream, or one of another type.
  case noSubtitle
}

extension MediaSource {
  /// Where the track behind a server's stream index lies.
  ///
  /// Jellyfin numbers external subtitles first and Emby last; both keep the container's order among
  /// the embedded ones. So the position among the embedded subtitle streams by index is the
  /// position in the container, as long as the library hides none of them.
  ///
  /// - Parameter index: What a client sends as SubtitleStreamIndex.
  /// - Returns: The place.
  public func trackPlace(ofStreamIndex index: Int) -> TrackPlace {
    guard let stream = streams.first(where: { $0.index == index }), stream.isSubtitle else {
      return .noSubtitle
    }
    if stream.isExternal { return .external }
    let before = streams.filter { $0.isSubtitle && !$0.isExternal && $0.index < index }
    return .embedded(ordinal: before.count)
  }
}
