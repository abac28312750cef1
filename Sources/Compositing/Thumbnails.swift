// SPDX-License-Identifier: Apache-2.0

public import SubtitleModel

extension RGBABitmap {
  /// A part of the picture; what lies outside is left out.
  ///
  /// - Parameter rect: The part, in pixels of this picture.
  /// - Returns: The pixels that both hold, perhaps none.
  public func cropped(to rect: PixelRect) -> RGBABitmap {
    let part = rect.intersection(PixelRect(x: 0, y: 0, width: width, height: height))
    guard !part.isEmpty else { return RGBABitmap(width: 0, height: 0, bytes: []) }
    var result: [UInt8] = []
    result.reserveCapacity(4 * part.width * part.height)
    for row in part.y..<part.y + part.height {
      let start = 4 * (row * width + part.x)
      result += bytes[start..<start + 4 * part.width]
    }
    return RGBABitmap(width: part.width, height: part.height, bytes: result)
  }

  /// The picture scaled down by averaging until it fits; unchanged if it does.
  ///
  /// Colours are weighed by their alpha, so that transparent pixels lend none of theirs.
  ///
  /// - Parameter size: The size to fit into; sides below 1 count as 1.
  /// - Returns: A picture of the same shape, as large as fits, at least 1x1.
  public func shrunk(toFit size: Canvas) -> RGBABitmap {
    let limit = Canvas(width: max(1, size.width), height: max(1, size.height))
    guard width > limit.width || height > limit.height, width > 0, height > 0 else { return self }
    let scale = min(Double(limit.width) / Double(width), Double(limit.height) / Double(height))
    let newWidth = min(limit.width, max(1, Int(Double(width) * scale + 1e-6)))
    let newHeight = min(limit.height, max(1, Int(Double(height) * scale + 1e-6)))
    var result = RGBABitmap(width: newWidth, height: newHeight, filledWith: .transparent)
    let columns = Self.blocks(of: width, count: newWidth)
    let rows = Self.blocks(of: height, count: newHeight)
    bytes.withUnsafeBufferPointer { source in
      result.bytes.withUnsafeMutableBufferPointer { target in
        for (row, sourceRows) in rows.enumerated() {
          for (column, sourceColumns) in columns.enumerated() {
            let mean = Self.mean(source, width, columns: sourceColumns, rows: sourceRows)
            let place = 4 * (row * newWidth + column)
            for component in 0..<4 { target[place + component] = mean[component] }
          }
        }
      }
    }
    return result
  }

  /// Runs of source pixels, one for each pixel of the result, together all of them.
  private static func blocks(of length: Int, count: Int) -> [Range<Int>] {
    (0..<count).map {
      $0 * length / count..<max($0 * length / count + 1, ($0 + 1) * length / count)
    }
  }

  /// The mean colour of a block of pixels, weighed by alpha: R, G, B, A.
  private static func mean(
    _ bytes: UnsafeBufferPointer<UInt8>, _ width: Int, columns: Range<Int>, rows: Range<Int>
  ) -> SIMD4<UInt8> {
    var (red, green, blue, alpha) = (0, 0, 0, 0)
    for row in rows {
      for column in columns {
        let place = 4 * (row * width + column)
        let weight = Int(bytes[place + 3])
        red += Int(bytes[place]) * weight
        green += Int(bytes[place + 1]) * weight
        blue += Int(bytes[place + 2]) * weight
        alpha += weight
      }
    }
    guard alpha > 0 else { return SIMD4(repeating: 0) }
    let count = columns.count * rows.count
    let half = alpha / 2
    return SIMD4(
      UInt8((red + half) / alpha), UInt8((green + half) / alpha), UInt8((blue + half) / alpha),
      UInt8((alpha + count / 2) / count))
  }
}
