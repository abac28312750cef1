// SPDX-License-Identifier: Apache-2.0

import Compositing
import SubtitleModel
import Testing

@Suite struct DrawingTests {
  static let palette = Palette(colors: [
    PaletteColor(red: 9, green: 8, blue: 7, alpha: 0),
    PaletteColor(red: 255, green: 0, blue: 0, alpha: 255),
    PaletteColor(red: 0, green: 0, blue: 255, alpha: 128),
  ])

  static func object(_ x: Int, _ y: Int, _ width: Int, _ indices: [UInt8]) -> CueObject {
    CueObject(
      x: x, y: y,
      bitmap: IndexedBitmap(width: width, height: indices.count / width, indices: indices),
      palette: palette, isForced: false)
  }

  static func cue(_ objects: [CueObject]) -> Cue {
    Cue(index: 0, start: .zero, end: .zero, endCause: .clear, objects: objects)
  }

  static let clear: [UInt8] = [0, 0, 0, 0]
  static let red: [UInt8] = [255, 0, 0, 255]
  static let blue: [UInt8] = [0, 0, 255, 128]
  static let size = Canvas(width: 3, height: 2)

  @Test func `an authored cue composites its objects in order`() throws {
    let cue = Self.cue([Self.object(0, 0, 2, [1, 1]), Self.object(1, 0, 2, [2, 2])])
    let picture = try cue.picture(on: Self.size)
    // 255 * 127 / 255 = 127, 255 * 128 / 255 = 128.
    #expect(
      picture.bytes == Self.red + [127, 0, 128, 255] + Self.blue + Self.clear + Self.clear
        + Self.clear)
  }

  @Test func `the server's way lets later objects replace earlier ones, transparent pixels too`()
    throws
  {
    let cue = Self.cue([Self.object(0, 0, 2, [1, 1]), Self.object(1, 0, 2, [0, 2])])
    let picture = try cue.picture(on: Self.size, habit: .server)
    #expect(
      picture.bytes == Self.red + [9, 8, 7, 0] + Self.blue + Self.clear + Self.clear + Self.clear)
  }

  @Test func `objects that reach past the canvas are clipped, or left out by the server`() throws {
    let objects = [
      Self.object(2, 1, 2, [1, 1]), Self.object(-1, 0, 2, [2, 1]), Self.object(1, -1, 1, [2, 1]),
    ]
    let cue = Self.cue(objects)
    let authored = try cue.picture(on: Self.size)
    #expect(
      authored.bytes == Self.red + Self.red + Self.clear + Self.clear + Self.clear + Self.red)
    #expect(cue.objectsLeftOut(on: Self.size) == [0, 1, 2])
    let served = try cue.picture(on: Self.size, habit: .server)
    #expect(served.bytes.allSatisfy { $0 == 0 })
  }

  @Test func `coordinates at the ends of the range do not trap`() throws {
    for x in [Int.min, Int.max, -2, 3] {
      for y in [Int.min, Int.max, 0] {
        let cue = Self.cue([Self.object(x, y, 2, [1, 1])])
        for habit in DrawingHabit.allCases {
          #expect(try cue.picture(on: Self.size, habit: habit).bytes.allSatisfy { $0 == 0 })
        }
      }
    }
  }

  @Test func `an index past the palette is transparent`() throws {
    let picture = try Self.cue([Self.object(0, 0, 1, [200])]).picture(on: Self.size)
    #expect(picture.bytes.allSatisfy { $0 == 0 })
  }

  @Test(
    "canvases that no buffer should be made for are refused",
    arguments: [(0, 5), (-1, 5), (65535, 65535), (Int.max, Int.max)])
  func sizes(_ width: Int, _ height: Int) {
    let canvas = Canvas(width: width, height: height)
    #expect(throws: CompositingFault.sizeOutOfRange(canvas)) {
      try Self.cue([]).picture(on: canvas)
    }
  }

  @Test func `straight pictures composite as real arithmetic says`() {
    // Two half-opaque colours: alpha a + b - ab, colours weighted by what shows of each.
    var random = SplitMix(seed: 3)
    for _ in 0..<2000 {
      let top = (0..<4).map { _ in random.byte() }
      let below = (0..<3).map { _ in random.byte() } + [[0, 1, 128, 255][random.below(4)]]
      var picture = RGBABitmap(width: 1, height: 1, bytes: below)
      picture.composite(RGBABitmap(width: 1, height: 1, bytes: top), x: 0, y: 0)
      let (a, b) = (Double(top[3]) / 255, Double(below[3]) / 255)
      let alpha = a + b * (1 - a)
      #expect(abs(Double(picture.bytes[3]) - 255 * alpha) <= 0.51)
      guard alpha > 0 else { continue }
      for component in 0..<3 {
        let exact =
          (Double(top[component]) * a + Double(below[component]) * b * (1 - a)) / alpha
        #expect(abs(Double(picture.bytes[component]) - exact) <= 0.51)
      }
    }
  }

  @Test func `a composite is cut at the picture's edges and at what is kept`() {
    var picture = RGBABitmap(width: 3, height: 2, filledWith: .transparent)
    let top = RGBABitmap(
      width: 3, height: 3,
      filledWith: PaletteColor(red: 255, green: 0, blue: 0, alpha: 255))
    picture.composite(top, x: -1, y: 1, kept: Canvas(width: 2, height: 3))
    #expect(
      picture.bytes == Self.clear + Self.clear + Self.clear + Self.red + Self.clear + Self.clear)
    picture.composite(top, x: Int.max, y: Int.min)
    picture.composite(top, x: -3, y: 2)
    #expect(picture.bytes.prefix(12).allSatisfy { $0 == 0 })
  }
}

