import MatroskaIndex
// SPDX-License-Identifier: Apache-2.0
public import MediaContainer
import SubtitleFormats
import SubtitleModel

/// Finds the subtitle tracks of media files and counts their cues, without decoding pictures.
///
/// Matroska files are read by their own index and block heads, so that a film's picture and sound
/// are never read; other containers are read packet by packet.
public enum Probe {
  /// Probes a local file; for VobSub outside a container, the `.idx` file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - cancellation: Ends the work early, with `CancellationError`.
  ///   - progress: Called now and then with the part that is done, 0 to 1.
  /// - Returns: What was found. Damage that leaves something to read is noted in it.
  /// - Throws: `MediaError` if the file cannot be opened or nothing of it can be read.
  public static func file(
    _ path: String, cancellation: CancellationFlag? = nil, progress: ((Double) -> Void)? = nil
  ) throws -> ProbedFile {
    let work = ProbeWork(cancellation: cancellation, progress: progress)
    let file = try LocalFile(path: path)
    if let matroska = try work.matroska(file) { return matroska }
    return try work.container(MediaReader(path: path, cancellation: cancellation), path: path)
  }

  /// Probes a file that is read by its source, such as one behind byte ranges of a server.
  ///
  /// - Parameters:
  ///   - source: The bytes.
  ///   - cancellation: Ends the work early, with `CancellationError`.
  ///   - progress: Called now and then with the part that is done, 0 to 1.
  /// - Returns: What was found. Damage that leaves something to read is noted in it.
  /// - Throws: `MediaError`, or what the source throws.
  public static func source(
    _ source: any ByteSource, cancellation: CancellationFlag? = nil,
    progress: ((Double) -> Void)? = nil
  ) throws -> ProbedFile {
    let work = ProbeWork(cancellation: cancellation, progress: progress)
    if let matroska = try work.matroska(source) { return matroska }
    return try work.container(
      MediaReader(source: source, cancellation: cancellation), path: source.name)
  }
}

/// The work of one probe.
struct ProbeWork {
  let cancellation: CancellationFlag?
  let progress: ((Double) -> Void)?

  func check() throws {
    if cancellation?.isCancelled == true { throw CancellationError() }
  }

  /// Probes a file of any container through its packets.
  func container(_ reader: MediaReader, path: String) throws -> ProbedFile {
    let media = reader.description
    var result = ProbedFile(
      path: path, container: media.formatName, duration: media.duration, video: media.video,
      subtitles: media.subtitles.map { ProbedTrack(description: $0) })
    var counters: [Int: CueCounter] = [:]
    for track in media.subtitles {
      counters[track.streamIndex] = CueCounter(codec: track.codec)
    }
    guard !counters.isEmpty else { return result }
    let faults = try reader.readPackets(of: counters.keys.sorted()) { packet in
      try check()
      try counters[packet.streamIndex]?.add(
        CountingPacket(time: packet.time, duration: packet.duration, bytes: packet.bytes))
      return true
    }
    for index in result.subtitles.indices {
      let stream = result.subtitles[index].description.streamIndex
      guard let count = try counters[stream]?.finish(fileEnd: reader.end) else { continue }
      if !count.faults.isEmpty { result.isDamaged = true }
      result.subtitles[index].take(count, video: media.video)
    }
    result.notes += faults
    return result
  }
}
