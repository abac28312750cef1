// SPDX-License-Identifier: Apache-2.0
package import SubtitleFormats
package import SubtitleModel

/// The traits of VobSub streams.
package enum VobSubTraitList {
  /// Date of about one second: 88 * 1024 / 90000 = 1.00124 s.
  private static let second = 88
  private static let colors = PixelCodes([0, 1, 2, 3])
  private static let opaque = PixelCodes([0, 15, 15, 15])
  private static let none = PixelCodes([0, 0, 0, 0])
  private static let pattern = IndexedBitmap(["1122", ".133"])
  private static let drawn = ["", "..WWRR", "...WGG"]

  /// Black, white, red, green, blue, yellow, then black.
  package static let palette: [PaletteColor] = (0..<16).map { index in
    let bits = [0, 7, 4, 2, 1, 6][index < 6 ? index : 0]
    return PaletteColor(
      red: bits & 4 == 0 ? 0 : 255, green: bits & 2 == 0 ? 0 : 255, blue: bits & 1 == 0 ? 0 : 255,
      alpha: 255)
  }

  package static func index(_ change: (inout VobSubIndex) -> Void = { _ in }) -> VobSubIndex {
    var index = VobSubIndex()
    index.canvas = Canvas(width: 16, height: 8)
    index.palette = palette
    change(&index)
    return index
  }

  private static func look(_ x: Int = 2, _ y: Int = 1) -> SubpictureUnit.Look {
    .init(x: x, y: y, colors: colors, contrasts: opaque)
  }

  private static func packet(_ seconds: Double, _ unit: SubpictureUnit) throws -> TrackPacket {
    TrackPacket(time: Timestamp(seconds: seconds), bytes: try unit.bytes())
  }

  private static func trait(
    _ name: String, _ packets: [TrackPacket], _ looks: [(Double, [String])],
    codes: Set<String> = [], cues: Int = 1, index: VobSubIndex = VobSubTraitList.index()
  ) -> StreamTrait {
    StreamTrait(name, .vobsub, packets, looks, codes: codes, cues: cues) {
      VobSubDecoder(index: index)
    }.with { $0.index = index }
  }

  package static var all: [StreamTrait] {
    get throws { try dates() + colorTraits() + shapes() + layouts() }
  }

  private static func dates() throws -> [StreamTrait] {
    let plain = SubpictureUnit(pattern, look(), stop: 2 * second)
    let open = SubpictureUnit(pattern, look(), stop: nil)
    var forced = look()
    forced.isForced = true
    var faint = look()
    faint.contrasts = none
    let fade = SubpictureUnit(
      pattern, faint, stop: 4 * second,
      steps: [
        (second, colors, PixelCodes([0, 6, 6, 6])), (2 * second, colors, opaque),
        (3 * second, colors, PixelCodes([0, 6, 6, 6])),
      ])
    let never = SubpictureUnit(
      pixelData: open.pixelData,
      sequences: open.sequences + [ControlSequence(date: 0xFFFF, commands: [.stopDisplay])])
    var both = plain
    both.sequences = [
      ControlSequence(
        date: 2 * second, commands: open.sequences[0].commands + [.stopDisplay])
    ]
    var later = plain
    later.sequences = [
      ControlSequence(date: 0, commands: [.setColor(colors)]),
      ControlSequence(date: 0, commands: Array(open.sequences[0].commands.dropFirst())),
      plain.sequences[1],
    ]
    var container = try packet(1, plain)
    container.duration = Timestamp(milliseconds: 5000)
    let gone: [String] = []
    let other = [try packet(1, SubpictureUnit(pattern, look(8, 4), stop: 4 * second))]
    return [
      trait(
        "v01 stop in the second sequence", [try packet(1, plain)],
        [(0.9, gone), (1, drawn), (2.9, drawn), (3.1, gone)]),
      trait(
        "v03 a fade-in from nothing", [try packet(1, fade)],
        [
          (1.5, gone), (2.5, ["", "..wwrr", "...wgg"]), (3.5, drawn),
          (4.5, ["", "..wwrr", "...wgg"]), (5.5, gone),
        ], codes: ["vobsub.all-transparent"]
      ).faint(102),
      trait(
        "v05 no stop lasts to the next unit",
        [try packet(1, open), try packet(5, SubpictureUnit(pattern, look(8, 4), stop: second))],
        [(4.9, drawn), (5, ["", "", "", "", "........WWRR", ".........WGG"]), (6.1, gone)],
        codes: ["vobsub.stop-missing"], cues: 2),
      trait(
        "v05b no stop lasts to the end of the file", [try packet(1, open)],
        [(1, drawn), (9.9, drawn), (19.9, drawn), (20, gone)]
      ).with { $0.isOpenEnded = true },
      trait(
        "v07 a forced start is a start",
        [try packet(1, SubpictureUnit(pattern, forced, stop: second))],
        [(1, drawn), (2.1, gone)]),
      trait(
        "v15 a start one second after the time",
        [try packet(1, SubpictureUnit(pattern, look(), start: second, stop: 3 * second))],
        [(1.5, gone), (2.1, drawn), (3.9, drawn), (4.1, gone)]),
      trait(
        "v16 no contrast clears",
        [
          try packet(1, open), try packet(3, SubpictureUnit(pattern, faint, stop: second)),
        ], [(2, drawn), (3, gone)], codes: ["vobsub.all-transparent"]),
      trait(
        "v12 a delay in the index", [try packet(3, plain)], [(2.9, gone), (3, drawn), (5.1, gone)]
      ).with { $0.indexDelay = Timestamp(milliseconds: 1500) },
      trait(
        "v12b a negative delay in the index", [try packet(3, plain)],
        [(2.9, gone), (3, drawn), (5.1, gone)]
      ).with { $0.indexDelay = Timestamp(milliseconds: -1500) },
      trait(
        "v17 the second stream of a file", [try packet(1, plain)], [(1, drawn), (3.1, gone)]
      ).with { $0.otherPackets = other },
      trait(
        "a stop at date FFFF is none", [try packet(1, never)], [(9, drawn), (19, drawn)]
      ).with { $0.isOpenEnded = true },
      trait(
        "start and stop in one sequence", [try packet(1, both)],
        [(1, drawn), (2.9, drawn), (3.1, gone)], codes: ["vobsub.start-and-stop"]),
      trait(
        "the decisive commands come in a later sequence", [try packet(1, later)],
        [(1, drawn), (3.1, gone)]),
      trait(
        "the container's duration goes before the stop command", [container],
        [(5.9, drawn), (6, gone)], codes: ["vobsub.duration-differs"]
      ).with { $0.storage = .matroska },
      trait(
        "a later step is void when the next unit begins",
        [try packet(1, fade), try packet(2.5, plain)],
        [(2.2, ["", "..wwrr", "...wgg"]), (2.5, drawn), (4.4, drawn), (4.6, gone)], cues: 1
      ).faint(102),
    ]
  }

  private static func colorTraits() throws -> [StreamTrait] {
    let plain = SubpictureUnit(pattern, look(), stop: 2 * second)
    let recolored = SubpictureUnit(
      pattern, look(), stop: 4 * second, steps: [(second, PixelCodes([0, 4, 5, 3]), opaque)])
    var changing = look()
    changing.changes = [
      LineControl(
        firstLine: 1, lastLine: 1,
        changes: [
          .init(column: 3, colors: PixelCodes([0, 4, 4, 4]), contrasts: opaque),
          .init(column: 5, colors: PixelCodes([0, 5, 5, 5]), contrasts: opaque),
        ])
    ]
    // CHG_COLCON stands before all other commands.
    var first = SubpictureUnit(pattern, changing, stop: second)
    var commands = first.sequences[0].commands
    commands.insert(commands.remove(at: 4), at: 0)
    first.sequences[0].commands = commands
    var half = look()
    half.contrasts = PixelCodes([0, 8, 15, 15])
    let custom = index {
      $0.customColors = .init(
        isOn: true, transparent: [true, false, false, true],
        colors: [palette[0], palette[5], palette[4], palette[1]])
    }
    let off = index {
      $0.customColors = .init(
        isOn: false, transparent: [true, true, true, true], colors: Array(palette.prefix(4)))
    }
    return [
      trait(
        "v02 an index without palette", [try packet(1, plain)],
        // Three visible colours: black, grey, white.
        [(1, ["", "..KKNN", "...KWW"])], codes: ["vobsub.palette-guessed"],
        index: index { $0.palette = nil }),
      trait(
        "v04 colours of a later sequence", [try packet(1, recolored)],
        [(1, drawn), (2.1, ["", "..BBYY", "...BGG"]), (4.9, ["", "..BBYY", "...BGG"])], cues: 2),
      trait(
        "v06 colours that change within the picture", [try packet(1, first)],
        [(1, ["", "..WBBY", "...WGG"])]),
      trait(
        "v11 custom colours", [try packet(1, plain)], [(1, ["", "..YYBB", "...Y"])],
        index: custom),
      trait("v11b custom colours that are off", [try packet(1, plain)], [(1, drawn)], index: off),
      trait(
        "v18 half a contrast lets something through",
        [try packet(1, SubpictureUnit(pattern, half, stop: second))],
        [(1, ["", "..wwRR", "...wGG"])]
      ).faint(136),
      trait(
        "the index's alpha", [try packet(1, plain)], [(1, ["", "..wwrr", "...wgg"])],
        index: index { $0.alpha = 50 }
      ).faint(128),
    ]
  }

  /// What an index says beyond colours and times.
  private static func layouts() throws -> [StreamTrait] {
    let plain = SubpictureUnit(pattern, look(), stop: 2 * second)
    func aligned(_ horizontal: String, _ vertical: String, _ x: Int, _ y: Int) -> VobSubIndex {
      index {
        $0.alignment = .init(isOn: true, horizontal: horizontal, vertical: vertical)
        $0.origin = (x, y)
      }
    }
    func moved(_ name: String, _ rows: [String], _ index: VobSubIndex) throws -> StreamTrait {
      trait(
        name, [try packet(1, plain)], [(1, rows)], codes: ["vobsub.index-layout"], index: index)
    }
    var large = aligned("RIGHT", "CENTER", 16, 4)
    large.scale = (200, 100)
    let wide = Canvas(width: 720, height: 480)
    return [
      trait(
        "v13 the index's size is the canvas", [try packet(1, plain)], [(1, drawn)],
        index: index { $0.canvas = wide }
      ).with { $0.size = wide },
      trait(
        "an index without langidx", [try packet(1, plain)], [(1, drawn), (3.1, [])]
      ).with {
        $0.statesDefaultTrack = false
        $0.fileCodes = ["idx.langidx-missing"]
      },
      trait(
        "the private data alone are compressed", [try packet(1, plain)], [(1, drawn), (3.1, [])]
      ).with {
        $0.storage = .matroska
        $0.compression = .privateData
      },
      try moved(
        "the index's origin", ["", "", "", "...WWRR", "....WGG"], index { $0.origin = (1, 2) }),
      try moved(
        "the index's scale: twice the size, from the corner of the canvas",
        ["", "", "....WWWWRRRR", "....WWWWRRRR", "......WWGGGG", "......WWGGGG"],
        index { $0.scale = (200, 200) }),
      // Edges 2, 6, 1 and 3 become 1, 3, 0.5 and 1.5, which is 1 and 2; kept are columns 1 and 3 of row 1.
      try moved(
        "the index's scale: half the size", ["", ".WG"], index { $0.scale = (50, 50) }),
      try moved(
        "the index's alignment: left and top at the origin", ["", "", "...WWRR", "....WGG"],
        aligned("LEFT", "TOP", 3, 2)),
      try moved(
        "the index's alignment: middle and bottom at the origin",
        ["", "", "", "", "", "", "......WWRR", ".......WGG"], aligned("CENTER", "BOTTOM", 8, 8)),
      try moved(
        "the index's alignment: right and middle at the origin, scaled",
        ["", "", "", "........WWWWRRRR", "..........WWGGGG"], large),
      trait(
        "the index's alignment is off", [try packet(1, plain)], [(1, drawn)],
        index: index {
          $0.alignment = .init(isOn: false, horizontal: "RIGHT", vertical: "BOTTOM")
        }),
      trait(
        "the index's fade is not the picture's", [try packet(1, plain)],
        [(0.9, []), (1, drawn), (1.25, drawn), (2.9, drawn), (3.1, [])],
        index: index { $0.fade = (500, 500) }),
      trait(
        "the index's smoothing is not the picture's", [try packet(1, plain)], [(1, drawn)],
        index: index { $0.smooth = "ON" }),
      trait(
        "the index asks for forced pictures alone, which is the viewer's choice",
        [try packet(1, plain)], [(1, drawn)], index: index { $0.showsOnlyForced = true }),
      trait(
        "a time offset in the index", [try packet(3, plain)],
        [(2.4, []), (2.9, []), (3, drawn), (4.9, drawn), (5.1, [])],
        index: index { $0.timeOffset = Timestamp(milliseconds: 500) }),
      trait(
        "a time before the film", [try packet(-1, plain), try packet(3, plain)],
        [(0.5, drawn), (1.1, []), (3, drawn)], cues: 2
      ).with { $0.fileCodes = ["idx.time-negative"] },
    ]
  }

  private static func shapes() throws -> [StreamTrait] {
    func unit(_ rows: [String], _ x: Int = 2, _ y: Int = 1) -> SubpictureUnit {
      SubpictureUnit(IndexedBitmap(rows), look(x, y), stop: second)
    }
    let plain = try unit(["1122", ".133"]).bytes()
    // Bytes that no line uses, to make the unit longer than two packs.
    var long = unit(["1122", ".133"])
    long.pixelData += [UInt8](repeating: 0x11, count: 5000)
    var broken = unit(["1122", ".133"])
    broken.sequences[1].commands = []
    var bytes = try broken.bytes()
    // The empty second sequence gets a command that does not exist in place of its end.
    bytes[bytes.count - 1] = 0x55
    // The codes of the bottom field stand first: row 0 has 1 1 2 2, row 1 nothing and 1 3 3.
    let ordered = unit(["1122", ".133"])
    let fields = SubpictureRunLength.encode(pattern)
    var swapped = ordered
    swapped.pixelData = fields.bottom + fields.top
    swapped.sequences[0].commands = swapped.sequences[0].commands.map { command in
      guard case .setPixelDataAddresses = command else { return command }
      return .setPixelDataAddresses(topField: 4 + fields.bottom.count, bottomField: 4)
    }
    var past = trait(
      "v10 an area past the bottom grows the canvas", [try packet(1, unit(["11", "22"], 2, 7))],
      [(1, ["", "", "", "", "", "", "", "..WW", "..RR"])],
      codes: ["vobsub.area-outside-canvas"])
    past.size = Canvas(width: 16, height: 9)
    return [
      trait(
        "v08 odd width and height", [try packet(1, unit(["123", "321", "111"]))],
        [(1, ["", "..WRG", "..GRW", "..WWW"])]),
      trait("v09 one line", [try packet(1, unit(["1233"]))], [(1, ["", "..WRGG"])]),
      trait(
        "the bottom field's codes come first", [try packet(1, swapped)], [(1, drawn), (2.1, [])]),
      trait("one pixel", [try packet(1, unit(["2"]))], [(1, ["", "..R"])]),
      past,
      trait(
        "v14 a unit in several packets",
        [
          TrackPacket(time: Timestamp(seconds: 1), bytes: Array(plain.prefix(1))),
          TrackPacket(time: nil, bytes: Array(plain[1..<9])),
          TrackPacket(time: nil, bytes: Array(plain[9...])),
        ], [(1, drawn), (2.1, [])]),
      trait(
        "v14b a unit over several packs", [try packet(1, long)], [(1, drawn), (2.1, [])]),
      trait(
        "a unit that is cut, and the next",
        [
          TrackPacket(time: Timestamp(seconds: 1), bytes: Array(plain.prefix(10))),
          TrackPacket(time: Timestamp(seconds: 2), bytes: plain),
        ], [(1, []), (2, drawn)], codes: ["vobsub.unit-incomplete", "vobsub.unit-damaged"]),
      trait(
        "an unknown command keeps what came before",
        [TrackPacket(time: Timestamp(seconds: 1), bytes: bytes)], [(1, drawn), (15, drawn)],
        codes: ["vobsub.command-unknown"]
      ).with { $0.isOpenEnded = true },
    ]
  }
}
