// SPDX-License-Identifier: Apache-2.0

/// A cursor over bytes, big-endian unless a name says otherwise, that never reads past its end.
///
/// A slice narrows the window and keeps counting in absolute offsets, so that a fault deep inside a
/// nested structure still names the place in the file. A failed read leaves the cursor where it was.
/// The reader keeps a reference to the array, not a copy.
public struct ByteReader: Sendable {
  private let bytes: [UInt8]
  private let base: Int64
  private var index: Int
  private let end: Int

  /// What is being read, for faults.
  public var structure: String

  /// Makes a reader over a whole array.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - base: Absolute offset of the first byte, added to every offset that is reported.
  ///   - structure: What is being read, for faults.
  public init(_ bytes: [UInt8], base: Int64 = 0, structure: String = "data") {
    self.bytes = bytes
    self.base = base
    self.index = 0
    self.end = bytes.count
    self.structure = structure
  }

  private init(_ bytes: [UInt8], base: Int64, index: Int, end: Int, structure: String) {
    self.bytes = bytes
    self.base = base
    self.index = index
    self.end = end
    self.structure = structure
  }

  /// Absolute offset of the next byte.
  public var position: Int64 { base &+ Int64(index) }

  /// Bytes left in the window.
  public var remaining: Int { end - index }

  /// Whether no byte is left.
  public var isAtEnd: Bool { index >= end }

  /// A fault of this structure at the next byte.
  public func fault(_ kind: ReadFault.Kind) -> ReadFault {
    ReadFault(kind, offset: position, structure: structure)
  }

  private func need(_ count: Int) throws(ReadFault) {
    guard count >= 0 else {
      throw fault(.invalid(field: "length", value: Int64(count), reason: "which is negative"))
    }
    guard count <= end - index else {
      throw fault(.truncated(needed: count, available: end - index))
    }
  }

  /// The next byte, without passing it; nil at the end.
  public func peek() -> UInt8? { index < end ? bytes[index] : nil }

  /// How many bytes stand before the next one of a value; all that are left if none has it.
  public func distance(to value: UInt8) -> Int {
    bytes.withUnsafeBufferPointer { buffer in
      (buffer[index..<end].firstIndex(of: value) ?? end) - index
    }
  }

  /// Reads an unsigned byte.
  ///
  /// - Throws: `.truncated` if no byte is left.
  public mutating func u8() throws(ReadFault) -> UInt8 {
    try need(1)
    defer { index += 1 }
    return bytes[index]
  }

  /// Reads an unsigned number of 16 bits, big-endian.
  ///
  /// - Throws: `.truncated` if fewer than 2 bytes are left.
  public mutating func u16() throws(ReadFault) -> UInt16 {
    UInt16(truncatingIfNeeded: try unsigned(2))
  }

  /// Reads an unsigned number of 24 bits, big-endian.
  ///
  /// - Throws: `.truncated` if fewer than 3 bytes are left.
  public mutating func u24() throws(ReadFault) -> UInt32 {
    UInt32(truncatingIfNeeded: try unsigned(3))
  }

  /// Reads an unsigned number of 32 bits, big-endian.
  ///
  /// - Throws: `.truncated` if fewer than 4 bytes are left.
  public mutating func u32() throws(ReadFault) -> UInt32 {
    UInt32(truncatingIfNeeded: try unsigned(4))
  }

  /// Reads an unsigned number of 0 to 8 bytes, big-endian; none is zero.
  ///
  /// - Parameter count: Bytes, 0 to 8.
  /// - Returns: The number.
  /// - Throws: `.truncated` if fewer are left; `.invalid` if `count` is not 0 to 8.
  public mutating func unsigned(_ count: Int) throws(ReadFault) -> UInt64 {
    guard (0...8).contains(count) else {
      throw fault(.invalid(field: "length", value: Int64(count), reason: "not 0 to 8"))
    }
    try need(count)
    var value: UInt64 = 0
    for offset in 0..<count { value = value << 8 | UInt64(bytes[index + offset]) }
    index += count
    return value
  }

  /// Reads an unsigned number of 16 bits, little-endian.
  ///
  /// - Throws: `.truncated` if fewer than 2 bytes are left.
  public mutating func u16LittleEndian() throws(ReadFault) -> UInt16 { try u16().byteSwapped }

  /// Reads an unsigned number of 32 bits, little-endian.
  ///
  /// - Throws: `.truncated` if fewer than 4 bytes are left.
  public mutating func u32LittleEndian() throws(ReadFault) -> UInt32 { try u32().byteSwapped }

  /// Reads bytes into an array of their own.
  ///
  /// - Parameter count: Bytes, 0 or more; checked before anything is allocated.
  /// - Returns: The bytes.
  /// - Throws: `.truncated` if fewer are left; `.invalid` if `count` is negative.
  public mutating func bytes(_ count: Int) throws(ReadFault) -> [UInt8] {
    try need(count)
    defer { index += count }
    return Array(bytes[index..<(index + count)])
  }

  /// Reads all bytes that are left.
  public mutating func rest() -> [UInt8] {
    defer { index = end }
    return Array(bytes[index..<end])
  }

  /// Passes over bytes.
  ///
  /// - Throws: `.truncated` if fewer are left; `.invalid` if `count` is negative.
  public mutating func skip(_ count: Int) throws(ReadFault) {
    try need(count)
    index += count
  }

  /// Takes the next bytes as a reader of their own, which keeps the absolute offsets.
  ///
  /// - Parameters:
  ///   - count: Bytes, 0 or more.
  ///   - structure: What the slice holds, for its faults; this reader's structure if nil.
  /// - Returns: A reader of exactly those bytes; this one stands behind them.
  /// - Throws: `.truncated` if fewer are left; `.invalid` if `count` is negative.
  public mutating func slice(
    _ count: Int, structure: String? = nil
  ) throws(ReadFault) -> ByteReader {
    try need(count)
    defer { index += count }
    return ByteReader(
      bytes, base: base, index: index, end: index + count, structure: structure ?? self.structure)
  }
}
