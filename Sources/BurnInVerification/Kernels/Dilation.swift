// SPDX-License-Identifier: Apache-2.0

/// Growing a mask by an elliptical element.
enum Dilation {
  /// Half widths of the rows of a disc of a radius, from its top row to its bottom row: row `d`
  /// from the middle reaches `sqrt(r^2 - d^2)` columns, rounded, to either side.
  static func discHalfWidths(radius: Int) -> [Int] {
    (-radius...radius).map { wholeNumber(Double(radius * radius - $0 * $0).squareRoot()) }
  }

  /// Sets in `target` every sample that a disc of `radius` around a set sample of `source` covers.
  ///
  /// - Parameters:
  ///   - source: The mask; samples outside it count as not set.
  ///   - target: Another mask.
  ///   - halfWidths: Columns reached to either side, by row of the element; an odd number of rows.
  ///   - scratch: Memory to work in.
  static func dilate(
    _ source: Mask, into target: Mask, halfWidths: [Int], scratch: Mask
  ) {
    let width = source.width
    let height = source.height
    let radius = halfWidths.count / 2
    let reach = halfWidths.max() ?? 0
    target.reshape(width, height)
    target.fill(0)
    // Row k of the scratch: the source row widened by k, with `reach` columns of room at both ends.
    let stride = width + 2 * reach
    scratch.reshape(stride, reach + 1)
    scratch.fill(0)
    for y in 0..<height {
      let row = source.row(y)
      if !isAnySet(row, width) { continue }
      (scratch.row(0) + reach).update(from: row, count: width)
      for k in 1..<max(1, reach + 1) { widen(scratch.row(0), by: k, scratch, reach, width) }
      for (index, half) in halfWidths.enumerated() {
        let other = y + index - radius
        guard other >= 0 && other < height else { continue }
        merge(scratch.row(half) + reach, into: target.row(other), width)
      }
    }
  }

  private static func isAnySet(_ row: UnsafePointer<UInt8>, _ width: Int) -> Bool {
    var all: UInt8 = 0
    for x in 0..<width { all |= row[x] }
    return all != 0
  }

  private static func widen(
    _ source: UnsafePointer<UInt8>, by k: Int, _ scratch: Mask, _ reach: Int, _ width: Int
  ) {
    let previous = scratch.row(k - 1) + reach
    let out = scratch.row(k) + reach
    let left = source + (reach - k)
    let right = source + (reach + k)
    for x in 0..<width { out[x] = previous[x] | left[x] | right[x] }
  }

  private static func merge(
    _ source: UnsafePointer<UInt8>, into target: UnsafeMutablePointer<UInt8>, _ width: Int
  ) {
    for x in 0..<width { target[x] |= source[x] }
  }
}
