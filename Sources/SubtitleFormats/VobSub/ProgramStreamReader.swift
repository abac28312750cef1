// SPDX-License-Identifier: Apache-2.0
import BinaryReading
import SubtitleModel

/// A PES packet of private stream 1 with a sub-picture stream in it.
package struct SubpicturePacket: Sendable, Hashable {
  /// The stream's number, 0 to 31.
  package var stream: Int
  /// The presentation time in 90 kHz ticks, 33 bits; nil where the packet has none.
  package var pts: Int64?
  /// Absolute offset of the first byte of `bytes`.
  package var offset: Int64
  /// Absolute offset of the packet's start code.
  package var packetOffset: Int64
  /// The payload behind the stream's number.
  package var bytes: [UInt8]
}

/// Reads sub-picture packets of an MPEG program stream (ISO/IEC 13818-1, 2.5.3; 11172-1 as well).
///
/// Packs may have any length and lie anywhere; what is no start code is passed over.
package struct ProgramStreamReader: Sendable {
  private var reader: ByteReader
  private let bytes: [UInt8]

  /// What was noticed so far.
  package private(set) var log: FindingLog

  /// Makes a reader of a whole file.
  package init(_ bytes: [UInt8], strictness: Strictness = .lenient) {
    self.bytes = bytes
    reader = ByteReader(bytes, structure: "program stream")
    log = FindingLog(strictness)
  }

  /// Absolute offset of the next byte.
  package var position: Int64 { reader.position }

  /// Goes to an offset; beyond the end is the end.
  package mutating func seek(to position: Int64) {
    reader = ByteReader(bytes, structure: "program stream")
    try? reader.skip(Int(max(0, min(position, Int64(bytes.count)))))
  }

  /// The next sub-picture packet, or nil at the end.
  ///
  /// - Throws: The first finding of severity error, if strict.
  package mutating func next() throws(StreamFinding) -> SubpicturePacket? {
    while reader.remaining >= 4 {
      let start = reader.position
      var ahead = reader
      guard let code = try? ahead.u32(), code >> 8 == 1 else {
        try resynchronize(start)
        continue
      }
      reader = ahead
      switch code & 0xFF {
      case 0xBA: skipPackHeader()
      case 0xB9: continue
      case 0xBD:
        if let packet = try privatePacket(start) { return packet }
      case 0xBB...0xFF: try skipPacket(start)
      default: continue
      }
    }
    return nil
  }

  /// A pack header of MPEG-2 (10 bytes and stuffing) or MPEG-1 (8 bytes).
  private mutating func skipPackHeader() {
    guard let first = reader.peek() else { return }
    if first >> 6 == 1 {
      var ahead = reader
      guard (try? ahead.skip(9)) != nil, let stuffing = try? ahead.u8(),
        (try? ahead.skip(Int(stuffing & 7))) != nil
      else { return }
      reader = ahead
    } else if first >> 4 == 2 {
      try? reader.skip(8)
    }
  }

  private mutating func skipPacket(_ start: Int64) throws(StreamFinding) {
    guard let size = try? reader.u16() else { return }
    if Int(size) > reader.remaining { try noteCut(start, Int(size)) }
    try? reader.skip(min(Int(size), reader.remaining))
  }

  private mutating func noteCut(_ start: Int64, _ size: Int) throws(StreamFinding) {
    try log.note(
      StreamFinding(
        .packCut, time: nil, offset: start,
        "a packet of \(size) bytes has only \(reader.remaining) before the file ends"))
  }

  /// A packet of private stream 1; nil if no sub-picture stream is in it.
  private mutating func privatePacket(_ start: Int64) throws(StreamFinding) -> SubpicturePacket? {
    guard let size = try? reader.u16() else { return nil }
    if Int(size) > reader.remaining { try noteCut(start, Int(size)) }
    guard var body = try? reader.slice(min(Int(size), reader.remaining)) else { return nil }
    guard let pts = try? PESHeader.read(&body), let id = try? body.u8() else {
      try log.note(
        StreamFinding(.packDamaged, time: nil, offset: start, "a packet's header makes no sense"))
      return nil
    }
    guard (0x20...0x3F).contains(id) else { return nil }
    return SubpicturePacket(
      stream: Int(id & 0x1F), pts: pts.pts, offset: body.position, packetOffset: start,
      bytes: body.rest())
  }

  private mutating func resynchronize(_ start: Int64) throws(StreamFinding) {
    var at = Int(start) + 1
    let end = bytes.count - 4
    var isPadding = bytes[Int(start)] == 0 || bytes[Int(start)] == 0xFF
    while at <= end, !(bytes[at] == 0 && bytes[at + 1] == 0 && bytes[at + 2] == 1) {
      isPadding = isPadding && (bytes[at] == 0 || bytes[at] == 0xFF)
      at += 1
    }
    let next = at <= end ? at : bytes.count
    seek(to: Int64(next))
    // Zeros and ones between packs are stuffing; anything else is not.
    guard !isPadding else { return }
    try log.note(
      StreamFinding(
        .packDamaged, time: nil, offset: start,
        "\(next - Int(start)) bytes are no pack and are passed over"))
  }
}

