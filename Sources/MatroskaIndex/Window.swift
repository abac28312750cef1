// SPDX-License-Identifier: Apache-2.0
import BinaryReading

/// A small piece of the file in memory, moved along by whoever walks the file.
///
/// Heads of elements are a few bytes and often stand close together (audio blocks between two
/// video blocks), so each read takes a few kilobytes more than asked.
struct Window {
  private let source: any RandomAccessBytes
  private var buffer: [UInt8]
  private var start: Int64 = 0
  private var filled = 0

  /// Bytes that were read from the source so far.
  private(set) var bytesRead: Int64 = 0

  /// The count of the file's bytes.
  let byteCount: Int64

  /// Makes an empty window.
  ///
  /// - Parameters:
  ///   - source: The file.
  ///   - size: Bytes of one read: larger is better where each read has a price, as over HTTP.
  init(_ source: any RandomAccessBytes, size: Int) {
    self.source = source
    self.byteCount = source.byteCount
    self.buffer = [UInt8](repeating: 0, count: max(64, size))
  }

  /// The file's name.
  var name: String { source.name }

  /// Makes bytes present, and says where in the buffer they begin and how many there are.
  ///
  /// - Parameters:
  ///   - offset: Absolute offset of the first byte.
  ///   - count: Bytes wanted, at most the window's size; fewer are present at the end of the file.
  /// - Returns: Index of the first byte and count of bytes present there, `count` or more but at
  ///   the end.
  /// - Throws: `.unreadable` if the source fails.
  private mutating func load(
    _ offset: Int64, _ count: Int
  ) throws(MatroskaFault) -> (index: Int, available: Int) {
    if offset >= start, offset - start <= Int64(filled) {
      let index = Int(offset - start)
      if filled - index >= count { return (index, filled - index) }
    }
    filled = 0
    filled = try Self.read(source, at: offset, into: &buffer, atLeast: count)
    bytesRead += Int64(filled)
    start = offset
    return (0, filled)
  }

  /// Reads until enough bytes are there or the file ends.
  private static func read(
    _ file: any RandomAccessBytes, at offset: Int64, into target: inout [UInt8], atLeast count: Int
  ) throws(MatroskaFault) -> Int {
    do {
      return try target.withUnsafeMutableBytes { bytes in
        var total = 0
        while total < count {
          let part = UnsafeMutableRawBufferPointer(rebasing: bytes[total...])
          let got = try file.read(at: offset + Int64(total), into: part)
          guard got > 0 else { break }
          total += min(got, part.count)
        }
        return total
      }
    } catch {
      throw MatroskaFault(.unreadable("\(error)"), name: file.name)
    }
  }

  /// The bytes at a place: `count` of them, or fewer at the end of the file.
  mutating func bytes(at offset: Int64, count: Int) throws(MatroskaFault) -> [UInt8] {
    let wanted = Int(min(Int64(count), byteCount - offset))
    guard offset >= 0, wanted > 0 else { return [] }
    if wanted <= buffer.count {
      let (index, available) = try load(offset, wanted)
      return Array(buffer[index..<(index + min(wanted, available))])
    }
    var result = [UInt8](repeating: 0, count: wanted)
    let total = try Self.read(source, at: offset, into: &result, atLeast: wanted)
    bytesRead += Int64(total)
    result.removeLast(wanted - total)
    return result
  }

  /// Reads the head of the element at a place.
  ///
  /// - Returns: The head, or nil at the end of the file.
  /// - Throws: `.damaged` if there is no head.
  mutating func head(at offset: Int64) throws(MatroskaFault) -> ElementHead? {
    guard offset < byteCount else { return nil }
    // An ID has up to 4 bytes, a size up to 8 (RFC 8794, 5 and 6).
    let (index, available) = try load(offset, 12)
    guard available > 0 else { return nil }
    let first = buffer[index]
    let idLength = first.leadingZeroBitCount + 1
    guard idLength <= 4 else {
      throw damaged(
        .invalid(
          field: "first byte of an element ID", value: Int64(first),
          reason: "which no ID of 1 to 4 bytes begins with"), at: offset)
    }
    guard idLength < available else {
      throw damaged(.truncated(needed: idLength + 1, available: available), at: offset)
    }
    var id: UInt32 = 0
    for place in index..<(index + idLength) { id = id << 8 | UInt32(buffer[place]) }
    let sizeIndex = index + idLength
    let sizeLength = buffer[sizeIndex].leadingZeroBitCount + 1
    guard sizeLength <= 8 else {
      throw damaged(
        .invalid(field: "length marker", value: 0, reason: "a size has 1 to 8 bytes"),
        at: offset + Int64(idLength), in: ElementID.name(of: id))
    }
    guard idLength + sizeLength <= available else {
      throw damaged(
        .truncated(needed: idLength + sizeLength, available: available), at: offset,
        in: ElementID.name(of: id))
    }
    let mask: UInt64 = (1 << UInt64(7 * sizeLength)) - 1
    var size: UInt64 = 0
    for place in sizeIndex..<(sizeIndex + sizeLength) { size = size << 8 | UInt64(buffer[place]) }
    size &= mask
    return ElementHead(
      id: id, offset: offset, dataOffset: offset + Int64(idLength + sizeLength),
      size: size == mask ? nil : Int64(size))
  }

  /// Reads the first bytes of a block: track number, relative time, flags (RFC 9559, 10.1).
  ///
  /// - Parameters:
  ///   - offset: Absolute offset of the block's data.
  ///   - size: Bytes of the block.
  /// - Returns: The head.
  /// - Throws: `.damaged` if the block is shorter than its head.
  mutating func blockHead(at offset: Int64, size: Int64) throws(MatroskaFault) -> BlockHead {
    let (index, available) = try load(offset, Int(min(11, max(1, size))))
    let present = Int(min(Int64(available), size))
    guard present > 0 else {
      throw damaged(.truncated(needed: 4, available: 0), at: offset, in: "block")
    }
    let length = buffer[index].leadingZeroBitCount + 1
    guard length <= 8, length + 3 <= present else {
      throw damaged(.truncated(needed: length + 3, available: present), at: offset, in: "block")
    }
    var number: UInt64 = 0
    for place in index..<(index + length) { number = number << 8 | UInt64(buffer[place]) }
    number &= (1 << UInt64(7 * length)) - 1
    let time = UInt16(buffer[index + length]) << 8 | UInt16(buffer[index + length + 1])
    return BlockHead(
      track: number, relativeTime: Int16(bitPattern: time), flags: buffer[index + length + 2],
      length: length + 3)
  }

  /// A fault of this file.
  func damaged(
    _ kind: ReadFault.Kind, at offset: Int64, in structure: String = "EBML element"
  ) -> MatroskaFault {
    MatroskaFault(.damaged(ReadFault(kind, offset: offset, structure: structure)), name: name)
  }
}

/// The first bytes of a block.
struct BlockHead: Hashable {
  /// The track's number.
  var track: UInt64
  /// Ticks after the cluster's time.
  var relativeTime: Int16
  /// Flags; bits 0x06 say how frames are laced.
  var flags: UInt8
  /// Bytes of this head.
  var length: Int
}
