// SPDX-License-Identifier: Apache-2.0
import BinaryReading
import SubtitleFormats
import SubtitleModel
import Testing
import TraitSuite

@Suite struct PGSReading {
  /// One of each structure, with every field at an odd value.
  static let contents: [PGSContent] = [
    .composition(
      PresentationCompositionSegment(
        video: VideoDescriptor(canvas: Canvas(width: 1920, height: 1080), frameRate: 4),
        compositionNumber: 0xFEDC, state: .acquisitionPoint, isPaletteUpdateOnly: true,
        paletteID: 7,
        objects: [
          CompositionObject(objectID: 0x1234, windowID: 1, isForced: true, x: 500, y: 600),
          CompositionObject(
            objectID: 2, windowID: 0, x: 1, y: 2,
            crop: PixelRect(x: 3, y: 4, width: 500, height: 600)),
        ])),
    .windows(
      WindowDefinitionSegment(windows: [
        Window(id: 3, rect: PixelRect(x: 1, y: 2, width: 300, height: 400))
      ])),
    .palette(
      PaletteDefinitionSegment(
        id: 3, version: 200,
        entries: [
          (7, PaletteEntry(luma: 1, cr: 2, cb: 3, alpha: 4)),
          (255, PaletteEntry(luma: 16, cr: 128, cb: 240, alpha: 255)),
        ])),
    .object(
      ObjectDefinitionSegment(
        id: 9, version: 8, head: .init(dataLength: 0x12_3456, width: 77, height: 66),
        isLast: false, data: [1, 2, 3])),
    .object(ObjectDefinitionSegment(id: 9, version: 8, head: nil, isLast: true, data: [])),
    .end,
  ]

  @Test(arguments: contents)
  func `what is written is read back, and what is read is written back`(content: PGSContent) throws
  {
    let segment = try content.segment()
    var payload = ByteReader(segment.payload)
    let read = try PGSContent(segment.type, parsing: &payload)
    #expect(read == content)
    #expect(payload.isAtEnd)
    var writer = ByteWriter()
    try segment.write(to: &writer)
    var input = ByteReader(writer.bytes)
    let again = try PGSSegment(parsing: &input)
    #expect(again == segment)
    #expect(try read.segment() == segment)
  }

