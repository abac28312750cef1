// SPDX-License-Identifier: Apache-2.0

/// A film as a media source of the server's answers.
struct SourceShape: Sendable {
  let film: Film
  let version: ServerVersion
  /// What was negotiated; nil where nothing was.
  var outcome: NegotiationOutcome?

  init(film: Film, version: ServerVersion, outcome: NegotiationOutcome? = nil) {
    self.film = film
    self.version = version
    self.outcome = outcome
  }

  /// Changes with the file.
  var entityTag: String { Identifier.stable("etag \(film.modified)") }

  /// The source.
  var json: JSON { version.isEmby ? embyJSON : jellyfinJSON }

  private var jellyfinJSON: JSON {
    let first = JSON.fields([
      "Protocol": "File", "Id": .string(film.sourceID), "Path": .string(film.path),
      "Type": "Default",
      "Container": .string(film.container), "Size": .integer(Int(film.byteCount)),
      "Name": .string(film.name), "IsRemote": false, "ETag": .string(entityTag),
      "RunTimeTicks": film.durationTicks.map { .integer($0) }, "ReadAtNativeFramerate": false,
      "IgnoreDts": false, "IgnoreIndex": false, "GenPtsInput": false,
    ])
    let second = first.adding([
      "SupportsTranscoding": .bool(outcome?.supportsTranscoding ?? true),
      "SupportsDirectStream": .bool(outcome?.supportsDirectPlay ?? true),
      "SupportsDirectPlay": .bool(outcome?.supportsDirectPlay ?? true),
      "IsInfiniteStream": false,
      "UseMostCompatibleTranscodingProfile": version.isJellyfin(from: 10) ? false : nil,
      "RequiresOpening": false, "RequiresClosing": false, "RequiresLooping": false,
      "SupportsProbing": true, "VideoType": "VideoFile", "MediaStreams": .array(streams),
      "MediaAttachments": [], "Formats": [], "Bitrate": film.bitRate.map { .integer($0) },
    ])
    let protocolName: JSON? = version.namesProtocolAlways ? "http" : nil
    return second.adding([
      "RequiredHttpHeaders": .object([]),
      "TranscodingUrl": outcome?.transcodingURL.map { .string($0) },
      "TranscodingSubProtocol": outcome?.transcodingURL == nil ? protocolName : "hls",
      "TranscodingContainer": outcome?.transcodingURL == nil
        ? nil : outcome?.container.map { .string($0) },
      "DefaultAudioStreamIndex": (outcome.map { $0.audioIndex } ?? film.defaultAudio?.index).map {
        .integer($0)
      },
      "DefaultSubtitleStreamIndex":
        (outcome.map { $0.subtitleIndex } ?? film.defaultSubtitle?.index).map { .integer($0) },
      "HasSegments": version.tellsSegments ? false : nil,
    ])
  }

  /// The streams, in order.
  var streams: [JSON] { film.streams.map { StreamShape(stream: $0, source: self).json } }
}
