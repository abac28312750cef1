// SPDX-License-Identifier: Apache-2.0

import Compositing
import SubtitleModel
import Testing

@Suite struct LayoutTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var layout: Layout
    var canvas = Canvas(width: 1920, height: 1080)
    var frame: Canvas
    var object: PixelRect
    var expected: PixelRect
    var testDescription: String { "\(layout.rawValue) \(canvas) on \(frame)" }
  }

  static let low = PixelRect(x: 760, y: 980, width: 400, height: 60)
  static func rect(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> PixelRect {
    PixelRect(x: x, y: y, width: width, height: height)
  }
  static func size(_ width: Int, _ height: Int) -> Canvas { Canvas(width: width, height: height) }

  /// Rectangles measured in pictures that the `ffmpeg` program made with each server's chain.
  static let measured: [Case] = [
    Case(layout: .jellyfin, frame: size(1920, 1080), object: low, expected: low),
    Case(layout: .jellyfin, frame: size(1280, 720), object: low, expected: rect(507, 653, 266, 40)),
    Case(
      layout: .jellyfin, frame: size(3840, 2160), object: low,
      expected: rect(1520, 1960, 800, 120)),
    Case(layout: .jellyfin, frame: size(1920, 800), object: low, expected: rect(811, 726, 296, 44)),
    Case(
      layout: .jellyfin108, frame: size(1920, 800), object: low, expected: rect(761, 726, 399, 44)),
    Case(layout: .emby35, frame: size(1920, 800), object: low, expected: rect(563, 726, 296, 44)),
    Case(
      layout: .jellyfin, frame: size(3840, 1600), object: rect(760, 40, 400, 60),
      expected: rect(1625, 60, 592, 88)),
    Case(
      layout: .jellyfin, frame: size(1440, 1080), object: low, expected: rect(521, 980, 400, 60)),
    Case(
      layout: .jellyfin, canvas: size(720, 576), frame: size(1920, 1080),
      object: rect(200, 480, 320, 48), expected: rect(660, 900, 600, 90)),
    Case(layout: .plain, frame: size(1280, 720), object: low, expected: low),
  ]

  @Test("objects come to lie where the servers' chains put them", arguments: measured)
  func measuredRectangles(_ test: Case) {
    let placement = test.layout.placement(canvas: test.canvas, frame: test.frame)
    let found = placement.frameRect(of: test.object)
    // The figures were read off blurred edges: two pixels.
    #expect(abs(found.x - test.expected.x) <= 2, "\(found)")
    #expect(abs(found.y - test.expected.y) <= 2, "\(found)")
    #expect(abs(found.x + found.width - test.expected.x - test.expected.width) <= 2, "\(found)")
    #expect(abs(found.y + found.height - test.expected.y - test.expected.height) <= 2, "\(found)")
  }

  @Test func `offsets are rounded down to even numbers, as 4 2 0 filters do`() {
    // 1422 wide, 498 left over, 249 on each side.
    let steps = Layout.jellyfin.arrangement(
      canvas: Self.size(1920, 1080), frame: Self.size(1920, 800))
    #expect(steps.scaled == Self.size(1422, 800))
    #expect(steps.originX == 248)
    #expect(steps.originY == 0)
  }

  @Test func `an odd scaled width loses its last column`() {
    let steps = Layout.jellyfin109.arrangement(
      canvas: Self.size(1920, 1080), frame: Self.size(640, 270))
    #expect(steps.scaled == Self.size(480, 270))
    let odd = Layout.jellyfin109.arrangement(
      canvas: Self.size(720, 576), frame: Self.size(854, 484))
    #expect(odd.scaled == Self.size(605, 484))
    #expect(odd.kept == Self.size(604, 484))
    #expect(odd.originX == 124)
  }

  @Test func `aspect ratios count as equal below a hundredth`() {
    let canvas = Self.size(1920, 1080)
    // 1920 / 1074 - 1920 / 1080 = 0.00993
    #expect(
      Layout.jellyfin.arrangement(canvas: canvas, frame: Self.size(1920, 1074)).scaled.width == 1920
    )
    // 1920 / 1072 - 1920 / 1080 = 0.01327
    #expect(
      Layout.jellyfin.arrangement(canvas: canvas, frame: Self.size(1920, 1072)).scaled.width == 1906
    )
  }

  @Test(
    "a server's version names its layout",
    arguments: [
      ("10.7.7", nil), ("10.8.13", .jellyfin108), ("10.9.11", .jellyfin109),
      ("10.10.0", .jellyfin), ("10.11.8", .jellyfin), ("12.0.0-rc1", .jellyfin), ("", nil),
      ("x.y", nil), ("10", nil), ("4.8.11.0", nil),
    ] as [(String, Layout?)])
  func versions(_ version: String, _ layout: Layout?) {
    #expect(Layout.forJellyfin(version: version) == layout)
  }

  @Test func `nonsense sizes do not trap`() {
    for layout in Layout.allCases {
      for canvas in [Self.size(0, 0), Self.size(1, Int(Int32.max)), Self.size(-5, 7)] {
        _ = layout.placement(canvas: canvas, frame: Self.size(1920, 800))
        _ = layout.placement(canvas: Self.size(1920, 1080), frame: canvas)
      }
    }
  }
}
