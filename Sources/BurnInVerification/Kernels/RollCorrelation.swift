// SPDX-License-Identifier: Apache-2.0

/// Scores of a vector template against a vector field at all cyclic rolls, in all four flips.
///
/// With z = tx + i ty and n = nx + i ny, the sum of tx nx + ty ny over all rolls along x is the
/// real part of the inverse transform of `conj(Z) N`. Flips need no further transforms of the
/// template: across, `Z'[k] = -conj(Z[k]) exp(2 pi i k / W)`; down, rows reversed and `Z'[k] =
/// conj(Z[-k])`.
final class RollCorrelation {
  /// The sums, one row a flip and vertical shift.
  ///
  /// Row `flip * (2 m + 1) + v`, flips none, across, down, both; shift v means that template row y
  /// lies on field row y + v. Column d is the roll to the right.
  let scores = Plane()

  private var transforms: [Int: RowTransform] = [:]
  private let (templateRe, templateIm) = (Plane(), Plane())
  private let (flippedRe, flippedIm) = (Plane(), Plane())
  private let (fieldRe, fieldIm) = (Plane(), Plane())
  private let (sumRe, sumIm) = (Plane(), Plane())
  private let zeros = Plane()

  /// Computes `scores`, unnormalised.
  ///
  /// - Parameters:
  ///   - tx: Template across, W columns (a length of `RowTransform.goodLength`), h rows.
  ///   - ty: Template down, of the same size.
  ///   - nx: Field across. Its columns `left ..< left + W` and rows `top ..< top + h + 2 margin`
  ///     are used and must exist.
  ///   - ny: Field down.
  ///   - left: First column used.
  ///   - top: First row used: vertical shift v = 0 lays template row 0 on it.
  ///   - margin: m, for `2 m + 1` vertical shifts.
  func run(
    _ tx: Plane, _ ty: Plane, _ nx: Plane, _ ny: Plane, left: Int, top: Int, margin: Int
  ) {
    let (width, height) = (tx.width, tx.height)
    precondition(left >= 0 && top >= 0 && margin >= 0 && width > 0 && height > 0)
    precondition(left + width <= nx.width && top + height + 2 * margin <= nx.height)
    precondition(ty.width == width && ty.height == height)
    precondition(ny.width == nx.width && ny.height == nx.height)
    let transform = transform(width)
    let padded = (height + 7) / 8 * 8
    let fieldRows = (padded + 2 * margin + 7) / 8 * 8
    spectra(tx, ty, 0, 0, rows: height, transform, templateRe, templateIm, padded: padded)
    spectra(
      nx, ny, left, top, rows: height + 2 * margin, transform, fieldRe, fieldIm,
      padded: fieldRows)
    flip(width, height, padded)
    multiply(transform, margin: margin)
    invert(transform, margin: margin)
  }

  private func transform(_ length: Int) -> RowTransform {
    if let known = transforms[length] { return known }
    // Boxes come in a handful of widths; a long session must not gather tables without end.
    if transforms.count >= 16 { transforms.removeAll() }
    let made = RowTransform(length: length)
    transforms[length] = made
    return made
  }

  /// Transforms rows; `re` and `im` get one row a frequency, in it the rows' values, zero padded.
  private func spectra(
    _ x: Plane, _ y: Plane, _ left: Int, _ top: Int, rows: Int, _ transform: RowTransform,
    _ re: Plane, _ im: Plane, padded: Int
  ) {
    let width = transform.length
    re.reshape(padded, width)
    im.reshape(padded, width)
    zeros.reshape(width, 1)
    zeros.fill(0)
    for group in 0..<(padded / 8) {
      func source(_ plane: Plane, _ lane: Int) -> UnsafePointer<Float> {
        let row = 8 * group + lane
        return UnsafePointer(row < rows ? plane.row(top + row) + left : zeros.base)
      }
      let data = transform.data
      interleave((0..<8).map { source(x, $0) }, into: data, width)
      interleave((0..<8).map { source(y, $0) }, into: data + 1, width)
      transform.forward()
      let result = transform.data
      for k in 0..<width {
        UnsafeMutableRawPointer(re.row(k) + 8 * group)
          .storeBytes(of: result[2 * k], as: SIMD8<Float>.self)
        UnsafeMutableRawPointer(im.row(k) + 8 * group)
          .storeBytes(of: result[2 * k + 1], as: SIMD8<Float>.self)
      }
    }
  }

  private func interleave(
    _ rows: [UnsafePointer<Float>], into data: UnsafeMutablePointer<SIMD8<Float>>, _ width: Int
  ) {
    let (a, b, c, d) = (rows[0], rows[1], rows[2], rows[3])
    let (e, f, g, h) = (rows[4], rows[5], rows[6], rows[7])
    for x in 0..<width {
      data[2 * x] = SIMD8(a[x], b[x], c[x], d[x], e[x], f[x], g[x], h[x])
    }
  }

