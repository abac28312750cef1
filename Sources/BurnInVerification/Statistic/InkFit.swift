// SPDX-License-Identifier: Apache-2.0

public import SubtitleModel

/// How strongly a cue is drawn, against a reference frame without it.
///
/// The frame's excess over the reference, `F - B`, is taken as `ink * a (s - 16) - occlusion *
/// a (B - 16)`: what the text adds and what it covers. Both are 1 for a cue drawn as authored; dim
/// text has less ink and full occlusion, transparent text less of both.
public struct InkFit: Sendable, Hashable {
  /// Strength of the text's own light.
  public var ink: Double
  /// Strength of its covering the ground.
  public var occlusion: Double
  /// Both in one, the strength of `a (s - B)`; it tells strength, not identity.
  public var beta: Double
  /// Share of the excess's energy that `beta` explains; it tells identity.
  public var r2: Double
  /// Standard error of `ink`, by leaving out column blocks of 0.7 line heights in turn.
  public var seInk: Double
  /// Standard error of `occlusion`.
  public var seOcclusion: Double
  /// Standard error of `beta`.
  public var seBeta: Double
  /// Sigma, in pixels, of the blur under which the layer fits best.
  public var sigma: Double
  /// The frame's luma on the bright fill over the layer's; nil without one.
  public var fill: Double?
  /// Whether the cue drawn twice at this place, `1 - (1 - a)^2`, fits better than once; nil where
  /// that cannot be told: another picture, other colours, or no pixel that is half covered.
  public var favoursTwice: Bool?
  /// Occlusion over alpha inside half-transparent areas: 1 drawn once, `2 - a` drawn twice; nil
  /// without such areas.
  public var boxOcclusion: Double?
  /// Which of the references fitted best around the text.
  public var referenceIndex: Int
  /// Root of the mean squared difference from it there, in luma steps, after the tone map.
  public var ringError: Double
}

extension Prober {
  /// Blurs that are tried, sigma in pixels.
  static let fitSigmas = [0, 0.4, 0.6, 0.8, 1.1]
  /// Pixels around the mask in which references are compared.
  static let fitRing = 40
  /// Pixels kept around the layer for the blur.
  private static let fitRoom = 6

  /// Fits a cue against reference frames.
  ///
  /// The reference with the least squared error in a ring of 40 pixels around the text is taken and
  /// its tones are mapped to the frame's. Nil if no reference has the frame's size, the layer lies
  /// outside, or has no ink.
  ///
  /// - Parameters:
  ///   - frame: The luma plane as decoded.
  ///   - layer: The cue on the frame's grid.
  ///   - references: Frames without the cue around the same time, of the same size.
  ///   - offset: Whole pixels by which the picture lies right of and below the layer.
  ///   - lineHeight: Height of a line of text in frame pixels; nil: the layer's own estimate.
  /// - Returns: The fit, nil if there is nothing to be fitted.
  public func fit(
    frame: SamplePlane, layer: CueLayer, references: [SamplePlane],
    offset: (dx: Int, dy: Int) = (0, 0), lineHeight: Double? = nil
  ) -> InkFit? {
    if layer.isOff(Canvas(width: frame.width, height: frame.height)) { return nil }
    let (x, y) = (layer.x + min(max(offset.dx, -64), 64), layer.y + min(max(offset.dy, -64), 64))
    let room = Self.fitRoom
    let (width, height) = (layer.width + 2 * room, layer.height + 2 * room)
    Self.lay(layer.alpha, layer, into: alpha, width, height, room, room, 0)
    Self.lay(layer.luma, layer, into: luma, width, height, room, room, 16)
    ground.prepare(
      frame, x: x - room, y: y - room, alpha: alpha, reach: Self.fitRing - room, growth: 3)
    guard let best = closest(frame, references, x: x - room, y: y - room) else { return nil }
    let rect = PixelRect(x: x - room, y: y - room, width: width, height: height)
    let tone = ToneMap(from: references[best], to: frame, outside: rect)
    let around = Self.fitRing - room
    Ground.cut(
      references[best], x: rect.x - around, y: rect.y - around, width: ground.seen.width,
      height: ground.seen.height, into: fitting.reference)
    tone.apply(fitting.reference)
    loadFit(around)
    let line = Self.usable(lineHeight ?? layer.lineHeight)
    var result = solve(block: max(6, truncated(line * 0.7)))
    guard result.energy > 1 else { return nil }
    result.fit.referenceIndex = best
    result.fit.ringError = ringError(fitting.reference)
    judgeColors(around, &result.fit)
    return result.fit
  }

