// SPDX-License-Identifier: Apache-2.0
import ChildProcess
import Glibc
import TestSupport
import Testing

/// What `render` and `author` refuse to put a file in the place of.
@Suite struct OutputPlaceTests {
  private let folder: TemporaryFolder
  private let film: String

  init() async throws {
    folder = try TemporaryFolder()
    film = try RenderCommandTests.sup(cues: 2, in: folder)
    _ = try folder.write(Array("1\n00:00:01,300 --> 00:00:02,000\nA\n".utf8), to: "t.srt")
  }

  private func refused(_ words: [String], _ status: Int32, _ sentence: String) async throws {
    let result = try await BuiltProgram.run(words)
    #expect(result.status == status, "\(words): \(result.errors)")
    #expect(result.errors == "Error: \(sentence)")
    #expect(result.output.isEmpty)
  }

  @Test func `a pipe is not replaced, even with force`() async throws {
    let pipe = folder.file("p.sup")
    #expect(mkfifo(pipe, 0o600) == 0)
    let sentence = "\(pipe): is a device or pipe, which is not replaced; give a file's name"
    try await refused(
      ["render", film, "--track", "0", "--at", "1", "--output", pipe, "--force"], 1, sentence)
    try await refused(
      ["render", film, "--track", "0", "--sheet", pipe, "--force"], 1, sentence)
    try await refused(
      ["author", folder.file("t.srt"), "--output", pipe, "--force"], 1, sentence)
    var status = stat()
    #expect(stat(pipe, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
  }

  @Test func `an input is not replaced by any of its names`() async throws {
    let before = try folder.read("track.sup")
    let other = folder.file("same.png")
    #expect(symlink(film, other) == 0)
    for name in [film, other] {
      let sentence = "\(name): is the input itself; give the output another name"
      try await refused(
        ["render", film, "--track", "0", "--at", "1", "--output", name, "--force"], 64, sentence)
    }
    let again = folder.file("again.mkv")
    #expect(link(film, again) == 0)
    try await refused(
      ["author", folder.file("t.srt"), "--film", film, "--output", again, "--force"], 64,
      "\(again): is the input itself; give the output another name")
    #expect(try folder.read("track.sup") == before)
  }

  @Test func `standard output and no name are refused with a remedy`() async throws {
    try await refused(
      ["render", film, "--track", "0", "--at", "1", "--output", "-"], 64,
      "'-' is no output, since files are not written to standard output; give a file's name, or "
        + "'./-' for a file that is named so")
    try await refused(
      ["render", film, "--track", "0", "--at", "1", "--output", ""], 64,
      "the output's name is empty; give the name of a file")
  }

  @Test func `a folder that cannot be made is named with the system's reason`() async throws {
    _ = try folder.write([], to: "file")
    try await refused(
      ["render", film, "--track", "0", "--cues", folder.file("file/c")], 1,
      "\(folder.file("file")): the folder cannot be made: File exists")
  }

  @Test func `control characters of a name are escaped and its line feeds too`() async throws {
    let result = try await BuiltProgram.run(["probe", "no\nsuch\u{1B}[31mfile"])
    #expect(result.status == 66)
    #expect(result.errors == "Error: no\\nsuch\\u{1b}[31mfile: there is no such file.")
  }
}
