// SPDX-License-Identifier: Apache-2.0
import SubtitleFormats
import SubtitleModel

/// A block of 4x2 at column 2, row 1, which most sets of these fixtures show.
private let white = ["", "..WWWW", "..WWWW"]
private let nothing: [String] = []

/// The traits of presentation graphics streams.
package enum PGSTraitList {
  package static var all: [StreamTrait] {
    get throws {
      try states() + fades() + places() + objects() + damage() + packets() + times()
    }
  }

  static func pgs(
    _ name: String, _ sets: [PGSSampleSet], _ looks: [(Double, [String])],
    codes: Set<String> = [], cues: Int, drawsFromKeptState: Bool = false
  ) throws -> StreamTrait {
    pgs(
      name, packets: try sets.map { try $0.packet() }, looks, codes: codes, cues: cues,
      drawsFromKeptState: drawsFromKeptState)
  }

  static func pgs(
    _ name: String, packets: [TrackPacket], _ looks: [(Double, [String])],
    codes: Set<String> = [], cues: Int, drawsFromKeptState: Bool = false
  ) -> StreamTrait {
    StreamTrait(name, .pgs, packets, looks, codes: codes, cues: cues) {
      var options = PGSDecoder.Options()
      options.drawsFromKeptState = drawsFromKeptState
      return PGSDecoder(options: options)
    }
  }

  private static func states() throws -> [StreamTrait] {
    let bare = PGSSampleSet(seconds: 3, state: .epochContinue, shown: [PGSSampleSet.at(2, 1)])
    let moved = PGSSampleSet(seconds: 3, state: .normal, shown: [PGSSampleSet.at(9, 5)])
    var again = PGSSampleSet.block(3, state: .acquisitionPoint)
    again.palettes = [PGSSampleSet.palette()]
    var incomplete = PGSSampleSet(
      seconds: 3, state: .acquisitionPoint, shown: [PGSSampleSet.at(9, 5)])
    incomplete.palettes = [PGSSampleSet.palette()]
    var undefinedPalette = PGSSampleSet.block(3)
    undefinedPalette.palettes = [PGSSampleSet.palette(id: 1)]
    var undefinedObject = PGSSampleSet.block(3)
    undefinedObject.shown = [PGSSampleSet.at(8, 4, object: 7), PGSSampleSet.at(2, 1)]
    var stale = PGSSampleSet.block(3, index: 2)
    stale.palettes = [
      PaletteDefinitionSegment(id: 0, version: 0, entries: [(1, PGSSampleSet.white)])
    ]
    var bare255 = PGSSampleSet.block(1)
    bare255.objects = [
      ObjectDefinition(
        id: 0,
        bitmap: IndexedBitmap(width: 4, height: 2, indices: [1, 255, 255, 1, 255, 2, 3, 255]))
    ]
    return [
      try pgs(
        "01 an epoch start and a clear", [.block(1), .clear(3)],
        [(0.9, nothing), (1, white), (2.99, white), (3, nothing)], cues: 1),
      try pgs(
        "04 a bare epoch continue ends the cue before", [.block(1), bare, .clear(5)],
        [(2, white), (3, nothing)],
        codes: ["pgs.epoch-continue-bare", "pgs.palette-undefined"], cues: 1),
      try pgs(
        "04 a bare epoch continue is drawn from what is kept, if asked",
        [.block(1), bare, .clear(5)], [(2, white), (4, white), (5, nothing)],
        codes: ["pgs.epoch-continue-bare"], cues: 1, drawsFromKeptState: true
      ).unstored("it asks the decoder for what no file can ask for"),
      try pgs(
        "05 an object moves without being sent again", [.block(1), moved, .clear(5)],
        [(2, white), (3, ["", "", "", "", "", ".........WWWW", ".........WWWW"]), (5, nothing)],
        cues: 2),
      try pgs(
        "10 the last cue is never cleared", [.block(1)],
        [(1, white), (9.9, white), (19.9, white), (20, nothing)], cues: 1
      ).with { $0.isOpenEnded = true },
      try pgs(
        "15 entries of the epoch before are forgotten", [.block(1, index: 2), stale],
        [(2, ["", "..KKKK", "..KKKK"]), (3, nothing)], codes: ["pgs.palette-entry-undefined"],
        cues: 1),
      try pgs(
        "15b a colour that was never defined is transparent", [bare255, .clear(3)],
        [(1, ["", "..W..W", "...KR"]), (3, nothing)],
        codes: ["pgs.palette-entry-undefined"], cues: 1),
      try pgs(
        "19 an undefined palette ends the cue before", [.block(1), undefinedPalette],
        [(2, white), (3, nothing)], codes: ["pgs.palette-undefined"], cues: 1),
      try pgs(
        "20 an undefined object is left out", [.block(1, y: 4), undefinedObject],
        [(2, ["", "", "", "", "..WWWW", "..WWWW"]), (3, white)],
        codes: ["pgs.object-undefined"], cues: 2),
      try pgs(
        "21 an acquisition point within a cue changes nothing", [.block(1), again, .clear(5)],
        [(2, white), (3, white), (4.9, white), (5, nothing)], cues: 1),
      try pgs(
        "21b an acquisition point that lacks its object", [.block(1), incomplete, .clear(5)],
        [(2, white), (3, ["", "", "", "", "", ".........WWWW", ".........WWWW"]), (5, nothing)],
        cues: 2),
      try pgs(
        "an empty composition first is no cue",
        [PGSSampleSet(seconds: 0, state: .epochStart), .block(1), .clear(2)],
        [(0, nothing), (1, white), (2, nothing)], codes: ["pgs.epoch-empty"], cues: 1),
      try pgs(
        "a clear lies between epoch start and the time asked for", [.block(1), .clear(2)],
        [(3, nothing)], cues: 1),
      try pgs(
        "chained sets without clears", [.block(1), .block(2, x: 6), .block(3)],
        [(1, white), (2, ["", "......WWWW", "......WWWW"]), (3, white)], cues: 3),
    ]
  }

  private static func fades() throws -> [StreamTrait] {
    func update(_ seconds: Double, _ entries: [(UInt8, PaletteEntry)]) -> PGSSampleSet {
      PGSSampleSet(
        seconds: seconds, state: .normal, isUpdate: true, shown: [PGSSampleSet.at(2, 1)],
        windows: [],
        palettes: [PaletteDefinitionSegment(id: 0, version: 1, entries: entries)])
    }
    var faint = PGSSampleSet.white
    faint.alpha = 100
    var none = PGSSampleSet.white
    none.alpha = 0
    var hidden = PGSSampleSet.block(1)
    hidden.palettes = [PaletteDefinitionSegment(id: 0, version: 0, entries: [(1, none)])]
    var two = PGSSampleSet.block(1)
    two.objects = [ObjectDefinition(id: 0, bitmap: IndexedBitmap(["1122", "1122"]))]
    var empty = update(2, [])
    empty.isUpdate = false
    return [
      try pgs(
        "02 a fade changes the palette alone",
        [
          .block(1), update(2, [(1, faint)]), update(3, [(1, none)]),
        ], [(1, white), (2, ["", "..wwww", "..wwww"]), (3, nothing)], cues: 1
      ).faint(100),
      try pgs(
        "02b a fade-in begins when it is first visible",
        [hidden, update(2, [(1, faint)]), update(3, [(1, PGSSampleSet.white)]), .clear(4)],
        [(1, nothing), (2, ["", "..wwww", "..wwww"]), (3, white), (4, nothing)], cues: 1
      ).faint(100),
      try pgs(
        "03 one entry of a palette changes", [two, update(2, [(2, PGSSampleSet.red)])],
        [(1, ["", "..WWKK", "..WWKK"]), (2, ["", "..WWRR", "..WWRR"])], cues: 2),
      try pgs(
        "18 a palette without entries changes nothing", [.block(1), empty, .clear(3)],
        [(1, white), (2, white), (3, nothing)], codes: ["pgs.palette-empty"], cues: 1),
    ]
  }

  private static func places() throws -> [StreamTrait] {
    func shown(
      _ object: CompositionObject, _ rows: [String], windows: [Window] = [PGSSampleSet.everything]
    ) -> PGSSampleSet {
      PGSSampleSet(
        seconds: 1, shown: [object], windows: windows, palettes: [PGSSampleSet.palette()],
        objects: [ObjectDefinition(id: 0, bitmap: IndexedBitmap(rows))])
    }
    let pattern = ["1122", "3311"]
    let narrow = Window(id: 0, rect: PixelRect(x: 3, y: 1, width: 2, height: 1))
    return [
      try pgs(
        "06 the left half of an object",
        [shown(PGSSampleSet.at(2, 1, crop: PixelRect(x: 0, y: 0, width: 2, height: 2)), pattern)],
        [(1, ["", "..WW", "..RR"])], cues: 1),
      try pgs(
        "06b a crop with an offset lands at the object's place",
        [shown(PGSSampleSet.at(2, 1, crop: PixelRect(x: 1, y: 1, width: 3, height: 1)), pattern)],
        [(1, ["", "..RWW"])], cues: 1),
      try pgs(
        "a crop that leaves the object shows what there is",
        [shown(PGSSampleSet.at(2, 1, crop: PixelRect(x: 3, y: 0, width: 9, height: 9)), pattern)],
        [(1, ["", "..K", "..W"])], codes: ["pgs.crop-outside"], cues: 1),
      try pgs(
        "11 an object over the right edge is clipped", [shown(PGSSampleSet.at(14, 1), pattern)],
        [(1, ["", "..............WW", "..............RR"])], codes: ["pgs.object-outside-canvas"],
        cues: 1),
      try pgs(
        "12 an object wider than its window is clipped to it",
        [shown(PGSSampleSet.at(2, 1), pattern, windows: [narrow])], [(1, ["", "...WK"])],
        codes: ["pgs.window-clips"], cues: 1),
      try pgs(
        "23 an object beyond the canvas is not seen, and ends the cue before",
        [.block(0), shown(PGSSampleSet.at(40, 1), pattern)], [(0, white), (1, nothing)],
        codes: ["pgs.object-outside-canvas"], cues: 1),
      try pgs(
        "an object in a window that is not defined is not clipped",
        [shown(PGSSampleSet.at(2, 1, window: 5), pattern)], [(1, ["", "..WWKK", "..RRWW"])],
        codes: ["pgs.window-undefined"], cues: 1),
    ]
  }

  private static func objects() throws -> [StreamTrait] {
    let left = Window(id: 0, rect: PixelRect(x: 0, y: 0, width: 8, height: 8))
    let right = Window(id: 1, rect: PixelRect(x: 8, y: 0, width: 8, height: 8))
    let pair = PGSSampleSet(
      seconds: 1,
      shown: [PGSSampleSet.at(1, 0), PGSSampleSet.at(9, 3, object: 1, window: 1, forced: true)],
      windows: [left, right], palettes: [PGSSampleSet.palette()],
      objects: [
        ObjectDefinition(id: 0, bitmap: IndexedBitmap(2, 1, 1)),
        ObjectDefinition(id: 1, bitmap: IndexedBitmap(3, 1, 3)),
      ])
    let one = PGSSampleSet(
      seconds: 2, state: .normal, shown: [PGSSampleSet.at(9, 3, object: 1, window: 1)],
      windows: [left, right])
    let resent = PGSSampleSet(
      seconds: 2, state: .normal, shown: [PGSSampleSet.at(1, 0)],
      objects: [ObjectDefinition(id: 0, version: 1, bitmap: IndexedBitmap(3, 1, 2))])
    var three = pair
    three.windows = [PGSSampleSet.everything]
    three.shown = [PGSSampleSet.at(0, 0), PGSSampleSet.at(4, 2), PGSSampleSet.at(8, 4, object: 1)]
    let over = PGSSampleSet(
      seconds: 1, shown: [PGSSampleSet.at(2, 1), PGSSampleSet.at(4, 1, object: 1)],
      palettes: [PGSSampleSet.palette()],
      objects: [
        ObjectDefinition(id: 0, bitmap: IndexedBitmap(4, 1, 1)),
        ObjectDefinition(id: 1, bitmap: IndexedBitmap([".3.3"])),
      ])
    var apart = pair
    apart.windows = [left, Window(id: 1, rect: PixelRect(x: 7, y: 0, width: 9, height: 8))]
    return [
      try pgs(
        "07 two objects in two windows", [pair], [(1, [".WW", "", "", ".........RRR"])], cues: 1),
      try pgs(
        "08 one of two objects goes", [pair, one],
        [(1, [".WW", "", "", ".........RRR"]), (2, ["", "", "", ".........RRR"])], cues: 2),
      try pgs(
        "14 an object is sent again with other pixels", [pair, resent],
        [(1, [".WW", "", "", ".........RRR"]), (2, [".KKK"])], cues: 2),
      try pgs(
        "17 three objects", [three], [(1, ["WW", "", "....WW", "", "........RRR"])],
        codes: ["pgs.object-count"], cues: 1),
      try pgs(
        "22 what is under a transparent pixel shows", [over], [(1, ["", "..WWWR.R"])], cues: 1),
      try pgs(
        "windows that overlap", [apart], [(1, [".WW", "", "", ".........RRR"])],
        codes: ["pgs.windows-overlap"], cues: 1),
    ]
  }

  private static func damage() throws -> [StreamTrait] {
    /// A set whose object has exactly these run-length codes.
    func coded(_ width: Int, _ height: Int, _ data: [UInt8]) throws -> TrackPacket {
      let set = PGSSampleSet(
        seconds: 1, shown: [PGSSampleSet.at(2, 1)], palettes: [PGSSampleSet.palette()])
      var segments = try set.segments()
      segments.insert(
        try ObjectDefinitionSegment(
          id: 0, version: 0, head: .init(dataLength: data.count + 4, width: width, height: height),
          isLast: true, data: data
        ).segment(), at: segments.count - 1)
      return set.packet(segments)
    }
    func withoutEnd(_ set: PGSSampleSet) throws -> TrackPacket {
      try set.packet(set.segments().dropLast())
    }
    /// A set without its end, each segment in a packet of its own, the first with the time.
    func scattered(_ set: PGSSampleSet) throws -> [TrackPacket] {
      try set.segments().dropLast().enumerated().map { index, segment in
        TrackPacket(time: index == 0 ? set.time : nil, bytes: set.bytes([segment]))
      }
    }
    return [
      pgs(
        "09 the end segment is missing",
        packets: [
          try withoutEnd(.block(1)), try withoutEnd(.clear(2)), try withoutEnd(.block(3, x: 6)),
        ], [(1, white), (2, nothing), (3, ["", "......WWWW", "......WWWW"])],
        codes: ["pgs.end-missing"], cues: 2),
      pgs(
        "09b the end segment is missing, and the set is in several packets",
        packets: try scattered(.block(1)) + scattered(.clear(3)) + scattered(.block(4, x: 6)),
        [
          (1, white), (2.9, white), (3, nothing), (4, ["", "......WWWW", "......WWWW"]),
        ], codes: ["pgs.end-missing"], cues: 2
      ).with { $0.storage = .transportStream },
      pgs(
        "13 a row too short is filled, the next row is in its place",
        packets: [try coded(4, 3, [1, 1, 0, 0, 0, 0x84, 2, 0, 0, 3, 0, 0x83, 1, 0, 0])],
        [(1, ["", "..WW", "..KKKK", "..RWWW"])],
        codes: ["pgs.object-rows"], cues: 1),
      pgs(
        "13b a row too long is cut",
        packets: [try coded(3, 2, [1, 0, 0x8A, 2, 3, 0, 0, 3, 3, 3, 0, 0])],
        [(1, ["", "..WKK", "..RRR"])], codes: ["pgs.object-rows"], cues: 1),
      pgs(
        "13c the last rows are missing", packets: [try coded(3, 3, [1, 2, 3, 0, 0])],
        [(1, ["", "..WKR"])], codes: ["pgs.object-rows"], cues: 1),
    ]
  }

  private static func packets() throws -> [StreamTrait] {
    let set = PGSSampleSet.block(1)
    let segments = try set.segments()
    let split = segments.enumerated().map { index, segment in
      TrackPacket(time: index == 0 ? set.time : nil, bytes: set.bytes([segment]))
    }
    let late = segments.enumerated().map { index, segment in
      TrackPacket(time: index == 1 ? set.time : nil, bytes: set.bytes([segment]))
    }
    func blocks(_ set: PGSSampleSet) throws -> [TrackPacket] {
      try set.segments().map { segment in
        TrackPacket(time: set.time, duration: .zero, bytes: set.bytes([segment]))
      }
    }
    // The object of 4x2 in three parts: codes 0 0x84 1, end, 0 0x84 1, end.
    let code: [UInt8] = [0, 0x84, 1, 0, 0, 0, 0x84, 1, 0, 0]
    let parts = [
      ObjectDefinitionSegment(
        id: 0, version: 0, head: .init(dataLength: 14, width: 4, height: 2), isLast: false,
        data: Array(code[..<3])),
      ObjectDefinitionSegment(
        id: 0, version: 0, head: nil, isLast: false, data: Array(code[3..<4])),
      ObjectDefinitionSegment(
        id: 0, version: 0, head: nil, isLast: true, data: Array(code[4...])),
    ]
    var many = segments
    many.remove(at: 3)
    many.insert(contentsOf: try parts.map { try $0.segment() }, at: 3)
    var cut = many
    cut.remove(at: 5)
    var durations = [try PGSSampleSet.block(1).packet(), try PGSSampleSet.block(4, x: 6).packet()]
    durations[0].duration = Timestamp(milliseconds: 2000)
    durations[1].duration = Timestamp(milliseconds: 1000)
    return [
      pgs(
        "16 an object in several parts", packets: [set.packet(many)], [(1, white)], cues: 1),
      pgs(
        "16b an object whose last part is missing",
        packets: [set.packet(cut), try PGSSampleSet.block(2, x: 6).packet()],
        [(1, nothing), (2, ["", "......WWWW", "......WWWW"])],
        codes: ["pgs.object-incomplete", "pgs.object-undefined"], cues: 1),
      pgs(
        "a set in several packets has the time of its composition",
        packets: split + [try PGSSampleSet.clear(3).packet()], [(1, white), (3, nothing)], cues: 1
      ).with { $0.storage = .transportStream },
      pgs(
        "a set whose first packet has no time",
        packets: late + [try PGSSampleSet.clear(3).packet()],
        [(1, white), (3, nothing)], cues: 1
      ).with { $0.storage = .transportStream },
      pgs(
        "the container's durations count where no clear follows", packets: durations,
        [
          (1, white), (2.9, white), (3, nothing), (4, ["", "......WWWW", "......WWWW"]),
          (5, nothing),
        ],
        cues: 2
      ).with { $0.storage = .matroska },
      pgs(
        "a clear goes before the container's duration",
        packets: [durations[0], try PGSSampleSet.clear(5).packet()], [(4, white), (5, nothing)],
        cues: 1
      ).with { $0.storage = .matroska },
      pgs(
        "each segment is a block of its own, with duration 0",
        packets: try blocks(.block(1)) + blocks(.clear(3)),
        [(1, white), (2.9, white), (3, nothing)],
        cues: 1
      ).with { $0.storage = .matroska },
      try pgs(
        "24 the clock of 32 bits wraps", [.block(1), .clear(3), .block(4, x: 6), .clear(5)],
        [(1, white), (2.9, white), (3, nothing), (4, ["", "......WWWW", "......WWWW"])], cues: 2
      ).with {
        // The first set is 1 s before the wrap.
        $0.storage = .shifted(ticks: 1 << 32 - 180_000)
        $0.fileCodes = ["pgs.time-wrap"]
      },
    ]
  }
}
