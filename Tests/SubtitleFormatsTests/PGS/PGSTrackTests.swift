// SPDX-License-Identifier: Apache-2.0
import ChildProcess
import SubtitleFormats
import SubtitleModel
import Testing
import TraitSuite

/// Pictures for the tests of this file.
enum Picture {
  static let white = PaletteColor(red: 255, green: 255, blue: 255, alpha: 255)
  static let black = PaletteColor(red: 0, green: 0, blue: 0, alpha: 255)
  static let palette = Palette(colors: [.transparent, white, black])

  /// A black frame with white inside, different for each seed.
  static func bitmap(width: Int, height: Int, seed: Int = 0) -> IndexedBitmap {
    let indices = (0..<width * height).map { pixel -> UInt8 in
      let (x, y) = (pixel % width, pixel / width)
      if x == 0 || y == 0 || x == width - 1 || y == height - 1 { return 2 }
      return (x * 7 + y * (3 + seed)) % 5 == 0 ? 0 : 1
    }
    return IndexedBitmap(width: width, height: height, indices: indices)
  }

  static func simple(
    from start: Int64, to end: Int64?, x: Int = 10, y: Int = 20, seed: Int = 0
  ) -> PGSPicture {
    PGSPicture(
      start: start, end: end, palette: palette,
      objects: [.init(bitmap: bitmap(width: 16, height: 8, seed: seed), x: x, y: y)])
  }
}

@Suite struct PGSTracks {
  let video = VideoDescriptor(canvas: Canvas(width: 320, height: 240))

  private func sets(_ pictures: [PGSPicture]) throws -> [PGSDisplaySet] {
    try PGSTrackWriter.displaySets(of: pictures, video: video).sets
  }

  @Test func `a picture is an epoch start and a clear`() throws {
    let sets = try sets([Picture.simple(from: 90_000, to: 180_000)])
    #expect(sets.map(\.pts) == [90_000, 180_000])
    #expect(sets.map(\.composition.state) == [.epochStart, .normal])
    #expect(sets.map(\.composition.objects.count) == [1, 0])
    #expect(sets.map(\.composition.compositionNumber) == [0, 1])
    let window = Window(id: 0, rect: PixelRect(x: 10, y: 20, width: 16, height: 8))
    #expect(sets.map(\.windows) == [[window], [window]])
    #expect(sets.map(\.palettes.count) == [1, 0])
  }

  @Test func `pictures that follow each other at once have no clear between`() throws {
    let sets = try sets([
      Picture.simple(from: 0, to: 100), Picture.simple(from: 100, to: 200, seed: 1),
      Picture.simple(from: 300, to: nil),
    ])
    #expect(sets.map(\.pts) == [0, 100, 200, 300])
    #expect(sets.map(\.composition.objects.isEmpty) == [false, false, true, false])
  }

