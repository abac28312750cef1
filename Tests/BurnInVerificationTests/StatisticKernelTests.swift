// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import BurnInVerification

/// A seeded generator of numbers between -1 and 1.
private struct Noise {
  var state: UInt64

  mutating func next() -> Float {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Float(Int32(truncatingIfNeeded: state >> 32)) / Float(Int32.max)
  }

  mutating func plane(_ width: Int, _ height: Int) -> Plane {
    Plane(width: width, height: height, samples: (0..<(width * height)).map { _ in next() })
  }
}

extension Plane {
  /// A sample, 0 outside.
  fileprivate func at(_ x: Int, _ y: Int) -> Double {
    x >= 0 && y >= 0 && x < width && y < height ? Double(row(y)[x]) : 0
  }
}

@Suite("Numbers that are shown")
struct ShownNumberTests {
  @Test func `a rounded number is never a negative zero`() {
    #expect(rounded(-0.0004, 100).sign == .plus)
    #expect(rounded(-0.004, 1000) == -0.004)
  }
}

@Suite("The row transform")
struct StatisticTransformTests {
  @Test(
    "equals plain sums at every length it takes",
    arguments: (1...64).filter { RowTransform.goodLength($0) == $0 } + [75, 125, 243, 256, 400])
  func plainSums(_ length: Int) {
    let transform = RowTransform(length: length)
    var noise = Noise(state: UInt64(length))
    var (re, im): ([[Double]], [[Double]]) = ([], [])
    for n in 0..<length {
      var (a, b) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
      for lane in 0..<8 {
        a[lane] = noise.next()
        b[lane] = noise.next()
      }
      transform.data[2 * n] = a
      transform.data[2 * n + 1] = b
      re.append((0..<8).map { Double(a[$0]) })
      im.append((0..<8).map { Double(b[$0]) })
    }
    transform.forward()
    var worst = 0.0
    for k in 0..<length {
      for lane in [0, 3, 7] {
        var (x, y) = (0.0, 0.0)
        for n in 0..<length {
          let turn = circle(-Double(k * n % length) / Double(length))
          x += re[n][lane] * turn.cosine - im[n][lane] * turn.sine
          y += re[n][lane] * turn.sine + im[n][lane] * turn.cosine
        }
        worst = max(worst, abs(Double(transform.data[2 * k][lane]) - x))
        worst = max(worst, abs(Double(transform.data[2 * k + 1][lane]) - y))
      }
    }
    #expect(worst < 2e-5 * Double(max(8, length)).squareRoot())
    transform.inverse()
    for n in 0..<length {
      #expect(abs(Double(transform.data[2 * n][5]) / Double(length) - re[n][5]) < 1e-5)
    }
  }

