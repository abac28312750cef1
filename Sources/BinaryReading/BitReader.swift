// SPDX-License-Identifier: Apache-2.0

/// A cursor over bits, most significant first, that never reads past its end.
///
/// A failed read leaves the cursor where it was.
public struct BitReader: Sendable {
  private let bytes: [UInt8]
  private let base: Int64
  private let end: Int

  /// Bits already read.
  public private(set) var bitPosition: Int

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
    self.end = bytes.count * 8
    self.bitPosition = 0
    self.structure = structure
  }

  /// Absolute offset of the byte that holds the next bit.
  public var position: Int64 { base &+ Int64(bitPosition / 8) }

  /// Bits left.
  public var remainingBits: Int { end - bitPosition }

  /// Whether the next bit is the first of a byte.
  public var isAligned: Bool { bitPosition % 8 == 0 }

  /// A fault of this structure at the byte of the next bit.
  public func fault(_ kind: ReadFault.Kind) -> ReadFault {
    ReadFault(kind, offset: position, structure: structure)
  }

  /// Reads an unsigned number of 0 to 32 bits.
  ///
  /// - Throws: `.truncated` (counted in whole bytes, rounded up) if fewer bits are left; `.invalid`
  ///   if `count` is not 0 to 32.
  public mutating func bits(_ count: Int) throws(ReadFault) -> UInt32 {
    guard (0...32).contains(count) else {
      throw fault(.invalid(field: "length in bits", value: Int64(count), reason: "not 0 to 32"))
    }
    guard count <= remainingBits else {
      throw fault(.truncated(needed: (count + 7) / 8, available: remainingBits / 8))
    }
    var value: UInt64 = 0
    var left = count
    while left > 0 {
      let available = 8 - bitPosition % 8
      let taken = min(available, left)
      let byte = UInt64(bytes[bitPosition / 8]) >> UInt64(available - taken)
      value = value << UInt64(taken) | byte & ((1 << UInt64(taken)) - 1)
      bitPosition += taken
      left -= taken
    }
    return UInt32(truncatingIfNeeded: value)
  }

  /// The next 64 bits without passing them, zeros behind the end.
  public func ahead() -> UInt64 {
    var word: UInt64 = 0
    let first = bitPosition / 8
    for place in 0..<9 {
      let byte = first + place < bytes.count ? UInt64(bytes[first + place]) : 0
      // The ninth byte fills what the first, begun one leaves.
      let shift = 56 - 8 * place + bitPosition % 8
      word |= shift >= 0 ? byte << UInt64(shift) : byte >> UInt64(-shift)
    }
    return word
  }

  /// Reads one bit as true or false.
  ///
  /// - Throws: `.truncated` if no bit is left.
  public mutating func flag() throws(ReadFault) -> Bool { try bits(1) == 1 }

  /// Passes over bits.
  ///
  /// - Throws: `.truncated` if fewer are left; `.invalid` if `count` is negative.
  public mutating func skip(_ count: Int) throws(ReadFault) {
    guard count >= 0 else {
      throw fault(.invalid(field: "length in bits", value: Int64(count), reason: "negative"))
    }
    guard count <= remainingBits else {
      throw fault(.truncated(needed: (count + 7) / 8, available: remainingBits / 8))
    }
    bitPosition += count
  }

  /// Passes over the bits up to the next whole byte; none if already there.
  public mutating func align() { bitPosition = min(end, (bitPosition + 7) / 8 * 8) }
}
