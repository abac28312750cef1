// SPDX-License-Identifier: Apache-2.0
import ChildProcess
import TestSupport
import Testing

/// `burnscope lint`, run as users run it.
@Suite struct LintTests {
  /// The offset of the second END segment's type in ``ProbeTests/sup``: the first set's END is byte 0
  /// of its header behind PCS (13 + 19), WDS (13 + 10), PDS (13 + 7) and ODS (13 + 23).
  static let firstEnd = 32 + 23 + 20 + 36

  @Test func `a clean track has no findings and ends with 0`() async throws {
    let folder = try TemporaryFolder()
    let sup = try folder.write(ProbeTests.sup, to: "a.sup")
    let result = try await BuiltProgram.run(["lint", sup])
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.text == "\(sup): track 0 (pgs): 0 errors, 0 warnings, 0 notes\n")
    #expect(result.errors.isEmpty)
  }

  @Test func `a missing END is a warning with its time, and no error`() async throws {
    let folder = try TemporaryFolder()
    var bytes = ProbeTests.sup
    bytes.removeSubrange(Self.firstEnd..<(Self.firstEnd + 13))
    let result = try await BuiltProgram.run(["lint", try folder.write(bytes, to: "a.sup")])
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.text.contains("0 errors, 1 warning"), "\(result.text)")
    #expect(
      result.text.contains("  warning [pgs.end-missing] 00:00:01.000 byte 10"), "\(result.text)")
  }

  @Test func `an undefined palette is an error and ends with 1`() async throws {
    let folder = try TemporaryFolder()
    var bytes = ProbeTests.sup
    // The first palette definition lies behind PCS and WDS and has 20 bytes.
    bytes.removeSubrange(55..<75)
    let sup = try folder.write(bytes, to: "a.sup")
    let result = try await BuiltProgram.run(["lint", sup, "--format", "json"])
    #expect(result.status == 1, "\(result.errors)")
    #expect(result.text.contains("\"code\": \"pgs.palette-undefined\""), "\(result.text)")
    #expect(result.text.contains("\"severity\": \"error\""))
    #expect(result.text.contains("\"errorCount\": 1,"))
  }

  @Test func `offsets of compressed packets are told as packet and distance`() async throws {
    let folder = try TemporaryFolder()
    var bytes = ProbeTests.sup
    bytes.removeSubrange(55..<75)
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
    let sup = try folder.write(ProbeTests.sup, to: "a.sup")
    let same = try await BuiltProgram.run(["lint", "--compare", sup])
    #expect(same.status == 0, "\(same.errors)")
    #expect(same.text.contains("of 2 pictures 2 as by libavcodec"), "\(same.text)")
    // A run of 7 pixels in a line of 8: the last stays transparent, libavcodec drops the picture.
    var bytes = ProbeTests.sup
    let run = try #require(bytes.indices.first { Array(bytes[$0...].prefix(3)) == [0, 0x88, 1] })
    bytes[run + 1] = 0x87
    let short = try await BuiltProgram.run(
      ["lint", "--compare", "--format", "json", try folder.write(bytes, to: "b.sup")])
    #expect(short.text.contains("\"code\": \"compare.missing\""), "\(short.text)")
    #expect(short.text.contains("[pgs.object-rows]"))
    // Two lines of 8 pixels, one short of a pixel.
    #expect(short.text.contains("\"pixels\": 15"))
  }

  @Test func `files that cannot be read have their own statuses`() async throws {
    let folder = try TemporaryFolder()
    let missing = try await BuiltProgram.run(["lint", folder.file("none.sup")])
    #expect(missing.status == 66)
    let text = try folder.write(Array("hello".utf8), to: "a.mkv")
    let other = try await BuiltProgram.run(["lint", text])
    #expect(other.status == 65)
    let sup = try folder.write(ProbeTests.sup, to: "a.sup")
    let track = try await BuiltProgram.run(["lint", sup, "--track", "s:4"])
    #expect(track.status == 64)
    #expect(track.errors.contains("there is no subtitle track s:4"))
  }
}
