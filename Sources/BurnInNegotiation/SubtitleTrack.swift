// SPDX-License-Identifier: Apache-2.0

/// A row in the player's list of subtitles.
public struct SubtitleTrack: Sendable, Hashable {
  /// Where the track comes from.
  public enum Kind: Sendable, Hashable {
    /// The engine found it in the stream.
    case embedded
    /// A text file that is mounted from the server.
    case textSidecar
    /// A file from OpenSubtitles.
    case openSubtitles
    /// The server burns it in.
    case burnInRow
  }

  /// The id of the row.
  public var id: Int
  /// Where the track comes from.
  public var kind: Kind
  /// The index by which the source names the track (`srcId`): the server's stream index, the
  /// stream index in the container, or the file id of OpenSubtitles; nil if not known.
  public var sourceIndex: Int?
  /// The name of the codec.
  public var codec: String?
  /// The language tag.
  public var language: String?
  /// The title that is shown.
  public var title: String?
  /// Whether the track is marked as forced.
  public var isForced: Bool
  /// Whether the track is the default.
  public var isDefault: Bool
  /// Whether the track is marked as made for the hearing impaired.
  public var isHearingImpaired: Bool
  /// Whether the track is a file beside the media, by the server's own word (A13).
  public var isExternal: Bool

  /// A row of the given properties.
  public init(
    id: Int, kind: Kind, sourceIndex: Int? = nil, codec: String? = nil, language: String? = nil,
    title: String? = nil, isForced: Bool = false, isDefault: Bool = false,
    isHearingImpaired: Bool = false, isExternal: Bool = false
  ) {
    self.id = id
    self.kind = kind
    self.sourceIndex = sourceIndex
    self.codec = codec
    self.language = language
    self.title = title
    self.isForced = isForced
    self.isDefault = isDefault
    self.isHearingImpaired = isHearingImpaired
    self.isExternal = isExternal
  }

  /// A row for a stream that is mounted or burned in, with the server's own flags.
  init(id: Int, kind: Kind, stream: SourceStream) {
    self.init(
      id: id, kind: kind, sourceIndex: stream.index, codec: stream.codec,
      language: stream.language, title: stream.title, isForced: stream.isForced,
      isDefault: stream.isDefault, isHearingImpaired: stream.isHearingImpaired,
      isExternal: stream.isExternal)
  }

  /// Whether the server burns the track in.
  public var isBurnInRow: Bool { kind == .burnInRow }

  /// The choice of this row.
  public var choice: SubtitleChoice {
    let index = sourceIndex ?? id
    return switch kind {
    case .embedded: .embedded(index: index)
    case .textSidecar: .textSidecar(index: index)
    case .openSubtitles: .openSubtitles(file: index)
    case .burnInRow: .burnInRow(index: index)
    }
  }
}

extension BurnIn {
  /// The rows of the bitmap tracks that the server can burn in (R13, R14, R15, R21).
  ///
  /// They exist on a transcode of Emby or Jellyfin only; dropped ones are not listed. A row's id
  /// lies in the space of server indexes, and it has no index in the engine.
  public static func burnInRows(
    server: ServerKind, isTranscode: Bool, streams: [SourceStream], dropped: Set<Int> = []
  ) -> [SubtitleTrack] {
    guard server.takesBurnInRequests, isTranscode else { return [] }
    return streams.compactMap { stream in
      guard stream.isBitmapSubtitle, let index = stream.index, !dropped.contains(index),
        let id = makeTrackId(index: index)
      else { return nil }
      return SubtitleTrack(id: id, kind: .burnInRow, stream: stream)
    }
  }

  /// The stored list of rows: what the player shows by itself, then the burn-in rows (R16, A14).
  public static func pickerRows(
    playable: [SubtitleTrack], burnIn: [SubtitleTrack]
  ) -> [SubtitleTrack] { playable + burnIn }

  /// The rows that a player is to expect of an answer before its engine opened anything.
  ///
  /// On direct play these are the subtitles in the file and the text files beside it; on a
  /// transcode the mounted text and the burn-in rows.
  /// - Parameters:
  ///   - server: The server software.
  ///   - streams: The streams of the answer.
  ///   - isTranscode: Whether the answer plays as a transcode.
  ///   - dropped: The indexes that are not offered any more.
  /// - Returns: The rows in stored order.
  public static func expectedRows(
    server: ServerKind, streams: [SourceStream], isTranscode: Bool, dropped: Set<Int> = []
  ) -> [SubtitleTrack] {
    let embedded = streams.compactMap { stream -> SubtitleTrack? in
      guard !isTranscode, stream.type == .subtitle, !stream.isExternal, let index = stream.index
      else { return nil }
      return SubtitleTrack(id: index, kind: .embedded, stream: stream)
    }
    let mounted = mountedSubtitles(streams: streams, isDirectPlay: !isTranscode).map {
      SubtitleTrack(id: $0.trackID, kind: .textSidecar, stream: $0.stream)
    }
    return pickerRows(
      playable: embedded + mounted,
      burnIn: burnInRows(
        server: server, isTranscode: isTranscode, streams: streams, dropped: dropped))
  }

  /// The tracks that a detail page remembers of a file: those of the stream itself (R17).
  public static func runtimeInventory(tracks: [SubtitleTrack]) -> [SubtitleTrack] {
    tracks.filter { !$0.isBurnInRow && !$0.isExternal && !isSidecar(trackID: $0.id) }
  }

  /// The rows that Auto may choose from (R24).
  ///
  /// While the transcode only repackages the video, burn-in rows are left to the hand.
  public static func autoCandidates(
    tracks: [SubtitleTrack], videoCopyOnly: Bool
  ) -> [SubtitleTrack] {
    videoCopyOnly ? tracks.filter { !$0.isBurnInRow } : tracks
  }
}
