// SPDX-License-Identifier: Apache-2.0

/// The coding of a subtitle track.
public enum SubtitleCodec: String, Sendable, Hashable, Codable {
  /// HDMV presentation graphics (Blu-ray).
  case pgs
  /// DVD sub-pictures.
  case vobsub
  /// DVB subtitles, EN 300 743.
  case dvb
  /// DivX sub-pictures.
  case xsub
  /// DVB teletext.
  case teletext
  /// Any text format.
  case text
  /// A format that Burnscope does not know.
  case unknown

  /// Whether the track is made of bitmaps that Burnscope decodes.
  public var isBitmap: Bool {
    switch self {
    case .pgs, .vobsub, .dvb, .xsub: true
    case .teletext, .text, .unknown: false
    }
  }
}

/// Flags that the container sets on a track.
///
/// They say nothing of single cues.
public struct TrackFlags: OptionSet, Sendable, Hashable {
  /// The bits.
  public let rawValue: UInt32
  /// Makes a set of flags of its bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  /// The track is one that a player may choose unasked.
  public static let `default` = TrackFlags(rawValue: 1 << 0)
  /// The track is to be shown though subtitles are off.
  public static let forced = TrackFlags(rawValue: 1 << 1)
  /// The track is for the hard of hearing.
  public static let hearingImpaired = TrackFlags(rawValue: 1 << 2)
  /// The track describes pictures for the blind.
  public static let visualImpaired = TrackFlags(rawValue: 1 << 3)
  /// The track is in the language of the film.
  public static let original = TrackFlags(rawValue: 1 << 4)
  /// The track is a translation.
  public static let dub = TrackFlags(rawValue: 1 << 5)
  /// The track holds commentary.
  public static let commentary = TrackFlags(rawValue: 1 << 6)
  /// The track holds song texts.
  public static let lyrics = TrackFlags(rawValue: 1 << 7)
  /// The track holds captions.
  public static let captions = TrackFlags(rawValue: 1 << 8)
  /// The track holds descriptions.
  public static let descriptions = TrackFlags(rawValue: 1 << 9)

  /// The names of the flags in the set, in fixed order.
  public var names: [String] {
    let all: [(TrackFlags, String)] = [
      (.default, "default"), (.forced, "forced"), (.hearingImpaired, "hearing-impaired"),
      (.visualImpaired, "visual-impaired"), (.original, "original"), (.dub, "dub"),
      (.commentary, "commentary"), (.lyrics, "lyrics"), (.captions, "captions"),
      (.descriptions, "descriptions"),
    ]
    return all.filter { contains($0.0) }.map(\.1)
  }
}

/// What a container says of one subtitle track.
public struct TrackDescription: Sendable, Hashable {
  /// The stream's index in the container, as FFmpeg counts (`0:N`).
  public var streamIndex: Int
  /// The track's position among the subtitle streams, from 0 (`0:s:N`).
  public var subtitleOrdinal: Int
  /// The coding.
  public var codec: SubtitleCodec
  /// FFmpeg's name of the coding, such as `hdmv_pgs_subtitle`.
  public var codecName: String
  /// The language as the file has it, such as `eng`.
  public var language: String?
  /// The track's title.
  public var title: String?
  /// The container's flags.
  public var flags: TrackFlags
  /// The canvas, where container or stream header says it before any cue is decoded.
  public var canvas: Canvas?

  /// Makes a description.
  public init(
    streamIndex: Int, subtitleOrdinal: Int, codec: SubtitleCodec, codecName: String,
    language: String?, title: String?, flags: TrackFlags, canvas: Canvas?
  ) {
    self.streamIndex = streamIndex
    self.subtitleOrdinal = subtitleOrdinal
    self.codec = codec
    self.codecName = codecName
    self.language = language
    self.title = title
    self.flags = flags
    self.canvas = canvas
  }
}

/// What a container says of its video stream.
public struct VideoDescription: Sendable, Hashable {
  /// The stream's index in the container.
  public var streamIndex: Int
  /// FFmpeg's name of the coding, such as `h264`.
  public var codecName: String
  /// Columns of the stored picture.
  public var width: Int
  /// Rows of the stored picture.
  public var height: Int
  /// Width of one sample, as a fraction of its height: numerator; 1 where unknown.
  public var sampleAspectNumerator: Int
  /// Width of one sample, as a fraction of its height: denominator; 1 where unknown.
  public var sampleAspectDenominator: Int
  /// Frames a second: numerator; 0 where unknown.
  public var frameRateNumerator: Int
  /// Frames a second: denominator; 1 or more.
  public var frameRateDenominator: Int
  /// FFmpeg's name of the matrix, such as `bt709`; nil where the file does not say.
  public var colorMatrix: String?

  /// Makes a description.
  public init(
    streamIndex: Int, codecName: String, width: Int, height: Int, sampleAspectNumerator: Int,
    sampleAspectDenominator: Int, frameRateNumerator: Int, frameRateDenominator: Int,
    colorMatrix: String?
  ) {
    self.streamIndex = streamIndex
    self.codecName = codecName
    self.width = width
    self.height = height
    self.sampleAspectNumerator = sampleAspectNumerator
    self.sampleAspectDenominator = sampleAspectDenominator
    self.frameRateNumerator = frameRateNumerator
    self.frameRateDenominator = frameRateDenominator
    self.colorMatrix = colorMatrix
  }

  /// Frames a second, or nil where unknown.
  public var frameRate: Double? {
    frameRateNumerator > 0 && frameRateDenominator > 0
      ? Double(frameRateNumerator) / Double(frameRateDenominator) : nil
  }
}

/// A bitmap track with all its cues.
public struct DecodedTrack: Sendable, Hashable {
  /// What the container says of the track.
  public var description: TrackDescription
  /// The canvas that the cues' rectangles are placed in; nil where neither container nor stream says.
  public var canvas: Canvas?
  /// The cues, in order of start.
  public var cues: [Cue]
  /// What was wrong and how it was repaired, one sentence each.
  public var diagnostics: [String]

  /// Makes a track.
  public init(
    description: TrackDescription, canvas: Canvas?, cues: [Cue], diagnostics: [String] = []
  ) {
    self.description = description
    self.canvas = canvas
    self.cues = cues
    self.diagnostics = diagnostics
  }
}
