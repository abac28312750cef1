// SPDX-License-Identifier: Apache-2.0
import SubtitleFormats
import SubtitleModel
import Testing

/// The count of packets with times in milliseconds.
private func count(
  _ codec: SubtitleCodec, _ packets: [(Int64, [UInt8])], privateData: [UInt8] = [],
  duration: Int64? = nil
) throws -> CueCount {
  var counter = try #require(CueCounter(codec: codec, privateData: privateData))
  for (time, bytes) in packets {
    try counter.add(
      CountingPacket(
        time: Timestamp(milliseconds: time), duration: duration.map { Timestamp(milliseconds: $0) },
        bytes: bytes))
  }
  return try counter.finish(fileEnd: Timestamp(milliseconds: 90_000))
}

@Suite struct VobSubCountingTests {
  /// A sub-picture of one row of data, started at 0 and stopped at a date of 1024 ticks of 90 kHz.
  static func subPicture(
    start: UInt8 = 1, contrast: [UInt8] = [0x0F, 0xFF], stop: UInt8? = 88
  ) -> [UInt8] {
    let first: [UInt8] = [
      0, 0, 0, 0, start, 3, 0x32, 0x10, 4, contrast[0], contrast[1],
      5, 0, 0, 7, 0, 0, 1, 6, 0, 4, 0, 5, 0xFF,
    ]
    var control = first
    if let stop {
      let second = 6 + first.count
      control[3] = UInt8(second)
      control += [0, stop, 0, UInt8(second), 2, 0xFF]
    } else {
      control[3] = 6
    }
    return [0, UInt8(6 + control.count), 0, 6, 0xAA, 0xAA] + control
  }

  @Test func `sub-pictures with their own stop, forced and not, are counted`() throws {
    let packets: [(Int64, [UInt8])] = [
      (1000, Self.subPicture()), (5000, Self.subPicture(start: 0, stop: nil)),
    ]
    let data = Array("# VobSub\nsize: 720x480\npalette: 000000\n".utf8)
    let result = try count(.vobsub, packets, privateData: data)
    #expect(result.canvas == Canvas(width: 720, height: 480))
    #expect(result.cueCount == 2)
    #expect(result.forcedCueCount == 1)
    // 88 * 1024 / 90000 s = 1.001244 s
    #expect(result.firstCue?.end.milliseconds == 2001)
    #expect(result.lastCue?.end.milliseconds == 90_000)
    #expect(result.faults.isEmpty)
    let timed = try count(.vobsub, packets, privateData: data, duration: 2500)
    #expect(timed.firstCue?.end.milliseconds == 3500)
    #expect(timed.lastCue?.end.milliseconds == 7500)
  }

  @Test func `a sub-picture without contrast shows nothing and ends the one before`() throws {
    let result = try count(
      .vobsub,
      [(0, Self.subPicture(stop: nil)), (300, Self.subPicture(contrast: [0, 0]))])
    #expect(result.cueCount == 1)
    #expect(result.lastCue?.end.milliseconds == 300)
    #expect(result.canvas == nil)
  }

  @Test func `a sub-picture in two packets is one`() throws {
    let bytes = Self.subPicture()
    let result = try count(.vobsub, [(100, Array(bytes[..<1])), (100, Array(bytes[1...]))])
    #expect(result.cueCount == 1)
    #expect(result.firstCue?.start.milliseconds == 100)
  }

  @Test func `a cut sub-picture is not joined with the next of another time`() throws {
    let bytes = Self.subPicture()
    let result = try count(.vobsub, [(100, Array(bytes[..<20])), (5140, bytes)])
    #expect(result.cueCount == 1)
    #expect(result.firstCue?.start.milliseconds == 5140)
    #expect(result.faults.count == 1)
  }

  @Test func `control sequences that loop or leave the packet end`() throws {
    var looping = Self.subPicture()
    looping[9] = 0
    #expect(try count(.vobsub, [(0, looping)]).cueCount == 1)
    var leaving = Self.subPicture()
    leaving[2] = 0xFF
    let result = try count(.vobsub, [(0, leaving)])
    #expect(result.cueCount == 0)
    #expect(
      result.faults
        == [
          "at 00:00:00.000: sub-picture unit at byte 0: offset of the control sequences is 65286, "
            + "not in the unit"
        ])
  }
}