/// The header of a PES packet behind its length.
enum PESHeader {
  /// Reads the header of either form; the reader stands at the payload then.
  ///
  /// - Returns: The PTS in 90 kHz ticks, if there is one.
  static func read(_ input: inout ByteReader) throws(ReadFault) -> (pts: Int64?, dts: Int64?) {
    guard let first = input.peek() else {
      throw input.fault(.truncated(needed: 1, available: 0))
    }
    if first >> 6 == 2 {
      try input.skip(1)
      let flags = try input.u8()
      let size = Int(try input.u8())
      var header = try input.slice(size)
      let pts = flags & 0x80 != 0 ? try time(&header) : nil
      let dts = flags & 0xC0 == 0xC0 ? try time(&header) : nil
      return (pts, dts)
    }
    // MPEG-1: stuffing, a buffer size of 2 bytes, then times or 0F.
    while input.peek() == 0xFF { try input.skip(1) }
    if let next = input.peek(), next >> 6 == 1 { try input.skip(2) }
    switch (input.peek() ?? 0) >> 4 {
    case 2: return (try time(&input), nil)
    case 3:
      let pts = try time(&input)
      return (pts, try time(&input))
    default:
      try input.skip(1)
      return (nil, nil)
    }
  }

  /// A time of 33 bits among marker bits (ISO/IEC 13818-1, 2.4.3.7).
  private static func time(_ input: inout ByteReader) throws(ReadFault) -> Int64 {
    let bits = try input.unsigned(5)
    return Int64(bits >> 33 & 7) << 30 | Int64(bits >> 17 & 0x7FFF) << 15
      | Int64(bits >> 1 & 0x7FFF)
  }
}

