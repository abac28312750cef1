// SPDX-License-Identifier: Apache-2.0
import MediaContainer
import SubtitleFormats
import SubtitleModel

/// The tracks of a raw stream outside any container: .sup, .idx with .sub, .sub alone, .pes.
struct RawTracks {
  /// The tracks, described by what the files themselves say.
  let tracks: [TrackDescription]
  private let file: LocalFile
  private let content: Content

  private enum Content {
    case sup
    case pes([UInt8])
    case pair(index: VobSubIndex, findings: [StreamFinding], packs: LocalFile)
    case packs([UInt8], streams: [Int])
  }

  /// The canvas of sub-pictures whose index is not there: the larger one of DVDs, which holds both.
  private static let discCanvas = Canvas(width: 720, height: 576)

  /// Recognises a raw stream by its first bytes, an index by its suffix.
  ///
  /// - Returns: Nil for anything else.
  /// - Throws: `MediaError` of kind `.tooLarge`, `.unreadable` or `.missingCompanion`.
  init?(_ file: LocalFile) throws {
    self.file = file
    let head = try file.bytes(from: 0, upTo: 32)
    if file.name.lowercased().hasSuffix(".idx") {
      let packs = try Self.packs(of: file)
      let text = String(decoding: try file.wholeRaw(), as: UTF8.self)
      let (index, findings) = VobSubIndex.read(text)
      content = .pair(index: index, findings: findings, packs: packs)
      tracks = index.tracks.enumerated().map { number, track in
        var description = Self.description(.vobsub, "dvd_subtitle", number, index.canvas)
        description.language = track.language
        description.title = track.title
        return description
      }
    } else if file.name.lowercased().hasSuffix(".sub"), head.starts(with: [0, 0, 1, 0xBA]) {
      let bytes = try file.wholeRaw()
      let streams = try VobSubFileReader.streams(packs: bytes)
      content = .packs(bytes, streams: streams)
      tracks = streams.indices.map {
        Self.description(.vobsub, "dvd_subtitle", $0, Self.discCanvas)
      }
    } else if SUPReader.recognizes(head) {
      try file.checkRawSize()
      content = .sup
      tracks = [Self.description(.pgs, "hdmv_pgs_subtitle", 0, nil)]
    } else if Self.isPES(head, file.name) {
      content = .pes(try file.wholeRaw())
      tracks = [Self.description(.dvb, "dvb_subtitle", 0, nil)]
    } else {
      return nil
    }
  }

  /// Whether a file is one of PES packets: by its suffix, and a start code of private data or padding.
  private static func isPES(_ head: [UInt8], _ name: String) -> Bool {
    head.count >= 4 && name.lowercased().hasSuffix(".pes") && head[0] == 0 && head[1] == 0
      && head[2] == 1 && head[3] >= 0xBC
  }

  /// The file with an index's pictures.
  private static func packs(of index: LocalFile) throws -> LocalFile {
    guard let path = try VobSubPair.companion(of: index) else {
      throw MediaError(.missingCompanion, "\(index.name): its .sub file is missing")
    }
    return try LocalFile(path: path)
  }

  private static func description(
    _ codec: SubtitleCodec, _ name: String, _ number: Int, _ canvas: Canvas?
  ) -> TrackDescription {
    TrackDescription(
      streamIndex: number, subtitleOrdinal: number, codec: codec, codecName: name, language: nil,
      title: nil, flags: [], canvas: canvas)
  }

  /// The file as a container would describe itself.
  var media: MediaDescription {
    let format =
      switch content {
      case .sup: "sup"
      case .pes: "pes"
      case .pair, .packs: "vobsub"
      }
    return MediaDescription(
      formatName: format, duration: nil, startTime: .zero, video: nil, subtitles: tracks,
      streamCount: tracks.count)
  }

  /// Reads a track packet by packet, holding none.
  ///
  /// - Parameters:
  ///   - track: A track without its packets; it takes what the reader noticed.
  ///   - visit: Called with each packet.
  /// - Returns: False if the file must be held; nothing is read then.
  /// - Throws: `MediaError`, or what `visit` throws.
  func stream(
    _ track: inout NativeTrack, visit: (TrackPacket) throws -> Void
  ) throws -> Bool {
    guard case .sup = content else { return false }
    var reader = SUPReader()
    try file.eachPart { part, isLast in
      reader.append(part, isLast: isLast)
      while let packet = try reader.next() { try visit(packet) }
    }
    track.findings = reader.log.findings
    return true
  }

