// SPDX-License-Identifier: Apache-2.0

/// What the looks of one session add up to.
public struct SessionDecision: Sendable, Hashable {
  /// The answer to "is the claimed track burned in?".
  public enum Verdict: Sendable, Hashable {
    /// The claimed track is on screen, whole, and no other instead.
    case verified
    /// The claimed track is on screen, but not as it should be; see the flags.
    case burnedBut
    /// The claimed track is not on screen.
    case notBurned
    /// Another track is on screen instead.
    case wrongTrack(String)
    /// The looks do not add up to an answer; see the reasons.
    case inconclusive
    /// The claimed track or one that shows exactly the same in the range is on screen.
    case oneOfEquals
  }

  /// Something wrong with a burn that is there.
  public enum Flag: Sendable, Hashable {
    /// Cues come or go before their time.
    case early
    /// Cues come after their time.
    case late
    /// Cues stay on screen after their end.
    case stuck
    /// Another track is drawn too.
    case also(String)
    /// Cues are missing while others are there.
    case partial
  }

  /// A passed cue and the frame at which it passed.
  public struct SeenCue: Sendable, Hashable {
    /// The cue, of the claimed track.
    public var cue: DecisionCue
    /// The frame of the look that passed.
    public var frame: Int

    /// Makes a seen cue.
    public init(cue: DecisionCue, frame: Int) {
      self.cue = cue
      self.frame = frame
    }
  }

  /// The answer.
  public var verdict: Verdict
  /// What is wrong with the burn, in a fixed order; empty unless timing was looked at.
  public var flags: [Flag] = []
  /// What was not shown; empty where the verdict is sure.
  public var reasons: [DecisionReason] = []
  /// What is known about each other track, in order of name.
  public var rivals: [RivalFinding] = []
  /// Natural-log evidence that the claimed track is on screen.
  public var presence: Double = 0
  /// Looks spent, each a cue with its retries.
  public var usedCues: Int = 0
  /// Cues of the claimed track that passed, with their frames, in order of look.
  public var passedCues: [SeenCue] = []
  /// Cues of the claimed track seen to be absent.
  public var failedCues: [SeenCue] = []
  /// Cues of the claimed track at which nothing could be seen.
  public var voidCount: Int = 0
  /// The first and the last frame at which a cue passed; `nil` without one.
  public var span: ClosedRange<Int>?
  /// The looks around the times of cues; `nil` if the decision fell before.
  public var timing: TimingTally?

  /// Makes a decision with its verdict alone; the rest is set afterwards.
  public init(verdict: Verdict) { self.verdict = verdict }
}
