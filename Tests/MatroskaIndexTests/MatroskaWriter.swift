// SPDX-License-Identifier: Apache-2.0
import BinaryReading

/// Writes Matroska elements for tests, straight from RFC 8794 and RFC 9559.
enum Element {
  /// An element with a size of 8 bytes, or of as few as it needs.
  static func data(_ id: UInt32, _ data: [UInt8], wideSize: Bool = false) -> [UInt8] {
    head(id, size: data.count, wideSize: wideSize) + data
  }

  static func head(_ id: UInt32, size: Int, wideSize: Bool = false) -> [UInt8] {
    var writer = ByteWriter()
    writer.unsigned(UInt64(id), count: (32 - id.leadingZeroBitCount + 7) / 8)
    writer.bytes(wideSize ? sized(UInt64(size), 8) : variable(UInt64(size)))
    return writer.bytes
  }

  /// An element of unknown size: the children follow.
  static func open(_ id: UInt32, _ children: [UInt8]) -> [UInt8] {
    var writer = ByteWriter()
    writer.unsigned(UInt64(id), count: (32 - id.leadingZeroBitCount + 7) / 8)
    return writer.bytes + [0x01, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF] + children
  }

  static func variable(_ value: UInt64) -> [UInt8] {
    var count = 1
    while value >= (1 << UInt64(7 * count)) - 1 { count += 1 }
    return sized(value, count)
  }

  static func sized(_ value: UInt64, _ count: Int) -> [UInt8] {
    var writer = ByteWriter()
    writer.unsigned(value | 1 << UInt64(7 * count), count: count)
    return writer.bytes
  }

  static func number(_ id: UInt32, _ value: UInt64) -> [UInt8] {
    var writer = ByteWriter()
    writer.unsigned(value, count: max(1, (64 - value.leadingZeroBitCount + 7) / 8))
    return data(id, writer.bytes)
  }

  static func text(_ id: UInt32, _ text: String) -> [UInt8] { data(id, Array(text.utf8)) }

  static func block(
    _ track: UInt64, _ time: Int16, flags: UInt8 = 0, _ payload: [UInt8]
  ) -> [UInt8] {
    variable(track) + [
      UInt8(UInt16(bitPattern: time) >> 8), UInt8(truncatingIfNeeded: time), flags,
    ]
      + payload
  }

  static func simple(
    _ track: UInt64, _ time: Int16, flags: UInt8 = 0, _ payload: [UInt8]
  ) -> [UInt8] {
    data(0xA3, block(track, time, flags: flags, payload))
  }

  static func group(
    _ track: UInt64, _ time: Int16, duration: UInt64, _ payload: [UInt8]
  ) -> [UInt8] {
    data(0xA0, data(0xA1, block(track, time, payload)) + number(0x9B, duration))
  }

  static func cluster(_ time: UInt64, _ blocks: [[UInt8]]) -> [UInt8] {
    data(0x1F43_B675, number(0xE7, time) + blocks.joined())
  }

  static func openCluster(_ time: UInt64, _ blocks: [[UInt8]]) -> [UInt8] {
    open(0x1F43_B675, number(0xE7, time) + blocks.joined())
  }

  static func track(
    _ number: UInt64, type: UInt64, codec: String, extra: [UInt8] = []
  ) -> [UInt8] {
    data(
      0xAE,
      Element.number(0xD7, number) + Element.number(0x73C5, number + 1000)
        + Element.number(0x83, type) + text(0x86, codec) + extra)
  }

  static let header = data(0x1A45_DFA3, text(0x4282, "matroska"))

  static func info(scale: UInt64 = 1_000_000, writer: String = "test") -> [UInt8] {
    data(0x1549_A966, number(0x2AD7B1, scale) + text(0x5741, writer))
  }

  static func tracks(_ entries: [[UInt8]]) -> [UInt8] { data(0x1654_AE6B, Array(entries.joined())) }

  /// A video track 1 and a subtitle track 2.
  static let twoTracks = tracks([
    track(1, type: 1, codec: "V_MPEG4/ISO/AVC"), track(2, type: 0x11, codec: "S_HDMV/PGS"),
  ])

  static func file(_ children: [[UInt8]]) -> [UInt8] {
    header + data(0x1853_8067, Array(children.joined()))
  }
}
