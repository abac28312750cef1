// SPDX-License-Identifier: Apache-2.0
public import SubtitleFormats
public import SubtitleModel

/// What a probe found in one file.
public struct ProbedFile: Sendable, Hashable {
  /// The path, as it was given.
  public var path: String
  /// FFmpeg's name of the container, such as `matroska,webm`.
  public var container: String
  /// The length that the container states; nil where unknown.
  public var duration: Timestamp?
  /// The film's video stream.
  public var video: VideoDescription?
  /// Whose cues are counted.
  public var decoder = DecoderChoice.native
  /// The subtitle tracks, in the container's order.
  public var subtitles: [ProbedTrack]
  /// How a server numbers the tracks, where that was asked for.
  public var serverOrder: ServerOrder?
  /// What the user should know of the file, one sentence each.
  public var notes: [String] = []
  /// Whether a part of the file could not be read.
  public var isDamaged = false
}

/// What a probe found in one subtitle track.
public struct ProbedTrack: Sendable, Hashable {
  /// What the container says of the track.
  public var description: TrackDescription
  /// The language of BCP 47, such as `pt-BR`, where the container states one.
  public var languageTag: String?
  /// The canvas; nil for tracks that are not made of bitmaps.
  public var canvas: Canvas?
  /// The cues; nil for tracks that are not made of bitmaps.
  public var count: CueCount?
  /// What the user should know of the track, one sentence each.
  public var notes: [String] = []

  /// FFmpeg's specifier of the track in a file that is its only input, such as `0:s:1`.
  public var specifier: String { "0:s:\(description.subtitleOrdinal)" }

  /// Cues; nil for tracks that are not made of bitmaps.
  public var cueCount: Int? { count?.cueCount }

  /// Cues that the stream marks as forced; nil for tracks that are not made of bitmaps.
  public var forcedCueCount: Int? { count?.forcedCueCount }

  /// When the first cue appears; nil if there is none.
  public var firstStart: Timestamp? { count?.firstCue?.start }

  /// When the last cue goes; nil if there is none.
  public var lastEnd: Timestamp? { count?.lastCue?.end }

  /// What the stream's headers say beyond the cues; nil for tracks that are not made of bitmaps.
  public var survey: TrackSurvey? { count?.survey }

  /// Sets count and canvas of a bitmap track and notes what is remarkable about them.
  ///
  /// - Parameters:
  ///   - count: The cues.
  ///   - video: The file's video, which stands in for a canvas that nothing states.
  mutating func take(_ count: CueCount, video: VideoDescription?) {
    self.count = count
    if let stated = count.canvas ?? description.canvas {
      canvas = stated
    } else if let video, video.width > 0, video.height > 0 {
      canvas = Canvas(width: video.width, height: video.height)
      notes.append("the track states no canvas; the video's size is assumed")
    } else {
      let assumed = count.survey.reach.map(Canvas.ofDiscs.assumed(toHold:)) ?? .ofDiscs
      canvas = assumed
      notes.append(
        "the track states no canvas; \(assumed) is assumed"
          + (assumed == .ofDiscs ? "" : ", since its cues reach past FFmpeg's \(Canvas.ofDiscs)"))
    }
    if count.paletteUpdateCount > 0 {
      notes.append("\(count.paletteUpdateCount) cues only change the palette of the one before")
    }
    if description.flags.contains(.forced), count.forcedCueCount == 0, count.cueCount > 0 {
      // Codings without the mark cannot contradict the container.
      if count.survey.forcedObjectCount != nil {
        notes.append("the track is flagged as forced, but none of its cues is")
      }
    }
    if count.survey.colors == .vobsub(.guessed) {
      notes.append("the track states no palette; its colours are guessed by every player")
    }
    notes += count.notes + count.faults
  }
}
