// SPDX-License-Identifier: Apache-2.0

public import SubtitleModel

/// The matrix between R'G'B' and Y'CbCr.
public enum ColorMatrix: String, Sendable, Hashable, CaseIterable {
  /// ITU-R BT.601, of standard definition.
  case bt601
  /// ITU-R BT.709, of high definition.
  case bt709
  /// ITU-R BT.2020, non-constant luminance.
  case bt2020

  /// The matrix of a video stream.
  ///
  /// - Parameters:
  ///   - tag: FFmpeg's name of the matrix, such as `bt709`; nil or an unknown name where the file
  ///     does not say.
  ///   - height: Rows of the stored picture, which decide where the tag does not: BT.601 up to 576,
  ///     BT.709 above.
  /// - Returns: The matrix to convert by.
  public static func ofVideo(tag: String?, height: Int) -> ColorMatrix {
    switch tag {
    case "bt709": .bt709
    case "bt2020nc", "bt2020c": .bt2020
    case "smpte170m", "bt470bg", "fcc": .bt601
    default: height > 576 ? .bt709 : .bt601
    }
  }

  /// The weights of red and blue in luma (BT.601-7 2.5.1, BT.709-6 3.2, BT.2020-2 table 4).
  var lumaWeights: (red: Double, blue: Double) {
    switch self {
    case .bt601: (0.299, 0.114)
    case .bt709: (0.2126, 0.0722)
    case .bt2020: (0.2627, 0.0593)
    }
  }
}

extension PlanarFrame {
  /// The frame as opaque full-range RGB.
  ///
  /// The frame is taken as limited range. Each chroma sample serves its four pixels as it is, without
  /// interpolation, as FFmpeg's unscaled conversion does.
  ///
  /// - Parameter matrix: The matrix of the video.
  /// - Returns: A picture of the luma's size with alpha 255.
  /// - Throws: `.planesDisagree` or `.sizeOutOfRange` for planes that make no picture.
  public func rgba(matrix: ColorMatrix) throws(CompositingFault) -> RGBABitmap {
    let size = Canvas(width: luma.width, height: luma.height)
    try CompositingFault.check(size)
    guard cb.width == (luma.width + 1) / 2, cb.height == (luma.height + 1) / 2,
      cr.width == cb.width, cr.height == cb.height
    else { throw .planesDisagree(size) }
    let terms = ConversionTerms(matrix)
    var bytes = [UInt8](repeating: 255, count: 4 * size.width * size.height)
    bytes.withUnsafeMutableBufferPointer { target in
      for row in 0..<size.height {
        let chromaStart = row / 2 * cb.width
        let lumaStart = row * size.width
        for column in 0..<size.width {
          let y = terms.luma[Int(luma.samples[lumaStart + column])]
          let u = Int32(cb.samples[chromaStart + column / 2]) - 128
          let v = Int32(cr.samples[chromaStart + column / 2]) - 128
          let place = 4 * (lumaStart + column)
          target[place] = ConversionTerms.clamp(y &+ terms.redOfCr &* v)
          target[place + 1] = ConversionTerms.clamp(
            y &- terms.greenOfCb &* u &- terms.greenOfCr &* v)
          target[place + 2] = ConversionTerms.clamp(y &+ terms.blueOfCb &* u)
        }
      }
    }
    return RGBABitmap(width: size.width, height: size.height, bytes: bytes)
  }
}

/// The numbers of one conversion in 65536ths, limited range to full range.
private struct ConversionTerms {
  let luma: [Int32]
  let redOfCr: Int32
  let greenOfCb: Int32
  let greenOfCr: Int32
  let blueOfCb: Int32

  init(_ matrix: ColorMatrix) {
    let (red, blue) = matrix.lumaWeights
    let green = 1 - red - blue
    // Chroma runs over 224 codes, luma over 219, RGB over 255.
    let chroma = 65536.0 * 255 / 224
    redOfCr = Int32((2 * (1 - red) * chroma).rounded())
    blueOfCb = Int32((2 * (1 - blue) * chroma).rounded())
    greenOfCr = Int32((2 * (1 - red) * red / green * chroma).rounded())
    greenOfCb = Int32((2 * (1 - blue) * blue / green * chroma).rounded())
    luma = (0..<256).map { Int32((Double($0 - 16) * 65536 * 255 / 219).rounded()) + 32768 }
  }

  /// The whole part, within 0 to 255.
  @inline(__always)
  static func clamp(_ value: Int32) -> UInt8 { UInt8(max(0, min(255, value >> 16))) }
}
