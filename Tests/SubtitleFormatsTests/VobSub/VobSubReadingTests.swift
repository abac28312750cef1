// SPDX-License-Identifier: Apache-2.0
import BinaryReading
import SubtitleFormats
import SubtitleModel
import Testing
import TraitSuite

@Suite struct SubpictureUnits {
  @Test func `a unit has these bytes, and is read back`() throws {
    let unit = SubpictureUnit(
      pixelData: [0xAA, 0xBB],
      sequences: [
        ControlSequence(
          date: 0,
          commands: [
            .setColor(PixelCodes([1, 2, 3, 4])), .setContrast(PixelCodes([0, 15, 8, 1])),
            .setDisplayArea(firstColumn: 0x123, lastColumn: 0x2CF, firstLine: 0x10, lastLine: 0x1F),
            .setPixelDataAddresses(topField: 4, bottomField: 5),
            .changeColorContrast([
              LineControl(
                firstLine: 0x11, lastLine: 0x12,
                changes: [
                  .init(
                    column: 0x130, colors: PixelCodes([5, 6, 7, 8]),
                    contrasts: PixelCodes([1, 2, 3, 4]))
                ])
            ]),
            .forcedStartDisplay,
          ]),
        ControlSequence(date: 0x1234, commands: [.stopDisplay]),
      ])
    let bytes = try unit.bytes()
    let expected: [UInt8] = [
      0x00, 0x35, 0x00, 0x06, 0xAA, 0xBB,
      0x00, 0x00, 0x00, 0x2F,  // date 0, the next sequence at 47
      0x03, 0x43, 0x21, 0x04, 0x18, 0xF0,
      0x05, 0x12, 0x32, 0xCF, 0x01, 0x00, 0x1F, 0x06, 0x00, 0x04, 0x00, 0x05,
      0x07, 0x00, 0x10, 0x00, 0x11, 0x10, 0x12,
      0x01, 0x30, 0x87, 0x65, 0x43, 0x21, 0x0F, 0xFF, 0xFF, 0xFF,
      0x00, 0xFF,
      0x12, 0x34, 0x00, 0x2F, 0x02, 0xFF,  // the last names itself
    ]
    #expect(bytes == expected)
    var input = ByteReader(bytes)
    let read = try SubpictureUnit(parsing: &input)
    #expect(read == unit)
    #expect(try read.bytes() == bytes)
    for length in 0..<bytes.count {
      var cut = ByteReader(Array(bytes.prefix(length)), base: 70)
      #expect {
        try SubpictureUnit(parsing: &cut)
      } throws: { error in
        (error as? ReadFault).map { (70...70 + Int64(length)).contains($0.offset) } ?? false
      }
    }
  }

  @Test(arguments: [
    // A run of n and code c is n << 2 | c in 1, 2, 3 or 4 nibbles.
    ("1", "50"), ("111", "d0"), ("1111", "11"), ("1112", "d6"), ("33", "b0"), ("11122233", "deb0"),
    ("....", "10"), (String(repeating: "2", count: 16), "0420"),
    (String(repeating: "1", count: 64), "0001"),
    (String(repeating: "1", count: 64) + "2", "010160"),
    (String(repeating: "3", count: 300) + ".", "03ff0b74"),
  ])
  func `a line is coded so`(line: String, hex: String) throws {
    let text = SubpictureRunLength.encode(IndexedBitmap([line]).indices[...]).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
    #expect(text == hex)
  }

  @Test func `random bitmaps are coded and decoded`() throws {
    var numbers = SeededNumbers(seed: 0x5B)
    for _ in 0..<150 {
      let width = Int.random(in: 1...400, using: &numbers)
      let height = Int.random(in: 1...5, using: &numbers)
      var codes: [UInt8] = []
      while codes.count < width * height {
        let most = [1, 4, 20, 80, 300].randomElement(using: &numbers) ?? 1
        codes += [UInt8](
          repeating: UInt8.random(in: 0...3, using: &numbers),
          count: Int.random(in: 1...most, using: &numbers))
      }
      let bitmap = IndexedBitmap(
        width: width, height: height, indices: Array(codes.prefix(width * height)))
      let unit = SubpictureUnit(
        bitmap,
        .init(
          x: 0, y: 0, colors: PixelCodes([0, 1, 2, 3]), contrasts: PixelCodes([15, 15, 15, 15])),
        stop: 10)
      var decoder = VobSubDecoder(index: VobSubTraitList.index { $0.canvas = nil })
      let events = try decoder.events(
        of: [TrackPacket(time: .zero, bytes: try unit.bytes())])
      #expect(events.first?.objects.first?.object.bitmap == bitmap)
    }
  }
}

