// SPDX-License-Identifier: Apache-2.0
public import BurnInNegotiation
import Glibc
import MediaContainer
import MediaServer
import SubtitleModel

/// A subtitle stream of a file beside a film.
public struct SideTrack: Sendable, Hashable {
  /// The file.
  public var path: String
  /// The stream's place in the file.
  public var stream: Int
  /// Its coding: FFmpeg's name, or the suffix of a text file.
  public var codec: String
  /// The server's index of it.
  public var serverIndex: Int
}

/// How a server numbers the subtitle tracks of a film and of the files beside it.
public struct ServerOrder: Sendable, Hashable {
  /// The server.
  public var kind: ServerKind
  /// The server's index of each of the container's subtitle tracks, by the container's index.
  public var indices: [Int: Int]
  /// The subtitle streams of the files beside the film, in the server's order.
  public var sideTracks: [SideTrack]

  /// Suffixes of the subtitle files that each server lists (NamingOptions.cs; SubtitleResolver.cs).
  private static func suffixes(_ kind: ServerKind) -> Set<String> {
    kind == .emby
      ? ["srt", "ssa", "ass", "sub", "smi", "sami", "vtt"]
      : ["ass", "mks", "sami", "smi", "srt", "ssa", "sub", "sup", "vtt"]
  }
  /// Suffixes of sound files, which Jellyfin numbers before the container's streams.
  private static let soundSuffixes: Set<String> = [
    "aac", "ac3", "dts", "eac3", "flac", "m4a", "mka", "mp3", "ogg", "opus", "wav",
  ]
  /// Files beside a film that are counted at most.
  private static let fileLimit = 200

  /// Predicts the numbering of a film on disk.
  ///
  /// - Parameters:
  ///   - path: The film.
  ///   - kind: The server.
  /// - Returns: The numbering, as after the server's next scan.
  /// - Throws: `MediaError` if the film cannot be read.
  public static func predicted(for path: String, kind: ServerKind) throws -> ServerOrder {
    let media = try MediaReader(path: path).description
    let subtitles = files(beside: path, suffixes: suffixes(kind)).map { ($0, codecs(of: $0)) }
    let sounds = kind == .jellyfin ? files(beside: path, suffixes: soundSuffixes) : []
    let map = StreamIndexMap(
      kind: kind, containerStreams: media.streamCount, subtitleFiles: subtitles.map(\.1.count),
      soundFiles: sounds.map { (try? MediaReader(path: $0).description.streamCount) ?? 1 })
    var order = ServerOrder(kind: kind, indices: [:], sideTracks: [])
    for track in media.subtitles {
      order.indices[track.streamIndex] = map.serverIndex(of: .container(stream: track.streamIndex))
    }
    for (number, file) in subtitles.enumerated() {
      for (stream, codec) in file.1.enumerated() {
        guard let index = map.serverIndex(of: .subtitleFile(number, stream: stream)) else {
          continue
        }
        order.sideTracks.append(
          SideTrack(path: file.0, stream: stream, codec: codec, serverIndex: index))
      }
    }
    order.sideTracks.sort { $0.serverIndex < $1.serverIndex }
    return order
  }

  /// The codings of a subtitle file's streams; a text file has one.
  private static func codecs(of path: String) -> [String] {
    let suffix = split(path).suffix.lowercased()
    guard ["mks", "sub", "sup"].contains(suffix) else { return [suffix] }
    // A file that cannot be read is passed over, as servers do.
    // A .sub with an .idx is read through it; alone it is a text, or cannot be read.
    let companion = split(path).stem + ".idx"
    let readable = suffix == "sub" && access(companion, R_OK) == 0 ? companion : path
    guard let media = try? MediaReader(path: readable).description else { return [] }
    return media.subtitles.map(\.codecName)
  }

  private static func split(_ path: String) -> (stem: String, suffix: String) {
    guard let point = path.lastIndex(of: "."), !path[point...].contains("/") else {
      return (path, "")
    }
    return (String(path[..<point]), String(path[path.index(after: point)...]))
  }

  /// The files in a film's folder whose names begin with the film's, in order of names.
  private static func files(beside path: String, suffixes: Set<String>) -> [String] {
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { String(path[...$0]) } ?? ""
    let file = slash.map { String(path[path.index(after: $0)...]) } ?? path
    let stem = split(file).stem.lowercased()
    let names = Probe.names(in: folder.isEmpty ? "." : folder) ?? []
    let fitting = names.sorted().filter { name in
      let parts = split(name)
      let own = parts.stem.lowercased()
      guard name != file, suffixes.contains(parts.suffix.lowercased()), own.hasPrefix(stem) else {
        return false
      }
      return own.dropFirst(stem.count).first.map { ". -_".contains($0) } ?? true
    }
    // Folders, pipes, dead links and empty files are none.
    return fitting.prefix(fileLimit).map { folder + $0 }.filter { path in
      var status = stat()
      return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_size > 0
        && access(path, R_OK) == 0
    }
  }
}