  @Test("gives the next length without a prime factor over 5")
  func goodLengths() {
    for length in Array(1...64) + [97, 127, 427, 521, 853, 1279, 1999] {
      let good = RowTransform.goodLength(length)
      #expect(good >= length)
      var rest = good
      for prime in [2, 3, 5] { while rest % prime == 0 { rest /= prime } }
      #expect(rest == 1)
      // Nothing between is one.
      for between in length..<good { #expect(RowTransform.factors(between) == nil) }
    }
    #expect(RowTransform.goodLength(853) == 864)
    #expect(RowTransform.goodLength(427) == 432)
  }

  @Test("rolls in all flips equal plain sums", arguments: [(15, 5, 2), (20, 11, 1), (9, 8, 0)])
  func rolls(_ width: Int, _ height: Int, _ margin: Int) {
    var noise = Noise(state: 7)
    let (tx, ty) = (noise.plane(width, height), noise.plane(width, height))
    let (left, top) = (3, 2)
    let (nx, ny) = (
      noise.plane(width + 7, height + 2 * margin + 4),
      noise.plane(width + 7, height + 2 * margin + 4)
    )
    let rolls = RollCorrelation()
    // Twice, so that kept memory is in use.
    for _ in 0..<2 { rolls.run(tx, ty, nx, ny, left: left, top: top, margin: margin) }
    for flip in 0..<4 {
      let (across, down) = (flip % 2 == 1, flip >= 2)
      for v in 0...(2 * margin) {
        for d in 0..<width {
          var sum = 0.0
          for y in 0..<height {
            for x in 0..<width {
              let column = across ? width - 1 - x : x
              let row = down ? height - 1 - y : y
              let fieldColumn = left + (x + d) % width
              sum += (across ? -1 : 1) * tx.at(column, row) * nx.at(fieldColumn, top + y + v)
              sum += (down ? -1 : 1) * ty.at(column, row) * ny.at(fieldColumn, top + y + v)
            }
          }
          let found = rolls.scores.at(d, flip * (2 * margin + 1) + v)
          #expect(abs(found - sum) < 1e-4)
        }
      }
    }
  }

  @Test("correlation of planes equals plain sums wherever the template lies inside")
  func planes() {
    var noise = Noise(state: 9)
    let (nx, ny) = (noise.plane(29, 23), noise.plane(29, 23))
    let (tx, ty) = (noise.plane(11, 6), noise.plane(11, 6))
    let (field, template) = (PlaneSpectrum(), PlaneSpectrum())
    field.transform(nx, ny, width: 29, height: 23)
    template.transform(tx, ty, width: 29, height: 23)
    template.correlate(with: field)
    for v in 0...(23 - 6) {
      for u in 0...(29 - 11) {
        var sum = 0.0
        for y in 0..<6 {
          for x in 0..<11 {
            sum += tx.at(x, y) * nx.at(x + u, y + v) + ty.at(x, y) * ny.at(x + u, y + v)
          }
        }
        #expect(abs(template.real.at(u, v) - sum) < 1e-4)
      }
    }
  }

  @Test("correlation in a small window equals plain sums")
  func window() {
    var noise = Noise(state: 11)
    let (nx, ny) = (noise.plane(30, 20), noise.plane(30, 20))
    let (tx, ty) = (noise.plane(19, 7), noise.plane(19, 7))
    let sums = WindowCorrelation.run(
      tx, ty, columns: 4..<17, nx, ny, left: 5, top: 4, margin: 2)
    for v in -2...2 {
      for u in -2...2 {
        var sum = 0.0
        for y in 0..<7 {
          for x in 4..<17 {
            sum += tx.at(x, y) * nx.at(x + 5 + u, y + 4 + v)
            sum += ty.at(x, y) * ny.at(x + 5 + u, y + 4 + v)
          }
        }
        #expect(abs(sums[(v + 2) * 5 + u + 2] - sum) < 1e-4)
      }
    }
  }
}

@Suite("Blurs, masks and gradients")
struct StatisticImageTests {
  @Test(
    "blur equals direct sums", arguments: [(1, 1), (5, 9), (15, 3), (16, 4), (17, 6), (40, 21)],
    [0.5, 1.5, 2.0])
  func blur(_ size: (Int, Int), _ sigma: Double) {
    var noise = Noise(state: 3)
    let source = noise.plane(size.0, size.1)
    let taps = GaussianTaps(sigma: sigma)
    let (pass, result, line) = (Plane(), Plane(), Plane())
    Blur.vertical(source, into: pass, taps)
    Blur.horizontal(pass, into: result, taps, line: line)
    let r = taps.radius
    #expect(r == [0.5: 2, 1.5: 6, 2.0: 8][sigma])
    let weights = (-r...r).map { exponential(-Double($0 * $0) / (2 * sigma * sigma)) }
    let total = weights.reduce(0, +)
    for y in 0..<size.1 {
      for x in 0..<size.0 {
        var sum = 0.0
        for j in -r...r {
          for i in -r...r {
            sum += source.at(x + i, y + j) * weights[i + r] * weights[j + r] / (total * total)
          }
        }
        #expect(abs(result.at(x, y) - sum) < 1e-5)
      }
    }
  }

  @Test("blur leaves no denormal numbers")
  func denormals() {
    let source = Plane(width: 64, height: 8, samples: [Float](repeating: 1e-38, count: 512))
    let (pass, result, line) = (Plane(), Plane(), Plane())
    Blur.vertical(source, into: pass, GaussianTaps(sigma: 2))
    Blur.horizontal(pass, into: result, GaussianTaps(sigma: 2), line: line)
    #expect(result.samples.allSatisfy { $0 == 0 })
  }

  @Test("a disc has the rows of the common elliptical element")
  func discs() {
    #expect(Dilation.discHalfWidths(radius: 1) == [0, 1, 0])
    #expect(Dilation.discHalfWidths(radius: 2) == [0, 2, 2, 2, 0])
    #expect(Dilation.discHalfWidths(radius: 3) == [0, 2, 3, 3, 3, 2, 0])
    #expect(Dilation.discHalfWidths(radius: 5) == [0, 3, 4, 5, 5, 5, 5, 5, 4, 3, 0])
  }

