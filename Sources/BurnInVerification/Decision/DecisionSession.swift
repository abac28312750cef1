// SPDX-License-Identifier: Apache-2.0

/// One session: which looks are asked for, and what they say so far.
///
/// The steps follow each other in `run()`: is the claimed track on screen at all, is it a rival
/// instead or besides, is it there from end to end, do its times hold, does something lie beneath.
struct DecisionSession {
  /// The best look at one cue.
  struct Sighting {
    let evidence: Double
    let frame: Int
    /// Whether another look at the same cue said that it is absent.
    var isContested = false

    var passes: Bool { evidence >= DecisionRules.pass }
    var isAbsent: Bool { evidence <= DecisionRules.absent }
  }

  let claimedName: String
  let claimed: CueSchedule
  let looks: SessionLooks
  let request: SessionRequest
  /// Cues of the claimed track in the range, in order of time.
  let expected: [DecisionCue]
  /// The same cues in the order in which they are looked at.
  let order: [DecisionCue]
  /// The longest run of cues that may go unseen.
  let longestGap: Int

  var rivals: [Rival]
  /// Evidence that the claimed track is on screen.
  var presence = 0.0
  var passed: [SessionDecision.SeenCue] = []
  var failed: [SessionDecision.SeenCue] = []
  /// Cues of the claimed track at which nothing could be seen, by index.
  var unclear: Set<Int> = []
  /// Cues of the claimed track that passed at one frame and were absent at another, by index.
  var contested: Set<Int> = []
  /// Cues of the claimed track looked at, by index.
  var lookedAt: Set<Int> = []
  var used = 0

  init(
    claimed name: String, tracks: [String: [DecisionCue]], request: SessionRequest,
    looks: SessionLooks
  ) {
    let claimed = CueSchedule(tracks[name, default: []])
    let expected = claimed.cues.filter(request.isInRange)
    var generator = SeededGenerator(seed: request.seed)
    let order = CueOrder.spread(expected, using: &generator, isPreferred: request.isPreferred)
    let rank = Dictionary(
      order.enumerated().map { ($0.element.index, $0.offset) },
      uniquingKeysWith: { first, _ in first })
    claimedName = name
    self.claimed = claimed
    self.looks = looks
    self.request = request
    self.expected = expected
    self.order = order
    longestGap = max(1, expected.count / 3)
    rivals = tracks.keys.filter { $0 != name }.sorted().map { rival in
      Rival(
        name: rival, schedule: CueSchedule(tracks[rival, default: []]), claimed: claimed,
        rank: rank, isIncluded: request.isInRange)
    }
  }

  /// Runs all steps until the answer is found.
  mutating func run() -> SessionDecision {
    lookForClaimedTrack()
    if let rival = contradictingRival { return decision(.wrongTrack(rival)) }
    if passed.count < DecisionRules.leastPasses {
      if presence <= -DecisionRules.enough { return decision(.notBurned) }
      return decision(.inconclusive, reasons: [.onlyCuesSeen(passed.count)])
    }
    if presence <= 0 {
      return decision(.inconclusive, reasons: [.onlyCuesSeen(passed.count)])
    }
    lookAtRivalsAndGaps()
    let ends = askAtEnds()
    if let rival = contradictingRival { return decision(.wrongTrack(rival)) }
    return finalDecision(ends: ends)
  }

  /// Whether looks are left and nothing is decided against the claimed track.
  var isGoing: Bool {
    used < request.maximumCues && presence > -DecisionRules.enough
      && rivals.allSatisfy { $0.evidence > -DecisionRules.enough || $0.isShownBesides }
  }

  /// The rival that the picture shows instead of the claimed track, if there is one.
  var contradictingRival: String? {
    let worst = rivals.filter { !$0.isShownBesides }
      .min { ($0.evidence, $0.name) < ($1.evidence, $1.name) }
    guard let worst, worst.evidence <= -DecisionRules.enough else { return nil }
    return worst.name
  }

  /// Looks at cues of the claimed track until it is shown to be on screen, or not to be.
  private mutating func lookForClaimedTrack() {
    for cue in order {
      let isShown =
        presence >= DecisionRules.enough && passed.count >= DecisionRules.leastPasses
      if isShown || !isGoing { return }
      used += 1
      observe(cue, at: cue.lookFrames)
    }
  }

  /// Looks on until every rival is beaten and the claimed track is seen from end to end.
  private mutating func lookAtRivalsAndGaps() {
    while isGoing {
      used += 1
      if !lookAtWeakestRival(), !lookIntoGap() { return }
    }
  }

  // MARK: Looking

  /// The frames of a look, those that are there already first.
  func preferredFirst(_ frames: [Int]) -> [Int] {
    frames.filter(request.isPreferred) + frames.filter { !request.isPreferred($0) }
  }

  /// The best of several looks at a cue; the first that leaves no doubt ends the search.
  func bestLook(_ track: String, _ cue: DecisionCue, at frames: [Int]) -> Sighting? {
    var best: Sighting?
    var wasAbsent = false
    for frame in preferredFirst(frames) {
      guard let evidence = looks.look(track, cue, frame), !evidence.isNaN else { continue }
      if evidence <= DecisionRules.absent { wasAbsent = true }
      if evidence > best?.evidence ?? -.infinity {
        best = Sighting(evidence: evidence, frame: frame)
      }
      if evidence > DecisionRules.doubtful { break }
    }
    best?.isContested = wasAbsent
    return best
  }

  /// Looks at a cue of the claimed track, at the given frames first, and weighs what it says.
  mutating func observe(_ cue: DecisionCue, at frames: [Int]) {
    var sighting = bestLook(claimedName, cue, at: frames)
    if lookedAt.insert(cue.index).inserted {
      if sighting?.passes != true {
        let others = cue.lookFrames.filter { !frames.contains($0) }
        let second = bestLook(claimedName, cue, at: others)
        let wasAbsent = sighting?.isContested == true || second?.isContested == true
        if let second, second.evidence > sighting?.evidence ?? -.infinity { sighting = second }
        sighting?.isContested = wasAbsent
      }
      count(cue, sighting)
    }
    for rival in rivals.indices {
      if let sighting {
        weigh(cue, sighting, against: rival)
      } else {
        rivals[rival].noteFirst(.nothingVisible, of: .claimed(cue.index))
      }
    }
  }

  /// Counts the first sighting of a cue of the claimed track.
  private mutating func count(_ cue: DecisionCue, _ sighting: Sighting?) {
    guard let sighting else {
      unclear.insert(cue.index)
      return
    }
    presence += sighting.evidence
    let seen = SessionDecision.SeenCue(cue: cue, frame: sighting.frame)
    if sighting.passes { passed.append(seen) }
    if sighting.passes && sighting.isContested { contested.insert(cue.index) }
    if sighting.isAbsent { failed.append(seen) }
  }
}
