// SPDX-License-Identifier: Apache-2.0
import BinaryReading
import SubtitleFormats
import SubtitleModel

extension ByteWriter {
  /// Appends a PES packet of private stream 1 (ISO/IEC 13818-1, 2.4.3.6).
  ///
  /// - Parameters:
  ///   - payload: At most 65522 bytes.
  ///   - ticks: The presentation time; nil states none.
  ///   - stuffing: Bytes of stuffing in the header.
  mutating func packet(_ payload: [UInt8], ticks: Int64?, stuffing: Int = 0) {
    let headerSize = (ticks == nil ? 0 : 5) + stuffing
    u32(0x0000_01BD)
    u16(UInt16(truncatingIfNeeded: 3 + headerSize + payload.count))
    // Aligned data; whether there is a PTS.
    bytes([0x84, ticks == nil ? 0 : 0x80, UInt8(truncatingIfNeeded: headerSize)])
    if let ticks {
      let value = UInt64(truncatingIfNeeded: ticks) & 0x1_FFFF_FFFF
      unsigned(
        0x2 << 36 | (value >> 30 & 0x7) << 33 | 1 << 32 | (value >> 15 & 0x7FFF) << 17 | 1 << 16
          | (value & 0x7FFF) << 1 | 1, count: 5)
    }
    fill(0xFF, count: stuffing)
    bytes(payload)
  }
}

/// A .sub file: packs of 2048 bytes with one packet each.
struct PackFile {
  private static let packSize = 2048
  private var writer = ByteWriter()

  /// The bytes so far.
  var bytes: [UInt8] { writer.bytes }

  /// Appends the packs of a packet, only the first with its time.
  ///
  /// - Parameters:
  ///   - packet: The packet.
  ///   - stream: The number of the sub-picture stream, 0 to 31.
  /// - Returns: Where its first pack begins.
  mutating func append(_ packet: TrackPacket, stream: UInt8 = 0) -> Int64 {
    let start = Int64(writer.count)
    var rest = packet.bytes[...]
    var ticks = packet.time?.ticks90k
    repeat {
      appendPackHeader()
      let room = Self.packSize - 14 - 9 - (ticks == nil ? 0 : 5) - 1
      let part = Array(rest.prefix(room))
      let spare = room - part.count
      // A padding packet has 6 bytes at least: a smaller gap is stuffed into the header.
      writer.packet([0x20 | stream] + part, ticks: ticks, stuffing: spare < 6 ? spare : 0)
      if spare >= 6 {
        writer.u32(0x0000_01BE)
        writer.u16(UInt16(spare - 6))
        writer.fill(0xFF, count: spare - 6)
      }
      rest = rest.dropFirst(room)
      ticks = nil
    } while !rest.isEmpty
    return start
  }

  /// A pack header of MPEG-2 (ISO/IEC 13818-1, 2.5.3.3) with a clock of 0 and a DVD's rate.
  private mutating func appendPackHeader() {
    writer.u32(0x0000_01BA)
    writer.bytes([0x44, 0x00, 0x04, 0x00, 0x04, 0x01, 0x01, 0x89, 0xC3, 0xF8])
  }
}
