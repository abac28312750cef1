// SPDX-License-Identifier: Apache-2.0

/// Plain sums of a vector template over a vector field, at few shifts.
enum WindowCorrelation {
  /// The sums of `tx * nx + ty * ny` at shifts of -margin...margin in both directions.
  ///
  /// - Parameters:
  ///   - tx: Template across.
  ///   - ty: Template down, of the same size.
  ///   - columns: The template's columns that take part.
  ///   - nx: Field across.
  ///   - ny: Field down, of the same size.
  ///   - left: The field's column under template column 0 at shift 0.
  ///   - top: The field's row under template row 0 at shift 0.
  ///   - margin: m.
  /// - Returns: `2 m + 1` rows (shift down) of `2 m + 1` sums (shift right).
  static func run(
    _ tx: Plane, _ ty: Plane, columns: Range<Int>, _ nx: Plane, _ ny: Plane, left: Int, top: Int,
    margin: Int
  ) -> [Double] {
    precondition(columns.lowerBound >= 0 && columns.upperBound <= tx.width)
    precondition(left >= margin && left + tx.width + margin <= nx.width)
    precondition(top >= margin && top + tx.height + margin <= nx.height)
    precondition(ty.width == tx.width && ty.height == tx.height)
    precondition(ny.width == nx.width && ny.height == nx.height)
    let side = 2 * margin + 1
    var sums = [Double](repeating: 0, count: side * side)
    for y in 0..<tx.height {
      let (a, b) = (tx.row(y) + columns.lowerBound, ty.row(y) + columns.lowerBound)
      for v in 0..<side {
        let row = top + y + v - margin
        for u in 0..<side {
          let column = left + columns.lowerBound + u - margin
          sums[v * side + u] += Double(
            Sums.dot(a, nx.row(row) + column, columns.count)
              + Sums.dot(b, ny.row(row) + column, columns.count))
        }
      }
    }
    return sums
  }
}
