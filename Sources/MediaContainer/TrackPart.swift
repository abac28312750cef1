// SPDX-License-Identifier: Apache-2.0
public import SubtitleModel

/// Cues of a track up to a time, while its decoding goes on.
public struct TrackPart: Sendable {
  /// The cues that are settled and were in no part before, in order of start.
  public var cues: [Cue]
  /// All cues that start before this time are in this part or in earlier ones; nil at the end.
  public var settled: Timestamp?
  /// The canvas so far.
  public var canvas: Canvas?
  /// All that could not be decoded so far.
  public var diagnostics: [String]
}

extension MediaReader {
  /// Decodes a bitmap track in one pass over the file, and hands it over in parts.
  ///
  /// All parts together are the cues of ``decodeTracks(_:progress:)``, if no time runs back by more
  /// than the lag; no more than the cues of about two lags are held in memory.
  ///
  /// - Parameters:
  ///   - streamIndex: The container's stream index.
  ///   - lag: By how much times may run back; nil holds the whole track.
  ///   - take: Called with each part, the last one with `settled` nil.
  /// - Throws: As ``decodeTracks(_:progress:)``, and what `take` throws.
  public func decodeTrackInParts(
    _ streamIndex: Int, lag: Timestamp?, _ take: (TrackPart) throws -> Void
  ) throws {
    var next: Timestamp?
    let whole = try withoutActuallyEscaping(take) { take in
      try pass(over: [streamIndex], keepsPixels: true, progress: nil) { worker in
        guard let lag, let latest = worker.latest else { return }
        if let next, latest >= next { try take(worker.takePart(before: latest - lag)) }
        if next.map({ latest >= $0 }) ?? true { next = latest + lag }
      }
    }
    for track in whole {
      try take(
        TrackPart(
          cues: track.cues, settled: nil, canvas: track.canvas, diagnostics: track.diagnostics))
    }
  }
}
