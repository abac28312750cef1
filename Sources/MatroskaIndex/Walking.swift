// SPDX-License-Identifier: Apache-2.0
import BinaryReading
public import SubtitleModel

extension MatroskaFile {
  /// Visits the blocks of some tracks, in file order.
  ///
  /// Where the file's Cues list every block of the tracks (their count is that of the file's own
  /// statistics, and each leads to a block of the stated track and time), only those places are
  /// read. Else every block's head is, never what the other tracks' blocks hold.
  ///
  /// - Parameters:
  ///   - numbers: Numbers of the tracks to visit.
  ///   - usingCues: Whether Cues may be used.
  ///   - progress: Called now and then with the part that is done, 0 to 1; what it throws ends the
  ///     walk.
  ///   - visit: Called with each block; what it throws ends the walk.
  /// - Returns: The faults met and the tracks' first times.
  /// - Throws: `MatroskaFault` of kind `.unreadable` if the source fails, and what the closures
  ///   throw. Damage is not thrown: the walk goes on at the next cluster.
  public func walk(
    tracks numbers: Set<UInt64>, usingCues: Bool = true, progress: ((Double) throws -> Void)? = nil,
    visit: (MatroskaBlock) throws -> Void
  ) throws -> MatroskaWalk {
    if usingCues, let (blocks, bytesRead) = try blocksFromCues(numbers) {
      var walk = try firstBlocks()
      walk.usedCues = true
      walk.bytesRead += bytesRead
      for (index, block) in blocks.enumerated() {
        if index & 63 == 0 { try progress?(Double(index) / Double(blocks.count)) }
        try visit(block)
      }
      return walk
    }
    var walker = ClusterWalker(self, wanted: numbers)
    try walker.run(progress: progress, visit: visit)
    return walker.walk
  }

  /// The blocks of some tracks as the file's Cues list them, in file order, without a walk.
  ///
  /// - Parameter numbers: Numbers of the tracks.
  /// - Returns: Nil where the Cues do not surely list all of them, as told at
  ///   ``walk(tracks:usingCues:progress:visit:)``.
  /// - Throws: `MatroskaFault` of kind `.unreadable` if the source fails.
  public func indexedBlocks(
    of numbers: Set<UInt64>
  ) throws(MatroskaFault) -> [MatroskaBlock]? {
    try blocksFromCues(numbers)?.blocks
  }

  /// The times of the first blocks of video and audio tracks, from the first clusters.
  ///
  /// The search ends when all are known, at 5 seconds as FFmpeg's own does, or at a limit.
  public func firstBlocks() throws -> MatroskaWalk {
    var walker = ClusterWalker(self, wanted: [])
    walker.missing = Set(
      tracks.filter { $0.kind == .video || $0.kind == .audio }.map(\.number))
    walker.searchEnd = (firstCluster ?? segmentEnd) + Limits.startSearchBytes
    if !walker.missing.isEmpty { try walker.run(progress: nil) { _ in } }
    return walker.walk
  }

  /// The file's start time as FFmpeg reckons it, which the media's timeline counts from.
  ///
  /// It is the least of the first times of video and audio tracks (codec delay subtracted); a
  /// subtitle that begins less than a second earlier, or a file of subtitles alone, counts too.
  ///
  /// - Parameter walk: A walk over the subtitle tracks.
  /// - Returns: The start time; zero if no block was seen.
  public func startTime(_ walk: MatroskaWalk) -> Timestamp {
    var primary: Timestamp?
    var text: Timestamp?
    for track in tracks {
      guard let first = walk.firstTimes[track.number] else { continue }
      let delay = Timestamp(nanoseconds: Int64(clamping: track.codecDelay))
      switch track.kind {
      case .video, .audio: primary = min(primary ?? first - delay, first - delay)
      case .subtitle, .metadata: text = min(text ?? first, first)
      }
    }
    guard let primary else { return text ?? .zero }
    guard let text, primary > text, primary - text < Timestamp(seconds: 1) else { return primary }
    return text
  }
}