  @Test(arguments: contents)
  func `a cut structure is a fault with the offset of its place`(content: PGSContent) throws {
    let segment = try content.segment()
    var writer = ByteWriter()
    try segment.write(to: &writer)
    for length in 0..<writer.count {
      var input = ByteReader(Array(writer.bytes.prefix(length)), base: 1000)
      #expect {
        try PGSSegment(parsing: &input)
      } throws: { error in
        (error as? ReadFault).map { (1000...1000 + Int64(length)).contains($0.offset) } ?? false
      }
      #expect(input.position == 1000, "a failed read leaves the cursor")
    }
  }

  @Test func `a .sup file is read and written back byte for byte`() throws {
    let sets: [TestSet] = [.block(1), .clear(2), .block(3, x: 5)]
    let bytes = try sets.flatMap { try $0.displaySet.supBytes() }
    var input = ByteReader(bytes)
    var writer = ByteWriter()
    while !input.isAtEnd {
      let header = try SUPSegmentHeader(parsing: &input)
      let segment = try PGSSegment(parsing: &input)
      var payload = ByteReader(segment.payload)
      let content = try PGSContent(segment.type, parsing: &payload)
      try header.write(to: &writer)
      try content.segment().write(to: &writer)
    }
    #expect(writer.bytes == bytes)
    var reader = SUPReader(bytes)
    let packets = try reader.rest()
    #expect(packets.count == 2 * 5 + 3)
    for packet in packets {
      let start = Int(packet.offset)
      #expect(Array(bytes[start..<start + packet.bytes.count]) == packet.bytes)
    }
    #expect(packets.compactMap(\.time) == sets.map(\.time))
    #expect(reader.log.findings.isEmpty)
  }

  @Test func `case 24: the 32-bit clock is counted on over its wrap`() throws {
    func set(_ ticks: Int64, _ set: TestSet) throws -> [UInt8] {
      var copy = set.displaySet
      copy.pts = ticks & 0xFFFF_FFFF
      return try copy.supBytes()
    }
    let wrap: Int64 = 1 << 32
    let bytes =
      try set(wrap - 90_000, .block(0)) + set(wrap + 90_000, .clear(0))
      + set(wrap + 180_000, .block(0, x: 6))
    var reader = SUPReader(bytes)
    var decoder = PGSDecoder()
    let events = try decoder.events(of: try reader.rest())
    let cues = CueTimeline(events, codec: .pgs, fileEnd: nil).cues()
    // 2^32 ticks of 90 kHz are 47721.858844 s.
    #expect(cues.map(\.cue.start.milliseconds) == [47_720_859, 47_723_859])
    #expect(cues.first?.cue.end.milliseconds == 47_722_859)
    #expect(reader.log.counts.keys.map(\.code) == ["pgs.time-wrap"])
  }

  @Test func `rubbish between segments is passed over and named`() throws {
    let first = try TestSet.block(1).displaySet.supBytes()
    let second = try TestSet.block(2, x: 6).displaySet.supBytes()
    var reader = SUPReader([0x50, 0x47, 9] + first + [1, 2, 0x50, 3] + second)
    var decoder = PGSDecoder()
    let events = try decoder.events(of: try reader.rest())
    #expect(events.map(\.time.milliseconds) == [1000, 2000])
    #expect(
      reader.log.findings.map(\.offset) == [0, Int64(3 + first.count)],
      "\(reader.log.findings)")
    var strict = SUPReader([1] + first, strictness: .strict)
    #expect(throws: StreamFinding.self) { try strict.next() }
  }

  @Test func `a file in parts gives what the whole file gives`() throws {
    let first = try TestSet.block(1).displaySet.supBytes()
    let second = try TestSet.block(2, x: 6).displaySet.supBytes()
    // Longer than what a reader must see ahead, so that parts end inside of it.
    let rubbish = [UInt8](repeating: 0x50, count: 70_000)
    let bytes = [0x50, 0x47, 9] + first + rubbish + second + rubbish.prefix(90) + first.dropLast(7)
    var whole = SUPReader(bytes)
    let packets = try whole.rest()
    // The last set has lost its END; what is left of it is the fourth finding.
    #expect(packets.count == 5 + 5 + 4)
    #expect(whole.log.findings.count == 3 + 1, "\(whole.log.findings)")
    for size in [1, 4099, 65_550, 65_551, 200_000] {
      // Byte by byte the end is enough: each part is put behind all that waits.
      let bytes = size == 1 ? Array(bytes.suffix(first.count * 2)) : bytes
      var whole = SUPReader(bytes)
      let packets = try whole.rest()
      var reader = SUPReader()
      var read: [TrackPacket] = []
      var at = 0
      while at < bytes.count {
        let part = bytes[at..<min(bytes.count, at + size)]
        at += part.count
        reader.append(Array(part), isLast: at == bytes.count)
        read += try reader.rest()
      }
      #expect(read == packets, "in parts of \(size)")
      #expect(reader.log.findings == whole.log.findings, "in parts of \(size)")
    }
  }

  @Test func `a decoding time after the presentation time is named`() throws {
    var writer = ByteWriter()
    try SUPSegmentHeader(pts: 90_000, dts: 90_100).write(to: &writer)
    try TestSet.block(1).segments()[0].write(to: &writer)
    var reader = SUPReader(writer.bytes)
    _ = try reader.rest()
    #expect(reader.log.findings.map(\.rule.code) == ["pgs.decoding-time-late"])
  }

  @Test func `a strict decoder throws at the place of the fault`() throws {
    var set = TestSet.block(1)
    set.objects = []
    var packet = try set.packet()
    packet.offset = 5000
    var options = PGSDecoder.Options()
    options.strictness = .strict
    var decoder = PGSDecoder(options: options)
    #expect {
      try decoder.decode(packet)
    } throws: { error in
      (error as? StreamFinding)?.rule.code == "pgs.object-undefined"
        && (error as? StreamFinding)?.offset == 5000
    }
  }

  @Test func `an object too large is refused before anything is allocated`() throws {
    let set = TestSet(seconds: 1, shown: [TestSet.at(0, 0)], palettes: [TestSet.palette()])
    var segments = try set.segments()
    segments.insert(
      try ObjectDefinitionSegment(
        id: 0, version: 0, head: .init(dataLength: 9, width: 65_535, height: 65_535), isLast: true,
        data: [1, 0, 0, 0, 0]
      ).segment(), at: 3)
    var decoder = PGSDecoder()
    #expect(try decoder.decode(set.packet(segments)).map(\.objects) == [[]])
    #expect(decoder.log.findings.map(\.rule.code).contains("pgs.object-size"))
  }

  /// Steps of one frame at 24000/1001 Hz, whose times are a tick off the grid by turns.
  @Test func `steps a film frame apart are cues of their own, without gaps`() throws {
    var decoder = PGSDecoder()
    var packets: [TrackPacket] = []
    var times: [Timestamp] = []
    for step in 0..<12 {
      // 3753.75 ticks a frame.
      let ticks = 90_000 + Int64(step) * 15_015 / 4 + Int64(step % 3) - 1
      let time = Timestamp(ticks: ticks, numerator: 1, denominator: 90_000)
      var packet = try TestSet.block(1, x: step).packet()
      packet.time = time
      packets.append(packet)
      times.append(time)
    }
    let cues = CueTimeline(
      try decoder.events(of: packets), codec: .pgs, fileEnd: StreamTrait.fileEnd
    ).cues().map(\.cue)
    #expect(cues.map(\.start) == times)
    #expect(cues.dropLast().map(\.end) == Array(times.dropFirst()))
    #expect(cues.map { $0.objects.first?.x } == Array(0..<12))
  }

  @Test func `a fade is one cue with its alpha curve`() throws {
    var sets = [TestSet.block(1)]
    for (step, alpha) in [UInt8(170), 85, 0].enumerated() {
      sets.append(
        TestSet(
          seconds: 2 + Double(step) / 10, state: .normal, isUpdate: true, shown: [TestSet.at(2, 1)],
          windows: [], palettes: [TestSet.palette(alpha: alpha)]))
    }
    var decoder = PGSDecoder()
    let events = try decoder.events(of: try sets.map { try $0.packet() })
    let cues = CueTimeline(events, codec: .pgs, fileEnd: nil).cues()
    let cue = try #require(cues.first)
    #expect(cues.count == 1)
    #expect(cue.cue.start.milliseconds == 1000 && cue.cue.end.milliseconds == 2200)
    #expect(cue.cue.endCause == .clear)
    #expect(cue.steps.map(\.time.milliseconds) == [1000, 2000, 2100])
    #expect(cue.steps.map(\.alpha) == [255, 170, 85])
    #expect(cue.cue.objects.first?.palette[1].alpha == 255)
  }

  @Test func `forced flags and numbers stay with their objects`() throws {
    var set = TestSet.block(1)
    set.shown = [TestSet.at(0, 0), TestSet.at(8, 4, object: 5, forced: true)]
    set.objects.append(ObjectDefinition(id: 5, bitmap: IndexedBitmap(2, 2, 2)))
    var decoder = PGSDecoder()
    let events = try decoder.events(of: [try set.packet()])
    let cue = try #require(CueTimeline(events, codec: .pgs, fileEnd: nil).cues().first)
    #expect(cue.objectIDs == [0, 5])
    #expect(cue.cue.objects.map(\.isForced) == [false, true])
    #expect(cue.cue.isForced && cue.cue.endCause == .endOfFile)
    #expect(cue.canvas == TestSet.canvas)
  }
}

