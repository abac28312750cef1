// SPDX-License-Identifier: Apache-2.0
import SubtitleFormats
import SubtitleModel
import Testing
import TraitSuite

@Suite struct PGSSegments {
  let video = VideoDescriptor(canvas: Canvas(width: 1920, height: 1080), frameRate: 2)

  @Test func `a composition with a plain and a cropped forced object has these bytes`() throws {
    let composition = PresentationCompositionSegment(
      video: video, compositionNumber: 0x1_0203, state: .epochStart, paletteID: 5,
      objects: [
        CompositionObject(objectID: 1, windowID: 0, x: 100, y: 900),
        CompositionObject(
          objectID: 0x102, windowID: 1, isForced: true, x: 0x345, y: 0x67,
          crop: PixelRect(x: 1, y: 2, width: 300, height: 40)),
      ])
    let segment = try composition.segment()
    #expect(segment.type == .presentationComposition)
    #expect(
      segment.payload == [
        0x07, 0x80, 0x04, 0x38,  // 1920 x 1080
        0x20,  // frame rate code 2
        0x02, 0x03,  // composition number, low 16 bits
        0x80, 0x00, 0x05, 0x02,  // epoch start, no palette update, palette 5, two objects
        0x00, 0x01, 0x00, 0x00, 0x00, 0x64, 0x03, 0x84,
        0x01, 0x02, 0x01, 0xC0, 0x03, 0x45, 0x00, 0x67,
        0x00, 0x01, 0x00, 0x02, 0x01, 0x2C, 0x00, 0x28,
      ])
  }

  @Test(arguments: [
    (CompositionState.normal, UInt8(0x00)), (.acquisitionPoint, 0x40), (.epochStart, 0x80),
    (.epochContinue, 0xC0),
  ])
  func `the state is one byte`(state: CompositionState, byte: UInt8) throws {
    var composition = PresentationCompositionSegment(
      video: video, compositionNumber: 0, state: state, paletteID: 0, objects: [])
    composition.isPaletteUpdateOnly = true
    let payload = try composition.segment().payload
    #expect(payload[7] == byte && payload[8] == 0x80 && payload[10] == 0 && payload.count == 11)
  }

  @Test func `two windows have these bytes`() throws {
    let segment = try WindowDefinitionSegment(windows: [
      Window(id: 0, rect: PixelRect(x: 1, y: 2, width: 3, height: 4)),
      Window(id: 1, rect: PixelRect(x: 256, y: 512, width: 768, height: 1024)),
    ]).segment()
    #expect(segment.type.rawValue == 0x17)
    #expect(
      segment.payload == [
        2, 0, 0, 1, 0, 2, 0, 3, 0, 4, 1, 1, 0, 2, 0, 3, 0, 4, 0,
      ])
  }

  @Test func `a palette has these bytes`() throws {
    let palette = Palette(colors: [
      .transparent, PaletteColor(red: 255, green: 255, blue: 255, alpha: 255),
      PaletteColor(red: 255, green: 0, blue: 0, alpha: 128),
      PaletteColor(red: 0, green: 255, blue: 0, alpha: 1),
      PaletteColor(red: 235, green: 235, blue: 235, alpha: 255),
    ])
    let high = try PaletteDefinitionSegment(id: 3, version: 9, palette: palette, matrix: .bt709)
      .segment()
    #expect(high.type.rawValue == 0x14)
    #expect(
      high.payload == [
        3, 9, 0, 16, 128, 128, 0, 1, 235, 128, 128, 255, 2, 63, 240, 102, 128, 3, 173, 26, 42, 1,
        4, 218, 128, 128, 255,
      ])
    let blueAndRed = Palette(colors: [
      PaletteColor(red: 0, green: 0, blue: 255, alpha: 255),
      PaletteColor(red: 255, green: 0, blue: 0, alpha: 255),
    ])
    let standard = try PaletteDefinitionSegment(
      id: 0, version: 0, palette: blueAndRed, matrix: .bt601
    ).segment()
    #expect(standard.payload == [0, 0, 0, 41, 110, 240, 255, 1, 81, 240, 90, 255])
  }

  @Test func `the matrix follows the height of the canvas`() {
    #expect(PaletteEntry.Matrix.of(Canvas(width: 720, height: 576)) == .bt601)
    #expect(PaletteEntry.Matrix.of(Canvas(width: 720, height: 577)) == .bt709)
  }

  @Test func `a small object has these bytes`() throws {
    let object = ObjectDefinition(
      id: 0x0A0B, version: 1,
      bitmap: IndexedBitmap(width: 4, height: 2, indices: [7, 7, 0, 9, 5, 5, 5, 5]))
    let segments = try object.segments()
    #expect(
      segments.map(\.payload) == [
        [
          0x0A, 0x0B, 0x01, 0xC0, 0x00, 0x00, 0x10, 0x00, 0x04, 0x00, 0x02,
          7, 7, 0x00, 0x01, 9, 0, 0,
          0x00, 0x84, 5, 0, 0,
        ]
      ])
    #expect(segments.map(\.type) == [.objectDefinition])
  }

  @Test(arguments: [
    (1, 1, "03"), (1, 2, "0303"), (1, 3, "008303"), (1, 63, "00bf03"), (1, 64, "00c04003"),
    (1, 16383, "00ffff03"), (1, 16384, "00ffff0303"),
    (0, 1, "0001"), (0, 2, "0002"), (0, 63, "003f"), (0, 64, "004040"), (0, 16383, "007fff"),
    (0, 16384, "007fff0001"),
  ])
  func `a run is coded so`(isColored: Int, run: Int, hex: String) throws {
    let color: UInt8 = isColored == 1 ? 3 : 0
    let bitmap = IndexedBitmap(
      width: run, height: 1, indices: [UInt8](repeating: color, count: run))
    let text = PGSRunLength.encode(bitmap).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
    #expect(text == hex + "0000")
  }

  @Test func `coded bitmaps are read back by a reader of the table`() throws {
    var seed: UInt64 = 0x5EED_0003
    func random(_ bound: Int) -> Int {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(seed >> 33) % bound
    }
    for _ in 0..<200 {
      let (width, height) = (1 + random(300), 1 + random(12))
      var indices: [UInt8] = []
      while indices.count < width * height {
        let color = UInt8([0, 0, 1, 255, random(256)][random(5)])
        indices += [UInt8](repeating: color, count: 1 + random([2, 5, 70, 400][random(4)]))
      }
      let bitmap = IndexedBitmap(
        width: width, height: height, indices: Array(indices.prefix(width * height)))
      let decoded = try RunLengthReader.decode(
        PGSRunLength.encode(bitmap), width: width, height: height)
      #expect(decoded == bitmap.indices)
    }
  }

  @Test func `a large object is cut into fragments that join to the whole`() throws {
    let (width, height) = (1000, 200)
    let indices = (0..<width * height).map { UInt8($0 % 7 + 1 + $0 / width % 2) }
    let object = ObjectDefinition(
      id: 1, bitmap: IndexedBitmap(width: width, height: height, indices: indices))
    let segments = try object.segments()
    #expect(segments.count == 4)  // 200 rows of 1000 bytes and 2
    #expect(segments.map { $0.payload[3] } == [0x80, 0x00, 0x00, 0x40])
    #expect(segments.allSatisfy { $0.payload.count <= 65519 && $0.payload[0...2] == [0, 1, 0] })
    let first = segments[0].payload
    #expect(Array(first[4..<11]) == [0x03, 0x0E, 0xD4, 0x03, 0xE8, 0x00, 0xC8])  // 200400 + 4
    let joined = first[11...] + segments[1...].flatMap { $0.payload[4...] }
    #expect(try RunLengthReader.decode(Array(joined), width: width, height: height) == indices)
  }

  @Test func `what a field cannot hold is refused with its name`() {
    func text(_ body: () throws -> Void) -> String {
      do {
        try body()
        return ""
      } catch { return "\(error)" }
    }
    let pixel = IndexedBitmap(width: 1, height: 1, indices: [0])
    #expect(
      text {
        _ = try CompositionObjectCase.segment(
          x: -1, video: video)
      } == "presentation composition segment: x is -1, outside 0 to 65535")
    #expect(
      text { _ = try ObjectDefinition(id: 65536, bitmap: pixel).segments() }
        == "object definition segment: object id is 65536, outside 0 to 65535")
    #expect(
      text {
        _ = try ObjectDefinition(
          id: 0, bitmap: IndexedBitmap(width: 0, height: 1, indices: [])
        ).segments()
      } == "object definition segment: width is 0, outside 1 to 65535")
    #expect(
      text { _ = try PaletteDefinitionSegment(id: 8, version: 0, entries: []).segment() }
        == "palette definition segment: palette id is 8, outside 0 to 7")
    let late = PGSDisplaySet(
      pts: 1 << 32,
      composition: PresentationCompositionSegment(
        video: video, compositionNumber: 0, state: .normal, paletteID: 0, objects: []))
    #expect(
      text { _ = try late.supBytes() }
        == ".sup segment header: PTS is 4294967296, outside 0 to 4294967295")
    #expect(throws: Never.self) { try late.packetBytes() }
  }

  @Test func `an object that passes its length field is refused`() {
    #expect(ObjectDefinition.maximumDataLength == 16_777_215)
    // Each row: 00 0A 00 00; four more bytes for the size.
    let object = ObjectDefinition(
      id: 0, bitmap: IndexedBitmap(width: 10, height: 5, indices: [UInt8](repeating: 0, count: 50)))
    #expect(throws: Never.self) { try object.segments(maximumDataLength: 24) }
    #expect(
      throws: PGSWritingFault.limitExceeded(
        what: "coded bytes of a 10x5 object", count: 24, limit: 23)
    ) { try object.segments(maximumDataLength: 23) }
  }

  @Test func `a display set stands in a .sup file and in a packet like this`() throws {
    let set = PGSDisplaySet(
      pts: 0x0102_0304,
      composition: PresentationCompositionSegment(
        video: video, compositionNumber: 1, state: .normal, paletteID: 0, objects: []))
    let composition: [UInt8] = [
      0x16, 0x00, 0x0B, 0x07, 0x80, 0x04, 0x38, 0x20, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00,
    ]
    let end: [UInt8] = [0x80, 0x00, 0x00]
    let header: [UInt8] = [0x50, 0x47, 1, 2, 3, 4, 0, 0, 0, 0]
    #expect(try set.packetBytes() == composition + end)
    let expected: [UInt8] = [header, composition, header, end].flatMap { $0 }
    #expect(try set.supBytes() == expected)
  }
}

private enum CompositionObjectCase {
  static func segment(x: Int, video: VideoDescriptor) throws -> PGSSegment {
    try PresentationCompositionSegment(
      video: video, compositionNumber: 0, state: .normal, paletteID: 0,
      objects: [CompositionObject(objectID: 0, windowID: 0, x: x, y: 0)]
    ).segment()
  }
}
