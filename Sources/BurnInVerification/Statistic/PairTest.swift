// SPDX-License-Identifier: Apache-2.0

public import SubtitleModel

/// Which of two cues a frame looks like, judged where they differ.
public struct PairMeasurement: Sendable, Hashable {
  /// About 1: the first cue's ink that the second lacks is there, and the reverse is not; about -1:
  /// the other way round; about 0: neither, or both.
  public var d: Double
  /// Pixels that only one of the two covers, with a tolerance of one pixel.
  public var exclusivePixelCount: Int

  /// The least number of exclusive pixels; below it the pair says nothing.
  public static let leastExclusivePixels = 12

  /// Makes a measurement of its numbers.
  public init(d: Double, exclusivePixelCount: Int) {
    self.d = d
    self.exclusivePixelCount = exclusivePixelCount
  }

  /// Whether the two differ in enough pixels.
  ///
  /// The pair means something only where one of them passes.
  public var isInformative: Bool { exclusivePixelCount >= Self.leastExclusivePixels }

  /// Natural log of the evidence for the first cue against the second, capped at 5 either way; 0 if
  /// the pair says nothing.
  public var evidence: Double {
    guard isInformative else { return 0 }
    if d >= 0.25 { return 5 }
    if d >= 0.12 { return 1 }
    if d > -0.12 { return 0 }
    return d > -0.25 ? -1 : -5
  }
}

/// Planes of the pair test.
final class PairPlanes {
  let (firstAlpha, firstLuma) = (Plane(), Plane())
  let (secondAlpha, secondLuma) = (Plane(), Plane())
  let (first, second) = (Plane(), Plane())
  let (only, grown, scratch) = (Mask(), Mask(), Mask())
  let (firstInk, secondInk) = (Mask(), Mask())
}

extension Prober {
  /// Search radius, ground growth and reach of the pair test, in pixels.
  private static let (pairMargin, pairGrowth, pairReach) = (1, 2, 14)
  /// The least alpha that counts as a cue's own ink.
  private static let ownInk: Float = 0.25

  /// Tells two cues apart that may be on screen at the same time.
  ///
  /// Nil if their pictures are the same, lie outside the frame, or are too large together.
  ///
  /// - Parameters:
  ///   - frame: The luma plane as decoded.
  ///   - claimed: The first cue, on the frame's grid.
  ///   - rival: The second, under the same placement.
  ///   - offset: Whole pixels by which the picture is known to lie right of and below both.
  /// - Returns: The measurement, nil if there is nothing to be told apart.
  public func pair(
    frame: SamplePlane, claimed: CueLayer, rival: CueLayer, offset: (dx: Int, dy: Int) = (0, 0)
  ) -> PairMeasurement? {
    let size = Canvas(width: frame.width, height: frame.height)
    if claimed.isOff(size) && rival.isOff(size) { return nil }
    guard let box = layUnion(claimed, rival) else { return nil }
    ground.prepare(
      frame, x: box.x + min(max(offset.dx, -64), 64), y: box.y + min(max(offset.dy, -64), 64),
      alpha: alpha, reach: Self.pairReach, growth: Self.pairGrowth)
    let exclusive = exclusiveInk()
    makeDifference(isMasked: exclusive >= PairMeasurement.leastExclusivePixels)
    var length = 0.0
    for y in 0..<tx.height { length += Double(Sums.lengths(tx.row(y), ty.row(y), tx.width)) }
    guard length >= 1e-3 else { return nil }
    Gradient.soft(ground.seen, nx, ny)
    let sums = WindowCorrelation.run(
      tx, ty, columns: 0..<tx.width, nx, ny, left: Self.pairReach, top: Self.pairReach,
      margin: Self.pairMargin)
    let (high, low) = ((sums.max() ?? 0) / length, (sums.min() ?? 0) / length)
    let extreme = abs(high) > abs(low) ? high : low
    let firstStar = star(pairing.first) / length
    let secondStar = star(pairing.second) / length
    let d = (2 * extreme - firstStar - secondStar) / max(firstStar - secondStar, 0.1)
    return PairMeasurement(d: d, exclusivePixelCount: exclusive)
  }

