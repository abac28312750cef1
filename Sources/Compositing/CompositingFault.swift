// SPDX-License-Identifier: Apache-2.0

public import SubtitleModel

/// Why a picture cannot be drawn.
public enum CompositingFault: Error, Sendable, Hashable, CustomStringConvertible {
  /// A picture has no pixels, or more than ``maximumPixels``.
  case sizeOutOfRange(Canvas)
  /// Planes that belong together have sizes that do not fit each other.
  case planesDisagree(Canvas)

  /// The most pixels that one picture may have: twice 8192 by 4320, the largest picture of any
  /// format that is drawn on.
  public static let maximumPixels = 2 * 8192 * 4320

  /// What is wrong, in one sentence.
  public var description: String {
    switch self {
    case .sizeOutOfRange(let size):
      "a picture of \(size) pixels cannot be drawn; sizes run from 1x1 to "
        + "\(Self.maximumPixels) pixels in all."
    case .planesDisagree(let size):
      "the planes of a picture of \(size) pixels do not fit each other."
    }
  }

  /// Refuses sizes that no buffer should be made for.
  static func check(_ size: Canvas) throws(CompositingFault) {
    guard size.width > 0, size.height > 0 else { throw .sizeOutOfRange(size) }
    let (pixels, overflow) = size.width.multipliedReportingOverflow(by: size.height)
    guard !overflow, pixels <= maximumPixels else { throw .sizeOutOfRange(size) }
  }
}
