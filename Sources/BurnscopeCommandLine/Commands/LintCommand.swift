// SPDX-License-Identifier: Apache-2.0
internal import Burnscope
internal import CommandArguments
internal import MediaContainer

/// `burnscope lint`: what is wrong with subtitle tracks.
struct LintCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lint",
    abstract: "Tell what is wrong with bitmap subtitle tracks: which rule, where, and its source.",
    discussion: """
      Each track is read and decoded by Burnscope's own decoders. A finding has a severity, the name
      of the rule, the time, the absolute offset of the byte at fault, what was made of it, and
      where the rule stands. Errors: something of a picture or its time is lost or made up.
      Warnings: against the rules, or repaired by a guess, so that players differ. Notes: worth
      knowing; every player copes.

        burnscope lint film.mkv
        burnscope lint disc.idx --track s:1 --compare
        burnscope lint *.sup --format json

      --compare draws each picture by libavcodec too, as a server that burns in would, and tells where
      the pixels differ, how many, and by which known cause.

      Reads what probe reads, and raw .pes files of DVB subtitles. docs/lint.md lists the rules.

      Exit codes: 0 no errors; 1 findings of severity error; 64 usage; 65 a file cannot be read as
      media or has no bitmap track; 66 no such file, or not readable; 130 interrupted.
      """)

  @Argument(help: "Media files; for VobSub the .idx file.") var files: [String]
  @Option(
    help: ArgumentHelp(
      "Only this track: its stream index, or s:N for the N-th subtitle stream from 0.",
      valueName: "track"))
  var track: TrackSelector?
  @Flag(help: "Draw each picture by libavcodec too and tell where it differs.") var compare: Bool
  @Option(help: "How findings are printed.") var format: LintFormat = .text

  func run() async throws {
    let job = LintJob(paths: files, track: track, compares: compare, format: format)
    let status = try await BlockingWork.run { try job.run($0) }
    if status != 0 { throw ExitCode(status) }
  }
}

/// How findings are printed.
enum LintFormat: String, CaseIterable, ExpressibleByArgument {
  /// A line each.
  case text
  /// One document.
  case json
}

/// The work of one `lint` command.
private struct LintJob: Sendable {
  let paths: [String]
  let track: TrackSelector?
  let compares: Bool
  let format: LintFormat

  /// Looks at all files and prints what was found.
  ///
  /// - Returns: The exit status: a file that could not be read counts more than findings.
  func run(_ cancellation: CancellationFlag) throws -> Int32 {
    var found: [LintedFile] = []
    var status: Int32 = 0
    let progress = Progress()
    defer { progress.finish() }
    for (index, path) in paths.enumerated() {
      let place = paths.count > 1 ? "\(index + 1)/\(paths.count) " : ""
      do {
        let file = try Lint.file(
          path, track: track, compares: compares, cancellation: cancellation
        ) { part in
          progress.show("\(place)\(Int(part * 100)) % \(path)")
        }
        if file.hasErrors, status == 0 { status = ExitStatus.failure }
        if format == .json {
          found.append(file)
        } else {
          StandardOutput.write(file.text.withoutControls)
        }
      } catch let error as MediaError {
        let sentence = error.description
        StandardError.fail(sentence.hasSuffix(".") ? sentence : sentence + ".")
        status = max(status, ExitStatus.describe(error).status)
      }
    }
    if format == .json { StandardOutput.write(Lint.json(found)) }
    return status
  }
}
