// SPDX-License-Identifier: Apache-2.0

import SubtitleModel

/// A frame around a box, with the box's ink taken out of it.
final class Ground {
  /// The frame's samples from `reach` outside the box; beyond the frame its edge is repeated.
  let seen = Plane()
  /// `seen` with what lies under the mask filled from around.
  let filled = Plane()
  /// Where ink is expected, grown.
  let mask = Mask()
  /// Rows and columns kept around the box.
  private(set) var reach = 0

  private let ink = Mask()
  private let scratch = Mask()
  private let inpainting = Inpainting()

  /// The least alpha that counts as ink.
  static let leastInk: Float = 0.02

  /// Reads the frame around a box and fills it under the ink.
  ///
  /// - Parameters:
  ///   - frame: The luma plane.
  ///   - x: The box's left edge in the frame.
  ///   - y: The box's top edge in the frame.
  ///   - alpha: The ink's alpha over the box, whose size it has.
  ///   - reach: Pixels around the box.
  ///   - growth: Radius of the disc that the ink is grown by.
  func prepare(_ frame: SamplePlane, x: Int, y: Int, alpha: Plane, reach: Int, growth: Int) {
    self.reach = reach
    Self.cut(
      frame, x: x - reach, y: y - reach, width: alpha.width + 2 * reach,
      height: alpha.height + 2 * reach, into: seen)
    ink.reshape(seen.width, seen.height)
    ink.fill(0)
    for row in 0..<alpha.height {
      let (from, to) = (alpha.row(row), ink.row(row + reach) + reach)
      for column in 0..<alpha.width { to[column] = from[column] > Self.leastInk ? 1 : 0 }
    }
    Dilation.dilate(
      ink, into: mask, halfWidths: Dilation.discHalfWidths(radius: growth), scratch: scratch)
    inpainting.fill(seen, under: mask, into: filled)
  }

  /// Cuts a rectangle out of a frame, repeating the frame's edge; an all-outside one is luma 16.
  static func cut(
    _ frame: SamplePlane, x: Int, y: Int, width: Int, height: Int, into target: Plane
  ) {
    target.reshape(width, height)
    let isOutside =
      x >= frame.width || y >= frame.height || x + width <= 0 || y + height <= 0
    guard !isOutside, frame.width > 0, frame.height > 0 else {
      target.fill(16)
      return
    }
    let left = min(max(0, -x), width)
    let right = min(max(left, frame.width - x), width)
    frame.samples.withUnsafeBufferPointer { samples in
      for row in 0..<height {
        let start = min(max(y + row, 0), frame.height - 1) * frame.width
        let out = target.row(row)
        let first = Float(samples[start])
        let last = Float(samples[start + frame.width - 1])
        for column in 0..<left { out[column] = first }
        for column in left..<right { out[column] = Float(samples[start + x + column]) }
        for column in right..<width { out[column] = last }
      }
    }
  }
}
