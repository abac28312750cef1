// SPDX-License-Identifier: Apache-2.0

/// A stream as the server's answers show it.
struct StreamShape: Sendable {
  let stream: FilmStream
  let source: SourceShape

  private var version: ServerVersion { source.version }
  private var isVideo: Bool { stream.kind == .video }
  private var isSubtitle: Bool { stream.kind == .subtitle }

  private func text(_ value: String?) -> JSON? { value.map { .string($0) } }
  private func whole(_ value: Int?) -> JSON? { value.map { .integer($0) } }

  /// The range of the picture.
  var range: String {
    guard isVideo else { return "Unknown" }
    return ["smpte2084", "arib-std-b67"].contains(stream.colorTransfer) ? "HDR" : "SDR"
  }

  private var rangeType: String {
    switch (isVideo, stream.colorTransfer) {
    case (false, _): "Unknown"
    case (true, "smpte2084"): "HDR10"
    case (true, "arib-std-b67"): "HLG"
    default: "SDR"
    }
  }

  /// The stream.
  var json: JSON {
    let hasRange = version.hasRangeEverywhere
    let first = JSON.fields([
      "Codec": .string(stream.codecName(of: version)), "Language": text(stream.language),
      "ColorRange": isVideo ? text(stream.colorRange) : nil,
      "ColorSpace": isVideo ? text(stream.colorSpace) : nil,
      "ColorTransfer": isVideo ? text(stream.colorTransfer) : nil,
      "ColorPrimaries": isVideo ? text(stream.colorPrimaries) : nil,
      "TimeBase": text(stream.timeBase), "Title": text(stream.title),
      "VideoRange": hasRange || isVideo ? .string(range) : nil,
      "VideoRangeType": hasRange || isVideo ? .string(rangeType) : nil,
      "AudioSpatialFormat": hasRange ? "None" : nil,
    ])
    let words = first.adding([
      "LocalizedUndefined": isSubtitle ? "Undefined" : nil,
      "LocalizedDefault": isSubtitle ? "Default" : nil,
      "LocalizedForced": isSubtitle ? "Forced" : nil,
      "LocalizedExternal": isSubtitle ? "External" : nil,
      "LocalizedHearingImpaired": isSubtitle && version.tellsHearingImpaired
        ? "Hearing Impaired" : nil,
      "DisplayTitle": .string(displayTitle), "NalLengthSize": text(stream.nalLengthSize),
      "IsInterlaced": .bool(stream.isInterlaced), "IsAVC": stream.isAVC.map { .bool($0) },
      "ChannelLayout": text(stream.channelLayout), "BitRate": whole(stream.bitRate),
      "BitDepth": whole(stream.bitDepth), "Channels": whole(stream.channels),
      "SampleRate": whole(stream.sampleRate),
    ])
    return words.adding([
      "IsDefault": .bool(stream.isDefault), "IsForced": .bool(stream.isForced),
      "IsHearingImpaired": version.tellsHearingImpaired ? .bool(stream.isHearingImpaired) : nil,
      "IsOriginal": version.tellsOriginal ? false : nil, "Height": whole(stream.height),
      "Width": whole(stream.width),
      "AverageFrameRate": stream.averageFrameRate.map { .float($0) },
      "RealFrameRate": stream.realFrameRate.map { .float($0) },
      "ReferenceFrameRate": version.isJellyfin(from: 10)
        ? stream.realFrameRate.map { .float($0) } : nil,
      "Profile": text(stream.profile), "Type": .string(stream.kind.rawValue),
    ]).adding([
      "AspectRatio": text(stream.displayAspect), "Index": .integer(stream.index),
      "IsExternal": .bool(stream.isExternal),
      "DeliveryMethod": delivery.map { .string($0.method.rawValue) },
      "DeliveryUrl": text(delivery?.url), "IsExternalUrl": delivery?.url == nil ? nil : false,
      "IsTextSubtitleStream": .bool(stream.isTextSubtitle),
      "SupportsExternalStream": .bool(stream.isExtractable(by: version)),
      "Path": text(stream.path),
      "PixelFormat": text(stream.pixelFormat),
      "Level": isVideo ? .integer(stream.level ?? 0) : nil,
      "IsAnamorphic": isVideo ? .bool(stream.isAnamorphic) : nil,
    ])
  }

  private var delivery: SubtitleDelivery? { source.outcome?.deliveries[stream.index] }

  private var displayTitle: String {
    let name = stream.codecName(of: version).uppercased()
    let language = stream.language.map { LanguageCodes.name(of: $0) ?? $0.capitalizedFirst }
    var words: [String]
    switch stream.kind {
    case .video: return "\(lines) \(name) \(range)"
    case .audio: words = [language, name, stream.channelLayout?.capitalizedFirst].compactMap { $0 }
    default: words = [stream.title ?? language ?? "Undefined", name]
    }
    if stream.isDefault { words.append("Default") }
    if stream.isForced { words.append("Forced") }
    if stream.isHearingImpaired { words.append("Hearing Impaired") }
    if stream.isExternal { words.append("External") }
    return words.joined(separator: " - ")
  }

  /// The size as people call it: the smallest standard picture that holds it.
  var lines: String {
    let sizes = [
      (426, 240, "240p"), (640, 360, "360p"), (854, 480, "480p"), (960, 544, "540p"),
      (1024, 576, "576p"), (1280, 962, "720p"), (1920, 1440, "1080p"), (2560, 1440, "1440p"),
    ]
    let (width, height) = (stream.width ?? 0, stream.height ?? 0)
    return sizes.first { width <= $0.0 && height <= $0.1 }?.2 ?? "4K"
  }
}

extension String {
  /// With a capital at its beginning.
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
