// SPDX-License-Identifier: Apache-2.0
internal import CFFmpegShims
public import SubtitleModel

/// Reads a media file: its description, its subtitle packets, its subtitle tracks as cues.
///
/// Decoding is libavcodec's, the decoder of the usual servers, so the cues are what such a server
/// sees. Not for use by two threads at once; calls block while they read.
public final class MediaReader {
  private let source: any ByteSource
  private let companion: String?
  private let cancellation: CancellationFlag?
  /// The opened container, until a pass over its packets has used it up.
  private var fresh: Demuxer?

  /// What the container says of itself.
  public let description: MediaDescription

  /// When the file ends on the description's timeline, as the container states or libavformat
  /// estimates it; nil where unknown.
  public let end: Timestamp?

  /// Opens a container.
  ///
  /// - Parameters:
  ///   - source: The bytes.
  ///   - cancellation: Ends the reader's work early, with `CancellationError`.
  /// - Throws: `MediaError`, or what the source throws.
  public convenience init(
    source: any ByteSource, cancellation: CancellationFlag? = nil
  ) throws {
    try self.init(source: source, companion: nil, cancellation: cancellation)
  }

  /// Opens a local file; an `.idx` file with the `.sub` file beside it.
  ///
  /// - Throws: `MediaError`; of kind `.missingCompanion` if an `.idx` file stands alone.
  public convenience init(path: String, cancellation: CancellationFlag? = nil) throws {
    let file = try LocalFile(path: path)
    try self.init(
      source: file, companion: try VobSubPair.companion(of: file), cancellation: cancellation)
  }

  private init(
    source: any ByteSource, companion: String?, cancellation: CancellationFlag?
  ) throws {
    self.source = source
    self.companion = companion
    self.cancellation = cancellation
    let demuxer = try Demuxer(source: source, companion: companion, cancellation: cancellation)
    fresh = demuxer
    description = demuxer.describe(.containerStart)
    end = demuxer.end(origin: demuxer.origin(.containerStart))
  }

  /// Gives the container for one pass over its packets, opening it anew for every pass but the first.
  private func takeDemuxer() throws -> Demuxer {
    if let demuxer = fresh {
      fresh = nil
      return demuxer
    }
    return try Demuxer(source: source, companion: companion, cancellation: cancellation)
  }

  /// Reads the packets of some streams in the file's order, without decoding them.
  ///
  /// - Parameters:
  ///   - streamIndices: The container's stream indices; others' packets are passed over.
  ///   - body: Called for each packet; returns whether to go on.
  /// - Returns: What was wrong, one sentence each.
  /// - Throws: `MediaError`, `CancellationError`, or what `body` throws.
  @discardableResult
  public func readPackets(
    of streamIndices: [Int], _ body: (MediaPacket) throws -> Bool
  ) throws -> [String] {
    let demuxer = try takeDemuxer()
    for index in streamIndices { _ = try require(index, in: demuxer) }
    let wanted = Set(streamIndices)
    let origin = demuxer.origin(.containerStart)
    var faults: [String] = []
    try demuxer.forEachPacket(of: wanted) { packet in
      guard let stream = demuxer.stream(packet.streamIndex) else { return true }
      return try body(MediaPacket(packet, stream: stream, origin: origin))
    } faults: {
      faults.append($0)
    }
    return faults
  }

  /// Decodes whole bitmap tracks in one pass over the file.
  ///
  /// A cue starts when its picture is shown and ends at the earliest of the next event of its track
  /// (a picture or a clear), the end its stream states (a DVD stop command, the time-out of a DVB
  /// page), the end its container states (where no clear follows), and the end of the file. A cue
  /// that nothing ends, in a file of unknown length, lasts 10 s. Pictures that repeat the one before
  /// without a gap are one cue. Zero of time is the container's start time; .sup, .idx and other
  /// files without video and audio keep their own clock.
  ///
  /// What cannot be decoded is passed over and told in the tracks' diagnostics.
  ///
  /// - Parameters:
  ///   - streamIndices: The container's stream indices of bitmap tracks.
  ///   - progress: Called now and then with the part of the file that is read, 0 to 1.
  /// - Returns: The tracks, in the order asked for.
  /// - Throws: `MediaError` of kind `.noSuchStream`, `.notBitmap`, `.unsupported`, `.unreadable` or
  ///   `.tooLarge`; `CancellationError`.
  public func decodeTracks(
    _ streamIndices: [Int], progress: ((Double) -> Void)? = nil
  ) throws -> [DecodedTrack] {
    try pass(over: streamIndices, keepsPixels: true, progress: progress)
  }

