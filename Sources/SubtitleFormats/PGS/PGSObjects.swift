internal import BinaryReading
// SPDX-License-Identifier: Apache-2.0
package import SubtitleModel

/// An object of an epoch: pixels that compositions refer to by number.
///
/// It becomes one ODS 0x15, or several where its data passes a segment's size:
///
///     object id 2, version 1, sequence flags 1 (0x80 first, 0x40 last),
///     in the first: data length 3 (counts the four bytes of width and height), width 2, height 2,
///     then run-length coded pixels
package struct ObjectDefinition: Sendable, Hashable {
  /// Objects of one epoch.
  package static let limit = 64
  /// The longest object data: the length field has 24 bits.
  package static let maximumDataLength = 0xFF_FFFF

  /// The object's number, 0 to 65535.
  package var id: Int
  /// Counts the definitions of this object within the epoch.
  package var version: UInt8
  /// The pixels.
  package var bitmap: IndexedBitmap

  /// Makes a definition.
  package init(id: Int, version: UInt8 = 0, bitmap: IndexedBitmap) {
    self.id = id
    self.version = version
    self.bitmap = bitmap
  }

  /// The object definition segments, in order.
  ///
  /// - Parameter maximumDataLength: The most coded bytes, with the four of width and height.
  /// - Returns: One segment, or several for data that passes a segment's size.
  /// - Throws: `.outOfRange` for an empty bitmap or one wider or higher than 65535, `.limitExceeded`
  ///   if the coded pixels pass the length.
  package func segments(
    maximumDataLength: Int = ObjectDefinition.maximumDataLength
  ) throws(PGSWritingFault) -> [PGSSegment] {
    let name = "object definition segment"
    let objectID = try field(id, "object id", of: name, as: UInt16.self)
    for (label, side) in [("width", bitmap.width), ("height", bitmap.height)]
    where !(1...65_535).contains(side) {
      throw .outOfRange(structure: name, field: label, value: side, range: 1...65_535)
    }
    let data = PGSRunLength.encode(bitmap)
    let dataLength = data.count + 4
    guard dataLength <= maximumDataLength else {
      throw .limitExceeded(
        what: "coded bytes of a \(bitmap.width)x\(bitmap.height) object", count: dataLength,
        limit: maximumDataLength)
    }
    var result: [PGSSegment] = []
    var position = 0
    repeat {
      let isFirst = position == 0
      let room = PGSSegment.maximumPayload - (isFirst ? 11 : 4)
      let end = min(position + room, data.count)
      var writer = ByteWriter()
      writer.u16(objectID)
      writer.u8(version)
      writer.u8((isFirst ? 0x80 : 0) | (end == data.count ? 0x40 : 0))
      if isFirst {
        writer.u24(UInt32(dataLength))
        writer.u16(UInt16(bitmap.width))
        writer.u16(UInt16(bitmap.height))
      }
      writer.bytes(data[position..<end])
      result.append(PGSSegment(type: .objectDefinition, payload: writer.bytes))
      position = end
    } while position < data.count
    return result
  }
}

/// The run-length code of PGS objects.
///
///     C                            one pixel of colour C, 1 to 255
///     00 00LLLLLL                  L pixels of colour 0, 1 to 63
///     00 01LLLLLL LLLLLLLL         L pixels of colour 0, up to 16383
///     00 10LLLLLL C                L pixels of colour C, up to 63
///     00 11LLLLLL LLLLLLLL C       L pixels of colour C, up to 16383
///     00 00                        end of line
package enum PGSRunLength {
  /// The longest run of one code: 14 bits.
  static let maximumRun = 0x3FFF

  /// Codes a bitmap, each line with its end code.
  package static func encode(_ bitmap: IndexedBitmap) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bitmap.height * 16)
    bitmap.indices.withUnsafeBufferPointer { pixels in
      for row in 0..<bitmap.height {
        let end = (row + 1) * bitmap.width
        var position = row * bitmap.width
        while position < end {
          let color = pixels[position]
          var next = position + 1
          while next < end, pixels[next] == color, next - position < maximumRun { next += 1 }
          append(run: next - position, of: color, to: &result)
          position = next
        }
        result += [0, 0]
      }
    }
    return result
  }

  private static func append(run: Int, of color: UInt8, to result: inout [UInt8]) {
    if color != 0, run < 3 {
      for _ in 0..<run { result.append(color) }
      return
    }
    let colorBit: UInt8 = color == 0 ? 0x00 : 0x80
    result.append(0)
    if run < 64 {
      result.append(colorBit | UInt8(run))
    } else {
      result.append(colorBit | 0x40 | UInt8(run >> 8))
      result.append(UInt8(run & 0xFF))
    }
    if color != 0 { result.append(color) }
  }
}
