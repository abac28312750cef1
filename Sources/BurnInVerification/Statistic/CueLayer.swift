// SPDX-License-Identifier: Apache-2.0

public import Compositing
public import SubtitleModel

/// How a cue's bitmap is brought to the frame's pixels.
public enum ResamplingKernel: String, Sendable, Hashable, CaseIterable, Codable {
  /// Two taps an axis at the pixel's middle, on straight colour, whatever the scale.
  case bilinear
  /// Averages over the pixel's area, on premultiplied colour. Enlarging falls back to two taps.
  case area
}

/// A cue as it is expected in a frame: planes of alpha and luma on the frame's pixel grid.
public struct CueLayer: Sendable, Hashable {
  /// Frame pixels kept free around the bitmap.
  public static let padding = 2
  /// The most pixels of a layer; a frame of 4096x4096 fits.
  public static let maximumPixels = 1 << 24

  /// The frame column of the planes' left edge; may lie outside the frame.
  public let x: Int
  /// The frame row of the planes' top edge; may lie outside the frame.
  public let y: Int
  /// Columns of the planes.
  public let width: Int
  /// Rows of the planes.
  public let height: Int
  /// Alpha from 0 to 1, row major.
  public let alpha: [Float]
  /// Straight luma, limited range, row major; 16 where alpha is 0.
  public let luma: [Float]
  /// From canvas to frame.
  public let placement: Placement
  /// How the bitmap was resampled.
  public let kernel: ResamplingKernel
  /// The height of one line of text with its spacing, in frame pixels, estimated from the bitmap.
  public let lineHeight: Double

  /// Lays a bitmap on the frame.
  ///
  /// Nil if the placement is no finite enlargement, or the layer has more than `maximumPixels`.
  public init?(bitmap: CueBitmap, placement: Placement, kernel: ResamplingKernel) {
    let (scaleX, scaleY) = (placement.scaleX, placement.scaleY)
    let left = scaleX * Double(bitmap.box.x) + placement.offsetX
    let top = scaleY * Double(bitmap.box.y) + placement.offsetY
    let right = left + scaleX * Double(bitmap.box.width)
    let bottom = top + scaleY * Double(bitmap.box.height)
    guard scaleX > 1e-3, scaleY > 1e-3, scaleX < 1e3, scaleY < 1e3 else { return nil }
    guard [left, top, right, bottom].allSatisfy({ abs($0) < 1e8 }) else { return nil }
    let x0 = Int(left.rounded(.down)) - Self.padding
    let x1 = Int(right.rounded(.up)) + Self.padding
    let y0 = Int(top.rounded(.down)) - Self.padding
    let y1 = Int(bottom.rounded(.up)) + Self.padding
    guard x1 - x0 <= Self.maximumPixels / (y1 - y0) else { return nil }
    let points = kernel == .bilinear || scaleX >= 1 ? 1 : Self.points(scaleX)
    let columns = AxisTaps(
      outputs: x0..<x1, scale: scaleX, origin: left, sourceCount: bitmap.box.width, points: points)
    let rows = AxisTaps(
      outputs: y0..<y1, scale: scaleY, origin: top, sourceCount: bitmap.box.height, points: points)
    let planes = Self.resample(bitmap, columns, rows, isPremultiplied: points > 1)
    self.x = x0
    self.y = y0
    width = x1 - x0
    height = y1 - y0
    alpha = planes.alpha
    luma = planes.luma
    self.placement = placement
    self.kernel = kernel
    lineHeight = LineHeight.estimate(
      alpha: alpha, luma: luma, width: width, height: height, padding: Self.padding)
  }

  /// Lays a cue's objects on the frame; nil as for a bitmap, or if nothing of them can be seen.
  public init?(objects: [CueObject], placement: Placement, kernel: ResamplingKernel) {
    guard let bitmap = CueBitmap(objects: objects) else { return nil }
    self.init(bitmap: bitmap, placement: placement, kernel: kernel)
  }

  /// The planes' rectangle, in frame pixels.
  public var rect: PixelRect { PixelRect(x: x, y: y, width: width, height: height) }

  /// Whether no pixel of the planes lies in a frame of the given size.
  public func isOff(_ frame: Canvas) -> Bool {
    x >= frame.width || y >= frame.height || x + width <= 0 || y + height <= 0
  }

  /// Points a frame pixel and axis of the area kernel: at least one a canvas pixel.
  private static func points(_ scale: Double) -> Int {
    scale > 0.4 ? 4 : min(64, max(6, Int((1 / scale).rounded(.up))))
  }

  private static func resample(
    _ bitmap: CueBitmap, _ columns: AxisTaps, _ rows: AxisTaps, isPremultiplied: Bool
  ) -> (alpha: [Float], luma: [Float]) {
    let strengths = bitmap.alpha
    let above = zip(bitmap.luma, strengths).map { luma, alpha in
      isPremultiplied ? luma * alpha : luma - 16
    }
    func plane(_ samples: [Float]) -> Plane {
      Resampling.run(
        Plane(width: bitmap.box.width, height: bitmap.box.height, samples: samples),
        columns: columns, rows: rows)
    }
    let alpha = plane(strengths).samples
    let mixed = plane(above).samples
    guard isPremultiplied else { return (alpha, mixed.map { $0 + 16 }) }
    return (alpha, zip(mixed, alpha).map { $1 > 1e-3 ? $0 / $1 : 16 })
  }
}
