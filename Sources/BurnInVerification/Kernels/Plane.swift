// SPDX-License-Identifier: Apache-2.0

/// A plane of `Float` samples whose memory is kept when its size changes.
///
/// Row major, no padding. Not `Sendable`: a set of planes belongs to one task.
final class Plane {
  /// Columns.
  private(set) var width = 0
  /// Rows.
  private(set) var height = 0
  /// The first sample.
  private(set) var base: UnsafeMutablePointer<Float>
  private var capacity: Int

  init() {
    capacity = 64
    base = .allocate(capacity: 64)
  }

  /// A plane of the given samples.
  convenience init(width: Int, height: Int, samples: [Float]) {
    precondition(width >= 0 && height >= 0 && samples.count == width * height)
    self.init()
    reshape(width, height)
    samples.withUnsafeBufferPointer { source in
      if let first = source.baseAddress { base.update(from: first, count: samples.count) }
    }
  }

  deinit { base.deallocate() }

  /// Number of samples.
  var count: Int { width * height }

  /// Gives the plane a size; what it holds is undefined afterwards.
  func reshape(_ newWidth: Int, _ newHeight: Int) {
    precondition(newWidth >= 0 && newHeight >= 0)
    width = newWidth
    height = newHeight
    let needed = newWidth * newHeight
    if needed > capacity {
      base.deallocate()
      capacity = needed + needed / 4
      base = .allocate(capacity: capacity)
    }
  }

  /// The first sample of a row.
  @inline(__always)
  func row(_ y: Int) -> UnsafeMutablePointer<Float> { base + y * width }

  /// Sets every sample.
  func fill(_ value: Float) { base.update(repeating: value, count: count) }

  /// Takes size and samples of another plane.
  func copy(_ other: Plane) {
    reshape(other.width, other.height)
    base.update(from: other.base, count: count)
  }

  /// The samples as an array.
  var samples: [Float] { Array(UnsafeBufferPointer(start: base, count: count)) }
}

/// A plane of bytes, 0 or 1 each, with kept memory.
final class Mask {
  /// Columns.
  private(set) var width = 0
  /// Rows.
  private(set) var height = 0
  /// The first sample.
  private(set) var base: UnsafeMutablePointer<UInt8>
  private var capacity: Int

  init() {
    capacity = 64
    base = .allocate(capacity: 64)
  }

  deinit { base.deallocate() }

  /// Number of samples.
  var count: Int { width * height }

  /// Gives the mask a size; what it holds is undefined afterwards.
  func reshape(_ newWidth: Int, _ newHeight: Int) {
    precondition(newWidth >= 0 && newHeight >= 0)
    width = newWidth
    height = newHeight
    let needed = newWidth * newHeight
    if needed > capacity {
      base.deallocate()
      capacity = needed + needed / 4
      base = .allocate(capacity: capacity)
    }
  }

  /// The first sample of a row.
  @inline(__always)
  func row(_ y: Int) -> UnsafeMutablePointer<UInt8> { base + y * width }

  /// Sets every sample.
  func fill(_ value: UInt8) { base.update(repeating: value, count: count) }

  /// The samples as an array.
  var samples: [UInt8] { Array(UnsafeBufferPointer(start: base, count: count)) }
}
