// SPDX-License-Identifier: Apache-2.0
import BinaryReading
import SubtitleFormats
import SubtitleModel
import Testing
import TraitSuite

@Suite struct DVBReading {
  static let contents: [DVBContent] = [
    .page(
      PageCompositionSegment(
        timeOut: 200, version: 9, state: .acquisitionPoint,
        regions: [.init(id: 3, x: 0x123, y: 0x234), .init(id: 255, x: 0, y: 65_535)])),
    .region(region),
    .clut(clut),
    .object(
      ObjectDataSegment(
        id: 0x102, version: 3, hasNonModifyingColor: true,
        content: .pixels(top: [0x10, 0xF0], bottom: [0x11]))),
    .object(
      ObjectDataSegment(id: 1, content: .pixels(top: [0x10, 0xF0], bottom: [0x11, 0xF0]))),
    .object(ObjectDataSegment(id: 1, content: .characters([1, 0x1234]))),
    .object(ObjectDataSegment(id: 1, content: .other(method: 2, data: [1, 2, 3]))),
    .display(
      DisplayDefinitionSegment(
        version: 5, canvas: Canvas(width: 1920, height: 1080),
        window: PixelRect(x: 1, y: 2, width: 1900, height: 1000))),
    .display(DisplayDefinitionSegment(canvas: Canvas(width: 65_536, height: 1))),
    .end, .other(.disparitySignalling, [1, 2]), .other(.alternativeCLUT, []),
  ]

  static var region: RegionCompositionSegment {
    var region = RegionCompositionSegment(
      id: 7, width: 600, height: 40, depth: .eight, clutID: 9, isFilled: false,
      objects: [.init(id: 0x1234, x: 0xABC, y: 0xFED), .init(id: 1, x: 0, y: 0)])
    region.version = 12
    region.fill8 = 0xA5
    region.fill4 = 0xB
    region.fill2 = 2
    region.objects[1].type = 2
    region.objects[1].provider = 1
    region.objects[1].characterColors = [4, 5]
    return region
  }

  static var clut: CLUTDefinitionSegment {
    var reduced = CLUTDefinitionSegment.Entry(
      id: 200, depths: [.two, .eight], luma: 0xFC, cr: 0xF0, cb: 0x50, transparency: 0x80)
    reduced.isFullRange = false
    return CLUTDefinitionSegment(
      id: 4, version: 6,
      entries: [
        .init(id: 3, depths: [.four], luma: 1, cr: 2, cb: 3, transparency: 4), reduced,
      ])
  }

