// SPDX-License-Identifier: Apache-2.0

/// A group of arguments.
public protocol ParsableArguments {
  /// Makes a value whose arguments are not read yet.
  init()
  /// Refuses combinations by throwing a ``ValidationError``.
  func validate() throws
}

extension ParsableArguments {
  /// Accepts every combination.
  public func validate() throws {}
}

/// What a command is called and what it says of itself.
public struct CommandConfiguration: Sendable {
  /// The word that calls it.
  public var commandName: String
  /// One sentence with a full stop, verb first.
  public var abstract: String
  /// A longer text for `--help`.
  public var discussion: String
  /// What `--version` prints.
  public var version: String
  /// The commands below it.
  public var subcommands: [any AsyncParsableCommand.Type]

  /// Makes a configuration.
  public init(
    commandName: String, abstract: String = "", discussion: String = "", version: String = "",
    subcommands: [any AsyncParsableCommand.Type] = []
  ) {
    self.commandName = commandName
    self.abstract = abstract
    self.discussion = discussion
    self.version = version
    self.subcommands = subcommands
  }
}

/// A command: its properties are its arguments, ``run()`` does the work.
public protocol AsyncParsableCommand: ParsableArguments, SendableMetatype {
  /// Name and texts.
  static var configuration: CommandConfiguration { get }
  /// Does the work; throw ``ExitCode`` to end with a status of its own.
  func run() async throws
}

extension AsyncParsableCommand {
  /// Shows the help text: a command that only has subcommands does no work.
  public func run() async throws { throw CleanExit.helpRequest(Self.self) }
}

/// A combination of arguments that makes no sense; ends with exit code 64.
public struct ValidationError: Error, Sendable, CustomStringConvertible {
  /// The sentence shown.
  public let description: String
  /// Makes an error of its sentence.
  public init(_ description: String) { self.description = description }
}

/// An exit status; prints nothing.
public struct ExitCode: Error, Sendable, Hashable {
  /// The status.
  public let rawValue: Int32
  /// Makes an exit status.
  public init(_ rawValue: Int32) { self.rawValue = rawValue }
  /// All went well.
  public static let success = ExitCode(0)
  /// The run failed.
  public static let failure = ExitCode(1)
  /// The command line is wrong (`EX_USAGE`).
  public static let validationFailure = ExitCode(64)
}

/// An end that is no failure.
public enum CleanExit: Error {
  /// Show the command's help.
  case helpRequest(any AsyncParsableCommand.Type)
}
