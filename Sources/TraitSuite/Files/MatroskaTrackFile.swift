// SPDX-License-Identifier: Apache-2.0
import BinaryReading
import SubtitleFormats
import SubtitleModel

/// What of a track is compressed by zlib (RFC 9559, ContentEncodingScope).
package enum MatroskaCompression: UInt64, Sendable {
  /// Nothing.
  case none = 0
  /// All blocks.
  case blocks = 1
  /// The codec's private data.
  case privateData = 2
}

/// A Matroska file with one subtitle track whose blocks may state durations.
enum MatroskaTrackFile {
  /// Writes a track; times from 0 to 32 s, in milliseconds.
  static func bytes(
    _ packets: [TrackPacket], codecID: String, privateData: [UInt8],
    compression: MatroskaCompression = .none
  ) -> [UInt8] {
    let head = element(
      0x1A45_DFA3,
      number(0x4286, 1) + number(0x42F7, 1) + number(0x42F2, 4) + number(0x42F3, 8)
        + element(0x4282, Array("matroska".utf8)) + number(0x4287, 4) + number(0x4285, 2))
    let info = element(
      0x1549_A966,
      number(0x2A_D7B1, 1_000_000) + element(0x4D80, Array("burnscope".utf8))
        + element(0x5741, Array("burnscope".utf8)))
    var entry =
      number(0xD7, 1) + number(0x73C5, 1) + number(0x83, 0x11) + number(0x9C, 0)
      + element(0x86, Array(codecID.utf8))
    if !privateData.isEmpty {
      entry += element(
        0x63A2, compression == .privateData ? compressed(privateData) : privateData)
    }
    if compression != .none {
      // Order 0, the scope, compression, by zlib.
      let encoding =
        number(0x5031, 0) + number(0x5032, compression.rawValue) + number(0x5033, 0)
        + element(0x5034, number(0x4254, 0))
      entry += element(0x6D80, element(0x6240, encoding))
    }
    var cluster = number(0xE7, 0)
    for packet in packets {
      let time = packet.time?.milliseconds ?? 0
      // Track 1, the time within the cluster, no flags.
      let block: [UInt8] = [0x81, UInt8(time >> 8 & 0x7F), UInt8(time & 255), 0]
      var group = element(
        0xA1, block + (compression == .blocks ? compressed(packet.bytes) : packet.bytes))
      if let duration = packet.duration {
        group += number(0x9B, UInt64(max(0, duration.milliseconds)))
      }
      cluster += element(0xA0, group)
    }
    let segment = info + element(0x1654_AE6B, element(0xAE, entry)) + element(0x1F43_B675, cluster)
    return head + element(0x1853_8067, segment)
  }

  /// Bytes as a zlib stream of one stored block (RFC 1950, RFC 1951 3.2.4); up to 65535.
  private static func compressed(_ bytes: [UInt8]) -> [UInt8] {
    var (low, high): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
      low = (low + UInt32(byte)) % 65_521
      high = (high + low) % 65_521
    }
    let size = UInt16(truncatingIfNeeded: bytes.count)
    let sizes = [size, ~size].flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    let sum = high << 16 | low
    return [0x78, 0x01, 0x01] + sizes + bytes
      + (0..<4).reversed().map { UInt8(sum >> UInt32(8 * $0) & 255) }
  }

  /// An element with a size of four bytes.
  private static func element(_ id: UInt32, _ body: [UInt8]) -> [UInt8] {
    let name = (0..<4).reversed().map { UInt8(id >> UInt32(8 * $0) & 255) }.drop { $0 == 0 }
    let size = UInt32(body.count) | 0x1000_0000
    return Array(name) + (0..<4).reversed().map { UInt8(size >> UInt32(8 * $0) & 255) } + body
  }

  private static func number(_ id: UInt32, _ value: UInt64) -> [UInt8] {
    let bytes = (0..<8).reversed().map { UInt8(value >> UInt64(8 * $0) & 255) }.drop { $0 == 0 }
    return element(id, bytes.isEmpty ? [0] : Array(bytes))
  }
}
