// SPDX-License-Identifier: Apache-2.0

public import SubtitleModel

/// What a cue draws on its canvas: the union of its objects as planes of alpha and luma.
///
/// Cut to the pixels that can be seen. Objects lie over each other in drawing order. Luma is
/// BT.709, limited range (16 black, 235 white), straight; pixels that no object covers have luma
/// 16.
public struct CueBitmap: Sendable, Hashable {
  /// The least alpha, of 255, that counts as seen when the box is cut: a fiftieth of full strength.
  public static let leastVisibleAlpha: UInt8 = 6
  /// The most pixels of a box: a canvas of 4096x4096 fits, more is not a subtitle.
  public static let maximumPixels = 1 << 24
  /// The farthest place from the canvas's corner, in canvas pixels, at which an object is looked
  /// at.
  public static let farthestPlace = 1 << 20

  /// Where the planes lie, in canvas pixels; may reach past the canvas.
  public let box: PixelRect
  /// Alpha from 0 to 1, row major over `box`.
  public let alpha: [Float]
  /// Straight luma, row major over `box`.
  public let luma: [Float]

  /// Draws objects.
  ///
  /// Nil if nothing of them can be seen, or their box has more than `maximumPixels`.
  public init?(objects: [CueObject]) {
    let near = objects.filter {
      abs($0.x.clamped) < Self.farthestPlace && abs($0.y.clamped) < Self.farthestPlace
    }
    let box = near.reduce(PixelRect(x: 0, y: 0, width: 0, height: 0)) {
      $0.union(Self.visibleRect(of: $1))
    }
    guard !box.isEmpty, box.width <= Self.maximumPixels / box.height else { return nil }
    var alpha = [Float](repeating: 0, count: box.width * box.height)
    var luma = [Float](repeating: 16, count: alpha.count)
    for object in near {
      Self.draw(object, box, &alpha, &luma)
    }
    self.box = box
    self.alpha = alpha
    self.luma = luma
  }

  /// BT.709 luma of limited range for full-range RGB.
  public static func luma(of color: PaletteColor) -> Float {
    let mixed =
      0.2126 * Double(color.red) + 0.7152 * Double(color.green) + 0.0722 * Double(color.blue)
    return Float(16 + 219.0 / 255 * mixed)
  }

  private static func visibleRect(of object: CueObject) -> PixelRect {
    let visible = (0..<256).map {
      object.palette[UInt8($0)].alpha >= leastVisibleAlpha
    }
    let (width, height) = (object.bitmap.width, object.bitmap.height)
    var (left, right, top, bottom) = (width, -1, height, -1)
    object.bitmap.indices.withUnsafeBufferPointer { indices in
      for y in 0..<height {
        for x in 0..<width where visible[Int(indices[y * width + x])] {
          left = min(left, x)
          right = max(right, x)
          top = min(top, y)
          bottom = y
        }
      }
    }
    guard right >= 0 else { return PixelRect(x: 0, y: 0, width: 0, height: 0) }
    return PixelRect(
      x: object.x + left, y: object.y + top, width: right - left + 1, height: bottom - top + 1)
  }

  private static func draw(
    _ object: CueObject, _ box: PixelRect, _ alpha: inout [Float], _ luma: inout [Float]
  ) {
    let colors = (0..<256).map { object.palette[UInt8($0)] }
    let strengths = colors.map { Float($0.alpha) / 255 }
    let levels = colors.map { Self.luma(of: $0) }
    let shared = object.rect.intersection(box)
    guard !shared.isEmpty else { return }
    for y in shared.y..<(shared.y + shared.height) {
      let source = (y - object.y) * object.bitmap.width - object.x
      let target = (y - box.y) * box.width - box.x
      for x in shared.x..<(shared.x + shared.width) {
        let index = Int(object.bitmap.indices[source + x])
        let strength = strengths[index]
        guard strength > 0 else { continue }
        let below = alpha[target + x] * (1 - strength)
        luma[target + x] =
          (strength * levels[index] + below * luma[target + x]) / (strength + below)
        alpha[target + x] = strength + below
      }
    }
  }
}

extension Int {
  /// The number within a range that can be negated and compared without overflow.
  fileprivate var clamped: Int { Swift.min(Swift.max(self, -(1 << 40)), 1 << 40) }
}
