// SPDX-License-Identifier: Apache-2.0
public import MediaContainer
internal import SubtitleFormats
internal import SubtitleModel

/// Makes subtitle files of scripts and texts.
public enum Authoring {
  /// A track that is ready to be written.
  struct FinishedTrack: Sendable, Hashable {
    /// What was asked for; format and canvas are decided.
    var track: AuthoredTrack
    /// The display sets of a PGS track.
    var displaySets: [PGSDisplaySet] = []
    /// The packets with the decoder's set-up data.
    var encoded: EncodedTrack
  }

  /// Reads, draws, encodes and writes.
  ///
  /// The output gets its name when it is whole; on a failure nothing is left.
  ///
  /// - Parameters:
  ///   - request: Input, output and options.
  ///   - cancellation: Ends the work early, between two cues or packets.
  /// - Returns: What was written, with warnings.
  /// - Throws: ``AuthoringFault`` that names file, cue and values; `CancellationError` if the work
  ///   was ended early.
  public static func run(
    _ request: AuthoringRequest, cancellation: CancellationFlag? = nil
  ) throws -> AuthoringReport {
    let output = try AuthoringOutput(path: request.output)
    let files =
      output == .vobSubPair ? [request.output, subPath(of: request.output)] : [request.output]
    try checkPlaces(files, request)
    if !request.overwrites, let existing = files.first(where: FileAccess.exists) {
      throw FileAccess.alreadyThere(existing)
    }
    let script = try readScript(request.input)
    let tracks = try decide(script.tracks, request: request, output: output)
    var report = AuthoringReport(files: files, warnings: script.warnings)
    var finished: [FinishedTrack] = []
    for track in tracks {
      finished.append(
        try finish(
          track, fontFile: request.fontFile, cancellation: cancellation, report: &report))
    }
    try TrackWriting.write(
      finished, request: request, output: output, cancellation: cancellation)
    report.trackCount = finished.count
    report.cueCount = tracks.reduce(0) { $0 + $1.cues.count }
    return report
  }

  /// The `.sub` file beside an `.idx` file.
  static func subPath(of index: String) -> String { index.dropLast(4) + ".sub" }

  /// Refuses names that a file must not get.
  private static func checkPlaces(
    _ files: [String], _ request: AuthoringRequest
  ) throws(AuthoringFault) {
    let inputs = [request.input] + [request.film, request.fontFile].compactMap { $0 }
    for file in files {
      do {
        try OutputPlace.check(file, inputs: inputs)
      } catch {
        throw AuthoringFault(
          error.kind == .invalidRequest ? .request : .output, error.description)
      }
    }
  }

  private static func readScript(_ path: String) throws(AuthoringFault) -> AuthoringScript {
    switch path.split(separator: ".").last.map({ $0.lowercased() }) {
    case "json":
      return try ScriptReader.read(try FileAccess.readText(path, mayWait: true), file: path)
    case "srt":
      let text = try SubRip.read(try FileAccess.readText(path, mayWait: true), file: path)
      return AuthoringScript(tracks: [AuthoredTrack(cues: text.cues)], warnings: text.warnings)
    default:
      throw AuthoringFault(.request, "\(path): an input ends with .json (a script) or .srt")
    }
  }

  /// Fills in what the tracks leave open, and refuses what the output cannot hold.
  private static func decide(
    _ tracks: [AuthoredTrack], request: AuthoringRequest, output: AuthoringOutput
  ) throws(AuthoringFault) -> [AuthoredTrack] {
    if output.isBare, tracks.count > 1 {
      throw AuthoringFault(
        .request,
        "\(request.output): holds one track, the script has \(tracks.count); write an .mkv")
    }
    if output.isBare, request.film != nil {
      throw AuthoringFault(
        .request, "\(request.output): cannot hold a film; write an .mkv, .ts or .m2ts")
    }
    var result: [AuthoredTrack] = []
    for (index, asked) in tracks.enumerated() {
      var track = asked
      let format = track.format ?? request.format ?? output.usualFormat
      guard output.formats.contains(format) else {
        let names = output.formats.map(\.rawValue).joined(separator: " or ")
        throw AuthoringFault(
          .request,
          "\(request.output): cannot hold a \(format.rawValue) track; it holds \(names)")
      }
      track.format = format
      let hasImages = track.cues.contains { if case .images = $0.content { true } else { false } }
      track.canvas = track.canvas ?? request.canvas ?? (hasImages ? nil : format.usualCanvas)
      guard track.canvas != nil else {
        throw AuthoringFault(
          .input,
          "\(request.input), track \(index + 1): the canvas is missing; add 'canvas' or --canvas")
      }
      track.language = track.language ?? request.language
      track.title = track.title ?? request.title
      if request.isForced {
        track.flags.insert(.forced)
        for cue in track.cues.indices { track.cues[cue].isForced = true }
      }
      try checkOrder(of: track.cues)
      result.append(track)
    }
    return result
  }

