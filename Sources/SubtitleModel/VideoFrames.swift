// SPDX-License-Identifier: Apache-2.0

/// One plane of 8-bit samples, row major without padding, origin top left.
public struct SamplePlane: Sendable, Hashable {
  /// Columns.
  public let width: Int
  /// Rows.
  public let height: Int
  /// Samples, `width * height` of them.
  public var samples: [UInt8]

  /// Makes a plane of exactly `width * height` samples.
  public init(width: Int, height: Int, samples: [UInt8]) {
    precondition(width >= 0 && height >= 0 && samples.count == width * height)
    self.width = width
    self.height = height
    self.samples = samples
  }
}

/// The luma of one decoded video frame, as the decoder gave it (limited range: 16 black, 235 white).
///
/// Deeper formats are shifted to 8 bits; nothing else is converted.
public struct LumaFrame: Sendable, Hashable {
  /// When it is shown, on the media's timeline.
  public var time: Timestamp
  /// The Y samples.
  public var luma: SamplePlane

  /// Makes a frame.
  public init(time: Timestamp, luma: SamplePlane) {
    self.time = time
    self.luma = luma
  }
}

/// One decoded video frame in planar 8-bit Y'CbCr 4:2:0 (chroma planes of half size, rounded up).
public struct PlanarFrame: Sendable, Hashable {
  /// When it is shown, on the media's timeline.
  public var time: Timestamp
  /// Y samples.
  public var luma: SamplePlane
  /// Cb samples, `(width + 1) / 2` by `(height + 1) / 2`.
  public var cb: SamplePlane
  /// Cr samples, of the same size as `cb`.
  public var cr: SamplePlane

  /// Makes a frame.
  public init(time: Timestamp, luma: SamplePlane, cb: SamplePlane, cr: SamplePlane) {
    self.time = time
    self.luma = luma
    self.cb = cb
    self.cr = cr
  }
}
