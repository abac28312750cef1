// SPDX-License-Identifier: Apache-2.0
import BinaryReading
public import SubtitleModel

/// One frame of a track: when it is shown and where its bytes lie.
public struct MatroskaBlock: Sendable, Hashable {
  /// The number of its track.
  public var trackNumber: UInt64
  /// Its time as the file states it, from the file's own zero.
  public var time: Timestamp
  /// Its duration, where the file states one.
  public var duration: Timestamp?
  /// Absolute offset of its bytes, packed as the track is.
  public var payloadOffset: Int64
  /// Count of its packed bytes.
  public var payloadSize: Int
}

/// What a walk through the blocks of a file found beside them.
public struct MatroskaWalk: Sendable {
  /// Places that could not be read, with absolute offsets; the walk went on behind them.
  public var faults: [MatroskaFault] = []
  /// The time of the first block of each track that was seen, by track number.
  public var firstTimes: [UInt64: Timestamp] = [:]
  /// Whether the blocks were found by the file's Cues, without a walk.
  public var usedCues = false
  /// Bytes that were read to find the blocks.
  public var bytesRead: Int64 = 0
}

extension MatroskaFile {
  /// The first bytes of a block, unpacked.
  ///
  /// - Parameters:
  ///   - block: The block.
  ///   - limit: Bytes wanted at most. Far fewer bytes are read than the block has if it is small.
  /// - Returns: The bytes; all of the block's if there are no more than `limit`.
  /// - Throws: `.needsDecoder` if the track is encrypted or compressed otherwise than by zlib;
  ///   `.damaged` if the file ends within the block, if it is larger than a block may be or its
  ///   zlib stream is broken; `.unreadable` if the source fails.
  public func payload(
    of block: MatroskaBlock, limit: Int = .max
  ) throws(MatroskaFault) -> [UInt8] {
    let packing = tracks.first { $0.number == block.trackNumber }?.packing ?? .plain
    switch packing {
    case .plain: return try stored(block, limit)
    case .strippedHeader(let header):
      if limit <= header.count { return Array(header.prefix(limit)) }
      return header + (try stored(block, limit - header.count))
    case .needsDecoder(let reason): throw MatroskaFault(.needsDecoder(reason), name: source.name)
    case .zlib:
      // The tables of a deflate block take up to some 300 bytes, codes of 64 bytes far fewer.
      if limit <= 256, block.payloadSize > 1024 {
        let head = try stored(block, 1024)
        if let bytes = try? Inflate.zlib(head, limit: limit, base: block.payloadOffset) {
          return bytes
        }
      }
      let packed = try stored(block, .max)
      do throws(ReadFault) {
        let most = min(limit, Int(Limits.blockBytes))
        return try Inflate.zlib(packed, limit: most, base: block.payloadOffset)
      } catch {
        throw MatroskaFault(.damaged(error), name: source.name)
      }
    }
  }

  private func stored(_ block: MatroskaBlock, _ limit: Int) throws(MatroskaFault) -> [UInt8] {
    let wanted = min(block.payloadSize, max(0, limit))
    func fault(_ kind: ReadFault.Kind) -> MatroskaFault {
      MatroskaFault(
        .damaged(ReadFault(kind, offset: block.payloadOffset, structure: "block")),
        name: source.name)
    }
    guard wanted <= Int(Limits.blockBytes) else {
      throw fault(
        .limitExceeded(limit: "size", value: Int64(wanted), maximum: Limits.blockBytes))
    }
    var bytes: [UInt8]
    do {
      let (source, offset) = (source, block.payloadOffset)
      bytes = try [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
        let raw = UnsafeMutableRawBufferPointer(buffer)
        while count < wanted {
          let got = try source.read(
            at: offset + Int64(count),
            into: UnsafeMutableRawBufferPointer(rebasing: raw[count..<wanted]))
          guard got > 0 else { break }
          count += min(got, wanted - count)
        }
      }
    } catch {
      throw MatroskaFault(.unreadable("\(error)"), name: source.name)
    }
    guard bytes.count == wanted else {
      throw fault(.truncated(needed: wanted, available: bytes.count))
    }
    return bytes
  }
}
