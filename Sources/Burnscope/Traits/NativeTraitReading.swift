// SPDX-License-Identifier: Apache-2.0
internal import Compositing
internal import MediaContainer
internal import SubtitleFormats
internal import SubtitleModel
internal import TraitSuite

/// Reads a file of the suite with the native readers and decoders.
struct NativeTraitReading {
  private let trait: StreamTrait
  private let packets: [TrackPacket]
  private let decoder: any SubtitleFormats.SubtitleDecoder
  /// Codes of what the file's own reader noticed.
  private let fileCodes: Set<String>

  /// Reads a file's packets.
  ///
  /// - Throws: `MediaError` for a file that cannot be read.
  init(_ trait: StreamTrait, _ file: String) throws {
    self.trait = trait
    var setup = DecoderSetup()
    if trait.codec == .xsub {
      setup.codecTag = trait.hasAlpha ? "DXSA" : "DXSB"
    }
    var codes: [StreamFinding] = []
    var native = trait.codec.nativeDecoder(setup)
    switch file.split(separator: ".").last {
    case "sup":
      var reader = SUPReader(try TraitFolder.read(file))
      packets = try reader.rest()
      codes = reader.log.findings
    case "pes":
      var reader = DVBPESReader(try TraitFolder.read(file))
      packets = try reader.rest()
      codes = reader.log.findings
    case "idx":
      let text = String(decoding: try TraitFolder.read(file), as: UTF8.self)
      let (index, findings) = VobSubIndex.read(text)
      guard trait.fileTrack < index.tracks.count else {
        throw MediaError(.noSuchStream, "\(file): there is no track \(trait.fileTrack)")
      }
      packets = try Self.packets(
        of: index.tracks[trait.fileTrack], try TraitFolder.read(file.dropLast(3) + "sub"))
      native = VobSubDecoder(index: index)
      codes = findings
    default:
      let reader = try MediaReader(path: file)
      let track = try TrackSelector.subtitleOrdinal(trait.fileTrack).find(
        in: reader.description, name: file)
      setup.privateData = try reader.codecPrivate(of: track.streamIndex)
      native = trait.codec.nativeDecoder(setup)
      var found: [TrackPacket] = []
      try reader.readPackets(of: [track.streamIndex]) { packet in
        found.append(
          TrackPacket(
            time: packet.time, duration: packet.duration, offset: packet.position ?? 0,
            bytes: packet.bytes))
        return true
      }
      packets = found
    }
    guard let native else {
      throw MediaError(.unsupported, "\(file): there is no decoder of \(trait.codec.rawValue)")
    }
    decoder = native
    fileCodes = Set(codes.map(\.rule.code))
  }

  /// The packets of one stream of a .sub file, with the times of its index.
  private static func packets(
    of track: VobSubIndex.Track, _ bytes: [UInt8]
  ) throws -> [TrackPacket] {
    var reader = ProgramStreamReader(bytes)
    var entries = track.entries[...]
    var packets: [TrackPacket] = []
    while let packet = try reader.next() {
      guard packet.stream == track.index else { continue }
      var time: Timestamp?
      // The entry of the pack that the packet is in, or of one before that has no packet.
      while let entry = entries.first, entry.position <= packet.packetOffset {
        time = entry.time
        entries.removeFirst()
      }
      packets.append(TrackPacket(time: time, offset: packet.offset, bytes: packet.bytes))
    }
    return packets
  }

  /// What is shown at each time, found by random access.
  func pictures() throws -> [RGBABitmap] {
    let access = RandomAccess(
      packets: packets, codec: trait.codec, decoder: decoder, fileEnd: nil)
    return try trait.fileLooks.map { look in
      let time = trait.fileTime(look)
      let shown = try access.picture(at: time).objects.map(\.object)
      let cue = Cue(index: 0, start: time, end: time, endCause: .endOfFile, objects: shown)
      return try cue.picture(on: trait.size)
    }
  }

  /// Codes of the findings of reader and decoder.
  func codes() throws -> Set<String> {
    var decoder = decoder
    _ = try decoder.events(of: packets)
    return fileCodes.union(decoder.log.findings.map(\.rule.code))
  }
}
