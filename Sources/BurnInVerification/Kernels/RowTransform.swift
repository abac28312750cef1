// SPDX-License-Identifier: Apache-2.0

/// The discrete Fourier transform of one length, of eight signals at once (one a lane).
///
/// Lengths are products of 2, 3 and 5. Stockham's order, so no bit reversal: passes of radix 4, 5,
/// 3 and 2 move the data between two buffers. Not `Sendable`: one per task.
final class RowTransform {
  /// Number of samples.
  let length: Int
  /// The samples: real parts at even places, imaginary parts at odd ones, `2 * length` of them.
  private(set) var data: UnsafeMutablePointer<SIMD8<Float>>
  private var spare: UnsafeMutablePointer<SIMD8<Float>>
  /// `cos`, then `-sin`, of `2 pi k / length`: the turn of one forward step.
  let cosines: [Float]
  let sines: [Float]
  private let radices: [Int]

  /// The next length, at or above `length`, that has no prime factor over 5.
  static func goodLength(_ length: Int) -> Int {
    var candidate = max(1, length)
    while factors(candidate) == nil { candidate += 1 }
    return candidate
  }

  /// The radices of a length's passes, nil if a prime over 5 divides it.
  static func factors(_ length: Int) -> [Int]? {
    var rest = length
    var found: [Int] = []
    for radix in [4, 5, 3, 2] {
      while rest % radix == 0 {
        found.append(radix)
        rest /= radix
      }
    }
    return rest == 1 ? found : nil
  }

  /// Makes a transform; `length` must be one that `goodLength` gives.
  init(length: Int) {
    precondition(length >= 1)
    let radices = Self.factors(length)
    precondition(radices != nil)
    self.length = length
    self.radices = radices ?? []
    let turns = (0..<length).map { circle(-Double($0) / Double(length)) }
    cosines = turns.map { Float($0.cosine) }
    sines = turns.map { Float($0.sine) }
    data = .allocate(capacity: 2 * length)
    spare = .allocate(capacity: 2 * length)
    data.initialize(repeating: .zero, count: 2 * length)
    spare.initialize(repeating: .zero, count: 2 * length)
  }

  deinit {
    data.deallocate()
    spare.deallocate()
  }

  /// Replaces `data` by its transform, `X[k] = sum x[n] exp(-2 pi i k n / length)`.
  func forward() {
    var count = length
    var stride = 1
    cosines.withUnsafeBufferPointer { cosines in
      sines.withUnsafeBufferPointer { sines in
        for radix in radices {
          let pass = Pass(
            count: count, stride: stride, turn: length / count, from: data, to: spare,
            cosines: cosines, sines: sines)
          switch radix {
          case 4: pass.radix4()
          case 5: pass.radix5()
          case 3: pass.radix3()
          default: pass.radix2()
          }
          swap(&data, &spare)
          count /= radix
          stride *= radix
        }
      }
    }
  }

  /// Replaces `data` by its inverse transform times `length`.
  func inverse() {
    exchangeParts()
    forward()
    exchangeParts()
  }

  private func exchangeParts() {
    for i in 0..<length {
      let real = data[2 * i]
      data[2 * i] = data[2 * i + 1]
      data[2 * i + 1] = real
    }
  }
}

/// Eight complex numbers.
private struct Complex8 {
  var re: SIMD8<Float>
  var im: SIMD8<Float>

  @inline(__always)
  static func + (a: Complex8, b: Complex8) -> Complex8 {
    Complex8(re: a.re + b.re, im: a.im + b.im)
  }

  @inline(__always)
  static func - (a: Complex8, b: Complex8) -> Complex8 {
    Complex8(re: a.re - b.re, im: a.im - b.im)
  }

  @inline(__always)
  static func * (a: Complex8, b: Float) -> Complex8 { Complex8(re: a.re * b, im: a.im * b) }

  /// Times -i.
  @inline(__always)
  var turnedBack: Complex8 { Complex8(re: im, im: -re) }

  @inline(__always)
  func turned(_ cosine: Float, _ sine: Float) -> Complex8 {
    Complex8(re: re * cosine - im * sine, im: re * sine + im * cosine)
  }
}

