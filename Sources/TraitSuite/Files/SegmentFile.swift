// SPDX-License-Identifier: Apache-2.0
import BinaryReading
import SubtitleFormats
import SubtitleModel

/// A .sup file: each segment behind a header with its time.
enum SegmentFile {
  /// Writes packets of whole segments.
  ///
  /// - Parameters:
  ///   - packets: The packets; one without a time has that of the one before.
  ///   - shift: Ticks of 90 kHz to add to each time, which has 32 bits in the file.
  ///   - decodingLead: Ticks by which decoding times come before; 0 writes none.
  /// - Returns: The bytes.
  static func bytes(
    _ packets: [TrackPacket], shift: Int64 = 0, decodingLead: Int64 = 0
  ) -> [UInt8] {
    var writer = ByteWriter()
    var ticks: Int64 = 0
    for packet in packets {
      if let time = packet.time { ticks = time.ticks90k + shift }
      var rest = packet.bytes[...]
      while rest.count >= 3 {
        let start = rest.startIndex
        let size = 3 + (Int(rest[start + 1]) << 8 | Int(rest[start + 2]))
        writer.u16(0x5047)  // "PG"
        writer.u32(UInt32(truncatingIfNeeded: ticks))
        writer.u32(decodingLead > 0 ? UInt32(truncatingIfNeeded: ticks - decodingLead) : 0)
        writer.bytes(rest.prefix(size))
        rest = rest.dropFirst(size)
      }
    }
    return writer.bytes
  }
}
