// SPDX-License-Identifier: Apache-2.0
public import SubtitleModel

/// What a bitmap track holds, counted, without its pictures.
public struct TrackSummary: Sendable, Hashable {
  /// What the container says of the track.
  public var description: TrackDescription
  /// The canvas; nil where neither container nor stream says.
  public var canvas: Canvas?
  /// The number of cues.
  public var cueCount: Int
  /// The number of cues with a forced object.
  public var forcedCueCount: Int
  /// When the first cue starts and ends; nil without cues.
  public var first: CueTimes?
  /// When the last cue starts and ends; nil without cues.
  public var last: CueTimes?
  /// What was wrong and how it was repaired, one sentence each.
  public var diagnostics: [String]

  /// A cue's times.
  public struct CueTimes: Sendable, Hashable {
    /// When it appears.
    public var start: Timestamp
    /// When it goes.
    public var end: Timestamp

    /// Makes times.
    public init(start: Timestamp, end: Timestamp) {
      self.start = start
      self.end = end
    }
  }

  /// Counts a decoded track's cues.
  public init(_ track: DecodedTrack) {
    description = track.description
    canvas = track.canvas
    cueCount = track.cues.count
    forcedCueCount = track.cues.count { $0.isForced }
    first = track.cues.first.map { CueTimes(start: $0.start, end: $0.end) }
    last = track.cues.last.map { CueTimes(start: $0.start, end: $0.end) }
    diagnostics = track.diagnostics
  }
}