/// One pass over `count`-point transforms that lie interleaved with `stride`.
private struct Pass {
  let count: Int
  let stride: Int
  /// Steps of the twiddle table that make one turn of `2 pi / count`.
  let turn: Int
  let from: UnsafeMutablePointer<SIMD8<Float>>
  let to: UnsafeMutablePointer<SIMD8<Float>>
  let cosines: UnsafeBufferPointer<Float>
  let sines: UnsafeBufferPointer<Float>

  @inline(__always)
  private func load(_ i: Int) -> Complex8 { Complex8(re: from[2 * i], im: from[2 * i + 1]) }

  @inline(__always)
  private func store(_ i: Int, _ value: Complex8) {
    to[2 * i] = value.re
    to[2 * i + 1] = value.im
  }

  @inline(__always)
  private func storeTurned(_ i: Int, _ value: Complex8, _ step: Int) {
    store(i, value.turned(cosines[step], sines[step]))
  }

  func radix2() {
    let part = count / 2
    for p in 0..<part {
      for q in 0..<stride {
        let a = load(q + stride * p)
        let b = load(q + stride * (p + part))
        let out = q + stride * 2 * p
        store(out, a + b)
        storeTurned(out + stride, a - b, p * turn)
      }
    }
  }

  func radix3() {
    let part = count / 3
    let half: Float = 0.866025403784438647
    for p in 0..<part {
      for q in 0..<stride {
        let a = load(q + stride * p)
        let b = load(q + stride * (p + part))
        let c = load(q + stride * (p + 2 * part))
        let sum = b + c
        let middle = a - sum * 0.5
        let side = ((b - c) * half).turnedBack
        let out = q + stride * 3 * p
        store(out, a + sum)
        storeTurned(out + stride, middle + side, p * turn)
        storeTurned(out + 2 * stride, middle - side, 2 * p * turn)
      }
    }
  }

  func radix4() {
    let part = count / 4
    for p in 0..<part {
      for q in 0..<stride {
        let a = load(q + stride * p)
        let b = load(q + stride * (p + part))
        let c = load(q + stride * (p + 2 * part))
        let d = load(q + stride * (p + 3 * part))
        let (even, evenDifference) = (a + c, a - c)
        let (odd, oddDifference) = (b + d, (b - d).turnedBack)
        let out = q + stride * 4 * p
        store(out, even + odd)
        storeTurned(out + stride, evenDifference + oddDifference, p * turn)
        storeTurned(out + 2 * stride, even - odd, 2 * p * turn)
        storeTurned(out + 3 * stride, evenDifference - oddDifference, 3 * p * turn)
      }
    }
  }

  func radix5() {
    let part = count / 5
    // Cosines and sines of 72 and 144 degrees.
    let (c1, c2): (Float, Float) = (0.309016994374947424, -0.809016994374947424)
    let (s1, s2): (Float, Float) = (0.951056516295153572, 0.587785252292473129)
    for p in 0..<part {
      for q in 0..<stride {
        let a = load(q + stride * p)
        let b = load(q + stride * (p + part))
        let c = load(q + stride * (p + 2 * part))
        let d = load(q + stride * (p + 3 * part))
        let e = load(q + stride * (p + 4 * part))
        let (outer, inner) = (b + e, c + d)
        let (outerSide, innerSide) = (b - e, c - d)
        let first = a + outer * c1 + inner * c2
        let second = a + outer * c2 + inner * c1
        let firstSide = (outerSide * s1 + innerSide * s2).turnedBack
        let secondSide = (outerSide * s2 - innerSide * s1).turnedBack
        let out = q + stride * 5 * p
        store(out, a + outer + inner)
        storeTurned(out + stride, first + firstSide, p * turn)
        storeTurned(out + 2 * stride, second + secondSide, 2 * p * turn)
        storeTurned(out + 3 * stride, second - secondSide, 3 * p * turn)
        storeTurned(out + 4 * stride, first - firstSide, 4 * p * turn)
      }
    }
  }
}
