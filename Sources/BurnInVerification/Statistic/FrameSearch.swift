// SPDX-License-Identifier: Apache-2.0

public import Compositing
public import SubtitleModel

/// A place and scale at which a cue's bitmap was found by searching the whole frame.
public struct Sighting: Sendable, Hashable {
  /// The coarse score.
  public var g: Double
  /// The score's margin over all places of the frame, in their spread.
  public var z: Double
  /// Scale against a canvas fitted to the frame by height.
  public var scale: Double
  /// Where the canvas would lie.
  public var placement: Placement

  /// The least coarse score of a sighting.
  public static let leastScore = 0.22
  /// The least margin of a sighting.
  public static let leastMargin = 14.0
  /// The least coarse score of a second copy beside a cue at its place.
  public static let leastSecondScore = 0.27

  /// Whether the sighting is worth a fine probe.
  public var isStrong: Bool { g >= Self.leastScore && z >= Self.leastMargin }

  /// Makes a sighting of its numbers.
  public init(g: Double, z: Double, scale: Double, placement: Placement) {
    self.g = g
    self.z = z
    self.scale = scale
    self.placement = placement
  }
}

/// Planes of the search over a frame.
final class FrameSearch {
  let (small, x, y) = (Plane(), Plane(), Plane())
  let field = PlaneSpectrum()
  let template = PlaneSpectrum()
  /// The most rows of the frame that is searched.
  static let lines = 270
}

extension Prober {
  /// The scales of a full search: 1, then 0.70 to 1.30 by steps of 0.02.
  public static let searchScales: [Double] = {
    var scales = [1.0]
    for percent in stride(from: 70, through: 130, by: 2) where percent != 100 {
      scales.append(Double(percent) / 100)
    }
    return scales
  }()
  /// The scales of a search for a second copy: 0.80 to 1.10 without those within 0.035 of 1.
  public static let secondCopyScales: [Double] = {
    var scales: [Double] = []
    for percent in stride(from: 80, through: 110, by: 2) where abs(percent - 100) >= 4 {
      scales.append(Double(percent) / 100)
    }
    return scales
  }()

  /// Searches a whole frame, reduced to 270 lines, for a bitmap at several scales.
  ///
  /// - Parameters:
  ///   - frame: The luma plane as decoded.
  ///   - bitmap: The cue.
  ///   - canvas: The canvas it is placed on.
  ///   - scales: Scales against a canvas fitted by height; both axes alike.
  ///   - count: How many sightings to return at most.
  /// - Returns: The best sightings, best first, not nearer than 4 pixels of the reduced frame.
  public func locate(
    frame: SamplePlane, bitmap: CueBitmap, canvas: Canvas,
    scales: [Double] = Prober.searchScales, count: Int = 3
  ) -> [Sighting] {
    guard frame.width >= 8, frame.height >= 8, canvas.height > 0 else { return [] }
    prepareSearch(frame)
    let small = search.small
    let shrinkX = Double(small.width) / Double(frame.width)
    let shrinkY = Double(small.height) / Double(frame.height)
    var found: [(g: Double, z: Double, scale: Double, x: Double, y: Double)] = []
    for scale in scales {
      let step = Double(small.height) / Double(canvas.height) * scale
      for peak in peaks(bitmap, step) {
        found.append(
          (
            peak.g, peak.z, scale, Double(peak.x + CueLayer.padding) / shrinkX,
            Double(peak.y + CueLayer.padding) / shrinkY
          ))
      }
    }
    found.sort { $0.g > $1.g }
    var kept: [(g: Double, z: Double, scale: Double, x: Double, y: Double)] = []
    for one in found where kept.count < count {
      if kept.allSatisfy({ abs(one.x - $0.x) > 4 / shrinkX || abs(one.y - $0.y) > 4 / shrinkY }) {
        kept.append(one)
      }
    }
    let base = Double(small.height) / Double(canvas.height)
    return kept.map { one in
      let (scaleX, scaleY) = (base * one.scale / shrinkX, base * one.scale / shrinkY)
      return Sighting(
        g: one.g, z: one.z, scale: one.scale,
        placement: Placement(
          scaleX: scaleX, offsetX: one.x - scaleX * Double(bitmap.box.x), scaleY: scaleY,
          offsetY: one.y - scaleY * Double(bitmap.box.y)))
    }
  }

