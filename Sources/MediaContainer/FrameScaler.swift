// SPDX-License-Identifier: Apache-2.0
internal import CFFmpegShims
public import SubtitleModel

/// Scales video frames by libswscale, as FFmpeg's `scale` filter does.
public struct FrameScaler: Sendable {
  /// Makes a scaler.
  public init() {}

  /// Scales a frame; its time stays.
  ///
  /// - Parameters:
  ///   - frame: A frame whose chroma planes have half the luma's size, rounded up.
  ///   - size: The size wanted; each side 1 to `CanvasScaler.maximumSide`.
  ///   - filter: How samples are weighed; FFmpeg's default is bicubic.
  /// - Returns: The frame in the new size.
  /// - Throws: `MediaError` of kind `.tooLarge` or `.invalidRequest`.
  public func scale(
    _ frame: PlanarFrame, to size: Canvas, filter: ScalingFilter = .bicubic
  ) throws -> PlanarFrame {
    let old = Canvas(width: frame.luma.width, height: frame.luma.height)
    let sides = [old.width, old.height, size.width, size.height]
    let range = 1...CanvasScaler.maximumSide
    guard sides.allSatisfy({ range.contains($0) }) else {
      throw MediaError(
        .tooLarge,
        "a frame of \(old) cannot be scaled to \(size): sides must be 1 to \(range.upperBound)")
    }
    let from = try Frame(copying: frame)
    let to = try Frame(width: size.width, height: size.height, format: AV_PIX_FMT_YUV420P)
    let code = bs_scale(from.pointer, to.pointer, filter.number, 0)
    guard code >= 0 else {
      throw MediaError(
        .invalidRequest,
        "a frame of \(old) cannot be scaled to \(size): \(libraryMessage(code))")
    }
    let half = Canvas(width: (size.width + 1) / 2, height: (size.height + 1) / 2)
    return PlanarFrame(
      time: frame.time, luma: to.plane(0, size), cb: to.plane(1, half), cr: to.plane(2, half))
  }

  /// Converts a limited-range frame to opaque RGB, as FFmpeg does when it writes a picture file.
  ///
  /// Each chroma sample serves its four pixels; results may be a code or two off real arithmetic.
  ///
  /// - Parameters:
  ///   - frame: A frame whose chroma planes have half the luma's size, rounded up.
  ///   - matrix: The matrix of the video.
  /// - Returns: A picture of the luma's size with alpha 255.
  /// - Throws: `MediaError` of kind `.invalidRequest`.
  public func rgba(_ frame: PlanarFrame, matrix: ColorMatrix) throws -> RGBABitmap {
    let (width, height) = (frame.luma.width, frame.luma.height)
    let from = try Frame(copying: frame)
    let to = try Frame(width: width, height: height, format: AV_PIX_FMT_RGB24)
    let code = bs_scale(from.pointer, to.pointer, ScalingFilter.bicubic.number, matrix.number)
    guard code >= 0 else {
      throw MediaError(
        .invalidRequest,
        "a frame of \(width)x\(height) cannot be converted to RGB: \(libraryMessage(code))")
    }
    let packed = to.plane(0, Canvas(width: 3 * width, height: height)).samples
    let bytes = [UInt8](unsafeUninitializedCapacity: 4 * width * height) { buffer, count in
      count = 4 * width * height
      for pixel in 0..<width * height {
        for component in 0..<3 { buffer[4 * pixel + component] = packed[3 * pixel + component] }
        buffer[4 * pixel + 3] = 255
      }
    }
    return RGBABitmap(width: width, height: height, bytes: bytes)
  }
}

extension Frame {
  /// A frame of the library with the samples of a frame of ours.
  fileprivate convenience init(copying frame: PlanarFrame) throws {
    let (width, height) = (frame.luma.width, frame.luma.height)
    guard width > 0, height > 0 else {
      throw MediaError(.invalidRequest, "a frame of \(width)x\(height) has no pixels")
    }
    try self.init(width: width, height: height, format: AV_PIX_FMT_YUV420P)
    for (index, plane) in [frame.luma, frame.cb, frame.cr].enumerated()
    where !fill(index, with: plane) {
      throw MediaError(
        .invalidRequest, "the planes of a frame of \(width)x\(height) do not fit each other")
    }
  }

  /// Copies samples into a plane of one byte a sample; false if the sizes differ.
  fileprivate func fill(_ index: Int, with plane: SamplePlane) -> Bool {
    let target = [
      (pointer.pointee.data.0, pointer.pointee.linesize.0),
      (pointer.pointee.data.1, pointer.pointee.linesize.1),
      (pointer.pointee.data.2, pointer.pointee.linesize.2),
    ][index]
    let (width, height) = (Int(pointer.pointee.width), Int(pointer.pointee.height))
    let fits =
      index == 0
      ? (plane.width, plane.height) == (width, height)
      : (plane.width, plane.height) == ((width + 1) / 2, (height + 1) / 2)
    guard fits, let data = target.0 else { return false }
    plane.samples.withUnsafeBufferPointer { samples in
      guard let base = samples.baseAddress else { return }
      for row in 0..<plane.height {
        (data + row * Int(target.1)).update(from: base + row * plane.width, count: plane.width)
      }
    }
    return true
  }
}
