// SPDX-License-Identifier: Apache-2.0
import BinaryReading
import SubtitleFormats
import SubtitleModel

/// A transport stream (ISO/IEC 13818-1, 2.4) with one subtitle stream and nothing else.
struct TransportStreamFile {
  private static let packetSize = 188
  private static let mapPID = 0x100
  private static let streamPID = 0x101
  /// Packets at least: libavformat looks at some dozens before it believes that it is one.
  private static let leastPackets = 60

  private var writer = ByteWriter()
  private var counters: [Int: UInt8] = [:]

  /// Writes a stream.
  ///
  /// - Parameters:
  ///   - packets: What each PES packet carries, with its time or none.
  ///   - type: The stream type.
  ///   - programDescriptor: The descriptor of the programme, with tag and length.
  ///   - streamDescriptor: The descriptor of the stream.
  /// - Returns: The bytes.
  static func bytes(
    _ packets: [TrackPacket], type: UInt8, programDescriptor: [UInt8] = [],
    streamDescriptor: [UInt8] = []
  ) -> [UInt8] {
    var file = TransportStreamFile()
    // One programme, its map in the next section.
    let association: [UInt8] = [0x00, 0x01, 0xE0 | UInt8(mapPID >> 8), UInt8(mapPID & 255)]
    let map: [UInt8] =
      // No PCR.
      [0xFF, 0xFF, 0xF0, UInt8(programDescriptor.count)] + programDescriptor
      + [type, 0xE0 | UInt8(streamPID >> 8), UInt8(streamPID & 255)]
      + [0xF0, UInt8(streamDescriptor.count)] + streamDescriptor
    for packet in packets {
      file.section(0, table: 0x00, association)
      file.section(mapPID, table: 0x02, map)
      var body = ByteWriter()
      body.packet(packet.bytes, ticks: packet.time?.ticks90k)
      file.payload(streamPID, body.bytes)
    }
    while file.writer.count < leastPackets * packetSize {
      file.writer.bytes([0x47, 0x1F, 0xFF, 0x10])  // a null packet
      file.writer.fill(0xFF, count: packetSize - 4)
    }
    return file.writer.bytes
  }

  /// A section of a table with id, version 0 and checksum.
  private mutating func section(_ pid: Int, table: UInt8, _ body: [UInt8]) {
    var bytes: [UInt8] = [table, 0xB0, UInt8(body.count + 9), 0x00, 0x01, 0xC1, 0x00, 0x00]
    bytes += body
    var checksum: UInt32 = 0xFFFF_FFFF
    for byte in bytes {
      checksum ^= UInt32(byte) << 24
      for _ in 0..<8 {
        checksum = checksum & 0x8000_0000 == 0 ? checksum << 1 : checksum << 1 ^ 0x04C1_1DB7
      }
    }
    bytes += stride(from: 24, through: 0, by: -8).map { UInt8(checksum >> UInt32($0) & 255) }
    // A pointer field stands before a section.
    payload(pid, [0] + bytes, isSection: true)
  }

  /// Packets that carry bytes; a section's last one is filled up, a PES packet's has an adaptation field.
  private mutating func payload(_ pid: Int, _ bytes: [UInt8], isSection: Bool = false) {
    var rest = bytes[...]
    var isFirst = true
    while !rest.isEmpty {
      let counter = counters[pid, default: 0]
      counters[pid] = (counter + 1) & 15
      let room = Self.packetSize - 4
      let gap = isSection ? 0 : max(0, room - rest.count)
      writer.bytes([
        0x47, (isFirst ? 0x40 : 0) | UInt8(pid >> 8), UInt8(pid & 255),
        (gap > 0 ? 0x30 : 0x10) | counter,
      ])
      if gap > 0 {
        writer.u8(UInt8(gap - 1))
        if gap > 1 {
          writer.u8(0)
          writer.fill(0xFF, count: gap - 2)
        }
      }
      let part = rest.prefix(room - gap)
      writer.bytes(part)
      if isSection { writer.fill(0xFF, count: room - part.count) }
      rest = rest.dropFirst(part.count)
      isFirst = false
    }
  }
}
