// SPDX-License-Identifier: Apache-2.0
import BinaryReading
import SubtitleFormats
import SubtitleModel
import Testing

@Suite struct XSUBTraits {
  @Test(arguments: try XSUBTraits.all)
  func `is drawn as the stream says`(trait: DecodingTrait) throws { try trait.checkLinear() }

  @Test(arguments: try XSUBTraits.all)
  func `is the same picture at every time by random access`(trait: DecodingTrait) throws {
    try trait.checkRandomAccess()
  }

  @Test(arguments: try XSUBTraits.all)
  func `survives damage anywhere`(trait: DecodingTrait) { trait.torture() }

  private static let colors = [
    PaletteColor(red: 9, green: 9, blue: 9, alpha: 0),
    PaletteColor(red: 255, green: 255, blue: 255, alpha: 255),
    PaletteColor(red: 255, green: 0, blue: 0, alpha: 128),
    PaletteColor(red: 0, green: 0, blue: 255, alpha: 255),
  ]

  static func packet(_ start: Int64, _ end: Int64, hasAlpha: Bool = false) -> XSUBPacket {
    XSUBPacket(
      IndexedBitmap(["1122", ".133", "3333"]), x: 2, y: 1,
      start: start, end: end, colors: colors, hasAlpha: hasAlpha)
  }

  private static func trait(
    _ name: String, _ packets: [(Double?, XSUBPacket)], _ looks: [(Double, [String])],
    codes: Set<String> = [], cues: Int = 1, hasAlpha: Bool? = nil
  ) throws -> DecodingTrait {
    DecodingTrait(
      name, .xsub,
      try packets.map { time, packet in
        TrackPacket(time: time.map { Timestamp(seconds: $0) }, bytes: try packet.bytes())
      }, looks, codes: codes, cues: cues
    ) {
      var options = XSUBDecoder.Options()
      options.hasAlpha = hasAlpha
      return XSUBDecoder(options: options)
    }
  }

  static var all: [DecodingTrait] {
    get throws {
      let drawn = ["", "..WWRR", "...WBB", "..BBBB"]
      var bogus = packet(1000, 3000)
      bogus.firstFieldLength = 999
      var cut = packet(1000, 3000)
      cut.data.removeLast(1)
      return [
        try trait(
          "DXSB: the first colour is transparent", [(1, packet(1000, 3000))],
          [(0.9, []), (1, drawn), (2.9, drawn), (3, [])]),
        try trait(
          "DXSA has alpha, found out", [(1, packet(1000, 3000, hasAlpha: true))],
          [(1, ["", "..WWrr", "...WBB", "..BBBB"]), (3, [])]),
        try trait(
          "DXSA has alpha, told", [(1, packet(1000, 3000, hasAlpha: true))],
          [(1, ["", "..WWrr", "...WBB", "..BBBB"])], hasAlpha: true),
        try trait(
          "the text's time is the cue's", [(0.9, packet(1000, 3000))], [(0.95, []), (1, drawn)]),
        try trait(
          "a container's time far from the text's is believed", [(15, packet(1000, 3000))],
          [(1, []), (15, drawn), (16.9, drawn), (17, [])], codes: ["xsub.times-differ"]),
        try trait("no container time", [(nil, packet(1000, 3000))], [(1, drawn), (3, [])]),
        try trait(
          "the second field's offset is bogus", [(1, bogus)], [(1, drawn)],
          codes: ["xsub.field-length"], hasAlpha: false),
        try trait(
          "the last row is missing", [(1, cut)], [(1, ["", "..WWRR", "...W", "..BBBB"])],
          codes: ["xsub.rows"], hasAlpha: false),
        try trait(
          "the next picture comes first", [(1, packet(1000, 5000)), (3, packet(3000, 4000))],
          [(3.5, drawn), (4, [])], cues: 1),
        try trait(
          "an end before the start", [(1, packet(3000, 1000))], [(1, []), (3, [])],
          codes: ["xsub.times"], cues: 0),
      ]
    }
  }

  @Test(arguments: [false, true])
  func `a packet has these bytes, and is read back`(hasAlpha: Bool) throws {
    let packet = XSUBPacket(
      IndexedBitmap(["12"]), x: 0x102, y: 3, start: 3_723_004, end: 3_724_050, colors: Self.colors,
      hasAlpha: hasAlpha)
    let bytes = try packet.bytes()
    let alpha: [UInt8] = hasAlpha ? [0, 255, 128, 255] : []
    #expect(
      bytes == Array("[01:02:03.004-01:02:04.050]".utf8) + [
        2, 0, 1, 0, 2, 1, 3, 0, 3, 1, 3, 0, 1, 0,
        9, 9, 9, 255, 255, 255, 255, 0, 0, 0, 0, 255,
      ] + alpha + [0x56])
    var input = ByteReader(bytes)
    let read = try XSUBPacket(parsing: &input, hasAlpha: hasAlpha)
    #expect(try read.bytes() == bytes)
    if hasAlpha { #expect(read == packet) }
    for length in 0..<bytes.count - 1 {
      var cut = ByteReader(Array(bytes.prefix(length)), base: 9)
      #expect {
        try XSUBPacket(parsing: &cut, hasAlpha: hasAlpha)
      } throws: { error in
        (error as? ReadFault).map { (9...9 + Int64(length)).contains($0.offset) } ?? false
      }
    }
  }
}
