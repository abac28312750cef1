// SPDX-License-Identifier: Apache-2.0
package import SubtitleModel

/// Why a presentation graphics stream cannot be written as asked.
package enum PGSWritingFault: Error, Sendable, Hashable, CustomStringConvertible {
  /// A number does not fit its field; `range` is what the field holds.
  case outOfRange(structure: String, field: String, value: Int, range: ClosedRange<Int>)
  /// More of something than the format allows.
  case limitExceeded(what: String, count: Int, limit: Int)
  /// A picture ends before it starts, or begins before its predecessor ends.
  case disordered(picture: Int, start: Int64, bound: Int64)
  /// A crop is empty or leaves its bitmap.
  case cropOutside(picture: Int, crop: PixelRect, width: Int, height: Int)

  /// One sentence with place and values.
  package var description: String {
    switch self {
    case .outOfRange(let structure, let field, let value, let range):
      "\(structure): \(field) is \(value), outside \(range.lowerBound) to \(range.upperBound)"
    case .limitExceeded(let what, let count, let limit):
      "\(what): \(count), more than the \(limit) that the format allows"
    case .disordered(let picture, let start, let bound):
      "picture \(picture + 1) is at 90 kHz tick \(start), which must not be before tick \(bound)"
    case .cropOutside(let picture, let crop, let width, let height):
      "picture \(picture + 1): the crop of \(crop.width)x\(crop.height) at \(crop.x),\(crop.y) "
        + "does not lie within its bitmap of \(width)x\(height)"
    }
  }
}

/// Narrows a number to its field, or names the field that cannot hold it.
func field<Number: FixedWidthInteger>(
  _ value: Int, _ name: String, of structure: String, as type: Number.Type
) throws(PGSWritingFault) -> Number {
  guard let narrowed = Number(exactly: value) else {
    throw .outOfRange(
      structure: structure, field: name, value: value, range: Int(Number.min)...Int(Number.max))
  }
  return narrowed
}
