// SPDX-License-Identifier: Apache-2.0

/// Which decoder turns a bitmap track into cues.
public enum DecoderChoice: String, Sendable, Hashable, CaseIterable {
  /// Our own, which draws what the stream says.
  case native
  /// FFmpeg's, with whose eyes the usual servers see a track.
  case libavcodec
}
