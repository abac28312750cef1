// SPDX-License-Identifier: Apache-2.0
public import SubtitleModel

/// One track of a Matroska file, as its TrackEntry describes it (RFC 9559, 5.1.4).
public struct MatroskaTrack: Sendable, Hashable {
  /// What a track holds.
  public enum Kind: Sendable, Hashable {
    /// Pictures.
    case video
    /// Sound.
    case audio
    /// Subtitles.
    case subtitle
    /// Timed data of another kind.
    case metadata
  }

  /// How the blocks of a track are packed.
  public enum Packing: Sendable, Hashable {
    /// As they are.
    case plain
    /// Each frame is a zlib stream of its own.
    case zlib
    /// The same first bytes of every frame are left out.
    case strippedHeader([UInt8])
    /// In a way that only a full decoder unpacks; the text says which.
    case needsDecoder(String)
  }

  /// The number that blocks name the track by.
  public var number: UInt64 = 0
  /// The stream's index as FFmpeg counts: position among the tracks that it knows.
  public var streamIndex = 0
  /// The number that tags name the track by.
  public var uid: UInt64 = 0
  /// What the track holds.
  public var kind = Kind.metadata
  /// The coding, such as `S_HDMV/PGS`.
  public var codecID = ""
  /// The language of ISO 639-2, `eng` where the file is silent; nil for `und`.
  public var language: String? = "eng"
  /// The language of BCP 47, such as `pt-BR`, where the file says it.
  public var languageTag: String?
  /// The title.
  public var name: String?
  /// The flags.
  public var flags: TrackFlags = .default
  /// The codec's private data, unpacked.
  public var codecPrivate: [UInt8] = []
  /// How blocks are packed.
  public var packing = Packing.plain
  /// Nanoseconds of a frame, where the file says it.
  public var defaultDuration: UInt64?
  /// Nanoseconds that the decoder delays the track by.
  public var codecDelay: UInt64 = 0
  /// Columns of the stored picture; 0 where there is none.
  public var pixelWidth = 0
  /// Rows of the stored picture; 0 where there is none.
  public var pixelHeight = 0
  /// Width of a sample as a fraction of its height; nil where the file does not say.
  public var sampleAspect: (numerator: Int, denominator: Int)? {
    guard displayUnit != 4, displayWidth > 0, displayHeight > 0, pixelWidth > 0, pixelHeight > 0
    else { return nil }
    let (width, firstOverflow) = displayWidth.multipliedReportingOverflow(by: pixelHeight)
    let (height, secondOverflow) = displayHeight.multipliedReportingOverflow(by: pixelWidth)
    guard !firstOverflow, !secondOverflow else { return nil }
    var (larger, smaller) = (width, height)
    while smaller != 0 { (larger, smaller) = (smaller, larger % smaller) }
    return (width / larger, height / larger)
  }
  /// The matrix coefficients of ITU-T H.273; nil where the file does not say.
  public var matrixCoefficients: Int?

  var displayWidth = 0
  var displayHeight = 0
  var displayUnit = 0

  /// Makes an empty track.
  public init() {}

  /// The kind of subtitle coding.
  public var subtitleCodec: SubtitleCodec {
    guard kind == .subtitle else { return .unknown }
    switch codecID {
    case "S_HDMV/PGS": return .pgs
    case "S_VOBSUB": return .vobsub
    case "S_DVBSUB": return .dvb
    default: return codecName == "unknown" ? .unknown : .text
    }
  }

  /// FFmpeg's name of the coding, `unknown` if it has none.
  public var codecName: String {
    if let name = Self.codecNames[codecID] { return name }
    for (prefix, name) in Self.codecFamilies where codecID.hasPrefix(prefix) { return name }
    return "unknown"
  }

  private static let codecNames = [
    "S_HDMV/PGS": "hdmv_pgs_subtitle", "S_VOBSUB": "dvd_subtitle", "S_DVBSUB": "dvb_subtitle",
    "S_TEXT/UTF8": "subrip", "S_TEXT/ASCII": "text", "S_TEXT/ASS": "ass", "S_TEXT/SSA": "ass",
    "S_ASS": "ass", "S_SSA": "ass", "S_TEXT/WEBVTT": "webvtt", "D_WEBVTT/SUBTITLES": "webvtt",
    "S_HDMV/TEXTST": "hdmv_text_subtitle", "S_ARIBSUB": "arib_caption",
    "V_MPEG4/ISO/AVC": "h264", "V_MPEGH/ISO/HEVC": "hevc", "V_MPEGI/ISO/VVC": "vvc",
    "V_MPEG1": "mpeg1video", "V_MPEG2": "mpeg2video", "V_MPEG4/MS/V3": "msmpeg4v3",
    "V_AV1": "av1", "V_VP8": "vp8", "V_VP9": "vp9", "V_FFV1": "ffv1", "V_MJPEG": "mjpeg",
    "V_THEORA": "theora", "V_PRORES": "prores", "V_UNCOMPRESSED": "rawvideo", "V_DIRAC": "dirac",
    "V_SNOW": "snow",
  ]

  private static let codecFamilies = [
    ("V_MPEG4/ISO/", "mpeg4"), ("V_REAL/RV40", "rv40"), ("V_REAL/RV30", "rv30"),
  ]
}
