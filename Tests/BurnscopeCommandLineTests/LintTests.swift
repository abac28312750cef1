// SPDX-License-Identifier: Apache-2.0
import ChildProcess
import TestSupport
import Testing

/// `burnscope lint`, run as users run it.
@Suite struct LintTests {
  /// Two pictures of 8x2 white pixels at 1 s and 3 s, each cleared a second later.
  static let sup: [UInt8] = {
    var bytes: [UInt8] = []
    func segment(_ type: UInt8, _ seconds: Int, _ data: [UInt8]) {
      let time = UInt32(seconds * 90_000)
      bytes += [0x50, 0x47]
      bytes += (0..<4).map { UInt8(truncatingIfNeeded: time >> UInt32(24 - 8 * $0)) }
      bytes += [0, 0, 0, 0, type, UInt8(data.count >> 8), UInt8(data.count & 255)] + data
    }
    let head: [UInt8] = [0x02, 0x80, 0x01, 0x68, 0x10]
    let window: [UInt8] = [1, 0, 0, 100, 0, 100, 0, 8, 0, 2]
    let row: [UInt8] = [0, 0x88, 1, 0, 0]
    for index in 0..<2 {
      let start = 1 + 2 * index
      segment(
        0x16, start, head + [0, UInt8(2 * index), 0x80, 0, 0, 1, 0, 0, 0, 0, 0, 100, 0, 100])
      segment(0x17, start, window)
      segment(0x14, start, [0, 0, 1, 235, 128, 128, 255])
      segment(0x15, start, [0, 0, 0, 0xC0, 0, 0, 14, 0, 8, 0, 2] + row + row)
      segment(0x80, start, [])
      segment(0x16, start + 1, head + [0, UInt8(2 * index + 1), 0, 0, 0, 0])
      segment(0x17, start + 1, window)
      segment(0x80, start + 1, [])
    }
    return bytes
  }()

  /// The first palette definition, behind a composition of 32 and windows of 23 bytes.
  static let palette = 55..<75
  /// The first END, behind an object of 34 bytes.
  static let end = 109..<122

  @Test func `a clean track has no findings and ends with 0`() async throws {
    let folder = try TemporaryFolder()
    let sup = try folder.write(Self.sup, to: "a.sup")
    let result = try await BuiltProgram.run(["lint", sup])
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.text == "\(sup): track 0 (pgs): 0 errors, 0 warnings, 0 notes\n")
    #expect(result.errors.isEmpty)
  }

  @Test func `a missing END is a warning with its time, and no error`() async throws {
    let folder = try TemporaryFolder()
    var bytes = Self.sup
    bytes.removeSubrange(Self.end)
    let result = try await BuiltProgram.run(["lint", try folder.write(bytes, to: "a.sup")])
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.text.contains("0 errors, 1 warning"), "\(result.text)")
    #expect(
      result.text.contains("  warning [pgs.end-missing] 00:00:01.000 byte 10"), "\(result.text)")
  }

  @Test func `an undefined palette is an error and ends with 1`() async throws {
    let folder = try TemporaryFolder()
    var bytes = Self.sup
    bytes.removeSubrange(Self.palette)
    let sup = try folder.write(bytes, to: "a.sup")
    let result = try await BuiltProgram.run(["lint", sup, "--format", "json"])
    #expect(result.status == 1, "\(result.errors)")
    #expect(result.text.contains("\"code\": \"pgs.palette-undefined\""), "\(result.text)")
    #expect(result.text.contains("\"severity\": \"error\""))
    #expect(result.text.contains("\"errorCount\": 1,"))
  }

  @Test func `offsets of compressed packets are told as packet and distance`() async throws {
    let folder = try TemporaryFolder()
    var bytes = Self.sup
    bytes.removeSubrange(Self.palette)
    let sup = try folder.write(bytes, to: "a.sup")
    let film = folder.file("a.mks")
    let made = try await ChildProcess.run(
      "mkvmerge", ["-q", "-o", film, "--compression", "0:zlib", sup])
    try #require(made.status < 2, "\(made.errors)")
    let result = try await BuiltProgram.run(["lint", film])
    #expect(result.status == 1, "\(result.errors)")
    let line = result.text.split(separator: "\n").first { $0.contains("pgs.palette-undefined") }
    #expect(line?.hasPrefix("  error [pgs.palette-undefined] 00:00:01.000 byte ") == true)
  }

  @Test func `compare finds the same pictures, and what libavcodec drops`() async throws {
    let folder = try TemporaryFolder()
    let sup = try folder.write(Self.sup, to: "a.sup")
    let same = try await BuiltProgram.run(["lint", "--compare", sup])
    #expect(same.status == 0, "\(same.errors)")
    #expect(same.text.contains("of 2 pictures 2 as by libavcodec"), "\(same.text)")
    // A run of 7 pixels in a line of 8: the last stays transparent, libavcodec drops the picture.
    var bytes = Self.sup
    let run = try #require(bytes.indices.first { Array(bytes[$0...].prefix(3)) == [0, 0x88, 1] })
    bytes[run + 1] = 0x87
    let short = try await BuiltProgram.run(
      ["lint", "--compare", "--format", "json", try folder.write(bytes, to: "b.sup")])
    #expect(short.text.contains("\"code\": \"compare.missing\""), "\(short.text)")
    #expect(short.text.contains("[pgs.object-rows]"))
    // Two rows of 8 pixels, the first short of one.
    #expect(short.text.contains("\"pixels\": 15"))
  }

  @Test func `files that cannot be read have their own statuses`() async throws {
    let folder = try TemporaryFolder()
    let missing = try await BuiltProgram.run(["lint", folder.file("none.sup")])
    #expect(missing.status == 66)
    let text = try folder.write(Array("hello".utf8), to: "a.mkv")
    let other = try await BuiltProgram.run(["lint", text])
    #expect(other.status == 65)
    let sup = try folder.write(Self.sup, to: "a.sup")
    let track = try await BuiltProgram.run(["lint", sup, "--track", "s:4"])
    #expect(track.status == 64)
    #expect(track.errors.contains("there is no subtitle track s:4"))
  }
}
