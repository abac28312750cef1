// SPDX-License-Identifier: Apache-2.0
import SubtitleFormats
import SubtitleModel
import Testing

/// The count of packets with times in milliseconds, in a film of a minute and a half.
private func count(
  _ codec: SubtitleCodec, _ packets: [(Int64, [UInt8])], privateData: [UInt8] = [],
  place: PrivateDataPlace = .container, tag: String? = nil, languages: String? = nil
) throws -> CueCount {
  let made = CueCounter(
    codec: codec, privateData: privateData, place: place, codecTag: tag, languages: languages)
  var counter = try #require(made)
  for (time, bytes) in packets {
    try counter.add(
      CountingPacket(time: Timestamp(milliseconds: time), duration: nil, bytes: bytes))
  }
  let end = Timestamp(milliseconds: 90_000)
  return try counter.finish(fileEnd: end, filmLength: end)
}

@Suite struct PGSSurveyTests {
  typealias PGS = PGSCountingTests

  /// A picture of some flags with a palette of greys, each visible.
  static func picture(_ lumas: [UInt8], flags: [UInt8] = [0], canvas: [UInt8]? = nil) -> [UInt8] {
    var colors: [UInt8] = []
    for (index, luma) in lumas.enumerated() { colors += [UInt8(index + 1), luma, 128, 128, 255] }
    var composition = PGS.composition(flags: flags)
    if let canvas { composition.replaceSubrange(3..<7, with: canvas) }
    return composition + PGS.segment(0x14, [0, 0] + colors) + PGS.object + PGS.end
  }

  static func survey(_ count: CueCount) throws -> PGSPaletteSurvey {
    var survey: PGSPaletteSurvey?
    if case .pgs(let found) = count.survey.colors { survey = found }
    return try #require(survey)
  }

  @Test(arguments: [
    ([16, 235] as [UInt8], PGSPaletteSurvey.Kind.limited, false as Bool?),
    ([0, 255], .full, false),
    ([16, 143], .pq, true), ([20, 30], .unknown, nil),
  ])
  func `palettes are told apart with their evidence`(
    lumas: [UInt8], kind: PGSPaletteSurvey.Kind, hdr: Bool?
  ) throws {
    let survey = try Self.survey(
      try count(.pgs, [(0, Self.picture(lumas)), (1000, Self.picture(lumas, flags: [0x40]))]))
    #expect(survey.kind == kind)
    #expect(survey.looksHDR == hdr)
    #expect(survey.colorCount == 4)
    #expect(survey.darkest == lumas[0])
    #expect(survey.brightest == lumas[1])
    #expect(survey.brightestNeutral == lumas[1])
  }

  @Test func `objects are counted one by one, forced or not, but for steps of fades`() throws {
    let step =
      PGS.composition(state: 0, paletteOnly: true, flags: [0x40, 0])
      + PGS.segment(0x14, [0, 0, 1, 235, 128, 128, 50]) + PGS.end
    let count = try count(
      .pgs,
      [
        (0, Self.picture([235], flags: [0x40, 0])), (500, step), (1000, PGS.clear),
        (2000, Self.picture([235], flags: [0xC0])), (3000, Self.picture([235])),
      ])
    #expect(count.cueCount == 4)
    #expect(count.forcedCueCount == 3)
    #expect(count.survey.objectCount == 4)
    #expect(count.survey.forcedObjectCount == 2)
  }