  private static func checkOrder(of cues: [AuthoredCue]) throws(AuthoringFault) {
    for (last, next) in zip(cues, cues.dropFirst()) {
      let bound = last.end ?? last.start
      guard next.start >= bound, next.start > last.start else {
        throw AuthoringFault(
          .input, "\(next.place): begins at \(next.start), before its predecessor ends at \(bound)")
      }
      if let late = (last.paletteUpdates.map(\.time) + last.acquisitionPoints).max(),
        late >= next.start
      {
        throw AuthoringFault(
          .input, "\(last.place): changes at \(late), when the next cue has begun")
      }
    }
  }

  /// Draws and encodes a track.
  private static func finish(
    _ track: AuthoredTrack, fontFile: String?, cancellation: CancellationFlag?,
    report: inout AuthoringReport
  ) throws -> FinishedTrack {
    guard let canvas = track.canvas, let format = track.format else {
      throw AuthoringFault(.request, "a track without canvas or format cannot be encoded")
    }
    var drawer = CueDrawer(canvas: canvas, fontFile: fontFile)
    var drawn: [DrawnCue] = []
    for cue in track.cues {
      try cancellation?.check()
      drawn.append(try drawer.draw(cue))
    }
    report.fonts += drawer.fonts.filter { !report.fonts.contains($0) }
    if format == .pgs {
      let (sets, warnings) = try PGSTrack.displaySets(
        of: drawn, canvas: canvas, cancellation: cancellation)
      report.warnings += warnings
      return FinishedTrack(
        track: track, displaySets: sets, encoded: try encodedTrack(sets, canvas: canvas))
    }
    let cues = try CueTrack.cues(
      of: drawn, codec: format, canvas: canvas, cancellation: cancellation)
    let encoded = try CueEncoder.encode(
      cues, as: format, canvas: canvas,
      isForHearingImpaired: track.flags.contains(.hearingImpaired), cancellation: cancellation)
    return FinishedTrack(track: track, encoded: encoded)
  }

  private static func encodedTrack(
    _ sets: [PGSDisplaySet], canvas: Canvas
  ) throws(AuthoringFault) -> EncodedTrack {
    var packets: [SubtitlePacket] = []
    for set in sets {
      do {
        packets.append(
          SubtitlePacket(
            time: Timestamp(ticks: set.pts, numerator: 1, denominator: 90_000), duration: nil,
            bytes: try set.packetBytes()))
      } catch { throw AuthoringFault(.input, "\(error)") }
    }
    return EncodedTrack(codec: .pgs, canvas: canvas, packets: packets)
  }
}

extension CancellationFlag {
  /// Throws `CancellationError` once the work is to end.
  func check() throws { if isCancelled { throw CancellationError() } }
}

extension AuthoringFault {
  /// Takes over a fault of encoding or muxing.
  init(_ error: MediaError) {
    let kind: Kind =
      switch error.kind {
      case .notFound, .isDirectory, .unreadable, .missingCompanion: .missingInput
      case .empty, .notMedia, .damaged, .noVideo, .noSuchStream, .notBitmap, .tooLarge: .input
      case .invalidRequest: .input
      case .unwritable: .output
      case .unsupported, .libraryMismatch: .library
      }
    self.init(kind, error.description)
  }
}
