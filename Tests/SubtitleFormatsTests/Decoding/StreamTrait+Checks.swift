// SPDX-License-Identifier: Apache-2.0
import SubtitleFormats
import SubtitleModel
import Testing
import TraitSuite

extension StreamTrait: CustomTestStringConvertible {
  /// The trait's name, in the lists of tests.
  public var testDescription: String { name }

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
