// SPDX-License-Identifier: Apache-2.0
import ChildProcess
import PNGCoding
import TestSupport
import Testing

/// The built program's `author` command with the suite of traits.
@Suite struct AuthorTraitRuns {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func author(_ options: String...) async throws
    -> (status: Int32, output: String, errors: String)
  {
    let result = try await BuiltProgram.run(["author"] + options)
    return (result.status, String(decoding: result.output, as: UTF8.self), result.errors)
  }

  @Test func `the suite is written, kept, and checked`() async throws {
    let suite = folder.file("suite")
    let written = try await author("--trait-suite", suite)
    #expect(written.status == 0 && written.output == "")
    #expect(written.errors.hasPrefix("Wrote 1"))
    let refused = try await author("--trait-suite", suite)
    #expect(refused.status == 1)
    #expect(refused.errors.hasSuffix(": the file exists; --force replaces it"))
    #expect(try await author("--trait-suite", suite, "--force").status == 0)
    let checked = try await author("--trait-suite", suite, "--check")
    #expect(checked.status == 0)
    let lines = checked.output.split(separator: "\n").map { $0.split(separator: "\t") }
    #expect(lines.count > 100)
    #expect(lines.allSatisfy { $0.count == 4 && $0[1] == "right" })
  }

  @Test func `one trait is written with its companion`() async throws {
    let listed = try await author("--list-traits")
    #expect(listed.status == 0)
    let line = "vobsub-v09-one-line\t.idx\tv09 one line\n"
    #expect(listed.output.contains(line))
    let file = folder.file("o.idx")
    let written = try await author("--trait", "vobsub-v09-one-line", "--output", file)
    #expect(written.status == 0)
    #expect(written.output == "\(file)\n\(folder.file("o.sub"))\n")
    #expect(try folder.read("o.sub").count == 2048)
    let other = try await author("--trait", "vobsub-v09-one-line", "--output", folder.file("o.sup"))
    #expect(other.status == 64)
    let unknown = try await author("--trait", "no", "--output", file)
    #expect(unknown.status == 64)
    #expect(
      unknown.errors == "Error: there is no trait 'no'; 'author --list-traits' lists them")
  }

  @Test func `the native decoder's pictures are those expected, without more options`() async throws
  {
    let suite = folder.file("suite")
    #expect(try await author("--trait-suite", suite).status == 0)
    for (id, suffix, time) in [
      ("pgs-11-an-object-over-the-right-edge-is-clipped", "sup", "01000"),
      ("dvb-a-region-over-the-displays-edge", "ts", "01000"),
      ("pgs-22-what-is-under-a-transparent-pixel-shows", "sup", "01000"),
      ("vobsub-v10-an-area-past-the-bottom-grows-the-canvas", "idx", "01000"),
    ] {
      let kind = String(id.prefix { $0 != "-" })
      let output = folder.file("o.png")
      let run = try await BuiltProgram.run([
        "render", "\(suite)/\(kind)/\(id).\(suffix)", "--track", "0", "--at", "1", "--decoder",
        "native", "--output", output, "--force",
      ])
      #expect(run.status == 0, "\(run.errors)")
      let drawn = try PNG.decodeRGBA(try readBytes(output))
      let expected = try PNG.decodeRGBA(try readBytes("\(suite)/\(kind)/\(id).\(time)ms.png"))
      #expect(drawn == expected, "\(id)")
    }
  }

  @Test func `a .sub file without its index is read, with colours that are guessed`() async throws {
    let written = try await author(
      "--trait", "vobsub-v17-the-second-stream-of-a-file", "--output", folder.file("o.idx"))
    #expect(written.status == 0)
    let sub = try folder.write(try folder.read("o.sub"), to: "alone.sub")
    let run = try await BuiltProgram.run(["lint", sub])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.text.contains("alone.sub: track 1 (vobsub): 0 errors, 1 warning"), "\(run.text)")
    #expect(run.text.contains("[vobsub.palette-guessed] 00:00:01.000 byte 2077"), "\(run.text)")
  }

  @Test func `the comparison names XSUB's late times and files that libavformat refuses`()
    async throws
  {
    let id = "xsub-a-containers-time-far-from-the-texts-is-believed"
    let avi = folder.file("o.avi")
    let idx = folder.file("o.idx")
    #expect(try await author("--trait", id, "--output", avi).status == 0)
    let late = try await BuiltProgram.run(["lint", "--compare", avi])
    #expect(late.text.contains("takes the packet's time for microseconds"), "\(late.text)")
    #expect(
      try await author("--trait", "vobsub-a-time-before-the-film", "--output", idx).status == 0)
    let refused = try await BuiltProgram.run(["lint", "--compare", idx])
    #expect(refused.status == 0, "\(refused.errors)")
    #expect(refused.text.contains("[compare.refused]"), "\(refused.text)")
  }

  @Test func `ways that do not go together are refused`() async throws {
    let file = folder.file("o.sup")
    for options in [
      [], ["--check"], ["--trait", "x"], ["--trait-suite", "d", "--output", file],
      ["--list-traits", "--trait-suite", "d"], ["t.srt"],
      ["--trait", "x", "--output", file, "--format", "pgs"],
    ] {
      let run = try await BuiltProgram.run(["author"] + options)
      #expect(run.status == 64, "\(options)")
    }
  }
}
