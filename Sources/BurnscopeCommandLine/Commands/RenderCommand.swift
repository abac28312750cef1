// SPDX-License-Identifier: Apache-2.0
internal import Burnscope
internal import CommandArguments
internal import Compositing
internal import Dispatch
internal import MediaContainer
internal import PNGCoding
internal import SubtitleModel

/// `burnscope render`: reference frames.
struct RenderCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "render",
    abstract: "Draw the cues of a bitmap subtitle track as a server would burn them in.",
    discussion: """
      One of --at, --cues and --sheet says what is drawn.

      The layout is how the subtitle canvas is fitted to the frame: plain (pixel by pixel from the
      top left corner), jellyfin-10.8 (stretched), jellyfin-10.9 (fitted to the height, centred,
      padded, cropped), jellyfin (10.10 to 12: stretched where both aspect ratios agree, else as
      10.9), emby-3.5 (fitted inside, top left). Without --layout it is jellyfin on a video
      background, else plain. The frame has the video's size unless --size is given; in the plain
      layout without video it has the canvas's.

      --colors server converts and draws as the servers' FFmpeg does: by BT.601 whatever the video's
      matrix, later objects replacing earlier ones, objects that reach past the canvas left out.
      --colors authored uses the video's matrix, composites the objects and clips them. Without a
      video background colours are the track's own either way.

      --decoder libavcodec sees a track with the eyes of a server that burns in by FFmpeg. --decoder
      native draws what the stream says: crops, windows, every step of a sub-picture, palettes that
      change; --colors is authored then unless given. With --at it begins to decode near the time.
      'burnscope lint --compare' lists where both differ, and why.

      With a video background the frame is the first one at or after the time.
      """)

  @Argument(help: "The media file; for VobSub the .idx file; a raw .sup or .pes.") var file: String
  @Option(help: "The track: its stream index, or s:N for the N-th subtitle stream from 0.")
  var track: TrackSelector
  @Option(
    help: ArgumentHelp(
      "Draw what is on screen at a time: 62.5, 01:02.5 or 00:01:02.5.", valueName: "time"))
  var at: Timestamp?
  @Option(
    help: ArgumentHelp("The PNG file that --at writes.", valueName: "png"))
  var output: String?
  @Option(
    help: ArgumentHelp("Write each cue and a manifest.json into a folder.", valueName: "folder"))
  var cues: String?
  @Option(help: ArgumentHelp("Write a contact sheet of all cues.", valueName: "png"))
  var sheet: String?
  @Option(
    help: ArgumentHelp(
      "What cues are drawn on: transparent, video or #RRGGBB.", valueName: "background"))
  var background: RenderBackground = .transparent
  @Option(help: ArgumentHelp("The frame's size, such as 1280x720.", valueName: "size"))
  var size: FrameSize?
  @Option(help: "How the canvas is fitted to the frame.") var layout: Layout?
  @Option(help: "Whose habits of colour and drawing: server, or authored with --decoder native.")
  var colors: RenderColors?
  @Option(
    help: "Whose cues: libavcodec's, as a server sees the track, or those of our own decoder.")
  var decoder: DecoderChoice = .libavcodec
  @Flag(help: "With --decoder native: each step of a fade is a cue of its own.")
  var sets: Bool
  @Flag(help: "With --cues: write the whole frame, and not only the cue's part of it.")
  var wholeCanvas: Bool
  @Flag(help: "Replace files that exist.") var force: Bool

  func validate() throws {
    guard [at != nil, cues != nil, sheet != nil].filter({ $0 }).count == 1 else {
      throw ValidationError("Exactly one of '--at', '--cues' and '--sheet' must be given.")
    }
    if at != nil && output == nil { throw ValidationError("'--at' needs '--output'.") }
    if at == nil && output != nil { throw ValidationError("'--output' goes with '--at' only.") }
    if sets && (decoder != .native || at != nil) {
      throw ValidationError("'--sets' goes with '--decoder native' and '--cues' or '--sheet'.")
    }
    if wholeCanvas && cues == nil {
      throw ValidationError("'--whole-canvas' goes with '--cues' only.")
    }
  }

  func run() async throws {
    let job = RenderJob(
      path: file, track: track, at: at, output: output, cues: cues, sheet: sheet,
      options: RenderOptions(
        background: background, size: size?.canvas, layout: layout,
        colors: colors ?? (decoder == .native ? .authored : .server)),
      decoder: decoder, separatesSteps: sets, wholeCanvas: wholeCanvas,
      writer: RenderOutput(replacesFiles: force, inputs: [file]))
    let cancellation = CancellationFlag()
    try await withTaskCancellationHandler {
      // Decoding blocks: it must not hold a thread of the concurrency pool.
      try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global().async {
          continuation.resume(with: Result { try job.run(cancellation) })
        }
      }
    } onCancel: {
      cancellation.cancel()
    }
  }
}