@Suite struct DVBCountingTests {
  static func page(
    version: UInt8, regions: Int, page: UInt8 = 1, timeOut: UInt8 = 5
  ) -> [UInt8] {
    var data = [timeOut, version << 4]
    var compositions: [UInt8] = []
    for region in 0..<regions {
      data += [UInt8(region), 0, 0, 10, 0, 20]
      compositions += Self.region(UInt8(region), clut: 1, page: page)
    }
    return [0x0F, 0x10, 0, page, 0, UInt8(data.count)] + data + compositions
      + [0x0F, 0x80, 0, page, 0, 0]
  }

  /// A region of 16 by 8 pixels of 4 bits without objects.
  static func region(_ id: UInt8, clut: UInt8, page: UInt8 = 1) -> [UInt8] {
    [0x0F, 0x11, 0, page, 0, 10, id, 0, 0, 16, 0, 8, 0x4B, clut, 0, 0]
  }

  /// A display definition of 1920 by 1080.
  static let display: [UInt8] = [0x0F, 0x14, 0, 1, 0, 5, 0, 0x07, 0x7F, 0x04, 0x37]

  @Test func `pages with regions are cues, empty ones and time-outs end them`() throws {
    let result = try count(
      .dvb,
      [
        (1000, [0x20, 0x00] + Self.display + Self.page(version: 1, regions: 2)),
        (2000, Self.page(version: 2, regions: 0)), (3000, Self.page(version: 3, regions: 1)),
      ])
    #expect(result.canvas == Canvas(width: 1920, height: 1080))
    #expect(result.cueCount == 2)
    #expect(result.firstCue?.end.milliseconds == 2000)
    #expect(result.lastCue?.end.milliseconds == 8000)
    #expect(result.forcedCueCount == 0)
  }

  @Test func `a repeated page is one cue and a foreign page none`() throws {
    let result = try count(
      .dvb,
      [
        (0, Self.page(version: 1, regions: 1)), (1000, Self.page(version: 1, regions: 1)),
        (2000, Self.page(version: 9, regions: 1, page: 7)),
      ], privateData: [0, 1, 0, 1, 0x10])
    #expect(result.canvas == Canvas(width: 720, height: 576))
    #expect(result.cueCount == 1)
    #expect(result.lastCue?.end.milliseconds == 6000)
  }

  @Test func `every beginning of a packet gives a count`() throws {
    let bytes = Self.display + Self.page(version: 1, regions: 2)
    for length in 0..<bytes.count {
      #expect(try count(.dvb, [(0, Array(bytes.prefix(length)))]).cueCount <= 1)
    }
  }

  @Test func `a page without time is shown at the first time that comes`() throws {
    var counter = try #require(CueCounter(codec: .dvb))
    let bytes = Self.page(version: 1, regions: 1, timeOut: 0)
    try counter.add(CountingPacket(time: nil, duration: nil, bytes: Array(bytes.prefix(14))))
    try counter.add(
      CountingPacket(
        time: Timestamp(milliseconds: 4000), duration: nil, bytes: Array(bytes.dropFirst(14))))
    let result = try counter.finish(fileEnd: Timestamp(milliseconds: 9000))
    #expect(result.cueCount == 1)
    #expect(result.firstCue?.start.milliseconds == 4000)
    #expect(result.lastCue?.end.milliseconds == 9000)
  }

  @Test func `a page of regions that were never composed shows nothing`() throws {
    let whole = Self.page(version: 1, regions: 1)
    let bare = whole.prefix(14) + whole.suffix(6)
    #expect(try count(.dvb, [(0, Array(bare))]).cueCount == 0)
    // What was composed before stays, until a mode change forgets it.
    var later = Array(bare)
    later[7] = 2 << 4
    #expect(try count(.dvb, [(0, whole), (1000, later)]).cueCount == 2)
    later[7] |= 2 << 2
    #expect(try count(.dvb, [(0, whole), (1000, later)]).cueCount == 1)
  }
}

@Suite struct XSUBCountingTests {
  @Test func `times are those of the packet's text`() throws {
    let first = Array("[00:00:01.500-00:00:03.250]".utf8) + [1, 2, 3]
    let result = try count(.xsub, [(1500, first), (9000, Array("[00:00:09.000".utf8))])
    #expect(result.cueCount == 1)
    #expect(result.firstCue?.start.milliseconds == 1500)
    #expect(result.firstCue?.end.milliseconds == 3250)
    #expect(result.faults.count == 1)
  }

  @Test func `text has no counter`() {
    let counter = CueCounter(codec: .text)
    #expect(counter.map { _ in true } == nil)
  }
}
