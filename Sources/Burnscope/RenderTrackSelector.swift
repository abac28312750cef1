// SPDX-License-Identifier: Apache-2.0
public import MediaContainer
public import SubtitleModel

/// How a user names one subtitle track of a file.
public enum TrackSelector: Sendable, Hashable, LosslessStringConvertible {
  /// The stream's index in the container, as `probe` prints it first: `3`.
  case streamIndex(Int)
  /// The position among the subtitle streams, from 0, FFmpeg's `0:s:N`: `s:1`.
  case subtitleOrdinal(Int)

  /// Reads `3` or `s:1`; nil for anything else.
  public init?(_ text: String) {
    let isOrdinal = text.hasPrefix("s:")
    let digits = isOrdinal ? text.dropFirst(2) : Substring(text)
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }),
      let number = Int(digits)
    else { return nil }
    self = isOrdinal ? .subtitleOrdinal(number) : .streamIndex(number)
  }

  /// The form that is read.
  public var description: String {
    switch self {
    case .streamIndex(let index): "\(index)"
    case .subtitleOrdinal(let ordinal): "s:\(ordinal)"
    }
  }

  /// Finds the track in a file.
  ///
  /// - Parameters:
  ///   - media: What the container says of itself.
  ///   - name: The file's name, for messages.
  /// - Returns: The track, which is a bitmap track.
  /// - Throws: `MediaError` of kind `.noSuchStream` or `.notBitmap`; the sentence lists the bitmap
  ///   tracks there are.
  public func find(in media: MediaDescription, name: String) throws -> TrackDescription {
    let found = media.subtitles.first { track in
      switch self {
      case .streamIndex(let index): track.streamIndex == index
      case .subtitleOrdinal(let ordinal): track.subtitleOrdinal == ordinal
      }
    }
    let bitmaps = media.subtitles.filter { $0.codec.isBitmap }
    let remedy =
      bitmaps.isEmpty
      ? "; the file has no bitmap subtitle track"
      : "; bitmap tracks are " + bitmaps.map(Self.label).joined(separator: ", ")
    guard let found else {
      throw MediaError(.noSuchStream, "\(name): there is no subtitle track \(self)\(remedy)")
    }
    guard found.codec.isBitmap else {
      throw MediaError(
        .notBitmap,
        "\(name): track \(self) is \(found.codecName), which is not made of bitmaps\(remedy)")
    }
    return found
  }

  /// A track in a list of tracks: `2 (pgs, eng)`.
  private static func label(_ track: TrackDescription) -> String {
    let words = [track.codec.rawValue, track.language, track.title.map { "\"\($0)\"" }]
    return "\(track.streamIndex) (" + words.compactMap { $0 }.joined(separator: ", ") + ")"
  }
}
