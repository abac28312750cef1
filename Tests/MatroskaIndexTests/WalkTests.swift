// SPDX-License-Identifier: Apache-2.0
import MatroskaIndex
import SubtitleModel
import Testing

/// The blocks of tracks in a file that stands in memory.
func visited(
  _ bytes: [UInt8], _ tracks: Set<UInt64> = [2], usingCues: Bool = true
) throws -> (blocks: [MatroskaBlock], payloads: [[UInt8]], walk: MatroskaWalk) {
  let file = try MatroskaFile(BytesInMemory(bytes))
  var blocks: [MatroskaBlock] = []
  let walk = try file.walk(tracks: tracks, usingCues: usingCues) { blocks.append($0) }
  return (blocks, try blocks.map { try file.payload(of: $0) }, walk)
}

@Suite struct WalkTests {
  @Test func `simple blocks and groups are visited in file order with their times`() throws {
    let bytes = Element.file([
      Element.info(), Element.twoTracks,
      Element.cluster(
        1000,
        [
          Element.simple(1, 0, [9, 9, 9, 9]), Element.simple(2, 5, [1, 2]),
          Element.group(2, -10, duration: 40, [3]),
          Element.group(1, 20, duration: 7, [9]),
        ]),
      Element.cluster(70_000, [Element.simple(2, 0, [])]),
    ])
    let (blocks, payloads, walk) = try visited(bytes)
    #expect(blocks.map(\.time.milliseconds) == [1005, 990, 70_000])
    #expect(blocks.map(\.duration?.milliseconds) == [nil, 40, nil])
    #expect(payloads == [[1, 2], [3], []])
    #expect(walk.faults.isEmpty)
    #expect(walk.firstTimes[1] == Timestamp(milliseconds: 1000))
    #expect(!walk.usedCues)
  }

  @Test func `a timestamp scale of 100 microseconds scales times and durations`() throws {
    let bytes = Element.file([
      Element.info(scale: 100_000), Element.twoTracks,
      Element.cluster(10, [Element.group(2, 5, duration: 25, [1])]),
    ])
    let blocks = try visited(bytes).blocks
    #expect(blocks.first?.time.nanoseconds == 1_500_000)
    #expect(blocks.first?.duration?.nanoseconds == 2_500_000)
  }

  @Test func `open segments and clusters end where the next element begins`() throws {
    let bytes =
      Element.header
      + Element.open(
        0x1853_8067,
        Element.info() + Element.twoTracks + Element.openCluster(0, [Element.simple(2, 1, [1])])
          + Element.openCluster(100, [Element.simple(1, 0, [0]), Element.simple(2, 2, [2])])
          + Element.data(0x1C53_BB6B, []) + Element.openCluster(200, [Element.simple(2, 3, [3])]))
    let (blocks, payloads, walk) = try visited(bytes)
    #expect(blocks.map(\.time.milliseconds) == [1, 102, 203])
    #expect(payloads == [[1], [2], [3]])
    #expect(walk.faults.isEmpty)
  }

  @Test func `padding, checksums and unknown elements are passed over`() throws {
    let bytes = Element.file([
      Element.data(0xEC, [UInt8](repeating: 0, count: 300)), Element.info(), Element.twoTracks,
      Element.data(
        0x1F43_B675,
        Element.data(0xBF, [1, 2, 3, 4]) + Element.data(0xEC, [0]) + Element.number(0xE7, 5)
          + Element.number(0xAB, 77) + Element.data(0x4FFF, [1]) + Element.simple(2, 0, [7])),
      Element.data(0xEC, [0, 0], wideSize: true),
      Element.cluster(6, [Element.simple(2, 0, [8])]),
    ])
    let (blocks, payloads, walk) = try visited(bytes)
    #expect(blocks.map(\.time.milliseconds) == [5, 6])
    #expect(payloads == [[7], [8]])
    #expect(walk.faults.isEmpty)
  }

  @Test(
    arguments: [
      // Xiph: two frames of 3 and the rest; sizes as sums of bytes.
      (
        UInt8(0x02), [UInt8](arrayLiteral: 2, 3, 1) + [1, 1, 1, 2, 3, 3],
        [[1, 1, 1], [2], [3, 3]]
      ),
      // Fixed size: three frames of 2.
      (UInt8(0x04), [2, 1, 1, 2, 2, 3, 3], [[1, 1], [2, 2], [3, 3]]),
      // EBML: 3, then 3 - 2 (0xBF - 2 = 0xBD), then the rest.
      (UInt8(0x06), [2, 0x83, 0xBD, 1, 1, 1, 2, 3, 3], [[1, 1, 1], [2], [3, 3]]),
    ] as [(UInt8, [UInt8], [[UInt8]])])
  func `laced frames are told apart`(flags: UInt8, data: [UInt8], frames: [[UInt8]]) throws {
    let bytes = Element.file([
      Element.info(), Element.twoTracks,
      Element.cluster(0, [Element.simple(2, 4, flags: flags, data)]),
    ])
    let (blocks, payloads, walk) = try visited(bytes)
    #expect(payloads == frames)
    #expect(blocks.allSatisfy { $0.time.milliseconds == 4 })
    #expect(walk.faults.isEmpty)
  }

  @Test func `track numbers of two bytes and above 127 are known`() throws {
    let bytes = Element.file([
      Element.info(), Element.tracks([Element.track(500, type: 0x11, codec: "S_VOBSUB")]),
      Element.cluster(0, [Element.simple(500, 1, [5]), Element.group(500, 2, duration: 1, [6])]),
    ])
    #expect(try visited(bytes, [500]).payloads == [[5], [6]])
  }

  @Test func `the start time is that of picture and sound, with codec delay`() throws {
    let delayed = Element.track(
      3, type: 2, codec: "A_OPUS", extra: Element.number(0x56AA, 7_000_000))
    let bytes = Element.file([
      Element.info(),
      Element.tracks([
        Element.track(1, type: 1, codec: "V_VP9"), Element.track(2, type: 0x11, codec: "S_VOBSUB"),
        delayed,
      ]),
      Element.cluster(
        50, [Element.simple(3, 0, [0]), Element.simple(1, 3, [0]), Element.simple(2, 200, [0])]),
    ])
    let file = try MatroskaFile(BytesInMemory(bytes))
    let walk = try file.walk(tracks: [2]) { _ in }
    #expect(file.startTime(walk).milliseconds == 43)
    #expect(file.startTime(try file.firstBlocks()).milliseconds == 43)
  }
}
