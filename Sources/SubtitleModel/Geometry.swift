// SPDX-License-Identifier: Apache-2.0

/// The size of the coordinate space that a track's rectangles are placed in, in canvas pixels.
public struct Canvas: Sendable, Hashable, CustomStringConvertible {
  /// Columns, 1 or more.
  public var width: Int
  /// Rows, 1 or more.
  public var height: Int

  /// Makes a canvas of the given size.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// The size as `1920x1080`.
  public var description: String { "\(width)x\(height)" }
}

/// A rectangle of whole pixels, origin top left.
///
/// The space (canvas or video frame) is stated by whoever holds the rectangle. It may lie outside.
public struct PixelRect: Sendable, Hashable {
  /// Column of the left edge.
  public var x: Int
  /// Row of the top edge.
  public var y: Int
  /// Columns, 0 or more.
  public var width: Int
  /// Rows, 0 or more.
  public var height: Int

  /// Makes a rectangle.
  public init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// Whether no pixel is inside.
  public var isEmpty: Bool { width <= 0 || height <= 0 }

  /// The smallest rectangle that holds both; an empty one adds nothing.
  public func union(_ other: PixelRect) -> PixelRect {
    if isEmpty { return other }
    if other.isEmpty { return self }
    let left = min(x, other.x)
    let top = min(y, other.y)
    return PixelRect(
      x: left, y: top, width: max(x + width, other.x + other.width) - left,
      height: max(y + height, other.y + other.height) - top)
  }

  /// The pixels that both hold, empty if there are none.
  public func intersection(_ other: PixelRect) -> PixelRect {
    let left = max(x, other.x)
    let top = max(y, other.y)
    return PixelRect(
      x: left, y: top, width: max(0, min(x + width, other.x + other.width) - left),
      height: max(0, min(y + height, other.y + other.height) - top))
  }
}
