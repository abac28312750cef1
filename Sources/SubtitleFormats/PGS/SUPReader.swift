// SPDX-License-Identifier: Apache-2.0
import BinaryReading
import SubtitleModel

/// Reads a .sup file: PGS segments, each behind a header with its times.
///
/// Each segment becomes a packet of its own, so that offsets stay those of the file. Only compositions
/// have a time: that of the other segments means nothing, and is 0 in many files. Times of 32 bits are
/// unwrapped: a step back by more than half the range is a wrap.
///
/// A file may be given whole or in parts, so that no more of it than a part need be held.
package struct SUPReader: Sendable {
  private static let range: Int64 = 1 << 32
  /// Bytes that tell whether a segment is one: its header, the longest body, and the next one's mark.
  private static let lookahead = 10 + 3 + 0xFFFF + 2
  private var reader: ByteReader
  private var hasAll: Bool
  private var damageStart: Int64?
  private var lastPTS: Int64?
  private var epochOfClock: Int64 = 0

  /// What was noticed so far.
  package private(set) var log: FindingLog

  /// Makes a reader of a whole file.
  package init(_ bytes: [UInt8], strictness: Strictness = .lenient) {
    reader = ByteReader(bytes, structure: ".sup segment")
    hasAll = true
    log = FindingLog(strictness)
  }

  /// Makes a reader of a file that comes in parts.
  package init(strictness: Strictness = .lenient) {
    reader = ByteReader([], structure: ".sup segment")
    hasAll = false
    log = FindingLog(strictness)
  }

  /// Takes the next part of the file, behind what is not read yet.
  ///
  /// - Parameters:
  ///   - part: The bytes.
  ///   - isLast: Whether the file ends with them.
  package mutating func append(_ part: [UInt8], isLast: Bool) {
    let position = reader.position
    reader = ByteReader(reader.rest() + part, base: position, structure: ".sup segment")
    hasAll = isLast
  }

  /// Whether bytes look like a .sup file.
  package static func recognizes(_ bytes: [UInt8]) -> Bool {
    bytes.count >= 13 && bytes[0] == 0x50 && bytes[1] == 0x47
      && PGSSegmentType(rawValue: bytes[10]) != nil
  }

  /// The next segment, or nil at the end or where the next part is wanted first.
  ///
  /// Bytes that are no segment are passed over up to the next mark that a known segment type follows.
  ///
  /// - Throws: The first finding of severity error, if strict.
  package mutating func next() throws(StreamFinding) -> TrackPacket? {
    while try passOverDamage(), !reader.isAtEnd {
      let offset = reader.position
      var ahead = reader
      guard let header = try? SUPSegmentHeader(parsing: &ahead) else {
        damageStart = offset
        continue
      }
      var body = ahead
      guard let segment = try? PGSSegment.Header(parsing: &body),
        Self.isPlausible(segment, before: body)
      else {
        damageStart = offset
        continue
      }
      if segment.size > body.remaining {
        try log.note(
          StreamFinding(
            .pgsDamaged, time: nil, offset: offset,
            "the file ends \(segment.size - body.remaining) bytes before its last segment"))
      }
      let count = min(3 + segment.size, ahead.remaining)
      let start = ahead.position
      guard let bytes = try? ahead.bytes(count) else { break }
      reader = ahead
      let isComposition = segment.type == PGSSegmentType.presentationComposition.rawValue
      let time = try unwrap(header, offset, isComposition: isComposition)
      return TrackPacket(time: isComposition ? time : nil, offset: start, bytes: bytes)
    }
    return nil
  }

  /// Whether a header is one: its type is known, or another header or the end follows the segment.
  private static func isPlausible(_ header: PGSSegment.Header, before body: ByteReader) -> Bool {
    if PGSSegmentType(rawValue: header.type) != nil { return true }
    var next = body
    guard (try? next.skip(header.size)) != nil else { return false }
    return next.isAtEnd || (try? next.u16()) == SUPSegmentHeader.mark
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
            "the file has more than \(limit) segments, the rest is passed over"
          ))
        break
      }
      packets.append(packet)
    }
    return packets
  }

  /// Only compositions carry the clock on.
  private mutating func unwrap(
    _ header: SUPSegmentHeader, _ offset: Int64, isComposition: Bool
  ) throws(StreamFinding) -> Timestamp {
    var ticks = header.pts + epochOfClock
    if isComposition {
      if let lastPTS, lastPTS - ticks > Self.range / 2 {
        epochOfClock += Self.range
        ticks += Self.range
        try log.note(
          StreamFinding(
            .pgsTimeWrap, time: Timestamp(ticks: ticks, numerator: 1, denominator: 90_000),
            offset: offset, "the 32-bit clock wraps after 13 h 15 min and is counted on"))
      } else if let lastPTS, epochOfClock > 0, ticks - lastPTS > Self.range / 2 {
        // A straggler from before the wrap.
        ticks -= Self.range
      }
      lastPTS = max(lastPTS ?? ticks, ticks)
    }
    let time = Timestamp(ticks: ticks, numerator: 1, denominator: 90_000)
    if header.dts > header.pts, header.pts > 0 {
      try log.note(
        StreamFinding(
          .pgsDecodingTime, time: time, offset: offset,
          "the decoding time is \(header.dts - header.pts) ticks behind the presentation time"))
    }
    return time
  }

  /// Passes over bytes that are no segment, if the last look found such.
  ///
  /// - Returns: Whether what follows can be judged; false if the next part is wanted first.
  private mutating func passOverDamage() throws(StreamFinding) -> Bool {
    while hasAll || reader.remaining >= Self.lookahead {
      guard let start = damageStart else { return true }
      if reader.isAtEnd || reader.position > start && isAtMark {
        damageStart = nil
        try log.note(
          StreamFinding(
            .pgsDamaged, time: nil, offset: start,
            "\(reader.position - start) bytes are no segment and are passed over"))
      } else {
        try? reader.skip(1)
        // Long rubbish is passed over in one step, but for what the next part may go on with.
        let room = hasAll ? reader.remaining : reader.remaining - Self.lookahead
        try? reader.skip(min(reader.distance(to: SUPSegmentHeader.firstByte), max(0, room)))
      }
    }
    return false
  }

  /// Whether a mark and a known segment type follow.
  private var isAtMark: Bool {
    var ahead = reader
    guard (try? SUPSegmentHeader(parsing: &ahead)) != nil, let type = ahead.peek() else {
      return false
    }
    return PGSSegmentType(rawValue: type) != nil
  }
}
