// SPDX-License-Identifier: Apache-2.0
package import SubtitleModel

/// What is to be authored: one track or several.
package struct AuthoringScript: Sendable, Hashable {
  /// The tracks, in order.
  package var tracks: [AuthoredTrack]
  /// What was mended or left out while reading, one sentence each.
  package var warnings: [String] = []

  /// Makes a script.
  package init(tracks: [AuthoredTrack], warnings: [String] = []) {
    self.tracks = tracks
    self.warnings = warnings
  }

  /// Reads a script: JSON as docs/author.md has it.
  ///
  /// - Parameters:
  ///   - text: The JSON text.
  ///   - file: The script's path: named in messages, and the files it names are beside it.
  /// - Returns: The tracks, and warnings.
  /// - Throws: A fault that names the file, the cue, the line and the key.
  package static func reading(
    _ text: String, file: String
  ) throws(AuthoringFault) -> AuthoringScript {
    try ScriptReader.read(text, file: file)
  }
}

/// A track to be authored.
package struct AuthoredTrack: Sendable, Hashable {
  /// The canvas; nil leaves it to the format.
  package var canvas: Canvas?
  /// The coding; nil leaves it to the output.
  package var format: SubtitleCodec?
  /// The language, such as `eng`.
  package var language: String?
  /// The title.
  package var title: String?
  /// The container's flags.
  package var flags: TrackFlags = []
  /// What is shown, in order of start.
  package var cues: [AuthoredCue]

  /// Makes a track of its cues.
  package init(cues: [AuthoredCue]) { self.cues = cues }
}

/// A cue to be authored.
package struct AuthoredCue: Sendable, Hashable {
  /// What a cue shows.
  package enum Content: Sendable, Hashable {
    /// Pictures from files.
    case images([AuthoredImage])
    /// A text, drawn at the edge of the canvas.
    case text(StyledText)
  }

  /// The times a cue can have: below 100 hours, far above what any format holds.
  package static let times =
    Timestamp.zero..<Timestamp(ticks: 360_000, numerator: 1, denominator: 1)

  /// Where it is written, for messages: `cue 3 (line 12)`.
  package var place: String
  /// When it appears.
  package var start: Timestamp
  /// When it goes; nil leaves it standing until the next cue.
  package var end: Timestamp?
  /// What it shows.
  package var content: Content
  /// Whether all it shows is forced.
  package var isForced = false
  /// Later opacities of the whole cue, 0 to 1, such as a fade's.
  package var paletteUpdates: [PaletteUpdate] = []
  /// Times at which everything shown is sent again (PGS only).
  package var acquisitionPoints: [Timestamp] = []
  /// Whether the cue belongs to its predecessor's epoch (PGS only).
  package var continuesEpoch = false

  /// Makes a cue.
  package init(place: String, start: Timestamp, end: Timestamp?, content: Content) {
    self.place = place
    self.start = start
    self.end = end
    self.content = content
  }
}

/// A change of a cue's opacity.
package struct PaletteUpdate: Sendable, Hashable {
  /// When it takes effect.
  package var time: Timestamp
  /// What every colour's alpha is multiplied by, 0 to 1.
  package var alpha: Double

  /// Makes a change.
  package init(time: Timestamp, alpha: Double) {
    self.time = time
    self.alpha = alpha
  }
}

/// A picture of a cue.
package struct AuthoredImage: Sendable, Hashable {
  /// The PNG file.
  package var file: String
  /// Column of the (cropped) picture's left edge on the canvas.
  package var x: Int
  /// Row of the (cropped) picture's top edge on the canvas.
  package var y: Int
  /// The part that is shown, in the picture's own pixels; nil shows all of it.
  package var crop: PixelRect?
  /// Whether it is forced, besides the cue's own mark.
  package var isForced: Bool
  /// The window asked for, 0 or 1 (PGS only).
  package var window: Int?

  /// Makes a picture.
  package init(
    file: String, x: Int, y: Int, crop: PixelRect? = nil, isForced: Bool = false,
    window: Int? = nil
  ) {
    self.file = file
    self.x = x
    self.y = y
    self.crop = crop
    self.isForced = isForced
    self.window = window
  }
}

extension SubtitleCodec {
  /// The formats that can be authored, by the names of options and scripts.
  package static let authorable: [SubtitleCodec] = [.pgs, .vobsub, .dvb, .xsub]

  /// The canvas of a text track that states none: the format's usual one.
  var usualCanvas: Canvas {
    self == .pgs ? Canvas(width: 1920, height: 1080) : Canvas(width: 720, height: 576)
  }
}
