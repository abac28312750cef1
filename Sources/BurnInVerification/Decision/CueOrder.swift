// SPDX-License-Identifier: Apache-2.0

/// In which order cues are looked at.
enum CueOrder {
  /// The cues of a track, from all parts of the timeline in turn.
  ///
  /// In each part the cues whose frames are there already come first, of these the long texts;
  /// otherwise chance decides. A part without such cues keeps its turn, so that what is fetched
  /// already never makes up a part of the film alone.
  static func spread(
    _ cues: [DecisionCue], using generator: inout SeededGenerator,
    isPreferred: (Int) -> Bool
  ) -> [DecisionCue] {
    guard let first = cues.first, let last = cues.last else { return [] }
    let length = Double(last.endFrame + 1 - first.startFrame)
    var parts = Array(repeating: [DecisionCue](), count: DecisionRules.parts)
    for cue in cues {
      let place = Double(cue.startFrame - first.startFrame) / length
      parts[min(DecisionRules.parts - 1, Int(place * Double(DecisionRules.parts)))].append(cue)
    }
    for part in parts.indices {
      generator.shuffle(&parts[part])
      let ranked = parts[part].enumerated().map { position, cue in
        (cue: cue, rank: preference(cue, isPreferred), position: position)
      }
      parts[part] = ranked.sorted { ($0.rank, $0.position) < ($1.rank, $1.position) }.map(\.cue)
    }
    return takeInTurn(DecisionRules.partOrder.map { parts[$0] })
  }

  /// Lower for cues to be looked at earlier.
  private static func preference(_ cue: DecisionCue, _ isPreferred: (Int) -> Bool) -> Int {
    (isPreferred(cue.middleFrame) ? 0 : 2) + (cue.textLength < DecisionRules.longText ? 1 : 0)
  }

  /// Cues of a rival, those next to a cue of the claimed track first, before and after it in turn.
  ///
  /// A rival that is drawn over a part of the film only is on screen beside the cues of the
  /// claimed track that passed.
  static func outward(_ cues: [TellingCue], from claimed: CueSchedule) -> [TellingCue] {
    var before: [(distance: Int, cue: TellingCue)] = []
    var after: [(distance: Int, cue: TellingCue)] = []
    for cue in cues {
      let frame = cue.frames.first ?? cue.cue.middleFrame
      let nearest = claimed.startsAround(frame)
        .map { (distance: abs($0 - frame), isPast: $0 < frame ? 1 : 0) }
        .min { ($0.distance, $0.isPast) < ($1.distance, $1.isPast) }
      if nearest?.isPast == 1 {
        after.append((nearest?.distance ?? 0, cue))
      } else {
        before.append((nearest?.distance ?? 0, cue))
      }
    }
    return takeInTurn(
      [before, after].map { side in
        side.sorted { ($0.distance, $0.cue.cue.index) < ($1.distance, $1.cue.cue.index) }
          .map(\.cue)
      })
  }

  /// The first element of each list, then the second of each, until all are taken.
  private static func takeInTurn<Element>(_ lists: [[Element]]) -> [Element] {
    let longest = lists.map(\.count).max() ?? 0
    return (0..<longest).flatMap { turn in
      lists.compactMap { turn < $0.count ? $0[turn] : nil }
    }
  }
}
