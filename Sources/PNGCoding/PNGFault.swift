// SPDX-License-Identifier: Apache-2.0

/// Why a picture could not be written as PNG or read from it.
public enum PNGFault: Error, Sendable, Hashable, CustomStringConvertible {
  /// The bytes do not begin with the PNG signature.
  case notPNG
  /// The header announces more pixels than the caller allows.
  case tooLarge(width: Int, height: Int, maximumPixels: Int)
  /// The bitmap has no pixel, or more columns or rows than a PNG can hold.
  case unencodable(width: Int, height: Int)
  /// The file is damaged or truncated; the text is libpng's.
  case damaged(String)
  /// Writing failed; the text is libpng's.
  case writing(String)

  /// One sentence with the values.
  public var description: String {
    switch self {
    case .notPNG:
      "the data is not a PNG image: its first 8 bytes are not the PNG signature"
    case .tooLarge(let width, let height, let maximumPixels):
      "the PNG image has \(width)x\(height) pixels, more than the \(maximumPixels) allowed"
    case .unencodable(let width, let height):
      "a bitmap of \(width)x\(height) pixels cannot be written as PNG"
    case .damaged(let text):
      "the PNG image is damaged: \(text)"
    case .writing(let text):
      "the PNG image could not be written: \(text)"
    }
  }
}