@Suite struct VobSubIndexes {
  static let text = """
    # VobSub index file, v7 (do not modify this line!)
    size: 720x576
    org: -1, 2
    scale: 50%, 75%
    alpha: 80%
    smooth: OLD
    fadein/out: 50, 60
    align: ON at CENTER BOTTOM
    time offset: 500
    forced subs: ON
    palette: 000000, 0a0bFF, ffffff, 1,2,3,4,5,6,7,8,9,a,b,c,d
    custom colors: ON, tridx: 1001, colors: 000000, ff0000, 00ff00, 0000ff
    langidx: 1

    id: en, index: 0
    # Vob/Cell ID: 1, 1 (PTS: 0)
    timestamp: 00:00:01:300, filepos: 000000000
    delay: -00:00:03:000
    timestamp: 00:00:02:000, filepos: 000001800
    delay: 00:00:01:000
    timestamp: 01:00:05:000, filepos: 0000fF000
    id: --, index: 3
    alt: Kommentar: zwei
    timestamp: xx, filepos: 10
    nonsense: 3
    """

  @Test func `every field is read`() throws {
    let (index, findings) = VobSubIndex.read(Self.text)
    #expect(index.canvas == Canvas(width: 720, height: 576))
    #expect(index.origin == (-1, 2) && index.scale == (50, 75) && index.alpha == 80)
    #expect(index.smooth == "OLD" && index.fade == (50, 60))
    #expect(index.alignment == .init(isOn: true, horizontal: "CENTER", vertical: "BOTTOM"))
    #expect(index.timeOffset.milliseconds == 500 && index.showsOnlyForced)
    #expect(index.palette?[1] == PaletteColor(red: 10, green: 11, blue: 255, alpha: 255))
    #expect(index.palette?[15].blue == 13)
    #expect(index.customColors?.transparent == [true, false, false, true])
    #expect(index.customColors?.colors[1].red == 255 && index.customColors?.isOn == true)
    #expect(index.defaultTrack == 1)
    #expect(index.tracks.map(\.language) == ["en", "--"] && index.tracks.map(\.index) == [0, 3])
    #expect(index.tracks.map(\.title) == [nil, "Kommentar: zwei"])
    // 1.3 + 0.5; 2 - 3 + 0.5; 3605 - 3 + 1 + 0.5.
    #expect(
      index.tracks[0].entries.map { $0.time?.milliseconds } == [1800, -500, 3_603_500])
    #expect(index.tracks[0].entries.map(\.position) == [0, 0x1800, 0xFF000])
    #expect(index.tracks[1].entries == [.init(time: nil, position: 0x10)])
    #expect(findings.map(\.rule.code) == ["idx.time-negative", "idx.time", "idx.line"])
  }

  @Test func `what is written is read back`() {
    let index = VobSubIndex.read(Self.text).index
    var again = VobSubIndex.read(index.text).index
    // A time that could not be read is written as zero.
    again.tracks[1].entries[0].time = nil
    #expect(again == index)
  }

  @Test func `a file without langidx, ids or size is read`() {
    let (index, findings) = VobSubIndex.read("timestamp: 00:00:01:000, filepos: 000000800\r\n")
    #expect(index.canvas == nil && index.palette == nil)
    #expect(index.tracks.map(\.index) == [0])
    #expect(findings.map(\.rule.code) == ["idx.langidx-missing"])
  }

  @Test(arguments: [
    ("scale: 1%, 1000%", true), ("scale: 0%, 100%", false), ("scale: 100%, 1001%", false),
    ("org: -65535, 65535", true), ("org: 0, 65536", false), ("alpha: 0%", true),
    ("alpha: 101%", false), ("align: ON at RIGHT BOTTOM", true), ("align: ON at SIDE TOP", false),
    ("align: ON at LEFT MIDDLE", false), ("size: 65535x1", true), ("size: 65536x1", false),
  ])
  func `a setting out of its range is passed over and named`(line: String, isRead: Bool) {
    let (index, findings) = VobSubIndex.read("\(line)\nlangidx: 0\n")
    #expect(findings.map(\.rule.code) == (isRead ? [] : ["idx.line"]))
    var plain = VobSubIndex()
    plain.defaultTrack = 0
    #expect((index == plain) != isRead)
  }

  @Test func `any text is borne`() {
    var numbers = SeededNumbers(seed: 0x1D8)
    let bytes = Array(Self.text.utf8)
    for _ in 0..<500 {
      var changed = bytes
      for _ in 0..<8 {
        changed[Int.random(in: 0..<changed.count, using: &numbers)] = UInt8.random(
          in: 0...255, using: &numbers)
      }
      _ = VobSubIndex.read(String(decoding: changed, as: UTF8.self))
      _ = VobSubIndex.read(privateData: changed)
    }
  }

  @Test func `private data of 64 bytes are the palette of an MP4`() throws {
    var data: [UInt8] = []
    for index in 0..<16 { data += index == 1 ? [0, 81, 240, 90] : [0, 235, 128, 128] }
    let index = VobSubIndex.read(privateData: data)
    // Y 81, Cr 240, Cb 90 is red by BT.601.
    #expect(index.palette?[1] == PaletteColor(red: 254, green: 0, blue: 0, alpha: 255))
    #expect(index.palette?[15] == PaletteColor(red: 255, green: 255, blue: 255, alpha: 255))
    #expect(index.canvas == nil)
  }
}