@Suite struct ColorMatrixTests {
  @Test func `the tag decides, then the height`() {
    #expect(VideoMatrix.ofVideo(tag: "bt709", height: 480) == .bt709)
    #expect(VideoMatrix.ofVideo(tag: "smpte170m", height: 1080) == .bt601)
    #expect(VideoMatrix.ofVideo(tag: "bt2020nc", height: 2160) == .bt2020)
    #expect(VideoMatrix.ofVideo(tag: nil, height: 576) == .bt601)
    #expect(VideoMatrix.ofVideo(tag: "unknown", height: 720) == .bt709)
  }
}

@Suite struct ThumbnailTests {
  @Test func `a block's mean is weighed by alpha`() {
    // Red opaque, blue half, two transparent greens: (255*255, 0, 255*128) / 383, alpha 383 / 4.
    let picture = RGBABitmap(
      width: 2, height: 2, bytes: [255, 0, 0, 255, 0, 0, 255, 128, 0, 255, 0, 0, 0, 255, 0, 0])
    let small = picture.shrunk(toFit: Canvas(width: 1, height: 1))
    #expect(small.bytes == [170, 0, 85, 96])
  }

  @Test(
    "a picture keeps its shape and fits",
    arguments: [
      ((1920, 1080), (408, 230), (408, 229)), ((1921, 30), (408, 160), (408, 6)),
      ((5, 5000), (408, 160), (1, 160)), ((100, 50), (408, 160), (100, 50)),
      ((300, 200), (0, -1), (1, 1)),
    ] as [((Int, Int), (Int, Int), (Int, Int))])
  func sizes(_ from: (Int, Int), _ limit: (Int, Int), _ to: (Int, Int)) {
    let gray = PaletteColor(red: 90, green: 91, blue: 92, alpha: 255)
    let picture = RGBABitmap(width: from.0, height: from.1, filledWith: gray)
    let small = picture.shrunk(toFit: Canvas(width: limit.0, height: limit.1))
    #expect(small == RGBABitmap(width: to.0, height: to.1, filledWith: gray))
  }

  @Test func `a part is cut out, and only what is inside`() {
    let picture = RGBABitmap(
      width: 2, height: 2, bytes: [1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4])
    let right = picture.cropped(to: PixelRect(x: 1, y: -1, width: 9, height: 9))
    #expect(right == RGBABitmap(width: 1, height: 2, bytes: [2, 2, 2, 2, 4, 4, 4, 4]))
    #expect(picture.cropped(to: PixelRect(x: 5, y: 0, width: 1, height: 1)).bytes.isEmpty)
  }
}