  @Test func `every canvas is kept with its cues and its matrix`() throws {
    let small: [UInt8] = [0x02, 0xD0, 0x02, 0x40]
    let count = try count(
      .pgs,
      [
        (0, Self.picture([235])), (900, PGS.clear), (1000, Self.picture([235], canvas: small)),
        (2000, Self.picture([200])), (3000, PGS.clear),
      ])
    #expect(count.canvas == Canvas(width: 1920, height: 1080))
    #expect(
      count.survey.canvases == [
        TrackSurvey.CanvasUse(
          canvas: Canvas(width: 1920, height: 1080), cueCount: 2, matrix: .bt709),
        TrackSurvey.CanvasUse(canvas: Canvas(width: 720, height: 576), cueCount: 1, matrix: .bt601),
      ])
  }

  @Test func `canvases past the limit are only counted`() throws {
    let packets = (0..<40).map { number in
      // The palette differs, so that each is a picture of its own.
      (Int64(number * 1000), Self.picture([UInt8(number)], canvas: [4, UInt8(number), 2, 0]))
    }
    let count = try count(.pgs, packets)
    #expect(count.survey.canvases.count == TrackSurvey.canvasLimit)
    #expect(count.survey.unlistedCanvasCueCount == 8)
  }

  @Test func `objects beyond the canvas and palettes without colours show nothing`() throws {
    let beyond = Self.picture([235], canvas: [0, 100, 4, 0])
    let count = try count(.pgs, [(0, Self.picture([235])), (1000, beyond)])
    #expect(count.cueCount == 1)
    #expect(count.lastCue?.end.milliseconds == 1000)
    var faded = Self.picture([235])
    faded[faded.count - PGS.object.count - PGS.end.count - 1] = 0
    #expect(try SubtitleFormatsTests.count(.pgs, [(0, faded)]).cueCount == 0)
  }

  @Test func `palettes behind the first bytes are read, pixels are not`() throws {
    // Eight palettes of 255 colours, the last the brightest, then 60 000 bytes of an object.
    let palettes = (0..<8).flatMap { number -> [UInt8] in
      let luma: UInt8 = number == 7 ? 235 : 100
      return PGS.segment(
        0x14, [UInt8(number), 0] + (1...255).flatMap { [UInt8($0), luma, 128, 128, 255] })
    }
    let bytes =
      PGS.composition(flags: [0]) + palettes
      + PGS.segment(0x15, [UInt8](repeating: 1, count: 60_000)) + PGS.end
    var limits: [Int] = []
    var counter = try #require(CueCounter(codec: .pgs))
    try counter.add(
      CountingPacket(time: .zero, duration: nil, storedSize: bytes.count) { limit in
        limits.append(limit)
        return Array(bytes.prefix(limit))
      })
    let count = try counter.finish(fileEnd: nil)
    #expect(limits == [1536, 12 << 10])
    #expect(try Self.survey(count).brightest == 235)
    #expect(try Self.survey(count).colorCount == 8 * 255)
    #expect(count.cueCount == 1)
  }
}

@Suite struct OtherSurveyTests {
  static let palette = "palette: " + (0..<16).map { "0000\($0 + 10)" }.joined(separator: ", ")

  @Test(arguments: [
    ("", PrivateDataPlace.container, VobSubPaletteSource.guessed),
    ("size: 720x480", .indexFile, .guessed), (palette, .indexFile, .indexFile),
    (palette, .container, .codecPrivate), (palette, .movie, .movie),
    (
      palette + "\ncustom colors: ON, tridx: 1000, colors: 000000, ffffff, 808080, 404040",
      .indexFile, .customColors
    ),
    (
      palette + "\ncustom colors: OFF, tridx: 1000, colors: 000000, ffffff, 808080, 404040",
      .container, .codecPrivate
    ),
  ])
  func `the source of a disc's colours is named`(
    text: String, place: PrivateDataPlace, source: VobSubPaletteSource
  ) throws {
    let count = try count(
      .vobsub, [(0, VobSubCountingTests.subPicture(start: 0))], privateData: Array(text.utf8),
      place: place)
    #expect(count.survey.colors == .vobsub(source))
    #expect(count.survey.objectCount == 1)
    #expect(count.survey.forcedObjectCount == 1)
  }

  @Test func `the container's tag tells of alpha in XSUB`() throws {
    for (tag, alpha) in [("DXSA", true), ("dxsb", false), (nil, nil)] as [(String?, Bool?)] {
      let count = try count(.xsub, [], tag: tag)
      #expect(count.survey.colors == .xsub(hasAlpha: alpha))
      #expect(count.survey.forcedObjectCount == nil)
    }
  }
}

@Suite struct DVBSurveyTests {
  typealias DVB = DVBCountingTests

  /// A CLUT of one full-range colour and one of reduced range.
  static func clut(_ id: UInt8, page: UInt8 = 1) -> [UInt8] {
    [0x0F, 0x12, 0, page, 0, 12, id, 0x0F, 1, 0x41, 235, 128, 128, 0, 2, 0x40, 0xEA, 0x20]
  }

