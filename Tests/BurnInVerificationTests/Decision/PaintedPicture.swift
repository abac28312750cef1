// SPDX-License-Identifier: Apache-2.0

import BurnInVerification

/// A picture whose looks are perfect: what is drawn passes, what is not is absent.
final class PaintedPicture {
  var drawn: [DecisionCue]
  var range: Range<Int>
  /// Frames that never came.
  var missingFrames: [Range<Int>] = []
  /// Keys whose looks neither pass nor fail when they are on screen.
  var doubtfulKeys: Set<Int> = []
  /// Keys whose bitmaps differ in too few pixels.
  var alikeKeys: Set<Set<Int>> = []
  /// Keys whose bitmaps differ, but little.
  var twinKeys: Set<Set<Int>> = []
  /// Every question, in the order asked.
  private(set) var questions: [String] = []
  /// The frames looked at.
  private(set) var framesAsked: Set<Int> = []

  init(drawn: [DecisionCue], range: Range<Int> = 0..<1_000_000) {
    self.drawn = drawn
    self.range = range
  }

  var looks: SessionLooks {
    SessionLooks(
      look: { track, cue, frame in
        self.questions.append("\(track) \(cue.index) \(frame)")
        self.framesAsked.insert(frame)
        if self.isVoid(frame) { return nil }
        guard self.shows(cue.key, frame) else { return -4 }
        return self.doubtfulKeys.contains(cue.key) ? 0 : 5
      },
      pair: { cue, other, frame in self.pair(cue, other, frame) },
      under: { cue, other, frame in
        if self.isVoid(frame) || self.twinKeys.contains([cue.key, other.key]) { return nil }
        return self.shows(other.key, frame)
      },
      still: { cue, frame in self.isVoid(frame) ? nil : self.shows(cue.key, frame) })
  }

  private func pair(_ cue: DecisionCue, _ other: DecisionCue, _ frame: Int) -> Double? {
    if alikeKeys.contains([cue.key, other.key]) { return nil }
    switch (shows(cue.key, frame), shows(other.key, frame)) {
    case (true, true): return 0.3
    case (true, false): return 0.95
    case (false, true): return -0.95
    case (false, false): return 0
    }
  }

  private func isVoid(_ frame: Int) -> Bool {
    !range.contains(frame) || missingFrames.contains { $0.contains(frame) }
  }

  private func shows(_ key: Int, _ frame: Int) -> Bool {
    drawn.contains { $0.key == key && $0.startFrame <= frame && frame < $0.endFrame }
  }
}

/// Cues of 40 frames, one every 72 frames from frame 60 on, with keys from `firstKey` on.
func track(firstKey: Int, count: Int = 30, delay: Int = 0) -> [DecisionCue] {
  (0..<count).map { number in
    let start = 60 + 72 * number + delay
    return DecisionCue(
      index: number, startFrame: start, endFrame: start + 40, key: firstKey + number,
      textLength: 20)
  }
}

extension [DecisionCue] {
  /// The cues drawn earlier or later, or kept longer.
  func moved(by delay: Int, kept: Int = 0) -> [DecisionCue] {
    map { cue in
      var cue = cue
      cue.startFrame += delay
      cue.endFrame += delay + kept
      return cue
    }
  }

  /// The cues with another bitmap at some positions.
  func revised(at positions: Range<Int>, firstKey: Int) -> [DecisionCue] {
    enumerated().map { position, cue in
      var cue = cue
      if positions.contains(position) { cue.key = firstKey + position }
      return cue
    }
  }
}
