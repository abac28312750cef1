// SPDX-License-Identifier: Apache-2.0
package import SubtitleModel

/// Writes an AVI file with one stream of DivX subtitles.
///
/// A chunk stands for the same time each; those without a picture are empty.
package enum XSUBFileWriter {
  /// Chunks of one file: two days of them at 25 a second, whose index has 69 MB.
  package static let chunkLimit = 4_320_000

  /// Writes a stream.
  ///
  /// - Parameters:
  ///   - packets: The packets, in order of time.
  ///   - hasAlpha: Whether they carry alpha (DXSA).
  ///   - canvas: The size of the film.
  ///   - end: Until when the file lasts; nil lets it end with the last packet's chunk.
  ///   - chunksPerSecond: How finely the container states times; the packets' texts are exact.
  /// - Returns: The bytes.
  /// - Throws: `.limitExceeded` for times past two days or more bytes than the file's fields count.
  package static func bytes(
    _ packets: [TrackPacket], hasAlpha: Bool, canvas: Canvas, end: Timestamp? = nil,
    chunksPerSecond: Int64 = 10
  ) throws(PGSWritingFault) -> [UInt8] {
    let tag = Array((hasAlpha ? "DXSA" : "DXSB").utf8)
    var chunks: [[UInt8]] = []
    for packet in packets {
      let place = Int(max(0, (packet.time ?? .zero).milliseconds) * chunksPerSecond / 1000)
      guard max(place, chunks.count) < chunkLimit else {
        throw .limitExceeded(
          what: "chunks of an AVI file", count: max(place, chunks.count), limit: chunkLimit)
      }
      while chunks.count < place { chunks.append([]) }
      chunks.append(packet.bytes)
    }
    if let end {
      let last = min(chunkLimit, Int(max(0, end.milliseconds) * chunksPerSecond / 1000))
      while chunks.count < last { chunks.append([]) }
    }
    // Sizes and offsets have 32 bits; heads and index take 24 bytes a chunk and less than a kilobyte.
    let total = chunks.reduce(1024) { $0 + $1.count + 25 }
    guard total <= Int(UInt32.max) else {
      throw .limitExceeded(what: "bytes of an AVI file", count: total, limit: Int(UInt32.max))
    }
    let count = UInt32(chunks.count)
    let largest = UInt32(chunks.map(\.count).max() ?? 0)
    let size = (UInt32(canvas.width), UInt32(canvas.height))
    // Microseconds a frame; 0x10: there is an index.
    let main = words([
      UInt32(1_000_000 / chunksPerSecond), 0, 0, 0x10, count, 0, 1, largest, size.0, size.1, 0, 0,
      0, 0,
    ])
    let header =
      Array("vids".utf8) + tag
      + words([0, 0, 0, 1, UInt32(chunksPerSecond), 0, count, largest, 0, 0, 0, 0])
    let format = words([40, size.0, size.1, 0x0020_0001]) + tag + words([0, 0, 0, 0, 0])
    var movie = Array("movi".utf8)
    var index: [UInt8] = []
    for data in chunks {
      index += Array("00sb".utf8) + words([0x10, UInt32(movie.count), UInt32(data.count)])
      movie += chunk("00sb", data)
    }
    let stream = chunk(
      "LIST", Array("strl".utf8) + chunk("strh", header) + chunk("strf", format))
    let list = chunk("LIST", Array("hdrl".utf8) + chunk("avih", main) + stream)
    return chunk(
      "RIFF", Array("AVI ".utf8) + list + chunk("LIST", movie) + chunk("idx1", index))
  }

  private static func words(_ values: [UInt32]) -> [UInt8] {
    values.flatMap { value in (0..<4).map { UInt8(value >> UInt32(8 * $0) & 255) } }
  }

  private static func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
    Array(name.utf8) + words([UInt32(body.count)]) + body + (body.count % 2 == 0 ? [] : [0])
  }
}
