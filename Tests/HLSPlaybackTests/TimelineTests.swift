// SPDX-License-Identifier: Apache-2.0
import HLSPlayback
import SubtitleModel
import Testing

@Suite("Timeline offset")
struct TimelineOffsetTests {
  /// Kind, established ms, first ms, playlist start ms, offset ms.
  static let table: [(Bool, Int64?, Int64, Int64, Int64?)] = [
    // Servers' MPEG-TS: 10 s, a frame or two beside it.
    (true, nil, 10_000, 0, 10_000), (true, nil, 10_083, 0, 10_000),
    (true, nil, 3_609_917, 3_600_000, 10_000), (true, nil, 11_199, 0, 10_000),
    (true, nil, 8_801, 0, 10_000),
    // Nothing added.
    (true, nil, 0, 0, 0), (false, nil, 6_006, 6_006, 0), (false, nil, 7_100, 6_006, 0),
    (true, nil, 4_900, 6_006, 0),
    // Fragmented MP4 behind a seek begins up to a group of pictures early; MPEG-TS does not.
    (false, nil, 4_040, 6_000, 0), (false, nil, 90_000, 100_000, 0), (true, nil, 4_040, 6_000, nil),
    (false, nil, 80_000, 100_000, nil),
    // Neither: to be measured.
    (true, nil, 1_400, 0, nil), (true, nil, 117_400, 6_000, nil), (false, nil, 25_000, 0, nil),
    // Measured or known before: stays, also where durations have drifted.
    (true, 1_400, 7_400, 6_000, 1_400), (true, 111_400, 117_400, 6_000, 111_400),
    (true, 10_000, 3_613_600, 3_600_000, 10_000), (true, 1_400, 7_000, 6_000, 1_400),
    // Known, and beyond belief: the candidates count again.
    (true, 111_400, 16_000, 6_000, 10_000),
  ]

  @Test("follows the rule", arguments: table.indices)
  func rule(index: Int) {
    let (isTransportStream, established, first, start, expected) = Self.table[index]
    let rule = TimelineOffset(
      isTransportStream: isTransportStream,
      established: established.map { Timestamp(milliseconds: $0) })
    #expect(
      rule.offset(first: Timestamp(milliseconds: first), start: Timestamp(milliseconds: start))
        == expected.map { Timestamp(milliseconds: $0) })
  }

  @Test("takes out whole turns of the 33 bit clock")
  func turns() throws {
    let turn = TimelineOffset.turn
    #expect(turn.nanoseconds == 95_443_717_688_889)
    let start = Timestamp(milliseconds: 95_500_000)
    // The clock turned over once: the film's time plus 10 s, minus a turn.
    let first = start + Timestamp(milliseconds: 10_000) - turn
    let rule = TimelineOffset(isTransportStream: true)
    let offset = try #require(rule.offset(first: first, start: start))
    #expect(first - offset == start)
    let known = TimelineOffset(isTransportStream: true, established: .zero + TimelineOffset.added)
    #expect(known.offset(first: first, start: start) == offset)
    // Twice as well, and backwards.
    let second = TimelineOffset(isTransportStream: true).offset(
      first: Timestamp(milliseconds: 10_000), start: turn + turn)
    #expect(second == TimelineOffset.added - turn - turn)
    #expect(TimelineOffset(isTransportStream: false).offset(first: first, start: start) == nil)
  }
}

@Suite("Window plans")
struct WindowPlanTests {
  private func playlist(count: Int, milliseconds: Int64) -> MediaPlaylist {
    MediaPlaylist(
      segments: (0..<count).map { number in
        .init(
          number: number, address: MediaAddress(url: "http://h/\(number)"),
          start: Timestamp(milliseconds: Int64(number) * milliseconds),
          duration: Timestamp(milliseconds: milliseconds))
      })
  }

  /// Segment length, window in ms, starter, first and last segment.
  static let table: [(Int64, ClosedRange<Int64>, Int?, ClosedRange<Int>)] = [
    // Segments of 3 s, the window in 60..63: 10 s before is segment 16.
    (3000, 61_000...62_000, 17, 20...20), (3000, 60_000...62_000, 16, 19...20),
    (3000, 61_000...66_500, 17, 20...22), (3000, 61_000...65_900, 17, 20...22),
    // Near the start there is less to begin with.
    (3000, 1_000...2_000, nil, 0...0), (3000, 5_000...5_500, 0, 1...1),
    // Segments of 6 s.
    (6000, 61_000...62_000, 8, 10...10),
    // So long that the server would begin anew: everything is fetched.
    (30_000, 61_000...62_000, nil, 1...2),
    // Beyond the end.
    (3000, 400_000...500_000, nil, 99...99),
  ]

  @Test("start 10 s before and fetch only what is needed", arguments: table.indices)
  func plans(index: Int) {
    let (length, window, starter, segments) = Self.table[index]
    let range =
      Timestamp(milliseconds: window.lowerBound)...Timestamp(milliseconds: window.upperBound)
    let plan = playlist(count: 100, milliseconds: length).planWindow(covering: range)
    #expect(plan == WindowPlan(starter: starter, segments: segments))
  }
}
