// SPDX-License-Identifier: Apache-2.0
internal import Burnscope
internal import CommandArguments
internal import Dispatch
internal import MediaContainer
internal import SubtitleAuthoring
internal import SubtitleModel

/// `burnscope author`: makes subtitle files of pictures, texts and times.
struct AuthorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "author",
    abstract: "Make a subtitle file from pictures and times, or from a text.",
    discussion: """
      The input is a script (.json, described in docs/author.md) or a SubRip text (.srt). The output's \
      suffix decides what is written: .sup (PGS), .idx with .sub (VobSub), .mkv or .mks (PGS unless \
      --format says otherwise), .ts (DVB), .m2ts (PGS), .avi (XSUB).

      --trait-suite writes small files of everything that bitmap subtitles do to decoders, with the \
      pictures expected of them and a manifest; --trait writes one of them.
      """)

  /// The formats by name.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case pgs
    case vobsub
    case dvb
    case xsub

    var codec: SubtitleCodec {
      switch self {
      case .pgs: .pgs
      case .vobsub: .vobsub
      case .dvb: .dvb
      case .xsub: .xsub
      }
    }
  }

  @Argument(help: "The script (.json) or text (.srt).")
  var input: String?

  @Option(
    name: .customLong("output"),
    help: ArgumentHelp(
      "The file to write: .sup, .idx, .mkv, .mks, .ts, .m2ts or .avi.", valueName: "file"))
  var output: String?

  @Option(help: "The coding of tracks that name none.")
  var format: Format?

  @Option(help: ArgumentHelp("The canvas of tracks that name none.", valueName: "WxH"))
  var canvas: String?

  @Option(
    help: ArgumentHelp("The language of tracks that name none, such as eng.", valueName: "code"))
  var language: String?

  @Option(help: "The title of tracks that name none.")
  var title: String?

  @Flag(help: "Set the forced flag of all tracks and mark all their cues as forced.")
  var forced: Bool

  @Option(help: ArgumentHelp("A font file to draw texts with.", valueName: "file"))
  var font: String?

  @Option(
    help: ArgumentHelp(
      "A media file whose video and audio are copied beside the tracks.", valueName: "file"))
  var film: String?

  @Flag(help: "Replace the output if it exists.")
  var force: Bool

  @Option(
    name: .customLong("trait-suite"),
    help: ArgumentHelp(
      "Write the suite of traits, its pictures and its manifest to a folder.", valueName: "folder"))
  var traitSuite: String?

  @Flag(
    help: "With --trait-suite: write nothing, but read the suite with both decoders and tell.")
  var check: Bool

  @Option(help: ArgumentHelp("Write one trait of the suite to --output.", valueName: "name"))
  var trait: String?

  @Flag(name: .customLong("list-traits"), help: "List the traits of the suite.")
  var listTraits: Bool

  func validate() throws {
    try validateTraits()
    if let canvas, parsedCanvas == nil {
      throw ValidationError(
        "'\(canvas)' is no canvas; write it as 1920x1080, each side from 8 to 65535.")
    }
  }

  private var parsedCanvas: Canvas? {
    guard let sides = canvas?.split(separator: "x", omittingEmptySubsequences: false),
      sides.count == 2, let width = Int(sides[0]), let height = Int(sides[1]),
      (8...65_535).contains(width), (8...65_535).contains(height)
    else { return nil }
    return Canvas(width: width, height: height)
  }

  /// Exactly one of the ways to use the command.
  private func validateTraits() throws {
    let ways = [input != nil, traitSuite != nil, trait != nil, listTraits].count { $0 }
    guard ways == 1 else {
      throw ValidationError(
        "State one of: a script or text, --trait-suite, --trait, --list-traits.")
    }
    guard (output != nil) == (input != nil || trait != nil) else {
      throw ValidationError(
        output == nil
          ? "--output is missing: the file to write." : "--output does not go with that.")
    }
    guard !check || traitSuite != nil else {
      throw ValidationError("--check goes with --trait-suite.")
    }
    let isPlain = format == nil && canvas == nil && language == nil && title == nil
    guard input != nil || isPlain && !forced && font == nil && film == nil else {
      throw ValidationError("Traits are as they are: of the other options only --force applies.")
    }
  }

  func run() async throws {
    guard let input, let output else {
      let job = TraitJob(self)
      return try await BlockingWork.run { try job.run($0) }
    }
    try await author(input, output)
  }

  private func author(_ input: String, _ output: String) async throws {
    var request = AuthoringRequest(input: input, output: output)
    request.format = format?.codec
    request.canvas = parsedCanvas
    request.language = language
    request.title = title
    request.isForced = forced
    request.fontFile = font
    request.film = film
    request.overwrites = force
    let report: AuthoringReport
    do {
      report = try await Self.report(of: request)
    } catch let fault as AuthoringFault {
      StandardError.fail("\(fault)")
      throw ExitCode(Self.status(of: fault))
    }
    for warning in report.warnings { StandardError.warn("\(warning)") }
    for font in report.fonts { StandardError.write("Font: \(font.onOneLine)\n") }
    for file in report.files { StandardOutput.write("\(file)\n") }
  }

  /// Does the work on a thread of its own; the task's cancellation ends it.
  private static func report(of request: AuthoringRequest) async throws -> AuthoringReport {
    let cancellation = CancellationFlag()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global().async {
          continuation.resume(
            with: Result { try Authoring.run(request, cancellation: cancellation) })
        }
      }
    } onCancel: {
      cancellation.cancel()
    }
  }

  private static func status(of fault: AuthoringFault) -> Int32 {
    switch fault.kind {
    case .request: ExitCode.validationFailure.rawValue
    case .input: ExitStatus.damagedInput
    case .missingInput: ExitStatus.noInput
    case .output, .library: ExitStatus.failure
    }
  }
}
