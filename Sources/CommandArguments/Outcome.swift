// SPDX-License-Identifier: Apache-2.0
import Glibc

/// What a run of a command line says and how it ends.
public struct CommandOutcome: Sendable, Hashable {
  /// The exit status.
  public var status: Int32
  /// What goes to standard output.
  public var output: String
  /// What goes to standard error.
  public var errorOutput: String

  /// Makes an outcome.
  public init(status: Int32, output: String = "", errorOutput: String = "") {
    self.status = status
    self.output = output
    self.errorOutput = errorOutput
  }
}

extension AsyncParsableCommand {
  /// Reads a command line and runs the command it names.
  ///
  /// - Parameters:
  ///   - words: The command line without the program's name.
  ///   - describe: Turns an error of the run into its status and sentence.
  /// - Returns: The status and the texts still to be printed; a command prints its own results.
  public static func outcome(
    of words: [String], describe: (any Error) -> (status: Int32, message: String)
  ) async -> CommandOutcome {
    let width = terminalWidth()
    do {
      switch try parse(words, root: Self.self) {
      case .help(let path): return CommandOutcome(status: 0, output: helpText(path, width: width))
      case .version(let text): return CommandOutcome(status: 0, output: text + "\n")
      case .run(let command, let path):
        do {
          try await command.run()
          return CommandOutcome(status: 0)
        } catch let error as ExitCode {
          return CommandOutcome(status: error.rawValue)
        } catch let error as ValidationError {
          throw UsageError(message: error.description, path: path)
        } catch CleanExit.helpRequest(_) {
          return CommandOutcome(status: 0, output: helpText(path, width: width))
        }
      }
    } catch let error as UsageError {
      let name = error.path.map { $0.configuration.commandName }.joined(separator: " ")
      return CommandOutcome(
        status: ExitCode.validationFailure.rawValue,
        errorOutput: """
          Error: \(error.message)
          See '\(name) --help'.

          """)
    } catch {
      let (status, message) = describe(error)
      return CommandOutcome(
        status: status, errorOutput: message.isEmpty ? "" : "Error: \(message)\n")
    }
  }
}

/// The columns of the terminal: COLUMNS, else what standard output says, else 80.
func terminalWidth() -> Int {
  if let text = getenv("COLUMNS"), let columns = Int(String(cString: text)), columns > 0 {
    return columns
  }
  var size = winsize()
  if ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
  return 80
}
