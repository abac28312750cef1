// SPDX-License-Identifier: Apache-2.0

public import SubtitleModel

/// Measures what frames say about cues.
///
/// It keeps its working memory from one measurement to the next and is not `Sendable`: make one for
/// each task.
///
/// The statistic in short. A layer's bitmap `x = alpha (luma - B)` over an estimated ground B has a
/// gradient T; the frame's gradient, divided by its length plus 8 luma steps, is N. The score `g`
/// is the sum of N.T over the sum of |T|, at its best within a few pixels; `gStar` is the same for
/// the bitmap drawn on B and blurred a little. `z` compares `g` with the scores of decoys: the
/// bitmap rolled along the rows and flipped, which has the same ink, strokes, lines and place.
///
/// The box is widened, evenly to both sides, to the next width that the transform is fast at, with
/// the frame's own picture there; rolls are cyclic in that wider box.
public final class Prober {
  /// Pixels looked at around the grown ink's search margin.
  static let ring = 10
  /// The largest search margin, in pixels; callers' larger ones are cut to it.
  public static let maximumMargin = 16

  let ground = Ground()
  let alpha = Plane()
  let luma = Plane()
  /// alpha (luma - B).
  let template = Plane()
  let (tx, ty) = (Plane(), Plane())
  let (flatX, flatY) = (Plane(), Plane())
  /// The frame's soft gradient, around the box by the ground's reach.
  let (nx, ny) = (Plane(), Plane())
  /// The expected picture's soft gradient, around the box by `collar`.
  let (ex, ey) = (Plane(), Plane())
  let rolls = RollCorrelation()
  private let composite = Plane()
  private let pass = Plane()
  private let line = Plane()
  private let excess = Plane()
  private let (gx, gy) = (Plane(), Plane())
  private let halfPixel = GaussianTaps(sigma: 0.5)
  let pairing = PairPlanes()
  let search = FrameSearch()
  let fitting = FitPlanes()

  /// Rows and columns of the expected picture kept around the box.
  static let collar = 4

  /// Makes a prober with empty working memory.
  public init() {}

  /// The search margin for a frame: 2 pixels at 240 lines, 3 at 480, 4 at 720.
  ///
  /// - Parameter frameHeight: Rows of the frame.
  /// - Returns: Pixels to every side.
  public static func margin(frameHeight: Int) -> Int {
    frameHeight <= 300 ? 2 : frameHeight < 700 ? 3 : 4
  }

  /// Measures one cue in one frame.
  ///
  /// - Parameters:
  ///   - frame: The luma plane as decoded.
  ///   - layer: The cue on the frame's grid.
  ///   - lineHeight: Height of a line of text in frame pixels; nil: the layer's own estimate.
  ///   - margin: Pixels to every side within which the best score is taken; nil: by the frame's
  ///     height.
  /// - Returns: The measurement; `Measurement.off` if the layer lies outside the frame.
  public func measure(
    frame: SamplePlane, layer: CueLayer, lineHeight: Double? = nil, margin: Int? = nil
  ) -> Measurement {
    if layer.isOff(Canvas(width: frame.width, height: frame.height)) { return .off }
    let line = Self.usable(lineHeight ?? layer.lineHeight)
    let m = min(max(margin ?? Self.margin(frameHeight: frame.height), 0), Self.maximumMargin)
    let left = load(layer)
    ground.prepare(
      frame, x: layer.x - left, y: layer.y, alpha: alpha, reach: Self.ring + m, growth: m + 1)
    let box = Box(left: left, width: layer.width)
    makeTemplate(box)
    makeExpected()
    let gStar = expectedScore()
    let score = decoys(box, line: line, margin: m)
    var result = Measurement.off
    result.isOff = false
    result.g = score.g
    result.gStar = gStar
    result.z = score.z
    result.decoyCount = score.count
    result.eta = score.g / max(gStar, 0.15)
    result.u = min(result.eta / Measurement.Threshold.eta, result.z / Measurement.Threshold.z)
    (result.dx, result.dy) = (score.dx, score.dy)
    cover(box, line, &result)
    result.gain = edgeGain(result.dx, result.dy)
    levels(box, &result)
    return result
  }

  /// Where the layer's own columns lie in the widened box.
  struct Box {
    let left: Int
    let width: Int
  }

  /// A line height that the formulas can take.
  static func usable(_ lineHeight: Double) -> Double {
    lineHeight.isFinite ? min(max(lineHeight, 1), 1e4) : 6
  }

