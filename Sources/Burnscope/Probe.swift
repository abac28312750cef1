import MatroskaIndex
// SPDX-License-Identifier: Apache-2.0
public import MediaContainer
import SubtitleFormats
import SubtitleModel

/// Finds the subtitle tracks of media files and counts their cues, without decoding pictures.
///
/// Matroska files are read by their own index and block heads, so that a film's picture and sound
/// are never read; raw streams (.sup, .idx, .sub, .pes) by our own readers; other containers packet
/// by packet.
public enum Probe {
  /// Probes a local file; for VobSub outside a container, the `.idx` file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - decoder: Whose cues are counted. Our own readers decode no picture; libavcodec decodes all,
  ///     which takes longer and leaves colours, canvases and pages unknown.
  ///   - cancellation: Ends the work early, with `CancellationError`.
  ///   - progress: Called now and then with the part that is done, 0 to 1.
  /// - Returns: What was found. Damage that leaves something to read is noted in it.
  /// - Throws: `MediaError` if the file cannot be opened or nothing of it can be read.
  public static func file(
    _ path: String, decoder: DecoderChoice = .native, cancellation: CancellationFlag? = nil,
    progress: ((Double) -> Void)? = nil
  ) throws -> ProbedFile {
    let work = ProbeWork(cancellation: cancellation, progress: progress)
    let file = try LocalFile(path: path)
    if decoder == .libavcodec {
      return try work.decoded(MediaReader(path: path, cancellation: cancellation), path: path)
    }
    if let raw = try work.raw(file) { return raw }
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
    try countPackets(
      of: media.subtitles.filter(\.codec.isBitmap).map(\.streamIndex), reader, into: &result)
    return result
  }

  /// Counts tracks packet by packet, by our own readers.
  func countPackets(
    of streams: [Int], _ reader: MediaReader, into result: inout ProbedFile
  ) throws {
    guard !streams.isEmpty else { return }
    let media = reader.description
    var counters: [Int: CueCounter] = [:]
    for track in media.subtitles where streams.contains(track.streamIndex) {
      counters[track.streamIndex] = CueCounter(
        codec: track.codec, privateData: try reader.codecPrivate(of: track.streamIndex),
        place: media.formatName.contains("mov") ? .movie : .container,
        codecTag: try reader.codecTag(of: track.streamIndex), languages: track.language)
    }
    let faults = try reader.readPackets(of: counters.keys.sorted()) { packet in
      try check()
      try counters[packet.streamIndex]?.add(
        CountingPacket(time: packet.time, duration: packet.duration, bytes: packet.bytes))
      return true
    }
    for index in result.subtitles.indices {
      let stream = result.subtitles[index].description.streamIndex
      guard
        let count = try counters[stream]?.finish(
          fileEnd: reader.end, filmLength: media.filmLength(end: reader.end))
      else { continue }
      if !count.faults.isEmpty { result.isDamaged = true }
      result.subtitles[index].take(count, video: result.video)
    }
    result.notes += faults
  }

  /// Probes a raw stream by our own readers.
  ///
  /// - Returns: Nil for a file of another kind, or one too large to be read whole.
  func raw(_ file: LocalFile) throws -> ProbedFile? {
    do {
      return try RawTracks(file).map { try raw($0, of: file) }
    } catch let error as MediaError where error.kind == .tooLarge {
      // The library's demuxer reads it bit by bit.
      return nil
    }
  }

  private func raw(_ tracks: RawTracks, of file: LocalFile) throws -> ProbedFile {
    let native = NativeTracks(tracks, path: file.name, cancellation: cancellation)
    let media = native.media
    var result = ProbedFile(
      path: file.name, container: media.formatName, duration: media.duration, video: media.video,
      subtitles: media.subtitles.map { ProbedTrack(description: $0) })
    if let unread = tracks.unreadIndex {
      result.notes.append("\(unread) was not read; give it to have its palette, canvas and times")
    }
    for (index, found) in try counted(native, isIndex: tracks.isIndex).enumerated() {
      var counter = found.counter
      for finding in found.track.findings where finding.rule.severity == .error {
        counter.note("at byte \(finding.offset): \(finding.sentence)")
      }
      let count = try counter.finish(
        fileEnd: native.end, filmLength: media.filmLength(end: native.end))
      if !count.faults.isEmpty { result.isDamaged = true }
      result.subtitles[index].take(count, video: media.video)
    }
    return result
  }

