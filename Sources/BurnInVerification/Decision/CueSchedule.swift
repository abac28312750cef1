// SPDX-License-Identifier: Apache-2.0

/// The cues of one track in order of time, with quick answers to what may be on screen when.
struct CueSchedule {
  let cues: [DecisionCue]
  private let starts: [Int]
  /// For each cue the latest end among it and all before it.
  private let latestEnds: [Int]
  private let cuesByKey: [Int: [DecisionCue]]

  init(_ cues: [DecisionCue]) {
    let sorted = cues.sorted { ($0.startFrame, $0.index) < ($1.startFrame, $1.index) }
    var latest = Int.min
    self.cues = sorted
    starts = sorted.map(\.startFrame)
    latestEnds = sorted.map { cue in
      latest = max(latest, cue.endFrame)
      return latest
    }
    cuesByKey = Dictionary(grouping: sorted, by: \.key)
  }

  /// The cues that may be on screen at a frame.
  func nearby(_ frame: Int) -> [DecisionCue] {
    let lower = latestEnds.firstIndex(above: frame - DecisionRules.tail)
    let upper = starts.firstIndex(above: frame + DecisionRules.lead)
    guard lower < upper else { return [] }
    return cues[lower..<upper].filter { frame < $0.endFrame + DecisionRules.tail }
  }

  /// Whether no cue may be on screen at a frame.
  func isIdle(at frame: Int) -> Bool {
    let upper = starts.firstIndex(above: frame + DecisionRules.lead)
    return upper == 0 || latestEnds[upper - 1] + DecisionRules.tail <= frame
  }

  /// Whether a cue with this key may be on screen at a frame.
  func mayShow(key: Int, at frame: Int) -> Bool {
    cuesByKey[key, default: []].contains { $0.mayBeShown(at: frame) }
  }

  /// The first start after a frame.
  func nextStart(after frame: Int) -> Int? {
    let next = starts.firstIndex(above: frame)
    return next < starts.count ? starts[next] : nil
  }

  /// The cues whose start lies next to a frame: the last at or before it and the one that follows.
  func startsAround(_ frame: Int) -> ArraySlice<Int> {
    let lower = max(0, starts.firstIndex(above: frame) - 1)
    return starts[lower..<min(lower + 2, starts.count)]
  }

  /// The cues that another track cannot show at some of their frames, with those frames.
  func cuesTelling(
    from other: CueSchedule, where isIncluded: (DecisionCue) -> Bool = { _ in true }
  ) -> [TellingCue] {
    cues.compactMap { cue in
      guard isIncluded(cue) else { return nil }
      let frames = cue.lookFrames.filter { !other.mayShow(key: cue.key, at: $0) }
      return frames.isEmpty ? nil : TellingCue(cue: cue, frames: frames)
    }
  }

  /// Whether another track shows all that this one may show at a frame, which may be nothing.
  ///
  /// Then a further cue of the other track stands for itself there: it can be looked for alone.
  func isCovered(by other: CueSchedule, at frame: Int) -> Bool {
    if isIdle(at: frame) { return true }
    let others = other.nearby(frame)
    return nearby(frame).allSatisfy { cue in others.contains { $0.key == cue.key } }
  }
}

extension Array where Element == Int {
  /// The position of the first element of a sorted array that is greater than a value.
  fileprivate func firstIndex(above value: Int) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle] <= value { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
