// SPDX-License-Identifier: Apache-2.0

extension SourceShape {
  /// The source as Emby shows it.
  var embyJSON: JSON {
    let first = JSON.fields([
      "Protocol": "File", "Id": .string(film.sourceID), "Path": .string(film.path),
      "Type": "Default", "Container": .string(film.container),
      "Size": .integer(Int(film.byteCount)), "Name": .string(film.name), "IsRemote": false,
      "HasMixedProtocols": false, "RunTimeTicks": film.durationTicks.map { .integer($0) },
      "SupportsTranscoding": .bool(outcome?.supportsTranscoding ?? true),
      "SupportsDirectStream": .bool(outcome?.supportsDirectPlay ?? true),
      "SupportsDirectPlay": .bool(outcome?.supportsDirectPlay ?? true), "IsInfiniteStream": false,
      "RequiresOpening": false, "RequiresClosing": false, "RequiresLooping": false,
    ])
    // Where the film is transcoded, the address of the direct stream is that of the transcode.
    let direct = outcome?.transcodingURL ?? outcome?.directURL
    return first.adding([
      "SupportsProbing": false,
      "MediaStreams": .array(film.streams.map { StreamShape(stream: $0, source: self).embyJSON }),
      "Formats": [], "Bitrate": film.bitRate.map { .integer($0) },
      "RequiredHttpHeaders": .object([]), "DirectStreamUrl": direct.map { .string($0) },
      "AddApiKeyToDirectStreamUrl": false,
      "TranscodingUrl": outcome?.transcodingURL.map { .string($0) },
      "TranscodingSubProtocol": outcome?.transcodingURL == nil ? nil : "hls",
      "TranscodingContainer": outcome?.transcodingURL == nil
        ? nil : outcome?.container.map { .string($0) },
      "ReadAtNativeFramerate": false,
      "DefaultAudioStreamIndex": (outcome.map { $0.audioIndex } ?? film.defaultAudio?.index).map {
        .integer($0)
      },
      "DefaultSubtitleStreamIndex":
        (outcome.map { $0.subtitleIndex } ?? film.defaultSubtitle?.index).map { .integer($0) },
      "ItemId": .string(film.id),
    ])
  }
}

extension StreamShape {
  /// The stream as Emby shows it.
  var embyJSON: JSON {
    func text(_ value: String?) -> JSON? { value.map { .string($0) } }
    func whole(_ value: Int?) -> JSON? { value.map { .integer($0) } }
    let isVideo = stream.kind == .video
    let delivery = source.outcome?.deliveries[stream.index]
    let first = JSON.fields([
      "Codec": .string(stream.codecName(of: source.version)), "Language": text(stream.language),
      "ColorTransfer": isVideo ? text(stream.colorTransfer) : nil,
      "ColorPrimaries": isVideo ? text(stream.colorPrimaries) : nil,
      "ColorSpace": isVideo ? text(stream.colorSpace) : nil, "TimeBase": text(stream.timeBase),
      "Title": text(stream.title), "VideoRange": isVideo ? .string(range) : nil,
      "DisplayTitle": .string(embyTitle),
      "DisplayLanguage": text(stream.language.map { LanguageCodes.name(of: $0) ?? $0 }),
      "NalLengthSize": text(stream.nalLengthSize), "IsInterlaced": .bool(stream.isInterlaced),
      "ChannelLayout": text(stream.channelLayout), "BitRate": whole(stream.bitRate),
      "BitDepth": whole(stream.bitDepth), "Channels": whole(stream.channels),
      "SampleRate": whole(stream.sampleRate),
    ])
    return first.adding([
      "IsDefault": .bool(stream.isDefault), "IsForced": .bool(stream.isForced),
      "IsHearingImpaired": .bool(stream.isHearingImpaired), "Height": whole(stream.height),
      "Width": whole(stream.width),
      "AverageFrameRate": stream.averageFrameRate.map { .float($0) },
      "RealFrameRate": stream.realFrameRate.map { .float($0) }, "Profile": text(stream.profile),
      "Type": .string(stream.kind.rawValue), "AspectRatio": text(stream.displayAspect),
      "Index": .integer(stream.index), "IsExternal": .bool(stream.isExternal),
      "DeliveryMethod": delivery.map { .string($0.method.rawValue) },
      "DeliveryUrl": text(delivery?.url), "IsExternalUrl": delivery?.url == nil ? nil : false,
    ]).adding([
      "IsTextSubtitleStream": .bool(stream.isTextSubtitle),
      "SupportsExternalStream": .bool(stream.isExtractable(by: source.version)),
      "Path": text(stream.path), "Protocol": "File", "PixelFormat": text(stream.pixelFormat),
      "Level": isVideo ? .integer(stream.level ?? 0) : nil,
      "IsAnamorphic": isVideo ? .bool(stream.isAnamorphic) : nil, "ExtendedVideoType": "None",
      "ExtendedVideoSubType": "None", "AttachmentSize": 0,
      "SubtitleLocationType": stream.kind == .subtitle && !stream.isExternal
        ? "InternalStream" : nil,
    ])
  }

  /// `English (PGSSUB)`.
  private var embyTitle: String {
    let name = stream.codecName(of: source.version).uppercased()
    if stream.kind == .video { return "\(lines) \(name)" }
    let language = stream.language.map { LanguageCodes.name(of: $0) ?? $0 } ?? "Undetermined"
    let marks = [stream.isDefault ? "Default" : nil, stream.isForced ? "Forced" : nil, name]
    return "\(stream.title ?? language) (\(marks.compactMap { $0 }.joined(separator: " ")))"
  }
}