  /// Probes a sighting at five scales within 1.5 %, the bitmap's middle held in place.
  ///
  /// A sighting holds if the measurement has u of at least 0.85 and coverage of at least 0.6.
  ///
  /// - Parameters:
  ///   - sighting: What `locate` found.
  ///   - frame: The luma plane as decoded.
  ///   - bitmap: The cue.
  ///   - kernel: How the bitmap is resampled.
  /// - Returns: The best measurement and the placement it was made at; nil if it cannot be laid.
  public func confirm(
    _ sighting: Sighting, frame: SamplePlane, bitmap: CueBitmap, kernel: ResamplingKernel
  ) -> (measurement: Measurement, placement: Placement, holds: Bool)? {
    let coarse = sighting.placement
    let middleX = Double(bitmap.box.x) + Double(bitmap.box.width) / 2
    let middleY = Double(bitmap.box.y) + Double(bitmap.box.height) / 2
    let margin = Self.margin(frameHeight: frame.height) + 2
    var best: (measurement: Measurement, placement: Placement, holds: Bool)?
    for change in [0, -0.0075, 0.0075, -0.015, 0.015] {
      var placement = coarse
      placement.scaleX *= 1 + change
      placement.scaleY *= 1 + change
      placement.offsetX -= (placement.scaleX - coarse.scaleX) * middleX
      placement.offsetY -= (placement.scaleY - coarse.scaleY) * middleY
      guard let layer = CueLayer(bitmap: bitmap, placement: placement, kernel: kernel) else {
        continue
      }
      let found = measure(frame: frame, layer: layer, margin: margin)
      if found.u > best?.measurement.u ?? -.infinity {
        best = (found, placement, found.u >= 0.85 && found.coverage >= 0.6)
      }
    }
    return best
  }

  private func prepareSearch(_ frame: SamplePlane) {
    let whole = Plane(
      width: frame.width, height: frame.height, samples: frame.samples.map(Float.init))
    if frame.height > FrameSearch.lines {
      let share = Double(FrameSearch.lines) / Double(frame.height)
      search.small.copy(
        Resampling.shrink(
          whole, width: max(8, wholeNumber(Double(frame.width) * share)),
          height: FrameSearch.lines))
    } else {
      search.small.copy(whole)
    }
    Gradient.soft(search.small, search.x, search.y)
    search.field.transform(
      search.x, search.y, width: search.small.width, height: search.small.height)
  }

  private struct Peak {
    var g: Double
    var z: Double
    var x: Int
    var y: Int
  }

  /// The two best places of the bitmap at a scale.
  private func peaks(_ bitmap: CueBitmap, _ step: Double) -> [Peak] {
    let placement = Placement(
      scaleX: step, offsetX: -(step * Double(bitmap.box.x)), scaleY: step,
      offsetY: -(step * Double(bitmap.box.y)))
    let small = search.small
    guard let layer = CueLayer(bitmap: bitmap, placement: placement, kernel: .area),
      layer.width < small.width, layer.height < small.height
    else { return [] }
    template.reshape(layer.width, layer.height)
    for i in 0..<template.count { template.base[i] = layer.alpha[i] * (layer.luma[i] - 100) }
    Gradient.ofIsland(template, tx, ty)
    var length = 0.0
    for y in 0..<tx.height { length += Double(Sums.lengths(tx.row(y), ty.row(y), tx.width)) }
    guard length >= 1 else { return [] }
    search.template.transform(tx, ty, width: small.width, height: small.height)
    search.template.correlate(with: search.field)
    return best(
      search.template.real, columns: small.width - layer.width + 1,
      rows: small.height - layer.height + 1, factor: Float(1 / length))
  }

  private func best(_ scores: Plane, columns: Int, rows: Int, factor: Float) -> [Peak] {
    var counts = Histogram(low: -1, high: 1, bins: 4096)
    for y in 0..<rows {
      let row = scores.row(y)
      for x in 0..<columns { row[x] *= factor }
      counts.add(row, columns)
    }
    let median = counts.median
    let spread = max(1.4826 * counts.medianDistance(from: median), 0.01)
    return (0..<2).map { _ in
      var peak = (value: -Float.infinity, x: 0, y: 0)
      for y in 0..<rows {
        let row = scores.row(y)
        for x in 0..<columns where row[x] > peak.value { peak = (row[x], x, y) }
      }
      for y in max(0, peak.y - 6)..<min(rows, peak.y + 7) {
        for x in max(0, peak.x - 8)..<min(columns, peak.x + 9) { scores.row(y)[x] = -9 }
      }
      return Peak(
        g: Double(peak.value), z: Double((peak.value - median) / spread), x: peak.x, y: peak.y)
    }
  }
}
