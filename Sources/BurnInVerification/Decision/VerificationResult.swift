// SPDX-License-Identifier: Apache-2.0

/// The answer as it is published.
public enum VerificationVerdict: String, Sendable, Hashable, Codable, CaseIterable {
  /// The asked track is burned in, whole, in place and in time, and no other.
  case burnedIn = "burned-in"
  /// The asked track is not on screen.
  case notBurned = "not-burned"
  /// Another track is on screen instead.
  case wrongTrack = "wrong-track"
  /// The asked track is on screen where the expected layout does not put it.
  case wrongGeometry = "wrong-geometry"
  /// The asked track is on screen early or late.
  case wrongTime = "wrong-time"
  /// The asked track is on screen with a fault; the flags say which.
  case flawed
  /// The asked track or one that shows the same in what was looked at is on screen.
  case oneOfEquals = "one-of-equals"
  /// What could be seen does not add up to an answer.
  case cannotDecide = "cannot-decide"

  /// The exit status of a command that ends with this verdict.
  public var exitCode: Int32 {
    switch self {
    case .burnedIn: 0
    case .oneOfEquals, .cannotDecide: 2
    default: 1
    }
  }
}

/// Something wrong with a burn, as it is published.
public enum VerificationFlag: String, Sendable, Hashable, Codable, CaseIterable {
  /// Cues come or go before their time.
  case early
  /// Cues come after their time.
  case late
  /// Cues are missing while others are there.
  case partial
  /// Cues stay on screen after their end.
  case stuck
  /// The asked track is drawn twice.
  case double
  /// Another track is drawn too.
  case alsoDrawn = "also-drawn"
  /// The text is weaker or more transparent than the track says.
  case faint
  /// The text has another brightness than the track says.
  case offColour = "off-colour"
}

/// All that one verification found out.
public struct VerificationResult: Sendable, Hashable, Codable {
  /// What the picture was compared with.
  public enum Mode: String, Sendable, Hashable, Codable {
    /// With the source's own frames, so that text of the source itself does not count.
    case source
    /// With nothing: text of the source that looks the same cannot be told from a burn.
    case blind
  }

  /// How many cues were looked at and what became of them.
  public struct Cues: Sendable, Hashable, Codable {
    /// Cues looked at, of the asked track and of others.
    public var used: Int
    /// Cues of the asked track seen on screen.
    public var passed: Int
    /// Cues of the asked track seen to be absent.
    public var failed: Int
    /// Cues of the asked track at which nothing could be seen.
    public var void: Int

    /// Makes counts.
    public init(used: Int = 0, passed: Int = 0, failed: Int = 0, void: Int = 0) {
      self.used = used
      self.passed = passed
      self.failed = failed
      self.void = void
    }
  }

  /// A part of the film, in seconds of its own timeline.
  public struct Span: Sendable, Hashable, Codable {
    /// The first moment.
    public var from: Double
    /// The last moment.
    public var to: Double

    /// Makes a span.
    public init(from: Double, to: Double) {
      self.from = from
      self.to = to
    }
  }

  /// What is known about one other track.
  public struct Rival: Sendable, Hashable, Codable {
    /// How another track stands to what is on screen.
    public enum Relation: String, Sendable, Hashable, Codable {
      /// It is not on screen instead of the asked track, nor besides.
      case toldApart = "told-apart"
      /// It is not on screen instead, but may be drawn besides: it has too few cues of its own.
      case notExcludedBesides = "not-excluded-besides"
      /// Too little tells it from the asked track.
      case notTold = "not-told"
      /// It shows the same in the whole film.
      case equalInFilm = "equal-in-film"
      /// It shows the same in the range looked at.
      case equalInRange = "equal-in-range"
      /// It is on screen instead of the asked track.
      case drawnInstead = "drawn-instead"
      /// It is on screen too.
      case drawnToo = "drawn-too"
    }

    /// The track.
    public var track: String
    /// Natural-log evidence that the picture is the asked track and not this one.
    public var evidence: Double
    /// Different cues and times that told the two apart.
    public var cuesTelling: Int
    /// Own cues of this track seen missing.
    public var cuesSeenMissing: Int
    /// How it stands to what is on screen.
    public var relation: Relation

    /// Makes a rival.
    public init(
      track: String, evidence: Double, cuesTelling: Int, cuesSeenMissing: Int, relation: Relation
    ) {
      self.track = track
      self.evidence = evidence
      self.cuesTelling = cuesTelling
      self.cuesSeenMissing = cuesSeenMissing
      self.relation = relation
    }
  }

  /// What was fetched for the verification.
  public struct Fetch: Sendable, Hashable, Codable {
    /// Runs of segments.
    public var windows: Int
    /// Segments.
    public var segments: Int
    /// Bytes of all answers.
    public var bytes: Int64
    /// Requests sent.
    public var requests: Int

    /// Makes counts.
    public init(windows: Int, segments: Int, bytes: Int64, requests: Int) {
      self.windows = windows
      self.segments = segments
      self.bytes = bytes
      self.requests = requests
    }
  }

  /// How the picture lies against the layout.
  public struct Calibration: Sendable, Hashable, Codable {
    /// Offset to the right at the frame's centre, in frame pixels.
    public var dx: Double
    /// Offset downwards, in frame pixels.
    public var dy: Double
    /// Horizontal scale against the layout's; 1 is none.
    public var scale: Double
    /// The resampling kernel that explains the picture best.
    public var kernel: String

    /// Makes a calibration.
    public init(dx: Double, dy: Double, scale: Double, kernel: String) {
      self.dx = dx
      self.dy = dy
      self.scale = scale
      self.kernel = kernel
    }
  }

  /// The answer.
  public var verdict: VerificationVerdict
  /// The track that was asked for.
  public var asked: String
  /// The tracks found in the picture; with one of equals all that it may be.
  public var drawn: [String] = []
  /// What the picture was compared with.
  public var mode: Mode
  /// The layout that fits, or the expected one if none was found.
  public var layout: String?
  /// What became of the cues.
  public var cues = Cues()
  /// Why the verdict is what it is, one sentence for people.
  public var reason: String
  /// What is wrong with the burn, in order of declaration.
  public var flags: [VerificationFlag] = []
  /// From the first to the last cue seen.
  public var span: Span?
  /// What is known about the other tracks.
  public var rivals: [Rival] = []
  /// Tracks that may be drawn besides the asked one.
  public var notExcludedBesides: [String] = []
  /// What else a reader should know.
  public var notes: [String] = []
  /// What was fetched; `nil` where nothing had to be.
  public var fetch: Fetch?
  /// How the picture lies against the layout; `nil` if too little passed.
  public var calibration: Calibration?
  /// Looks around the times of cues; `nil` if the decision fell before.
  public var timing: TimingTally?

  /// Makes a result with the least it needs; the rest is set afterwards.
  public init(verdict: VerificationVerdict, asked: String, mode: Mode, reason: String) {
    self.verdict = verdict
    self.asked = asked
    self.mode = mode
    self.reason = reason
  }
}
