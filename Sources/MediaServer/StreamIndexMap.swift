// SPDX-License-Identifier: Apache-2.0
public import BurnInNegotiation

/// How a server numbers the streams of a film and of the files beside it.
///
/// Jellyfin counts subtitle files beside the film first, then sound files, then the container's
/// streams (FFProbeVideoInfo.cs of 10.8 to 12); Emby the container's streams first. Both keep the
/// order within each group. So a client's stream index is the container's own on Emby, and lies
/// above it on Jellyfin by the number of streams in other files.
public struct StreamIndexMap: Sendable, Hashable {
  /// Where a stream lies.
  public enum Place: Sendable, Hashable {
    /// In the media file, by the container's stream index.
    case container(stream: Int)
    /// In a file beside it, by the file's place in the list and the stream's in the file.
    case subtitleFile(Int, stream: Int)
    /// In a sound file beside it.
    case soundFile(Int, stream: Int)
  }

  /// The places in the server's order: the position is the server's index.
  public let places: [Place]

  /// The numbering of a film.
  ///
  /// - Parameters:
  ///   - kind: The server.
  ///   - containerStreams: The number of streams in the container.
  ///   - subtitleFiles: Of each subtitle file beside it, in the order of names, how many streams.
  ///   - soundFiles: The same of each sound file.
  public init(
    kind: ServerKind, containerStreams: Int, subtitleFiles: [Int] = [], soundFiles: [Int] = []
  ) {
    let inside = (0..<max(0, containerStreams)).map { Place.container(stream: $0) }
    let subtitles = subtitleFiles.enumerated().flatMap { file, count in
      (0..<max(0, count)).map { Place.subtitleFile(file, stream: $0) }
    }
    let sounds = soundFiles.enumerated().flatMap { file, count in
      (0..<max(0, count)).map { Place.soundFile(file, stream: $0) }
    }
    places = kind == .jellyfin ? subtitles + sounds + inside : inside + subtitles + sounds
  }

  /// The server's index of a stream; nil if there is no such stream.
  public func serverIndex(of place: Place) -> Int? { places.firstIndex(of: place) }

  /// Where the stream of a server's index lies; nil if the index names none.
  public func place(ofServerIndex index: Int) -> Place? {
    places.indices.contains(index) ? places[index] : nil
  }
}

extension MediaSource {
  /// The container's index of an embedded stream, from the numbering of the answer.
  ///
  /// It holds also where a library's settings hide some of the container's streams, which leaves gaps
  /// between the indices.
  ///
  /// - Parameters:
  ///   - index: What a client sends as SubtitleStreamIndex.
  ///   - kind: The server.
  /// - Returns: The container's stream index; nil for a stream in a file of its own, or for none.
  public func containerStream(ofStreamIndex index: Int, kind: ServerKind) -> Int? {
    guard let stream = streams.first(where: { $0.index == index }), !stream.isExternal else {
      return nil
    }
    let before = kind == .jellyfin ? streams.count(where: \.isExternal) : 0
    return index >= before ? index - before : nil
  }

  /// The server's index of a container's stream; nil if the server does not list it.
  public func streamIndex(ofContainerStream stream: Int, kind: ServerKind) -> Int? {
    let before = kind == .jellyfin ? streams.count(where: \.isExternal) : 0
    return streams.first { !$0.isExternal && $0.index == stream + before }?.index
  }
}
