// SPDX-License-Identifier: Apache-2.0
public import MediaContainer
import SubtitleFormats
import SubtitleModel

/// Reads bitmap tracks by our own readers and decoders and tells what is wrong with them.
public enum Lint {
  /// Looks at the bitmap tracks of a file.
  ///
  /// - Parameters:
  ///   - path: A local file; for VobSub outside a container, the `.idx` file.
  ///   - selector: The one track that is looked at; nil for all bitmap tracks.
  ///   - compares: Whether each picture is drawn by libavcodec too, and differences are told.
  ///   - cancellation: Ends the work early, with `CancellationError`.
  ///   - progress: Called now and then with the part that is done, 0 to 1.
  /// - Returns: What was noticed.
  /// - Throws: `MediaError` if the file cannot be read or has no such bitmap track;
  ///   `CancellationError`.
  public static func file(
    _ path: String, track selector: TrackSelector? = nil, compares: Bool = false,
    cancellation: CancellationFlag? = nil, progress: ((Double) -> Void)? = nil
  ) throws -> LintedFile {
    let file = try NativeTracks(path: path, cancellation: cancellation)
    let wanted =
      try selector.map { [try $0.find(in: file.media, name: path)] }
      ?? file.media.subtitles.filter { $0.codec.isBitmap }
    guard !wanted.isEmpty else {
      throw MediaError(.notBitmap, "\(path): the file has no bitmap subtitle track")
    }
    var result = LintedFile(path: path, container: file.media.formatName, tracks: [])
    if wanted.count == 1, !compares,
      let linted = try streamed(
        wanted[0], of: file, size: LocalFile(path: path).byteCount ?? 0, cancellation, progress)
    {
      result.tracks = [linted]
      return result
    }
    // Reading is one third of the work, decoding the rest.
    let tracks = try file.read(wanted) { progress?($0 / 3) }
    for (index, track) in tracks.enumerated() {
      let report: (Double) -> Void = { part in
        progress?(1 / 3 + 2 / 3 * (Double(index) + part) / Double(tracks.count))
      }
      var linted = LintedTrack(track, packetCount: track.packets.count)
      if compares {
        try linted.compare(track, of: file.media, path, cancellation, report)
      } else {
        linted.take(try findings(of: track, cancellation, report), of: track)
      }
      linted.sort()
      result.tracks.append(linted)
    }
    return result
  }

  /// Looks at a track while its file is read; nil if the file must be held.
  private static func streamed(
    _ description: TrackDescription, of file: NativeTracks, size: Int64,
    _ cancellation: CancellationFlag?, _ progress: ((Double) -> Void)?
  ) throws -> LintedTrack? {
    var decoder: (any SubtitleDecoder)?
    var count = 0
    let track = try file.streamed(description) { track in
      decoder = try track.decoder()
      return { packet in
        if cancellation?.isCancelled == true { throw CancellationError() }
        if count & 63 == 0 { progress?(Double(packet.offset) / Double(max(1, size))) }
        count += 1
        _ = try decoder?.decode(packet)
      }
    }
    guard let track else { return nil }
    _ = try decoder?.finish()
    var linted = LintedTrack(track, packetCount: count)
    if let decoder { linted.take(decoder.log, of: track) }
    linted.sort()
    return linted
  }

  /// Decodes a track for its findings alone; pictures are not kept.
  fileprivate static func findings(
    of track: NativeTrack, _ cancellation: CancellationFlag?, _ progress: (Double) -> Void
  ) throws -> FindingLog {
    var decoder = try track.decoder()
    for (index, packet) in track.packets.enumerated() {
      if cancellation?.isCancelled == true { throw CancellationError() }
      if index & 63 == 0 { progress(Double(index) / Double(track.packets.count)) }
      _ = try decoder.decode(packet)
    }
    _ = try decoder.finish()
    return decoder.log
  }

