// SPDX-License-Identifier: Apache-2.0
public import SubtitleModel

/// Where a session takes its pictures from.
///
/// Frames are numbered on the session's grid (``SessionPlan/framesPerSecond``). The session
/// asks from one thread, one frame after the other; an answer may take as long as a download.
public protocol SessionFrames: AnyObject {
  /// The luma of the transcode's frame on screen when a grid frame begins; nil if it never came.
  func transcode(frame: Int) -> SamplePlane?

  /// Whether asking for a frame costs no further download.
  func isAtHand(frame: Int) -> Bool

  /// Luma of the source at a frame, of the transcode's size: the nearest frame first, then up to so
  /// many neighbours to each side.
  ///
  /// Empty where the source has none. Not asked in a blind session.
  func reference(frame: Int, neighbours: Int) -> [SamplePlane]
}
