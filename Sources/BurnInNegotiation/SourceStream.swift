// SPDX-License-Identifier: Apache-2.0

/// The server software that is asked.
public enum ServerKind: String, Sendable, Hashable, CaseIterable {
  /// A Silo server, which plans burn-in by itself: this core leaves it untouched (R31).
  case silo
  /// An Emby server.
  case emby
  /// A Jellyfin server.
  case jellyfin

  /// Whether a burn-in may be asked of this server by a second PlaybackInfo request (R31).
  public var takesBurnInRequests: Bool { self != .silo }
}

/// What a media stream carries.
public enum StreamType: Sendable, Hashable {
  /// Moving pictures.
  case video
  /// Sound.
  case audio
  /// A subtitle, text or bitmap.
  case subtitle
  /// Anything else, such as an attachment or a cover.
  case other

  /// The type by the server's name for it, in any letter case; `other` for unknown names.
  public init(serverName: String?) {
    switch serverName.map(Text.folded) {
    case "video": self = .video
    case "audio": self = .audio
    case "subtitle": self = .subtitle
    default: self = .other
    }
  }
}

/// One stream of a media source, as the server describes it.
public struct SourceStream: Sendable, Hashable {
  /// The server's index of the stream; nil if the server gave none.
  public var index: Int?
  /// What the stream carries.
  public var type: StreamType
  /// The server's name of the codec, in its own spelling.
  public var codec: String?
  /// The language tag as it is in the file.
  public var language: String?
  /// The title that is shown for the stream.
  public var title: String?
  /// Whether the container marks the stream as its default.
  public var isDefault: Bool
  /// Whether the container marks the stream as forced.
  public var isForced: Bool
  /// Whether the stream is marked as made for the hearing impaired.
  public var isHearingImpaired: Bool
  /// Whether the stream is a file beside the media.
  public var isExternal: Bool
  /// How the server would deliver the subtitle, in the server's spelling; nil before negotiation.
  public var deliveryMethod: String?
  /// The height of the pictures in pixels; nil if not known.
  public var height: Int?

  /// A stream of the given properties.
  public init(
    index: Int?, type: StreamType, codec: String? = nil, language: String? = nil,
    title: String? = nil, isDefault: Bool = false, isForced: Bool = false,
    isHearingImpaired: Bool = false, isExternal: Bool = false, deliveryMethod: String? = nil,
    height: Int? = nil
  ) {
    self.index = index
    self.type = type
    self.codec = codec
    self.language = language
    self.title = title
    self.isDefault = isDefault
    self.isForced = isForced
    self.isHearingImpaired = isHearingImpaired
    self.isExternal = isExternal
    self.deliveryMethod = deliveryMethod
    self.height = height
  }

  /// Whether the stream is a subtitle made of pictures (R9).
  public var isBitmapSubtitle: Bool { type == .subtitle && BurnIn.isBitmapCodec(codec) }
}
