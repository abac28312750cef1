// SPDX-License-Identifier: Apache-2.0
internal import SubtitleModel

/// A part of the canvas that one-coloured coverage maps are laid over, straight alpha.
struct TextLayer {
  /// Steps of coverage: enough for smooth edges, few enough for one palette and short runs.
  private static let steps: Double = 32

  private let bounds: PixelRect
  private var bitmap: RGBABitmap

  /// Makes a transparent layer of a part of the canvas.
  init(bounds: PixelRect) {
    self.bounds = bounds
    bitmap = RGBABitmap(width: bounds.width, height: bounds.height, filledWith: .transparent)
  }

  /// Lays a colour over the layer where a map covers it.
  ///
  /// - Parameters:
  ///   - coverage: The map's value for the first pixel of `rect`, 0 to 255 each.
  ///   - stride: Bytes from one row of the map to the next.
  ///   - rect: The part of the canvas, inside the layer's.
  ///   - color: Red, green, blue and transparency, from the high byte down.
  mutating func blend(
    _ coverage: UnsafePointer<UInt8>, stride: Int, rect: PixelRect, color: UInt32
  ) {
    let components = [24, 16, 8].map { Double(color >> $0 & 0xFF) }
    let opacity = Double(255 - color & 0xFF) / 255
    bitmap.bytes.withUnsafeMutableBufferPointer { pixels in
      for y in 0..<rect.height {
        var at = 4 * ((rect.y - bounds.y + y) * bounds.width + rect.x - bounds.x)
        for x in 0..<rect.width {
          let value = coverage[y * stride + x]
          if value > 0 {
            let alpha = (Double(value) / 255 * Self.steps).rounded() / Self.steps * opacity
            Self.over(pixels, at, components, alpha)
          }
          at += 4
        }
      }
    }
  }

  /// Source over destination, both with straight alpha.
  private static func over(
    _ pixels: UnsafeMutableBufferPointer<UInt8>, _ at: Int, _ color: [Double], _ alpha: Double
  ) {
    let below = Double(pixels[at + 3]) / 255 * (1 - alpha)
    let total = alpha + below
    guard total > 0 else { return }
    for component in 0..<3 {
      let mixed = color[component] * alpha + Double(pixels[at + component]) * below
      pixels[at + component] = UInt8((mixed / total).rounded())
    }
    pixels[at + 3] = UInt8((total * 255).rounded())
  }

  /// The layer cut to what is not transparent; nil if nothing is.
  func trimmed() -> TextRenderer.Picture? {
    let (width, bytes) = (bitmap.width, bitmap.bytes)
    func isRowClear(_ y: Int) -> Bool {
      (0..<width).allSatisfy { bytes[4 * (y * width + $0) + 3] == 0 }
    }
    let rows = (0..<bitmap.height).filter { !isRowClear($0) }
    guard let top = rows.first, let bottom = rows.last else { return nil }
    func isColumnClear(_ x: Int) -> Bool {
      (top...bottom).allSatisfy { bytes[4 * ($0 * width + x) + 3] == 0 }
    }
    guard let left = (0..<width).first(where: { !isColumnClear($0) }),
      let right = (0..<width).last(where: { !isColumnClear($0) })
    else { return nil }
    let part = PixelRect(x: left, y: top, width: right - left + 1, height: bottom - top + 1)
    return TextRenderer.Picture(
      bitmap: bitmap.cropped(to: part), x: bounds.x + left, y: bounds.y + top)
  }
}

extension RGBABitmap {
  /// A part of the bitmap, which must lie inside.
  func cropped(to part: PixelRect) -> RGBABitmap {
    var result: [UInt8] = []
    result.reserveCapacity(4 * part.width * part.height)
    for y in part.y..<part.y + part.height {
      let start = 4 * (y * width + part.x)
      result += bytes[start..<start + 4 * part.width]
    }
    return RGBABitmap(width: part.width, height: part.height, bytes: result)
  }
}
