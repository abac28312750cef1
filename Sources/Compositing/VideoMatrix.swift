// SPDX-License-Identifier: Apache-2.0

/// The matrix between R'G'B' and Y'CbCr.
public enum VideoMatrix: String, Sendable, Hashable, CaseIterable {
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
  public static func ofVideo(tag: String?, height: Int) -> VideoMatrix {
    switch tag {
    case "bt709": .bt709
    case "bt2020nc", "bt2020c": .bt2020
    case "smpte170m", "bt470bg", "fcc": .bt601
    default: height > 576 ? .bt709 : .bt601
    }
  }
}