  /// A track before its packets are read.
  func bare(_ description: TrackDescription, _ end: Timestamp?) -> NativeTrack {
    var setup = DecoderSetup()
    setup.videoSize = description.canvas
    return NativeTrack(
      description: description, setup: setup, packets: [], places: .exact, end: end,
      name: file.name, packetFile: file.name)
  }

  /// Whether the file is an index, whose first lines are the tracks' private data.
  var isIndex: Bool { if case .pair = content { true } else { false } }

  /// The .idx file beside a .sub file that was given alone; nil if there is none.
  var unreadIndex: String? {
    guard case .packs = content else { return nil }
    let stem = String(file.name.dropLast(4))
    return [".idx", ".IDX", ".Idx"].map { stem + $0 }.first { (try? LocalFile(path: $0)) != nil }
  }

  /// Reads tracks; the file with an index's pictures is read once for all.
  func read(_ descriptions: [TrackDescription], end: Timestamp?) throws -> [NativeTrack] {
    var packs: [UInt8] = []
    if case .pair(_, _, let file) = content { packs = try file.wholeRaw() }
    return try descriptions.map { try track($0, packs: packs, end: end) }
  }

  private func track(
    _ description: TrackDescription, packs: [UInt8], end: Timestamp?
  ) throws -> NativeTrack {
    var track = bare(description, end)
    var packets: [TrackPacket] = []
    if try stream(&track, visit: { packets.append($0) }) {
      track.packets = packets
      return track
    }
    switch content {
    case .sup: break
    case .pes(let bytes):
      var reader = DVBPESReader(bytes)
      track.packets = try reader.rest()
      track.findings = reader.log.findings
    case .pair(let index, let findings, let packsFile):
      track.setup.privateData = try file.wholeRaw()
      track.packetFile = packsFile.name
      let read = try VobSubFileReader.packets(
        of: index, track: description.subtitleOrdinal, packs: packs)
      track.packets = read.packets
      track.findings = read.log.findings
      track.indexFindings = findings
    case .packs(let bytes, let streams):
      guard streams.indices.contains(description.subtitleOrdinal) else { break }
      let read = try VobSubFileReader.packets(
        stream: streams[description.subtitleOrdinal], packs: bytes)
      track.packets = read.packets
      track.findings = read.log.findings
    }
    return track
  }
}

extension LocalFile {
  /// Bytes of the file, as many as there are.
  ///
  /// - Throws: `MediaError` of kind `.unreadable`.
  func bytes(from offset: Int64, upTo count: Int) throws -> [UInt8] {
    try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      let raw = UnsafeMutableRawBufferPointer(buffer)
      while filled < count {
        let rest = UnsafeMutableRawBufferPointer(rebasing: raw[filled..<count])
        let got = try read(at: offset + Int64(filled), into: rest)
        guard got > 0 else { break }
        filled += min(got, rest.count)
      }
    }
  }

  /// Bytes that ``eachPart(_:)`` reads at once: several segments of the usual size.
  private static let partSize = 1 << 18

  /// Reads the file from its start, a part at a time.
  ///
  /// - Parameter visit: Called with each part and whether it is the last, which may be empty.
  /// - Throws: `MediaError` of kind `.unreadable`, or what `visit` throws.
  func eachPart(_ visit: (_ part: [UInt8], _ isLast: Bool) throws -> Void) throws {
    var offset: Int64 = 0
    while true {
      let part = try bytes(from: offset, upTo: Self.partSize)
      offset += Int64(part.count)
      try visit(part, part.count < Self.partSize)
      if part.count < Self.partSize { return }
    }
  }

  /// Refuses a raw stream that is too large.
  ///
  /// - Throws: `MediaError` of kind `.tooLarge` past ``NativeLimits/bytesPerRawFile``.
  func checkRawSize() throws {
    let size = byteCount ?? 0
    guard size <= NativeLimits.bytesPerRawFile else {
      throw MediaError(
        .tooLarge,
        "\(name): the file has \(size) bytes; raw streams are read up to "
          + "\(NativeLimits.bytesPerRawFile), put it into a .mks to read a longer one")
    }
  }

  /// All bytes of a raw stream.
  ///
  /// - Throws: `MediaError` of kind `.tooLarge` or `.unreadable`.
  func wholeRaw() throws -> [UInt8] {
    try checkRawSize()
    return try bytes(from: 0, upTo: Int(byteCount ?? 0))
  }
}