/// The work of one `render` command.
private struct RenderJob: Sendable {
  let path: String
  let track: TrackSelector
  let at: Timestamp?
  let output: String?
  let cues: String?
  let sheet: String?
  let options: RenderOptions
  let decoder: DecoderChoice
  let separatesSteps: Bool
  let wholeCanvas: Bool
  let writer: RenderOutput

  func run(_ cancellation: CancellationFlag) throws {
    for path in [output, sheet].compactMap({ $0 }) { try writer.check(path) }
    let progress = Progress()
    defer { progress.finish() }
    let renderer = try Renderer(
      path: path, track: track, decoder: decoder, isForMoments: at != nil,
      separatesSteps: separatesSteps, cancellation: cancellation
    ) { part in
      progress.show("Reading \(Int(part * 100)) %")
    }
    progress.finish()
    for warning in renderer.warnings { StandardError.warn(warning) }
    let count = renderer.track.cues.count
    if at == nil { warnOfObjectsLeftOut(renderer) }
    let countUp: (Int) -> Void = { done in progress.show("Drawing cue \(done + 1) of \(count)") }
    if let at, let output {
      try draw(at, with: renderer, to: output)
    } else if let cues {
      let written = try renderer.writeCues(
        to: cues, options: options, wholeCanvas: wholeCanvas, output: writer, progress: countUp)
      progress.finish()
      StandardError.write("Wrote \(written) pictures and manifest.json to \(cues).\n")
    } else if let sheet {
      let files = try renderer.writeSheet(
        to: sheet, options: options, output: writer, progress: countUp)
      progress.finish()
      StandardError.write("Wrote \(files.joined(separator: ", ")).\n")
    }
  }

  /// Says how many cues FFmpeg does not draw whole, where its habits are followed.
  private func warnOfObjectsLeftOut(_ renderer: Renderer) {
    guard options.colors == .server else { return }
    let count = renderer.track.cues.count {
      !$0.objectsLeftOut(on: renderer.canvas(of: $0)).isEmpty
    }
    guard count > 0 else { return }
    StandardError.warn(
      "\(count) cues have objects that reach past their canvas and are left "
        + "out, as FFmpeg does; '--colors authored' draws them clipped.")
  }

  private func draw(_ time: Timestamp, with renderer: Renderer, to output: String) throws {
    let picture = try renderer.picture(at: time, options: options)
    if options.background == .video {
      let name = picture.cue.map { decoder == .native ? "a cue" : "cue \($0.index + 1)" }
      let cue = name ?? "no cue"
      StandardError.write("The frame at \(picture.time) is drawn, with \(cue).\n")
    }
    if picture.cue == nil {
      let next =
        try renderer.nextCue(after: picture.time).map { "next cue at \($0.start)" }
        ?? "no cue follows"
      StandardError.write("No cue on screen at \(picture.time); \(next).\n")
    }
    if !picture.leftOut.isEmpty {
      StandardError.warn(
        "\(picture.leftOut.count) of the cue's objects reach past the canvas of "
          + "\(renderer.canvas(of: picture.cue)) and are left out, as FFmpeg does; '--colors authored' draws them clipped."
      )
    }
    try writer.write(try PNG.encode(picture.bitmap), to: output)
  }
}
