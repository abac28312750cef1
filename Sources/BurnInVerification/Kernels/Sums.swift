// SPDX-License-Identifier: Apache-2.0

/// Sums over runs of samples, eight lanes at a time, and medians.
enum Sums {
  /// The sum of products of two runs.
  static func dot(
    _ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, _ count: Int
  ) -> Float {
    var lanes = SIMD8<Float>.zero
    let rawA = UnsafeRawPointer(a)
    let rawB = UnsafeRawPointer(b)
    var i = 0
    while i + 8 <= count {
      lanes +=
        rawA.loadUnaligned(fromByteOffset: 4 * i, as: SIMD8<Float>.self)
        * rawB.loadUnaligned(fromByteOffset: 4 * i, as: SIMD8<Float>.self)
      i += 8
    }
    var sum = lanes.sum()
    while i < count {
      sum += a[i] * b[i]
      i += 1
    }
    return sum
  }

  /// The sum of a run.
  static func total(_ a: UnsafePointer<Float>, _ count: Int) -> Float {
    var lanes = SIMD8<Float>.zero
    let raw = UnsafeRawPointer(a)
    var i = 0
    while i + 8 <= count {
      lanes += raw.loadUnaligned(fromByteOffset: 4 * i, as: SIMD8<Float>.self)
      i += 8
    }
    var sum = lanes.sum()
    while i < count {
      sum += a[i]
      i += 1
    }
    return sum
  }

  /// The sum of lengths of the vectors (x, y) of two runs.
  static func lengths(
    _ x: UnsafePointer<Float>, _ y: UnsafePointer<Float>, _ count: Int
  ) -> Float {
    var lanes = SIMD8<Float>.zero
    let rawX = UnsafeRawPointer(x)
    let rawY = UnsafeRawPointer(y)
    var i = 0
    while i + 8 <= count {
      let a = rawX.loadUnaligned(fromByteOffset: 4 * i, as: SIMD8<Float>.self)
      let b = rawY.loadUnaligned(fromByteOffset: 4 * i, as: SIMD8<Float>.self)
      lanes += (a * a + b * b).squareRoot()
      i += 8
    }
    var sum = lanes.sum()
    while i < count {
      sum += (x[i] * x[i] + y[i] * y[i]).squareRoot()
      i += 1
    }
    return sum
  }

  /// The median of a list, the mean of the two middle values if their number is even; 0 for none.
  static func median(_ values: [Double]) -> Double {
    guard !values.isEmpty else { return 0 }
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }

  /// A quantile of a list by linear interpolation between order statistics; 0 for none.
  static func quantile(_ values: [Double], _ share: Double) -> Double {
    guard !values.isEmpty else { return 0 }
    let sorted = values.sorted()
    let position = min(max(share, 0), 1) * Double(sorted.count - 1)
    let low = Int(position)
    let high = min(low + 1, sorted.count - 1)
    return sorted[low] + (position - Double(low)) * (sorted[high] - sorted[low])
  }
}

/// Counts of samples in bins of equal width, for medians of large planes.
///
/// A median is exact to one bin: 1/32 luma as set up by `luma`.
struct Histogram {
  private var bins: [Int32]
  private let low: Float
  private let scale: Float
  private(set) var count = 0

  init(low: Float, high: Float, bins number: Int) {
    bins = [Int32](repeating: 0, count: number)
    self.low = low
    scale = Float(number) / (high - low)
  }

  /// For luma values, a little beyond 0 to 255.
  static func luma() -> Histogram {
    // Whole numbers lie in the middle of a bin.
    Histogram(low: -64 - 1 / 64, high: 320 - 1 / 64, bins: 384 * 32)
  }

  /// Counts a run of samples; values outside the range count in the outermost bins.
  mutating func add(_ values: UnsafePointer<Float>, _ number: Int) {
    let last = Float(bins.count - 1)
    bins.withUnsafeMutableBufferPointer { bins in
      for i in 0..<number {
        bins[Int(min(max((values[i] - low) * scale, 0), last))] += 1
      }
    }
    count += number
  }

  /// Counts one sample.
  mutating func add(_ value: Float) {
    bins[Int(min(max((value - low) * scale, 0), Float(bins.count - 1)))] += 1
    count += 1
  }

  /// The middle of the bin in which the sample of a rank (from 0) lies.
  private func value(ofRank rank: Int) -> Float {
    var seen = 0
    for (index, number) in bins.enumerated() {
      seen += Int(number)
      if seen > rank { return low + (Float(index) + 0.5) / scale }
    }
    return low
  }

  /// The median, exact to half a bin; 0 if nothing was counted.
  var median: Float {
    guard count > 0 else { return 0 }
    if count % 2 == 1 { return value(ofRank: count / 2) }
    return (value(ofRank: count / 2 - 1) + value(ofRank: count / 2)) / 2
  }

  /// The median distance from a value, exact to half a bin.
  func medianDistance(from center: Float) -> Float {
    guard count > 0 else { return 0 }
    var distances: [(Float, Int32)] = []
    for (index, number) in bins.enumerated() where number > 0 {
      distances.append((abs(low + (Float(index) + 0.5) / scale - center), number))
    }
    distances.sort { $0.0 < $1.0 }
    var seen = 0
    for (distance, number) in distances {
      seen += Int(number)
      if seen > count / 2 { return distance }
    }
    return 0
  }
}
