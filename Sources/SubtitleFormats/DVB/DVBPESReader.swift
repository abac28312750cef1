// SPDX-License-Identifier: Apache-2.0
import BinaryReading
import SubtitleModel

/// Reads a raw file of PES packets: private stream 1 with DVB subtitles, and padding between.
///
/// Times of 33 bits are unwrapped: a step back by more than half the range is a wrap.
package struct DVBPESReader: Sendable {
  private static let range: Int64 = 1 << 33
  private let bytes: [UInt8]
  private var at = 0
  private var last: Int64?
  private var base: Int64 = 0

  /// What was noticed so far.
  package private(set) var log: FindingLog

  /// Makes a reader of a whole file.
  package init(_ bytes: [UInt8], strictness: Strictness = .lenient) {
    self.bytes = bytes
    log = FindingLog(strictness)
  }

  /// The next packet of subtitles, or nil at the end.
  ///
  /// - Throws: The first finding of severity error, if strict.
  package mutating func next() throws(StreamFinding) -> TrackPacket? {
    while at + 6 <= bytes.count {
      let start = Int64(at)
      guard bytes[at] == 0, bytes[at + 1] == 0, bytes[at + 2] == 1, bytes[at + 3] >= 0xBC else {
        try resynchronize()
        continue
      }
      let code = bytes[at + 3]
      let size = Int(bytes[at + 4]) << 8 | Int(bytes[at + 5])
      let end = min(at + 6 + size, bytes.count)
      if at + 6 + size > bytes.count {
        try log.note(
          StreamFinding(
            .packCut, time: nil, offset: start,
            "a packet of \(size) bytes has only \(bytes.count - at - 6) before the file ends"))
      }
      let body = Array(bytes[(at + 6)..<end])
      at = end
      guard code == 0xBD else { continue }
      var reader = ByteReader(body, base: start + 6)
      guard let header = try? PESHeader.read(&reader) else {
        try log.note(
          StreamFinding(.packDamaged, time: nil, offset: start, "a packet's header makes no sense"))
        continue
      }
      let offset = reader.position
      return TrackPacket(
        time: header.pts.map { unwrap($0) }, offset: offset, bytes: reader.rest())
    }
    return nil
  }

  /// Reads all that is left.
  ///
  /// - Parameter limit: How many packets are read; that there are more is noted.
  /// - Returns: The packets.
  /// - Throws: As ``next()``.
  package mutating func rest(
    limit: Int = DecoderLimits.packetsPerFile
  ) throws(StreamFinding) -> [TrackPacket] {
    var packets: [TrackPacket] = []
    while let packet = try next() {
      guard packets.count < limit else {
        try log.note(
          StreamFinding(
            .rawLimit, time: packet.time, offset: packet.offset,
            "the file has more than \(limit) packets, the rest is passed over"
          ))
        break
      }
      packets.append(packet)
    }
    return packets
  }

  private mutating func unwrap(_ pts: Int64) -> Timestamp {
    var ticks = pts + base
    if let last, last - ticks > Self.range / 2 {
      base += Self.range
      ticks += Self.range
    }
    last = ticks
    return Timestamp(ticks: ticks, numerator: 1, denominator: 90_000)
  }

  private mutating func resynchronize() throws(StreamFinding) {
    let start = at
    at += 1
    while at + 4 <= bytes.count,
      !(bytes[at] == 0 && bytes[at + 1] == 0 && bytes[at + 2] == 1 && bytes[at + 3] >= 0xBC)
    { at += 1 }
    if at + 4 > bytes.count { at = bytes.count }
    try log.note(
      StreamFinding(
        .packDamaged, time: nil, offset: Int64(start),
        "\(at - start) bytes are no packet and are passed over"))
  }
}

/// One service of a subtitling descriptor (EN 300 468, 6.2.41).
public struct SubtitlingService: Sendable, Hashable {
  /// The language by ISO 639-2; empty where the container does not say.
  public var language: String
  /// The component type: 0x10 to 0x15 normal, 0x20 to 0x25 for the hard of hearing; 0 where the
  /// container does not say.
  public var type: UInt8
  /// The page that composes.
  public var compositionPageID: Int
  /// The page with shared objects; the composition page itself where there is none.
  public var ancillaryPageID: Int

  /// Makes a service.
  package init(language: String, type: UInt8, compositionPageID: Int, ancillaryPageID: Int) {
    self.language = language
    self.type = type
    self.compositionPageID = compositionPageID
    self.ancillaryPageID = ancillaryPageID
  }

  /// Whether it is for the hard of hearing.
  public var isForHearingImpaired: Bool { (0x20...0x25).contains(type) }

  /// The picture that it is made for, by its type (EN 300 468, table 26); nil for any or unknown.
  public var display: String? {
    guard type >> 4 == 1 || type >> 4 == 2 else { return nil }
    switch type & 0x0F {
    case 1: return "4:3"
    case 2: return "16:9"
    case 3: return "2.21:1"
    case 4: return "high definition"
    case 5: return "plano-stereoscopic high definition"
    default: return nil
    }
  }

  /// The services of a descriptor, behind its tag and length: 8 bytes each.
  ///
  /// - Returns: The services; a cut one is left out.
  package static func services(_ descriptor: [UInt8]) -> [SubtitlingService] {
    var services: [SubtitlingService] = []
    for at in stride(from: 0, to: descriptor.count / 8 * 8, by: 8) {
      let pages = descriptor[at + 4..<at + 8].map { Int($0) }
      services.append(
        SubtitlingService(
          language: String(decoding: descriptor[at..<at + 3], as: UTF8.self),
          type: descriptor[at + 3], compositionPageID: pages[0] << 8 | pages[1],
          ancillaryPageID: pages[2] << 8 | pages[3]))
    }
    return services
  }
  /// Services read of one track: a descriptor of 255 bytes has 31, and a track may have several.
  package static let limit = 64

  /// The services of a container's private data: composition page 2, ancillary page 2, type 1 each.
  ///
  /// - Parameters:
  ///   - privateData: 5 bytes a service, as Matroska and libavformat have them; of data of another
  ///     size the first 4 bytes are taken, as the decoder does.
  ///   - languages: The services' languages with commas between; nil where unknown.
  /// - Returns: The services, none for fewer than 4 bytes.
  package static func services(
    privateData: [UInt8], languages: String?
  ) -> [SubtitlingService] {
    guard privateData.count >= 4 else { return [] }
    let isWhole = privateData.count % 5 == 0
    let size = isWhole ? 5 : privateData.count
    let names = languages?.split(separator: ",", omittingEmptySubsequences: false) ?? []
    return (0..<min(privateData.count / size, limit)).map { number in
      let bytes = privateData[number * size..<(number + 1) * size].map { Int($0) }
      return SubtitlingService(
        language: number < names.count ? String(names[number]) : "",
        type: isWhole ? UInt8(bytes[4]) : 0, compositionPageID: bytes[0] << 8 | bytes[1],
        ancillaryPageID: bytes[2] << 8 | bytes[3])
    }
  }

  /// What the type is called in EN 300 468, table 26; nil for one that is not of subtitles.
  public var typeName: String? {
    guard type >> 4 == 1 || type >> 4 == 2, type & 15 <= 5 else { return nil }
    let audience = type >> 4 == 2 ? "hard of hearing" : "normal"
    return display.map { "\(audience), \($0)" } ?? audience
  }
}
