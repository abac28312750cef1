// SPDX-License-Identifier: Apache-2.0

/// A symmetric separable kernel: a Gaussian sampled at whole pixels, cut at `radius`, of sum 1.
struct GaussianTaps {
  /// The middle tap and those to one side.
  let weights: [Float]

  /// Taps on one side of the middle.
  var radius: Int { weights.count - 1 }

  /// Cuts at 4 sigma (rounded to the pixel so that `2 * radius + 1` is nearest above `8 sigma`).
  init(sigma: Double) {
    let size = Int((8 * sigma + 1).rounded(.toNearestOrEven)) | 1
    self.init(sigma: sigma, radius: size / 2)
  }

  /// Cuts at a stated radius.
  init(sigma: Double, radius: Int) {
    precondition(sigma > 0 && radius >= 0)
    let raw = (0...radius).map { exponential(-Double($0 * $0) / (2 * sigma * sigma)) }
    let sum = raw[0] + 2 * raw.dropFirst().reduce(0, +)
    weights = raw.map { Float($0 / sum) }
  }
}

/// Separable convolution.
///
/// Samples outside the plane count as 0.
///
/// Callers that want another border keep what they use farther than the radius from it.
enum Blur {
  /// Values below this are stored as 0, so that no denormal number ever slows the next pass.
  static let floor: Float = 1e-20

  /// Convolves down the columns of `source` into `target`, which must be another plane.
  static func vertical(_ source: Plane, into target: Plane, _ taps: GaussianTaps) {
    target.reshape(source.width, source.height)
    let width = source.width
    let height = source.height
    let radius = taps.radius
    taps.weights.withUnsafeBufferPointer { weights in
      for y in 0..<height {
        let out = target.row(y)
        var x = 0
        while x < width {
          if x + 16 > width {
            if width < 16 {
              verticalTail(source, out, y, 0, width, weights)
              break
            }
            x = width - 16
          }
          let center = UnsafeRawPointer(source.row(y) + x)
          var a = center.loadUnaligned(as: SIMD8<Float>.self) * weights[0]
          var b = center.loadUnaligned(fromByteOffset: 32, as: SIMD8<Float>.self) * weights[0]
          var i = 1
          while i <= radius {
            let weight = weights[i]
            if y >= i {
              let p = UnsafeRawPointer(source.row(y - i) + x)
              a += p.loadUnaligned(as: SIMD8<Float>.self) * weight
              b += p.loadUnaligned(fromByteOffset: 32, as: SIMD8<Float>.self) * weight
            }
            if y + i < height {
              let p = UnsafeRawPointer(source.row(y + i) + x)
              a += p.loadUnaligned(as: SIMD8<Float>.self) * weight
              b += p.loadUnaligned(fromByteOffset: 32, as: SIMD8<Float>.self) * weight
            }
            i += 1
          }
          a.replace(with: 0, where: a .< floor .& a .> -floor)
          b.replace(with: 0, where: b .< floor .& b .> -floor)
          let q = UnsafeMutableRawPointer(out + x)
          q.storeBytes(of: a, as: SIMD8<Float>.self)
          q.storeBytes(of: b, toByteOffset: 32, as: SIMD8<Float>.self)
          x += 16
        }
      }
    }
  }

  private static func verticalTail(
    _ source: Plane, _ out: UnsafeMutablePointer<Float>, _ y: Int, _ from: Int, _ to: Int,
    _ weights: UnsafeBufferPointer<Float>
  ) {
    for x in from..<to {
      var sum = weights[0] * source.row(y)[x]
      for i in 1..<max(1, weights.count) {
        if y >= i { sum += weights[i] * source.row(y - i)[x] }
        if y + i < source.height { sum += weights[i] * source.row(y + i)[x] }
      }
      out[x] = abs(sum) < floor ? 0 : sum
    }
  }

  /// Convolves along one row of samples, eight at a time.
  ///
  /// - Parameters:
  ///   - padded: The row with `radius` zeros before it and at least `radius + 8` behind.
  ///   - out: Room for `width` samples.
  ///   - width: Number of samples.
  ///   - weights: The middle tap and those to one side.
  ///   - wanted: Blocks of eight without a byte set here are left alone; nil: all are done.
  static func horizontalRow(
    _ padded: UnsafePointer<Float>, into out: UnsafeMutablePointer<Float>, width: Int,
    _ weights: UnsafeBufferPointer<Float>, wanted: UnsafePointer<UInt8>? = nil
  ) {
    let radius = weights.count - 1
    var x = 0
    while x < width {
      let isWhole = x + 8 <= width
      if let wanted {
        var isWanted = false
        if isWhole {
          isWanted = UnsafeRawPointer(wanted + x).loadUnaligned(as: UInt64.self) != 0
        } else {
          for i in x..<width where wanted[i] != 0 { isWanted = true }
        }
        if !isWanted {
          x += 8
          continue
        }
      }
      let p = UnsafeRawPointer(padded + (x + radius))
      var sum = p.loadUnaligned(as: SIMD8<Float>.self) * weights[0]
      var i = 1
      while i <= radius {
        let left = p.loadUnaligned(fromByteOffset: -4 * i, as: SIMD8<Float>.self)
        let right = p.loadUnaligned(fromByteOffset: 4 * i, as: SIMD8<Float>.self)
        sum += (left + right) * weights[i]
        i += 1
      }
      sum.replace(with: 0, where: sum .< floor .& sum .> -floor)
      if isWhole {
        UnsafeMutableRawPointer(out + x).storeBytes(of: sum, as: SIMD8<Float>.self)
      } else {
        for lane in 0..<(width - x) { out[x + lane] = sum[lane] }
      }
      x += 8
    }
  }

  /// Convolves along the rows, in place of nothing: `target` must be another plane.
  ///
  /// - Parameters:
  ///   - source: What is convolved.
  ///   - target: Where it goes.
  ///   - taps: The kernel.
  ///   - wanted: Where results are needed, by blocks of eight; elsewhere `target` keeps what it
  ///     held if it already had the size.
  ///   - line: Memory to work in.
  static func horizontal(
    _ source: Plane, into target: Plane, _ taps: GaussianTaps, wanted: Mask? = nil,
    line: Plane
  ) {
    let width = source.width
    let radius = taps.radius
    target.reshape(width, source.height)
    line.reshape(width + 2 * radius + 16, 1)
    line.fill(0)
    taps.weights.withUnsafeBufferPointer { weights in
      for y in 0..<source.height {
        (line.base + radius).update(from: source.row(y), count: width)
        horizontalRow(
          line.base, into: target.row(y), width: width, weights,
          wanted: wanted.map { UnsafePointer($0.row(y)) })
      }
    }
  }
}
