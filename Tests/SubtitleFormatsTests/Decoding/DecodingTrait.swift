// SPDX-License-Identifier: Apache-2.0
import SubtitleFormats
import SubtitleModel
import Testing

/// One trait of real streams with what is to be seen on a canvas of 16x8.
struct DecodingTrait: CustomTestStringConvertible, Sendable {
  /// What is visible at a time: rows from the top; `.` at the ends and empty rows below left out.
  struct Look: Sendable {
    var seconds: Double
    var rows: [String]
  }

  static let fileEnd = Timestamp(milliseconds: 20_000)

  var name: String
  var codec: SubtitleCodec
  var packets: [TrackPacket]
  var make: @Sendable () -> any SubtitleDecoder
  var looks: [Look]
  /// Codes of the findings expected, each at least once; no others of severity error.
  var codes: Set<String>
  var cueCount: Int
  var size = Canvas(width: 16, height: 8)

  var testDescription: String { name }

  init(
    _ name: String, _ codec: SubtitleCodec, _ packets: [TrackPacket],
    _ looks: [(Double, [String])], codes: Set<String> = [], cues: Int,
    _ make: @escaping @Sendable () -> any SubtitleDecoder
  ) {
    self.name = name
    self.codec = codec
    self.packets = packets
    self.looks = looks.map { Look(seconds: $0.0, rows: $0.1) }
    self.codes = codes
    cueCount = cues
    self.make = make
  }

  /// Decodes from the start and compares what is seen, counted and found.
  func checkLinear() throws {
    var decoder = make()
    let events = try decoder.events(of: packets)
    let timeline = CueTimeline(events, codec: codec, fileEnd: Self.fileEnd)
    for look in looks {
      let objects = timeline.objects(at: Timestamp(seconds: look.seconds))
      let seen = Screen.rows(objects, width: size.width, height: size.height)
      let expected = (0..<size.height).map { row in
        let text = row < look.rows.count ? look.rows[row] : ""
        return text + String(repeating: ".", count: size.width - text.count)
      }
      #expect(seen == expected, "at \(look.seconds) s")
    }
    #expect(timeline.cues().count == cueCount)
    let found = Set(decoder.log.counts.keys.map(\.code))
    #expect(found.isSuperset(of: codes), "\(found.sorted())")
    let errors = Set(decoder.log.counts.keys.filter { $0.severity == .error }.map(\.code))
    #expect(errors.isSubset(of: codes), "\(decoder.log.findings)")
  }

  /// Compares random access with linear decoding at every eighth of a second.
  func checkRandomAccess() throws {
    var decoder = make()
    let linear = CueTimeline(
      try decoder.events(of: packets), codec: codec, fileEnd: Self.fileEnd)
    let access = RandomAccess(
      packets: packets, codec: codec, decoder: make(), fileEnd: Self.fileEnd)
    for step in -4...170 {
      let time = Timestamp(milliseconds: Int64(step) * 125)
      #expect(try access.picture(at: time).objects == linear.objects(at: time), "at \(time)")
    }
  }

  /// Cuts and changes the packets in every way that may not trap.
  func torture() {
    Torture.prefixes(packets, make)
    Torture.mutations(packets, seed: 0xB1D5, rounds: 60, make)
  }
}
