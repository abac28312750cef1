// SPDX-License-Identifier: Apache-2.0
public import BurnInNegotiation

/// What a client says that it can play.
public enum ClientProfile: String, Sendable, Hashable, CaseIterable {
  /// Nothing but an HLS transcode, so that every bitmap track has to be burned in.
  case transcodeOnly = "transcode"
  /// Nearly every film as it is, with its bitmap tracks; a server then transcodes nothing.
  case directPlay = "direct-play"

  /// The device profile in the words of both servers.
  ///
  /// - Parameters:
  ///   - kind: The server; Emby gets text formats declared, since it fails on some streams where no
  ///     format is.
  ///   - container: The container of the segments.
  ///   - maximumBitrate: Bits a second at most.
  ///   - maximumHeight: Rows of the picture at most; nil for the source's.
  /// - Returns: The profile as JSON.
  public func deviceProfile(
    kind: ServerKind, container: SegmentContainer = .ts,
    maximumBitrate: Int = BurnInRequest.generousBitrate, maximumHeight: Int? = nil
  ) -> WireValue {
    .members([
      "Name": "Burnscope", "MaxStreamingBitrate": .integer(maximumBitrate),
      "DirectPlayProfiles": .array(self == .directPlay ? [Self.direct] : []),
      "TranscodingProfiles": .array([
        .members([
          "Type": "Video", "Context": "Streaming", "Protocol": "hls",
          "Container": .string(container.rawValue), "VideoCodec": "h264", "AudioCodec": "aac",
          "MaxAudioChannels": "2",
        ])
      ]), "ContainerProfiles": .array([]),
      "CodecProfiles": .array(maximumHeight.map { [Self.limit(height: $0)] } ?? []),
      "SubtitleProfiles": .array(subtitles(kind)),
    ])
  }

  private static let direct = WireValue.members([
    "Type": "Video", "Container": "mkv,mp4,m4v,mov,avi,ts,m2ts,webm",
    "VideoCodec": "h264,hevc,av1,mpeg2video,mpeg4,vp9",
    "AudioCodec": "aac,ac3,eac3,flac,alac,mp3,opus,vorbis,truehd,dts,pcm_s16le",
  ])

  private static func limit(height: Int) -> WireValue {
    .members([
      "Type": "Video",
      "Conditions": .array([
        .members([
          "Condition": "LessThanEqual", "Property": "Height", "Value": .string("\(height)"),
          "IsRequired": false,
        ])
      ]),
    ])
  }

  private func subtitles(_ kind: ServerKind) -> [WireValue] {
    func entry(_ format: String, _ method: String) -> WireValue {
      .members(["Format": .string(format), "Method": .string(method)])
    }
    let texts = ["srt", "ass", "ssa", "vtt"].map { entry($0, "External") }
    switch self {
    case .directPlay: return texts + ["pgssub", "dvdsub", "dvbsub"].map { entry($0, "Embed") }
    case .transcodeOnly: return kind == .emby ? texts : []
    }
  }
}
