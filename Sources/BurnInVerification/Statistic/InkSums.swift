// SPDX-License-Identifier: Apache-2.0

/// Sums of products over a block of columns, of which the fits are made.
struct InkSums {
  var (inkInk, inkCover, coverCover) = (0.0, 0.0, 0.0)
  var (inkExcess, coverExcess, excess) = (0.0, 0.0, 0.0)

  static func + (a: InkSums, b: InkSums) -> InkSums { a.combined(b, 1) }
  static func - (a: InkSums, b: InkSums) -> InkSums { a.combined(b, -1) }

  private func combined(_ b: InkSums, _ sign: Double) -> InkSums {
    var sum = self
    sum.inkInk += sign * b.inkInk
    sum.inkCover += sign * b.inkCover
    sum.coverCover += sign * b.coverCover
    sum.inkExcess += sign * b.inkExcess
    sum.coverExcess += sign * b.coverExcess
    sum.excess += sign * b.excess
    return sum
  }

  /// Energy of both drawn at equal strength.
  var whole: Double { inkInk + 2 * inkCover + coverCover }

  /// One strength for both.
  var beta: Double { (inkExcess + coverExcess) / max(whole, 1e-6) }

  /// A strength for each, steadied by a thousandth of the energies' sum.
  var strengths: (ink: Double, cover: Double) {
    let steady = 1e-3 * (inkInk + coverCover)
    let (a, b) = (inkInk + steady, coverCover + steady)
    let determinant = a * b - inkCover * inkCover
    guard determinant > 1e-12 else { return (0, 0) }
    return (
      (b * inkExcess - inkCover * coverExcess) / determinant,
      (a * coverExcess - inkCover * inkExcess) / determinant
    )
  }

  /// Squared error that strengths leave.
  func error(_ ink: Double, _ cover: Double) -> Double {
    excess - 2 * (ink * inkExcess + cover * coverExcess) + ink * ink * inkInk
      + 2 * ink * cover * inkCover + cover * cover * coverCover
  }

  /// The fit of all blocks, with standard errors by leaving out each in turn.
  static func fit(_ blocks: [InkSums], sigma: Double) -> (
    fit: InkFit, energy: Double, error: Double
  ) {
    let all = blocks.reduce(InkSums(), +)
    let both = all.strengths
    let beta = all.beta
    let left = blocks.map { all - $0 }
    let r2 = all.excess > 0 ? 1 - all.error(beta, beta) / all.excess : 0
    let fit = InkFit(
      ink: both.ink, occlusion: both.cover, beta: beta, r2: r2,
      seInk: jackknife(left.map { $0.strengths.ink }),
      seOcclusion: jackknife(left.map { $0.strengths.cover }),
      seBeta: jackknife(left.map(\.beta)), sigma: sigma, fill: nil, favoursTwice: nil,
      boxOcclusion: nil, referenceIndex: 0, ringError: 0)
    return (fit, all.whole, all.error(both.ink, both.cover))
  }

  private static func jackknife(_ values: [Double]) -> Double {
    guard values.count > 1 else { return 0 }
    let count = Double(values.count)
    let mean = values.reduce(0, +) / count
    let sum = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return ((count - 1) / count * sum).squareRoot()
  }
}

/// Planes of the fit against a reference.
final class FitPlanes {
  let reference = Plane()
  let (excess, ink, cover) = (Plane(), Plane(), Plane())
  let (once, twice) = (Plane(), Plane())
  let (blurredInk, blurredCover, scratch) = (Plane(), Plane(), Plane())
  private let (pass, line) = (Plane(), Plane())

  /// Blurs a plane; sigma 0 copies it.
  func blur(_ source: Plane, _ sigma: Double, into target: Plane) {
    guard sigma > 0 else {
      target.copy(source)
      return
    }
    let taps = GaussianTaps(sigma: sigma)
    Blur.vertical(source, into: pass, taps)
    Blur.horizontal(pass, into: target, taps, line: line)
  }

  /// Squared error of the excess against a plane drawn whole and blurred.
  func error(of plane: Plane, _ sigma: Double) -> Double {
    blur(plane, sigma, into: scratch)
    var sum = 0.0
    for i in 0..<excess.count {
      let difference = Double(excess.base[i] - scratch.base[i])
      sum += difference * difference
    }
    return sum
  }

  /// Sums over blocks of about `block` columns, at least two.
  func blockSums(_ block: Int) -> [InkSums] {
    let edges = Prober.edges(excess.width, parts: max(2, excess.width / block))
    return zip(edges, edges.dropFirst()).map { start, end in
      var sums = InkSums()
      for y in 0..<excess.height {
        let count = end - start
        let (d, i, c) = (
          excess.row(y) + start, blurredInk.row(y) + start, blurredCover.row(y) + start
        )
        sums.inkInk += Double(Sums.dot(i, i, count))
        sums.inkCover += Double(Sums.dot(i, c, count))
        sums.coverCover += Double(Sums.dot(c, c, count))
        sums.inkExcess += Double(Sums.dot(i, d, count))
        sums.coverExcess += Double(Sums.dot(c, d, count))
        sums.excess += Double(Sums.dot(d, d, count))
      }
      return sums
    }
  }
}
