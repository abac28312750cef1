// SPDX-License-Identifier: Apache-2.0
internal import CFFmpegShims
public import SubtitleModel

/// A picture in planar 8-bit Y'CbCr 4:2:0 with a full-size plane of straight alpha (`yuva420p`).
public struct AlphaPlanarPicture: Sendable, Hashable {
  /// Y samples, limited range.
  public var luma: SamplePlane
  /// Cb samples, `(width + 1) / 2` by `(height + 1) / 2`.
  public var cb: SamplePlane
  /// Cr samples, of the same size as `cb`.
  public var cr: SamplePlane
  /// Straight alpha, of the size of `luma`, 255 is opaque.
  public var alpha: SamplePlane

  /// Makes a picture of its planes.
  public init(luma: SamplePlane, cb: SamplePlane, cr: SamplePlane, alpha: SamplePlane) {
    self.luma = luma
    self.cb = cb
    self.cr = cr
    self.alpha = alpha
  }
}

/// How the scaler weighs samples; the names are those of FFmpeg's `scale` filter.
public enum ScalingFilter: String, Sendable, Hashable, CaseIterable {
  /// `fast_bilinear`, which the usual servers ask for.
  case fastBilinear = "fast_bilinear"
  /// `bilinear`.
  case bilinear
  /// `bicubic`, FFmpeg's default.
  case bicubic
  /// `area`.
  case area
  /// `lanczos`.
  case lanczos
  /// `neighbor`.
  case nearest = "neighbor"

  /// The number in the shim.
  var number: Int32 {
    switch self {
    case .fastBilinear: Int32(bs_filter_fast_bilinear)
    case .bilinear: Int32(bs_filter_bilinear)
    case .bicubic: Int32(bs_filter_bicubic)
    case .area: Int32(bs_filter_area)
    case .lanczos: Int32(bs_filter_lanczos)
    case .nearest: Int32(bs_filter_nearest)
    }
  }
}

/// The coefficients between RGB and Y'CbCr.
public enum ColorMatrix: String, Sendable, Hashable, CaseIterable {
  /// BT.601, which FFmpeg uses where nothing else is said.
  case bt601
  /// BT.709.
  case bt709
  /// BT.2020, non-constant luminance.
  case bt2020

  /// The number in the library.
  var number: Int32 {
    switch self {
    case .bt601: bs_matrix_601
    case .bt709: bs_matrix_709
    case .bt2020: bs_matrix_2020
    }
  }
}

/// Scales subtitle canvases by libswscale, as FFmpeg's `scale` filter does.
///
/// Pixels go in as FFmpeg's subtitle canvases do (B, G, R, A in memory, straight alpha), into
/// buffers laid out and aligned as a filter's are, with the filter's options, so that the result is
/// the filter's own.
public struct CanvasScaler: Sendable {
  /// What the scaler gives.
  public enum Output: Sendable, Hashable {
    /// RGBA with straight alpha.
    case rgba
    /// Planar Y'CbCr 4:2:0 with alpha, limited range; FFmpeg's own choice is `.bt601`.
    case yuva420(matrix: ColorMatrix)
  }

  /// A scaled picture in the form that was asked for.
  public enum Picture: Sendable, Hashable {
    /// RGBA with straight alpha.
    case rgba(RGBABitmap)
    /// Planar Y'CbCr 4:2:0 with alpha.
    case yuva420(AlphaPlanarPicture)
  }

  /// The largest width and height of either side.
  public static let maximumSide = 16384

  /// Makes a scaler.
  public init() {}

  /// Scales a picture and converts it.
  ///
  /// - Parameters:
  ///   - bitmap: RGBA with straight alpha.
  ///   - size: The size wanted; each side 1 to `maximumSide`.
  ///   - filter: How samples are weighed.
  ///   - output: The form wanted.
  /// - Returns: The scaled picture.
  /// - Throws: `MediaError` of kind `.tooLarge` or `.invalidRequest`.
  public func scale(
    _ bitmap: RGBABitmap, to size: Canvas, filter: ScalingFilter, output: Output
  ) throws -> Picture {
    switch output {
    case .rgba: .rgba(try rgba(bitmap, to: size, filter: filter))
    case .yuva420(let matrix):
      .yuva420(try planar(bitmap, to: size, filter: filter, matrix: matrix))
    }
  }

  /// Scales a picture to RGBA with straight alpha.
  ///
  /// libswscale scales RGB by way of Y'CbCr, so colours may change by a code or two unless the size
  /// stays the same.
  ///
  /// - Throws: As `scale` does.
  public func rgba(_ bitmap: RGBABitmap, to size: Canvas, filter: ScalingFilter) throws
    -> RGBABitmap
  {
    let frame = try scaled(bitmap, to: size, filter: filter, format: AV_PIX_FMT_BGRA, matrix: 0)
    let count = 4 * size.width * size.height
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      bs_frame_to_rgba(frame.pointer, buffer.baseAddress)
      initialized = count
    }
    return RGBABitmap(width: size.width, height: size.height, bytes: bytes)
  }

  /// Scales a picture to planar Y'CbCr 4:2:0 with alpha, limited range.
  ///
  /// - Throws: As `scale` does.
  public func planar(
    _ bitmap: RGBABitmap, to size: Canvas, filter: ScalingFilter, matrix: ColorMatrix = .bt601
  ) throws -> AlphaPlanarPicture {
    let frame = try scaled(
      bitmap, to: size, filter: filter, format: AV_PIX_FMT_YUVA420P,
      matrix: matrix == .bt601 ? 0 : matrix.number)
    let half = Canvas(width: (size.width + 1) / 2, height: (size.height + 1) / 2)
    return AlphaPlanarPicture(
      luma: frame.plane(0, size), cb: frame.plane(1, half), cr: frame.plane(2, half),
      alpha: frame.plane(3, size))
  }

  private func scaled(
    _ bitmap: RGBABitmap, to size: Canvas, filter: ScalingFilter, format: AVPixelFormat,
    matrix: Int32
  ) throws -> Frame {
    let sides = [bitmap.width, bitmap.height, size.width, size.height]
    guard sides.allSatisfy({ (1...Self.maximumSide).contains($0) }) else {
      throw MediaError(
        .tooLarge,
        "a picture of \(bitmap.width)x\(bitmap.height) cannot be scaled to \(size): "
          + "sides must be 1 to \(Self.maximumSide)")
    }
    let from = try Frame(
      width: bitmap.width, height: bitmap.height, format: AV_PIX_FMT_BGRA)
    bitmap.bytes.withUnsafeBufferPointer { bs_rgba_to_frame($0.baseAddress, from.pointer) }
    let to = try Frame(width: size.width, height: size.height, format: format)
    let code = bs_scale(from.pointer, to.pointer, filter.number, matrix)
    guard code >= 0 else {
      throw MediaError(
        .invalidRequest,
        "a picture of \(bitmap.width)x\(bitmap.height) cannot be scaled to \(size): "
          + libraryMessage(code))
    }
    return to
  }
}
