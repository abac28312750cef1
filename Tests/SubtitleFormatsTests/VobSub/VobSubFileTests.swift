// SPDX-License-Identifier: Apache-2.0
import SubtitleFormats
import SubtitleModel
import Testing

@Suite struct VobSubFiles {
  private func files(_ sizes: [Int], at time: Timestamp = .zero) throws -> VobSubFileWriter.Files {
    try VobSubFileWriter.files(
      of: sizes.map { size in
        .init(time: time, bytes: (0..<size).map { UInt8(truncatingIfNeeded: $0) })
      },
      canvas: Canvas(width: 720, height: 576),
      palette: [PaletteColor(red: 0, green: 0x0A, blue: 0xFF, alpha: 255)], language: "fre",
      title: "Essai")
  }

  @Test func `a pack has these bytes`() throws {
    // 1 s is tick 90000 = 0x15F90: bits 32-30 0, bits 29-15 2, bits 14-0 0x5F90.
    let packs = try files([2], at: Timestamp(milliseconds: 1000)).packs
    let head: [UInt8] = [
      0x00, 0x00, 0x01, 0xBA,
      0x44, 0x00, 0x16, 0xFC, 0x84, 0x01,  // clock: 01 000 1, 15 bits 2, 1, 15 bits, 1, 9 bits 0, 1
      0x01, 0x89, 0xC3, 0xF8,  // 25200 * 50 bytes a second, no stuffing
      0x00, 0x00, 0x01, 0xBD, 0x00, 0x0B,  // 3 + 5 + 1 + 2
      0x81, 0x80, 0x05,
      0x21, 0x00, 0x05, 0xBF, 0x21,  // PTS: 0010 000 1, 15 bits 2 and 1, 15 bits and 1
      0x20, 0x00, 0x01,
      0x00, 0x00, 0x01, 0xBE, 0x07, 0xDB,  // 2048 - 31 - 6 = 2011 bytes of padding
    ]
    #expect(packs.count == 2048)
    #expect(Array(packs[..<head.count]) == head)
    #expect(packs[head.count...].allSatisfy { $0 == 0xFF })
  }

  @Test(arguments: [
    (2019, 1), (2018, 1), (2014, 1), (2013, 1), (2012, 1), (2020, 2), (2019 + 2024, 2),
    (2019 + 2024 + 1, 3), (65535, 33),
  ])
  func `units of every size fill whole packs and come back`(size: Int, count: Int) throws {
    let packs = try files([size]).packs
    #expect(packs.count == 2048 * count)
    // A reader of the packs, by their lengths alone.
    var unit: [UInt8] = []
    for start in stride(from: 0, to: packs.count, by: 2048) {
      let pack = Array(packs[start..<start + 2048])
      #expect(pack[0...3] == [0, 0, 1, 0xBA] && pack[14...17] == [0, 0, 1, 0xBD])
      let end = 20 + Int(pack[18]) * 256 + Int(pack[19])
      let data = 23 + Int(pack[22]) + 1
      #expect(pack[data - 1] == 0x20)
      #expect((pack[21] == 0x80) == (start == 0), "only the first has a time")
      unit += pack[data..<end]
      if end < 2048 {
        #expect(pack[end..<end + 4] == [0, 0, 1, 0xBE])
        #expect(end + 6 + Int(pack[end + 4]) * 256 + Int(pack[end + 5]) == 2048)
      }
    }
    #expect(unit == (0..<size).map { UInt8(truncatingIfNeeded: $0) })
  }

  @Test func `the index names canvas, colours, language, times and places`() throws {
    let lines = try files([3000, 10]).index.split(separator: "\n")
    #expect(lines.first == "# VobSub index file, v7 (do not modify this line!)")
    #expect(lines.contains("size: 720x576"))
    #expect(
      lines.contains { $0.hasPrefix("palette: 000aff, 000000, ") && $0.count == 9 + 16 * 8 - 2 })
    #expect(
      lines.suffix(4) == [
        "id: fr, index: 0", "alt: Essai", "timestamp: 00:00:00:000, filepos: 000000000",
        "timestamp: 00:00:00:000, filepos: 000001000",
      ])
  }

  @Test func `a time past 33 bits is refused`() {
    // 2^33 ticks are 95443.717 s.
    #expect(throws: PGSWritingFault.self) {
      try files([1], at: Timestamp(milliseconds: 95_443_718))
    }
    #expect(throws: Never.self) { try files([1], at: Timestamp(milliseconds: 95_443_717)) }
  }

  @Test(arguments: [
    (Int64(0), Int64(0)), (1_300_000_000, 117_000), (11_111, 1), (5555, 0), (5556, 1),
    (-1_000_000_000, -90_000), (-5556, -1),
  ])
  func `nanoseconds become the nearest tick`(nanoseconds: Int64, ticks: Int64) {
    #expect(Timestamp(nanoseconds: nanoseconds).ticks90k == ticks)
    #expect(Timestamp(nanoseconds: .max).ticks90k > 0)
  }
}