  /// The files as one JSON document, as docs/lint.md describes it, with a newline at its end.
  public static func json(_ files: [LintedFile]) -> String {
    JSONValue.object(["files": .array(files.map(\.json))]).text() + "\n"
  }
}

extension LintedTrack {
  /// Makes a track with what its container's readers noticed.
  init(_ track: NativeTrack, packetCount: Int) {
    description = track.description
    self.packetCount = packetCount
    findings = []
    counts = [:]
    severities = [:]
    for fault in track.containerFaults {
      add(
        TrackFinding(
          severity: .error, code: "container.damaged", source: "libavformat", time: nil,
          file: track.name, offset: nil, offsetInPacket: nil, sentence: fault, difference: nil))
    }
    for finding in track.indexFindings { add(TrackFinding(finding, in: track.name)) }
    for finding in track.findings { add(TrackFinding(finding, in: track.packetFile)) }
  }

  /// Compares a track with what libavcodec makes of it; a file that libavformat refuses is named.
  fileprivate mutating func compare(
    _ track: NativeTrack, of media: MediaDescription, _ path: String,
    _ cancellation: CancellationFlag?, _ progress: @escaping (Double) -> Void
  ) throws {
    let reader: MediaReader
    do {
      reader = try MediaReader(path: path, cancellation: cancellation)
      _ = try TrackSelector.streamIndex(track.description.streamIndex).find(
        in: reader.description, name: path)
    } catch let error as MediaError {
      take(try Lint.findings(of: track, cancellation, progress), of: track)
      add(
        TrackFinding(
          severity: .warning, code: "compare.refused", source: "libavformat", time: nil,
          file: track.name, offset: nil, offsetInPacket: nil,
          sentence: "nothing is compared, since libavformat does not read the track: \(error)",
          difference: nil))
      return
    }
    let comparison = try LintComparison(
      track, video: media.video, cancellation, progress: progress)
    try comparison.run(reader)
    take(comparison.log, of: track)
    for finding in comparison.findings { add(finding) }
    compared = (comparison.pictureCount, comparison.sameCount, comparison.roundedCount)
  }

  /// Takes one finding, unless there are many of its rule already.
  mutating func add(_ finding: TrackFinding) {
    counts[finding.code, default: 0] += 1
    severities[finding.code] = finding.severity
    guard counts[finding.code, default: 0] <= FindingLog.limitPerRule else { return }
    findings.append(finding)
  }

  /// Takes a decoder's findings.
  mutating func take(_ log: FindingLog, of track: NativeTrack) {
    for (rule, count) in log.counts {
      counts[rule.code, default: 0] += count
      severities[rule.code] = TrackFindingSeverity(rule.severity)
    }
    findings += log.findings.map { finding in
      var result = TrackFinding(finding, in: track.packetFile)
      let place = track.places.place(of: finding.offset)
      result.offset = place.offset
      result.offsetInPacket = place.inPacket
      return result
    }
  }

  /// Puts the findings in order: of the container, of the index, then by offset.
  mutating func sort() {
    let keyed = findings.enumerated().sorted { left, right in
      (rank(left.element), left.element.offset ?? -1, left.offset)
        < (rank(right.element), right.element.offset ?? -1, right.offset)
    }
    findings = keyed.map(\.element)
  }

  private func rank(_ finding: TrackFinding) -> Int {
    if finding.code.hasPrefix("container.") { return 0 }
    return finding.code.hasPrefix("idx.") ? 1 : 2
  }
}

extension TrackFinding {
  /// A reader's finding, with its offset as it is.
  init(_ finding: StreamFinding, in file: String) {
    self.init(
      severity: TrackFindingSeverity(finding.rule.severity), code: finding.rule.code,
      source: finding.rule.source, time: finding.time, file: file, offset: finding.offset,
      offsetInPacket: nil, sentence: finding.sentence, difference: nil)
  }
}

extension TrackFindingSeverity {
  init(_ severity: FindingSeverity) {
    switch severity {
    case .note: self = .note
    case .warning: self = .warning
    case .error: self = .error
    }
  }
}
