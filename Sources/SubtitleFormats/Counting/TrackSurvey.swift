// SPDX-License-Identifier: Apache-2.0
public import SubtitleModel

/// What the headers of a bitmap track say beyond its cues, found without decoding pictures.
public struct TrackSurvey: Sendable, Hashable {
  /// A canvas that cues are placed in.
  public struct CanvasUse: Sendable, Hashable {
    /// The canvas.
    public var canvas: Canvas
    /// Cues on it.
    public var cueCount: Int
    /// The matrix that our decoder takes for its colours; nil where the colours are RGB.
    public var matrix: PaletteConversion.Matrix?

    /// Makes a use.
    public init(canvas: Canvas, cueCount: Int, matrix: PaletteConversion.Matrix?) {
      self.canvas = canvas
      self.cueCount = cueCount
      self.matrix = matrix
    }
  }

  /// Canvases kept of one track: real tracks have one or two, the limit is for broken ones.
  public static let canvasLimit = 32

  /// The canvases that the stream states, in the order of their first cues.
  public var canvases: [CanvasUse] = []
  /// Cues on canvases past ``canvasLimit``.
  public var unlistedCanvasCueCount = 0
  /// The least canvas that holds all areas of DVD sub-pictures; nil for other codings and without cues.
  public var reach: Canvas?
  /// Objects that the cues show: objects of PGS, regions of DVB, one a cue elsewhere.
  ///
  /// The steps of a fade show the objects of the cue before, which are not counted again.
  public var objectCount = 0
  /// Those that are marked as forced; nil where the coding has no such mark (DVB, XSUB).
  public var forcedObjectCount: Int?
  /// What is known of the colours; nil where nothing is.
  public var colors: TrackColors?
  /// The services and pages of a DVB track.
  public var pages: DVBPageSurvey?
  /// When cues are shown; nil without cues in a file of unknown length.
  public var coverage: CueCoverage?

  /// Makes a survey of nothing.
  public init() {}

  /// Takes a cue.
  mutating func add(_ event: CountingEvent, matrix: (Canvas) -> PaletteConversion.Matrix?) {
    if !event.isPaletteUpdate {
      objectCount += event.objectCount
      forcedObjectCount? += event.forcedObjectCount
    }
    guard let canvas = event.canvas else { return }
    if let place = canvases.firstIndex(where: { $0.canvas == canvas }) {
      canvases[place].cueCount += 1
    } else if canvases.count < Self.canvasLimit {
      canvases.append(CanvasUse(canvas: canvas, cueCount: 1, matrix: matrix(canvas)))
    } else {
      unlistedCanvasCueCount += 1
    }
  }
}

/// What the headers of a track say of its colours.
public enum TrackColors: Sendable, Hashable {
  /// What the palettes look as if they were made for, with the evidence.
  case pgs(PGSPaletteSurvey)
  /// Where the 16 colours come from.
  case vobsub(VobSubPaletteSource)
  /// The tables of colours that the stream defines or lacks.
  case dvb(DVBColorSurvey)
  /// Each packet has four RGB colours of its own, with alpha (DXSA) or without (DXSB); nil where the
  /// container's tag does not say which.
  case xsub(hasAlpha: Bool?)
}

/// Where the colours of DVD sub-pictures come from.
public enum VobSubPaletteSource: String, Sendable, Hashable {
  /// The `palette:` line of an .idx file.
  case indexFile
  /// The same line in a container's private data.
  case codecPrivate
  /// The table of an MP4 track.
  case movie
  /// The `custom colors:` line, which replaces the palette.
  case customColors
  /// Nowhere: decoders guess.
  case guessed
}

/// What kind of file a track's private data come from.
public enum PrivateDataPlace: Sendable, Hashable {
  /// An .idx file.
  case indexFile
  /// An MP4 or QuickTime file.
  case movie
  /// Any other container.
  case container
}
