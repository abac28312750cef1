// SPDX-License-Identifier: Apache-2.0
public import SubtitleModel

/// What is to be made of which input, and where it goes.
public struct AuthoringRequest: Sendable, Hashable {
  /// The script (`.json`) or text (`.srt`).
  public var input: String
  /// The file to write: `.sup`, `.mkv`, `.mks`, `.ts`, `.m2ts`, `.avi` or `.idx` (with its `.sub`).
  public var output: String
  /// The coding of tracks that name none; nil leaves it to the output.
  public var format: SubtitleCodec?
  /// The canvas of tracks that name none; nil leaves it to the format.
  public var canvas: Canvas?
  /// The language of tracks that name none.
  public var language: String?
  /// The title of tracks that name none.
  public var title: String?
  /// Whether all tracks get the forced flag, and all their cues are marked as forced.
  public var isForced = false
  /// The font for texts; nil asks fontconfig for DejaVu Sans.
  public var fontFile: String?
  /// A media file whose video and audio are copied beside the tracks (Matroska and transport stream).
  public var film: String?
  /// Whether an existing output is replaced.
  public var overwrites = false

  /// Makes a request.
  public init(input: String, output: String) {
    self.input = input
    self.output = output
  }
}

/// What was written.
public struct AuthoringReport: Sendable, Hashable {
  /// The files, with their final names.
  public var files: [String] = []
  /// The number of tracks.
  public var trackCount = 0
  /// The number of cues of all tracks.
  public var cueCount = 0
  /// The fonts that texts were drawn with, as libass names them.
  public var fonts: [String] = []
  /// What was mended, left out, or will not work on a real player, one sentence each.
  public var warnings: [String] = []
}

/// The kinds of output.
enum AuthoringOutput: Hashable {
  case sup
  case vobSubPair
  case matroska
  case transportStream
  case bluRayStream
  case avi

  /// The kind that a path's suffix names.
  init(path: String) throws(AuthoringFault) {
    switch path.split(separator: ".").last.map({ $0.lowercased() }) {
    case "sup": self = .sup
    case "idx": self = .vobSubPair
    case "mkv", "mks": self = .matroska
    case "ts": self = .transportStream
    case "m2ts": self = .bluRayStream
    case "avi": self = .avi
    default:
      throw AuthoringFault(
        .request, "\(path): an output ends with .sup, .mkv, .mks, .ts, .m2ts, .avi or .idx")
    }
  }

  /// The coding of a track that names none.
  var usualFormat: SubtitleCodec {
    switch self {
    case .sup, .matroska, .bluRayStream: .pgs
    case .vobSubPair: .vobsub
    case .transportStream: .dvb
    case .avi: .xsub
    }
  }

  /// The codings that the output can hold.
  var formats: [SubtitleCodec] {
    switch self {
    case .sup: [.pgs]
    case .vobSubPair: [.vobsub]
    case .matroska: [.pgs, .vobsub, .dvb]
    case .transportStream, .bluRayStream: [.pgs, .dvb]
    case .avi: [.xsub]
    }
  }

  /// Whether the output is one track and nothing else.
  var isBare: Bool { self == .sup || self == .vobSubPair || self == .avi }
}