  @Test func `services and the pages seen are listed and compared`() throws {
    let count = try count(
      .dvb,
      [
        (0, DVB.page(version: 1, regions: 1, page: 2)),
        (1000, DVB.page(version: 2, regions: 0, page: 2)),
        (2000, DVB.page(version: 1, regions: 1, page: 7)), (3000, Self.clut(0, page: 3)),
      ],
      privateData: [0, 2, 0, 3, 0x12, 0, 4, 0, 4, 0x24, 1, 0, 1, 1, 0x99], languages: "ger,fra,eng")
    let pages = try #require(count.survey.pages)
    #expect(pages.countedPageID == 2)
    #expect(pages.services.map(\.language) == ["ger", "fra", "eng"])
    #expect(pages.services.map(\.compositionPageID) == [2, 4, 256])
    #expect(pages.services.map(\.ancillaryPageID) == [3, 4, 257])
    #expect(
      pages.services.map(\.typeName) == ["normal, 16:9", "hard of hearing, high definition", nil])
    #expect(pages.pages.map(\.id) == [2, 3, 7])
    #expect(pages.pages.map(\.compositionCount) == [2, 0, 1])
    #expect(pages.pages.map(\.segmentCount) == [5, 1, 3])
    #expect(count.cueCount == 1)
    #expect(
      count.notes == [
        "the container names 3 services; page 2 of the first is counted",
        "pages 4, 256 of the container's description composed nothing",
        "there are segments of page 7, not named by the container",
      ])
  }

  @Test func `without a descriptor the first page that composes is counted`() throws {
    let count = try count(
      .dvb,
      [
        (0, DVB.page(version: 1, regions: 1, page: 9)),
        (1000, DVB.page(version: 1, regions: 1, page: 1)),
      ])
    #expect(count.cueCount == 1)
    #expect(count.survey.pages?.countedPageID == 9)
    #expect(
      count.notes == ["the container names no page, and pages 1, 9 compose; page 9 is counted"])
  }

  @Test func `services are read up to the limit, and from data of any size`() {
    for size in 0...400 {
      let data = [UInt8](repeating: 0x10, count: size)
      let services = SubtitlingService.services(privateData: data, languages: ",,fre")
      let whole = size % 5 == 0 ? min(size / 5, SubtitlingService.limit) : 1
      #expect(services.count == (size < 4 ? 0 : whole), "\(size)")
      #expect(services.first?.type ?? 0 == (size % 5 == 0 && size > 0 ? 0x10 : 0), "\(size)")
    }
  }

  @Test func `CLUTs are defined, or taken from the standard`() throws {
    let packet =
      DVB.page(version: 1, regions: 1) + DVB.region(5, clut: 4) + Self.clut(1) + Self.clut(1)
    let count = try count(.dvb, [(0, packet)])
    guard case .dvb(let colors) = try #require(count.survey.colors) else { return }
    #expect(colors.defined.map(\.id) == [1])
    #expect(colors.defined.first?.definitionCount == 2)
    #expect(colors.defined.first?.fullRangeEntryCount == 2)
    #expect(colors.defined.first?.reducedRangeEntryCount == 2)
    #expect(colors.defaultIDs == [4])
    #expect(count.survey.canvases.map(\.matrix) == [.bt601])
  }

  @Test func `displays that change are all kept`() throws {
    let count = try count(
      .dvb,
      [
        (0, DVB.page(version: 1, regions: 1)),
        (6000, DVB.display + DVB.page(version: 2, regions: 2)),
        // A display that comes behind its page.
        (12_000, DVB.page(version: 3, regions: 1) + [0x0F, 0x14, 0, 1, 0, 5, 0, 2, 0xCF, 2, 0x3F]),
      ])
    #expect(count.survey.canvases.map(\.canvas.width) == [720, 1920])
    #expect(count.survey.canvases.map(\.cueCount) == [2, 1])
    #expect(count.survey.objectCount == 4)
  }

  @Test func `pages past the limit are only counted`() throws {
    let packets = (0..<100).map {
      (Int64($0) * 100, DVB.page(version: 1, regions: 0, page: UInt8($0)))
    }
    let pages = try #require(try count(.dvb, packets).survey.pages)
    #expect(pages.pages.count == DVBPageSurvey.pageLimit)
    #expect(pages.unlistedSegmentCount == 2 * 36)
  }
}

@Suite struct CueCoverageTests {
  static func coverage(_ cues: [(Double, Double)], film: Double?) -> CueCoverage? {
    CueCoverage(
      cues.map { (Timestamp(seconds: $0.0), Timestamp(seconds: $0.1)) },
      filmLength: film.map { Timestamp(seconds: $0) })
  }

  /// Cues of a second, each so many seconds after the last.
  static func run(from: Double, to: Double, step: Double) -> [(Double, Double)] {
    stride(from: from, to: to, by: step).map { ($0, $0 + 1) }
  }

