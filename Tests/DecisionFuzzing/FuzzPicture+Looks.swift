// SPDX-License-Identifier: Apache-2.0

package import BurnInVerification

extension FuzzPicture {
  /// The four questions, answered by this picture.
  package var looks: SessionLooks {
    SessionLooks(
      look: { _, cue, frame in self.look(cue, frame) },
      pair: { cue, other, frame in self.pair(cue, other, frame) },
      under: { cue, other, frame in self.under(cue, other, frame) },
      still: { cue, frame in self.look(cue, frame).map { $0 >= 5 } })
  }

  private func look(_ cue: DecisionCue, _ frame: Int) -> Double? {
    if isVoid(frame) { return nil }
    let identity = TextIdentity(key: cue.key)
    let texts = texts(at: frame)
    if truth == .sourceTextWithReference, self.texts(at: frame, sourceOnly: true).contains(identity)
    {
      return chance.happens(0.999) ? nil : 5
    }
    if texts.contains(identity) {
      let isBeneath =
        !upperTexts.isEmpty && !upperTexts.contains(identity)
        && texts.contains(where: upperTexts.contains)
      return isBeneath ? beneath(identity) : onScreen(identity)
    }
    let twins = texts.filter { $0.isTwin(of: identity) }
    if !twins.isEmpty {
      let isTiny = twins.contains { $0.isTiny(beside: identity) }
      return once(
        Outcome(identity: identity, state: .twin),
        [(isTiny ? passShare : twinPassShare, 5), (0.2, 1), (0.25, 0), (0.25, -1.5)])
    }
    return once(
      Outcome(identity: identity, state: .off),
      [(falsePassShare, 5), (0.001, 1), (0.003, 0), (texts.isEmpty ? 0.002 : 0.02, -1.5)])
  }

  private func onScreen(_ identity: TextIdentity) -> Double {
    let missed = 1 - passShare
    return once(
      Outcome(identity: identity, state: .on),
      [(passShare, 5), (missed * 0.4, 1), (missed * 0.3, 0), (missed * 0.25, -1.5)])
  }

  private func beneath(_ identity: TextIdentity) -> Double {
    once(
      Outcome(identity: identity, state: .low), [(0.05, 5), (0.1, 1), (0.15, 0), (0.4, -1.5)])
  }

  private func pair(_ cue: DecisionCue, _ other: DecisionCue, _ frame: Int) -> Double? {
    let mine = TextIdentity(key: cue.key)
    let theirs = TextIdentity(key: other.key)
    let isClear = chance.happens(0.97)
    if mine.isTiny(beside: theirs) { return nil }
    let texts = texts(at: frame)
    let isMineShown = texts.contains(mine)
    let isTheirsShown = texts.contains(theirs)
    if isMineShown && isTheirsShown {
      if upperTexts.contains(theirs) && !upperTexts.contains(mine) {
        return chance.bell(-0.3, 0.15)
      }
      return mine.isTwin(of: theirs)
        ? chance.bell(0.4, 0.3) : min(0.6, chance.bell(0.17, 0.17))
    }
    if isMineShown != isTheirsShown {
      let size = isClear ? chance.bell(0.92, 0.1) : chance.uniform(0.2, 0.6)
      return isMineShown ? size : -size
    }
    if texts.contains(where: { $0.isTwin(of: mine) || $0.isTwin(of: theirs) }) {
      return chance.bell(0, 0.5)
    }
    return chance.bell(0, texts.isEmpty ? 0.1 : 0.3)
  }

  private func under(_ cue: DecisionCue, _ other: DecisionCue, _ frame: Int) -> Bool? {
    let theirs = TextIdentity(key: other.key)
    if TextIdentity(key: cue.key).isTwin(of: theirs) || isVoid(frame) { return nil }
    return chance.happens(texts(at: frame).contains(theirs) ? 0.61 : 0.003)
  }
}
