// SPDX-License-Identifier: Apache-2.0
public import Compositing
public import SubtitleModel

/// What a session is to find out, and within which bounds.
public struct SessionTask: Sendable {
  /// Name of the track that should be burned in; one of `tracks`.
  public var asked: String
  /// Every bitmap track of the film.
  public var tracks: [SessionTrack]
  /// Frames a second of the transcode.
  public var videoFramesPerSecond: Double
  /// The range that may be looked at, on the media's timeline.
  public var range: Range<Timestamp>
  /// The layout to be tried first, of the user's word or the server's version; nil: any known one.
  public var expectedLayout: Layout?
  /// Whether the expected layout is stated, so that another one is a fault.
  public var isLayoutStated: Bool
  /// Whether there are no reference frames.
  public var isBlind: Bool
  /// The most looks spent, each a cue with its retries.
  public var maximumCues: Int
  /// What chooses between cues of equal worth.
  public var seed: UInt64

  /// The canvases of all tracks.
  var canvases: Set<Canvas> { tracks.reduce(into: []) { $0.formUnion($1.canvases) } }

  /// Makes a task.
  public init(
    asked: String, tracks: [SessionTrack], videoFramesPerSecond: Double, range: Range<Timestamp>,
    expectedLayout: Layout? = nil, isLayoutStated: Bool = false, isBlind: Bool = false,
    maximumCues: Int = 100, seed: UInt64 = 0
  ) {
    self.asked = asked
    self.tracks = tracks
    self.videoFramesPerSecond = videoFramesPerSecond
    self.range = range
    self.expectedLayout = expectedLayout
    self.isLayoutStated = isLayoutStated
    self.isBlind = isBlind
    self.maximumCues = maximumCues
    self.seed = seed
  }
}

/// A cue that a session saw or missed, for pictures of evidence.
public struct EvidenceLook: Sendable, Hashable {
  /// The cue's number in its track.
  public var cueIndex: Int
  /// The grid frame that was looked at.
  public var frame: Int
  /// When that frame is shown, on the media's timeline.
  public var time: Timestamp
  /// Whether the cue passed.
  public var passed: Bool
}

/// One verification: asks frames of a transcode until they add up to a verdict.
///
/// Not `Sendable`; it runs on the caller's thread and takes its pictures from ``SessionFrames``.
public final class VerificationSession {
  let task: SessionTask
  let film: SessionFilm
  let frames: any SessionFrames
  let eyes: SessionEyes
  let firstFrame: Int
  let endFrame: Int
  let askedCanvas: Canvas
  var frameSize = Canvas(width: 0, height: 0)
  var facts: SessionFacts
  var order: [DecisionCue] = []

  /// The looks of the last run, for pictures of evidence, in order of time.
  public private(set) var evidence: [EvidenceLook] = []

  /// Measurements made so far.
  public var probeCount: Int { eyes.probeCount }

  /// Makes a session.
  ///
  /// - Parameters:
  ///   - plan: What to find out, laid out; the asked track is one of its tracks.
  ///   - frames: Where the pictures come from.
  public init(plan: SessionPlan, frames: any SessionFrames) {
    task = plan.task
    film = plan.film
    firstFrame = plan.firstFrame
    endFrame = plan.endFrame
    self.frames = frames
    eyes = SessionEyes(film: film, frames: frames, isBlind: task.isBlind)
    let asked = plan.task.asked
    askedCanvas =
      plan.task.tracks.first { $0.name == asked }?.canvas ?? Canvas(width: 1920, height: 1080)
    facts = SessionFacts(
      mode: task.isBlind ? .blind : .source,
      geometry: .unknown(expected: task.expectedLayout?.rawValue), frameWidth: 0, frameHeight: 0,
      secondsPerFrame: 1 / film.framesPerSecond)
  }

  var request: SessionRequest {
    SessionRequest(
      firstFrame: firstFrame, endFrame: endFrame, maximumCues: task.maximumCues, seed: task.seed,
      isPreferred: { [frames] in frames.isAtHand(frame: $0) })
  }

  /// Looks until the looks add up, and says to what.
  public func run() -> VerificationResult {
    var generator = SeededGenerator(seed: task.seed)
    let judged = request.judged(film.tracks[task.asked] ?? [])
    order = CueOrder.spread(
      judged, using: &generator, isPreferred: { [frames] in frames.isAtHand(frame: $0) })
    guard !order.isEmpty else {
      facts.obstacle = "the asked track has no whole cue in the range"
      return VerdictMapping.result(asked: task.asked, decision: nil, facts: facts)
    }
    guard let sample = firstPicture() else {
      facts.obstacle = "no frame of the transcode could be had"
      return VerdictMapping.result(asked: task.asked, decision: nil, facts: facts)
    }
    frameSize = Canvas(width: sample.width, height: sample.height)
    facts.frameWidth = sample.width
    facts.frameHeight = sample.height
    guard findGeometry() else { return diagnose() }
    calibrate()
    let decision = decide(
      claimed: task.asked, tracks: film.tracks, request: request, looks: eyes.looks())
    return conclude(decision)
  }

  private func conclude(_ decision: SessionDecision) -> VerificationResult {
    var decision = decision
    if case .wrongTrack(let other) = decision.verdict {
      decision.verdict = .wrongTrack(nameDrawnTrack(startingWith: other))
    }
    keepEvidence(decision)
    switch decision.verdict {
    case .verified, .burnedBut, .oneOfEquals: inspectStrength(decision)
    case .notBurned, .wrongTrack, .inconclusive: break
    }
    return VerdictMapping.result(asked: task.asked, decision: decision, facts: facts)
  }

  /// Keeps the looks of a decision as evidence.
  func keepEvidence(_ decision: SessionDecision) {
    let seen = decision.passedCues.map { ($0, true) } + decision.failedCues.map { ($0, false) }
    evidence = seen.map { look, passed in
      EvidenceLook(
        cueIndex: look.cue.index, frame: look.frame, time: film.time(of: look.frame),
        passed: passed)
    }.sorted { $0.frame < $1.frame }
  }

  /// The first frame of any cue that comes.
  private func firstPicture() -> SamplePlane? {
    for cue in order {
      for frame in cue.lookFrames {
        if let picture = frames.transcode(frame: frame) { return picture }
      }
    }
    return nil
  }

  /// Follows the evidence from a track that was seen to the track that is drawn.
  ///
  /// The first rival with three passes may be a near twin of the one on screen.
  func nameDrawnTrack(startingWith name: String) -> String {
    var name = name
    var tried: Set<String> = [task.asked]
    while !tried.contains(name) {
      tried.insert(name)
      let decision = decide(
        claimed: name, tracks: film.tracks, request: request, looks: eyes.looks())
      guard case .wrongTrack(let other) = decision.verdict, !tried.contains(other) else { break }
      name = other
    }
    return name
  }
}

extension SessionRequest {
  /// The cues that lie in the range with all frames at which they may be on screen.
  func judged(_ cues: [DecisionCue]) -> [DecisionCue] {
    cues.filter(isInRange).sorted { ($0.startFrame, $0.index) < ($1.startFrame, $1.index) }
  }
}
