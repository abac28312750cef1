// SPDX-License-Identifier: Apache-2.0
import ChildProcess
import TestSupport
import Testing

/// `burnscope dump`, run as users run it.
@Suite struct DumpTests {
  @Test func `segments come with time, offset and fields`() async throws {
    let folder = try TemporaryFolder()
    let sup = try folder.write(LintTests.sup, to: "a.sup")
    let result = try await BuiltProgram.run(["dump", sup, "--track", "0"])
    #expect(result.status == 0, "\(result.errors)")
    let lines = result.text.split(separator: "\n").map(String.init)
    // Twice a set of five segments and one of three.
    #expect(lines.count == 16)
    #expect(
      lines.first
        == "00:00:01.000 @10 presentation composition segment canvas=640x360 frameRate=1 "
        + "compositionNumber=0 state=epochStart isPaletteUpdateOnly=no paletteID=0 "
        + "objects=[{objectID=0 windowID=0 isForced=no x=100 y=100}]")
    #expect(
      lines[2] == "@65 palette definition segment id=0 version=0 entries=[[1 235 128 128 255]]")
  }

  @Test func `each structure is a JSON document on its line`() async throws {
    let folder = try TemporaryFolder()
    let sup = try folder.write(LintTests.sup, to: "a.sup")
    let result = try await BuiltProgram.run(["dump", sup, "--format", "ndjson"])
    #expect(result.status == 0, "\(result.errors)")
    let lines = result.text.split(separator: "\n").map(String.init)
    #expect(lines.count == 16)
    #expect(
      lines.last
        == "{\"codec\":\"pgs\",\"fault\":null,\"fields\":{},\"name\":\"end segment\","
        + "\"offset\":\(LintTests.sup.count - 3),\"offsetInPacket\":null,\"stream\":0,"
        + "\"timeSeconds\":null}")
  }

  @Test func `a cut segment is shown with its fault`() async throws {
    let folder = try TemporaryFolder()
    // The second segment, windows, names one window and has one byte of it.
    var bytes = Array(LintTests.sup.prefix(32 + 13 + 2))
    bytes[32 + 12] = 2
    let result = try await BuiltProgram.run(["dump", try folder.write(bytes, to: "a.sup")])
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.text.contains("FAULT"), "\(result.text)")
    #expect(result.errors.contains("1 structures cannot be read"))
  }

  @Test func `one of several tracks must be named`() async throws {
    let fixture = try await RenderFixture(RenderFixture.Shape(320, 180))
    let wrong = try await BuiltProgram.run(["dump", fixture.path, "--track", "0"])
    #expect(wrong.status == 64)
    #expect(wrong.errors.contains("there is no subtitle track 0; bitmap tracks are 1"))
    let none = try await BuiltProgram.run(["dump", fixture.folder.file("none.mkv")])
    #expect(none.status == 66)
  }
}