  @Test("dilation equals the union of discs", arguments: [1, 3, 5])
  func dilation(_ radius: Int) {
    var noise = Noise(state: UInt64(radius))
    let (source, target, scratch) = (Mask(), Mask(), Mask())
    source.reshape(37, 19)
    for i in 0..<source.count { source.base[i] = noise.next() > 0.95 ? 1 : 0 }
    let half = Dilation.discHalfWidths(radius: radius)
    Dilation.dilate(source, into: target, halfWidths: half, scratch: scratch)
    for y in 0..<19 {
      for x in 0..<37 {
        var isCovered = false
        for j in max(0, y - radius)...min(18, y + radius) {
          for i in max(0, x - radius)...min(36, x + radius)
          where source.row(j)[i] != 0 && abs(x - i) <= half[y - j + radius] {
            isCovered = true
          }
        }
        #expect(target.row(y)[x] == (isCovered ? 1 : 0))
      }
    }
  }

  @Test("filling keeps a plain ground plain and follows a slope")
  func filling() {
    let (mask, flat, slope, target) = (Mask(), Plane(), Plane(), Plane())
    mask.reshape(120, 70)
    flat.reshape(120, 70)
    slope.reshape(120, 70)
    for y in 0..<70 {
      for x in 0..<120 {
        let isInside = x >= 25 && x < 95 && y >= 20 && y < 50
        mask.row(y)[x] = isInside ? 1 : 0
        flat.row(y)[x] = isInside ? 255 : 90
        slope.row(y)[x] = isInside ? 0 : Float(60 + x)
      }
    }
    let inpainting = Inpainting()
    inpainting.fill(flat, under: mask, into: target)
    #expect(target.samples.allSatisfy { abs($0 - 90) < 1e-3 })
    inpainting.fill(slope, under: mask, into: target)
    for x in [30, 45, 60, 75, 90] { #expect(abs(target.at(x, 35) - Double(60 + x)) < 8) }
    // Everything masked: nothing is known, the middle of the range is taken.
    mask.fill(1)
    inpainting.fill(flat, under: mask, into: target)
    #expect(abs(target.at(60, 35) - 128) < 1e-3)
  }

  @Test("gradients are half the difference of neighbours")
  func gradients() {
    let source = Plane(width: 3, height: 3, samples: [1, 2, 4, 8, 16, 32, 64, 128, 256])
    let (dx, dy) = (Plane(), Plane())
    Gradient.ofIsland(source, dx, dy)
    #expect(dx.samples == [1, 1.5, -1, 8, 12, -8, 64, 96, -64])
    #expect(dy.samples == [4, 8, 16, 31.5, 63, 126, -4, -8, -16])
    Gradient.soft(source, dx, dy)
    // (12, 63) has length 64.133; plus 8: 72.133.
    #expect(abs(dx.at(1, 1) - 12 / 72.1327) < 1e-5)
    #expect(abs(dy.at(1, 1) - 63 / 72.1327) < 1e-5)
    #expect(dx.at(0, 1) == 0 && dy.at(1, 2) == 0)
  }

  @Test("resampling at scale 1 changes nothing and averages by area when shrinking")
  func resampling() {
    var noise = Noise(state: 5)
    let source = noise.plane(12, 9)
    let same = Resampling.run(
      source,
      columns: AxisTaps(outputs: 0..<12, scale: 1, origin: 0, sourceCount: 12, points: 1),
      rows: AxisTaps(outputs: 0..<9, scale: 1, origin: 0, sourceCount: 9, points: 1))
    #expect(same.samples == source.samples)
    let third = Resampling.shrink(source, width: 4, height: 3)
    let mean = (0..<9).reduce(0.0) { $0 + source.at(3 + $1 % 3, 6 + $1 / 3) } / 9
    #expect(abs(third.at(1, 2) - mean) < 1e-6)
    let whole = Resampling.shrink(source, width: 1, height: 1)
    #expect(abs(whole.at(0, 0) - source.samples.reduce(0.0) { $0 + Double($1) } / 108) < 1e-6)
  }

  @Test("medians of counted samples")
  func histogram() {
    var counts = Histogram.luma()
    for value in [16, 235, 40, 41] as [Float] { counts.add(value) }
    #expect(counts.median == 40.5)
    counts.add(90)
    #expect(counts.median == 41)
    #expect(counts.medianDistance(from: 41) == 25)
    #expect(Sums.median([3, 1, 2]) == 2)
    #expect(Sums.median([]) == 0)
    #expect(Sums.quantile([0, 10], 0.25) == 2.5)
  }
}
