// SPDX-License-Identifier: Apache-2.0
import SubtitleModel

extension VobSubIndex {
  /// Whether origin, scale or alignment put pictures anywhere but where their units say.
  var movesPictures: Bool {
    origin != (0, 0) || scale != (100, 100) || alignment.isOn
  }

  /// Where a unit's area is drawn.
  ///
  /// Edges are scaled from the canvas's left upper corner. An alignment leaves the unit's own place
  /// aside: the scaled picture has its left edge, its middle or its right edge at the origin, and its
  /// upper edge, middle or lower edge. Then the origin is added.
  ///
  /// - Parameter area: The unit's area; its edges have 12 bits.
  /// - Returns: The place, perhaps empty or partly off the canvas.
  func place(of area: PixelRect) -> PixelRect {
    let (left, width) = Self.edges(
      area.x, area.width, percent: scale.x, share: alignment.isOn ? shareLeft : nil)
    let (top, height) = Self.edges(
      area.y, area.height, percent: scale.y, share: alignment.isOn ? shareAbove : nil)
    return PixelRect(x: left + origin.x, y: top + origin.y, width: width, height: height)
  }

  /// Halves of the width that lie left of the origin.
  private var shareLeft: Int { ["LEFT": 0, "RIGHT": 2][alignment.horizontal] ?? 1 }
  /// Halves of the height that lie above the origin.
  private var shareAbove: Int { ["TOP": 0, "BOTTOM": 2][alignment.vertical] ?? 1 }

  private static func edges(
    _ start: Int, _ length: Int, percent: Int, share: Int?
  ) -> (start: Int, length: Int) {
    // Half a pixel is rounded up; areas are never negative.
    let scaled = { (value: Int) in (value * percent + 50) / 100 }
    guard let share else { return (scaled(start), scaled(start + length) - scaled(start)) }
    return (-(scaled(length) * share / 2), scaled(length))
  }
}

extension IndexedBitmap {
  /// The bitmap in another size: each pixel is the one under its middle.
  func scaled(width newWidth: Int, height newHeight: Int) -> IndexedBitmap {
    if newWidth == width && newHeight == height { return self }
    let columns = (0..<newWidth).map { (2 * $0 + 1) * width / (2 * newWidth) }
    var pixels: [UInt8] = []
    pixels.reserveCapacity(newWidth * newHeight)
    for line in 0..<newHeight {
      let row = (2 * line + 1) * height / (2 * newHeight) * width
      for column in columns { pixels.append(indices[row + column]) }
    }
    return IndexedBitmap(width: newWidth, height: newHeight, indices: pixels)
  }
}
