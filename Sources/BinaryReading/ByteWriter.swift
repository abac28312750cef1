// SPDX-License-Identifier: Apache-2.0

/// Puts bytes together, big-endian unless a name says otherwise.
public struct ByteWriter: Sendable {
  /// What was written.
  public private(set) var bytes: [UInt8]

  /// Makes an empty writer.
  public init() { bytes = [] }

  /// Bytes written so far.
  public var count: Int { bytes.count }

  /// Makes room for bytes to come, so that appending them moves nothing.
  public mutating func reserve(_ count: Int) { bytes.reserveCapacity(bytes.count + count) }

  /// Appends a byte.
  public mutating func u8(_ value: UInt8) { bytes.append(value) }

  /// Appends 16 bits, big-endian.
  public mutating func u16(_ value: UInt16) { unsigned(UInt64(value), count: 2) }

  /// Appends the low 24 bits, big-endian.
  ///
  /// - Parameter value: Below 2^24.
  public mutating func u24(_ value: UInt32) {
    precondition(value < 1 << 24, "a number of 24 bits is below 16777216")
    unsigned(UInt64(value), count: 3)
  }

  /// Appends 32 bits, big-endian.
  public mutating func u32(_ value: UInt32) { unsigned(UInt64(value), count: 4) }

  /// Appends 64 bits, big-endian.
  public mutating func u64(_ value: UInt64) { unsigned(value, count: 8) }

  /// Appends 16 bits, little-endian.
  public mutating func u16LittleEndian(_ value: UInt16) { u16(value.byteSwapped) }

  /// Appends 32 bits, little-endian.
  public mutating func u32LittleEndian(_ value: UInt32) { u32(value.byteSwapped) }

  /// Appends the low bytes of a number, big-endian.
  ///
  /// - Parameters:
  ///   - value: The number.
  ///   - count: Bytes, 0 to 8.
  public mutating func unsigned(_ value: UInt64, count: Int) {
    precondition((0...8).contains(count), "a number has 0 to 8 bytes")
    for index in stride(from: count - 1, through: 0, by: -1) {
      bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * index)))
    }
  }

  /// Appends bytes.
  public mutating func bytes(_ values: some Sequence<UInt8>) { bytes.append(contentsOf: values) }

  /// Appends one byte several times.
  public mutating func fill(_ value: UInt8, count: Int) {
    bytes.append(contentsOf: repeatElement(value, count: max(0, count)))
  }

  /// Overwrites 16 bits that were written before, such as a length known only later.
  ///
  /// - Parameters:
  ///   - value: The bits, big-endian.
  ///   - offset: Where the first byte lies; both bytes must have been written.
  public mutating func patchU16(_ value: UInt16, at offset: Int) {
    precondition(offset >= 0 && offset + 2 <= bytes.count, "only written bytes are patched")
    bytes[offset] = UInt8(truncatingIfNeeded: value >> 8)
    bytes[offset + 1] = UInt8(truncatingIfNeeded: value)
  }

  /// Overwrites 32 bits that were written before, such as a length known only later.
  ///
  /// - Parameters:
  ///   - value: The bits, big-endian.
  ///   - offset: Where the first byte lies; all four bytes must have been written.
  public mutating func patchU32(_ value: UInt32, at offset: Int) {
    patchU16(UInt16(truncatingIfNeeded: value >> 16), at: offset)
    patchU16(UInt16(truncatingIfNeeded: value), at: offset + 2)
  }
}