  /// Counts the tracks of a raw stream, which holds bitmaps alone; of .sup files no packet is held.
  private func counted(
    _ file: NativeTracks, isIndex: Bool
  ) throws -> [(track: NativeTrack, counter: CueCounter)] {
    func counter(_ track: NativeTrack) throws -> CueCounter {
      let counter = CueCounter(
        codec: track.description.codec, privateData: track.setup.privateData,
        place: isIndex ? .indexFile : .container)
      guard let counter else {
        throw MediaError(.notBitmap, "\(file.name): the track is not one of bitmaps")
      }
      return counter
    }
    func add(_ packet: TrackPacket, _ counter: inout CueCounter) throws {
      try check()
      try counter.add(
        CountingPacket(time: packet.time, duration: packet.duration, bytes: packet.bytes))
    }
    if file.media.subtitles.count == 1 {
      var streaming: [CueCounter] = []
      let track = try file.streamed(file.media.subtitles[0]) { track in
        streaming = [try counter(track)]
        return { try add($0, &streaming[0]) }
      }
      if let track { return [(track, streaming[0])] }
    }
    return try file.read(file.media.subtitles).map { track in
      var own = try counter(track)
      for packet in track.packets { try add(packet, &own) }
      return (track, own)
    }
  }

  /// Probes a file with the eyes of libavcodec.
  func decoded(_ reader: MediaReader, path: String) throws -> ProbedFile {
    let media = reader.description
    var result = ProbedFile(
      path: path, container: media.formatName, duration: media.duration, video: media.video,
      subtitles: media.subtitles.map { ProbedTrack(description: $0) })
    result.decoder = .libavcodec
    let bitmaps = media.subtitles.filter(\.codec.isBitmap).map(\.streamIndex)
    try take(reader, bitmaps, into: &result)
    return result
  }

  /// Counts tracks by decoding them with libavcodec.
  func take(
    _ reader: MediaReader, _ streams: [Int], into result: inout ProbedFile
  ) throws {
    guard !streams.isEmpty else { return }
    let film = reader.description.filmLength(end: reader.end)
    for summary in try reader.summarizeTracks(streams, progress: progress) {
      guard
        let index = result.subtitles.firstIndex(where: {
          $0.description.streamIndex == summary.description.streamIndex
        })
      else { continue }
      result.subtitles[index].take(CueCount(summary, filmLength: film), video: result.video)
      result.subtitles[index].notes.append(
        "decoded by libavcodec, which tells nothing of colours, canvases and pages")
    }
  }
}

extension MediaDescription {
  /// The film's length where it counts from zero, as cues' times do; nil for files of their own clock.
  func filmLength(end: Timestamp?) -> Timestamp? {
    guard let video, video.width > 0, let end else { return nil }
    return end
  }
}

extension CueCount {
  /// The count of a track that libavcodec decoded: what its headers say is not known.
  init(_ summary: TrackSummary, filmLength: Timestamp?) {
    self.init()
    canvas = summary.canvas
    cueCount = summary.cueCount
    forcedCueCount = summary.forcedCueCount
    func counted(_ cue: TrackSummary.CueTimes?) -> CountedCue? {
      cue.map { CountedCue(start: $0.start, end: $0.end, isForced: $0.isForced) }
    }
    firstCue = counted(summary.first)
    lastCue = counted(summary.last)
    survey.objectCount = summary.objectCount
    if [.pgs, .vobsub].contains(summary.description.codec) {
      survey.forcedObjectCount = summary.forcedObjectCount
    }
    cover(summary.cues.map { ($0.start, $0.end) }, filmLength: filmLength)
    faults = summary.diagnostics
  }
}
