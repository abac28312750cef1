// SPDX-License-Identifier: Apache-2.0
import ChildProcess
import TestSupport
import Testing

/// The built program's `author` command: its output, its sentences and its statuses.
@Suite struct AuthorRuns {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let text = "1\n00:00:01,300 --> 00:00:02,000\nGood evening.\n"
    _ = try folder.write(Array(text.utf8), to: "t.srt")
    _ = try folder.write(Array("{\"cue\": []}".utf8), to: "s.json")
  }

  private func author(_ input: String, _ output: String, _ options: String...) async throws
    -> (status: Int32, output: String, errors: String)
  {
    let result = try await BuiltProgram.run(
      ["author", folder.file(input), "--output", folder.file(output)] + options)
    return (result.status, String(decoding: result.output, as: UTF8.self), result.errors)
  }

  @Test func `the files written are named on standard output, the font on standard error`()
    async throws
  {
    let run = try await author("t.srt", "o.idx", "--canvas", "480x270", "--language", "eng")
    #expect(run.status == 0)
    #expect(run.output == "\(folder.file("o.idx"))\n\(folder.file("o.sub"))\n")
    #expect(run.errors.hasPrefix("Font: "))
    let index = String(decoding: try folder.read("o.idx"), as: UTF8.self)
    #expect(index.contains("\nsize: 480x270\n") && index.contains("\nid: en, index: 0\n"))
  }

  @Test func `an existing output is kept unless force is given`() async throws {
    _ = try folder.write([1, 2, 3], to: "o.sup")
    let refused = try await author("t.srt", "o.sup")
    #expect(refused.status == 1 && refused.output == "")
    #expect(
      refused.errors == "Error: \(folder.file("o.sup")): the file exists; --force overwrites it")
    #expect(try folder.read("o.sup") == [1, 2, 3])
    #expect(try await author("t.srt", "o.sup", "--force").status == 0)
    #expect(try folder.read("o.sup").starts(with: Array("PG".utf8)))
  }

  @Test func `an .avi with XSUB is found by probe and drawn by render`() async throws {
    let run = try await author("t.srt", "o.avi", "--canvas", "480x270")
    #expect(run.status == 0 && run.output == "\(folder.file("o.avi"))\n")
    let again = try await author("t.srt", "o.avi")
    #expect(again.status == 1 && again.errors.hasSuffix("the file exists; --force overwrites it"))
    let film = try await author("t.srt", "f.avi", "--film", folder.file("o.avi"))
    #expect(film.status == 64)
    let probed = try await BuiltProgram.run(["probe", folder.file("o.avi")])
    let row = String(decoding: probed.output, as: UTF8.self).split(separator: "\n")
      .first { $0.contains("0:s:0") }
    let words = row?.split(separator: " ").prefix(9).map(String.init)
    #expect(
      words == [
        "0", "0:s:0", "xsub", "-", "480x270", "1", "0", "00:00:01.300", "00:00:02.000",
      ])
    for (time, isShown) in [("1.4", true), ("2.1", false)] {
      let drawn = try await BuiltProgram.run([
        "render", folder.file("o.avi"), "--track", "0", "--at", time, "--decoder", "native",
        "--output", folder.file("\(time).png"),
      ])
      #expect(drawn.status == 0)
      #expect(drawn.errors.contains("No cue on screen") != isShown)
    }
  }

  @Test func `faults end with their statuses and one sentence`() async throws {
    let damaged = try await author("s.json", "o.sup")
    #expect(damaged.status == 65)
    #expect(damaged.errors.hasPrefix("Error: \(folder.file("s.json")) (line 1): unknown key 'cue'"))
    let missing = try await author("no.srt", "o.sup")
    #expect(missing.status == 66)
    #expect(
      missing.errors
        == "Error: \(folder.file("no.srt")): cannot be read: No such file or directory")
    let impossible = try await author("t.srt", "o.sup", "--format", "dvb")
    #expect(impossible.status == 64)
    #expect(
      impossible.errors
        == "Error: \(folder.file("o.sup")): cannot hold a dvb track; it holds pgs")
    let canvas = try await author("t.srt", "o.sup", "--canvas", "4x4")
    #expect(canvas.status == 64 && canvas.errors.contains("'4x4' is no canvas"))
  }
}
