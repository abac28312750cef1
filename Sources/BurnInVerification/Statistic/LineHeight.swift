// SPDX-License-Identifier: Apache-2.0

/// The height of a line of text, estimated from a layer alone.
///
/// The profile of a row is the sum of luma steps along it, `|q[x+1] - q[x]|` with `q = alpha (luma
/// - 100)`: strokes make it high, a plain box or a gap between lines low. Runs of rows above three
/// tenths of the greatest profile are bodies of lines; runs less than half as tall as the tallest
/// are accents or parts of one and are dropped. With two bodies or more the line height is the
/// median distance of their middles. With one it is 1.15 times the rows from the first to the last
/// above 0.08 of the greatest profile (ascenders, descenders and outline, to which the spacing is
/// added). It is held between 6 pixels and the layer's own height.
///
/// The statistic uses it for steps of decoys and cells of coverage, for which 20 % more or less is
/// the same.
enum LineHeight {
  static func estimate(
    alpha: [Float], luma: [Float], width: Int, height: Int, padding: Int
  ) -> Double {
    let profile = profile(alpha, luma, width, height)
    let most = profile.max() ?? 0
    let ceiling = Double(max(6, height - 2 * padding))
    guard most > 0 else { return ceiling }
    var middles: [(middle: Double, length: Int)] = []
    var start: Int?
    for y in 0...height {
      let isBody = y < height && profile[y] > 0.3 * most
      if isBody, start == nil { start = y }
      if !isBody, let first = start {
        middles.append((Double(first + y) / 2, y - first))
        start = nil
      }
    }
    let tallest = middles.map(\.length).max() ?? 0
    let bodies = middles.filter { 2 * $0.length >= tallest }
    let steps = zip(bodies, bodies.dropFirst()).map { $1.middle - $0.middle }
    let estimate: Double
    if steps.isEmpty {
      let ink = profile.indices.filter { profile[$0] > 0.08 * most }
      estimate = 1.15 * Double((ink.last ?? 0) - (ink.first ?? 0) + 1)
    } else {
      estimate = Sums.median(steps)
    }
    return min(max(6, estimate), ceiling)
  }

  private static func profile(
    _ alpha: [Float], _ luma: [Float], _ width: Int, _ height: Int
  ) -> [Float] {
    (0..<height).map { y in
      var sum: Float = 0
      var previous: Float = 0
      for index in (y * width)..<((y + 1) * width) {
        let q = alpha[index] * (luma[index] - 100)
        sum += abs(q - previous)
        previous = q
      }
      return sum
    }
  }
}
