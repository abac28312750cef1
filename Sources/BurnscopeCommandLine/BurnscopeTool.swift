// SPDX-License-Identifier: Apache-2.0
internal import CommandArguments
internal import Glibc
internal import MediaContainer

/// The `burnscope` program: reads the command line, runs the command, ends with its status.
public enum BurnscopeTool {
  /// The version that `--version` prints.
  package static let version = "0.1.0"

  /// Runs the program's own command line and ends the process.
  public static func main() async {
    holdStandardStreams()
    let words = Array(CommandLine.arguments.dropFirst())
    let status = await Interruption.run { await run(words) }
    StandardOutput.flush()
    exit(status)
  }

  /// Takes the place of standard streams that the caller closed, so that no file that is opened
  /// later gets their number and with it what is printed; using them fails as if closed.
  private static func holdStandardStreams() {
    for number in Int32(0)...2 where fcntl(number, F_GETFD) == -1 {
      _ = open("/dev/null", number == 0 ? O_WRONLY : O_RDONLY)
    }
  }

  /// Runs a command line; prints what it says.
  ///
  /// - Parameter words: The command line without the program's name.
  /// - Returns: The exit status.
  package static func run(_ words: [String]) async -> Int32 {
    do {
      try checkLibraryVersions()
    } catch {
      StandardError.fail("\(error)")
      return ExitStatus.failure
    }
    let outcome = await RootCommand.outcome(of: words, describe: ExitStatus.describe)
    if !outcome.output.isEmpty { StandardOutput.write(outcome.output) }
    if !outcome.errorOutput.isEmpty { StandardError.write(outcome.errorOutput) }
    return outcome.status
  }
}

/// `burnscope` itself.
struct RootCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "burnscope",
    abstract: "Prove whether a media server really burned a bitmap subtitle into the picture.",
    discussion: """
      Exit codes: 0 done and, for verify, burned in; 1 decided otherwise, errors found by lint, or
      the run failed;
      2 one of equals, or cannot decide; 64 usage; 65 damaged input; 66 no input;
      69 server unreachable; 77 not authorized; 130 interrupted.
      """,
    version: "burnscope \(BurnscopeTool.version)",
    subcommands: [
      ProbeCommand.self,
      RenderCommand.self,
      LintCommand.self,
      DumpCommand.self,
      AuthorCommand.self,
      NegotiateCommand.self,
      ServeCommand.self,
      VerifyCommand.self,
    ])
}
