// SPDX-License-Identifier: Apache-2.0
internal import MediaContainer
internal import SubtitleFormats
internal import SubtitleModel

/// Writes finished tracks to files that take their names when they are whole.
enum TrackWriting {
  /// Writes tracks.
  ///
  /// - Parameters:
  ///   - tracks: The tracks, at least one, and one only for .sup, .idx and .avi.
  ///   - request: Names and options.
  ///   - output: The kind of output.
  ///   - cancellation: Ends the work early, with `CancellationError`.
  /// - Throws: ``AuthoringFault``.
  static func write(
    _ tracks: [Authoring.FinishedTrack], request: AuthoringRequest, output: AuthoringOutput,
    cancellation: CancellationFlag?
  ) throws {
    try cancellation?.check()
    guard let first = tracks.first else {
      throw AuthoringFault(.request, "\(request.output): there is no track to write")
    }
    switch output {
    case .sup:
      var bytes: [UInt8] = []
      do {
        for set in first.displaySets { bytes += try set.supBytes() }
      } catch {
        throw AuthoringFault(.input, "\(request.output): \(error)")
      }
      try place([(request.output, bytes)], request)
    case .vobSubPair:
      let files = try vobSubFiles(of: first, request: request)
      try place(
        [
          (Authoring.subPath(of: request.output), files.packs),
          (request.output, Array(files.index.utf8)),
        ], request)
    case .avi:
      try place(
        [(request.output, try DivXPictures.file(of: first.encoded, name: request.output))], request)
    case .matroska: try mux(tracks, as: .matroska, request, cancellation)
    case .transportStream: try mux(tracks, as: .transportStream, request, cancellation)
    case .bluRayStream: try mux(tracks, as: .bluRayStream, request, cancellation)
    }
  }

  /// Writes files under temporary names, then gives them theirs.
  private static func place(
    _ files: [(path: String, bytes: [UInt8])], _ request: AuthoringRequest
  ) throws(AuthoringFault) {
    let temporaries = files.map { FileAccess.temporaryName(for: $0.path) }
    defer { for name in temporaries { FileAccess.remove(name) } }
    for (file, name) in zip(files, temporaries) {
      try FileAccess.write(file.bytes, to: name, for: file.path)
    }
    for (file, name) in zip(files, temporaries) {
      try FileAccess.publish(name, as: file.path, overwriting: request.overwrites)
    }
  }

  private static func mux(
    _ tracks: [Authoring.FinishedTrack], as format: FilmMuxer.Format, _ request: AuthoringRequest,
    _ cancellation: CancellationFlag?
  ) throws {
    let temporary = FileAccess.temporaryName(for: request.output)
    defer { FileAccess.remove(temporary) }
    do {
      let film = try request.film.map { try LocalFile(path: $0) }
      let outputs = tracks.map { finished in
        OutputTrack(
          content: finished.encoded, language: finished.track.language,
          title: finished.track.title, flags: finished.track.flags)
      }
      try FilmMuxer.write(
        film: film, tracks: outputs, to: temporary, format: format,
        cancellation: cancellation)
    } catch let error as MediaError {
      var fault = AuthoringFault(error)
      // The user knows the output by its own name.
      if let range = fault.description.firstRange(of: temporary) {
        fault.description.replaceSubrange(range, with: request.output)
      }
      throw fault
    }
    try FileAccess.publish(temporary, as: request.output, overwriting: request.overwrites)
  }

  private static func vobSubFiles(
    of finished: Authoring.FinishedTrack, request: AuthoringRequest
  ) throws(AuthoringFault) -> VobSubFileWriter.Files {
    do {
      return try VobSubFileWriter.files(
        of: finished.encoded.packets.map { .init(time: $0.time, bytes: $0.bytes) },
        canvas: finished.encoded.canvas, palette: palette(in: finished.encoded.codecPrivate),
        language: finished.track.language, title: finished.track.title)
    } catch {
      throw AuthoringFault(.input, "\(request.output): \(error)")
    }
  }

  /// The colours of the line `palette:` in an encoder's set-up data, which is an .idx file's head.
  static func palette(in setUp: [UInt8]) -> [PaletteColor] {
    let text = String(decoding: setUp, as: UTF8.self)
    guard
      let line = text.split(whereSeparator: \.isNewline).first(where: { $0.hasPrefix("palette:") })
    else { return [] }
    let words = line.dropFirst("palette:".count).split { !$0.isHexDigit }
    return words.prefix(16).compactMap { UInt32($0, radix: 16) }.map { value in
      PaletteColor(
        red: UInt8(value >> 16 & 0xFF), green: UInt8(value >> 8 & 0xFF), blue: UInt8(value & 0xFF),
        alpha: 255)
    }
  }
}