  /// Lays the template's rows upside down and its frequencies backwards.
  private func flip(_ width: Int, _ height: Int, _ padded: Int) {
    flippedRe.reshape(padded, width)
    flippedIm.reshape(padded, width)
    for k in 0..<width {
      let other = (width - k) % width
      let (re, im) = (templateRe.row(other), templateIm.row(other))
      let (outRe, outIm) = (flippedRe.row(k), flippedIm.row(k))
      for y in 0..<height {
        outRe[y] = re[height - 1 - y]
        outIm[y] = im[height - 1 - y]
      }
      for y in height..<padded {
        outRe[y] = 0
        outIm[y] = 0
      }
    }
  }

  /// Sums the products over the rows, for each frequency and shift, for all four flips.
  private func multiply(_ transform: RowTransform, margin: Int) {
    let width = transform.length
    let shifts = 2 * margin + 1
    let padded = templateRe.width
    sumRe.reshape((4 * shifts + 7) / 8 * 8, width)
    sumIm.reshape(sumRe.width, width)
    for k in 0..<width {
      let (cosine, sine) = (transform.cosines[k], transform.sines[k])
      let (outRe, outIm) = (sumRe.row(k), sumIm.row(k))
      for down in 0..<2 {
        let re = down == 0 ? templateRe.row(k) : flippedRe.row(k)
        let im = down == 0 ? templateIm.row(k) : flippedIm.row(k)
        let straight = down == 0 ? 0 : 2 * shifts
        for v in 0..<shifts {
          let s = Self.products(re, im, fieldRe.row(k) + v, fieldIm.row(k) + v, padded)
          // conj(Z) N and Z N, of which the latter is turned for the flip across.
          let (sameRe, sameIm) = (s.rr + s.ii, s.ri - s.ir)
          let (otherRe, otherIm) = (s.rr - s.ii, s.ri + s.ir)
          let plainRe = down == 0 ? sameRe : otherRe
          let plainIm = down == 0 ? sameIm : otherIm
          let turnedRe = down == 0 ? otherRe : sameRe
          let turnedIm = down == 0 ? otherIm : sameIm
          outRe[straight + v] = plainRe
          outIm[straight + v] = plainIm
          outRe[straight + shifts + v] = -(turnedRe * cosine - turnedIm * sine)
          outIm[straight + shifts + v] = -(turnedRe * sine + turnedIm * cosine)
        }
      }
      for row in (4 * shifts)..<max(4 * shifts, sumRe.width) {
        outRe[row] = 0
        outIm[row] = 0
      }
    }
  }

  @inline(__always)
  private static func products(
    _ zr: UnsafePointer<Float>, _ zi: UnsafePointer<Float>, _ nr: UnsafePointer<Float>,
    _ ni: UnsafePointer<Float>, _ count: Int
  ) -> (rr: Float, ii: Float, ri: Float, ir: Float) {
    var (rr, ii) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
    var (ri, ir) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
    var i = 0
    while i < count {
      let a = UnsafeRawPointer(zr + i).loadUnaligned(as: SIMD8<Float>.self)
      let b = UnsafeRawPointer(zi + i).loadUnaligned(as: SIMD8<Float>.self)
      let c = UnsafeRawPointer(nr + i).loadUnaligned(as: SIMD8<Float>.self)
      let d = UnsafeRawPointer(ni + i).loadUnaligned(as: SIMD8<Float>.self)
      rr += a * c
      ii += b * d
      ri += a * d
      ir += b * c
      i += 8
    }
    return (rr.sum(), ii.sum(), ri.sum(), ir.sum())
  }

  private func invert(_ transform: RowTransform, margin: Int) {
    let width = transform.length
    let rows = 4 * (2 * margin + 1)
    let factor = 1 / Float(width)
    scores.reshape(width, rows)
    for group in 0..<(sumRe.width / 8) {
      let data = transform.data
      for k in 0..<width {
        data[2 * k] = UnsafeRawPointer(sumRe.row(k) + 8 * group)
          .loadUnaligned(as: SIMD8<Float>.self)
        data[2 * k + 1] = UnsafeRawPointer(sumIm.row(k) + 8 * group)
          .loadUnaligned(as: SIMD8<Float>.self)
      }
      transform.inverse()
      let result = transform.data
      for lane in 0..<min(8, rows - 8 * group) {
        let out = scores.row(8 * group + lane)
        for d in 0..<width { out[d] = result[2 * d][lane] * factor }
      }
    }
  }
}
