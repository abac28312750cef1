// SPDX-License-Identifier: Apache-2.0
import MatroskaIndex
package import MediaContainer
package import SubtitleModel

/// A packet of a track with its place in the file.
package struct PlacedPacket: Sendable {
  /// When it is shown; nil where the container does not say.
  package var time: Timestamp?
  /// How long, where the container says it.
  package var duration: Timestamp?
  /// Absolute offset of its first byte, or of the container's structure around it; nil if unknown.
  package var position: Int64?
  /// Whether the bytes lie at `position` one after the other, neither packed nor in parts.
  package var isContiguous: Bool
  /// The payload, unpacked.
  package var bytes: [UInt8]
}

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
  let bytes: any ByteSource
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

  /// Decodes bitmap tracks by the decoder wished; steps of fades are cues of their own.
  ///
  /// Parameters, results and errors are those of ``decode(_:progress:)``.
  package func decode(
    _ tracks: [TrackDescription], by decoder: DecoderChoice, progress: ((Double) -> Void)? = nil
  ) throws -> (tracks: [DecodedTrack], way: Way) {
    guard decoder == .native else { return try decode(tracks, progress: progress) }
    let (natives, way) = try nativeTracks(tracks, reader: reader, progress: progress)
    return (
      try natives.map {
        try $0.decodedTrack(separatesSteps: true, cancellation: cancellation)
      }, way
    )
  }

  private func decode(
    _ packets: [Int: [PlacedPacket]], of tracks: [TrackDescription]
  ) throws -> [DecodedTrack] {
    try tracks.map { track in
      let own = (packets[track.streamIndex] ?? []).map { packet in
        SubtitlePacket(
          time: packet.time ?? .zero, duration: packet.duration, bytes: packet.bytes)
      }
      return try PacketDecoder.decode(
        own, of: track,
        codecPrivate: try reader.codecPrivate(of: track.streamIndex), fileEnd: reader.end,
        name: bytes.name, cancellation: cancellation)
    }
  }

  /// Reads the packets of bitmap tracks without decoding them.
  ///
  /// - Parameters:
  ///   - tracks: Tracks of the reader's description.
  ///   - progress: Called now and then with the part that is done, 0 to 1.
  /// - Returns: The packets by stream index in the file's order, and what was wrong with the container.
  /// - Throws: `MediaError` of kind `.tooLarge` past ``NativeLimits/bytesOfPackets``;
  ///   otherwise as ``decode(_:progress:)``.
  package func placedPackets(
    of tracks: [TrackDescription], progress: ((Double) -> Void)? = nil
  ) throws -> (packets: [Int: [PlacedPacket]], faults: [String], way: Way) {
    do {
      if let found = try packets(of: tracks, progress) { return (found.packets, [], found.way) }
    } catch is MatroskaFault {
      try check()
    }
    let isPlain = ["mov", "avi"].contains { reader.description.formatName.contains($0) }
    var result: [Int: [PlacedPacket]] = [:]
    var total = 0
    let faults = try reader.readPackets(of: tracks.map(\.streamIndex)) { packet in
      try check()
      total += packet.bytes.count + NativeLimits.bytesPerPacketRecord
      try checkSize(total, at: packet.position ?? 0)
      if let size = bytes.byteCount, size > 0, let position = packet.position {
        progress?(min(1, Double(position) / Double(size)))
      }
      result[packet.streamIndex, default: []].append(
        PlacedPacket(
          time: packet.time, duration: packet.duration, position: packet.position,
          isContiguous: isPlain && packet.position != nil, bytes: packet.bytes))
      return true
    }
    return (result, faults, .wholeFile)
  }

  /// The packets of tracks by stream index; nil where they cannot be had by place.
  private func packets(
    of tracks: [TrackDescription], _ progress: ((Double) -> Void)?
  ) throws -> (packets: [Int: [PlacedPacket]], way: Way)? {
    guard reader.description.formatName.contains("matroska"), let source = MatroskaSource(bytes)
    else { return nil }
    let file = try MatroskaFile(source)
    guard file.faults.isEmpty, let wanted = numbers(of: tracks, in: file) else { return nil }
    var result: [Int: [PlacedPacket]] = [:]
    let origin = reader.description.startTime
    let places = Dictionary(
      file.tracks.map { ($0.number, $0.packing) }, uniquingKeysWith: { first, _ in first })
    var total = 0
    func take(_ block: MatroskaBlock) throws {
      guard let stream = wanted[block.trackNumber] else { return }
      var packet = PlacedPacket(
        time: block.time - origin, duration: block.duration, position: block.payloadOffset,
        isContiguous: true, bytes: try file.payload(of: block))
      // Counted as they are kept: compressed blocks may grow a thousandfold.
      total += packet.bytes.count + NativeLimits.bytesPerPacketRecord
      try checkSize(total, at: block.payloadOffset)
      switch places[block.trackNumber] {
      case .strippedHeader(let header): packet.position = block.payloadOffset - Int64(header.count)
      case .zlib, .needsDecoder: packet.isContiguous = false
      case .plain, nil: break
      }
      result[stream, default: []].append(packet)
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

  private func checkSize(_ total: Int, at position: Int64) throws {
    guard total > NativeLimits.bytesOfPackets else { return }
    throw MediaError(
      .tooLarge,
      "\(bytes.name): the subtitle packets up to byte \(position) have more than "
        + "\(NativeLimits.bytesOfPackets) bytes")
  }

  private func check() throws {
    if cancellation?.isCancelled == true { throw CancellationError() }
  }
}
