// SPDX-License-Identifier: Apache-2.0
internal import BurnInVerification
internal import Burnscope
internal import CommandArguments
internal import Compositing
internal import MediaContainer
internal import MediaServer
internal import SubtitleModel

/// `burnscope verify`.
struct VerifyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Decide from the picture whether a track is burned into a live transcode.",
    discussion: """
      A stream and the file that it was made of:
        burnscope verify --hls http://host/master.m3u8 --source film.mkv --track s:1
      An item of a Jellyfin or Emby server; --track is then the server's own stream index, the number that
      a client sends as SubtitleStreamIndex:
        BURNSCOPE_TOKEN=… burnscope verify --server http://host:8096 --item ID --track 4

      The server is asked as BURNSCOPE_TOKEN (an access token or API key), or as BURNSCOPE_USER with
      BURNSCOPE_PASSWORD. Without --source the film is read from the server by byte ranges. The
      transcode is always stopped afterwards.

      Verdicts: burned-in, not-burned, wrong-track, wrong-geometry, wrong-time, flawed (partial,
      stuck, double, also-drawn, faint, off-colour), one-of-equals, cannot-decide.
      Exit codes: 0 burned-in; 1 any other decision, or a failed run; 2 one-of-equals and
      cannot-decide; 64 usage; 65 damaged input; 66 no input; 69 server unreachable;
      77 not authorized; 130 interrupted.
      """)

  @Option(help: ArgumentHelp("A master or media playlist.", valueName: "url"))
  var hls: String?
  @Option(help: ArgumentHelp("A Jellyfin or Emby server's address.", valueName: "url"))
  var server: String?
  @Option(help: ArgumentHelp("The server's item.", valueName: "id"))
  var item: String?
  @Option(
    help: ArgumentHelp(
      "The file that the transcode is made of (.mkv, .mp4, .ts, …; a .sup or .idx is compared blind).",
      valueName: "file"))
  var source: String?
  @Option(
    help: ArgumentHelp(
      "The track asked for: the container's stream index or s:N; with --server, the server's index.",
      valueName: "t"))
  var track: String
  @Option(
    help: ArgumentHelp(
      "The earliest time looked at: 62.5, 01:02.5 or 00:01:02.5.", valueName: "time"))
  var from: Timestamp?
  @Option(help: ArgumentHelp("The latest time looked at.", valueName: "time"))
  var to: Timestamp?
  @Option(help: "The layout that must be met; otherwise the server's, or any known one.")
  var layout: Layout?
  @Option(
    help: "Whose cues are looked for: libavcodec's, as a server sees them, or our own decoder's.")
  var decoder: DecoderChoice = .libavcodec
  @Flag(help: "Leave the source's own frames aside.")
  var blind: Bool
  @Option(help: ArgumentHelp("Ask the server for at most so many rows.", valueName: "rows"))
  var maxHeight: Int?
  @Option(
    help: ArgumentHelp("Ask the server for at most so many bits a second.", valueName: "bits"))
  var maxBitrate: Int?
  @Option(help: "Ask the server for segments of this container.")
  var container: SegmentContainer = .ts
  @Option(
    name: .customLong("device-id"),
    help: ArgumentHelp("The device to be; otherwise a new one each time.", valueName: "id"))
  var deviceID: String?
  @Option(
    help: ArgumentHelp("Certificates to trust instead of the system's, PEM.", valueName: "file"))
  var caFile: String?
  @Option(help: ArgumentHelp("Seed of the choice among cues.", valueName: "number"))
  var seed: Int = 0
  @Flag(help: "Print the result as JSON.")
  var json: Bool
  @Option(
    help: ArgumentHelp(
      "Write expected picture, frame and difference of each cue looked at, and a report.",
      valueName: "dir"))
  var evidence: String?
  @Flag(help: "Overwrite evidence that is there already.")
  var force: Bool

  func validate() throws {
    switch (hls, server) {
    case (nil, nil): throw ValidationError("Give --hls with --source, or --server with --item.")
    case (.some, .some): throw ValidationError("Give either --hls or --server, not both.")
    case (.some, nil):
      guard source != nil else {
        throw ValidationError("--hls needs --source, the file that the stream is made of.")
      }
      guard TrackSelector(track) != nil else {
        throw ValidationError(
          "--track must be a stream index such as 3, or s:N for the N-th subtitle stream.")
      }
    case (nil, .some):
      guard item != nil else { throw ValidationError("--server needs --item.") }
      guard Int(track) != nil else {
        throw ValidationError("With --server, --track is the server's stream index, a number.")
      }
    }
    if let from, let to, to <= from { throw ValidationError("--to must lie behind --from.") }
    if let maxHeight, maxHeight < 16 { throw ValidationError("--max-height must be 16 or more.") }
    if let maxBitrate, maxBitrate < 1 { throw ValidationError("--max-bitrate must be positive.") }
    if seed < 0 { throw ValidationError("--seed must not be negative.") }
  }

  func run() async throws {
    // A missing file would look like a fault of the connection.
    if let caFile { _ = try LocalFile(path: caFile) }
    let target = try target()
    var options = VerificationOptions()
    options.from = from
    options.to = to
    options.layout = layout
    options.isBlind = blind
    options.decoder = decoder
    options.seed = UInt64(seed)
    options.certificateAuthorityFile = caFile
    options.wantsEvidence = evidence != nil
    let folder = try evidence.map { try EvidenceFolder(path: $0, overwrites: force) }
    let progress = Progress()
    let report: VerificationReport
    do {
      report = try await verifyBurnIn(target, options: options) { progress.show($0) }
      progress.finish()
    } catch {
      progress.finish()
      throw error
    }
    try folder?.write(report)
    StandardOutput.write(json ? try VerificationText.json(report) : VerificationText.text(report))
    if let folder { StandardError.write("Evidence is in \(folder.reportPath.onOneLine).\n") }
    let status = report.result.verdict.exitCode
    if status != 0 { throw ExitCode(status) }
  }

  private func target() throws -> VerificationTarget {
    if let hls, let source, let selector = TrackSelector(track) {
      return .stream(playlistURL: hls, source: source, track: selector)
    }
    guard let server, let item, let index = Int(track) else {
      throw ValidationError("Give --hls with --source, or --server with --item.")
    }
    var asked = VerificationServer(
      baseURL: server, credentials: try ServerCredentials.fromEnvironment())
    asked.deviceID = deviceID
    asked.maximumHeight = maxHeight
    if let maxBitrate { asked.maximumBitrate = maxBitrate }
    asked.container = container
    return .server(asked, item: item, streamIndex: index, source: source)
  }
}
