// SPDX-License-Identifier: Apache-2.0
import BinaryReading

/// The head of an EBML element: its ID, its size and where its data begin.
struct ElementHead: Hashable {
  /// The ID with its length marker.
  var id: UInt32
  /// Absolute offset of the head's first byte.
  var offset: Int64
  /// Absolute offset of the data.
  var dataOffset: Int64
  /// Bytes of data, nil if the element is of unknown size (RFC 8794, 6.2).
  var size: Int64?

  /// Absolute offset behind the data, nil if the size is unknown.
  var end: Int64? {
    guard let size else { return nil }
    let (end, overflow) = dataOffset.addingReportingOverflow(size)
    return overflow ? .max : end
  }
}

/// EBML in memory: the children of an element, and their values (RFC 8794, 4 to 7).
extension ByteReader {
  /// Reads an element ID of 1 to 4 bytes, its length marker included.
  mutating func elementID() throws(ReadFault) -> UInt32 {
    guard let first = peek() else { throw fault(.truncated(needed: 1, available: 0)) }
    let length = first.leadingZeroBitCount + 1
    guard length <= 4 else {
      throw fault(
        .invalid(
          field: "first byte of an element ID", value: Int64(first),
          reason: "which no ID of 1 to 4 bytes begins with"))
    }
    return UInt32(truncatingIfNeeded: try unsigned(length))
  }

  /// Reads a number of variable length, 1 to 8 bytes; nil if all its bits are set (unknown size).
  mutating func variableInteger() throws(ReadFault) -> UInt64? {
    guard let first = peek() else { throw fault(.truncated(needed: 1, available: 0)) }
    let length = first.leadingZeroBitCount + 1
    guard length <= 8 else {
      throw fault(
        .invalid(field: "length marker", value: Int64(first), reason: "a size has 1 to 8 bytes"))
    }
    let mask: UInt64 = (1 << UInt64(7 * length)) - 1
    let value = try unsigned(length) & mask
    return value == mask ? nil : value
  }

  /// Reads the next child of an element that is held whole in memory.
  ///
  /// - Returns: The ID and a reader of exactly the child's data.
  mutating func child() throws(ReadFault) -> (id: UInt32, data: ByteReader) {
    let id = try elementID()
    guard let size = try variableInteger() else {
      throw fault(
        .invalid(field: "size", value: -1, reason: "unknown, which only segment and cluster may be")
      )
    }
    guard size <= UInt64(remaining) else {
      throw fault(.truncated(needed: Int(clamping: size), available: remaining))
    }
    return (id, try slice(Int(size), structure: ElementID.name(of: id)))
  }

  /// Reads all that is left as an unsigned number of 0 to 8 bytes.
  mutating func unsignedValue() throws(ReadFault) -> UInt64 { try unsigned(remaining) }

  /// Reads all that is left as a floating-point number of 0, 4 or 8 bytes.
  mutating func floatValue() throws(ReadFault) -> Double {
    switch remaining {
    case 0: return 0
    case 4: return Double(Float(bitPattern: try u32()))
    case 8: return Double(bitPattern: try unsigned(8))
    default:
      throw fault(
        .invalid(field: "length of a float", value: Int64(remaining), reason: "not 0, 4 or 8"))
    }
  }

  /// Reads all that is left as text; it ends at the first zero byte, broken UTF-8 is repaired.
  mutating func textValue() -> String {
    String(decoding: rest().prefix { $0 != 0 }, as: UTF8.self)
  }
}
