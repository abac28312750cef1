// SPDX-License-Identifier: Apache-2.0
internal import SubtitleModel

/// Which stretches of a film a verification looks at first.
enum WindowPlanner {
  /// Films up to this length are fetched in one piece.
  static let wholeFilm = Timestamp(milliseconds: 75_000)
  /// Cues that a stretch should hold, and the longest that it may be for them.
  static let cuesAWindow = 3
  static let longestWindow = Timestamp(milliseconds: 20_000)

  /// Chooses stretches around cues of the asked track, the first and the last among them.
  ///
  /// - Parameters:
  ///   - cues: Times of the cues that can be judged, in order of start.
  ///   - count: Stretches wanted, 2 or more; some of the most that may be fetched are kept back for
  ///     questions that come up.
  /// - Returns: Stretches in order of time; one of all if the cues lie close together.
  static func stretches(cues: [Range<Timestamp>], count: Int) -> [ClosedRange<Timestamp>] {
    guard let first = cues.first, let last = cues.last else { return [] }
    let lead = Timestamp(milliseconds: 400)
    if last.upperBound - first.lowerBound <= wholeFilm {
      return [(first.lowerBound - lead)...(last.upperBound + lead + lead)]
    }
    var result: [ClosedRange<Timestamp>] = []
    for part in 0..<count {
      // The last stretch ends with the last cue, the others begin with a cue.
      let isLast = part == count - 1
      let start = (cues.count - 1) * part / max(1, count - 1)
      var chosen = [isLast ? cues.count - 1 : start]
      while chosen.count < cuesAWindow {
        let next = isLast ? chosen[chosen.count - 1] - 1 : chosen[chosen.count - 1] + 1
        guard cues.indices.contains(next) else { break }
        let low = min(cues[next].lowerBound, cues[chosen[0]].lowerBound)
        let high = max(cues[next].upperBound, cues[chosen[0]].upperBound)
        guard high - low <= longestWindow else { break }
        chosen.append(next)
      }
      let low = chosen.map { cues[$0].lowerBound }.min() ?? first.lowerBound
      // A cue without an end must not make the stretch endless.
      let high = chosen.map { min(cues[$0].upperBound, cues[$0].lowerBound + longestWindow) }.max()
      result.append((low - lead)...max(low, (high ?? low) + lead + lead))
    }
    return result
  }
}
