// SPDX-License-Identifier: Apache-2.0

/// The subtitle that a load is asked to begin with.
///
/// On the wire of a load request it is one number: nothing, -1, or a stream index.
public enum SubtitlePick: Sendable, Hashable {
  /// No explicit choice: Auto may choose.
  case unspecified
  /// An explicit Off.
  case off
  /// The stream with the server's index.
  case stream(Int)

  /// The pick by its number: nil is unspecified, a negative number is Off.
  public init(wireValue: Int?) {
    guard let wireValue else {
      self = .unspecified
      return
    }
    self = wireValue < 0 ? .off : .stream(wireValue)
  }

  /// The pick as its number: nil, -1 or the stream index.
  public var wireValue: Int? {
    switch self {
    case .unspecified: nil
    case .off: -1
    case .stream(let index): index
    }
  }

  /// The stream index; nil for the other picks.
  public var streamIndex: Int? {
    if case .stream(let index) = self { index } else { nil }
  }
}

/// What is chosen in the list of subtitles.
public enum SubtitleChoice: Sendable, Hashable {
  /// No subtitle.
  case off
  /// A row whose track the server burns in, by the server's stream index.
  case burnInRow(index: Int)
  /// A text track that is mounted from the server, by the server's stream index.
  case textSidecar(index: Int)
  /// A file from OpenSubtitles, by its file id.
  case openSubtitles(file: Int)
  /// A track that the engine finds in the stream, by its stream index.
  case embedded(index: Int)
}
