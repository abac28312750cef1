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
    ],
    "only pixels and colours tell that nothing is seen, or nothing new": [
      "pgs 15 entries of the epoch before are forgotten",
      "pgs 16b an object whose last part is missing",
      "xsub the next picture comes first",
    ],
    "it is the caller's choice what is drawn": [
      "pgs 04 a bare epoch continue is drawn from what is kept, if asked"
    ],
  ]

  /// Traits of which other objects are counted: an update's are those of the cue before, and that one
  /// was never defined is seen when it is drawn.
  private static let objectExceptions: Set<String> = [
    "pgs 03 one entry of a palette changes", "pgs 20 an undefined object is left out",
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

  /// Counts packets as those of a trait.
  static func count(_ trait: StreamTrait, _ packets: [TrackPacket]) throws -> CueCount {
    var counter = try #require(CueCounter(codec: trait.codec, privateData: privateData(trait)))
    for packet in packets {
      try counter.add(
        CountingPacket(time: packet.time, duration: packet.duration, bytes: packet.bytes))
    }
    return try counter.finish(fileEnd: StreamTrait.fileEnd)
  }

  @Test func `every trait has as many cues, at the same times, as are drawn`() throws {
    #expect(Self.traits.count > 100)
    let excepted = Self.exceptions.values.reduce(into: Set<String>()) { $0.formUnion($1) }
    for trait in Self.traits where !excepted.contains("\(trait.codec.rawValue) \(trait.name)") {
      var decoder = trait.make()
      let events = try decoder.events(of: trait.packets)
      let drawn = CueTimeline(events, codec: trait.codec, fileEnd: StreamTrait.fileEnd).cues()
      let count = try Self.count(trait, trait.packets)
      let label = "\(trait.codec.rawValue) \(trait.name)"
      #expect(count.cueCount == drawn.count, "\(label)")
      #expect(count.firstCue?.start == drawn.first?.cue.start, "\(label)")
      #expect(count.firstCue?.end == drawn.first?.cue.end, "\(label)")
      #expect(count.lastCue?.start == drawn.last?.cue.start, "\(label)")
      #expect(count.lastCue?.end == drawn.last?.cue.end, "\(label)")
      #expect(count.forcedCueCount == drawn.count { $0.cue.isForced }, "\(label)")
      let objects = drawn.reduce(0) { $0 + $1.cue.objects.count }
      if !Self.objectExceptions.contains(label) {
        #expect(count.survey.objectCount == objects, "\(label)")
      }
      let bins = count.survey.coverage?.cuesPerBin.reduce(0, +) ?? 0
      #expect(bins == count.cueCount, "\(label)")
    }
  }

  @Test func `every beginning of every packet gives a survey`() throws {
    for trait in Self.traits {
      for place in trait.packets.indices {
        var packets = trait.packets
        let bytes = packets[place].bytes
        for length in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 40)) {
          packets[place].bytes = Array(bytes.prefix(length))
          let coverage = try Self.count(trait, packets).survey.coverage
          if let share = coverage?.share { #expect((0...1).contains(share), "\(trait.id)") }
        }
      }
    }
  }
}
