// SPDX-License-Identifier: Apache-2.0

/// What is known about one track that was not claimed.
public struct RivalFinding: Sendable, Hashable {
  /// How far a rival shows the same as the claimed track.
  public enum Equality: String, Sendable, Hashable, Codable {
    /// In the whole film.
    case film
    /// In the range looked at only.
    case range
  }

  /// Name of the track.
  public var track: String
  /// Natural-log evidence that the picture is the claimed track and not this one.
  public var evidence: Double
  /// Different cues and times that told the two apart.
  public var tellingCount: Int
  /// Own cues of this track seen missing.
  public var missingCount: Int
  /// Times this track was seen where the claimed one lacks it.
  public var seenCount: Int
  /// Set if the two show the same in the range.
  public var equality: Equality?
  /// Own cues in the range of a track that may be drawn besides the claimed one; `nil` if excluded.
  public var ownCuesNotExcluded: Int?

  /// Makes a finding.
  public init(
    track: String, evidence: Double, tellingCount: Int = 0, missingCount: Int = 0,
    seenCount: Int = 0, equality: Equality? = nil, ownCuesNotExcluded: Int? = nil
  ) {
    self.track = track
    self.evidence = evidence
    self.tellingCount = tellingCount
    self.missingCount = missingCount
    self.seenCount = seenCount
    self.equality = equality
    self.ownCuesNotExcluded = ownCuesNotExcluded
  }
}
