// SPDX-License-Identifier: Apache-2.0
internal import BurnInNegotiation
internal import Burnscope
internal import CommandArguments
internal import MediaContainer
internal import MediaServer

/// `burnscope negotiate`.
struct NegotiateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "negotiate",
    abstract: "Ask a server for a burn-in as a careful client does, and judge its answers.",
    discussion: """
      A server is asked twice: without a subtitle, and, only if it transcodes, with the track. The
      second answer plays only if it confirms the burn-in; the first plays otherwise:
        BURNSCOPE_TOKEN=… burnscope negotiate --server http://host:8096 --item ID --track 4
      With --pick-auto no track is named: what Auto chooses by the preferences is shown, and asked
      for. With --direct-play the client says that it plays nearly everything as it is.

      A saved PlaybackInfo answer, or a TranscodingUrl alone, is judged without a server ('-' reads
      standard input):
        burnscope negotiate --answer answer.json --first first.json --track 4
      A player in another language checks its own decisions with a file of test vectors:
        burnscope negotiate --vectors negotiation.json

      Signing in: BURNSCOPE_TOKEN (an access token or API key), or BURNSCOPE_USER with
      BURNSCOPE_PASSWORD.

      Outcomes: confirmed, unconfirmed, failed, direct-play, unplayable, not-asked. A confirmed
      burn-in is a promise; `burnscope verify` looks at the picture.
      Exit codes: 0 confirmed, or all vectors pass; 1 any other outcome; 64 usage; 65 an answer that
      is none; 66 no such file or item; 69 server unreachable; 77 not authorized; 130 interrupted.
      """)

  @Option(help: ArgumentHelp("A Jellyfin or Emby server's address.", valueName: "url"))
  var server: String?
  @Option(help: ArgumentHelp("The server's item.", valueName: "id"))
  var item: String?
  @Option(
    help: ArgumentHelp(
      "The server's stream index of the track, as SubtitleStreamIndex has it.", valueName: "n"))
  var track: Int?
  @Option(
    help: ArgumentHelp(
      "A saved PlaybackInfo answer, or a TranscodingUrl; '-' for standard input.",
      valueName: "file"))
  var answer: String?
  @Option(help: ArgumentHelp("The saved answer to the request without a track.", valueName: "file"))
  var first: String?
  @Option(help: "The server that saved answers are of; otherwise told by the item's id in the URL.")
  var serverKind: AnsweringServer?
  @Option(help: ArgumentHelp("Run a file of test vectors.", valueName: "file"))
  var vectors: String?
  @Flag(help: "Say that the client plays nearly everything as it is.")
  var directPlay: Bool
  @Flag(help: "Show the bodies that were sent.")
  var showRequests: Bool
  @Flag(help: "Let Auto choose the track by the preferences below.")
  var pickAuto: Bool
  @Option(help: ArgumentHelp("Auto: wanted languages, the main one first.", valueName: "eng,fre"))
  var languages: String?
  @Option(help: ArgumentHelp("Auto: the language where none of those is had.", valueName: "code"))
  var backupLanguage: String?
  @Option(help: "Auto: when subtitles are shown.")
  var subtitleMode: AutoPreferences.Mode = .auto
  @Option(
    help: ArgumentHelp(
      "Auto: the language of the sound; otherwise the default track's.", valueName: "code"))
  var audioLanguage: String?
  @Flag(help: "Auto: only forced tracks may play.") var forcedOnly: Bool
  @Flag(help: "Auto: no forced tracks.") var noForced: Bool
  @Flag(help: "Auto: tracks for the hard of hearing come first.") var hearingImpaired: Bool
  @Option(
    help: ArgumentHelp("Ask the server for at most so many bits a second.", valueName: "bits"))
  var maxBitrate: Int?
  @Option(
    name: .customLong("device-id"),
    help: ArgumentHelp("The device to be; otherwise a new one each time.", valueName: "id"))
  var deviceID: String?
  @Option(
    help: ArgumentHelp("Certificates to trust instead of the system's, PEM.", valueName: "file"))
  var caFile: String?
  @Flag(help: "Print the result as JSON.") var json: Bool

  func validate() throws {
    guard [server, answer, vectors].count(where: { $0 != nil }) == 1 else {
      throw ValidationError("Give one of --server with --item, --answer, and --vectors.")
    }
    if vectors != nil { return }
    if let maxBitrate, maxBitrate < 1 { throw ValidationError("--max-bitrate must be positive.") }
    if server != nil, item == nil { throw ValidationError("--server needs --item.") }
    if pickAuto {
      guard server != nil, track == nil else {
        throw ValidationError("--pick-auto goes with --server, and without --track.")
      }
    } else if track == nil {
      throw ValidationError("Give --track, the server's stream index, or --pick-auto.")
    }
    let preferences: [(Bool, String)] = [
      (languages != nil, "--languages"), (backupLanguage != nil, "--backup-language"),
      (audioLanguage != nil, "--audio-language"), (forcedOnly, "--forced-only"),
      (noForced, "--no-forced"), (hearingImpaired, "--hearing-impaired"),
      (subtitleMode != .auto, "--subtitle-mode"),
    ]
    if !pickAuto, let (_, name) = preferences.first(where: \.0) {
      throw ValidationError("\(name) is a preference of Auto; it goes with --pick-auto.")
    }
    if forcedOnly, noForced {
      throw ValidationError("--forced-only and --no-forced exclude each other.")
    }
    let serverOnly: [(Bool, String)] = [
      (item != nil, "--item"), (directPlay, "--direct-play"), (showRequests, "--show-requests"),
      (maxBitrate != nil, "--max-bitrate"), (deviceID != nil, "--device-id"),
      (caFile != nil, "--ca-file"),
    ]
    if answer != nil, let (_, name) = serverOnly.first(where: \.0) {
      throw ValidationError("\(name) goes with --server: a saved answer is judged without one.")
    }
    if first != nil, answer == nil { throw ValidationError("--first goes with --answer.") }
  }

  func run() async throws {
    if let vectors {
      try NegotiationVectorRun.perform(vectors)
      return
    }
    let report = try await report()
    StandardOutput.write(
      json
        ? try NegotiationText.json(report, showsRequests: showRequests)
        : NegotiationText.text(report, showsRequests: showRequests))
    if report.summary.outcome != NegotiationOutcome.confirmed.rawValue { throw ExitCode(1) }
  }

  private func report() async throws -> NegotiationReport {
    guard let answer, let track else { return try await negotiateBurnIn(try wish()) }
    let saved = try SavedAnswer.read(answer, track: track)
    let known = serverKind ?? AnsweringServer(of: saved)
    if known == nil {
      StandardError.write(
        "Nothing in the answer tells whose it is: taken for Jellyfin's. --server-kind says it.\n")
    }
    let judged = judgeBurnIn(
      saved, first: try first.map { try SavedAnswer.read($0, track: track) }, track: track,
      server: (known ?? .jellyfin).kind)
    guard let judged else {
      throw ValidationError("The first answer does not lead to a second request; judge it alone.")
    }
    return judged
  }

  private func wish() throws -> NegotiationWish {
    guard let server, let item else {
      throw ValidationError("Give --server with --item.")
    }
    var asked = VerificationServer(
      baseURL: server, credentials: try ServerCredentials.fromEnvironment())
    asked.deviceID = deviceID
    if let maxBitrate { asked.maximumBitrate = maxBitrate }
    // A missing file would look like a fault of the connection.
    if let caFile { _ = try LocalFile(path: caFile) }
    var wish = NegotiationWish(
      server: asked, item: item, streamIndex: track,
      profile: directPlay ? .directPlay : .transcodeOnly)
    wish.certificateAuthorityFile = caFile
    wish.audioLanguage = audioLanguage
    if pickAuto {
      let codes = languages?.split(separator: ",", omittingEmptySubsequences: false)
        .map { String($0) }
      wish.auto = AutoPreferences(
        language: codes?.first, furtherLanguages: Array((codes ?? []).dropFirst()),
        backupLanguage: backupLanguage, mode: subtitleMode, showsForced: !noForced,
        isForcedOnly: forcedOnly, prefersHearingImpaired: hearingImpaired)
    }
    return wish
  }
}

/// The kind of server that saved answers are of.
enum AnsweringServer: String, CaseIterable, ExpressibleByArgument {
  case jellyfin
  case emby

  var kind: ServerKind { self == .emby ? .emby : .jellyfin }

  /// Tells the server by the item's id in a transcode's URL: Jellyfin's ids have 32 hexadecimal
  /// digits, Emby's are numbers; nil where there is neither.
  init?(of answer: PlaybackAnswer) {
    guard let url = answer.source?.transcodingURL else { return nil }
    let parts = url.prefix { $0 != "?" }.split(separator: "/")
    guard let place = parts.firstIndex(where: { $0.lowercased() == "videos" }),
      place + 1 < parts.endIndex
    else { return nil }
    let id = parts[place + 1].filter { $0 != "-" }
    if id.utf8.count == 32, id.allSatisfy(\.isHexDigit) {
      self = .jellyfin
    } else if !id.isEmpty, id.utf8.count < 20, id.allSatisfy({ $0.isASCII && $0.isNumber }) {
      self = .emby
    } else {
      return nil
    }
  }
}