  @Test func `the share and the parts are those of the film`() throws {
    let coverage = try #require(
      Self.coverage([(-1, 1), (4, 6), (9, 9.5), (19.99, 40)], film: 20))
    // 1 + 2 + 0.5 + 0.01 of 20.
    #expect(abs(coverage.share - 0.1755) < 1e-9)
    #expect(
      coverage.cuesPerBin == [1, 0, 0, 0, 1, 0, 0, 0, 0, 1] + [0, 0, 0, 0, 0, 0, 0, 0, 0, 1])
    #expect(coverage.isOfFilm)
    #expect(coverage.note == nil)
  }

  @Test func `without a film the last end is the length`() throws {
    let coverage = try #require(Self.coverage([(0, 1), (3, 4)], film: nil))
    #expect(coverage.length == Timestamp(seconds: 4))
    #expect(!coverage.isOfFilm)
    #expect(coverage.share == 0.5)
    #expect(Self.coverage([], film: nil) == nil)
    #expect(Self.coverage([], film: 60)?.share == 0)
  }

  @Test func `times at the ends of the range are counted`() throws {
    let ends: [(start: Timestamp, end: Timestamp)] = [
      (Timestamp(nanoseconds: .min), Timestamp(nanoseconds: .max)),
      (Timestamp(nanoseconds: .max), Timestamp(nanoseconds: .max)),
    ]
    for film in [nil, Timestamp(nanoseconds: 1), Timestamp(nanoseconds: .max)] {
      let coverage = try #require(CueCoverage(ends, filmLength: film))
      #expect(coverage.share == 1)
      #expect(coverage.cuesPerBin.first == 1)
      #expect(coverage.cuesPerBin.last == 1)
    }
  }

  @Test func `a track that stops early, begins late or has a hole is told of`() throws {
    let stops = Self.coverage(Self.run(from: 10, to: 500, step: 10), film: 1000)?.note
    #expect(
      stops == "no cue follows 00:08:11.000, the last 50 % of the film: the track may be cut off")
    let late = Self.coverage(Self.run(from: 500, to: 1000, step: 10), film: 1000)?.note
    #expect(late?.hasPrefix("no cue comes before 00:08:20.000, the first 50 %") == true)
    let hole =
      Self.run(from: 0, to: 300, step: 10) + Self.run(from: 800, to: 1000, step: 10)
    #expect(
      Self.coverage(hole, film: 1000)?.note
        == "no cue is shown between 00:04:51.000 and 00:13:20.000, 50 % of the film: a part may be "
        + "missing")
  }

  @Test func `tracks of signs and short ones are not called incomplete`() {
    // Five forced cues in the first half.
    #expect(Self.coverage(Self.run(from: 10, to: 60, step: 10), film: 1000)?.note == nil)
    // Twelve signs with long silences between.
    let signs = Self.run(from: 0, to: 500, step: 200) + Self.run(from: 510, to: 600, step: 10)
    #expect(Self.coverage(signs, film: 1000)?.note == nil)
    // The last cue ends at 70 %.
    #expect(Self.coverage(Self.run(from: 0, to: 700, step: 10), film: 1000)?.note == nil)
    // No film to measure by.
    #expect(Self.coverage(Self.run(from: 500, to: 1000, step: 10), film: nil)?.note == nil)
  }
}

@Suite struct ReachTests {
  /// A sub-picture of lines 1001 to 1055 across 1920 columns: codes of 12 bits each.
  static func low() -> [UInt8] {
    var bytes = VobSubCountingTests.subPicture()
    let area = [5, 0, 0, 7, 0, 0, 1] as [UInt8]
    for start in bytes.indices where bytes[start...].starts(with: area) {
      bytes.replaceSubrange(start + 1..<start + 7, with: [0x00, 0x07, 0x7F, 0x3E, 0x94, 0x1F])
    }
    return bytes
  }

  @Test func `the areas of sub-pictures tell how far they reach`() throws {
    let small = VobSubCountingTests.subPicture()
    #expect(try count(.vobsub, [(0, small)]).survey.reach == Canvas(width: 8, height: 2))
    #expect(
      try count(.vobsub, [(0, small), (5000, Self.low())]).survey.reach
        == Canvas(width: 1920, height: 1056))
    let moved = Array("org: 30, 40\nscale: 50%, 100%\n".utf8)
    #expect(
      try count(.vobsub, [(0, small)], privateData: moved).survey.reach
        == Canvas(width: 34, height: 42))
    #expect(try count(.vobsub, []).survey.reach == nil)
  }
}
