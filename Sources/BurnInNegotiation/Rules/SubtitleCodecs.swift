// SPDX-License-Identifier: Apache-2.0

extension BurnIn {
  /// Exact names of bitmap subtitle codecs, lower case.
  static let bitmapCodecNames: Set<String> = [
    "hdmv_pgs_subtitle", "pgssub", "pgs", "dvd_subtitle", "dvdsub", "vobsub", "dvb_subtitle",
    "dvbsub", "xsub",
  ]

  /// Parts that show a bitmap subtitle wherever they stand in a codec's name, lower case.
  static let bitmapCodecParts = ["pgs", "dvdsub", "dvd_sub", "dvbsub", "dvb_sub", "vobsub"]

  /// Whether a codec's name says that the subtitle is made of pictures (R9).
  ///
  /// The name is trimmed and compared without regard to letter case. Teletext and captions are not
  /// bitmaps. `sup` and `sub`, which Jellyfin may write for files beside the media, are not in the
  /// list (A23).
  public static func isBitmapCodec(_ codec: String?) -> Bool {
    guard let codec else { return false }
    let name = Text.folded(codec)
    return bitmapCodecNames.contains(name) || bitmapCodecParts.contains { name.contains($0) }
  }

  /// Whether a track of the codec may be shown as the secondary subtitle: a bitmap never (R33).
  public static func canBeSecondary(codec: String?) -> Bool { !isBitmapCodec(codec) }

  /// The file format in which a text subtitle of the codec is fetched; nil if it is none (R11).
  public static func textFormat(codec: String?) -> String? {
    switch codec.map(Text.folded) {
    case "srt", "subrip": "srt"
    case "ass": "ass"
    case "ssa": "ssa"
    case "vtt", "webvtt": "vtt"
    default: nil
    }
  }

  /// The text tracks that are mounted beside the stream (R11).
  ///
  /// A direct play brings its embedded tracks along, so only files beside the media are mounted; a
  /// transcode, burned or not, carries none, so embedded text is mounted too. Bitmaps never are.
  public static func mountedSubtitles(
    streams: [SourceStream], isDirectPlay: Bool
  ) -> [MountedSubtitle] {
    streams.compactMap { stream in
      guard stream.type == .subtitle, stream.isExternal || !isDirectPlay, let index = stream.index,
        let trackID = makeTrackId(index: index), let format = textFormat(codec: stream.codec)
      else { return nil }
      return MountedSubtitle(index: index, format: format, trackID: trackID, stream: stream)
    }
  }
}

/// A text subtitle that is fetched from the server and mounted beside the stream.
public struct MountedSubtitle: Sendable, Hashable {
  /// The server's index of the stream.
  public var index: Int
  /// The format of the file: `srt`, `ass`, `ssa` or `vtt`.
  public var format: String
  /// The id of the track in the player's list.
  public var trackID: Int
  /// The stream as the server describes it.
  public var stream: SourceStream
}
