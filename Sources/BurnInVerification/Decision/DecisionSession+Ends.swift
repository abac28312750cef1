// SPDX-License-Identifier: Apache-2.0

/// Runs of cues of the claimed track without a pass.
struct UnseenCues {
  /// Before the first pass.
  var head: [DecisionCue] = []
  /// After the last pass.
  var tail: [DecisionCue] = []
  /// The longest between two passes.
  var between: [DecisionCue] = []

  init(_ expected: [DecisionCue], passed: Set<Int>) {
    var runs: [[DecisionCue]] = [[]]
    for cue in expected {
      if passed.contains(cue.index) {
        runs.append([])
      } else {
        runs[runs.count - 1].append(cue)
      }
    }
    head = runs[0]
    guard runs.count > 1 else { return }
    tail = runs[runs.count - 1]
    for run in runs[1..<runs.count - 1] where run.count > between.count { between = run }
  }
}

extension DecisionSession {
  /// The runs without a pass as they stand.
  ///
  /// At the ends a pass counts only if no other look at the cue said that it is absent: there a single
  /// chance pass would hide that the burn stops.
  var unseenCues: UnseenCues {
    let passed = Set(passed.map(\.cue.index))
    var unseen = UnseenCues(expected, passed: passed)
    guard !contested.isEmpty else { return unseen }
    let certain = UnseenCues(expected, passed: passed.subtracting(contested))
    unseen.head = certain.head
    unseen.tail = certain.tail
    return unseen
  }

  /// Looks at one more cue where the claimed track has not been seen.
  ///
  /// These are the cues up to the first and from the last that can be seen, and the middle of a
  /// long run between.
  ///
  /// - Returns: Whether there was one.
  mutating func lookIntoGap() -> Bool {
    let unseen = unseenCues
    let isNew = { [lookedAt] (cue: DecisionCue) in !lookedAt.contains(cue.index) }
    let next: DecisionCue?
    if let cue = unseen.head.first(where: isNew) {
      next = cue
    } else if let cue = unseen.tail.last(where: isNew) {
      next = cue
    } else if unseen.between.count > longestGap {
      next = centralCue(unseen.between.filter(isNew))
    } else {
      next = nil
    }
    guard let next else { return false }
    observe(next, at: next.lookFrames)
    return true
  }

  /// A cue of the inner half of a run, one whose frames are there already if there is one.
  private func centralCue(_ run: [DecisionCue]) -> DecisionCue? {
    guard !run.isEmpty else { return nil }
    let middle = run.count / 2
    let inner = run.indices.filter { 4 * abs($0 - middle) <= run.count }
    let choice = inner.min { first, second in
      rank(run[first], abs(first - middle)) < rank(run[second], abs(second - middle))
    }
    return run[choice ?? middle]
  }

  private func rank(_ cue: DecisionCue, _ distance: Int) -> (Int, Int) {
    (request.isPreferred(cue.middleFrame) ? 0 : 1, distance)
  }

  /// Asks, for each beaten rival, the first and the last visible cue that can tell it.
  ///
  /// Without this a burn that stops in the middle, or old segments of a near twin at one end, is
  /// verified from the part in which it is right. Two rounds, since a look for one rival may beat
  /// another.
  ///
  /// - Returns: Whether both ends spoke for the claimed track or could not be seen, by rival;
  ///   rivals that are not beaten are left out.
  mutating func askAtEnds() -> [Int: Bool] {
    var agrees: [Int: Bool] = [:]
    for index in Array(rivals.indices) + Array(rivals.indices)
    where rivals[index].isBeaten && agrees[index] == nil {
      let appointments = rivals[index].appointments
      let first = firstTestimony(of: appointments, for: index)
      let last = firstTestimony(of: appointments.reversed(), for: index)
      agrees[index] = first != .notForClaimed && last != .notForClaimed
    }
    return agrees
  }

  /// The testimony of the first witness that can see anything; looks where need be.
  private mutating func firstTestimony(
    of appointments: [Rival.Appointment], for index: Int
  ) -> Rival.Testimony {
    for appointment in appointments {
      let witness = appointment.witness
      if rivals[index].testimony[witness] == nil {
        if used >= request.maximumCues { return .notForClaimed }
        used += 1
        hear(appointment)
        rivals[index].noteFirst(.notForClaimed, of: witness)
      }
      let testimony = rivals[index].testimony[witness] ?? .notForClaimed
      if testimony != .nothingVisible { return testimony }
    }
    return .nothingVisible
  }

  private mutating func hear(_ appointment: Rival.Appointment) {
    let cue = appointment.cue
    switch appointment.witness {
    case .claimed: observe(cue.cue, at: cue.frames)
    case .own: lookForAbsence(at: cue.frames.first ?? cue.cue.middleFrame)
    }
  }
}
