// SPDX-License-Identifier: Apache-2.0
import BinaryReading
import SubtitleFormats
import SubtitleModel
import Testing

@Suite struct PGSCountingTests {
  /// A segment as Matroska has it.
  static func segment(_ type: UInt8, _ data: [UInt8]) -> [UInt8] {
    [type, UInt8(data.count >> 8), UInt8(data.count & 255)] + data
  }

  /// A composition of objects at x = 100, with some flags, y going up by 50.
  static func composition(
    state: UInt8 = 0x80, paletteOnly: Bool = false, flags: [UInt8], x: UInt8 = 100
  ) -> [UInt8] {
    var data: [UInt8] = [0x07, 0x80, 0x04, 0x38, 0x10, 0, 1, state, paletteOnly ? 0x80 : 0, 0]
    data.append(UInt8(flags.count))
    for (index, flag) in flags.enumerated() {
      data += [0, UInt8(index), 0, flag, 0, x, 0, UInt8(50 * index)]
      if flag & 0x80 != 0 { data += [0, 1, 0, 1, 0, 2, 0, 2] }
    }
    return segment(0x16, data)
  }

  static let palette = segment(0x14, [0, 0, 1, 235, 128, 128, 255])
  static let object = segment(
    0x15, [0, 0, 0, 0xC0, 0, 0, 12, 0, 8, 0, 2, 0, 0x88, 1, 0, 0, 0x88, 1, 0])
  static let end = segment(0x80, [])
  static let clear = composition(state: 0, flags: []) + end

  static func picture(_ flags: [UInt8] = [0], state: UInt8 = 0x80) -> [UInt8] {
    composition(state: state, flags: flags) + palette + object + end
  }

  static func count(
    _ packets: [(Int64, [UInt8])], duration: Int64? = nil, fileEnd: Int64? = 60_000
  ) throws -> CueCount {
    var counter = try #require(CueCounter(codec: .pgs))
    for (time, bytes) in packets {
      try counter.add(
        CountingPacket(
          time: Timestamp(milliseconds: time),
          duration: duration.map { Timestamp(milliseconds: $0) }, bytes: bytes))
    }
    return try counter.finish(fileEnd: fileEnd.map { Timestamp(milliseconds: $0) })
  }

  @Test func `pictures are cues, sets without objects end them`() throws {
    let count = try Self.count([
      (0, Self.clear), (1000, Self.picture()), (2000, Self.clear),
      (3000, Self.picture([0x40, 0])), (4000, Self.picture([0xC0])), (5500, Self.clear),
    ])
    #expect(count.canvas == Canvas(width: 1920, height: 1080))
    #expect(count.cueCount == 3)
    #expect(count.forcedCueCount == 2)
    #expect(
      count.firstCue
        == CountedCue(
          start: Timestamp(milliseconds: 1000), end: Timestamp(milliseconds: 2000), isForced: false)
    )
    #expect(
      count.lastCue
        == CountedCue(
          start: Timestamp(milliseconds: 4000), end: Timestamp(milliseconds: 5500), isForced: true))
    #expect(count.faults.isEmpty)
  }

  @Test func `segments in packets of their own make the same sets`() throws {
    let count = try Self.count([
      (1000, Self.composition(flags: [0])), (1000, Self.palette), (1000, Self.object),
      (1000, Self.end), (2000, Self.composition(state: 0, flags: [])), (2000, Self.end),
    ])
    #expect(count.cueCount == 1)
    #expect(count.lastCue?.end.milliseconds == 2000)
  }

  @Test func `each step of a fade is a cue`() throws {
    func step(_ alpha: UInt8) -> [UInt8] {
      Self.composition(state: 0, paletteOnly: true, flags: [0])
        + Self.segment(0x14, [0, 0, 1, 235, 128, 128, alpha]) + Self.end
    }
    let count = try Self.count([
      (0, Self.picture()), (100, step(128)), (150, step(128)), (200, step(64)), (250, step(0)),
    ])
    // The same colours again are no step, and without any there is no cue.
    #expect(count.cueCount == 3)
    #expect(count.paletteUpdateCount == 2)
    #expect(count.lastCue?.start.milliseconds == 200)
    #expect(count.lastCue?.end.milliseconds == 250)
    // The steps show the one object that was there before.
    #expect(count.survey.objectCount == 1)
  }

  @Test func `the same picture sent again is no new cue, another one is`() throws {
    let other =
      Self.composition(state: 0x40, flags: [0]) + Self.palette
      + Self.segment(0x15, [0, 0, 1, 0xC0, 0, 0, 12, 0, 8, 0, 2, 0, 0x88, 2, 0, 0, 0x88, 2, 0])
    let bare = Self.composition(state: 0, flags: [0]) + Self.end
    #expect(
      try Self.count([(0, Self.picture()), (500, Self.picture(state: 0x40)), (700, bare)]).cueCount
        == 1)
    #expect(try Self.count([(0, Self.picture()), (500, other)]).cueCount == 2)
    let moved = Self.composition(state: 0, flags: [0], x: 101) + Self.end
    #expect(try Self.count([(0, Self.picture()), (500, moved)]).cueCount == 2)
  }

  @Test func `a bare epoch continue ends the picture before and shows none`() throws {
    let bare = Self.composition(state: 0xC0, flags: [0]) + Self.end
    let count = try Self.count([(0, Self.picture()), (900, bare)])
    #expect(count.cueCount == 1)
    #expect(count.lastCue?.end.milliseconds == 900)
  }

  @Test func `a picture that nothing clears ends with its duration, else with the file`() throws {
    #expect(try Self.count([(0, Self.picture())]).lastCue?.end.milliseconds == 60_000)
    #expect(try Self.count([(0, Self.picture())], duration: 700).lastCue?.end.milliseconds == 700)
    #expect(try Self.count([(0, Self.picture())], fileEnd: nil).lastCue?.end.milliseconds == 10_000)
  }

  @Test func `of a large packet only its beginning is read`() throws {
    let rows = [UInt8](repeating: 1, count: 5000)
    let large = Self.composition(flags: [0x40]) + Self.palette + Self.segment(0x15, rows) + Self.end
    var limits: [Int] = []
    var counter = try #require(CueCounter(codec: .pgs))
    for time in [0, 1000] as [Int64] {
      try counter.add(
        CountingPacket(
          time: Timestamp(milliseconds: time), duration: nil, storedSize: large.count
        ) { limit in
          limits.append(limit)
          return Array(large.prefix(limit))
        })
    }
    #expect(limits == [1536, 1536])
    // The second one looks the same, so both are compared whole.
    let count = try counter.finish(fileEnd: nil)
    #expect(count.cueCount == 1)
    #expect(count.forcedCueCount == 1)
    #expect(limits.filter { $0 == .max }.count == 2)
  }

  @Test func `every beginning of a stream gives a count`() throws {
    let bytes = Self.picture([0x40, 0x80]) + Self.clear
    for length in 0..<bytes.count {
      let count = try Self.count([(0, Array(bytes.prefix(length)))])
      #expect(count.cueCount <= 1)
    }
    let fault = try Self.count([(250, Array(bytes.prefix(40)))]).faults.first
    #expect(fault?.hasPrefix("at 00:00:00.250: PGS packet at byte ") == true)
  }
}
