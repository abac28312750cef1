// SPDX-License-Identifier: Apache-2.0

/// What each output sample of one axis is made of: runs of source samples with weights.
struct AxisTaps {
  /// The first source index of each output's run; the run lies inside the source.
  private(set) var starts: [Int] = []
  /// Where each output's weights begin in `weights`; one more than outputs.
  private(set) var offsets: [Int] = [0]
  /// The weights; an output whose run leaves the source has a sum below 1.
  private(set) var weights: [Float] = []

  /// Number of outputs.
  var count: Int { starts.count }

  /// Places the taps of outputs `from ..< to` on a source of `sourceCount` samples.
  ///
  /// - Parameters:
  ///   - outputs: Frame pixels.
  ///   - scale: Frame pixels a source sample.
  ///   - origin: Frame coordinate of the source's first edge.
  ///   - sourceCount: Samples of the source; outside they are 0.
  ///   - points: Points a frame pixel at which the source, interpolated linearly, is read and
  ///     averaged: 1 for bilinear sampling at the middle.
  init(outputs: Range<Int>, scale: Double, origin: Double, sourceCount: Int, points: Int) {
    var run: [Double] = []
    for output in outputs {
      // Where each point reads: the sample at `low` and the next, the latter by its share.
      func read(_ point: Int) -> (low: Double, share: Double) {
        let place = Double(output) + (Double(point) + 0.5) / Double(points)
        let source = (place - origin) / scale - 0.5
        let low = source.rounded(.down)
        return (low, source - low)
      }
      let first = Int(min(max(read(0).low, 0), Double(sourceCount)))
      let last = Int(min(max(read(points - 1).low + 1, -1), Double(sourceCount - 1)))
      run.removeAll(keepingCapacity: true)
      run.append(contentsOf: repeatElement(0, count: max(0, last - first + 1)))
      for point in 0..<points where !run.isEmpty {
        let (low, share) = read(point)
        let index = Int(min(max(low, -2), Double(sourceCount))) - first
        if run.indices.contains(index) { run[index] += (1 - share) / Double(points) }
        if run.indices.contains(index + 1) { run[index + 1] += share / Double(points) }
      }
      starts.append(first)
      weights.append(contentsOf: run.map(Float.init))
      offsets.append(weights.count)
    }
  }
}

/// Separable resampling by tables of taps.
enum Resampling {
  /// Resamples `source` down its columns, then along its rows.
  static func run(_ source: Plane, columns: AxisTaps, rows: AxisTaps) -> Plane {
    let middle = Plane()
    middle.reshape(source.width, rows.count)
    middle.fill(0)
    for y in 0..<rows.count {
      let out = middle.row(y)
      for (i, tap) in (rows.offsets[y]..<rows.offsets[y + 1]).enumerated() {
        accumulate(source.row(rows.starts[y] + i), rows.weights[tap], out, source.width)
      }
    }
    let result = Plane()
    result.reshape(columns.count, rows.count)
    columns.weights.withUnsafeBufferPointer { weights in
      for y in 0..<rows.count {
        gather(middle.row(y), columns, weights, result.row(y))
      }
    }
    return result
  }

  private static func accumulate(
    _ source: UnsafePointer<Float>, _ weight: Float, _ out: UnsafeMutablePointer<Float>,
    _ count: Int
  ) {
    for x in 0..<count { out[x] += weight * source[x] }
  }

  private static func gather(
    _ source: UnsafePointer<Float>, _ taps: AxisTaps, _ weights: UnsafeBufferPointer<Float>,
    _ out: UnsafeMutablePointer<Float>
  ) {
    for x in 0..<taps.count {
      let (from, to) = (taps.offsets[x], taps.offsets[x + 1])
      let start = taps.starts[x] - from
      var sum: Float = 0
      for tap in from..<to { sum += weights[tap] * source[start + tap] }
      out[x] = sum
    }
  }

  /// Shrinks by averaging over areas: each output is the mean of the source under its pixel.
  static func shrink(_ source: Plane, width: Int, height: Int) -> Plane {
    run(
      source, columns: AxisTaps(averaging: source.width, to: width),
      rows: AxisTaps(averaging: source.height, to: height))
  }
}

extension AxisTaps {
  /// The taps of exact averaging of `sourceCount` samples down to `outputs`.
  init(averaging sourceCount: Int, to outputs: Int) {
    let ratio = Double(sourceCount) / Double(max(1, outputs))
    for output in 0..<outputs {
      let low = Double(output) * ratio
      let high = min(Double(output + 1) * ratio, Double(sourceCount))
      let first = min(Int(low), max(0, sourceCount - 1))
      starts.append(first)
      var index = first
      while Double(index) < high - 1e-9 && index < sourceCount {
        let share = min(high, Double(index + 1)) - max(low, Double(index))
        weights.append(Float(share / ratio))
        index += 1
      }
      offsets.append(weights.count)
    }
  }
}
