// SPDX-License-Identifier: Apache-2.0
import SubtitleModel
import Testing

@testable import Burnscope

/// Which stretches of a film are fetched first.
@Suite struct WindowPlannerTests {
  private func seconds(_ value: Double) -> Timestamp { Timestamp(seconds: value) }

  /// A cue each so many seconds, two seconds long.
  private func cues(_ count: Int, every interval: Double) -> [Range<Timestamp>] {
    (0..<count).map { seconds(Double($0) * interval)..<seconds(Double($0) * interval + 2) }
  }

  @Test func `no cues, no stretches`() {
    #expect(WindowPlanner.stretches(cues: [], count: 5).isEmpty)
  }

  @Test func `a short film is one stretch, 0.4 s before its first cue to 0.8 s after its last`() {
    let result = WindowPlanner.stretches(cues: cues(10, every: 7), count: 5)
    #expect(result == [seconds(-0.4)...seconds(65.8)])
  }

  @Test func `75 seconds are one stretch and a little more are several`() {
    let whole = WindowPlanner.stretches(
      cues: [seconds(0)..<seconds(2), seconds(73)..<seconds(75)], count: 5)
    #expect(whole.count == 1)
    let parts = WindowPlanner.stretches(
      cues: [seconds(0)..<seconds(2), seconds(73)..<seconds(75.001)], count: 2)
    #expect(parts == [seconds(-0.4)...seconds(2.8), seconds(72.6)...seconds(75.801)])
  }

  @Test func `a long film is looked at in parts of three cues, the first and the last among them`()
  {
    // 101 cues, one each 5 s: the parts begin at cues 0, 25, 50, 75 and end with cue 100.
    let result = WindowPlanner.stretches(cues: cues(101, every: 5), count: 5)
    #expect(
      result == [
        seconds(-0.4)...seconds(12.8), seconds(124.6)...seconds(137.8),
        seconds(249.6)...seconds(262.8), seconds(374.6)...seconds(387.8),
        seconds(489.6)...seconds(502.8),
      ])
  }

  @Test func `cues far apart make stretches of one cue`() {
    let result = WindowPlanner.stretches(cues: cues(5, every: 100), count: 3)
    #expect(
      result == [
        seconds(-0.4)...seconds(2.8), seconds(199.6)...seconds(202.8),
        seconds(399.6)...seconds(402.8),
      ])
  }

  @Test func `a cue without an end does not make its stretch endless`() {
    let endless = Timestamp(nanoseconds: .max)
    let list = [seconds(10)..<endless, seconds(500)..<endless]
    let result = WindowPlanner.stretches(cues: list, count: 2)
    #expect(result == [seconds(9.6)...seconds(30.8), seconds(499.6)...seconds(520.8)])
  }

  @Test(arguments: [2, 5, 9]) func `stretches are ordered and no more than wanted`(count: Int) {
    for number in [1, 2, 3, 17, 400] {
      let result = WindowPlanner.stretches(cues: cues(number, every: 90), count: count)
      #expect(result.count <= max(1, count))
      #expect(zip(result, result.dropFirst()).allSatisfy { $0.lowerBound <= $1.lowerBound })
      #expect(result.allSatisfy { $0.upperBound - $0.lowerBound <= seconds(22) })
    }
  }
}
