// SPDX-License-Identifier: Apache-2.0
import ChildProcess
import MediaContainer
import SubtitleModel
import Testing

@Suite struct ScalerTests {
  /// A canvas of coloured, half-transparent and empty areas with soft and hard edges.
  ///
  /// The first column is empty: behind a row of odd width the program's raw input has the next row's
  /// first pixel, and a subtitle canvas has nothing.
  static func picture(_ width: Int, _ height: Int) -> RGBABitmap {
    var bitmap = RGBABitmap(width: width, height: height, filledWith: .transparent)
    for y in 0..<height where y > height / 2 {
      for x in 1..<width where (x / 13 + y / 7) % 3 != 0 {
        let offset = 4 * (y * width + x)
        bitmap.bytes[offset] = UInt8(truncatingIfNeeded: x * 3)
        bitmap.bytes[offset + 1] = UInt8(truncatingIfNeeded: 255 - y)
        bitmap.bytes[offset + 2] = UInt8(truncatingIfNeeded: x ^ y)
        bitmap.bytes[offset + 3] = x % 5 == 0 ? 128 : UInt8(truncatingIfNeeded: 40 + y * 2)
      }
    }
    return bitmap
  }

  /// The same pixels as FFmpeg's subtitle canvases hold them: B, G, R, A.
  private func swapped(_ bytes: [UInt8]) -> [UInt8] {
    var result = bytes
    for pixel in stride(from: 0, to: bytes.count, by: 4) { result.swapAt(pixel, pixel + 2) }
    return result
  }

  private func program(
    _ bitmap: RGBABitmap, _ size: Canvas, _ filter: String, _ format: String
  ) async throws -> [UInt8] {
    let input = ["-f", "rawvideo", "-pix_fmt", "bgra", "-s", "\(bitmap.width)x\(bitmap.height)"]
    let scale = ["-vf", "scale=\(size.width):\(size.height):flags=\(filter),format=\(format)"]
    return try await ffmpeg(
      input + ["-i", "-"] + scale + ["-f", "rawvideo", "-pix_fmt", format, "-"],
      input: swapped(bitmap.bytes))
  }

  static let cases: [(Canvas, Canvas)] = [
    (Canvas(width: 480, height: 270), Canvas(width: 320, height: 180)),
    (Canvas(width: 480, height: 270), Canvas(width: 355, height: 200)),
    (Canvas(width: 360, height: 288), Canvas(width: 427, height: 240)),
    (Canvas(width: 359, height: 241), Canvas(width: 359, height: 241)),
    (Canvas(width: 160, height: 90), Canvas(width: 480, height: 270)),
  ]

  @Test(arguments: cases, [ScalingFilter.fastBilinear, .bicubic])
  func `planes are those of the scale filter`(
    sizes: (Canvas, Canvas), filter: ScalingFilter
  ) async throws {
    let (from, size) = sizes
    let bitmap = Self.picture(from.width, from.height)
    let expected = try await program(bitmap, size, filter.rawValue, "yuva420p")
    let planes = try CanvasScaler().planar(bitmap, to: size, filter: filter)
    let joined =
      planes.luma.samples + planes.cb.samples + planes.cr.samples + planes.alpha.samples
    #expect(joined.count == expected.count)
    let isSame = joined == expected
    #expect(isSame, "first at \(zip(joined, expected).enumerated().first { $1.0 != $1.1 } as Any)")
  }

  @Test(arguments: cases)
  func `RGBA is that of the scale filter`(sizes: (Canvas, Canvas)) async throws {
    let (from, size) = sizes
    let bitmap = Self.picture(from.width, from.height)
    let expected = try await program(bitmap, size, "fast_bilinear", "bgra")
    let scaled = try CanvasScaler().rgba(bitmap, to: size, filter: .fastBilinear)
    let isSame = swapped(scaled.bytes) == expected
    #expect(isSame)
  }

  @Test func `green is darker by BT.601 than by BT.709`() throws {
    let green = RGBABitmap(
      width: 16, height: 16,
      filledWith: PaletteColor(red: 0, green: 255, blue: 0, alpha: 255))
    let size = Canvas(width: 16, height: 16)
    func luma(_ matrix: ColorMatrix) throws -> UInt8? {
      try CanvasScaler().planar(green, to: size, filter: .bicubic, matrix: matrix).luma.samples[0]
    }
    // 16 + 219 * 0.587 = 144.6; 16 + 219 * 0.7152 = 172.6.
    #expect(try luma(.bt601).map { abs(Int($0) - 145) <= 1 } == true)
    #expect(try luma(.bt709).map { abs(Int($0) - 173) <= 1 } == true)
  }

  @Test func `hostile sizes are refused`() {
    let bitmap = RGBABitmap(width: 1, height: 1, filledWith: .transparent)
    for size in [Canvas(width: 0, height: 4), Canvas(width: 20_000, height: 4)] {
      let error = #expect(throws: MediaError.self) {
        try CanvasScaler().rgba(bitmap, to: size, filter: .bilinear)
      }
      #expect(error?.kind == .tooLarge)
    }
  }
}
