// SPDX-License-Identifier: Apache-2.0
public import SubtitleModel

/// Which segments are fetched to look at a stretch of the film.
public struct WindowPlan: Sendable, Hashable {
  /// A segment that is asked for first, so that the server begins its work there; its pictures are
  /// not used.
  public var starter: Int?
  /// The segments whose pictures are used.
  public var segments: ClosedRange<Int>

  /// Makes a plan.
  public init(starter: Int?, segments: ClosedRange<Int>) {
    self.starter = starter
    self.segments = segments
  }

  /// How long before the stretch the server's work is to begin.
  ///
  /// A server does not draw an event that is already running where its work begins: it reads no
  /// subtitle before the key frame it seeks to.
  public static let lead = Timestamp(milliseconds: 10_000)

  /// How far ahead of the segment in work a server waits for its work to arrive; asked for more, it
  /// begins anew at the segment asked for.
  public static let patience = Timestamp(milliseconds: 24_000)

  /// How much more than the stretch is fetched at both ends: times play by a frame or two.
  static let margin = Timestamp(milliseconds: 300)
}

extension MediaPlaylist {
  /// Plans which segments to fetch for a stretch of the film.
  ///
  /// The starter lies 10 s or more before the stretch. Only it and the stretch's own segments are
  /// downloaded: a server waits for a segment that is less than 24 s ahead of the one in work, so
  /// the segments between are made and not fetched. Where segments are so long that this would not
  /// hold, all of them are fetched.
  ///
  /// - Parameter range: Times of the film.
  /// - Returns: The plan; its segments are within the playlist.
  public func planWindow(covering range: ClosedRange<Timestamp>) -> WindowPlan {
    let first = segmentNumber(at: range.lowerBound - WindowPlan.margin)
    let last = max(first, segmentNumber(at: range.upperBound + WindowPlan.margin))
    let starter = segmentNumber(at: range.lowerBound - WindowPlan.lead)
    guard starter < first else { return WindowPlan(starter: nil, segments: first...last) }
    let distance = segments[first].start - segments[starter].start
    guard distance < WindowPlan.patience else {
      return WindowPlan(starter: nil, segments: starter...last)
    }
    return WindowPlan(starter: starter, segments: first...last)
  }
}
