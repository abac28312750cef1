// SPDX-License-Identifier: Apache-2.0

public import SubtitleModel

/// How a media server lays a subtitle canvas out in the video frame.
///
/// Each case is one observed filter chain. Sizes and offsets are those that FFmpeg's `scale`, `crop`
/// and `pad` filters arrive at in 4:2:0, where widths, heights and offsets are rounded down to even
/// numbers.
public enum Layout: String, Sendable, Hashable, CaseIterable, Codable {
  /// Canvas pixels are frame pixels, from the top left corner, without scaling.
  case plain
  /// Jellyfin 10.8: the canvas is stretched to the frame.
  case jellyfin108 = "jellyfin-10.8"
  /// Jellyfin 10.9: the canvas is fitted to the frame's height, centred, padded and cropped.
  case jellyfin109 = "jellyfin-10.9"
  /// Jellyfin 10.10 to 12: stretched where both aspect ratios agree, else as 10.9.
  case jellyfin
  /// Emby 3.5: the canvas is fitted inside the frame, at the top left corner.
  case emby35 = "emby-3.5"

  /// How much two aspect ratios may differ for Jellyfin 10.10 to call them equal.
  ///
  /// The server compares with a constant of single precision, hence the detour.
  static let aspectTolerance = Double(Float(0.01))

  /// The layout of a Jellyfin server of the given version.
  ///
  /// - Parameter version: What the server says of itself, such as `10.10.3` or `12.0.0`.
  /// - Returns: The layout, or nil for a version that is not known.
  public static func forJellyfin(version: String) -> Layout? {
    let fields = version.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false)
    func number(_ position: Int) -> Int? {
      guard position < fields.count else { return nil }
      return Int(fields[position].prefix { $0.isASCII && $0.isNumber })
    }
    guard let major = number(0) else { return nil }
    if major > 10 { return .jellyfin }
    guard major == 10, let minor = number(1) else { return nil }
    switch minor {
    case ..<8: return nil
    case 8: return .jellyfin108
    case 9: return .jellyfin109
    default: return .jellyfin
    }
  }

  /// Where canvas points come to lie in the frame.
  ///
  /// - Parameters:
  ///   - canvas: The size of the subtitle canvas.
  ///   - frame: The size of the stored video picture that is drawn on.
  /// - Returns: The affine map between edge coordinates.
  public func placement(canvas: Canvas, frame: Canvas) -> Placement {
    let steps = arrangement(canvas: canvas, frame: frame)
    return Placement(
      scaleX: Double(steps.scaled.width) / Double(max(1, canvas.width)),
      offsetX: Double(steps.originX),
      scaleY: Double(steps.scaled.height) / Double(max(1, canvas.height)),
      offsetY: Double(steps.originY))
  }

  /// The whole-pixel steps from canvas to frame.
  ///
  /// - Parameters:
  ///   - canvas: The size of the subtitle canvas.
  ///   - frame: The size of the stored video picture that is drawn on.
  /// - Returns: The scaled size, the part of it that is used, and where it begins in the frame.
  public func arrangement(canvas: Canvas, frame: Canvas) -> Arrangement {
    switch self {
    case .plain:
      return Arrangement(scaled: canvas, originX: 0, originY: 0, scaling: .none)
    case .jellyfin108:
      return Arrangement(scaled: frame, originX: 0, originY: 0, scaling: .fastBilinear)
    case .jellyfin109:
      return Self.heightFit(canvas: canvas, frame: frame)
    case .jellyfin:
      let frameAspect = Double(frame.width) / Double(max(1, frame.height))
      let canvasAspect = Double(canvas.width) / Double(max(1, canvas.height))
      return abs(frameAspect - canvasAspect) < Self.aspectTolerance
        ? Arrangement(scaled: frame, originX: 0, originY: 0, scaling: .fastBilinear)
        : Self.heightFit(canvas: canvas, frame: frame)
    case .emby35:
      let width = min(frame.width, Self.rescaled(frame.height, canvas.width, canvas.height))
      let height = min(frame.height, Self.rescaled(frame.width, canvas.height, canvas.width))
      return Arrangement(
        scaled: Canvas(width: width, height: height), originX: 0, originY: 0, scaling: .bicubic)
    }
  }

  /// `scale=-1:H, crop, pad to at least WxH about the centre, crop=W:H` in 4:2:0.
  private static func heightFit(canvas: Canvas, frame: Canvas) -> Arrangement {
    let scaled = Canvas(
      width: rescaled(frame.height, canvas.width, canvas.height), height: frame.height)
    let inner = Canvas(width: even(scaled.width), height: even(scaled.height))
    let padded = Canvas(
      width: max(frame.width, inner.width), height: max(frame.height, inner.height))
    let padX = even((padded.width - inner.width) / 2)
    let padY = even((padded.height - inner.height) / 2)
    let cropX = even((even(padded.width) - even(frame.width)) / 2)
    let cropY = even((even(padded.height) - even(frame.height)) / 2)
    return Arrangement(
      scaled: scaled, originX: padX - cropX, originY: padY - cropY, scaling: .fastBilinear,
      kept: inner)
  }

  /// `value * numerator / denominator` rounded to the nearest whole number, at least 1.
  private static func rescaled(_ value: Int, _ numerator: Int, _ denominator: Int) -> Int {
    let quotient = Double(value) * Double(numerator) / Double(max(1, denominator))
    return max(1, Int(min(quotient, 1e9).rounded()))
  }

  /// The even number at or below a size.
  private static func even(_ value: Int) -> Int { value & ~1 }
}

/// The steps from canvas to frame in whole pixels, as FFmpeg's filters take them.
public struct Arrangement: Sendable, Hashable {
  /// How the canvas is resampled.
  public enum Scaling: Sendable, Hashable {
    /// Not at all.
    case none
    /// libswscale's `fast_bilinear`.
    case fastBilinear
    /// libswscale's `bicubic`.
    case bicubic
  }

  /// The size that the canvas is scaled to.
  public var scaled: Canvas
  /// The column of the frame where the scaled canvas begins; negative where it is cropped.
  public var originX: Int
  /// The row of the frame where the scaled canvas begins; negative where it is cropped.
  public var originY: Int
  /// How the canvas is resampled.
  public var scaling: Scaling
  /// The part of the scaled canvas that is used, from its top left corner.
  public var kept: Canvas

  /// Makes steps; without `kept` the whole scaled canvas is used.
  public init(
    scaled: Canvas, originX: Int, originY: Int, scaling: Scaling, kept: Canvas? = nil
  ) {
    self.scaled = scaled
    self.originX = originX
    self.originY = originY
    self.scaling = scaling
    self.kept = kept ?? scaled
  }
}
