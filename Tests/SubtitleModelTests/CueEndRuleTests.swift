// SPDX-License-Identifier: Apache-2.0
import SubtitleModel
import Testing

private func s(_ seconds: Int64) -> Timestamp { Timestamp(milliseconds: seconds * 1000) }

/// Which end of a cue counts.
@Suite("The rule of a cue's end") struct CueEndRuleTests {
  /// A picture shown from 1 s, by what is stated of it, with the ends that are expected.
  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var stream: Int64?
    var isOpen = false
    var container: Int64?
    var next: CueEndRule.Change?
    /// Of DVD sub-pictures, XSUB, PGS and DVB as written, and as burned.
    var expected: [(Int64, CueEnd)]

    var testDescription: String { name }
  }

  private static let picture = CueEndRule.Change(time: s(6), isClear: false)
  private static let clear = CueEndRule.Change(time: s(6), isClear: true)

  static let cases: [Case] = [
    Case(
      name: "nothing states an end",
      expected: Array(repeating: (20, .endOfFile), count: 4)),
    Case(
      name: "the stream's alone", stream: 3,
      expected: Array(repeating: (3, .streamDuration), count: 4)),
    Case(
      name: "the container's alone", container: 3,
      expected: Array(repeating: (3, .containerDuration), count: 4)),
    Case(
      name: "the container's is shorter", stream: 4, container: 3,
      expected: [
        (3, .containerDuration), (4, .streamDuration), (4, .streamDuration), (4, .streamDuration),
      ]),
    Case(
      name: "the container's is longer", stream: 3, container: 4,
      expected: [
        (4, .containerDuration), (3, .streamDuration), (3, .streamDuration), (3, .streamDuration),
      ]),
    Case(
      name: "the stream's is open and the container states one", isOpen: true, container: 3,
      expected: [
        (3, .containerDuration), (3, .containerDuration), (3, .containerDuration),
        (20, .endOfFile),
      ]),
    Case(
      name: "a picture comes before all ends", stream: 8, container: 9, next: picture,
      expected: Array(repeating: (6, .nextCue), count: 4)),
    Case(
      name: "a clear comes behind the container's end", container: 3, next: clear,
      expected: [
        (3, .containerDuration), (3, .containerDuration), (6, .clear), (3, .containerDuration),
      ]),
    Case(
      name: "a clear comes at the stated end", stream: 6, container: 6, next: clear,
      expected: Array(repeating: (6, .clear), count: 4)),
    Case(
      name: "ends before the start say nothing", stream: 1, container: 0, next: picture,
      expected: Array(repeating: (6, .nextCue), count: 4)),
    Case(
      name: "the next is at once", stream: 3, next: CueEndRule.Change(time: s(1), isClear: false),
      expected: Array(repeating: (1, .nextCue), count: 4)),
  ]

  @Test("is one for each way of showing", arguments: cases) func table(_ one: Case) {
    let ends = StatedEnds(
      start: s(1), stream: one.stream.map(s), isOpen: one.isOpen, container: one.container.map(s))
    let rules: [CueEndRule] = [
      .written(.vobsub), .written(.xsub), .written(.pgs), .burned,
    ]
    for (rule, expected) in zip(rules, one.expected) {
      let found = rule.end(of: ends, next: one.next, fileEnd: s(20))
      #expect(found.time == s(expected.0), "\(rule)")
      #expect(found.cause == expected.1, "\(rule)")
    }
    let dvb = CueEndRule.written(.dvb).end(of: ends, next: one.next, fileEnd: s(20))
    #expect(dvb == CueEndRule.written(.pgs).end(of: ends, next: one.next, fileEnd: s(20)))
  }

  @Test("without a file's end is ten seconds on") func openEnd() {
    for fileEnd in [nil, s(1)] {
      let found = CueEndRule.burned.end(of: StatedEnds(start: s(1)), next: nil, fileEnd: fileEnd)
      #expect(found == (s(11), .endOfFile))
    }
  }
}
