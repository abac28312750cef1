// SPDX-License-Identifier: Apache-2.0

public import SubtitleModel

/// Composites a colour over another, both as words of R, G, B, A with straight alpha, red lowest.
///
/// Components are rounded to the nearest; what is below an opaque colour does not count, and what
/// lies over nothing stays as it is.
func overStraight(_ top: UInt32, _ below: UInt32) -> UInt32 {
  let topAlpha = top >> 24
  let belowAlpha = below >> 24
  if topAlpha == 255 || belowAlpha == 0 { return top }
  if topAlpha == 0 { return below }
  if belowAlpha == 255 { return overOpaque(top, below) }
  // All weights in 255ths of 255ths: at most 65025, products below 2^24.
  let topWeight = topAlpha * 255
  let belowWeight = belowAlpha * (255 - topAlpha)
  let sum = topWeight + belowWeight
  func mixed(_ shift: UInt32) -> UInt32 {
    let product = (top >> shift & 255) * topWeight + (below >> shift & 255) * belowWeight
    return ((product + sum / 2) / sum) << shift
  }
  return mixed(0) | mixed(8) | mixed(16) | ((sum + 127) / 255) << 24
}

/// Composites a straight colour over an opaque one; two components a multiplication.
@inline(__always)
func overOpaque(_ top: UInt32, _ below: UInt32) -> UInt32 {
  let alpha = top >> 24
  let rest = 255 - alpha
  // Lanes of 16 bits: c * a + b * (255 - a) is at most 65025, so no lane reaches into the next.
  let redBlue = (top & 0x00FF_00FF) &* alpha &+ (below & 0x00FF_00FF) &* rest
  let green = (top >> 8 & 0xFF) &* alpha &+ (below >> 8 & 0xFF) &* rest
  return divided(redBlue) | divided(green) << 8 & 0x0000_FF00 | 0xFF00_0000
}

/// Divides both 16-bit lanes by 255, rounded to the nearest; lanes hold at most 65025.
@inline(__always)
private func divided(_ lanes: UInt32) -> UInt32 {
  let biased = lanes &+ 0x0080_0080
  return (biased &+ (biased >> 8 & 0x00FF_00FF)) >> 8 & 0x00FF_00FF
}

extension RGBABitmap {
  /// Composites a picture with straight alpha over this one.
  ///
  /// - Parameters:
  ///   - top: The picture that comes above.
  ///   - x: The column of this picture where the left edge of `top` comes to lie; may be negative.
  ///   - y: The row of this picture where the top edge of `top` comes to lie; may be negative.
  ///   - kept: The part of `top` that counts, from its top left corner; all of it if nil.
  public mutating func composite(_ top: RGBABitmap, x: Int, y: Int, kept: Canvas? = nil) {
    guard
      let span = OverlapSpan(
        x: x, y: y, width: min(top.width, kept?.width ?? top.width),
        height: min(top.height, kept?.height ?? top.height), inWidth: width, inHeight: height)
    else { return }
    let (width, topWidth) = (width, top.width)
    top.bytes.withUnsafeBytes { source in
      bytes.withUnsafeMutableBytes { target in
        for row in span.rows {
          let from = 4 * (row * topWidth)
          let to = 4 * ((y + row) * width + x)
          for column in span.columns {
            let above = UInt32(
              littleEndian: source.load(fromByteOffset: from + 4 * column, as: UInt32.self))
            if above >> 24 == 0 { continue }
            let below = UInt32(
              littleEndian: target.load(fromByteOffset: to + 4 * column, as: UInt32.self))
            target.storeBytes(
              of: overStraight(above, below).littleEndian, toByteOffset: to + 4 * column,
              as: UInt32.self)
          }
        }
      }
    }
  }
}

/// The rows and columns of a picture that lie inside another one.
struct OverlapSpan {
  let columns: Range<Int>
  let rows: Range<Int>

  /// Cuts a picture at `x`, `y` to the other's size; nil where nothing is left.
  init?(x: Int, y: Int, width: Int, height: Int, inWidth: Int, inHeight: Int) {
    guard x < inWidth, y < inHeight, x > -width, y > -height else { return nil }
    let left = max(0, -x)
    let top = max(0, -y)
    let right = min(width, inWidth - x)
    let bottom = min(height, inHeight - y)
    guard left < right, top < bottom else { return nil }
    columns = left..<right
    rows = top..<bottom
  }
}
