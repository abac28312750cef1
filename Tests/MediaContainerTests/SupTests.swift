// SPDX-License-Identifier: Apache-2.0
import MediaContainer
import SubtitleModel
import Testing

/// Decodes a .sup file in memory, which has one track.
func decodeSup(_ bytes: [UInt8]) throws -> DecodedTrack {
  let reader = try MediaReader(source: MemoryBytes(name: "made.sup", parts: [bytes]))
  return try #require(try reader.decodeTracks([0]).first)
}

/// Milliseconds on the timeline.
func ms(_ value: Int64) -> Timestamp { Timestamp(milliseconds: value) }

@Suite struct SupTests {
  let spot = PGSBytes.Placed(id: 0, x: 100, y: 600)

  @Test func `a late first cue keeps its time and the next event ends it`() throws {
    let track = try decodeSup(
      PGSBytes.sup(90_000, PGSBytes.clear(0))
        + PGSBytes.sup(100_000, PGSBytes.picture(1, [spot]))
        + PGSBytes.sup(102_000, PGSBytes.clear(2))
        + PGSBytes.sup(105_000, PGSBytes.picture(3, [spot]))
        + PGSBytes.sup(106_500, PGSBytes.picture(4, [spot], color: 2)))
    #expect(track.description.codec == .pgs)
    #expect(track.canvas == Canvas(width: 1280, height: 720))
    #expect(track.diagnostics == [])
    #expect(track.cues.map(\.index) == [0, 1, 2])
    #expect(track.cues.map(\.start) == [ms(100_000), ms(105_000), ms(106_500)])
    #expect(track.cues.map(\.end) == [ms(102_000), ms(106_500), ms(116_500)])
    #expect(track.cues.map(\.endCause) == [.clear, .nextCue, .endOfFile])
  }

  @Test func `pixels and palette are the stream's`() throws {
    let track = try decodeSup(PGSBytes.sup(1000, PGSBytes.picture(0, [spot])))
    let object = try #require(track.cues.first?.objects.first)
    #expect(object.rect == PixelRect(x: 100, y: 600, width: 4, height: 2))
    #expect(object.bitmap.indices == [1, 1, 1, 1, 1, 2, 3, 0])
    #expect(object.palette[0] == .transparent)
    #expect(object.palette[1] == PaletteColor(red: 255, green: 255, blue: 255, alpha: 255))
    #expect(object.palette[2] == PaletteColor(red: 0, green: 0, blue: 0, alpha: 255))
    #expect(object.palette[3] == PaletteColor(red: 128, green: 128, blue: 128, alpha: 128))
    #expect(object.palette[200] == .transparent)
  }

  @Test func `objects of one cue are forced each for itself`() throws {
    let sign = PGSBytes.Placed(id: 1, x: 10, y: 20, isForced: true)
    let track = try decodeSup(
      PGSBytes.sup(1000, PGSBytes.picture(0, [spot, sign])) + PGSBytes.sup(2000, PGSBytes.clear(1)))
    let cue = try #require(track.cues.first)
    #expect(track.cues.count == 1)
    #expect(cue.objects.map(\.isForced) == [false, true])
    #expect(cue.objects.map(\.x) == [100, 10])
    #expect(cue.isForced)
  }

  @Test func `a picture repeated without a gap is one cue`() throws {
    let track = try decodeSup(
      PGSBytes.sup(1000, PGSBytes.picture(0, [spot]))
        + PGSBytes.sup(2000, PGSBytes.picture(1, [spot]))
        + PGSBytes.sup(3000, PGSBytes.clear(2)) + PGSBytes.sup(3500, PGSBytes.clear(3))
        + PGSBytes.sup(4000, PGSBytes.picture(4, [spot]))
        + PGSBytes.sup(5000, PGSBytes.clear(5)))
    #expect(track.cues.map(\.start) == [ms(1000), ms(4000)])
    #expect(track.cues.map(\.end) == [ms(3000), ms(5000)])
  }

