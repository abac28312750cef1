// SPDX-License-Identifier: Apache-2.0
import SubtitleFormats
import SubtitleModel
import Testing
import TraitSuite

/// The count of headers beside the cues that the decoder draws.
@Suite struct CountingTraitTests {
  /// Traits of which headers alone tell another number, each with it and the reason.
  static let exceptions: [String: Int] = [
    // Which of its colours a picture uses only its pixels say.
    "pgs-02-a-fade-changes-the-palette-alone": 3,
    "pgs-15-entries-of-the-epoch-before-are-forgotten": 2,
    // That an object's last part is missing is seen when it is put together.
    "pgs-16b-an-object-whose-last-part-is-missing": 2,
    // That two pictures are the same is seen when they are drawn.
    "xsub-the-next-picture-comes-first": 2,
    // The steps of a unit are one cue here.
    "vobsub-v03-a-fade-in-from-nothing": 1,
    "vobsub-v04-colours-of-a-later-sequence": 1,
  ]

  /// The private data that a container of the trait would have.
  static func privateData(_ trait: StreamTrait) -> [UInt8] {
    if let index = trait.index { return Array(index.text.utf8) }
    return [trait.pages, trait.otherPages].flatMap { pages -> [UInt8] in
      guard let pages else { return [] }
      return [pages.composition, pages.ancillary].flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
        + [0x10]
    }
  }

  static func count(_ trait: StreamTrait, _ packets: [TrackPacket]) throws -> CueCount {
    var counter = try #require(CueCounter(codec: trait.codec, privateData: privateData(trait)))
    for packet in packets {
      try counter.add(
        CountingPacket(time: packet.time, duration: packet.duration, bytes: packet.bytes))
    }
    return try counter.finish(fileEnd: StreamTrait.fileEnd)
  }

  @Test(arguments: try TraitSuite.all())
  func `headers tell as many cues as there are pictures`(trait: StreamTrait) throws {
    var decoder = trait.make()
    let events = try decoder.events(of: trait.packets)
    let cues = CueTimeline(events, codec: trait.codec, fileEnd: StreamTrait.fileEnd).cues()
    let drawn = cues.reduce(0) { $0 + $1.steps.count }
    let count = try Self.count(trait, trait.packets)
    #expect(count.cueCount == Self.exceptions[trait.id] ?? drawn)
    #expect(count.survey.coverage?.cuesPerBin.reduce(0, +) ?? 0 == count.cueCount)
    if Self.exceptions[trait.id] == nil {
      #expect(count.survey.objectCount <= drawn * 4)
      #expect(
        count.forcedCueCount == cues.reduce(0) { $0 + ($1.cue.isForced ? $1.steps.count : 0) })
    }
  }

  @Test(arguments: try TraitSuite.all())
  func `every beginning of a packet gives a survey`(trait: StreamTrait) throws {
    for place in trait.packets.indices {
      var packets = trait.packets
      let bytes = packets[place].bytes
      for length in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 40)) {
        packets[place].bytes = Array(bytes.prefix(length))
        let count = try Self.count(trait, packets)
        #expect(count.survey.objectCount >= 0)
        if let share = count.survey.coverage?.share { #expect((0...1).contains(share)) }
      }
    }
  }
}
