// SPDX-License-Identifier: Apache-2.0
import BinaryReading
import SubtitleFormats
package import SubtitleModel

/// A file by its suffix.
package struct TraitFile: Sendable, Hashable {
  /// The suffix without its point.
  package var suffix: String
  /// The bytes.
  package var bytes: [UInt8]
}

extension StreamTrait {
  /// Why the trait is kept in no file; nil for one that is.
  package var reasonAgainstFile: String? {
    if case .none(let reason) = storage { return reason }
    return nil
  }

  /// Ticks of 90 kHz by which the file's clock is ahead of the trait's.
  package var fileShift: Int64 {
    if case .shifted(let ticks) = storage { return ticks }
    return 0
  }

  /// The time of a look on the file's clock.
  package func fileTime(_ look: Look) -> Timestamp {
    guard fileShift != 0 else { return look.time }
    return Timestamp(ticks: look.time.ticks90k + fileShift, numerator: 1, denominator: 90_000)
  }

  /// The place of the trait's track among the subtitle tracks of its file.
  package var fileTrack: Int { otherPackets.isEmpty ? 0 : 1 }

  /// The files that hold the trait, the one to open first; none if it is kept in no file.
  package func files() -> [TraitFile] {
    switch (storage, codec) {
    case (.none, _): return []
    case (.matroska, .vobsub):
      return [matroska("S_VOBSUB", privateData: Array((index ?? VobSubIndex()).text.utf8))]
    case (.matroska, .dvb):
      // Segments without identifier; the composition page, the ancillary page, and a service's kind.
      return [matroska("S_DVBSUB", privateData: Self.bytes(pages ?? (1, 1)) + [0x10])]
    case (.matroska, _): return [matroska("S_HDMV/PGS", privateData: [])]
    case (_, .vobsub): return vobsubFiles()
    case (_, .dvb): return [dvbFile()]
    case (_, .xsub):
      return [
        TraitFile(
          suffix: "avi",
          // The times of traits are some seconds, so that nothing passes a limit.
          bytes: (try? XSUBFileWriter.bytes(packets, hasAlpha: hasAlpha, canvas: size)) ?? [])
      ]
    case (.transportStream, _):
      let registration: [UInt8] = [0x05, 0x04] + Array("HDMV".utf8)
      return [
        TraitFile(
          suffix: "ts",
          bytes: TransportStreamFile.bytes(packets, type: 0x90, programDescriptor: registration))
      ]
    default:
      return [
        TraitFile(
          suffix: "sup",
          bytes: SegmentFile.bytes(
            packets, shift: fileShift, decodingLead: decodingLead))
      ]
    }
  }

  private func matroska(_ codecID: String, privateData: [UInt8]) -> TraitFile {
    TraitFile(
      suffix: "mks",
      bytes: MatroskaTrackFile.bytes(
        packets, codecID: codecID, privateData: privateData, compression: compression))
  }

  private func vobsubFiles() -> [TraitFile] {
    var index = index ?? VobSubIndex()
    var packs = PackFile()
    let streams = otherPackets.isEmpty ? [packets] : [otherPackets, packets]
    for (number, stream) in streams.enumerated() {
      var track = VobSubIndex.Track(language: number == 0 ? "en" : "de", index: number)
      for packet in stream {
        let position = packs.append(packet, stream: UInt8(number))
        guard let time = packet.time else { continue }
        track.entries.append(.init(time: time - indexDelay, position: position))
      }
      index.tracks.append(track)
    }
    index.defaultTrack = statesDefaultTrack ? 0 : nil
    var text = index.text
    if indexDelay != .zero, let place = text.firstPlace(of: "\ntimestamp:") {
      let delay = String(indexDelay.description.map { $0 == "." ? ":" : $0 })
      text.insert(contentsOf: "\ndelay: \(delay)", at: place)
    }
    return [
      TraitFile(suffix: "idx", bytes: Array(text.utf8)),
      TraitFile(suffix: "sub", bytes: packs.bytes),
    ]
  }

  private static func bytes(_ pages: (composition: Int, ancillary: Int)) -> [UInt8] {
    [pages.composition, pages.ancillary].flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
  }

  private func dvbFile() -> TraitFile {
    let fields = packets.map { packet in
      var field = packet
      // The form without identifier gets the one that PES packets have.
      if field.bytes.first == 0x0F { field.bytes = [0x20, 0x00] + field.bytes + [0xFF] }
      if let time = field.time, fileShift != 0 {
        field.time = Timestamp(
          ticks: (time.ticks90k + fileShift) & 0x1_FFFF_FFFF, numerator: 1, denominator: 90_000)
      }
      return field
    }
    guard let pages else {
      var writer = ByteWriter()
      for field in fields { writer.packet(field.bytes, ticks: field.time?.ticks90k) }
      return TraitFile(suffix: "pes", bytes: writer.bytes)
    }
    // A subtitling descriptor (EN 300 468, 6.2.41): normal subtitles without an aspect ratio, then,
    // if another service is there, such for the hard of hearing.
    var services = Array("eng".utf8) + [0x10] + Self.bytes(pages)
    if let otherPages { services += Array("eng".utf8) + [0x20] + Self.bytes(otherPages) }
    let descriptor: [UInt8] = [0x59, UInt8(services.count)] + services
    return TraitFile(
      suffix: "ts",
      bytes: TransportStreamFile.bytes(fields, type: 0x06, streamDescriptor: descriptor))
  }
}

extension String {
  /// Where a text first occurs.
  fileprivate func firstPlace(of text: String) -> String.Index? {
    indices.first { self[$0...].hasPrefix(text) }
  }
}
