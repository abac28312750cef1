// SPDX-License-Identifier: Apache-2.0

extension Prober {
  struct Score {
    var g = 0.0
    var z = 0.0
    var count = 0
    var dx = 0
    var dy = 0
  }

  /// The score of the bitmap at its place, and its margin over the decoys.
  ///
  /// A decoy takes its best score over the same window as the bitmap itself. Decoys stand at every
  /// `step` columns, in four flips; those of the unflipped bitmap nearer than 0.6 line heights to
  /// its place are left out. Fewer than three decoys are replaced by 0 and +-0.05.
  func decoys(_ box: Box, line: Double, margin m: Int) -> Score {
    let reach = ground.reach
    rolls.run(tx, ty, nx, ny, left: reach, top: reach - m, margin: m)
    var length = 0.0
    for y in 0..<tx.height { length += Double(Sums.lengths(tx.row(y), ty.row(y), tx.width)) }
    let factor = 1 / (length + 1e-6)
    let shifts = 2 * m + 1
    let best = bestOverShifts(shifts)
    let (width, windowed) = (
      tx.width,
      { (flip: Int, d: Int) in
        Self.windowMaximum(best[flip], around: d, margin: m) * factor
      }
    )
    var score = Score()
    locate(shifts, margin: m, &score)
    score.g *= factor
    let lineHeight = max(6, line)
    let step = max(shifts, wholeNumber(lineHeight * 0.35))
    let excluded = max(2 * m + 1, truncated(lineHeight * 0.6))
    var scores: [Double] = []
    for flip in 0..<4 {
      for d in stride(from: 0, to: width, by: step) {
        if flip == 0 && min(d, width - d) < excluded { continue }
        scores.append(windowed(flip, d))
      }
    }
    if scores.count < 3 { scores = [0, 0.05, -0.05] }
    score.count = scores.count
    score.z = Self.margin(of: score.g, over: scores)
    return score
  }

  /// `(g - median) / max(1.4826 MAD, standard deviation, 0.012)`.
  static func margin(of g: Double, over scores: [Double]) -> Double {
    let median = Sums.median(scores)
    let mad = Sums.median(scores.map { abs($0 - median) })
    let mean = scores.reduce(0, +) / Double(scores.count)
    let variance = scores.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(scores.count)
    return (g - median) / max(1.4826 * mad, variance.squareRoot(), 0.012)
  }

  /// For each flip, the best over the vertical shifts, by roll.
  private func bestOverShifts(_ shifts: Int) -> [[Float]] {
    let scores = rolls.scores
    return (0..<4).map { flip in
      var best = [Float](repeating: -.infinity, count: scores.width)
      for v in 0..<shifts {
        let row = scores.row(flip * shifts + v)
        for d in 0..<scores.width { best[d] = max(best[d], row[d]) }
      }
      return best
    }
  }

  private static func windowMaximum(_ row: [Float], around d: Int, margin m: Int) -> Double {
    var best = -Float.infinity
    for offset in -m...m {
      let place = (d + offset) % row.count
      best = max(best, row[place < 0 ? place + row.count : place])
    }
    return Double(best)
  }

  /// The best unflipped score within the margin, and where it is.
  private func locate(_ shifts: Int, margin m: Int, _ score: inout Score) {
    var best = -Float.infinity
    let width = rolls.scores.width
    for v in 0..<shifts {
      let row = rolls.scores.row(v)
      for u in -m...m {
        let place = u % width
        let value = row[place < 0 ? place + width : place]
        if value > best {
          best = value
          (score.dx, score.dy) = (u, v - m)
        }
      }
    }
    score.g = Double(best)
  }
}
