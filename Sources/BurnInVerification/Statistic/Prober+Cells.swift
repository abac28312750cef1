// SPDX-License-Identifier: Apache-2.0

extension Prober {
  /// Cuts the text in cells of about one line height and finds the share that matches by itself.
  ///
  /// A cell counts if it has at least 0.35 of the mean edge energy of all cells, and matches if its
  /// own eta is at least 0.35.
  func cover(_ box: Box, _ line: Double, _ result: inout Measurement) {
    let rows = Self.edges(alpha.height, parts: max(1, wholeNumber(Double(alpha.height) / line)))
    let cellWidth = max(8, line * 1.1)
    let columns = Self.edges(
      box.width, parts: max(1, wholeNumber(Double(box.width) / cellWidth)))
    let cells = (rows.count - 1) * (columns.count - 1)
    var sums = [Cell](repeating: Cell(), count: cells)
    var index = 0
    for (top, bottom) in zip(rows, rows.dropFirst()) {
      for (start, end) in zip(columns, columns.dropFirst()) {
        for y in top..<bottom {
          add(y, box.left + start, end - start, result.dx, result.dy, &sums[index])
        }
        index += 1
      }
    }
    let mean = sums.reduce(0) { $0 + $1.energy } / Double(max(1, cells))
    var (total, found, count) = (0.0, 0.0, 0)
    for cell in sums where cell.energy >= 0.35 * mean && cell.energy > 0 {
      total += cell.energy
      count += 1
      if cell.found / max(cell.expected, 0.15 * cell.energy) >= 0.35 { found += cell.energy }
    }
    result.blocks = count
    result.coverage = total > 0 ? found / total : 0
  }

  private struct Cell {
    var found = 0.0
    var expected = 0.0
    var energy = 0.0
  }

  private func add(
    _ y: Int, _ column: Int, _ count: Int, _ dx: Int, _ dy: Int, _ cell: inout Cell
  ) {
    let (a, b) = (tx.row(y) + column, ty.row(y) + column)
    let row = y + ground.reach + dy
    let place = column + ground.reach + dx
    cell.found += Double(
      Sums.dot(nx.row(row) + place, a, count) + Sums.dot(ny.row(row) + place, b, count))
    let (own, ownRow) = (column + Self.collar, y + Self.collar)
    cell.expected += Double(
      Sums.dot(ex.row(ownRow) + own, a, count) + Sums.dot(ey.row(ownRow) + own, b, count))
    cell.energy += Double(Sums.lengths(a, b, count))
  }

  /// The whole numbers at or below equally spaced points from 0 to `length`.
  static func edges(_ length: Int, parts: Int) -> [Int] {
    let step = Double(length) / Double(parts)
    return (0...parts).map { $0 == parts ? length : Int(Double($0) * step) }
  }

  /// Slope of the frame's luma on the layer's, and the level of the bright fill.
  func levels(_ box: Box, _ result: inout Measurement) {
    let reach = ground.reach
    var (count, sx, sy, sxx, sxy) = (0.0, 0.0, 0.0, 0.0, 0.0)
    var (seen, own) = (Histogram.luma(), Histogram.luma())
    for y in 0..<alpha.height {
      let (a, s) = (alpha.row(y), luma.row(y))
      let observed = ground.seen.row(y + reach + result.dy) + reach + result.dx
      for x in box.left..<(box.left + box.width) where a[x] > 0.8 {
        // About 126, so that sums of squares lose nothing.
        let (p, q) = (Double(s[x]) - 126, Double(observed[x]) - 126)
        count += 1
        sx += p
        sy += q
        sxx += p * p
        sxy += p * q
        if a[x] > 0.95 && s[x] > 200 {
          seen.add(observed[x])
          own.add(s[x])
        }
      }
    }
    let spread = sxx - sx * sx / max(count, 1)
    result.slope = count >= 20 && spread >= 1 ? (sxy - sx * sy / count) / spread : nil
    result.fill = seen.count > 8 ? Double(seen.median / own.median) : nil
  }
}
