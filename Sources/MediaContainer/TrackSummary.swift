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
  /// Objects of all cues.
  public var objectCount: Int
  /// Objects that are marked as forced.
  public var forcedObjectCount: Int
  /// When each cue starts and ends, by rising start.
  public var cues: [CueTimes]
  /// When the first cue starts and ends; nil without cues.
  public var first: CueTimes?
  /// When the last cue starts and ends; nil without cues.
  public var last: CueTimes?
  /// What was wrong and how it was repaired, one sentence each.
  public var diagnostics: [String]

  /// A cue's times and its mark.
  public struct CueTimes: Sendable, Hashable {
    /// When it appears.
    public var start: Timestamp
    /// When it goes.
    public var end: Timestamp
    /// Whether any of its objects is marked as forced.
    public var isForced: Bool

    /// Makes times.
    public init(start: Timestamp, end: Timestamp, isForced: Bool = false) {
      self.start = start
      self.end = end
      self.isForced = isForced
    }
  }

  /// Counts a decoded track's cues.
  public init(_ track: DecodedTrack) {
    description = track.description
    canvas = track.canvas
    cueCount = track.cues.count
    forcedCueCount = track.cues.count { $0.isForced }
    objectCount = track.cues.reduce(0) { $0 + $1.objects.count }
    forcedObjectCount = track.cues.reduce(0) { $0 + $1.objects.count { $0.isForced } }
    cues = track.cues.map { CueTimes(start: $0.start, end: $0.end, isForced: $0.isForced) }
    first = cues.first
    last = cues.last
    diagnostics = track.diagnostics
  }
}