  /// The reference with the least error outside the mask.
  private func closest(
    _ frame: SamplePlane, _ references: [SamplePlane], x: Int, y: Int
  ) -> Int? {
    var best: (index: Int, error: Double)?
    for (index, reference) in references.enumerated()
    where reference.width == frame.width && reference.height == frame.height {
      Ground.cut(
        reference, x: x - ground.reach, y: y - ground.reach, width: ground.seen.width,
        height: ground.seen.height, into: fitting.reference)
      let error = ringError(fitting.reference)
      if error < best?.error ?? .infinity { best = (index, error) }
    }
    return best?.index
  }

  private func ringError(_ reference: Plane) -> Double {
    var (sum, count) = (0.0, 0.0)
    for i in 0..<reference.count where ground.mask.base[i] == 0 {
      let difference = Double(ground.seen.base[i] - reference.base[i])
      sum += difference * difference
      count += 1
    }
    return (sum / max(1, count)).squareRoot()
  }

  /// Prepares the planes over the box: excess, ink, cover, and both drawn whole.
  private func loadFit(_ around: Int) {
    let f = fitting
    for plane in [f.excess, f.ink, f.cover, f.once, f.twice] {
      plane.reshape(alpha.width, alpha.height)
    }
    for y in 0..<alpha.height {
      let seen = ground.seen.row(y + around) + around
      let under = f.reference.row(y + around) + around
      let start = y * alpha.width
      for x in 0..<alpha.width {
        let (a, s) = (alpha.base[start + x], luma.base[start + x])
        f.excess.base[start + x] = seen[x] - under[x]
        f.ink.base[start + x] = a * (s - 16)
        f.cover.base[start + x] = a * (16 - under[x])
        f.once.base[start + x] = a * (s - under[x])
        f.twice.base[start + x] = (1 - (1 - a) * (1 - a)) * (s - under[x])
      }
    }
  }

  /// The fit at the blur that leaves the least error.
  private func solve(block: Int) -> (fit: InkFit, energy: Double) {
    var best: (fit: InkFit, energy: Double, error: Double)?
    var (onceError, twiceError) = (Double.infinity, Double.infinity)
    for sigma in Self.fitSigmas {
      let f = fitting
      f.blur(f.ink, sigma, into: f.blurredInk)
      f.blur(f.cover, sigma, into: f.blurredCover)
      let sums = f.blockSums(block)
      let one = InkSums.fit(sums, sigma: sigma)
      if one.error < best?.error ?? .infinity { best = one }
      onceError = min(onceError, f.error(of: f.once, sigma))
      twiceError = min(twiceError, f.error(of: f.twice, sigma))
    }
    guard var result = best else {
      return (InkSums.fit([], sigma: 0).fit, 0)
    }
    result.fit.favoursTwice = twiceError < onceError
    return (result.fit, result.energy)
  }

  /// Fill level, occlusion of half-transparent areas, and whether "twice" can be told at all.
  private func judgeColors(_ around: Int, _ fit: inout InkFit) {
    var (seen, own) = (Histogram.luma(), Histogram.luma())
    var (half, inside, dot, energy) = (0, 0, 0.0, 0.0)
    for y in 1..<(alpha.height - 1) {
      let a = alpha.row(y)
      for x in 1..<(alpha.width - 1) where a[x] > 0.05 {
        if a[x] < 0.95 { half += 1 }
        if a[x] > 0.95 && luma.row(y)[x] > 200 {
          seen.add(ground.seen.row(y + around)[x + around])
          own.add(luma.row(y)[x])
        }
        guard a[x] > 0.2, a[x] < 0.9, isPlain(x, y) else { continue }
        let once = Double(fitting.once.row(y)[x])
        inside += 1
        dot += once * Double(fitting.excess.row(y)[x])
        energy += once * once
      }
    }
    fit.fill = seen.count > 8 ? Double(seen.median / own.median) : nil
    fit.boxOcclusion = inside >= 50 && energy > Double(inside) * 25 ? dot / energy : nil
    // Coverage of edges tells once from twice only if everything else is as authored.
    let isAsAuthored = fit.fill.map { $0 > 0.88 && $0 < 1.12 } ?? true
    if fit.r2 < 0.5 || !isAsAuthored || half < 20 { fit.favoursTwice = nil }
  }

  /// Whether alpha is the same, within a fiftieth, on all pixels around one.
  private func isPlain(_ x: Int, _ y: Int) -> Bool {
    let middle = alpha.row(y)[x]
    for row in (y - 1)...(y + 1) {
      for column in (x - 1)...(x + 1) where abs(alpha.row(row)[column] - middle) > 0.02 {
        return false
      }
    }
    return true
  }
}
