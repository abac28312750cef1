// SPDX-License-Identifier: Apache-2.0
internal import CommandArguments
internal import Glibc
internal import ReferenceServer

/// `burnscope serve`: the stand-in server.
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Serve films as a media server does, with real burn-in and faults on request.",
    discussion: """
      Prints one line 'Listening on http://HOST:PORT' and one line an item: its id, a tab, its file.
      Signing in: user 'burnscope' with password 'burnscope', unless --user says otherwise; the
      variable BURNSCOPE_SERVE_TOKEN holds a token that is accepted as an API key.
      Needs the programs ffmpeg and ffprobe. Ends at Ctrl-C.

      Exit codes: 130 ended by Ctrl-C; 1 it cannot listen, or a program is missing; 64 usage;
      65 a file is no film or no recorded exchange; 66 no such file.

      Faults:
      \(faultTable)
      """)

  @Argument(help: "Films to serve.")
  var file: [String] = []

  @Option(help: "Numeric address to listen on.")
  var host = "127.0.0.1"

  @Option(help: "Port to listen on; 0 takes a free one.")
  var port = 0

  @Option(
    name: .customLong("as"),
    help: ArgumentHelp(
      "Server to behave like: \(serverNames); jellyfin-10.11 unless stated.",
      valueName: "server"))
  var server: String?

  @Option(help: "Version of Jellyfin to behave like, of 10.8 to 12.")
  var serverVersion: String?

  @Option(help: ArgumentHelp("User who may sign in; may be repeated.", valueName: "name:password"))
  var user: [String] = []

  @Option(help: "Most rows of a transcoded picture.")
  var size: Int?

  @Option(help: "The encoder's preset.")
  var preset: EncoderPreset = .veryfast

  @Option(help: ArgumentHelp("What goes wrong; may be repeated.", valueName: "name[=value]"))
  var fault: [String] = []

  @Option(help: "File that gets one line a request.")
  var log: String?

  @Option(
    help: ArgumentHelp(
      "Folder that gets one file an exchange, secrets replaced.", valueName: "folder"))
  var record: String?

  @Option(
    help: ArgumentHelp(
      "Folder whose recorded answers are given back instead of films.", valueName: "folder"))
  var replay: String?

  func validate() throws { _ = try settings() }

  func run() async throws {
    let server: ReferenceServer
    do {
      server = try await ReferenceServer(settings())
    } catch let error as ReferenceServerError {
      StandardError.fail("\(error)")
      throw ExitCode(Self.status(of: error))
    }
    var text = "Listening on \(server.address)\n"
    for item in server.items { text += "\(item.id)\t\(item.path)\n" }
    StandardOutput.write(text)
    StandardOutput.flush()
    while !Task.isCancelled { try? await Task.sleep(for: .seconds(3600)) }
    await server.stop()
    if let fault = server.recordingFault { StandardError.warn("Not all was recorded: \(fault).") }
  }

  private static func status(of error: ReferenceServerError) -> Int32 {
    switch error.kind {
    case .missingFile: ExitStatus.noInput
    case .noFilm, .recording: ExitStatus.damagedInput
    case .setting, .environment: ExitStatus.failure
    }
  }

  private func settings() throws -> ReferenceServerConfiguration {
    try checkSource()
    var settings = ReferenceServerConfiguration(files: file)
    settings.recordFolder = record
    settings.replayFolder = replay
    settings.host = host
    guard let port = UInt16(exactly: port) else {
      throw ValidationError("The port \(port) is none; choose 0 to 65535.")
    }
    settings.port = port
    settings.version = try version()
    if !user.isEmpty { settings.users = try user.map(Self.account) }
    settings.token = getenv("BURNSCOPE_SERVE_TOKEN").map { String(cString: $0) }
    if let size {
      guard (16...4096).contains(size) else {
        throw ValidationError("The size \(size) is no number of rows; choose 16 to 4096.")
      }
      settings.maximumHeight = size
    }
    settings.preset = preset.rawValue
    settings.logFile = log
    do {
      settings.faults = try fault.map { try Fault($0) }
    } catch let error as ReferenceServerError {
      throw ValidationError(error.description)
    }
    return settings
  }

  /// Films or a recording, not both; a recording answers by itself, whatever else is asked for.
  private func checkSource() throws {
    guard replay != nil else {
      if file.isEmpty {
        throw ValidationError("There is nothing to serve; give a film or --replay.")
      }
      return
    }
    let isAlone =
      file.isEmpty && record == nil && fault.isEmpty && user.isEmpty && size == nil
      && server == nil && serverVersion == nil
    guard isAlone else {
      throw ValidationError(
        "--replay gives recorded answers as they are; beside it stand only --host, --port and "
          + "--log.")
    }
  }

  private func version() throws -> ServerVersion {
    switch (server, serverVersion) {
    case (nil, nil): return .standard
    case (let name?, nil):
      if let version = ServerVersion(named: name) { return version }
      throw ValidationError("The server '\(name)' is unknown; choose \(Self.serverNames).")
    case (nil, let text?):
      if let version = ServerVersion(text) { return version }
      throw ValidationError(
        "The version '\(text)' is unknown; choose one of 10.8 to 10.11 or 12, such as 10.10.7.")
    default: throw ValidationError("--as and --server-version say the same; give one of them.")
    }
  }

  private static var serverNames: String {
    let names = ServerVersion.names.map(\.name)
    return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
  }

  private static func account(_ text: String) throws -> ReferenceServerConfiguration.User {
    guard let colon = text.firstIndex(of: ":"), colon != text.startIndex else {
      throw ValidationError("A --user is written NAME:PASSWORD.")
    }
    return .init(name: String(text[..<colon]), password: String(text[text.index(after: colon)...]))
  }

  private static var faultTable: String {
    let width = (Fault.forms.map(\.form.count).max() ?? 0) + 2
    return Fault.forms.map { form, effect in
      "  \(form)\(String(repeating: " ", count: width - form.count))\(effect)"
    }.joined(separator: "\n")
  }
}

/// The presets of x264, the fastest first.
enum EncoderPreset: String, CaseIterable, ExpressibleByArgument {
  case ultrafast, superfast, veryfast, faster, fast, medium, slow, slower, veryslow
}