/// Reads the sub-pictures of one track from an .idx/.sub pair, or of a stream of a .sub file alone.
package enum VobSubFileReader {
  /// Packets read for one unit: 65535 bytes in packets of one byte would be no file of anybody's.
  private static let packetLimit = 4096

  /// The units of a track.
  ///
  /// - Parameters:
  ///   - index: The .idx file.
  ///   - track: The place among the index's tracks.
  ///   - packs: The .sub file.
  ///   - byteLimit: How many bytes of units are read; that there are more is noted.
  ///   - strictness: What a breach of the rules does.
  /// - Returns: A packet for each unit, with the index's time, else that of its PES packet.
  /// - Throws: The first finding of severity error, if strict.
  package static func packets(
    of index: VobSubIndex, track: Int, packs: [UInt8],
    byteLimit: Int = DecoderLimits.bytesPerIndexedTrack, strictness: Strictness = .lenient
  ) throws(StreamFinding) -> (packets: [TrackPacket], log: FindingLog) {
    var reader = ProgramStreamReader(packs, strictness: strictness)
    var log = FindingLog(strictness)
    var result: [TrackPacket] = []
    guard index.tracks.indices.contains(track) else { return ([], log) }
    let stream = index.tracks[track].index
    var byteCount = 0
    for entry in index.tracks[track].entries {
      guard entry.position < packs.count else {
        try log.note(
          StreamFinding(
            .idxPosition, time: entry.time, offset: entry.position,
            "the index leads behind the end of the .sub file of \(packs.count) bytes"))
        continue
      }
      reader.seek(to: entry.position)
      guard let unit = try unit(&reader, stream: stream) else {
        try log.note(
          StreamFinding(
            .idxPosition, time: entry.time, offset: entry.position,
            "no packet of stream \(stream) follows the place that the index names"))
        continue
      }
      byteCount += unit.bytes.count
      guard byteCount <= byteLimit else {
        try log.note(
          StreamFinding(
            .idxLimit, time: entry.time, offset: entry.position,
            "the track has more than \(byteLimit) bytes of sub-pictures, the "
              + "rest is passed over"))
        break
      }
      let own = unit.pts.map { Timestamp(ticks: $0, numerator: 1, denominator: 90_000) }
      result.append(TrackPacket(time: entry.time ?? own, offset: unit.offset, bytes: unit.bytes))
    }
    for finding in reader.log.findings { try log.note(finding) }
    return (result, log)
  }

  /// The numbers of the sub-picture streams of a .sub file, by their first packets.
  package static func streams(packs: [UInt8]) throws(StreamFinding) -> [Int] {
    var reader = ProgramStreamReader(packs)
    var result: [Int] = []
    while let packet = try reader.next() {
      if !result.contains(packet.stream) { result.append(packet.stream) }
    }
    return result
  }

  /// The units of one stream in the order of the .sub file, by the times of its packets.
  ///
  /// - Parameters:
  ///   - stream: The stream's number.
  ///   - packs: The .sub file.
  ///   - strictness: What a breach of the rules does.
  /// - Returns: A packet for each unit; the clock of 33 bits is not counted on over its wrap.
  /// - Throws: The first finding of severity error, if strict.
  package static func packets(
    stream: Int, packs: [UInt8], strictness: Strictness = .lenient
  ) throws(StreamFinding) -> (packets: [TrackPacket], log: FindingLog) {
    var reader = ProgramStreamReader(packs, strictness: strictness)
    var result: [TrackPacket] = []
    // Each packet of the file is in one unit, so that their bytes are no more than the file's.
    while result.count < DecoderLimits.packetsPerFile, let unit = try unit(&reader, stream: stream)
    {
      result.append(
        TrackPacket(
          time: unit.pts.map { Timestamp(ticks: $0, numerator: 1, denominator: 90_000) },
          offset: unit.offset, bytes: unit.bytes))
    }
    return (result, reader.log)
  }

  /// Puts the packets of a unit together, up to its size or the next unit's first packet.
  private static func unit(
    _ reader: inout ProgramStreamReader, stream: Int
  ) throws(StreamFinding) -> SubpicturePacket? {
    var unit: SubpicturePacket?
    for _ in 0..<packetLimit {
      var ahead = reader
      guard let packet = try ahead.next() else {
        reader = ahead
        break
      }
      guard packet.stream == stream else {
        reader = ahead
        continue
      }
      if unit != nil, packet.pts != nil { break }
      reader = ahead
      unit =
        unit
        ?? SubpicturePacket(
          stream: stream, pts: packet.pts, offset: packet.offset, packetOffset: packet.packetOffset,
          bytes: [])
      unit?.bytes += packet.bytes
      guard let bytes = unit?.bytes, bytes.count >= 2 else { continue }
      let size = Int(bytes[0]) << 8 | Int(bytes[1])
      if bytes.count >= size {
        unit?.bytes = Array(bytes.prefix(size))
        break
      }
    }
    return unit
  }
}