  /// Decodes whole bitmap tracks in one pass over the file and keeps only what is to be counted.
  ///
  /// Cues are found as by ``decodeTracks(_:progress:)``, without holding their pixels in memory.
  ///
  /// - Parameters:
  ///   - streamIndices: The container's stream indices of bitmap tracks.
  ///   - progress: Called now and then with the part of the file that is read, 0 to 1.
  /// - Returns: The summaries, in the order asked for.
  /// - Throws: As ``decodeTracks(_:progress:)`` does.
  public func summarizeTracks(
    _ streamIndices: [Int], progress: ((Double) -> Void)? = nil
  ) throws -> [TrackSummary] {
    try pass(over: streamIndices, keepsPixels: false, progress: progress).map(TrackSummary.init)
  }

  func pass(
    over streamIndices: [Int], keepsPixels: Bool, progress: ((Double) -> Void)?,
    after visit: ((TrackWorker) throws -> Void)? = nil
  ) throws -> [DecodedTrack] {
    let demuxer = try takeDemuxer()
    let origin = demuxer.origin(.containerStart)
    var workers: [Int: TrackWorker] = [:]
    for index in streamIndices where workers[index] == nil {
      let stream = try require(index, in: demuxer)
      let description = try trackDescription(index, in: demuxer)
      guard description.codec.isBitmap else {
        throw MediaError(
          .notBitmap,
          "\(source.name): stream \(index) is a \(description.codecName) track, not one of bitmaps")
      }
      // The demuxer of .idx files makes durations up from the next picture's time.
      workers[index] = TrackWorker(
        decoder: try SubtitleDecoder(stream: stream, name: source.name), description: description,
        origin: origin, statesDurations: companion == nil, keepsPixels: keepsPixels,
        name: source.name)
    }
    var meter = ProgressMeter(total: source.byteCount, report: progress)
    var faults: [String] = []
    try demuxer.forEachPacket(of: Set(streamIndices)) { packet in
      meter.update(demuxer.bytePosition)
      guard let worker = workers[packet.streamIndex] else { return true }
      try worker.take(packet)
      try visit?(worker)
      return true
    } faults: {
      faults.append($0)
    }
    meter.finish()
    let fileEnd = demuxer.end(origin: origin)
    return streamIndices.compactMap { index in
      workers[index]?.finish(fileEnd: fileEnd, containerFaults: faults)
    }
  }

  /// The set-up data of a stream's decoder (Matroska's CodecPrivate), empty where there is none.
  ///
  /// - Throws: `MediaError` of kind `.noSuchStream`.
  public func codecPrivate(of streamIndex: Int) throws -> [UInt8] {
    let demuxer = try takeDemuxer()
    fresh = demuxer
    guard let parameters = try require(streamIndex, in: demuxer).pointee.codecpar else { return [] }
    return Array(
      UnsafeBufferPointer(
        start: parameters.pointee.extradata, count: Int(max(0, parameters.pointee.extradata_size))))
  }

  /// The container's tag of a stream's coding, four characters such as `DXSA`; nil without one.
  ///
  /// - Throws: `MediaError` of kind `.noSuchStream`.
  package func codecTag(of streamIndex: Int) throws -> String? {
    let demuxer = try takeDemuxer()
    fresh = demuxer
    let tag = try require(streamIndex, in: demuxer).pointee.codecpar?.pointee.codec_tag ?? 0
    let letters = (0..<4).map { UInt8(truncatingIfNeeded: tag >> (8 * UInt32($0))) }
    guard letters.allSatisfy({ (32...126).contains($0) }) else { return nil }
    return String(decoding: letters, as: UTF8.self)
  }

  private func require(
    _ index: Int, in demuxer: Demuxer
  ) throws -> UnsafeMutablePointer<AVStream> {
    guard let stream = demuxer.stream(index) else {
      throw MediaError(
        .noSuchStream,
        "\(source.name): there is no stream \(index); the file has streams 0 to "
          + "\(demuxer.streamCount - 1)")
    }
    return stream
  }

  private func trackDescription(_ index: Int, in demuxer: Demuxer) throws -> TrackDescription {
    if let known = description.subtitles.first(where: { $0.streamIndex == index }) { return known }
    let name = demuxer.stream(index).map { codecName($0.pointee.codecpar.pointee.codec_id) } ?? ""
    throw MediaError(
      .notBitmap, "\(source.name): stream \(index) (\(name)) is no subtitle track")
  }
}
