// SPDX-License-Identifier: Apache-2.0

import SubtitleModel

/// A monotone, piecewise linear map from the reference's luma to the frame's.
///
/// The pixels outside a rectangle are sorted by the reference's luma into nine groups of equal
/// size; a group's medians in both pictures make one knot. Beyond the outer knots the map goes on
/// with slope 1. With fewer than 500 pixels it changes nothing.
struct ToneMap {
  /// Number of groups.
  static let groups = 9
  private(set) var table = (0..<256).map(Float.init)

  init(from reference: SamplePlane, to frame: SamplePlane, outside rect: PixelRect) {
    guard reference.width == frame.width, reference.height == frame.height else { return }
    let counts = Self.jointCounts(reference, frame, rect)
    let total = counts.reduce(0, +)
    guard total >= 500 else { return }
    let knots = Self.knots(counts, total)
    guard let first = knots.first, let last = knots.last else { return }
    for value in 0..<256 {
      let x = Float(value)
      if x <= first.x {
        table[value] = first.y + (x - first.x)
      } else if x >= last.x {
        table[value] = last.y + (x - last.x)
      } else if let upper = knots.firstIndex(where: { $0.x >= x }), upper > 0 {
        let (a, b) = (knots[upper - 1], knots[upper])
        table[value] = a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x)
      }
    }
  }

  /// Maps every sample.
  func apply(_ plane: Plane) {
    for i in 0..<plane.count { plane.base[i] = table[Int(min(max(plane.base[i], 0), 255))] }
  }

  /// Counts of pairs (reference luma * 256 + frame luma), every second pixel of every second row.
  private static func jointCounts(
    _ reference: SamplePlane, _ frame: SamplePlane, _ rect: PixelRect
  ) -> [Int32] {
    var counts = [Int32](repeating: 0, count: 65536)
    for y in stride(from: 0, to: frame.height, by: 2) {
      let isBeside = y < rect.y || y >= rect.y + rect.height
      for x in stride(from: 0, to: frame.width, by: 2)
      where isBeside || x < rect.x || x >= rect.x + rect.width {
        let index = y * frame.width + x
        counts[Int(reference.samples[index]) << 8 | Int(frame.samples[index])] += 1
      }
    }
    return counts
  }

  private static func knots(_ counts: [Int32], _ total: Int32) -> [(x: Float, y: Float)] {
    var byReference = [[Int32]](repeating: [Int32](repeating: 0, count: 256), count: groups)
    var byFrame = byReference
    var seen: Int32 = 0
    for value in 0..<256 {
      let row = counts[(value << 8)..<((value + 1) << 8)]
      let number = row.reduce(0, +)
      guard number > 0 else { continue }
      // A luma value goes as a whole to the group in which its middle pixel falls.
      let group = min(groups - 1, Int(Double(seen + number / 2) / Double(total) * Double(groups)))
      byReference[group][value] += number
      for (other, count) in row.enumerated() { byFrame[group][other] += count }
      seen += number
    }
    var knots: [(x: Float, y: Float)] = []
    for group in 0..<groups {
      guard let x = median(byReference[group]), let y = median(byFrame[group]) else { continue }
      if let last = knots.last {
        if x <= last.x { continue }
        knots.append((x, max(y, last.y)))
      } else {
        knots.append((x, y))
      }
    }
    return knots
  }

  /// The median of values counted in 256 bins, with interpolation inside the bin; nil without any.
  private static func median(_ bins: [Int32]) -> Float? {
    let total = bins.reduce(0, +)
    guard total > 0 else { return nil }
    let half = Float(total) / 2
    var seen: Float = 0
    for (value, number) in bins.enumerated() where number > 0 {
      if seen + Float(number) >= half {
        return Float(value) - 0.5 + (half - seen) / Float(number)
      }
      seen += Float(number)
    }
    return nil
  }
}
