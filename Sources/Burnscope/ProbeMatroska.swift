// SPDX-License-Identifier: Apache-2.0
import MatroskaIndex
import MediaContainer
import SubtitleFormats
import SubtitleModel

/// A media source as the Matroska reader wants it.
struct MatroskaSource: RandomAccessBytes {
  let source: any ByteSource
  let byteCount: Int64

  init?(_ source: any ByteSource) {
    guard let count = source.byteCount else { return nil }
    self.source = source
    byteCount = count
  }

  var name: String { source.name }

  func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    try source.read(at: offset, into: buffer)
  }
}

extension ProbeWork {
  /// Probes a Matroska file by its index.
  ///
  /// - Returns: Nil if the file is none, or its headers name no track: libavformat may know better.
  func matroska(_ source: any ByteSource) throws -> ProbedFile? {
    guard let bytes = MatroskaSource(source) else { return nil }
    let file: MatroskaFile
    do {
      file = try MatroskaFile(bytes)
    } catch {
      if case .notMatroska = error.kind { return nil }
      throw MediaError(.unreadable, "\(error)")
    }
    guard !file.tracks.isEmpty else { return nil }
    var result = ProbedFile(
      path: source.name, container: "matroska,webm", duration: file.duration,
      video: file.tracks.first { $0.kind == .video }.map(VideoDescription.init), subtitles: [])
    let tracks = file.tracks.filter { $0.kind == .subtitle }
    for track in tracks {
      result.subtitles.append(
        ProbedTrack(
          description: TrackDescription(track, ordinal: result.subtitles.count),
          languageTag: track.languageTag))
    }
    do {
      try count(tracks, of: file, into: &result)
    } catch let fault as MatroskaFault {
      throw MediaError(.unreadable, "\(fault)")
    }
    return result
  }

  private func count(
    _ tracks: [MatroskaTrack], of file: MatroskaFile, into result: inout ProbedFile
  ) throws {
    var counters: [UInt64: CueCounter] = [:]
    var packed: [Int] = []
    for track in tracks {
      if case .needsDecoder(let reason) = track.packing, track.subtitleCodec.isBitmap {
        packed.append(track.streamIndex)
        result.notes.append("stream \(track.streamIndex): \(reason)")
        continue
      }
      counters[track.number] = CueCounter(
        codec: track.subtitleCodec, privateData: track.codecPrivate,
        languages: track.languageTag ?? track.language)
    }
    var faults = file.faults
    if !counters.isEmpty {
      let origin = try origin(of: file)
      let walk = try file.walk(tracks: Set(counters.keys)) { part in
        try check()
        progress?(part)
      } visit: { block in
        try add(block, of: file, origin: origin, to: &counters)
      }
      faults += walk.faults
      for (index, track) in tracks.enumerated() {
        guard
          let count = try counters[track.number]?.finish(
            fileEnd: file.duration, filmLength: file.carriesFilm ? file.duration : nil)
        else { continue }
        if !count.faults.isEmpty { result.isDamaged = true }
        result.subtitles[index].take(count, video: result.video)
      }
    }
    if !faults.isEmpty { result.isDamaged = true }
    result.notes += faults.map { "\($0)" }
    guard !packed.isEmpty else { return }
    // The library's demuxer knows more packings.
    try countPackets(
      of: packed, MediaReader(path: result.path, cancellation: cancellation), into: &result)
  }

  /// The time that becomes zero: files without video and audio keep their own clock.
  private func origin(of file: MatroskaFile) throws -> Timestamp {
    guard file.carriesFilm else { return .zero }
    return file.startTime(try file.firstBlocks())
  }

  private func add(
    _ block: MatroskaBlock, of file: MatroskaFile, origin: Timestamp,
    to counters: inout [UInt64: CueCounter]
  ) throws {
    let packet = CountingPacket(
      time: block.time - origin, duration: block.duration, storedSize: block.payloadSize
    ) { limit in
      try file.payload(of: block, limit: limit)
    }
    do {
      try counters[block.trackNumber]?.add(packet)
    } catch let fault as MatroskaFault {
      if case .unreadable = fault.kind { throw fault }
      counters[block.trackNumber]?.note("\(fault)")
    }
  }
}

extension MatroskaFile {
  /// Whether there is picture or sound: files without keep their own clock.
  var carriesFilm: Bool { tracks.contains { $0.kind == .video || $0.kind == .audio } }
}

extension TrackDescription {
  /// What a Matroska file says of a subtitle track, in FFmpeg's terms.
  init(_ track: MatroskaTrack, ordinal: Int) {
    self.init(
      streamIndex: track.streamIndex, subtitleOrdinal: ordinal, codec: track.subtitleCodec,
      codecName: track.codecName, language: track.language, title: track.name,
      flags: track.flags, canvas: nil)
  }
}

extension VideoDescription {
  /// What a Matroska file says of a video track.
  init(_ track: MatroskaTrack) {
    let aspect = track.sampleAspect ?? (1, 1)
    let rate = Self.frameRate(track.defaultDuration)
    self.init(
      streamIndex: track.streamIndex, codecName: track.codecName, width: track.pixelWidth,
      height: track.pixelHeight, sampleAspectNumerator: aspect.0, sampleAspectDenominator: aspect.1,
      frameRateNumerator: rate.0, frameRateDenominator: rate.1,
      colorMatrix: track.matrixCoefficients.flatMap { Self.matrices[$0] })
  }

  /// FFmpeg's names of the matrices of ITU-T H.273, table 4.
  private static let matrices = [
    0: "gbr", 1: "bt709", 4: "fcc", 5: "bt470bg", 6: "smpte170m", 7: "smpte240m", 8: "ycgco",
    9: "bt2020nc", 10: "bt2020c",
  ]

  /// The rate of frames of so many nanoseconds: a usual one if it fits to the nanosecond.
  private static func frameRate(_ nanoseconds: UInt64?) -> (Int, Int) {
    guard let nanoseconds, nanoseconds > 0, nanoseconds < 1_000_000_000_000 else { return (0, 1) }
    let length = Double(nanoseconds)
    for numerator in [24, 25, 30, 48, 50, 60, 100, 120] {
      for (scaled, denominator) in [(numerator, 1), (numerator * 1000, 1001)]
      where abs(length - 1e9 * Double(denominator) / Double(scaled)) <= 1.5 {
        return (scaled, denominator)
      }
    }
    return (1_000_000_000, Int(nanoseconds))
  }
}
