// SPDX-License-Identifier: Apache-2.0

extension DecisionSession {
  /// Weighs a sighting of the claimed track's cue against one rival, at the frame of the sighting.
  ///
  /// A cue counts once for each rival, and only where the rival cannot show the same bitmap.
  mutating func weigh(_ cue: DecisionCue, _ sighting: Sighting, against index: Int) {
    let rival = rivals[index]
    if rival.told.contains(cue.index) { return }
    let others = rival.schedule.nearby(sighting.frame)
    if others.contains(where: { $0.key == cue.key }) { return }
    if sighting.passes {
      weighPass(cue, at: sighting.frame, others: others, for: index)
    } else {
      weighFailure(cue, at: sighting.frame, others: others, against: index)
    }
  }

  /// A cue that passed speaks for the claimed track as far as it differs from the rival's cues.
  private mutating func weighPass(
    _ cue: DecisionCue, at frame: Int, others: [DecisionCue], for index: Int
  ) {
    var pairs: [Double] = []
    for other in others {
      guard let value = looks.pair(cue, other, frame), !value.isNaN else {
        rivals[index].noteFirst(.nothingVisible, of: .claimed(cue.index))
        return
      }
      pairs.append(value)
    }
    let least = pairs.min()
    let speaks = least.map { $0 >= DecisionRules.pairTells } ?? true
    rivals[index].told.insert(cue.index)
    rivals[index].testimony[.claimed(cue.index)] = speaks ? .forClaimed : .notForClaimed
    rivals[index].evidence += least.map(DecisionRules.evidence(ofPair:)) ?? DecisionRules.pass
    for (other, value) in zip(others, pairs)
    where value >= DecisionRules.pairExcludes && other.isSurelyShown(at: frame) {
      rivals[index].missing.insert(other.index)
    }
  }

  /// A cue that failed speaks against the claimed track if a cue of the rival passes there.
  private mutating func weighFailure(
    _ cue: DecisionCue, at frame: Int, others: [DecisionCue], against index: Int
  ) {
    rivals[index].testimony[.claimed(cue.index)] = .notForClaimed
    if rivals[index].heldAgainst.contains(cue.index) { return }
    let name = rivals[index].name
    let pairs =
      others
      .filter { (looks.look(name, $0, frame) ?? 0) >= DecisionRules.pass }
      .compactMap { looks.pair(cue, $0, frame) }
    guard let least = pairs.min() else { return }
    rivals[index].heldAgainst.insert(cue.index)
    rivals[index].evidence += min(0, DecisionRules.evidence(ofPair: least))
  }

  /// Looks at a frame where the claimed track shows nothing, or less than a rival does, for
  /// everything that it lacks: all rivals' free cues there, not one rival's alone.
  mutating func lookForAbsence(at frame: Int) {
    for index in rivals.indices {
      for free in rivals[index].freeCues where isFree(free, at: frame) {
        if rivals[index].triedFree.insert(free.cue.index).inserted { lookFor(free, of: index) }
      }
    }
  }

  private func isFree(_ free: TellingCue, at frame: Int) -> Bool {
    free.frames.contains(frame)
      || (free.cue.startFrame..<free.cue.endFrame).contains(frame)
        && free.cue.isSurelyShown(at: frame)
  }

  /// Looks for one free cue of a rival.
  private mutating func lookFor(_ free: TellingCue, of index: Int) {
    let witness = Rival.Witness.own(free.cue.index)
    guard let sighting = bestLook(rivals[index].name, free.cue, at: free.frames) else {
      rivals[index].testimony[witness] = .nothingVisible
      return
    }
    rivals[index].testimony[witness] = sighting.isAbsent ? .forClaimed : .notForClaimed
    if sighting.passes {
      rivals[index].evidence -= DecisionRules.pass
      rivals[index].seenCount += 1
    } else if sighting.isAbsent {
      rivals[index].evidence += DecisionRules.pass
      // Beneath a text of the claimed track it may only be hidden.
      if claimed.isIdle(at: sighting.frame) { rivals[index].missing.insert(free.cue.index) }
    }
  }

  /// Takes one more look for the rival with the least evidence that has one left.
  ///
  /// - Returns: Whether there was one.
  mutating func lookAtWeakestRival() -> Bool {
    let open = rivals.indices.filter { rivals[$0].isOpen }
    for index in open.sorted(by: { (rivals[$0].evidence, $0) < (rivals[$1].evidence, $1) })
    where lookOnceMore(at: index) {
      return true
    }
    return false
  }

  /// One more look that can tell the claimed track from a rival: free cues, then telling ones.
  private mutating func lookOnceMore(at index: Int) -> Bool {
    let rival = rivals[index]
    let free = rival.freeCues.lazy.filter { !rival.triedFree.contains($0.cue.index) }
    let telling = rival.tellingCues.lazy.filter { !rival.triedTelling.contains($0.cue.index) }
    if let cue = free.first(where: isPreferred) {
      lookForAbsence(at: firstFrame(of: cue))
    } else if let cue = telling.first(where: isPreferred) {
      ask(cue, for: index)
    } else if let cue = free.first {
      lookForAbsence(at: firstFrame(of: cue))
    } else if let cue = telling.first {
      ask(cue, for: index)
    } else {
      return false
    }
    return true
  }

  private mutating func ask(_ telling: TellingCue, for index: Int) {
    rivals[index].triedTelling.insert(telling.cue.index)
    observe(telling.cue, at: telling.frames)
  }

  private func isPreferred(_ cue: TellingCue) -> Bool {
    cue.frames.contains(where: request.isPreferred)
  }

  private func firstFrame(of cue: TellingCue) -> Int {
    cue.frames.first(where: request.isPreferred) ?? cue.frames.first ?? cue.cue.middleFrame
  }
}
