// SPDX-License-Identifier: Apache-2.0
internal import BurnInNegotiation
internal import Burnscope
internal import CommandArguments
internal import Dispatch
internal import MediaContainer

/// `burnscope probe`: the subtitle tracks of files.
struct ProbeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "probe",
    abstract: "List the subtitle tracks of media files and count their cues.",
    discussion: """
      One row a subtitle track: stream index, FFmpeg's specifier, coding, language, canvas, cues,
      forced cues, the first cue's start, the last cue's end, flags, title. For a single file, or
      with --details, some lines a bitmap track follow: objects shown and forced, canvases, what the
      colours look like and why, pages of DVB, and how the cues are spread over the film.

        burnscope probe film.mkv
        burnscope probe --recursive films --json
        burnscope probe disc.idx --decoder libavcodec

      Cues are counted from segments and their headers by Burnscope's own readers; no picture is
      decoded, and of Matroska films only the subtitles are read. --decoder libavcodec counts the cues
      that FFmpeg's decoder gives, as a server that burns in sees them: it decodes every picture and
      reads the whole file, so it takes longer, and colours, canvases and pages are not known.

      Reads .mkv, .mks, .webm, .mp4, .ts, .m2ts, .vob, .avi, .sup, .idx (with its .sub), .sub alone,
      and raw .pes files of DVB subtitles (not with --decoder libavcodec). docs/probe.md describes
      the output.

      Exit codes: 0 done; 64 usage; 65 a file is damaged or no media file; 66 no such file, or not
      readable; 130 interrupted.
      """)

  @Argument(help: "Media files; with --recursive also folders.") var files: [String]
  @Flag(help: "Print JSON, as docs/probe.md describes it.") var json: Bool
  @Flag(help: "Tell of several files too what is told of one: objects, colours, pages, coverage.")
  var details: Bool
  @Option(help: "Whose cues are counted: those of our own readers, or libavcodec's.")
  var decoder: DecoderChoice = .native
  @Option(
    help: "Show the index that a server gives each track, files beside the film counted.")
  var serverOrder: AnsweringServer?
  @Flag(help: "Look for media files in folders and the folders within.") var recursive: Bool

  func validate() throws {
    guard !recursive, let folder = files.first(where: { Probe.isFolder($0) }) else { return }
    throw ValidationError("'\(folder)' is a folder; give '--recursive' to probe the files in it.")
  }

  func run() async throws {
    let job = ProbeJob(
      paths: files, json: json, details: details, decoder: decoder, server: serverOrder?.kind)
    let cancellation = CancellationFlag()
    let status = try await withTaskCancellationHandler {
      // Reading blocks: it must not hold a thread of the concurrency pool.
      try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global().async {
          continuation.resume(with: Result { try job.run(cancellation) })
        }
      }
    } onCancel: {
      cancellation.cancel()
    }
    if status != 0 { throw ExitCode(status) }
  }
}

/// The work of one `probe` command.
private struct ProbeJob: Sendable {
  let paths: [String]
  let json: Bool
  let details: Bool
  let decoder: DecoderChoice
  let server: ServerKind?

  /// Probes all files and prints what was found.
  ///
  /// - Returns: The exit status.
  func run(_ cancellation: CancellationFlag) throws -> Int32 {
    var status: Int32 = 0
    var found: [ProbedFile] = []
    let progress = Progress()
    defer { progress.finish() }
    let files = listed(&status)
    for (index, file) in files.enumerated() {
      let place = files.count > 1 ? "\(index + 1)/\(files.count) " : ""
      do {
        var probed = try Probe.file(
          file.path, decoder: decoder, cancellation: cancellation
        ) { part in
          progress.show("\(place)\(Int(part * 100)) % \(file.path)")
        }
        if cancellation.isCancelled { throw CancellationError() }
        probed.serverOrder = try server.map {
          try ServerOrder.predicted(for: file.path, kind: $0)
        }
        if probed.isDamaged {
          StandardError.warn("\(file.path): is damaged; what could be read is listed.")
          status = Self.graver(status, ExitStatus.damagedInput)
        }
        if json {
          found.append(probed)
        } else {
          StandardOutput.write(
            (index > 0 ? "\n" : "")
              + ProbeTable.text(probed, details: details || files.count == 1))
        }
      } catch let error as MediaError {
        report(error, file)
        status = Self.graver(status, ExitStatus.describe(error).status)
      }
    }
    if json { StandardOutput.write(Probe.json(found)) }
    return status
  }

  /// A file to probe, and whether it was found in a folder.
  private struct Listed {
    var path: String
    var isFromFolder: Bool
  }

  private func listed(_ status: inout Int32) -> [Listed] {
    var files: [Listed] = []
    for path in paths {
      guard Probe.isFolder(path) else {
        files.append(Listed(path: path, isFromFolder: false))
        continue
      }
      let inside = Probe.mediaFiles(in: path) { folder, reason in
        StandardError.warn("\(folder): cannot be listed: \(reason).")
        status = Self.graver(status, ExitStatus.noInput)
      }
      files += inside.map { Listed(path: $0, isFromFolder: true) }
    }
    return files
  }

  private func report(_ error: MediaError, _ file: Listed) {
    let sentence = error.description.hasSuffix(".") ? error.description : "\(error)."
    if file.isFromFolder {
      StandardError.warn(sentence)
    } else {
      StandardError.fail(sentence)
    }
  }

  /// Damage in one file counts more than the lack of another.
  private static func graver(_ left: Int32, _ right: Int32) -> Int32 {
    let order: [Int32] = [0, ExitStatus.noInput, ExitStatus.damagedInput, ExitStatus.failure]
    return order.last { $0 == left || $0 == right } ?? right
  }
}
