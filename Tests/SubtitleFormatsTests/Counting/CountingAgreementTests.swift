// SPDX-License-Identifier: Apache-2.0
import SubtitleFormats
import SubtitleModel
import Testing
import TraitSuite

/// What is counted without pixels, against what is drawn.
@Suite struct CountingAgreement {
  static let traits: [StreamTrait] = (try? TraitSuite.all()) ?? []

  /// Traits of which the count may differ, by the reason.
  private static let exceptions: [String: Set<String>] = [
    "changes of a palette are counted as cues": [
      "pgs 02 a fade changes the palette alone",
      "pgs 02b a fade-in begins when it is first visible",
      "pgs 18 a palette without entries changes nothing",
    ],
    "only pixels and colours tell that nothing is seen, or nothing new": [
      "pgs 15 entries of the epoch before are forgotten",
      "pgs 16b an object whose last part is missing",
      "pgs 19 an undefined palette ends the cue before",
      "pgs 23 an object beyond the canvas is not seen, and ends the cue before",
      "dvb a mode change forgets the regions",
      "xsub the next picture comes first",
    ],
    "it is the caller's choice what is drawn": [
      "pgs 04 a bare epoch continue is drawn from what is kept, if asked",
      "dvb another page on the same stream",
      "dvb no page is named and the first is taken",
      "dvb two services on the same stream, the first is taken",
    ],
    "a set without a time of its own is not counted": [
      "pgs a set whose first packet has no time"
    ],
  ]

  @Test func `every trait has as many cues, at the same times, as are drawn`() throws {
    #expect(Self.traits.count > 100)
    let excepted = Self.exceptions.values.reduce(into: Set<String>()) { $0.formUnion($1) }
    for trait in Self.traits where !excepted.contains("\(trait.codec.rawValue) \(trait.name)") {
      var decoder = trait.make()
      let events = try decoder.events(of: trait.packets)
      let drawn = CueTimeline(events, codec: trait.codec, fileEnd: StreamTrait.fileEnd).cues()
      var counter = try #require(CueCounter(codec: trait.codec))
      for packet in trait.packets {
        try counter.add(
          CountingPacket(time: packet.time, duration: packet.duration, bytes: packet.bytes))
      }
      let count = try counter.finish(fileEnd: StreamTrait.fileEnd)
      let label = "\(trait.codec.rawValue) \(trait.name)"
      #expect(count.cueCount == drawn.count, "\(label)")
      #expect(count.firstCue?.start == drawn.first?.cue.start, "\(label)")
      #expect(count.firstCue?.end == drawn.first?.cue.end, "\(label)")
      #expect(count.lastCue?.start == drawn.last?.cue.start, "\(label)")
      #expect(count.lastCue?.end == drawn.last?.cue.end, "\(label)")
      #expect(count.forcedCueCount == drawn.count { $0.cue.isForced }, "\(label)")
    }
  }
}
