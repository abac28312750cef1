// SPDX-License-Identifier: Apache-2.0

extension DecisionSession {
  /// The verdict of a session that saw the claimed track and no rival instead.
  func finalDecision(ends: [Int: Bool]) -> SessionDecision {
    let timing = timingTally()
    let flags = flags(timing)
    let aboutRivals = rivals.indices.flatMap { reasons(about: $0, ends: ends) }
    let aboutRange = reasonsAboutRange(timing)
    let verdict: SessionDecision.Verdict =
      if !aboutRivals.isEmpty {
        .inconclusive
      } else if !flags.isEmpty {
        .burnedBut
      } else if !aboutRange.isEmpty {
        .inconclusive
      } else if rivals.contains(where: \.isEqual) {
        .oneOfEquals
      } else {
        .verified
      }
    return decision(verdict, flags: flags, reasons: aboutRivals + aboutRange, timing: timing)
  }

  /// Puts a verdict and all that is known together.
  ///
  /// What rivals are equal or may be drawn besides is said only of sessions that came to the end.
  func decision(
    _ verdict: SessionDecision.Verdict, flags: [SessionDecision.Flag] = [],
    reasons: [DecisionReason] = [], timing: TimingTally? = nil
  ) -> SessionDecision {
    var decision = SessionDecision(verdict: verdict)
    decision.flags = flags
    decision.reasons = reasons
    decision.rivals = rivals.map { finding(about: $0, isComplete: timing != nil) }
    decision.presence = presence
    decision.usedCues = used
    decision.passedCues = passed
    decision.failedCues = failed
    decision.voidCount = unclear.count
    let frames = passed.map(\.frame)
    if let first = frames.min(), let last = frames.max() { decision.span = first...last }
    decision.timing = timing
    return decision
  }

  // MARK: Rivals

  private func finding(about rival: Rival, isComplete: Bool) -> RivalFinding {
    var finding = RivalFinding(
      track: rival.name, evidence: rival.evidence, tellingCount: rival.tellingCount,
      missingCount: rival.missing.count, seenCount: rival.seenCount)
    guard isComplete else { return finding }
    if rival.isEqual {
      let isEqualInFilm =
        claimed.cuesTelling(from: rival.schedule).isEmpty
        && rival.schedule.cuesTelling(from: claimed).isEmpty
      finding.equality = isEqualInFilm ? .film : .range
    } else if rival.mayBeBesides {
      finding.ownCuesNotExcluded = rival.ownCues.count
    }
    return finding
  }

  /// Why a rival does not count as told apart; empty if it does.
  private func reasons(about index: Int, ends: [Int: Bool]) -> [DecisionReason] {
    let rival = rivals[index]
    if rival.isEqual || rival.isShownBesides { return [] }
    var reasons: [DecisionReason] = []
    if !rival.isBeaten {
      reasons.append(.onlyCuesTell(rival: rival.name, rival.tellingCount))
    } else if rival.mayBeBesides && rival.ownCues.count >= DecisionRules.leastMissing {
      reasons.append(.onlyCuesShowNotBesides(rival: rival.name, rival.missing.count))
    } else if ends[index] != true {
      reasons.append(.notToldAtEnds(rival: rival.name))
    }
    if rival.seenCount > 0 { reasons.append(.seenWhereLacks(rival: rival.name)) }
    return reasons
  }

  // MARK: The range

  private func reasonsAboutRange(_ timing: TimingTally) -> [DecisionReason] {
    var reasons: [DecisionReason] = []
    let unseen = unseenCues
    if presence < DecisionRules.enough { reasons.append(.onlyCuesSeen(passed.count)) }
    if isMissed(unseen.head) { reasons.append(.firstCuesNotSeen(unseen.head.count)) }
    if isMissed(unseen.tail) { reasons.append(.lastCuesNotSeen(unseen.tail.count)) }
    if unseen.between.count > longestGap {
      reasons.append(.cuesInARowNotSeen(unseen.between.count))
    }
    if timing.confirmed < DecisionRules.leastTimed { reasons.append(.timesNotSeen) }
    return reasons
  }

  /// Whether a run at an end is too long, or holds a cue that could have been seen.
  private func isMissed(_ run: [DecisionCue]) -> Bool {
    run.count > longestGap || run.contains { !unclear.contains($0.index) }
  }

  // MARK: Flags

  /// Looks around the times of the cues that passed first.
  private func timingTally() -> TimingTally {
    var tally = TimingTally()
    for seen in passed.prefix(DecisionRules.timedCues) {
      let cue = seen.cue
      let before = cue.startFrame - DecisionRules.lead
      let after = cue.endFrame + 12
      if before >= request.firstFrame { tally.early.add(looks.still(cue, before)) }
      tally.late.add(looks.still(cue, cue.startFrame + 4).map(!))
      tally.cut.add(looks.still(cue, cue.endFrame - 4).map(!))
      if after < claimed.nextStart(after: cue.startFrame) ?? .max {
        tally.stuck.add(looks.still(cue, after))
      }
    }
    return tally
  }

  private func flags(_ timing: TimingTally) -> [SessionDecision.Flag] {
    var flags: [SessionDecision.Flag] = []
    if timing.late.isMajority {
      flags.append(.late)
    } else if timing.stuck.isMajority {
      flags.append(.stuck)
    }
    if timing.early.isMajority || timing.cut.isMajority { flags.append(.early) }
    flags += rivals.filter(isAlsoDrawn).map { .also($0.name) }
    if !failed.isEmpty && !passed.isEmpty { flags.append(.partial) }
    return flags
  }

  /// Whether a rival is drawn beneath or beside the claimed track.
  private func isAlsoDrawn(_ rival: Rival) -> Bool {
    if rival.seenCount > 1 { return true }
    var answers: [Bool] = []
    for seen in passed {
      for other in rival.schedule.nearby(seen.frame)
      where other.isSurelyShown(at: seen.frame) && !claimed.mayShow(key: other.key, at: seen.frame)
      {
        if answers.count == DecisionRules.timedCues { break }
        if let answer = looks.under(seen.cue, other, seen.frame) { answers.append(answer) }
      }
    }
    let yes = answers.count { $0 }
    return yes >= 2 && Double(yes) >= DecisionRules.underShare * Double(answers.count)
  }
}
