// SPDX-License-Identifier: Apache-2.0

public import SubtitleModel

/// A picture to lay over video: limited-range Y'CbCr 4:2:0 with straight alpha (`yuva420p`).
public struct PlanarOverlay: Sendable, Hashable {
  /// Y samples.
  public var luma: SamplePlane
  /// Cb samples, `(width + 1) / 2` by `(height + 1) / 2`.
  public var cb: SamplePlane
  /// Cr samples, of the same size as `cb`.
  public var cr: SamplePlane
  /// Alpha of the luma's size: 0 is transparent, 255 opaque.
  public var alpha: SamplePlane

  /// Makes a picture of its planes.
  ///
  /// - Parameters:
  ///   - luma: Y samples.
  ///   - cb: Cb samples of half size, rounded up.
  ///   - cr: Cr samples of half size, rounded up.
  ///   - alpha: Straight alpha, of the luma's size.
  /// - Throws: `.planesDisagree` if the sizes do not fit each other.
  public init(
    luma: SamplePlane, cb: SamplePlane, cr: SamplePlane, alpha: SamplePlane
  ) throws(CompositingFault) {
    let (width, height) = (luma.width, luma.height)
    let half = ((width + 1) / 2, (height + 1) / 2)
    guard (alpha.width, alpha.height) == (width, height), (cb.width, cb.height) == half,
      (cr.width, cr.height) == half
    else { throw .planesDisagree(Canvas(width: width, height: height)) }
    self.luma = luma
    self.cb = cb
    self.cr = cr
    self.alpha = alpha
  }
}

extension PlanarFrame {
  /// Lays a picture over the frame, in the arithmetic of FFmpeg's `overlay` filter.
  ///
  /// Luma is mixed by the alpha at each sample. Chroma is mixed by the alpha of the four luma samples
  /// it belongs to, averaged and rounded down. Both are rounded to the nearest after mixing.
  ///
  /// - Parameters:
  ///   - overlay: The picture that comes above.
  ///   - x: The frame's column where its left edge comes to lie: even, may be negative.
  ///   - y: The frame's row where its top edge comes to lie: even, may be negative.
  ///   - kept: The part of `overlay` that counts, from its top left corner; all of it if nil.
  public mutating func blend(_ overlay: PlanarOverlay, x: Int, y: Int, kept: Canvas? = nil) {
    let width = min(overlay.luma.width, kept?.width ?? overlay.luma.width)
    let height = min(overlay.luma.height, kept?.height ?? overlay.luma.height)
    if let span = OverlapSpan(
      x: x, y: y, width: width, height: height, inWidth: luma.width, inHeight: luma.height)
    {
      luma.mix(overlay.luma, at: (x, y), in: span) { row in
        overlay.alpha.samples[row * overlay.alpha.width..<(row + 1) * overlay.alpha.width]
      }
    }
    let (halfX, halfY) = (x >> 1, y >> 1)
    let (halfWidth, halfHeight) = ((width + 1) / 2, (height + 1) / 2)
    guard
      let span = OverlapSpan(
        x: halfX, y: halfY, width: halfWidth, height: halfHeight, inWidth: cb.width,
        inHeight: cb.height)
    else { return }
    let averaged = overlay.alpha.averagedByFour(
      width: halfWidth, rows: span.rows, height: halfHeight)
    let mean: (Int) -> ArraySlice<UInt8> = { row in
      let start = (row - span.rows.lowerBound) * halfWidth
      return averaged[start..<start + halfWidth]
    }
    cb.mix(overlay.cb, at: (halfX, halfY), in: span, alpha: mean)
    cr.mix(overlay.cr, at: (halfX, halfY), in: span, alpha: mean)
  }

  /// Lays a scaled canvas over the frame as a layout arranges it.
  ///
  /// - Parameters:
  ///   - overlay: The canvas, already scaled to the arrangement's size.
  ///   - steps: Where it comes to lie and what of it is used.
  public mutating func blend(_ overlay: PlanarOverlay, by steps: Arrangement) {
    // The servers' chains crop to the frame before they blend, so the frame's edge is an edge.
    let kept = Canvas(
      width: min(steps.kept.width, luma.width - steps.originX),
      height: min(steps.kept.height, luma.height - steps.originY))
    blend(overlay, x: steps.originX, y: steps.originY, kept: kept)
  }
}

extension SamplePlane {
  /// Mixes another plane in, by an alpha for each of its samples: `alpha(row)` begins at column 0.
  mutating func mix(
    _ top: SamplePlane, at origin: (x: Int, y: Int), in span: OverlapSpan,
    alpha: (Int) -> ArraySlice<UInt8>
  ) {
    let (width, topWidth) = (width, top.width)
    samples.withUnsafeMutableBufferPointer { target in
      top.samples.withUnsafeBufferPointer { source in
        for row in span.rows {
          alpha(row).withUnsafeBufferPointer { alpha in
            let to = (origin.y + row) * width + origin.x
            let from = row * topWidth
            for column in span.columns {
              let weight = UInt32(alpha[column])
              let sum =
                UInt32(target[to + column]) &* (255 &- weight) &+ UInt32(source[from + column])
                &* weight
              target[to + column] = UInt8(truncatingIfNeeded: ((sum &+ 128) &* 257) >> 16)
            }
          }
        }
      }
    }
  }

  /// The alpha that chroma is mixed by: each sample from the four alpha samples it belongs to.
  ///
  /// In the last column and the last row, where FFmpeg's filter takes no four samples, the means of
  /// two are averaged.
  ///
  /// - Parameters:
  ///   - width: Chroma columns.
  ///   - rows: The chroma rows wanted.
  ///   - height: Chroma rows of the whole picture.
  /// - Returns: `width * rows.count` samples.
  func averagedByFour(width: Int, rows: Range<Int>, height: Int) -> [UInt8] {
    var result = [UInt8]()
    result.reserveCapacity(width * rows.count)
    let stride = self.width
    samples.withUnsafeBufferPointer { alpha in
      for row in rows {
        let isLastRow = row + 1 >= height || 2 * row + 1 >= self.height
        for column in 0..<width {
          let isLastColumn = column + 1 >= width || 2 * column + 1 >= stride
          let start = 2 * row * stride + 2 * column
          let first = UInt32(alpha[start])
          if !isLastRow && !isLastColumn {
            let sum =
              first + UInt32(alpha[start + 1]) + UInt32(alpha[start + stride])
              + UInt32(alpha[start + stride + 1])
            result.append(UInt8(sum >> 2))
          } else {
            let across = isLastColumn ? first : (first + UInt32(alpha[start + 1])) >> 1
            let down = isLastRow ? first : (first + UInt32(alpha[start + stride])) >> 1
            result.append(UInt8((across + down) >> 1))
          }
        }
      }
    }
    return result
  }
}
