// SPDX-License-Identifier: Apache-2.0

extension BurnIn {
  /// The ids of tracks that are named by a server's stream index (R14).
  public static let sidecarIDs: Range<Int> = 0x4000_0000..<0x6000_0000

  /// The id of the first track from OpenSubtitles; such an id is this number plus the file's id.
  public static let openSubtitlesBase = 9_000_000_000

  /// The track id of the stream with the server's index; nil outside the id space (R14).
  public static func makeTrackId(index: Int) -> Int? {
    guard index >= 0, index < sidecarIDs.count else { return nil }
    return sidecarIDs.lowerBound | index
  }

  /// Whether a track id names a stream by the server's index (R14).
  public static func isSidecar(trackID: Int) -> Bool { sidecarIDs.contains(trackID) }

  /// The server's stream index in a track id; nil if the id is outside the space (R14).
  public static func sidecarIndex(trackID: Int) -> Int? {
    isSidecar(trackID: trackID) ? trackID - sidecarIDs.lowerBound : nil
  }
}
