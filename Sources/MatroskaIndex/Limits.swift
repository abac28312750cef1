// SPDX-License-Identifier: Apache-2.0

/// What this reader accepts at most, so that a hostile file costs neither memory nor time.
enum Limits {
  /// Bytes of a header element (Tracks, SeekHead, Info, Tags) that is read whole.
  ///
  /// Tags with long comments and codec private data reach some 100 kB.
  static let headerBytes: Int64 = 16 << 20

  /// Bytes of Cues that are read whole: 24 bytes a point, a million points.
  static let cuesBytes: Int64 = 24 << 20

  /// Tracks in a file; Matroska files with more than 100 are unknown.
  static let tracks = 1024

  /// Content encodings of a track; the format's own tools write one.
  static let contentEncodings = 8

  /// Damaged places that are passed over before a walk gives up.
  static let faults = 32

  /// Bytes of one subtitle block.
  ///
  /// A picture of 4096 by 2176 incompressible pixels has 9 MB.
  static let blockBytes: Int64 = 32 << 20

  /// Bytes of file behind the first cluster that may be searched for the first block of each track.
  static let startSearchBytes: Int64 = 64 << 20
}
