// SPDX-License-Identifier: Apache-2.0
import BinaryReading
import SubtitleModel

extension MatroskaFile {
  /// Appends the frames of a block (RFC 9559, 10.3).
  ///
  /// - Parameters:
  ///   - head: The block's head.
  ///   - offset: Absolute offset of the head.
  ///   - end: Absolute offset behind the block.
  ///   - time: The block's time.
  ///   - duration: The block's duration in ticks, for all frames together.
  ///   - window: The file.
  ///   - blocks: Where the frames go.
  /// - Throws: `.damaged` if the sizes of laced frames pass the block.
  func frames(
    of head: BlockHead, at offset: Int64, end: Int64, time: Timestamp, duration: Int64?,
    _ window: inout Window, into blocks: inout [MatroskaBlock]
  ) throws(MatroskaFault) {
    let start = offset + Int64(head.length)
    let length = duration.map { timestamp($0) }
    guard head.flags & 0x06 != 0 else {
      blocks.append(
        MatroskaBlock(
          trackNumber: head.track, time: time, duration: length, payloadOffset: start,
          payloadSize: Int(end - start)))
      return
    }
    // 255 sizes of at most 8 bytes, or of as many bytes of 255 as a large frame takes.
    let most = Int(min(end - start, 1 << 16))
    var reader = ByteReader(
      try window.bytes(at: start, count: most), base: start, structure: "laced block")
    let sizes: [Int64]
    do throws(ReadFault) {
      sizes = try Self.laceSizes(&reader, kind: head.flags & 0x06, end: end)
    } catch {
      throw MatroskaFault(.damaged(error), name: source.name)
    }
    let step = tracks.first { $0.number == head.track }?.defaultDuration ?? 0
    var place = reader.position
    var frameTime = time
    for size in sizes {
      blocks.append(
        MatroskaBlock(
          trackNumber: head.track, time: frameTime, duration: nil, payloadOffset: place,
          payloadSize: Int(size)))
      place += size
      frameTime = frameTime + Timestamp(nanoseconds: Int64(clamping: step))
    }
  }

  /// The sizes of the frames of a laced block; the reader then stands at the first frame.
  private static func laceSizes(
    _ reader: inout ByteReader, kind: UInt8, end: Int64
  ) throws(ReadFault) -> [Int64] {
    let count = Int(try reader.u8()) + 1
    var sizes: [Int64] = []
    var sum: Int64 = 0
    func add(_ size: Int64) throws(ReadFault) {
      guard size >= 0, size <= end - reader.position - sum else {
        throw reader.fault(
          .truncated(needed: Int(clamping: size), available: Int(end - reader.position - sum)))
      }
      sizes.append(size)
      sum += size
    }
    switch kind {
    case 0x02:
      for _ in 1..<max(1, count) {
        var size: Int64 = 0
        var byte: UInt8
        repeat {
          byte = try reader.u8()
          size += Int64(byte)
        } while byte == 255
        try add(size)
      }
      try add(end - reader.position - sum)
    case 0x04:
      let all = end - reader.position
      guard all % Int64(count) == 0 else {
        throw reader.fault(
          .invalid(field: "size", value: all, reason: "no multiple of the \(count) frames"))
      }
      for _ in 0..<count { try add(all / Int64(count)) }
    default:
      var size: Int64 = 0
      for index in 1..<max(1, count) {
        let length = (reader.peek()?.leadingZeroBitCount ?? 0) + 1
        guard let value = try reader.variableInteger().flatMap({ Int64(exactly: $0) }) else {
          throw reader.fault(.invalid(field: "frame size", value: -1, reason: "unknown"))
        }
        // From the second on: differences, with the middle of the range as zero.
        size = index == 1 ? value : size + value - ((1 << Int64(7 * length - 1)) - 1)
        try add(size)
      }
      try add(end - reader.position - sum)
    }
    return sizes
  }
}
