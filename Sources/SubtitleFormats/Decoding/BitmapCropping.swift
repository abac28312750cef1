// SPDX-License-Identifier: Apache-2.0
import SubtitleModel

/// The set of palette indices that a bitmap uses.
struct IndexSet256: Sendable, Hashable {
  private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

  /// Makes an empty set.
  init() {}

  /// Makes a set of the indices whose flag is not zero; 256 flags.
  init(flags: UnsafeBufferPointer<UInt8>) {
    for index in 0..<min(256, flags.count) where flags[index] != 0 { insert(UInt8(index)) }
  }

  /// Makes the set of the indices in a bitmap.
  init(of bitmap: IndexedBitmap) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256) { flags in
      flags.initialize(repeating: 0)
      bitmap.indices.withUnsafeBufferPointer { pixels in
        for pixel in pixels { flags[Int(pixel)] = 1 }
      }
      self = IndexSet256(flags: UnsafeBufferPointer(flags))
    }
  }

  private mutating func insert(_ index: UInt8) {
    let bit = UInt64(1) << UInt64(index & 63)
    switch index >> 6 {
    case 0: words.0 |= bit
    case 1: words.1 |= bit
    case 2: words.2 |= bit
    default: words.3 |= bit
    }
  }

  /// Whether an index is in the set.
  func contains(_ index: UInt8) -> Bool {
    let word: UInt64
    switch index >> 6 {
    case 0: word = words.0
    case 1: word = words.1
    case 2: word = words.2
    default: word = words.3
    }
    return word >> UInt64(index & 63) & 1 == 1
  }

  static func == (left: Self, right: Self) -> Bool { left.words == right.words }

  func hash(into hasher: inout Hasher) {
    hasher.combine(words.0)
    hasher.combine(words.1)
    hasher.combine(words.2)
    hasher.combine(words.3)
  }
}

extension IndexedBitmap {
  /// A part of the bitmap.
  ///
  /// - Parameter rect: The part, in the bitmap's own pixels; what lies outside is left out.
  /// - Returns: The bitmap itself if the part is all of it.
  func cropped(to rect: PixelRect) -> IndexedBitmap {
    let part = rect.intersection(PixelRect(x: 0, y: 0, width: width, height: height))
    if part.width == width, part.height == height { return self }
    if part.isEmpty { return IndexedBitmap(width: 0, height: 0, indices: []) }
    var result: [UInt8] = []
    result.reserveCapacity(part.width * part.height)
    for row in part.y..<(part.y + part.height) {
      let start = row * width + part.x
      result.append(contentsOf: indices[start..<(start + part.width)])
    }
    return IndexedBitmap(width: part.width, height: part.height, indices: result)
  }

  /// Whether any pixel has a colour with alpha.
  func isVisible(in palette: Palette) -> Bool {
    withUnsafeTemporaryAllocation(of: Bool.self, capacity: 256) { isSeen in
      for index in 0..<256 {
        isSeen.initializeElement(at: index, to: palette[UInt8(index)].alpha > 0)
      }
      return indices.withUnsafeBufferPointer { pixels in pixels.contains { isSeen[Int($0)] } }
    }
  }
}