  @Test func `two objects apart get two windows, two that overlap get one`() throws {
    let bitmap = Picture.bitmap(width: 20, height: 10)
    func windows(_ second: (Int, Int), _ asked: Int? = nil) throws -> [Window] {
      let picture = PGSPicture(
        start: 0, end: 10, palette: Picture.palette,
        objects: [
          .init(bitmap: bitmap, x: 0, y: 0, window: asked),
          .init(bitmap: bitmap, x: second.0, y: second.1, isForced: true, window: asked),
        ])
      let set = try sets([picture])[0]
      #expect(set.objects.count == 1, "the bitmap is sent once")
      #expect(set.composition.objects.map(\.isForced) == [false, true])
      #expect(
        set.composition.objects.allSatisfy { object in
          set.windows.contains { $0.id == object.windowID }
        })
      return set.windows
    }
    let first = PixelRect(x: 0, y: 0, width: 20, height: 10)
    #expect(
      try windows((20, 0)) == [
        Window(id: 0, rect: first),
        Window(id: 1, rect: PixelRect(x: 20, y: 0, width: 20, height: 10)),
      ])
    #expect(
      try windows((19, 9)) == [Window(id: 0, rect: PixelRect(x: 0, y: 0, width: 39, height: 19))])
    #expect(
      try windows((100, 50), 0) == [
        Window(id: 0, rect: PixelRect(x: 0, y: 0, width: 120, height: 60))
      ])
  }

  @Test func `a picture that continues an epoch sends only what is new`() throws {
    var moved = Picture.simple(from: 100, to: 200, x: 60)
    moved.continuesEpoch = true
    var other = Picture.simple(from: 200, to: 300, seed: 2)
    other.continuesEpoch = true
    other.palette = Palette(colors: [.transparent, Picture.black, Picture.white])
    let sets = try sets([Picture.simple(from: 0, to: 100), moved, other])
    #expect(sets.map(\.composition.state) == [.epochStart, .normal, .normal, .normal])
    #expect(sets.map { $0.objects.map(\.id) } == [[0], [], [1], []])
    #expect(sets.map { $0.palettes.map(\.id) } == [[0], [], [1], []])
    #expect(sets.map(\.composition.paletteID) == [0, 0, 1, 1])
    let window = Window(id: 0, rect: PixelRect(x: 10, y: 20, width: 66, height: 8))
    #expect(sets.allSatisfy { $0.windows == [window] }, "an epoch keeps its windows")
  }

  @Test func `palette updates and acquisition points come in order of time`() throws {
    var picture = Picture.simple(from: 0, to: 1000)
    let faded = Palette(
      colors: Picture.palette.colors.map { color in
        var half = color
        half.alpha /= 2
        return half
      })
    picture.paletteUpdates = [(800, faded), (900, Picture.palette)]
    picture.acquisitionPoints = [850, 500, 0, 2000, 900]
    let sets = try sets([picture])
    #expect(sets.map(\.pts) == [0, 500, 800, 850, 900, 1000])
    #expect(
      sets.map(\.composition.state) == [
        .epochStart, .acquisitionPoint, .normal, .acquisitionPoint, .normal, .normal,
      ])
    #expect(
      sets.map(\.composition.isPaletteUpdateOnly) == [false, false, true, false, true, false])
    #expect(sets.map { $0.palettes.map(\.version) } == [[0], [0], [1], [1], [2], []])
    #expect(sets.map(\.objects.count) == [1, 1, 0, 1, 0, 0])
    #expect(sets[3].palettes[0].entries[1].entry.alpha == 127, "the faded palette is repeated")
  }

  @Test func `more than eight palettes use their numbers again with a new version`() throws {
    let pictures = (0..<10).map { index in
      var picture = Picture.simple(from: Int64(index * 10), to: Int64(index * 10 + 10))
      picture.palette.colors[1].red = UInt8(index)
      picture.continuesEpoch = index > 0
      return picture
    }
    let definitions = try sets(pictures).flatMap(\.palettes)
    #expect(definitions.map(\.id) == [0, 1, 2, 3, 4, 5, 6, 7, 0, 1])
    #expect(definitions.map(\.version) == [0, 0, 0, 0, 0, 0, 0, 0, 1, 1])
  }

  @Test func `the 65th object of an epoch is refused`() throws {
    func pictures(_ count: Int) -> [PGSPicture] {
      (0..<count).map { index in
        let bitmap = IndexedBitmap(
          width: 8, height: 1, indices: (0..<8).map { UInt8(index >> $0 & 1) })
        var picture = PGSPicture(
          start: Int64(index), end: nil, palette: Picture.palette,
          objects: [.init(bitmap: bitmap, x: 0, y: 0)])
        picture.continuesEpoch = true
        return picture
      }
    }
    #expect(try sets(pictures(64)).count == 64)
    #expect(
      throws: PGSWritingFault.limitExceeded(
        what: "objects in the epoch of picture 65", count: 65, limit: 64)
    ) { try sets(pictures(65)) }
  }

  @Test func `three objects and objects off the canvas are written with a warning`() throws {
    let object = PGSPicture.Object(bitmap: Picture.bitmap(width: 8, height: 8), x: 316, y: 0)
    let picture = PGSPicture(
      start: 0, end: nil, palette: Picture.palette, objects: [object, object, object])
    let warnings = try PGSTrackWriter.displaySets(of: [picture], video: video).warnings
    #expect(warnings.first == "picture 1: 3 objects, a player shows at most 2")
    #expect(
      warnings.last == "picture 1: the object of 8x8 at 316,0 leaves the canvas of 320x240")
  }

  @Test func `times out of order and crops outside are refused`() {
    func fault(_ pictures: [PGSPicture]) -> PGSWritingFault? {
      do {
        _ = try sets(pictures)
        return nil
      } catch { return error as? PGSWritingFault }
    }
    #expect(
      fault([Picture.simple(from: 10, to: 20), Picture.simple(from: 19, to: 30)])
        == .disordered(picture: 1, start: 19, bound: 20))
    #expect(
      fault([Picture.simple(from: 10, to: 10)]) == .disordered(picture: 0, start: 10, bound: 11))
    var cropped = Picture.simple(from: 0, to: 1)
    cropped.objects[0].crop = PixelRect(x: 10, y: 0, width: 7, height: 8)
    #expect(
      fault([cropped])
        == .cropOutside(
          picture: 0, crop: PixelRect(x: 10, y: 0, width: 7, height: 8), width: 16, height: 8))
    #expect(
      fault([Picture.simple(from: 0, to: 1, x: .max)])
        == .outOfRange(
          structure: "object of picture 1", field: "x", value: .max, range: 0...65535))
  }
}

/// Compares pictures by a short account of each, so that a failure can be read.
private func expectSame(
  _ left: [[UInt8]], _ right: [[UInt8]], sourceLocation: SourceLocation = #_sourceLocation
) {
  func account(_ frames: [[UInt8]]) -> [String] {
    frames.map { frame in
      let shown = frame.indices.filter { frame[$0] != 0 }
      let sum = shown.reduce(into: UInt64(0)) { $0 = ($0 &+ UInt64($1)) &* 31 &+ UInt64(frame[$1]) }
      return "bytes set: \(shown.count), sum \(sum)"
    }
  }
  #expect(account(left) == account(right), sourceLocation: sourceLocation)
}