  @Test(arguments: contents)
  func `what is written is read back, and what is read is written back`(content: DVBContent) throws
  {
    let segment = try content.segment(pageID: 0x1234)
    var writer = ByteWriter()
    try segment.write(to: &writer)
    var input = ByteReader(writer.bytes)
    let read = try DVBSegment(parsing: &input)
    #expect(read == segment && input.isAtEnd)
    var payload = ByteReader(read.payload)
    let kind = try #require(DVBSegment.Kind(rawValue: read.type))
    let again = try DVBContent(kind, parsing: &payload)
    #expect(again == content)
    #expect(try again.segment(pageID: 0x1234) == segment)
    for length in 0..<writer.count {
      var cut = ByteReader(Array(writer.bytes.prefix(length)), base: 40)
      #expect {
        try DVBSegment(parsing: &cut)
      } throws: { error in
        (error as? ReadFault).map { (40...40 + Int64(length)).contains($0.offset) } ?? false
      }
    }
  }

  @Test func `a region has these bytes`() throws {
    #expect(
      try Self.region.payload() == [
        7, 0xC7, 0x02, 0x58, 0x00, 0x28, 0x6F, 9, 0xA5, 0xBB,
        0x12, 0x34, 0x0A, 0xBC, 0xFF, 0xED, 0x00, 0x01, 0x90, 0x00, 0xF0, 0x00, 4, 5,
      ])
    #expect(
      try Self.clut.payload() == [
        // Reduced: 111111 1111 0101 10.
        4, 0x6F, 3, 0x5F, 1, 2, 3, 4, 200, 0xBE, 0xFF, 0xD6,
      ])
  }

  @Test(arguments: [
    (PixelDepth.two, "1", "1040"), (.two, "..", "1004"), (.two, "111", "1021"),
    (.four, "12", "111200"), (.four, "...", "110100"),
    (.eight, "12", "1201020000"), (.eight, "111", "120083010000"), (.eight, ".", "1200010000"),
  ])
  func `a string is coded so`(depth: PixelDepth, line: String, hex: String) {
    // 2 bits: 01 0000 00; 00 00 01, 00 00 00 and 4 of stuffing; 00 1 000 01, 000000 and 2.
    let bytes = DVBPixelWriter.string(IndexedBitmap([line]).indices[...], depth: depth)
    let text = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    #expect(text.hasPrefix(hex))
  }

  @Test(arguments: PixelDepth.allCases)
  func `random bitmaps are coded and decoded`(depth: PixelDepth) throws {
    var numbers = SeededNumbers(seed: 0xD4B)
    let most: UInt8 = depth == .two ? 3 : depth == .four ? 15 : 255
    for _ in 0..<60 {
      let width = Int.random(in: 1...700, using: &numbers)
      let height = Int.random(in: 1...5, using: &numbers)
      var codes: [UInt8] = []
      while codes.count < width * height {
        let longest = [1, 3, 12, 30, 300].randomElement(using: &numbers) ?? 1
        codes += [UInt8](
          repeating: Bool.random(using: &numbers) ? 0 : UInt8.random(in: 0...most, using: &numbers),
          count: Int.random(in: 1...longest, using: &numbers))
      }
      let bitmap = IndexedBitmap(
        width: width, height: height, indices: Array(codes.prefix(width * height)))
      var set = DVBTraitList.whole(1)
      set.display = nil
      set.page.regions[0].x = 0
      set.regions[0].width = width
      set.regions[0].height = height
      set.regions[0].depth = depth
      set.regions[0].fill8 = 1
      set.cluts = []
      set.objects = [DVBTraitList.object(7, bitmap, depth)]
      var decoder = DVBDecoder()
      let events = try decoder.events(
        of: [TrackPacket(time: .zero, bytes: try set.packetBytes())])
      if let shown = events.first?.objects.first?.object.bitmap {
        #expect(shown == bitmap)
      } else {
        #expect(codes.prefix(width * height).allSatisfy { $0 == 0 })
      }
      #expect(decoder.log.count(of: .error) == 0, "\(decoder.log.findings)")
    }
  }

  @Test func `raw PES files with padding are read, and their clock is counted on`() throws {
    let wrap: Int64 = 1 << 33
    var sets = [DVBTraitList.whole(0), DVBTraitList.clear(0)]
    sets[0].pts = wrap - 90_000
    sets[1].pts = wrap + 90_000
    let padding: [UInt8] = [0, 0, 1, 0xBE, 0, 3, 0xFF, 0xFF, 0xFF]
    let bytes = try padding + sets[0].pesBytes() + padding + [9] + sets[1].pesBytes()
    var reader = DVBPESReader(bytes)
    let packets = try reader.rest()
    // 2^33 ticks of 90 kHz are 95443.717689 s.
    #expect(packets.map { $0.time?.milliseconds } == [95_442_718, 95_444_718])
    #expect(packets.map(\.bytes) == (try sets.map { try $0.dataField() }))
    #expect(reader.log.findings.map(\.rule.code) == ["ps.pack-damaged"])
    #expect(
      reader.log.findings.first?.offset == Int64(bytes.count) - Int64(try sets[1].pesBytes().count)
        - 1)
    for length in 0..<bytes.count {
      var cut = DVBPESReader(Array(bytes.prefix(length)))
      _ = try cut.rest()
    }
  }

  @Test func `a descriptor names its services`() {
    let services = SubtitlingService.services([
      0x65, 0x6E, 0x67, 0x14, 0, 1, 0, 1, 0x64, 0x65, 0x75, 0x24, 0, 2, 1, 3, 9,
    ])
    #expect(services.map(\.language) == ["eng", "deu"])
    #expect(services.map(\.isForHearingImpaired) == [false, true])
    #expect(services.map(\.display) == ["high definition", "high definition"])
    #expect(services.map(\.compositionPageID) == [1, 2])
    #expect(services.map(\.ancillaryPageID) == [1, 0x103])
  }

  @Test(
    arguments: [
      (0x10, nil, false), (0x11, "4:3", false), (0x12, "16:9", false), (0x13, "2.21:1", false),
      (0x14, "high definition", false), (0x15, "plano-stereoscopic high definition", false),
      (0x20, nil, true), (0x21, "4:3", true), (0x22, "16:9", true), (0x23, "2.21:1", true),
      (0x24, "high definition", true), (0x25, "plano-stereoscopic high definition", true),
      (0x16, nil, false), (0x26, nil, false), (0x01, nil, false),
    ] as [(UInt8, String?, Bool)])
  func `a service's type says for whom and for what it is`(
    type: UInt8, display: String?, isForHearingImpaired: Bool
  ) {
    let service = SubtitlingService.services([0x65, 0x6E, 0x67, type, 0, 1, 0, 1]).first
    #expect(service?.type == type && service?.display == display)
    #expect(service?.isForHearingImpaired == isForHearingImpaired)
  }

  @Test func `pictures written as sets come back`() throws {
    let palette = Palette(colors: [
      .transparent, PaletteColor(red: 255, green: 255, blue: 255, alpha: 255),
      PaletteColor(red: 0, green: 0, blue: 0, alpha: 100),
    ])
    let objects = [
      CueObject(
        x: 3, y: 4, bitmap: IndexedBitmap(["112", ".21"]), palette: palette, isForced: false),
      CueObject(x: 30, y: 44, bitmap: IndexedBitmap(["2"]), palette: palette, isForced: false),
    ]
    let set = try DVBDisplaySet.showing(
      pts: 90_000, objects, canvas: Canvas(width: 1920, height: 1080), timeOut: 5)
    var decoder = DVBDecoder()
    let events = try decoder.events(
      of: [TrackPacket(time: Timestamp(seconds: 1), bytes: try set.dataField())])
    #expect(decoder.canvas == Canvas(width: 1920, height: 1080))
    #expect(events.first?.objects.map(\.object.bitmap) == objects.map(\.bitmap))
    #expect(events.first?.objects.map { [$0.object.x, $0.object.y] } == [[3, 4], [30, 44]])
    let colors = try #require(events.first?.objects.first?.object.palette)
    #expect(colors[0].alpha == 0 && colors[1] == palette[1] && colors[2] == palette[2])
    #expect(events.first?.streamEnd?.milliseconds == 6000)
  }
}
