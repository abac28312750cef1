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
  var packets: [TrackPacket]
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
    _ name: String, packets: [TrackPacket], _ looks: [(Double, [String])],
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

extension PGSTrait {
  /// The trait as every format's are checked.
  var decoding: DecodingTrait {
    let options = options
    return DecodingTrait(
      name, .pgs, packets, looks.map { ($0.seconds, $0.rows) }, codes: codes, cues: cueCount
    ) { PGSDecoder(options: options) }
  }
}

@Suite struct PGSTraits {
  @Test(arguments: try PGSTrait.all)
  func `is drawn as the stream says`(trait: PGSTrait) throws { try trait.decoding.checkLinear() }

  @Test(arguments: try PGSTrait.all)
  func `is the same picture at every time by random access`(trait: PGSTrait) throws {
    try trait.decoding.checkRandomAccess()
  }

  @Test(arguments: try PGSTrait.all)
  func `survives damage anywhere`(trait: PGSTrait) { trait.decoding.torture() }
}
