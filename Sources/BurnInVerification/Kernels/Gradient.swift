// SPDX-License-Identifier: Apache-2.0

/// Central differences and their soft normalisation.
enum Gradient {
  /// The luma step at which the soft normalisation gives one half.
  static let softness: Float = 8

  /// Half the difference of the two neighbours, for a plane that is 0 all around.
  static func ofIsland(_ source: Plane, _ dx: Plane, _ dy: Plane) {
    let width = source.width
    let height = source.height
    dx.reshape(width, height)
    dy.reshape(width, height)
    guard width > 0 && height > 0 else { return }
    for y in 0..<height {
      let row = source.row(y)
      let x = dx.row(y)
      if width == 1 {
        x[0] = 0
      } else {
        x[0] = row[1] * 0.5
        differences(row, row + 2, x + 1, width - 2)
        x[width - 1] = -row[width - 2] * 0.5
      }
      let out = dy.row(y)
      switch (y > 0, y + 1 < height) {
      case (true, true): differences(source.row(y - 1), source.row(y + 1), out, width)
      case (true, false): scale(source.row(y - 1), -0.5, out, width)
      case (false, true): scale(source.row(y + 1), 0.5, out, width)
      case (false, false): out.update(repeating: 0, count: width)
      }
    }
  }

  private static func differences(
    _ low: UnsafePointer<Float>, _ high: UnsafePointer<Float>, _ out: UnsafeMutablePointer<Float>,
    _ count: Int
  ) {
    for i in 0..<max(0, count) { out[i] = (high[i] - low[i]) * 0.5 }
  }

  private static func scale(
    _ source: UnsafePointer<Float>, _ factor: Float, _ out: UnsafeMutablePointer<Float>,
    _ count: Int
  ) {
    for i in 0..<count { out[i] = source[i] * factor }
  }

  /// The gradient divided by its length plus `softness`; 0 on the outermost rows and columns.
  static func soft(_ source: Plane, _ nx: Plane, _ ny: Plane) {
    let width = source.width
    let height = source.height
    nx.reshape(width, height)
    ny.reshape(width, height)
    guard width > 0 && height > 0 else { return }
    for y in [0, height - 1] {
      nx.row(y).update(repeating: 0, count: width)
      ny.row(y).update(repeating: 0, count: width)
    }
    guard height > 2 else { return }
    for y in 1..<(height - 1) {
      softRow(
        source.row(y - 1), source.row(y), source.row(y + 1), nx.row(y), ny.row(y), width)
    }
  }

  private static func softRow(
    _ above: UnsafePointer<Float>, _ row: UnsafePointer<Float>, _ below: UnsafePointer<Float>,
    _ nx: UnsafeMutablePointer<Float>, _ ny: UnsafeMutablePointer<Float>, _ width: Int
  ) {
    nx[0] = 0
    ny[0] = 0
    if width > 1 {
      nx[width - 1] = 0
      ny[width - 1] = 0
    }
    for x in 1..<max(1, width - 1) {
      let gx = (row[x + 1] - row[x - 1]) * 0.5
      let gy = (below[x] - above[x]) * 0.5
      let factor = 1 / ((gx * gx + gy * gy).squareRoot() + softness)
      nx[x] = gx * factor
      ny[x] = gy * factor
    }
  }
}
