// SPDX-License-Identifier: Apache-2.0

/// Looks around the times of passed cues: how many said so, of how many that could be seen.
public struct TimingTally: Sendable, Hashable, Codable {
  /// Answers to one question.
  public struct Answers: Sendable, Hashable, Codable {
    /// Looks that said yes.
    public var yes = 0
    /// Looks that said yes or no.
    public var all = 0

    /// Whether most of the looks said yes.
    public var isMajority: Bool { 2 * yes > all }

    mutating func add(_ answer: Bool?) {
      guard let answer else { return }
      all += 1
      if answer { yes += 1 }
    }
  }

  /// Already on screen 6 frames before the start.
  public var early = Answers()
  /// Not yet on screen 4 frames after the start.
  public var late = Answers()
  /// Already gone 4 frames before the end.
  public var cut = Answers()
  /// Still on screen 12 frames after the end.
  public var stuck = Answers()

  /// Cues seen on screen near their start, or near their end if these are fewer.
  public var confirmed: Int { min(late.all - late.yes, cut.all - cut.yes) }
}
