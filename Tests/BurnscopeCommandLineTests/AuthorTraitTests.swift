// SPDX-License-Identifier: Apache-2.0
import ChildProcess
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