/// What libavcodec, in the `ffmpeg` program, makes of the tracks written.
@Suite struct PGSTracksInFFmpeg {
  let canvas = Canvas(width: 320, height: 240)

  /// The canvas in RGBA at each change, as the program's subtitle decoder draws it.
  private func decode(_ sets: [PGSDisplaySet]) async throws -> [[UInt8]] {
    let file = try sets.flatMap { try $0.supBytes() }
    let result = try await ChildProcess.run(
      "ffmpeg",
      [
        "-loglevel", "error", "-f", "sup", "-i", "pipe:0", "-filter_complex",
        "[0:s]format=rgba[v]", "-map", "[v]", "-vsync", "passthrough", "-f", "rawvideo", "pipe:1",
      ], input: file)
    try #require(result.status == 0, "\(result.errors)")
    #expect(!result.errors.contains("pgs"), "\(result.errors)")
    let size = 4 * canvas.width * canvas.height
    try #require(result.output.count % size == 0)
    var frames: [[UInt8]] = []
    for start in stride(from: 0, to: result.output.count, by: size) {
      let frame = Array(result.output[start..<start + size])
      if frames.last != frame { frames.append(frame) }
    }
    // The program begins with an empty canvas of its own.
    try #require(frames.first?.allSatisfy { $0 == 0 } == true)
    return Array(frames.dropFirst())
  }

  /// Draws objects on an empty canvas in the plainest way: a later object replaces what is below.
  private func draw(_ objects: [PGSPicture.Object], _ palette: Palette) -> [UInt8] {
    var pixels = [UInt8](repeating: 0, count: 4 * canvas.width * canvas.height)
    for object in objects {
      for y in 0..<object.bitmap.height {
        for x in 0..<object.bitmap.width {
          let color = palette[object.bitmap.indices[y * object.bitmap.width + x]]
          let at = 4 * ((object.y + y) * canvas.width + object.x + x)
          pixels.replaceSubrange(
            at..<at + 4, with: [color.red, color.green, color.blue, color.alpha])
        }
      }
    }
    return pixels
  }

  @Test func `pictures, clears, two windows and fragments come back pixel by pixel`() async throws {
    let empty = draw([], Picture.palette)
    let noise = IndexedBitmap(
      width: 316, height: 230, indices: (0..<316 * 230).map { UInt8($0 * $0 / 7 % 3) })
    let pictures = [
      PGSPicture(
        start: 90_000, end: 180_000, palette: Picture.palette,
        objects: [.init(bitmap: Picture.bitmap(width: 33, height: 17), x: 100, y: 200)]),
      PGSPicture(
        start: 180_000, end: 270_000, palette: Picture.palette,
        objects: [
          .init(bitmap: Picture.bitmap(width: 40, height: 9), x: 3, y: 2),
          .init(bitmap: Picture.bitmap(width: 64, height: 20, seed: 1), x: 250, y: 210),
        ]),
      PGSPicture(
        start: 360_000, end: 450_000, palette: Picture.palette,
        objects: [.init(bitmap: noise, x: 2, y: 5)]),
    ]
    let sets = try PGSTrackWriter.displaySets(
      of: pictures, video: VideoDescriptor(canvas: canvas)
    ).sets
    #expect(try sets.flatMap { try $0.objects.flatMap { try $0.segments() } }.count == 5)
    let expected = pictures.map { draw($0.objects, $0.palette) }
    let frames = try await decode(sets)
    expectSame(frames, [expected[0], expected[1], empty, expected[2], empty])
  }

  @Test func `a fade by palette updates changes only the alpha`() async throws {
    var picture = Picture.simple(from: 90_000, to: 450_000)
    let alphas: [UInt8] = [192, 128, 64]
    picture.paletteUpdates = alphas.enumerated().map { step, alpha in
      var palette = Picture.palette
      for index in 1...2 { palette.colors[index].alpha = alpha }
      return (Int64(step + 2) * 90_000, palette)
    }
    let sets = try PGSTrackWriter.displaySets(
      of: [picture], video: VideoDescriptor(canvas: canvas)
    ).sets
    let frames = try await decode(sets)
    let palettes = [Picture.palette] + picture.paletteUpdates.map(\.palette)
    expectSame(
      frames, palettes.map { draw(picture.objects, $0) } + [draw([], Picture.palette)])
  }

  @Test func `an epoch that goes on, with a moved object, is drawn from what was sent before`()
    async throws
  {
    var moved = Picture.simple(from: 180_000, to: 270_000, x: 150)
    moved.continuesEpoch = true
    let pictures = [Picture.simple(from: 90_000, to: 180_000), moved]
    let sets = try PGSTrackWriter.displaySets(
      of: pictures, video: VideoDescriptor(canvas: canvas)
    ).sets
    expectSame(
      try await decode(sets),
      pictures.map { draw($0.objects, $0.palette) } + [draw([], Picture.palette)])
  }
}
