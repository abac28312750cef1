// SPDX-License-Identifier: Apache-2.0
import SubtitleModel

/// Finds where two pictures differ.
enum PictureDifference {
  /// The difference of two pictures of one size; nil if there is none.
  ///
  /// Pixels without alpha are the same whatever their colour.
  static func between(_ left: RGBABitmap, _ right: RGBABitmap) -> CuePictureDifference? {
    guard left.bytes != right.bytes else { return nil }
    var (count, most) = (0, 0)
    var (first, last) = ((x: Int.max, y: Int.max), (x: -1, y: -1))
    left.bytes.withUnsafeBytes { left in
      right.bytes.withUnsafeBytes { other in
        for pixel in 0..<(min(left.count, other.count) / 4) {
          let one = left.loadUnaligned(fromByteOffset: 4 * pixel, as: UInt32.self)
          let two = other.loadUnaligned(fromByteOffset: 4 * pixel, as: UInt32.self)
          if one == two || (left[4 * pixel + 3] == 0 && other[4 * pixel + 3] == 0) { continue }
          count += 1
          for part in 0..<4 {
            most = max(most, abs(Int(left[4 * pixel + part]) - Int(other[4 * pixel + part])))
          }
          let (x, y) = (pixel % right.width, pixel / right.width)
          first = (min(first.x, x), min(first.y, y))
          last = (max(last.x, x), max(last.y, y))
        }
      }
    }
    guard count > 0 else { return nil }
    return CuePictureDifference(
      pixels: count,
      box: PixelRect(
        x: first.x, y: first.y, width: last.x - first.x + 1, height: last.y - first.y + 1),
      most: most, cause: nil)
  }
}
