// SPDX-License-Identifier: Apache-2.0

/// The two-dimensional transform of a vector field x + i y, padded with zeros to good lengths.
///
/// Correlating by it is cyclic; sums at which the template lies wholly inside the field's plane do
/// not wrap and are exact.
final class PlaneSpectrum {
  /// Real parts; after `correlate` the correlation, row v and column u for a shift of (u, v).
  let real = Plane()
  private let imaginary = Plane()
  private var across: RowTransform?
  private var down: RowTransform?
  /// Columns of the transform; rows of the planes are a multiple of eight long.
  private var columns = 0

  /// Transforms the field, which must not be larger than `width` times `height`.
  func transform(_ x: Plane, _ y: Plane, width: Int, height: Int) {
    precondition(x.width <= width && x.height <= height && width > 0 && height > 0)
    columns = RowTransform.goodLength(width)
    let rows = RowTransform.goodLength(height)
    if across?.length != columns { across = RowTransform(length: columns) }
    if down?.length != rows { down = RowTransform(length: rows) }
    for (plane, source) in [(real, x), (imaginary, y)] {
      plane.reshape((columns + 7) / 8 * 8, rows)
      plane.fill(0)
      for row in 0..<source.height {
        plane.row(row).update(from: source.row(row), count: source.width)
      }
    }
    alongRows(count: x.height, isInverse: false)
    alongColumns(isInverse: false)
  }

  /// Replaces the spectrum Z by the real part of the inverse transform of `conj(Z) N`.
  func correlate(with field: PlaneSpectrum) {
    precondition(field.real.width == real.width && field.real.height == real.height)
    Self.multiply(real.base, imaginary.base, field.real.base, field.imaginary.base, real.count)
    alongColumns(isInverse: true)
    alongRows(count: real.height, isInverse: true)
    let factor = 1 / Float(columns * real.height)
    for i in 0..<real.count { real.base[i] *= factor }
  }

  private static func multiply(
    _ re: UnsafeMutablePointer<Float>, _ im: UnsafeMutablePointer<Float>,
    _ otherRe: UnsafePointer<Float>, _ otherIm: UnsafePointer<Float>, _ count: Int
  ) {
    for i in 0..<count {
      let (a, b) = (re[i], im[i])
      re[i] = a * otherRe[i] + b * otherIm[i]
      im[i] = a * otherIm[i] - b * otherRe[i]
    }
  }

  private func alongRows(count: Int, isInverse: Bool) {
    guard let across else { return }
    var first = 0
    while first < count {
      let used = min(8, count - first)
      let data = across.data
      for x in 0..<columns {
        var (re, im) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
        for lane in 0..<used {
          re[lane] = real.row(first + lane)[x]
          im[lane] = imaginary.row(first + lane)[x]
        }
        data[2 * x] = re
        data[2 * x + 1] = im
      }
      if isInverse { across.inverse() } else { across.forward() }
      let result = across.data
      for lane in 0..<used {
        let (re, im) = (real.row(first + lane), imaginary.row(first + lane))
        for x in 0..<columns {
          re[x] = result[2 * x][lane]
          im[x] = result[2 * x + 1][lane]
        }
      }
      first += 8
    }
  }

  private func alongColumns(isInverse: Bool) {
    guard let down else { return }
    for start in stride(from: 0, to: real.width, by: 8) {
      let data = down.data
      for y in 0..<down.length {
        data[2 * y] = UnsafeRawPointer(real.row(y) + start).loadUnaligned(as: SIMD8<Float>.self)
        data[2 * y + 1] = UnsafeRawPointer(imaginary.row(y) + start)
          .loadUnaligned(as: SIMD8<Float>.self)
      }
      if isInverse { down.inverse() } else { down.forward() }
      let result = down.data
      for y in 0..<down.length {
        UnsafeMutableRawPointer(real.row(y) + start)
          .storeBytes(of: result[2 * y], as: SIMD8<Float>.self)
        UnsafeMutableRawPointer(imaginary.row(y) + start)
          .storeBytes(of: result[2 * y + 1], as: SIMD8<Float>.self)
      }
    }
  }
}