  /// How alike two cues' edges are: the cosine of their layers' gradients, 1 for the same picture.
  ///
  /// From 0.3 on they are near twins, of which one cannot be sought under the other.
  public func likeness(_ one: CueLayer, _ other: CueLayer) -> Double {
    guard layUnion(one, other) != nil else { return 0 }
    let p = pairing
    for (a, s, out) in [
      (p.firstAlpha, p.firstLuma, p.first), (p.secondAlpha, p.secondLuma, p.second),
    ] {
      out.reshape(a.width, a.height)
      for i in 0..<a.count { out.base[i] = a.base[i] * (s.base[i] - 100) }
    }
    Gradient.ofIsland(p.first, tx, ty)
    Gradient.ofIsland(p.second, flatX, flatY)
    var (dot, own, others) = (0.0, 0.0, 0.0)
    for (a, b) in [(tx, flatX), (ty, flatY)] {
      for y in 0..<a.height {
        dot += Double(Sums.dot(a.row(y), b.row(y), a.width))
        own += Double(Sums.dot(a.row(y), a.row(y), a.width))
        others += Double(Sums.dot(b.row(y), b.row(y), a.width))
      }
    }
    return dot / max(1e-6, (own * others).squareRoot())
  }

  /// Lays both layers into one box; `alpha` gets the greater alpha of the two.
  private func layUnion(_ one: CueLayer, _ other: CueLayer) -> PixelRect? {
    let box = one.rect.union(other.rect)
    guard !box.isEmpty, box.width <= CueLayer.maximumPixels / box.height else { return nil }
    let p = pairing
    for (layer, a, s) in [
      (one, p.firstAlpha, p.firstLuma), (other, p.secondAlpha, p.secondLuma),
    ] {
      let (left, top) = (layer.x - box.x, layer.y - box.y)
      Self.lay(layer.alpha, layer, into: a, box.width, box.height, left, top, 0)
      Self.lay(layer.luma, layer, into: s, box.width, box.height, left, top, 16)
    }
    alpha.reshape(box.width, box.height)
    for i in 0..<alpha.count {
      alpha.base[i] = max(p.firstAlpha.base[i], p.secondAlpha.base[i])
    }
    return box
  }

  /// Marks the ink of each that the other, grown by a pixel, does not cover; counts it.
  private func exclusiveInk() -> Int {
    let p = pairing
    let plus = Dilation.discHalfWidths(radius: 1)
    for (a, ink) in [(p.firstAlpha, p.firstInk), (p.secondAlpha, p.secondInk)] {
      ink.reshape(a.width, a.height)
      for i in 0..<a.count { ink.base[i] = a.base[i] > Self.ownInk ? 1 : 0 }
    }
    p.only.reshape(alpha.width, alpha.height)
    Dilation.dilate(p.secondInk, into: p.grown, halfWidths: plus, scratch: p.scratch)
    for i in 0..<p.only.count { p.only.base[i] = p.firstInk.base[i] & (1 - p.grown.base[i]) }
    Dilation.dilate(p.firstInk, into: p.grown, halfWidths: plus, scratch: p.scratch)
    var count = 0
    for i in 0..<p.only.count {
      p.only.base[i] |= p.secondInk.base[i] & (1 - p.grown.base[i])
      count += Int(p.only.base[i])
    }
    return count
  }

  /// The gradient of the difference of both pictures, kept near exclusive ink if `isMasked`.
  private func makeDifference(isMasked: Bool) {
    let p = pairing
    let reach = ground.reach
    template.reshape(alpha.width, alpha.height)
    p.first.reshape(alpha.width, alpha.height)
    p.second.reshape(alpha.width, alpha.height)
    for y in 0..<alpha.height {
      let under = ground.filled.row(y + reach) + reach
      Self.difference(
        p.firstAlpha.row(y), p.firstLuma.row(y), under, p.first.row(y), alpha.width)
      Self.difference(
        p.secondAlpha.row(y), p.secondLuma.row(y), under, p.second.row(y), alpha.width)
    }
    for i in 0..<template.count { template.base[i] = p.first.base[i] - p.second.base[i] }
    Gradient.ofIsland(template, tx, ty)
    guard isMasked else { return }
    Dilation.dilate(p.only, into: p.grown, halfWidths: [1, 1, 1], scratch: p.scratch)
    for i in 0..<tx.count where p.grown.base[i] == 0 {
      tx.base[i] = 0
      ty.base[i] = 0
    }
  }

  /// The sum that the picture of one of them would have.
  private func star(_ drawn: Plane) -> Double {
    expect(drawn, ex, ey)
    let collar = Self.collar
    var sum = 0.0
    for y in 0..<tx.height {
      let (a, b) = (ex.row(y + collar) + collar, ey.row(y + collar) + collar)
      sum += Double(Sums.dot(a, tx.row(y), tx.width) + Sums.dot(b, ty.row(y), tx.width))
    }
    return sum
  }
}