  /// Lays the layer's planes into a box of good width; returns the columns before it.
  private func load(_ layer: CueLayer) -> Int {
    let wide = RowTransform.goodLength(layer.width)
    let left = (wide - layer.width) / 2
    Self.lay(layer.alpha, layer, into: alpha, wide, layer.height, left, 0, 0)
    Self.lay(layer.luma, layer, into: luma, wide, layer.height, left, 0, 16)
    return left
  }

  /// Lays samples of a layer's size into a plane filled with a value.
  static func lay(
    _ samples: [Float], _ layer: CueLayer, into target: Plane, _ width: Int, _ height: Int,
    _ left: Int, _ top: Int, _ rest: Float
  ) {
    target.reshape(width, height)
    target.fill(rest)
    samples.withUnsafeBufferPointer { samples in
      guard let base = samples.baseAddress else { return }
      for y in 0..<layer.height {
        (target.row(top + y) + left).update(from: base + y * layer.width, count: layer.width)
      }
    }
  }

  private func makeTemplate(_ box: Box) {
    template.reshape(alpha.width, alpha.height)
    let reach = ground.reach
    var counts = Histogram.luma()
    for y in 0..<alpha.height {
      let under = ground.filled.row(y + reach) + reach
      counts.add(under + box.left, box.width)
      Self.difference(alpha.row(y), luma.row(y), under, template.row(y), alpha.width)
    }
    Gradient.ofIsland(template, tx, ty)
    let flat = counts.median
    excess.reshape(alpha.width, alpha.height)
    for i in 0..<alpha.count { excess.base[i] = alpha.base[i] * (luma.base[i] - flat) }
    Gradient.ofIsland(excess, flatX, flatY)
    Gradient.soft(ground.seen, nx, ny)
  }

  static func difference(
    _ alpha: UnsafePointer<Float>, _ luma: UnsafePointer<Float>, _ under: UnsafePointer<Float>,
    _ out: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    for x in 0..<count { out[x] = alpha[x] * (luma[x] - under[x]) }
  }

  private func makeExpected() { expect(template, ex, ey) }

  /// The soft gradient of the ground with `drawn` added over the box, blurred by half a pixel.
  func expect(_ drawn: Plane, _ outX: Plane, _ outY: Plane) {
    let collar = Self.collar
    let start = ground.reach - collar
    composite.reshape(drawn.width + 2 * collar, drawn.height + 2 * collar)
    for y in 0..<composite.height {
      let row = composite.row(y)
      row.update(from: ground.filled.row(start + y) + start, count: composite.width)
      if y >= collar && y < collar + drawn.height {
        Self.add(drawn.row(y - collar), row + collar, drawn.width)
      }
    }
    Blur.vertical(composite, into: pass, halfPixel)
    Blur.horizontal(pass, into: composite, halfPixel, line: line)
    Gradient.soft(composite, outX, outY)
  }

  private static func add(
    _ source: UnsafePointer<Float>, _ out: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    for x in 0..<count { out[x] += source[x] }
  }

  /// g*: the expected picture's score, with a template over the ground's median.
  private func expectedScore() -> Double {
    var (sum, length) = (0.0, 0.0)
    let collar = Self.collar
    for y in 0..<alpha.height {
      let (a, b) = (ex.row(y + collar) + collar, ey.row(y + collar) + collar)
      sum += Double(
        Sums.dot(a, flatX.row(y), alpha.width) + Sums.dot(b, flatY.row(y), alpha.width))
      length += Double(Sums.lengths(flatX.row(y), flatY.row(y), alpha.width))
    }
    return sum / (length + 1e-6)
  }

  /// The edge gain at a shift: regression of the frame's excess over the ground on the template.
  private func edgeGain(_ dx: Int, _ dy: Int) -> Double {
    let reach = ground.reach
    excess.reshape(ground.seen.width, ground.seen.height)
    for i in 0..<excess.count { excess.base[i] = ground.seen.base[i] - ground.filled.base[i] }
    Gradient.ofIsland(excess, gx, gy)
    var (sum, energy) = (0.0, 0.0)
    for y in 0..<alpha.height {
      let row = y + reach + dy
      let column = reach + dx
      let (a, b) = (tx.row(y), ty.row(y))
      sum += Double(Sums.dot(gx.row(row) + column, a, alpha.width))
      sum += Double(Sums.dot(gy.row(row) + column, b, alpha.width))
      energy += Double(Sums.dot(a, a, alpha.width) + Sums.dot(b, b, alpha.width))
    }
    return sum / max(energy, 1e-3)
  }
}
