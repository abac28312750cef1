// SPDX-License-Identifier: Apache-2.0
import Burnscope
import ChildProcess
import Compositing
import PNGCoding
import SubtitleFormats
import SubtitleModel
import TestSupport
import Testing

/// Rendered pictures against those of the `ffmpeg` program with the servers' filter chains.
@Suite struct RenderAgainstFFmpegTests {
  static let oneSecond = Timestamp(milliseconds: 1000)

  /// The mean absolute differences of two pictures inside a box, by plane, in codes.
  struct Difference: CustomStringConvertible {
    var planes: [Double]
    var worst: Double { planes.max() ?? 0 }
    var description: String {
      planes.map { "\(($0 * 1000).rounded() / 1000)" }.joined(separator: " ")
    }
  }

  static func mean(
    _ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>, stride: Int, box: PixelRect,
    components: Int = 1
  ) -> Double {
    var sum = 0
    for row in box.y..<box.y + box.height {
      for column in box.x * components..<(box.x + box.width) * components {
        let place = row * stride * components + column
        sum += abs(Int(left[left.startIndex + place]) - Int(right[right.startIndex + place]))
      }
    }
    return Double(sum) / Double(max(1, box.width * box.height * components))
  }

  /// Compares planes with what the program gave as yuv420p, in the box of each object of the cue.
  static func difference(_ picture: RenderedPicture, _ program: [UInt8]) throws -> Difference {
    let planes = try #require(picture.planes)
    let (width, height) = (planes.luma.width, planes.luma.height)
    let (halfWidth, halfHeight) = ((width + 1) / 2, (height + 1) / 2)
    try #require(program.count == width * height + 2 * halfWidth * halfHeight)
    let cb = width * height
    let cr = cb + halfWidth * halfHeight
    var worst = Difference(planes: [0, 0, 0])
    var compared = 0
    for object in try #require(picture.cue).objects {
      let box = picture.placement.frameRect(of: object.rect).intersection(
        PixelRect(x: 0, y: 0, width: width, height: height))
      if box.isEmpty { continue }
      compared += 1
      let half = PixelRect(
        x: box.x / 2, y: box.y / 2, width: (box.width + 1) / 2, height: (box.height + 1) / 2
      ).intersection(PixelRect(x: 0, y: 0, width: halfWidth, height: halfHeight))
      let found = [
        mean(planes.luma.samples[...], program[..<cb], stride: width, box: box),
        mean(planes.cb.samples[...], program[cb..<cr], stride: halfWidth, box: half),
        mean(planes.cr.samples[...], program[cr...], stride: halfWidth, box: half),
      ]
      worst.planes = zip(worst.planes, found).map { max($0, $1) }
    }
    #expect(compared > 0)
    return worst
  }

  /// The filters that a server puts before `overlay`, and the options of `overlay`.
  static func chain(
    _ layout: Layout, canvas: Canvas, frame: Canvas, matrix: String = ""
  ) -> (sub: String, overlay: String) {
    let (w, h) = (frame.width, frame.height)
    let stretch = "scale,scale=\(w):\(h):fast_bilinear\(matrix)"
    let fit =
      "scale,scale=-1:\(h):fast_bilinear\(matrix),crop,pad=max(\(w)\\,iw):max(\(h)\\,ih):"
      + "(ow-iw)/2:(oh-ih)/2:black@0,crop=\(w):\(h)"
    let aspects =
      Double(w) / Double(h) - Double(canvas.width) / Double(canvas.height)
    let pass = "eof_action=pass:repeatlast=0"
    switch layout {
    case .plain: return ("", pass)
    case .jellyfin108:
      return ("scale=s=\(w)x\(h):flags=fast_bilinear", "eof_action=endall:shortest=1:repeatlast=0")
    case .jellyfin109: return (fit, pass)
    case .jellyfin: return (abs(aspects) < 0.01 ? stretch : fit, pass)
    case .emby35: return ("scale=\(w):\(h):force_original_aspect_ratio=decrease", pass)
    }
  }

  static let shapes: [RenderFixture.Shape] = [
    .init(1920, 1080), .init(1920, 800), .init(1440, 1080),
    .init(
      720, 576, canvas: Canvas(width: 720, height: 576), sampleAspect: "64/45", isVobSub: true,
      matrix: "bt470bg"),
    .init(720, 576, sampleAspect: "64/45", matrix: "bt470bg"),
    .init(854, 482, canvas: Canvas(width: 720, height: 576)),
  ]

  @Test("every layout agrees with the program's own chain", arguments: shapes)
  func layouts(_ shape: RenderFixture.Shape) async throws {
    let fixture = try await RenderFixture(shape)
    let renderer = try Renderer(path: fixture.path, track: .subtitleOrdinal(0))
    #expect(renderer.canvas == shape.canvas)
    for layout in Layout.allCases {
      // On a frame that is smaller than the canvas the plain layout may show nothing of the cue.
      if layout == .plain && shape.canvas.height > shape.frame.height { continue }
      let options = RenderOptions(background: .video, layout: layout)
      let picture = try renderer.picture(at: Self.oneSecond, options: options)
      #expect(picture.cue != nil)
      let (sub, overlay) = Self.chain(layout, canvas: shape.canvas, frame: shape.frame)
      let program = try await fixture.burned(sub: sub, overlay: overlay, format: "yuv420p")
      let difference = try Self.difference(picture, program)
      #expect(difference.worst <= 0.1, "\(layout.rawValue): Y Cb Cr \(difference)")
    }
    try await checkProgram(fixture, canvas: shape.canvas)
  }

  @Test("another layout's picture is far off") func sensitivity() async throws {
    let fixture = try await RenderFixture(.init(1920, 800))
    let renderer = try Renderer(path: fixture.path, track: .subtitleOrdinal(0))
    let picture = try renderer.picture(
      at: Self.oneSecond, options: RenderOptions(background: .video, layout: .jellyfin))
    let (sub, overlay) = Self.chain(
      .jellyfin108, canvas: renderer.canvas, frame: fixture.shape.frame)
    let program = try await fixture.burned(sub: sub, overlay: overlay, format: "yuv420p")
    #expect(try Self.difference(picture, program).worst > 10)
  }

  /// The same picture as the built program writes it, in RGB.
  func checkProgram(_ fixture: RenderFixture, canvas: Canvas) async throws {
    let frame = fixture.shape.frame
    let result = try await BuiltProgram.run([
      "render", fixture.path, "--track", "s:0", "--at", "1.0", "--background", "video",
      "--layout", "jellyfin", "--output", fixture.folder.file("one.png"),
    ])
    try #require(result.status == 0, "\(result.errors)")
    #expect(result.errors.contains("The frame at 00:00:01.000 is drawn, with cue 1."))
    let picture = try PNG.decodeRGBA(try fixture.folder.read("one.png"))
    let (sub, overlay) = Self.chain(.jellyfin, canvas: canvas, frame: frame)
    let program = try await fixture.burned(sub: sub, overlay: overlay, format: "rgba")
    try #require(program.count == picture.bytes.count)
    let whole = PixelRect(x: 0, y: 0, width: frame.width, height: frame.height)
    let difference = Self.mean(
      picture.bytes[...], program[...], stride: frame.width, box: whole, components: 4)
    #expect(difference <= 0.1)
  }

  @Test(
    "overlapping objects and objects past the canvas are drawn as the program does",
    arguments: [(220, 130, []), (520, 300, [1])] as [(Int, Int, [Int])])
  func drawingHabits(_ x: Int, _ y: Int, _ leftOut: [Int]) async throws {
    let canvas = Canvas(width: 640, height: 360)
    let objects: [PGSPicture.Object] = [
      .init(bitmap: RenderFixture.bitmap(200, 80, 7), x: 100, y: 100),
      .init(bitmap: RenderFixture.bitmap(150, 90, 7), x: x, y: y),
    ]
    let fixture = try await RenderFixture(.init(640, 360, canvas: canvas), objects: objects)
    let renderer = try Renderer(path: fixture.path, track: .subtitleOrdinal(0))
    let program = try await fixture.burned(sub: "", format: "yuv420p")
    let served = try renderer.picture(
      at: Self.oneSecond, options: RenderOptions(background: .video, layout: .plain))
    #expect(served.leftOut == leftOut)
    #expect(try Self.difference(served, program).worst <= 0.1)
    let authored = try renderer.picture(
      at: Self.oneSecond,
      options: RenderOptions(background: .video, layout: .plain, colors: .authored))
    #expect(authored.leftOut.isEmpty)
    #expect(try Self.difference(authored, program).worst > 5)
  }

  @Test("a frame of another size agrees with the program's scaled one")
  func scaledFrame() async throws {
    let fixture = try await RenderFixture(.init(1920, 800))
    let renderer = try Renderer(path: fixture.path, track: .subtitleOrdinal(0))
    let size = Canvas(width: 854, height: 356)
    let picture = try renderer.picture(
      at: Self.oneSecond, options: RenderOptions(background: .video, size: size))
    let (sub, overlay) = Self.chain(.jellyfin, canvas: renderer.canvas, frame: size)
    let program = try await fixture.burned(
      sub: sub, overlay: overlay, main: "scale=854:356", format: "yuv420p")
    let difference = try Self.difference(picture, program)
    #expect(difference.worst <= 0.1, "Y Cb Cr \(difference)")
  }

  @Test("authored colours agree with a conversion by the video's matrix")
  func authoredColours() async throws {
    let fixture = try await RenderFixture(.init(1920, 1080))
    let renderer = try Renderer(path: fixture.path, track: .subtitleOrdinal(0))
    let plain = try renderer.picture(
      at: Self.oneSecond,
      options: RenderOptions(background: .video, layout: .plain, colors: .authored))
    let straight = try await fixture.burned(
      sub: "scale=out_color_matrix=bt709,format=yuva420p", format: "yuv420p")
    let difference = try Self.difference(plain, straight)
    #expect(difference.worst <= 0.1, "Y Cb Cr \(difference)")

    let size = Canvas(width: 1280, height: 534)
    let fitted = try renderer.picture(
      at: Self.oneSecond,
      options: RenderOptions(background: .video, size: size, colors: .authored))
    let (sub, overlay) = Self.chain(
      .jellyfin, canvas: renderer.canvas, frame: size, matrix: ":out_color_matrix=bt709")
    let scaled = try await fixture.burned(
      sub: sub, overlay: overlay, main: "scale=1280:534", format: "yuv420p")
    let other = try Self.difference(fitted, scaled)
    #expect(other.worst <= 0.1, "Y Cb Cr \(other)")

    // The error that is avoided: saturated colours differ from the server's by many codes.
    let served = try renderer.picture(
      at: Self.oneSecond, options: RenderOptions(background: .video, layout: .plain))
    #expect(try Self.difference(served, straight).worst > 2)
  }
}
