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
}

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

/// Looks around the times of passed cues: how many said so, of how many that could be seen.
public struct TimingTally: Sendable, Hashable {
  /// Answers to one question.
  public struct Answers: Sendable, Hashable {
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

/// One thing a session did not show.
public enum DecisionReason: Sendable, Hashable, CustomStringConvertible {
  /// Too few cues of the claimed track were seen.
  case onlyCuesSeen(Int)
  /// Too few visible cues tell the claimed track from a rival.
  case onlyCuesTell(rival: String, Int)
  /// Too few cues show that a rival is not drawn besides the claimed track.
  case onlyCuesShowNotBesides(rival: String, Int)
  /// The first or the last cue that can tell a rival did not speak for the claimed track.
  case notToldAtEnds(rival: String)
  /// A rival was seen where the claimed track lacks it.
  case seenWhereLacks(rival: String)
  /// That many cues before the first pass were not seen.
  case firstCuesNotSeen(Int)
  /// That many cues after the last pass were not seen.
  case lastCuesNotSeen(Int)
  /// That many cues in a row were not seen.
  case cuesInARowNotSeen(Int)
  /// Starts or ends were seen at too few cues.
  case timesNotSeen

  /// A sentence for people, without a full stop.
  public var description: String {
    switch self {
    case .onlyCuesSeen(let count):
      "only \(Self.cues(count)) of the asked track \(count == 1 ? "was" : "were") seen"
    case .onlyCuesTell(let rival, let count):
      "only \(count) visible \(count == 1 ? "cue tells" : "cues tell")"
        + " the asked track from \(rival)"
    case .onlyCuesShowNotBesides(let rival, let count):
      "only \(Self.cues(count)) \(count == 1 ? "shows" : "show")"
        + " that \(rival) is not drawn besides"
    case .notToldAtEnds(let rival):
      "the asked track was not told from \(rival) at the first or the last cue that can tell them"
    case .seenWhereLacks(let rival):
      "\(rival) was seen where the asked track shows nothing of it"
    case .firstCuesNotSeen(let count):
      count == 1 ? "the first cue was not seen" : "the first \(count) cues were not seen"
    case .lastCuesNotSeen(let count):
      count == 1 ? "the last cue was not seen" : "the last \(count) cues were not seen"
    case .cuesInARowNotSeen(let count):
      "\(count) cues in a row were not seen"
    case .timesNotSeen:
      "starts and ends were seen at fewer than \(DecisionRules.leastTimed) cues"
    }
  }

  private static func cues(_ count: Int) -> String { count == 1 ? "1 cue" : "\(count) cues" }
}
