// SPDX-License-Identifier: Apache-2.0

public import Compositing
public import SubtitleModel

/// How far a cue that is on screen lies from where it is expected, to fractions of a pixel.
public struct BlockShift: Sendable, Hashable {
  /// Frame pixels to the right, at the middle of the cue.
  public var dx: Double
  /// Frame pixels down.
  public var dy: Double
  /// The picture's width over the expected one, 1 if it fits.
  public var scaleX: Double
  /// Number of column blocks that took part; `scaleX` means little below 4.
  public var blocks: Int

  /// Makes a shift of its numbers.
  public init(dx: Double, dy: Double, scaleX: Double, blocks: Int) {
    self.dx = dx
    self.dy = dy
    self.scaleX = scaleX
    self.blocks = blocks
  }
}

/// The correction of a placement that several cues agree on.
public struct Calibration: Sendable, Hashable {
  /// Frame pixels to the right, at the middle of the canvas.
  public var dx: Double
  /// Frame pixels down.
  public var dy: Double
  /// The true horizontal scale over the expected one.
  public var scaleX: Double

  /// The medians of shifts; nil without any.
  ///
  /// The scale is taken from shifts of at least four blocks, and as 1 if it would differ by 1 % or
  /// more.
  public init?(of shifts: [BlockShift]) {
    guard !shifts.isEmpty else { return nil }
    dx = Sums.median(shifts.map(\.dx))
    dy = Sums.median(shifts.map(\.dy))
    let scales = shifts.filter { $0.blocks >= 4 }.map(\.scaleX)
    let scale = scales.isEmpty ? 1 : Sums.median(scales)
    scaleX = abs(scale - 1) < 0.01 ? scale : 1
  }

  /// The placement corrected.
  ///
  /// - Parameters:
  ///   - placement: The expected one, from which the shifts were measured.
  ///   - canvas: The canvas, whose middle the scale leaves in place.
  /// - Returns: The placement that the shifts were measured against, moved and widened.
  public func applied(to placement: Placement, canvas: Canvas) -> Placement {
    var result = placement
    result.scaleX = placement.scaleX * scaleX
    let middle = Double(canvas.width) / 2
    result.offsetX += dx + (placement.scaleX - result.scaleX) * middle
    result.offsetY += dy
    return result
  }

  /// Whether the picture lies farther from its place than scalers explain: over 2 pixels and over
  /// 0.4 % of the frame's width.
  public func isShifted(frameWidth: Int) -> Bool {
    max(abs(dx), abs(dy)) > max(2, 0.004 * Double(frameWidth))
  }
}

extension Prober {
  /// Measures how far a passing cue lies from its place, in up to six column blocks.
  ///
  /// Each block is correlated by itself and its peak refined by a parabola; a line through the
  /// blocks' shifts, weighted by their scores, gives shift and scale.
  ///
  /// - Parameters:
  ///   - frame: The luma plane as decoded.
  ///   - layer: The cue on the frame's grid.
  ///   - lineHeight: Height of a line of text in frame pixels; nil: the layer's own estimate.
  ///   - margin: Pixels to every side within which the peak is sought; nil: by the frame's height.
  /// - Returns: The shift, nil if no block has contrast.
  public func blockShift(
    frame: SamplePlane, layer: CueLayer, lineHeight: Double? = nil, margin: Int? = nil
  ) -> BlockShift? {
    if layer.isOff(Canvas(width: frame.width, height: frame.height)) { return nil }
    let line = Self.usable(lineHeight ?? layer.lineHeight)
    let m = min(max(margin ?? Self.margin(frameHeight: frame.height), 1), Self.maximumMargin)
    Self.lay(layer.alpha, layer, into: alpha, layer.width, layer.height, 0, 0, 0)
    Self.lay(layer.luma, layer, into: luma, layer.width, layer.height, 0, 0, 16)
    ground.prepare(
      frame, x: layer.x, y: layer.y, alpha: alpha, reach: Self.ring + m, growth: m + 1)
    template.reshape(alpha.width, alpha.height)
    for y in 0..<alpha.height {
      let under = ground.filled.row(y + ground.reach) + ground.reach
      Self.difference(alpha.row(y), luma.row(y), under, template.row(y), alpha.width)
    }
    Gradient.ofIsland(template, tx, ty)
    Gradient.soft(ground.seen, nx, ny)
    let edges = Self.edges(
      layer.width, parts: max(2, min(6, truncated(Double(layer.width) / (line * 1.5)))))
    return Self.line(
      through: zip(edges, edges.dropFirst()).compactMap {
        block($0..<$1, width: layer.width, margin: m)
      })
  }

  private struct Block {
    /// Columns from the layer's middle.
    var place: Double
    var dx: Double
    var dy: Double
    var weight: Double
  }

  private func block(_ columns: Range<Int>, width: Int, margin m: Int) -> Block? {
    var length = 0.0
    for y in 0..<tx.height {
      let start = columns.lowerBound
      length += Double(Sums.lengths(tx.row(y) + start, ty.row(y) + start, columns.count))
    }
    guard length >= 50 else { return nil }
    let scores = WindowCorrelation.run(
      tx, ty, columns: columns, nx, ny, left: ground.reach, top: ground.reach, margin: m
    ).map { $0 / length }
    let side = 2 * m + 1
    var best = 0
    for i in scores.indices where scores[i] > scores[best] { best = i }
    let (v, u) = (best / side, best % side)
    let isInside = (u > 0 && u < side - 1, v > 0 && v < side - 1)
    let fx = isInside.0 ? Self.peak(scores[best - 1], scores[best], scores[best + 1]) : 0
    let fy = isInside.1 ? Self.peak(scores[best - side], scores[best], scores[best + side]) : 0
    let middle = Double(columns.lowerBound + columns.upperBound) / 2
    let weight = max(scores[best], 0.01)
    return Block(
      place: middle - Double(width) / 2, dx: Double(u - m) + fx, dy: Double(v - m) + fy,
      weight: weight * weight)
  }

  /// Where the parabola through three neighbours has its peak, within half a step.
  private static func peak(_ left: Double, _ middle: Double, _ right: Double) -> Double {
    let curve = left - 2 * middle + right
    return abs(curve) < 1e-6 ? 0 : min(max(0.5 * (left - right) / curve, -0.5), 0.5)
  }

  /// The weighted line through the blocks' shifts; weights multiply the residuals.
  private static func line(through blocks: [Block]) -> BlockShift? {
    guard !blocks.isEmpty else { return nil }
    var (s, sx, sxx, sy, sxy, down, total) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    for block in blocks {
      let w = block.weight * block.weight
      s += w
      sx += w * block.place
      sxx += w * block.place * block.place
      sy += w * block.dx
      sxy += w * block.place * block.dx
      down += block.weight * block.dy
      total += block.weight
    }
    let determinant = s * sxx - sx * sx
    // One block alone has no slope.
    let slope = blocks.count < 2 || determinant <= 0 ? 0 : (s * sxy - sx * sy) / determinant
    return BlockShift(
      dx: (sy - slope * sx) / s, dy: down / total, scaleX: 1 + slope, blocks: blocks.count)
  }
}
