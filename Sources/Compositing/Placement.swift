// SPDX-License-Identifier: Apache-2.0

public import SubtitleModel

/// Where points of the canvas come to lie in the frame: `X = scaleX * x + offsetX`, and so for rows.
///
/// Both sides are edge coordinates: 0 is the left edge of the first pixel, the width the right edge
/// of the last. The half-pixel habits of a scaler are not part of it.
public struct Placement: Sendable, Hashable {
  /// Frame pixels a canvas pixel, across.
  public var scaleX: Double
  /// The frame column of the canvas's left edge.
  public var offsetX: Double
  /// Frame pixels a canvas pixel, down.
  public var scaleY: Double
  /// The frame row of the canvas's top edge.
  public var offsetY: Double

  /// Makes a placement of its numbers.
  public init(scaleX: Double, offsetX: Double, scaleY: Double, offsetY: Double) {
    self.scaleX = scaleX
    self.offsetX = offsetX
    self.scaleY = scaleY
    self.offsetY = offsetY
  }

  /// The smallest rectangle of whole frame pixels that a canvas rectangle touches.
  ///
  /// It may reach past the frame. An empty rectangle stays empty.
  public func frameRect(of rect: PixelRect) -> PixelRect {
    func span(_ start: Int, _ length: Int, _ scale: Double, _ offset: Double) -> (Int, Int) {
      // Edges nearer than a millionth of a pixel to the grid lie on it.
      let low = (Double(start) * scale + offset + 1e-6).rounded(.down)
      let high = (Double(start) * scale + Double(length) * scale + offset - 1e-6).rounded(.up)
      return (Self.whole(low), Self.whole(max(low, high)))
    }
    let (left, right) = span(rect.x, max(0, rect.width), scaleX, offsetX)
    let (top, bottom) = span(rect.y, max(0, rect.height), scaleY, offsetY)
    let isEmpty = rect.isEmpty
    return PixelRect(
      x: left, y: top, width: isEmpty ? 0 : right - left, height: isEmpty ? 0 : bottom - top)
  }

  /// A whole number within the range that pixel arithmetic is safe in.
  private static func whole(_ value: Double) -> Int {
    value.isNaN ? 0 : Int(min(max(value, -1e9), 1e9))
  }
}
