// SPDX-License-Identifier: Apache-2.0
internal import Compositing
internal import MediaContainer
internal import SubtitleModel

/// The renderer's way to libswscale: the scaler's own options are those of the `ffmpeg` program.
enum RenderScaling {
  /// A canvas scaled and converted as the filter before `overlay` does it.
  static func planar(
    _ canvas: RGBABitmap, by steps: Arrangement, matrix: VideoMatrix
  ) throws -> PlanarOverlay {
    let picture = try CanvasScaler().planar(
      canvas, to: steps.scaled, filter: filter(steps.scaling), matrix: scalerMatrix(matrix))
    return try PlanarOverlay(
      luma: picture.luma, cb: picture.cb, cr: picture.cr, alpha: picture.alpha)
  }

  /// A canvas scaled as RGBA; without a scaler where the size stays the same.
  static func rgba(_ canvas: RGBABitmap, by steps: Arrangement) throws -> RGBABitmap {
    if steps.scaled.width == canvas.width && steps.scaled.height == canvas.height { return canvas }
    return try CanvasScaler().rgba(canvas, to: steps.scaled, filter: filter(steps.scaling))
  }

  /// A video frame scaled as the server's main chain does it.
  static func scaled(_ frame: PlanarFrame, to size: Canvas) throws -> PlanarFrame {
    if frame.luma.width == size.width && frame.luma.height == size.height { return frame }
    return try FrameScaler().scale(frame, to: size, filter: .bicubic)
  }

  /// A frame as RGB, as FFmpeg converts it for a picture file.
  static func rgba(_ frame: PlanarFrame, matrix: VideoMatrix) throws -> RGBABitmap {
    try FrameScaler().rgba(frame, matrix: scalerMatrix(matrix))
  }

  private static func filter(_ scaling: Arrangement.Scaling) -> ScalingFilter {
    switch scaling {
    case .fastBilinear: .fastBilinear
    // The conversion that FFmpeg puts before `overlay` unasked is bicubic.
    case .none, .bicubic: .bicubic
    }
  }

  private static func scalerMatrix(_ matrix: VideoMatrix) -> ColorMatrix {
    switch matrix {
    case .bt601: .bt601
    case .bt709: .bt709
    case .bt2020: .bt2020
    }
  }
}
