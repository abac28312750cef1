// SPDX-License-Identifier: Apache-2.0
import MatroskaIndex
import SubtitleModel
import Testing

@Suite struct CueIndexTests {
  /// A file of two clusters with Cues for both blocks of track 2, and statistics.
  static func bytes(
    statedFrames: Int = 2, app: String = "test", secondTime: UInt64 = 100, shift: UInt64 = 0
  ) -> [UInt8] {
    let seekLength = 2 * 21 + 5
    let head = Element.info() + Element.twoTracks
    let video = Element.simple(1, 0, [UInt8](repeating: 0xA3, count: 40))
    let first = Element.data(
      0x1F43_B675, Element.number(0xE7, 0) + video + Element.group(2, 7, duration: 30, [1]))
    let second = Element.cluster(90, [video, Element.simple(2, 10, [2, 2])])
    let firstPlace = seekLength + head.count
    let relative = UInt64(3 + video.count)
    let secondRelative = relative
    func point(_ time: UInt64, _ cluster: Int, _ relative: UInt64) -> [UInt8] {
      Element.data(
        0xBB,
        Element.number(0xB3, time)
          + Element.data(
            0xB7,
            Element.number(0xF7, 2) + Element.number(0xF1, UInt64(cluster))
              + Element.number(0xF0, relative)))
    }
    let cues = Element.data(
      0x1C53_BB6B,
      point(7, firstPlace, relative)
        + point(secondTime, firstPlace + first.count, secondRelative + shift))
    func statistic(_ name: String, _ value: String) -> [UInt8] {
      Element.data(0x67C8, Element.text(0x45A3, name) + Element.text(0x4487, value))
    }
    let tags = Element.data(
      0x1254_C367,
      Element.data(
        0x7373,
        Element.data(0x63C0, Element.number(0x63C5, 1002))
          + statistic("NUMBER_OF_FRAMES", "\(statedFrames)")
          + statistic("_STATISTICS_WRITING_APP", app)))
    let cuesPlace = firstPlace + first.count + second.count
    func seek(_ id: [UInt8], _ place: Int) -> [UInt8] {
      // 3 + 7 + 11 bytes
      Element.data(
        0x4DBB,
        Element.data(0x53AB, id)
          + Element.data(0x53AC, [0, 0, 0, 0, 0, 0] + [UInt8(place >> 8), UInt8(place & 255)]))
    }
    let seekHead = Element.data(
      0x114D_9B74,
      seek([0x1C, 0x53, 0xBB, 0x6B], cuesPlace)
        + seek([0x12, 0x54, 0xC3, 0x67], cuesPlace + cues.count))
    precondition(seekHead.count == seekLength)
    return Element.file([seekHead, head, first, second, cues, tags])
  }

  @Test func `complete cues lead to the same blocks as a walk`() throws {
    let bytes = Self.bytes()
    let jumped = try visited(bytes)
    let walked = try visited(bytes, usingCues: false)
    #expect(jumped.walk.usedCues)
    #expect(!walked.walk.usedCues)
    #expect(jumped.blocks == walked.blocks)
    #expect(walked.blocks.map(\.time.milliseconds) == [7, 100])
    #expect(walked.blocks.map(\.duration?.milliseconds) == [30, nil])
    #expect(jumped.payloads == [[1], [2, 2]])
    #expect(jumped.walk.firstTimes[1] == .zero)
  }

  @Test(arguments: [
    CueIndexTests.bytes(statedFrames: 3), CueIndexTests.bytes(app: "another program"),
    CueIndexTests.bytes(secondTime: 101), CueIndexTests.bytes(shift: 1),
    CueIndexTests.bytes(shift: 10_000),
  ])
  func `cues that may lack a block or lead astray are not used`(bytes: [UInt8]) throws {
    let (blocks, _, walk) = try visited(bytes)
    #expect(!walk.usedCues)
    #expect(blocks.map(\.time.milliseconds) == [7, 100])
  }
}