  @Test func `a composition of an object that does not exist clears and is told`() throws {
    let ghost = PGSBytes.composition(number: 1, isEpochStart: true, objects: [spot])
    let track = try decodeSup(
      PGSBytes.sup(1000, PGSBytes.picture(0, [spot]))
        + PGSBytes.sup(2000, [ghost, PGSBytes.palette, PGSBytes.end])
        + PGSBytes.sup(3000, PGSBytes.clear(2)))
    #expect(track.cues.map(\.end) == [ms(2000)])
    #expect(track.diagnostics.count == 1)
    #expect(track.diagnostics.first?.contains("00:00:02.000") == true)
  }

  @Test func `a summary counts what decoding gives`() throws {
    let sign = PGSBytes.Placed(id: 1, x: 10, y: 20, isForced: true)
    let bytes =
      PGSBytes.sup(1000, PGSBytes.picture(0, [spot]))
      + PGSBytes.sup(2000, PGSBytes.picture(1, [spot]))
      + PGSBytes.sup(3000, PGSBytes.picture(2, [spot], color: 2))
      + PGSBytes.sup(4000, PGSBytes.picture(3, [sign]))
      + PGSBytes.sup(5000, PGSBytes.clear(4))
    let reader = try MediaReader(source: MemoryBytes(name: "made.sup", parts: [bytes]))
    let summary = try #require(try reader.summarizeTracks([0]).first)
    #expect(summary == TrackSummary(try decodeSup(bytes)))
    #expect(summary.cueCount == 3)
    #expect(summary.forcedCueCount == 1)
    #expect(summary.first == TrackSummary.CueTimes(start: ms(1000), end: ms(3000)))
    #expect(
      summary.last == TrackSummary.CueTimes(start: ms(4000), end: ms(5000), isForced: true))
  }

  @Test func `a canvas of billions of pixels is refused`() throws {
    let huge = PGSBytes.composition(
      number: 0, isEpochStart: true, objects: [spot], width: 65535, height: 65535)
    var set = PGSBytes.picture(1, [spot])
    set[0] = huge
    let track = try decodeSup(
      PGSBytes.sup(1000, set) + PGSBytes.sup(2000, PGSBytes.picture(2, [spot])))
    #expect(track.cues.map(\.start) == [ms(2000)])
    #expect(track.diagnostics.isEmpty == false)
  }

  @Test func `an empty composition is no cue`() throws {
    let track = try decodeSup(
      PGSBytes.sup(0, PGSBytes.clear(0)) + PGSBytes.sup(1000, PGSBytes.clear(1)))
    #expect(track.cues == [])
    #expect(track.diagnostics == [])
    #expect(track.canvas == Canvas(width: 1280, height: 720))
  }

  @Test func `every prefix of a file gives cues or one clear error`() throws {
    let whole =
      PGSBytes.sup(1000, PGSBytes.picture(0, [spot])) + PGSBytes.sup(2000, PGSBytes.clear(1))
    for count in 1..<whole.count {
      do {
        let track = try decodeSup(Array(whole.prefix(count)))
        #expect(track.cues.count <= 1)
      } catch let error as MediaError {
        #expect(error.description.hasPrefix("made.sup: "))
      }
    }
  }

  @Test func `flipped bytes never trap`() throws {
    let whole =
      PGSBytes.sup(1000, PGSBytes.picture(0, [spot]))
      + PGSBytes.sup(2000, PGSBytes.picture(1, [spot], color: 3))
      + PGSBytes.sup(3000, PGSBytes.clear(2))
    var generator = SeededGenerator(seed: 20_261_201)
    for _ in 0..<1500 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        bytes[Int.random(in: bytes.indices, using: &generator)] = .random(
          in: 0...255, using: &generator)
      }
      do {
        let track = try decodeSup(bytes)
        for cue in track.cues { #expect(cue.end > cue.start && !cue.objects.isEmpty) }
      } catch is MediaError {
      }
    }
  }
}

/// A generator with a fixed start, so that a failure can be repeated (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }
}
