// SPDX-License-Identifier: Apache-2.0
import MatroskaIndex
package import MediaContainer
package import SubtitleModel

/// Reads a film's bitmap tracks: of Matroska only the subtitles' blocks, of others all of the file.
///
/// Both ways give the same cues. Where the short way meets damage, or a packing that only a whole
/// decoder undoes, the long one is taken.
package struct FilmTracks {
  /// How the tracks were read.
  package enum Way: Sendable, Hashable {
    /// By the places that the file's index lists.
    case index
    /// By the heads of all blocks.
    case blockHeads
    /// Through the whole file.
    case wholeFile
  }

  private let reader: MediaReader
  private let bytes: any ByteSource
  private let walks: Bool
  private let cancellation: CancellationFlag?

  /// Makes a reader of tracks.
  ///
  /// - Parameters:
  ///   - reader: The opened container.
  ///   - bytes: The same file, for short reads at many places.
  ///   - walks: Whether the heads of all blocks may be visited where the index lists too little;
  ///     over a network that is no less than reading the whole file, and slower.
  ///   - cancellation: Ends the work early, with `CancellationError`.
  package init(
    _ reader: MediaReader, bytes: any ByteSource, walks: Bool,
    cancellation: CancellationFlag? = nil
  ) {
    self.reader = reader
    self.bytes = bytes
    self.walks = walks
    self.cancellation = cancellation
  }

  /// Decodes bitmap tracks, as ``MediaReader/decodeTracks(_:progress:)`` does.
  ///
  /// - Parameters:
  ///   - tracks: Tracks of the reader's description.
  ///   - progress: Called now and then with the part that is done, 0 to 1.
  /// - Returns: The tracks in the order given, and how they were read.
  /// - Throws: `MediaError`, `CancellationError`, or what the source throws.
  package func decode(
    _ tracks: [TrackDescription], progress: ((Double) -> Void)? = nil
  ) throws -> (tracks: [DecodedTrack], way: Way) {
    do {
      if let found = try packets(of: tracks, progress) {
        return (try decode(found.packets, of: tracks), found.way)
      }
    } catch is MatroskaFault {
      // The library's demuxer knows more packings, gets over damage, and throws the source's own
      // errors.
      try check()
    }
    let whole = try reader.decodeTracks(tracks.map(\.streamIndex), progress: progress)
    return (whole, .wholeFile)
  }

  private func decode(
    _ packets: [Int: [SubtitlePacket]], of tracks: [TrackDescription]
  ) throws -> [DecodedTrack] {
    try tracks.map { track in
      try PacketDecoder.decode(
        packets[track.streamIndex] ?? [], of: track,
        codecPrivate: try reader.codecPrivate(of: track.streamIndex), fileEnd: reader.end,
        name: bytes.name, cancellation: cancellation)
    }
  }

  /// The packets of tracks by stream index; nil where they cannot be had by place.
  private func packets(
    of tracks: [TrackDescription], _ progress: ((Double) -> Void)?
  ) throws -> (packets: [Int: [SubtitlePacket]], way: Way)? {
    guard reader.description.formatName.contains("matroska"), let source = MatroskaSource(bytes)
    else { return nil }
    let file = try MatroskaFile(source)
    guard file.faults.isEmpty, let wanted = numbers(of: tracks, in: file) else { return nil }
    var result: [Int: [SubtitlePacket]] = [:]
    let origin = reader.description.startTime
    func take(_ block: MatroskaBlock) throws {
      guard let stream = wanted[block.trackNumber] else { return }
      result[stream, default: []].append(
        SubtitlePacket(
          time: block.time - origin, duration: block.duration,
          bytes: try file.payload(of: block)))
    }
    let listed = try file.indexedBlocks(of: Set(wanted.keys))
    if let listed {
      for (index, block) in listed.enumerated() {
        try check()
        if index & 15 == 0 { progress?(Double(index) / Double(listed.count)) }
        try take(block)
      }
      return (result, .index)
    }
    guard walks else { return nil }
    let walk = try file.walk(tracks: Set(wanted.keys), usingCues: false) { part in
      try check()
      progress?(part)
    } visit: {
      try take($0)
    }
    return walk.faults.isEmpty ? (result, .blockHeads) : nil
  }

  /// The stream index by track number; nil if the two readers do not agree about the tracks.
  private func numbers(of tracks: [TrackDescription], in file: MatroskaFile) -> [UInt64: Int]? {
    var result: [UInt64: Int] = [:]
    for track in tracks {
      guard let own = file.tracks.first(where: { $0.streamIndex == track.streamIndex }),
        own.kind == .subtitle, own.subtitleCodec == track.codec,
        result.updateValue(track.streamIndex, forKey: own.number) == nil
      else { return nil }
      if case .needsDecoder = own.packing { return nil }
    }
    return result
  }

  private func check() throws {
    if cancellation?.isCancelled == true { throw CancellationError() }
  }
}