@Suite struct PGSPixels {
  /// A plain reading of any codes, pixel by pixel: short rows are filled, long ones cut.
  private static func plain(_ data: [UInt8], width: Int, height: Int) -> [UInt8] {
    var pixels = [UInt8](repeating: 0, count: width * height)
    var rest = data[...]
    for row in 0..<height {
      var column = 0
      codes: while let first = rest.popFirst() {
        var (run, color) = (1, first)
        if first == 0 {
          guard let second = rest.popFirst(), second != 0 else { break codes }
          run = Int(second & 63)
          if second & 64 != 0 {
            guard let low = rest.popFirst() else { break codes }
            run = run << 8 | Int(low)
          }
          if second & 128 != 0 {
            guard let index = rest.popFirst() else { break codes }
            color = index
          }
        }
        for place in column..<max(column, min(column + run, width)) {
          pixels[row * width + place] = color
        }
        column += run
      }
    }
    return pixels
  }

  @Test func `any bytes are read as a plain reading reads them`() {
    var numbers = SeededNumbers(seed: 0xF00D)
    for _ in 0..<3000 {
      let width = Int.random(in: 1...90, using: &numbers)
      let height = Int.random(in: 1...6, using: &numbers)
      let data = (0..<Int.random(in: 0...160, using: &numbers)).map { _ -> UInt8 in
        let common: [UInt8] = [0, 0, 0, 1, 0x40, 0x45, 0x83, 0xC0]
        return Bool.random(using: &numbers)
          ? common.randomElement(using: &numbers) ?? 0 : UInt8.random(in: 0...255, using: &numbers)
      }
      let bitmap = PGSRunLength.decode(data, width: width, height: height).bitmap
      #expect(bitmap.indices == Self.plain(data, width: width, height: height))
    }
  }

