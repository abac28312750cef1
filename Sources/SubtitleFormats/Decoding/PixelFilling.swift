// SPDX-License-Identifier: Apache-2.0

extension UnsafeMutableBufferPointer<UInt8> {
  /// Fills a part that is mostly short: the library's call costs more than the bytes.
  ///
  /// - Parameters:
  ///   - value: The byte.
  ///   - start: The part's first place.
  ///   - count: Its length, 0 or more.
  /// - Precondition: The part lies within the buffer.
  @inline(__always)
  func fill(_ value: UInt8, from start: Int, count: Int) {
    guard count > 0, let base = baseAddress else { return }
    precondition(start >= 0 && count <= self.count && start <= self.count - count)
    let first = UnsafeMutableRawPointer(base + start)
    let words = UInt64(value) &* 0x0101_0101_0101_0101
    if count >= 8 {
      guard count <= 64 else {
        (base + start).update(repeating: value, count: count)
        return
      }
      // Whole words, then one that ends with the part and may lie over the last of them.
      var place = 0
      while place &+ 8 < count {
        first.storeBytes(of: words, toByteOffset: place, as: UInt64.self)
        place &+= 8
      }
      first.storeBytes(of: words, toByteOffset: count &- 8, as: UInt64.self)
    } else if count >= 4 {
      let half = UInt32(truncatingIfNeeded: words)
      first.storeBytes(of: half, as: UInt32.self)
      first.storeBytes(of: half, toByteOffset: count &- 4, as: UInt32.self)
    } else {
      first.storeBytes(of: value, as: UInt8.self)
      first.storeBytes(of: value, toByteOffset: count >> 1, as: UInt8.self)
      first.storeBytes(of: value, toByteOffset: count &- 1, as: UInt8.self)
    }
  }
}
