// SPDX-License-Identifier: Apache-2.0
import MediaContainer
import SubtitleAuthoring
import SubtitleModel
import Testing

@Suite struct CueEncoding {
  private static let canvas = Canvas(width: 16, height: 8)
  /// White, half black, red.
  private static let palette = Palette(colors: [
    .transparent, PaletteColor(red: 255, green: 255, blue: 255, alpha: 255),
    PaletteColor(red: 0, green: 0, blue: 0, alpha: 128),
    PaletteColor(red: 255, green: 0, blue: 0, alpha: 255),
  ])

  private func cue(_ start: Double, _ end: Double, isForced: Bool = false) -> Cue {
    let bitmap = IndexedBitmap(width: 6, height: 2, indices: [1, 1, 1, 2, 2, 3, 1, 1, 1, 2, 2, 3])
    return Cue(
      index: 0, start: Timestamp(seconds: start), end: Timestamp(seconds: end),
      endCause: .streamDuration,
      objects: [
        CueObject(x: 2, y: 1, bitmap: bitmap, palette: Self.palette, isForced: isForced)
      ])
  }

  @Test func `a page that stands long is sent again, and versions count up`() throws {
    let track = try CueEncoder.encode([cue(1, 601)], as: .dvb, canvas: Self.canvas)
    #expect(track.packets.map(\.time.milliseconds) == [1000, 201_000, 401_000, 601_000])
    #expect(track.codecPrivate == [0, 1, 0, 1, 0x10])
    for (version, packet) in track.packets.enumerated() {
      // The display definition has 11 bytes; the page is shown 5 s longer than its part, in mode change.
      #expect(Array(packet.bytes[11..<13]) == [0x0F, 0x10])
      #expect(packet.bytes[17] == (version < 3 ? 205 : 5))
      #expect(packet.bytes[18] == UInt8(version << 4 | 0x0B))
    }
    #expect(track.packets.last?.bytes.count == 11 + 8 + 6, "nothing but display, page and end")
  }

  @Test func `a page that the next one follows is not cleared`() throws {
    let track = try CueEncoder.encode([cue(1, 2), cue(2, 3)], as: .dvb, canvas: Self.canvas)
    #expect(track.packets.map(\.time.milliseconds) == [1000, 2000, 3000])
  }

  @Test(arguments: [false, true])
  func `a sub-picture has these colours, contrasts and dates`(isForced: Bool) throws {
    let track = try CueEncoder.encode(
      [cue(1, 2, isForced: isForced)], as: .vobsub, canvas: Self.canvas)
    let rest = String(repeating: ", 000000", count: 13)
    #expect(
      String(decoding: track.codecPrivate, as: UTF8.self)
        == "size: 16x8\npalette: ffffff, 000000, ff0000\(rest)\n")
    let bytes = try #require(track.packets.first).bytes
    // Codes 1 to 3 are white, black, red; contrast 128 of 255 is 8 of 15. Columns 2-7, lines 1-2.
    let area: [UInt8] = [0x05, 0x00, 0x20, 0x07, 0x00, 0x10, 0x02]
    #expect(bytes.firstRange(of: [0x03, 0x21, 0x01, 0x04, 0xF8, 0xF0] + area) != nil)
    // One second is 87.9 units of 1024/90000 s.
    #expect(Array(bytes.suffix(6).prefix(2)) == [0x00, 0x58])
    #expect(Array(bytes.suffix(2)) == [0x02, 0xFF])
    #expect(bytes.firstRange(of: [isForced ? 0x00 : 0x01, 0xFF, 0x00, 0x58]) != nil)
  }

  @Test func `an XSUB packet has these times, places, colours and codes`() throws {
    let track = try CueEncoder.encode([cue(1.3, 3.0004)], as: .xsub, canvas: Self.canvas)
    // Half black needs alpha.
    #expect(track.codecPrivate == Array("DXSA".utf8))
    let bytes = try #require(track.packets.first).bytes
    // 6x2 at 2,1 to 7,2. Codes 1 to 3 by most pixels: white 3, black 2, red 1 a row.
    // A row of 3, 2, 1: 1101, 1010, 0111; and to the next whole byte.
    let row: [UInt8] = [0xDA, 0x70]
    var expected = Array("[00:00:01.300-00:00:03.000]".utf8)
    expected += [6, 0, 2, 0, 2, 0, 1, 0, 7, 0, 2, 0, 2, 0]
    expected += [0, 0, 0, 255, 255, 255, 0, 0, 0, 255, 0, 0]
    expected += [0, 255, 128, 255]
    expected += row + row
    #expect(bytes == expected)
  }

  @Test func `pictures without half transparency are DXSB`() throws {
    var plain = cue(1, 2)
    plain.objects[0].palette = Palette(colors: [
      .transparent, PaletteColor(red: 255, green: 255, blue: 255, alpha: 255),
      PaletteColor(red: 0, green: 0, blue: 0, alpha: 255),
    ])
    let track = try CueEncoder.encode([plain], as: .xsub, canvas: Self.canvas)
    #expect(track.codecPrivate == Array("DXSB".utf8))
    // Times, numbers, colours, and two rows of two bytes.
    #expect(track.packets.first?.bytes.count == 57)
  }

  @Test func `a field of more codes than its length can say is refused`() {
    // Changing each pixel: 2160 rows of 3840 codes of half a byte each.
    let noise = IndexedBitmap(
      width: 3840, height: 2160, indices: (0..<3840 * 2160).map { UInt8(1 + $0 % 2) })
    var large = cue(1, 2)
    large.objects[0] = CueObject(
      x: 0, y: 0, bitmap: noise, palette: Self.palette, isForced: false)
    let fault = #expect(throws: AuthoringFault.self) {
      try CueEncoder.encode([large], as: .xsub, canvas: Canvas(width: 3840, height: 2160))
    }
    #expect(fault?.kind == .input)
    #expect(fault?.description.contains("00:00:01.000 cannot be written as xsub") == true)
    #expect(throws: AuthoringFault.self) {
      try CueEncoder.encode([cue(359_999, 360_001)], as: .xsub, canvas: Self.canvas)
    }
  }

  @Test func `cues that show nothing or overlap are refused`() {
    for cues in [[cue(2, 2)], [cue(1, 3), cue(2, 4)]] {
      for codec in [SubtitleCodec.vobsub, .dvb, .xsub] {
        #expect(throws: AuthoringFault.self) {
          try CueEncoder.encode(cues, as: codec, canvas: Self.canvas)
        }
      }
    }
  }
}