@Suite struct ProgramStreams {
  private static let canvas = Canvas(width: 16, height: 8)

  /// Units of given sizes whose bytes are their place, behind a true size field.
  private static func units(_ sizes: [Int]) -> [VobSubFileWriter.Unit] {
    sizes.enumerated().map { place, size in
      VobSubFileWriter.Unit(
        time: Timestamp(milliseconds: Int64(place + 1) * 1000),
        bytes: [UInt8(size >> 8), UInt8(size & 255)]
          + [UInt8](repeating: UInt8(place), count: size - 2))
    }
  }

  private static func files(_ sizes: [Int]) throws -> VobSubFileWriter.Files {
    try VobSubFileWriter.files(
      of: units(sizes), canvas: canvas, palette: VobSubTraitList.palette, language: "eng",
      title: nil)
  }

  @Test(arguments: [[100], [2019, 2020, 5], [65_535, 30, 4000]])
  func `what the writer makes is read back`(sizes: [Int]) throws {
    let files = try Self.files(sizes)
    let (index, findings) = VobSubIndex.read(files.index)
    #expect(findings.isEmpty && index.canvas == Self.canvas)
    let result = try VobSubFileReader.packets(of: index, track: 0, packs: files.packs)
    #expect(result.log.findings.isEmpty)
    #expect(result.packets.map(\.bytes) == Self.units(sizes).map(\.bytes))
    #expect(result.packets.map(\.time) == Self.units(sizes).map(\.time))
    let alone = try VobSubFileReader.packets(stream: 0, packs: files.packs).packets
    #expect(alone.map(\.bytes) == Self.units(sizes).map(\.bytes))
    #expect(alone.map(\.time) == Self.units(sizes).map(\.time))
  }

  @Test func `packs that are not aligned, stuffed, of two streams, and cut`() throws {
    /// A packet of private stream 1 with its stream's number and data.
    func pes(_ stream: UInt8, pts: UInt8?, stuffing: Int, _ data: [UInt8]) -> [UInt8] {
      let time: [UInt8] = pts.map { [0x21, 0, 1, 0, $0 << 1 | 1] } ?? []
      let size = 3 + time.count + stuffing + 1 + data.count
      return [0, 0, 1, 0xBD, UInt8(size >> 8), UInt8(size & 255), 0x80, pts == nil ? 0 : 0x80]
        + [UInt8(time.count + stuffing)] + time + [UInt8](repeating: 0xFF, count: stuffing)
        + [0x20 + stream] + data
    }
    let pack: [UInt8] = [0, 0, 1, 0xBA, 0x44, 0, 4, 0, 4, 1, 1, 0x89, 0xC3, 0xFA, 0xFF, 0xFF]
    let bytes =
      [0, 0, 0] + pack + pes(0, pts: 90, stuffing: 3, [0, 6, 1])
      + pes(1, pts: 91, stuffing: 0, [0, 3, 9]) + [0, 0, 1, 0xBE, 0, 2, 0xFF, 0xFF]
      + pack + pes(0, pts: nil, stuffing: 1, [2, 3, 4]) + [7, 7] + pack
      + pes(0, pts: 100, stuffing: 0, [0, 9, 5, 5])
    var reader = ProgramStreamReader(bytes)
    var found: [SubpicturePacket] = []
    while let packet = try reader.next() { found.append(packet) }
    #expect(found.map(\.stream) == [0, 1, 0, 0])
    #expect(found.map(\.pts) == [90, 91, nil, 100])
    #expect(reader.log.findings.map(\.rule.code) == ["ps.pack-damaged"])
    let units = try VobSubFileReader.packets(stream: 0, packs: bytes).packets
    #expect(units.map(\.bytes) == [[0, 6, 1, 2, 3, 4], [0, 9, 5, 5]])
    let second = try VobSubFileReader.packets(stream: 1, packs: bytes).packets
    #expect(second.map(\.bytes) == [[0, 3, 9]])
    #expect(try VobSubFileReader.streams(packs: bytes) == [0, 1])
    for length in 0..<bytes.count {
      let cut = Array(bytes.prefix(length))
      for unit in try VobSubFileReader.packets(stream: 0, packs: cut).packets {
        #expect(unit.bytes.count <= 9)
      }
    }
  }

  @Test func `an index that leads nowhere is named`() throws {
    let files = try Self.files([100])
    var index = VobSubIndex.read(files.index).index
    index.tracks[0].entries.append(.init(time: .zero, position: 1 << 40))
    index.tracks[0].entries.append(.init(time: nil, position: 0))
    let result = try VobSubFileReader.packets(of: index, track: 0, packs: files.packs)
    #expect(result.log.findings.map(\.rule.code) == ["idx.filepos"])
    // The last entry has the time of its packet.
    #expect(result.packets.map { $0.time?.milliseconds } == [1000, 1000])
  }
}
