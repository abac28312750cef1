// SPDX-License-Identifier: Apache-2.0
import BinaryReading
import MatroskaIndex
import SubtitleModel
import Testing

@Suite struct DamageTests {
  static let fixture =
    CueIndexTests.bytes()
  static let second = Element.file([
    Element.info(),
    Element.tracks([
      Element.track(1, type: 1, codec: "V_MPEG2", extra: HeaderTests.video),
      Element.track(
        2, type: 0x11, codec: "S_VOBSUB",
        extra: HeaderTests.packed(algorithm: 0, scope: 3)
          + Element.data(0x63A2, InflateTests.dynamic)),
    ]),
    Element.openCluster(
      0,
      [
        Element.simple(2, 0, flags: 0x06, [2, 0x83, 0xBD, 1, 1, 1, 2, 3, 3]),
        Element.simple(1, 1, [0]),
      ]),
    Element.openCluster(9, [Element.simple(2, 0, InflateTests.fixed)]),
  ])

  /// Reads all that can be read; what may be thrown is a `MatroskaFault` of this file.
  func readAll(_ bytes: [UInt8]) throws {
    do {
      let file = try MatroskaFile(BytesInMemory(bytes))
      var blocks: [MatroskaBlock] = []
      let walk = try file.walk(tracks: [2]) { blocks.append($0) }
      _ = file.startTime(walk)
      for fault in file.faults + walk.faults {
        guard case .damaged(let place) = fault.kind else {
          Issue.record("\(fault)")
          continue
        }
        #expect((0...Int64(bytes.count)).contains(place.offset), "\(fault)")
      }
      for block in blocks {
        #expect(block.payloadOffset + Int64(block.payloadSize) <= Int64(bytes.count))
        _ = try? file.payload(of: block, limit: 64)
        _ = try? file.payload(of: block)
      }
    } catch is MatroskaFault {
      // A file whose head is gone.
    }
  }

  @Test(arguments: [fixture, second])
  func `every beginning of a file gives blocks or a fault inside it`(bytes: [UInt8]) throws {
    for count in 0...bytes.count { try readAll(Array(bytes[..<count])) }
  }

  @Test(arguments: [(fixture, 0x6D61_7472), (second, 0x6F73_6B61)] as [([UInt8], UInt64)])
  func `flipped bytes give blocks or a fault inside the file`(bytes: [UInt8], seed: UInt64) throws {
    var state = seed
    func random(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    for _ in 0..<1500 {
      var mutated = bytes
      for _ in 0..<(1 + random(3)) { mutated[random(bytes.count)] = UInt8(random(256)) }
      try readAll(mutated)
    }
  }

  @Test func `a damaged cluster is passed over and named by its place`() throws {
    let head = Element.header.count + 12
    let start = Element.info() + Element.twoTracks
    let broken = Element.cluster(50, [Element.data(0xA3, [0x00]), Element.simple(2, 0, [2])])
    let bytes =
      Element.header
      + Element.open(
        0x1853_8067,
        start + Element.cluster(0, [Element.simple(2, 0, [1])]) + broken
          + Element.cluster(90, [Element.simple(2, 0, [3])]))
    let (blocks, payloads, walk) = try visited(bytes)
    #expect(blocks.map(\.time.milliseconds) == [0, 90])
    #expect(payloads == [[1], [3]])
    let place = head + start.count + 15 + 5 + 3 + 2
    #expect(
      walk.faults.map(\.description)
        == ["memory: block at byte \(place): needs 12 bytes, 1 are left"])
  }

  @Test func `garbage between clusters is searched through for the next cluster`() throws {
    let bytes =
      Element.header
      + Element.open(
        0x1853_8067,
        Element.info() + Element.twoTracks + Element.cluster(0, [Element.simple(2, 0, [1])])
          + [UInt8](repeating: 0, count: 70_000) + [0x1F, 0x43, 0xB6, 0x75, 0x81, 0x00]
          + Element.cluster(90, [Element.simple(2, 0, [3])]))
    let (_, payloads, walk) = try visited(bytes)
    #expect(payloads == [[1], [3]])
    #expect(walk.faults.count == 1)
  }

  @Test func `a size beyond the file is a fault and reads nothing`() throws {
    let huge = Element.head(0xA3, size: 1 << 50) + Element.block(2, 0, [1])
    let bytes = Element.file([
      Element.info(), Element.twoTracks,
      Element.cluster(0, [Element.simple(2, 0, [1]), huge]),
    ])
    let (blocks, _, walk) = try visited(bytes)
    #expect(blocks.count == 1)
    #expect(walk.faults.count == 1)
    #expect(walk.faults.first?.description.contains("needs \(1 << 50) bytes") == true)
  }

  @Test func `a time that no clock holds saturates or is a fault`() throws {
    let bytes = Element.file([
      Element.info(scale: UInt64(Int64.max)), Element.twoTracks,
      Element.cluster(UInt64(Int64.max), [Element.simple(2, 1, [1])]),
      Element.cluster(UInt64.max, [Element.simple(2, 1, [1])]),
      Element.cluster(9, [Element.simple(2, 1, [1])]),
    ])
    let (blocks, _, walk) = try visited(bytes)
    #expect(blocks.map(\.time.nanoseconds) == [.max])
    #expect(walk.faults.count == 2)
  }
}
