// SPDX-License-Identifier: Apache-2.0
package import SubtitleFormats
package import SubtitleModel

/// The traits of XSUB streams.
package enum XSUBTraitList {
  package static let colors = [
    PaletteColor(red: 9, green: 9, blue: 9, alpha: 0),
    PaletteColor(red: 255, green: 255, blue: 255, alpha: 255),
    PaletteColor(red: 255, green: 0, blue: 0, alpha: 128),
    PaletteColor(red: 0, green: 0, blue: 255, alpha: 255),
  ]

  package static func packet(_ start: Int64, _ end: Int64, hasAlpha: Bool = false) -> XSUBPacket {
    XSUBPacket(
      IndexedBitmap(["1122", ".133", "3333"]), x: 2, y: 1,
      start: start, end: end, colors: colors, hasAlpha: hasAlpha)
  }

  private static func trait(
    _ name: String, _ packets: [(Double?, XSUBPacket)], _ looks: [(Double, [String])],
    codes: Set<String> = [], cues: Int = 1, hasAlpha: Bool? = nil
  ) throws -> StreamTrait {
    StreamTrait(
      name, .xsub,
      try packets.map { time, packet in
        TrackPacket(time: time.map { Timestamp(seconds: $0) }, bytes: try packet.bytes())
      }, looks, codes: codes, cues: cues
    ) {
      var options = XSUBDecoder.Options()
      options.hasAlpha = hasAlpha
      return XSUBDecoder(options: options)
    }.with { $0.hasAlpha = hasAlpha ?? false }
  }

  package static var all: [StreamTrait] {
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
          [(1, ["", "..WWrr", "...WBB", "..BBBB"]), (3, [])]
        ).faint(128).unstored("an AVI file always says whether there is alpha"),
        try trait(
          "DXSA has alpha, told", [(1, packet(1000, 3000, hasAlpha: true))],
          [(1, ["", "..WWrr", "...WBB", "..BBBB"])], hasAlpha: true
        ).faint(128),
        try trait(
          "the text's time is the cue's", [(0.9, packet(1000, 3000))], [(0.95, []), (1, drawn)]),
        try trait(
          "a container's time far from the text's is believed", [(15, packet(1000, 3000))],
          [(1, []), (15, drawn), (16.9, drawn), (17, [])], codes: ["xsub.times-differ"]),
        try trait(
          "no container time", [(nil, packet(1000, 3000))], [(1, drawn), (3, [])]
        ).unstored("packets of an AVI file always have a time"),
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
          "pictures in the wrong order", [(3, packet(3000, 4000)), (3.1, packet(1000, 2000))],
          [(0.9, []), (1, drawn), (2, []), (3, drawn), (4, [])], cues: 2),
        try trait(
          "an end before the start", [(1, packet(3000, 1000))], [(1, []), (3, [])],
          codes: ["xsub.times"], cues: 0),
      ]
    }
  }
}
