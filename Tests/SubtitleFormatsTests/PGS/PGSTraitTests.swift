// SPDX-License-Identifier: Apache-2.0
import SubtitleFormats
import SubtitleModel
import Testing

/// One trait of real streams with what is to be seen.
struct PGSTrait: CustomTestStringConvertible {
  /// What is visible at a time: rows from the top, `.` rows below left out.
  struct Look {
    var seconds: Double
    var rows: [String]
  }

  var name: String
  var packets: [SubtitlePacket]
  var looks: [Look]
  /// Codes of the findings expected, each at least once; no others of severity error.
  var codes: Set<String> = []
  var cueCount: Int
  var options = PGSDecoder.Options()

  var testDescription: String { name }

  init(
    _ name: String, _ sets: [TestSet], _ looks: [(Double, [String])], codes: Set<String> = [],
    cues: Int
  ) throws {
    self.init(name, packets: try sets.map { try $0.packet() }, looks, codes: codes, cues: cues)
  }

  init(
    _ name: String, packets: [SubtitlePacket], _ looks: [(Double, [String])],
    codes: Set<String> = [], cues: Int
  ) {
    self.name = name
    self.packets = packets
    self.looks = looks.map { Look(seconds: $0.0, rows: $0.1) }
    self.codes = codes
    cueCount = cues
  }

  func with(_ change: (inout PGSDecoder.Options) -> Void) -> PGSTrait {
    var copy = self
    change(&copy.options)
    return copy
  }
}

@Suite struct PGSTraits {
  static let fileEnd = Timestamp(milliseconds: 20_000)

  @Test(arguments: try PGSTrait.all)
  func `is drawn as the stream says`(trait: PGSTrait) throws {
    var decoder = PGSDecoder(options: trait.options)
    let events = try decoder.events(of: trait.packets)
    let timeline = CueTimeline(events, codec: .pgs, fileEnd: Self.fileEnd)
    for look in trait.looks {
      let seen = Screen.rows(
        timeline.objects(at: Timestamp(seconds: look.seconds)), width: 16, height: 8)
      let expected =
        look.rows.map { $0 + String(repeating: ".", count: 16 - $0.count) }
        + Array(repeating: String(repeating: ".", count: 16), count: 8 - look.rows.count)
      #expect(seen == expected, "at \(look.seconds) s")
    }
    #expect(timeline.cues().count == trait.cueCount)
    let found = Set(decoder.log.counts.keys.map(\.code))
    #expect(found.isSuperset(of: trait.codes), "\(found.sorted())")
    let errors = Set(decoder.log.counts.keys.filter { $0.severity == .error }.map(\.code))
    #expect(errors.isSubset(of: trait.codes), "\(decoder.log.findings)")
  }

  @Test(arguments: try PGSTrait.all)
  func `is the same picture at every time by random access`(trait: PGSTrait) throws {
    var decoder = PGSDecoder(options: trait.options)
    let linear = CueTimeline(
      try decoder.events(of: trait.packets), codec: .pgs, fileEnd: Self.fileEnd)
    let access = RandomAccess(
      packets: trait.packets, codec: .pgs, decoder: PGSDecoder(options: trait.options),
      fileEnd: Self.fileEnd)
    for step in -4...170 {
      let time = Timestamp(milliseconds: Int64(step) * 125)
      #expect(try access.picture(at: time).objects == linear.objects(at: time), "at \(time)")
    }
  }

  @Test(arguments: try PGSTrait.all)
  func `survives damage anywhere`(trait: PGSTrait) {
    let options = trait.options
    Torture.prefixes(trait.packets) { PGSDecoder(options: options) }
    Torture.mutations(trait.packets, seed: 0xB1D5, rounds: 60) { PGSDecoder(options: options) }
  }
}
