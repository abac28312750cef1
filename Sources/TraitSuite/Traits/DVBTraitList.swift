// SPDX-License-Identifier: Apache-2.0
package import SubtitleFormats
package import SubtitleModel

/// The traits of DVB streams.
package enum DVBTraitList {
  package static let display = DisplayDefinitionSegment(canvas: Canvas(width: 16, height: 8))
  private static let gone: [String] = []
  private static let drawn = ["", "..WWRR", "...WKK"]
  private static let pattern = IndexedBitmap(["1122", ".133"])

  /// Entry 1 white, 2 red, 3 black; a colour is in one depth only (7.2.4).
  package static func clut(_ id: Int = 0, depths: PixelDepths = [.two])
    -> CLUTDefinitionSegment
  {
    CLUTDefinitionSegment(
      id: id,
      entries: [
        .init(id: 1, depths: depths, luma: 235, cr: 128, cb: 128, transparency: 0),
        .init(id: 2, depths: depths, luma: 81, cr: 240, cb: 90, transparency: 0),
        .init(id: 3, depths: depths, luma: 16, cr: 128, cb: 128, transparency: 0),
      ])
  }

  package static func object(
    _ id: Int, _ bitmap: IndexedBitmap, _ depth: PixelDepth = .two,
    _ end: DVBPixelWriter.EndOfString = .twoBytes
  ) -> ObjectDataSegment {
    let fields = DVBPixelWriter.fields(bitmap, depth: depth, endOfString: end)
    return ObjectDataSegment(id: id, content: .pixels(top: fields.top, bottom: fields.bottom))
  }

  /// A set that shows the pattern of 4x2 at column 2, row 1, in a region of its size.
  package static func whole(
    _ seconds: Double, x: Int = 2, y: Int = 1, state: PageCompositionSegment.State = .modeChange,
    timeOut: Int = 15
  ) -> DVBDisplaySet {
    DVBDisplaySet(
      pts: Int64(seconds * 90_000), display: display,
      page: PageCompositionSegment(
        timeOut: timeOut, state: state, regions: [.init(id: 0, x: x, y: y)]),
      regions: [
        RegionCompositionSegment(
          id: 0, width: 4, height: 2, depth: .two, clutID: 0, objects: [.init(id: 7, x: 0, y: 0)])
      ], cluts: [clut()], objects: [object(7, pattern)])
  }

  package static func clear(_ seconds: Double) -> DVBDisplaySet {
    DVBDisplaySet(
      pts: Int64(seconds * 90_000), display: display,
      page: PageCompositionSegment(timeOut: 15, state: .normal, regions: []))
  }

  private static func with(
    _ set: DVBDisplaySet, _ change: (inout DVBDisplaySet) -> Void
  ) -> DVBDisplaySet {
    var copy = set
    change(&copy)
    return copy
  }

  /// A set whose segments have a version, as they must when they change (7.2.2 to 7.2.5).
  private static func numbered(_ set: DVBDisplaySet, _ version: Int) -> DVBDisplaySet {
    with(set) { set in
      set.page.version = version
      for index in set.regions.indices { set.regions[index].version = version }
      for index in set.cluts.indices { set.cluts[index].version = version }
      for index in set.objects.indices { set.objects[index].version = version }
    }
  }

  private static func trait(
    _ name: String, _ sets: [DVBDisplaySet], _ looks: [(Double, [String])],
    codes: Set<String> = [], cues: Int = 1, page: Int? = 1, ancillary: Int? = nil,
    isNumbered: Bool = true
  ) throws -> StreamTrait {
    let packets = try sets.enumerated().map { place, set in
      let set = isNumbered ? numbered(set, place & 15) : set
      // Both forms by turns.
      return TrackPacket(
        time: Timestamp(ticks: set.pts, numerator: 1, denominator: 90_000),
        bytes: place % 2 == 0 ? try set.packetBytes() : try set.dataField())
    }
    return StreamTrait(name, .dvb, packets, looks, codes: codes, cues: cues) {
      var options = DVBDecoder.Options()
      options.compositionPageID = page
      options.ancillaryPageID = ancillary
      return DVBDecoder(options: options)
    }.with {
      if let page { $0.pages = (page, ancillary ?? page) }
      // The default colours are given as RGB.
      if codes.contains("dvb.clut-default") {
        $0.legend["R"] = PaletteColor(red: 255, green: 0, blue: 0, alpha: 255)
      }
    }
  }

  package static var all: [StreamTrait] {
    get throws { try pages() + regions() + colors() + strings() + displays() }
  }

  private static func pages() throws -> [StreamTrait] {
    let normal = with(clear(3)) { $0.page.regions = [.init(id: 0, x: 8, y: 4)] }
    let changed = with(normal) { $0.page.state = .modeChange }
    let unended = [with(whole(1)) { $0.hasEnd = false }, with(clear(3)) { $0.hasEnd = false }]
    let foreign = with(whole(2, x: 8)) { $0.pageID = 9 }
    let shared = with(whole(1)) {
      $0.objects = []
      $0.cluts = []
      $0.hasEnd = false
    }
    let ancillary = with(whole(1)) {
      $0.pageID = 9
      $0.regions = []
      $0.display = nil
    }
    return [
      try trait(
        "a page and its clear", [whole(1), clear(3)],
        [(0.9, gone), (1, drawn), (2.9, drawn), (3, gone)]),
      try trait(
        "the time-out ends a page", [whole(1, timeOut: 2)], [(2.9, drawn), (3, gone)]),
      try trait(
        "the next page comes before the time-out", [whole(1, timeOut: 9), whole(3, x: 8)],
        [(2.9, drawn), (3, ["", "........WWRR", ".........WKK"])], cues: 2),
      try trait(
        "the same page again goes on", [whole(1, timeOut: 3), whole(3, state: .acquisitionPoint)],
        [(1, drawn), (5, drawn), (17.9, drawn), (18, gone)], isNumbered: false),
      try trait(
        "a normal case moves a region", [whole(1), normal],
        [(2, drawn), (3, ["", "", "", "", "........WWRR", ".........WKK"])], cues: 2),
      try trait(
        "a mode change forgets the regions", [whole(1), changed], [(2, drawn), (3, gone)],
        codes: ["dvb.region-undefined"]),
      try trait(
        "sets without end segments", unended, [(1, drawn), (3, gone)], codes: ["dvb.end-missing"]),
      try trait(
        "another page on the same stream", [whole(1), foreign, clear(4)],
        [(2.5, drawn), (4, gone)], codes: ["dvb.page-foreign"]),
      try trait(
        "no page is named and the first is taken", [whole(1), foreign, clear(4)],
        [(2.5, drawn), (4, gone)], codes: ["dvb.page-foreign"], page: nil),
      try trait(
        "two services on the same stream, the first is taken", [whole(1), foreign, clear(4)],
        [(2.5, drawn), (4, gone)], codes: ["dvb.page-foreign"]
      ).with { $0.otherPages = (9, 9) },
      try trait(
        "the form of Matroska: no identifier, pages in the private data", [whole(1), clear(3)],
        [(0.9, gone), (1, drawn), (2.9, drawn), (3, gone)]
      ).with { trait in
        trait.storage = .matroska
        for place in trait.packets.indices where trait.packets[place].bytes.first == 0x20 {
          trait.packets[place].bytes = Array(trait.packets[place].bytes.dropFirst(2).dropLast())
        }
      },
      try sharedPage(shared, ancillary),
      try trait(
        "the clock of 33 bits wraps", [whole(1, timeOut: 5), clear(3), whole(4, x: 8, timeOut: 2)],
        [
          (1, drawn), (2.9, drawn), (3, gone), (4, ["", "........WWRR", ".........WKK"]), (6, gone),
        ],
        cues: 2, page: nil
      ).with { $0.storage = .shifted(ticks: 1 << 33 - 180_000) },
    ]
  }

  /// Objects and colours of the ancillary page come in the same display set.
  private static func sharedPage(
    _ own: DVBDisplaySet, _ ancillary: DVBDisplaySet
  ) throws -> StreamTrait {
    var trait = try trait("objects of the ancillary page", [own], [(1, drawn)], ancillary: 9)
    let kept = try ancillary.segments().filter { $0.type == 0x12 || $0.type == 0x13 }
    for segment in kept {
      trait.packets[0].bytes += [
        0x0F, segment.type, 0, 9, UInt8(segment.payload.count >> 8),
        UInt8(segment.payload.count & 255),
      ]
      trait.packets[0].bytes += segment.payload
    }
    return trait
  }

  private static func regions() throws -> [StreamTrait] {
    func region(
      _ id: Int, _ width: Int, _ height: Int, clut: Int = 0, fill: UInt8 = 0,
      _ objects: [(Int, Int, Int)]
    ) -> RegionCompositionSegment {
      var region = RegionCompositionSegment(
        id: id, width: width, height: height, depth: .two, clutID: clut,
        objects: objects.map { .init(id: $0.0, x: $0.1, y: $0.2) })
      region.fill2 = fill
      return region
    }
    let filled = with(whole(1)) { $0.regions = [region(0, 6, 3, fill: 3, [(7, 1, 1)])] }
    let two = with(whole(1)) {
      $0.page.regions.append(.init(id: 1, x: 9, y: 5))
      $0.regions.append(region(1, 4, 2, [(7, 0, 0)]))
    }
    let one = with(clear(3)) { $0.page.regions = [.init(id: 1, x: 9, y: 5)] }
    let kept = with(whole(3, state: .normal)) {
      $0.regions[0].isFilled = false
      $0.regions[0].objects = [.init(id: 8, x: 2, y: 0)]
      $0.objects = [object(8, IndexedBitmap(["3"]))]
    }
    let twice = with(whole(1)) { $0.regions = [region(0, 8, 2, [(7, 0, 0), (7, 4, 0)])] }
    let over = with(whole(1)) { $0.regions = [region(0, 3, 2, [(7, 0, 0)])] }
    let edge = with(whole(1, x: 14)) { $0.display = display }
    var see = with(whole(1)) { $0.regions = [region(0, 4, 2, fill: 2, [(7, 0, 0)])] }
    see.objects[0].hasNonModifyingColor = true
    return [
      try trait(
        "a region is filled with its colour", [filled],
        // Index 0 of the object is drawn as well, and is transparent.
        [(1, ["", "..KKKKKK", "..KWWRRK", "..K.WKKK"])]),
      try trait(
        "two regions, then one", [two, one],
        [
          (1, drawn + ["", "", ".........WWRR", "..........WKK"]),
          (3, ["", "", "", "", "", ".........WWRR", "..........WKK"]),
        ], cues: 2),
      try trait(
        "a region keeps its pixels", [whole(1), kept],
        [(1, drawn), (3, ["", "..WWKR", "...WKK"])],
        cues: 2),
      try trait("an object twice in a region", [twice], [(1, ["", "..WWRRWWRR", "...WKK.WKK"])]),
      try trait(
        "an object over its region's edge", [over], [(1, ["", "..WWR", "...WK"])],
        codes: ["dvb.object-outside-region"]),
      try trait(
        "a region over the display's edge", [edge],
        [(1, ["", "..............WW", "...............W"])],
        codes: ["dvb.region-outside-display"]),
      try trait("a colour that modifies nothing", [see], [(1, ["", "..RRRR", "...RKK"])]),
    ]
  }

  private static func colors() throws -> [StreamTrait] {
    func plain(_ depth: PixelDepth, _ bitmap: IndexedBitmap, string: PixelDepth) -> DVBDisplaySet {
      with(whole(1)) {
        $0.regions[0].depth = depth
        $0.cluts = []
        $0.regions[0].width = bitmap.width
        $0.objects = [object(7, bitmap, string)]
      }
    }
    let reduced = with(whole(1)) {
      // 63 << 2 is a Y of 252, 8 << 4 a Cr and Cb of 128; 15 << 4 and 5 << 4 make a red.
      var white = CLUTDefinitionSegment.Entry(
        id: 1, depths: [.two], luma: 252, cr: 128, cb: 128, transparency: 0)
      var faint = white
      white.isFullRange = false
      faint.isFullRange = false
      faint.id = 2
      faint.transparency = 0x40
      $0.cluts[0].entries = [white, faint]
    }
    let recolored = with(clear(3)) {
      $0.page.regions = [.init(id: 0, x: 2, y: 1)]
      $0.cluts = [
        CLUTDefinitionSegment(
          id: 0,
          entries: [.init(id: 1, depths: [.two], luma: 16, cr: 128, cb: 128, transparency: 0)])
      ]
    }
    return [
      try trait(
        "default colours of 2 bits", [plain(.two, IndexedBitmap(["123"]), string: .two)],
        [(1, ["", "..WKN"])], codes: ["dvb.clut-default"]),
      try trait(
        "default colours of 4 bits", [plain(.four, IndexedBitmap(["1234567"]), string: .four)],
        [(1, ["", "..RGYBMCW"])], codes: ["dvb.clut-default"]),
      try trait(
        "default colours of 8 bits",
        [
          plain(
            .eight, IndexedBitmap(width: 4, height: 1, indices: [0x07, 0x11, 0x77, 0x19]),
            string: .eight)
        ], [(1, ["", "..wRWr"])], codes: ["dvb.clut-default"]
      ).with {
        $0.legend["w"] = PaletteColor(red: 255, green: 255, blue: 255, alpha: 63)
        $0.legend["r"] = PaletteColor(red: 255, green: 0, blue: 0, alpha: 127)
      },
      try trait(
        "2 bits by the map table of 4", [plain(.four, IndexedBitmap(["123"]), string: .two)],
        // 7 white, 8 black, 15 grey.
        [(1, ["", "..WKN"])], codes: ["dvb.clut-default"]),
      try trait(
        "2 bits by the map table of 8", [plain(.eight, IndexedBitmap(["1"]), string: .two)],
        [(1, ["", "..W"])], codes: ["dvb.clut-default"]),
      try trait(
        "4 bits by the map table of 8", [plain(.eight, IndexedBitmap(["17"]), string: .four)],
        // 0x11 red, 0x77 white.
        [(1, ["", "..RW"])], codes: ["dvb.clut-default"]),
      try trait(
        "codes of 8 bits in a region of 2",
        [plain(.two, IndexedBitmap(width: 2, height: 1, indices: [0x41, 0xFE]), string: .eight)],
        [(1, ["", "..WK"])], codes: ["dvb.pixel-depth", "dvb.clut-default"]),
      try trait(
        "colours of the reduced range", [reduced], [(1, ["", "..WWww", "...WNN"])]
      ).faint(191),
      try trait(
        "colours change alone", [whole(1), recolored],
        [(1, drawn), (3, ["", "..KKRR", "...KKK"])],
        cues: 2),
    ]
  }

  private static func strings() throws -> [StreamTrait] {
    func ended(_ end: DVBPixelWriter.EndOfString, _ depth: PixelDepth) -> DVBDisplaySet {
      with(whole(1)) {
        $0.regions[0].depth = .eight
        $0.cluts = [clut(depths: [.eight])]
        $0.objects = [object(7, IndexedBitmap(["1122", "2133"]), depth, end)]
      }
    }
    let full = ["", "..WWRR", "..RWKK"]
    var tall = ended(.twoBytes, .eight)
    tall.regions[0].height = 6
    tall.objects = [
      object(7, IndexedBitmap(["1122", "2133", "3333", "1212", "2222", "1313"]), .eight)
    ]
    var table = whole(1)
    table.regions[0].depth = .four
    table.cluts = [clut(depths: [.four])]
    // Map tables: code 1 becomes 2, 2 becomes 1, 3 stays.
    let strings = DVBPixelWriter.fields(pattern, depth: .two)
    table.objects = [
      ObjectDataSegment(
        id: 7,
        content: .pixels(
          top: [0x20, 0x02, 0x13] + strings.top, bottom: [0x20, 0x02, 0x13] + strings.bottom))
    ]
    var characters = whole(1)
    characters.objects.append(ObjectDataSegment(id: 8, content: .characters([65, 66])))
    characters.regions[0].objects.append(.init(id: 8, x: 0, y: 0))
    characters.regions[0].objects[1].type = 1
    characters.regions[0].objects[1].characterColors = [1, 0]
    var repeated = whole(1)
    repeated.objects = [
      ObjectDataSegment(
        id: 7,
        content: .pixels(
          top: DVBPixelWriter.string([1, 2, 3, 1], depth: .two) + [0xF0], bottom: []))
    ]
    var unknown = whole(1)
    unknown.objects = [
      ObjectDataSegment(
        id: 7,
        content: .pixels(
          top: DVBPixelWriter.string([1, 2, 3, 1], depth: .two) + [0xF0, 0x55, 1, 2],
          bottom: DVBPixelWriter.string([3, 3], depth: .two)))
    ]
    return [
      try trait("a string of 8 bits ends with two bytes", [ended(.twoBytes, .eight)], [(1, full)]),
      try trait(
        "a string of 8 bits on each of several rows", [tall],
        [(1, ["", "..WWRR", "..RWKK", "..KKKK", "..WRWR", "..RRRR", "..WKWK"])]),
      try trait(
        "a string of 8 bits ends with one byte", [ended(.oneByte, .eight)], [(1, full)],
        codes: ["dvb.end-of-string"]),
      try trait(
        "a string of 8 bits does not end", [ended(.none, .eight)], [(1, full)],
        codes: ["dvb.end-of-string"]),
      try trait("map tables of the object", [table], [(1, ["", "..RRWW", "...RKK"])]),
      try trait(
        "characters are named, not drawn", [characters], [(1, drawn)],
        codes: ["dvb.object-string"]),
      try trait(
        "an empty bottom field repeats the top", [repeated], [(1, ["", "..WRKW", "..WRKW"])]),
      try trait(
        "an unknown block ends the field", [unknown], [(1, ["", "..WRKW", "..KK"])],
        codes: ["dvb.pixel-data"]),
    ]
  }

  private static func displays() throws -> [StreamTrait] {
    let window = DisplayDefinitionSegment(
      canvas: Canvas(width: 16, height: 8), window: PixelRect(x: 4, y: 2, width: 5, height: 3))
    let windowed = with(whole(1)) { $0.display = window }
    let moved = with(whole(3)) {
      $0.display = DisplayDefinitionSegment(
        canvas: Canvas(width: 16, height: 8), window: PixelRect(x: 6, y: 2, width: 8, height: 5))
    }
    let bare = with(whole(1)) { $0.display = nil }
    let small = with(whole(3)) {
      $0.display = DisplayDefinitionSegment(version: 1, canvas: Canvas(width: 5, height: 8))
    }
    return [
      try trait(
        "a window moves and clips", [windowed], [(1, ["", "", "", "......WWR", ".......WK"])],
        codes: ["dvb.region-outside-display"]),
      try trait(
        "a window changes under the same version", [windowed, moved],
        [
          (1, ["", "", "", "......WWR", ".......WK"]),
          (3, ["", "", "", "........WWRR", ".........WKK"]),
        ], codes: ["dvb.display-version"], cues: 2),
      try trait(
        "no display definition is 720x576", [bare], [(1, drawn)]
      ).with { $0.size = Canvas(width: 720, height: 576) },
      try trait(
        "the display changes", [whole(1), small], [(1, drawn), (3, ["", "..WWR", "...WK"])],
        codes: ["dvb.display-definition"], cues: 2),
    ]
  }
}
