// SPDX-License-Identifier: Apache-2.0
internal import ChildProcess
internal import Glibc

/// Finds the subtitle files beside a film, as the real servers do.
package enum SubtitleFiles {
  /// Files of one film that are looked into; nobody has as many.
  static let countLimit = 200

  /// The subtitle streams of all files that belong to a film, in order of the files' names; their
  /// indices are not the server's yet.
  static func streams(besides film: String, version: ServerVersion) async throws -> [FilmStream] {
    var streams: [FilmStream] = []
    for name in names(in: folder(of: film), besides: film, version: version) {
      streams += try await Self.streams(
        of: folder(of: film) + name, suffix: suffix(of: name, besides: film) ?? "",
        version: version)
    }
    return streams
  }

  private static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
  }

  private static func names(
    in folder: String, besides film: String, version: ServerVersion
  ) -> [String] {
    guard let directory = opendir(folder.isEmpty ? "." : folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      let parts = split(name)
      if version.subtitleExtensions.contains(parts.extensionName.lowercased()),
        suffix(of: name, besides: film) != nil, isRegularFile(folder + name)
      {
        names.append(name)
      }
    }
    return Array(names.sorted().prefix(countLimit))
  }

  /// Whether a path leads to a file with bytes in it: a pipe would be waited for without end.
  private static func isRegularFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_size > 0
  }

  private static func split(_ name: String) -> (stem: String, extensionName: String) {
    guard let point = name.lastIndex(of: ".") else { return (name, "") }
    return (String(name[..<point]), String(name[name.index(after: point)...]))
  }

  /// What stands between the film's name and the extension: `.en.forced`; nil for a file that does
  /// not belong to the film.
  package static func suffix(of name: String, besides film: String) -> String? {
    let file = String(film.split(separator: "/").last ?? "")
    let stem = split(file).stem
    let own = split(name).stem
    guard name != file, own.lowercased().hasPrefix(stem.lowercased()) else { return nil }
    let rest = String(own.dropFirst(stem.count))
    guard let first = rest.first else { return rest }
    return ". -_".contains(first) ? rest : nil
  }

  /// The streams of one file.
  private static func streams(
    of path: String, suffix: String, version: ServerVersion
  ) async throws -> [FilmStream] {
    let result = try await ChildProcess.run(
      "ffprobe",
      ["-v", "error"] + FilmProbe.searchArguments + ["-show_streams", "-of", "json"]
        + ["file:" + path])
    try Task.checkCancellation()
    // A file that nobody can read is passed over, as the servers do.
    guard result.status == 0, let answer = try? JSON(parsing: result.output) else { return [] }
    return streams(of: answer, path: path, suffix: suffix, version: version)
  }

  /// The streams that ffprobe found in a file.
  ///
  /// The name of a file with one stream tells its language and marks; a file with several tells
  /// itself.
  package static func streams(
    of answer: JSON, path: String, suffix: String, version: ServerVersion
  ) -> [FilmStream] {
    var streams = (answer["streams"]?.elements ?? []).compactMap {
      FilmProbe.stream(of: $0, index: 0)
    }.filter { $0.kind == .subtitle }
    let flags = FileNameFlags(suffix)
    for index in streams.indices {
      streams[index].path = path
      // The old lineage of Emby takes the extension for the coding.
      let extensionName = split(path).extensionName.lowercased()
      if version.isEmby { streams[index].givenName = extensionName }
      guard streams.count == 1 else { continue }
      streams[index].language = flags.language ?? streams[index].language
      streams[index].title = flags.title ?? streams[index].title
      streams[index].isDefault = flags.isDefault || streams[index].isDefault
      streams[index].isForced = flags.isForced || streams[index].isForced
      streams[index].isHearingImpaired =
        flags.isHearingImpaired || streams[index].isHearingImpaired
    }
    return streams
  }
}

/// What the name of a subtitle file says: `.en.forced` is English and forced.
package struct FileNameFlags: Sendable, Equatable {
  /// The language, three letters.
  package var language: String?
  /// The words that mean nothing else.
  package var title: String?
  package var isDefault = false
  package var isForced = false
  package var isHearingImpaired = false

  /// Reads the part of a name between the film's name and the extension.
  package init(_ suffix: String) {
    var words: [String] = []
    for word in suffix.split(whereSeparator: { ".-_ ".contains($0) }) {
      let lowered = word.lowercased()
      switch lowered {
      case "default": isDefault = true
      case "forced", "foreign": isForced = true
      case "cc", "hi", "sdh": isHearingImpaired = true
      default:
        if language == nil, let code = LanguageCodes.threeLetters(of: lowered) {
          language = code
        } else {
          words.append(String(word))
        }
      }
    }
    title = words.isEmpty ? nil : words.joined(separator: " ")
  }
}