  @Test func `random bitmaps are coded and decoded`() throws {
    var numbers = SeededNumbers(seed: 0xC0DE)
    for _ in 0..<200 {
      let width = Int.random(in: 1...300, using: &numbers)
      let height = Int.random(in: 1...6, using: &numbers)
      var indices: [UInt8] = []
      while indices.count < width * height {
        let run = Int.random(
          in: 1...[1, 3, 20, 200][Int.random(in: 0..<4, using: &numbers)], using: &numbers)
        let color: UInt8 =
          Bool.random(using: &numbers) ? 0 : UInt8.random(in: 0...255, using: &numbers)
        indices += [UInt8](repeating: color, count: run)
      }
      let bitmap = IndexedBitmap(
        width: width, height: height, indices: Array(indices.prefix(width * height)))
      let coded = PGSRunLength.encode(bitmap)
      let result = PGSRunLength.decode(coded, width: width, height: height)
      #expect(result.bitmap == bitmap)
      #expect(result.damage.isNone)
      #expect(
        try RunLengthReader.decode(coded, width: width, height: height) == bitmap.indices)
    }
  }

  @Test(arguments: [
    // Expected by the formulas of BT.601, BT.709 and BT.2020 with numpy in double precision.
    (PaletteConversion(matrix: .bt601), [81, 90, 240], [254, 0, 0]),
    (PaletteConversion(matrix: .bt709), [63, 102, 240], [255, 1, 0]),
    (PaletteConversion(matrix: .bt709), [173, 42, 26], [0, 255, 1]),
    (PaletteConversion(matrix: .bt709), [32, 240, 118], [1, 0, 255]),
    (PaletteConversion(matrix: .bt2020), [74, 97, 240], [255, 0, 1]),
    (PaletteConversion(matrix: .bt709), [235, 128, 128], [255, 255, 255]),
    (PaletteConversion(matrix: .bt709), [16, 128, 128], [0, 0, 0]),
    (PaletteConversion(matrix: .bt709), [0, 128, 128], [0, 0, 0]),
    (PaletteConversion(matrix: .bt709), [126, 128, 128], [128, 128, 128]),
    (PaletteConversion(matrix: .bt601, range: .full), [235, 128, 128], [235, 235, 235]),
    (PaletteConversion(matrix: .bt601, range: .full), [76, 85, 255], [254, 0, 0]),
  ])
  func `colours are converted by matrix and range`(
    conversion: PaletteConversion, code: [UInt8], rgb: [UInt8]
  ) {
    let color = conversion.color(luma: code[0], cb: code[1], cr: code[2], alpha: 77)
    #expect([color.red, color.green, color.blue] == rgb)
    #expect(color.alpha == 77)
  }
}
