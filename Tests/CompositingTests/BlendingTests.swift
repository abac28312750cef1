// SPDX-License-Identifier: Apache-2.0

import ChildProcess
import Compositing
import SubtitleModel
import Testing

@Suite struct BlendingTests {
  static func plane(_ width: Int, _ height: Int, _ samples: [UInt8]) -> SamplePlane {
    SamplePlane(width: width, height: height, samples: samples)
  }

  static func flat(_ width: Int, _ height: Int, _ value: UInt8) -> SamplePlane {
    plane(width, height, Array(repeating: value, count: width * height))
  }

  static func frame(_ width: Int, _ height: Int, luma: UInt8, cb: UInt8, cr: UInt8) -> PlanarFrame {
    let half = ((width + 1) / 2, (height + 1) / 2)
    return PlanarFrame(
      time: .zero, luma: flat(width, height, luma), cb: flat(half.0, half.1, cb),
      cr: flat(half.0, half.1, cr))
  }

  struct Mix: Sendable {
    var below: UInt8
    var top: UInt8
    var alpha: UInt8
    var result: UInt8
  }

  /// Computed on paper: (below * (255 - alpha) + top * alpha) / 255, rounded to the nearest.
  static let mixes: [Mix] = [
    Mix(below: 100, top: 235, alpha: 0, result: 100),
    Mix(below: 100, top: 235, alpha: 255, result: 235),
    Mix(below: 16, top: 235, alpha: 128, result: 126),  // 125.93
    Mix(below: 235, top: 16, alpha: 1, result: 234),  // 234.14
    Mix(below: 235, top: 16, alpha: 254, result: 17),  // 16.86
    Mix(below: 0, top: 255, alpha: 77, result: 77),
    Mix(below: 255, top: 255, alpha: 99, result: 255),
  ]

  @Test("luma is mixed at each sample and rounded to the nearest", arguments: mixes)
  func luma(_ mix: Mix) throws {
    var frame = Self.frame(4, 4, luma: mix.below, cb: 128, cr: 128)
    let overlay = try PlanarOverlay(
      luma: Self.flat(2, 2, mix.top), cb: Self.flat(1, 1, 128), cr: Self.flat(1, 1, 128),
      alpha: Self.flat(2, 2, mix.alpha))
    frame.blend(overlay, x: 2, y: 0)
    let (b, r) = (mix.below, mix.result)
    #expect(frame.luma.samples == [b, b, r, r, b, b, r, r, b, b, b, b, b, b, b, b])
  }

  @Test func `chroma is mixed by the mean alpha of its four samples, rounded down`() throws {
    var frame = Self.frame(4, 4, luma: 16, cb: 100, cr: 200)
    let overlay = try PlanarOverlay(
      luma: Self.flat(4, 4, 16), cb: Self.flat(2, 2, 240), cr: Self.flat(2, 2, 16),
      alpha: Self.plane(4, 4, [255, 0, 255, 255, 0, 0, 255, 255, 3, 0, 0, 0, 0, 0, 0, 0]))
    frame.blend(overlay, x: 0, y: 0)
    // Alpha 255 / 4 = 63: (100 * 192 + 240 * 63) / 255 = 134.6, (200 * 192 + 16 * 63) / 255 = 154.5.
    // Top right lies in the last column: both means are 255. Bottom left, last row: across
    // (3 + 0) / 2 = 1, down 3, of both 2: 101.1 and 198.6.
    #expect(frame.cb.samples == [135, 240, 101, 100])
    #expect(frame.cr.samples == [155, 16, 199, 200])
  }

  @Test func `planes that do not fit each other are refused`() {
    #expect(throws: CompositingFault.planesDisagree(Canvas(width: 4, height: 4))) {
      try PlanarOverlay(
        luma: Self.flat(4, 4, 0), cb: Self.flat(2, 1, 0), cr: Self.flat(2, 2, 0),
        alpha: Self.flat(4, 4, 0))
    }
  }

  struct Place: Sendable, CustomTestStringConvertible {
    var frame: (Int, Int)
    var overlay: (Int, Int)
    var x: Int
    var y: Int
    var testDescription: String { "\(overlay) on \(frame) at \(x),\(y)" }
  }

  @Test(
    "a blend has the bytes of the overlay filter",
    arguments: [
      Place(frame: (64, 48), overlay: (64, 48), x: 0, y: 0),
      Place(frame: (64, 48), overlay: (30, 20), x: 6, y: 10),
      Place(frame: (64, 48), overlay: (100, 60), x: -18, y: -6),
      Place(frame: (65, 47), overlay: (65, 47), x: 0, y: 0),
      Place(frame: (640, 360), overlay: (200, 300), x: 500, y: 200),
    ])
  func againstTheProgram(_ place: Place) async throws {
    var random = SplitMix(seed: 7)
    func noise(_ width: Int, _ height: Int) -> SamplePlane {
      Self.plane(width, height, (0..<width * height).map { _ in random.byte() })
    }
    func half(_ size: (Int, Int)) -> (Int, Int) { ((size.0 + 1) / 2, (size.1 + 1) / 2) }
    let (size, top) = (place.frame, place.overlay)
    var frame = PlanarFrame(
      time: .zero, luma: noise(size.0, size.1), cb: noise(half(size).0, half(size).1),
      cr: noise(half(size).0, half(size).1))
    let overlay = try PlanarOverlay(
      luma: noise(top.0, top.1), cb: noise(half(top).0, half(top).1),
      cr: noise(half(top).0, half(top).1), alpha: noise(top.0, top.1))
    let folder = try TemporaryFolder()
    let main = try folder.write(
      "main.yuv", frame.luma.samples + frame.cb.samples + frame.cr.samples)
    let sub = try folder.write(
      "sub.yuv",
      overlay.luma.samples + overlay.cb.samples + overlay.cr.samples + overlay.alpha.samples)
    let result = try await ChildProcess.run(
      "ffmpeg",
      [
        "-v", "error", "-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", "\(size.0)x\(size.1)", "-i",
        main, "-f", "rawvideo", "-pix_fmt", "yuva420p", "-s", "\(top.0)x\(top.1)", "-i", sub,
        "-filter_complex", "[0:v][1:v]overlay=\(place.x):\(place.y)", "-f", "rawvideo", "-",
      ])
    try #require(result.status == 0, "\(result.errors)")
    frame.blend(overlay, x: place.x, y: place.y)
    let mine = frame.luma.samples + frame.cb.samples + frame.cr.samples
    try #require(result.output.count == mine.count)
    let differing = mine.indices.filter { mine[$0] != result.output[$0] }
    #expect(differing.count == 0, "first at byte \(differing.first ?? -1)")
  }
}
