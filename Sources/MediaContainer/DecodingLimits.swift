// SPDX-License-Identifier: Apache-2.0
internal import CFFmpegShims
internal import SubtitleModel

/// Bounds on what a hostile or broken track may make a decoder keep.
enum DecodingLimits {
  /// Rectangles of one cue: PGS has 2 by its rules and 255 by its syntax, DVB counts in a byte.
  static let objectsPerCue: UInt32 = 256
  /// Pixels of one cue: two full pictures of 8192x4320, the largest canvas of any format.
  static let pixelsPerCue = 2 * 8192 * 4320
  /// Events of one track: one a frame at 60 Hz over an hour and a half.
  static let eventsPerTrack = 330_000
  /// Bytes of different bitmaps of one track, identical ones counted once.
  static let bytesPerTrack = 1 << 30
  /// Diagnostics of one track; a broken track says the same thousands of times.
  static let diagnosticsPerTrack = 100
}

/// Copies bitmaps, shares the memory of identical ones and counts the bytes.
struct PixelBudget {
  /// Whether pixels are kept; without them a bitmap is one row of 16 bytes that stand for it.
  let keepsPixels: Bool
  private var known: [Int: [IndexedBitmap]] = [:]
  /// Bytes of the different bitmaps so far.
  private(set) var byteCount = 0

  init(keepsPixels: Bool) { self.keepsPixels = keepsPixels }

  /// A bitmap of a decoder's rows.
  mutating func shared(
    width: Int, height: Int, data: UnsafeMutablePointer<UInt8>, stride: Int
  ) -> IndexedBitmap {
    let indices = [UInt8](unsafeUninitializedCapacity: width * height) { buffer, count in
      count = width * height
      guard let base = buffer.baseAddress else { return }
      for row in 0..<height {
        (base + row * width).update(from: data + row * stride, count: width)
      }
    }
    var hasher = Hasher()
    hasher.combine(width)
    indices.withUnsafeBytes { hasher.combine(bytes: $0) }
    let key = hasher.finalize()
    guard keepsPixels else {
      let words = [UInt64(bitPattern: Int64(key)), UInt64(width) << 32 | UInt64(height)]
      return IndexedBitmap(width: 16, height: 1, indices: words.withUnsafeBytes { Array($0) })
    }
    for candidate in known[key, default: []]
    where candidate.width == width && candidate.height == height {
      let isSame = candidate.indices.withUnsafeBytes { left in
        indices.withUnsafeBytes { bs_bytes_equal(left.baseAddress, $0.baseAddress, $0.count) != 0 }
      }
      if isSame { return candidate }
    }
    let bitmap = IndexedBitmap(width: width, height: height, indices: indices)
    known[key, default: []].append(bitmap)
    byteCount += indices.count
    return bitmap
  }
}
