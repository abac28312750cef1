// SPDX-License-Identifier: Apache-2.0

/// The questions a decision asks the picture.
///
/// The decision calls them one after the other, and each of them only for frames it needs. `nil`
/// always means that nothing can be said: the frame never came, the source shows the same text, or
/// the text has no contrast to its ground.
public struct SessionLooks {
  /// Natural-log evidence that a cue of a track is on screen at a frame, 5 (passes) to -4 (absent).
  public var look: (_ track: String, _ cue: DecisionCue, _ frame: Int) -> Double?
  /// What is on screen where two cues differ: +1 the first alone, -1 the other alone.
  ///
  /// `nil`: they differ in too few pixels to tell.
  public var pair: (_ cue: DecisionCue, _ other: DecisionCue, _ frame: Int) -> Double?
  /// Whether another cue leaves structure beside or beneath a cue that passed.
  ///
  /// `nil` also where the two are near twins.
  public var under: (_ cue: DecisionCue, _ other: DecisionCue, _ frame: Int) -> Bool?
  /// Whether a cue of the claimed track that passed elsewhere is on screen at a frame.
  public var still: (_ cue: DecisionCue, _ frame: Int) -> Bool?

  /// Makes the set of questions.
  public init(
    look: @escaping (_ track: String, _ cue: DecisionCue, _ frame: Int) -> Double?,
    pair: @escaping (_ cue: DecisionCue, _ other: DecisionCue, _ frame: Int) -> Double?,
    under: @escaping (_ cue: DecisionCue, _ other: DecisionCue, _ frame: Int) -> Bool?,
    still: @escaping (_ cue: DecisionCue, _ frame: Int) -> Bool?
  ) {
    self.look = look
    self.pair = pair
    self.under = under
    self.still = still
  }
}
