// SPDX-License-Identifier: Apache-2.0

/// One cue of a track as the decision sees it: when it is shown, and which bitmap it is.
public struct DecisionCue: Sendable, Hashable {
  /// Number of the cue, unique within its track.
  public var index: Int
  /// First frame of the video that should show it.
  public var startFrame: Int
  /// First frame that should not show it any more; after `startFrame`.
  public var endFrame: Int
  /// Identity of bitmap and place: cues of any track with one key look exactly the same.
  public var key: Int
  /// Estimated number of letters; cues with few of them are looked at last.
  public var textLength: Int

  /// Makes a cue.
  public init(index: Int, startFrame: Int, endFrame: Int, key: Int, textLength: Int) {
    self.index = index
    self.startFrame = startFrame
    self.endFrame = endFrame
    self.key = key
    self.textLength = textLength
  }

  /// The frame looked at first: half-way, but soon enough to come before fades and cuts.
  public var middleFrame: Int { startFrame + min(17, (endFrame - startFrame) / 2) }

  /// The frames worth a look, the best first; each lies surely inside the cue.
  public var lookFrames: [Int] {
    let middle = middleFrame
    return [middle]
      + [startFrame + 5, endFrame - 5].filter { $0 != middle && isSurelyShown(at: $0) }
  }

  /// Whether the cue should be on screen even if its times play by two frames.
  func isSurelyShown(at frame: Int) -> Bool {
    frame == middleFrame || (startFrame + 3..<max(startFrame + 3, endFrame - 3)).contains(frame)
  }

  /// Whether the cue may be on screen, early or late by what encoders and players allow.
  func mayBeShown(at frame: Int) -> Bool {
    startFrame - DecisionRules.lead <= frame && frame < endFrame + DecisionRules.tail
  }
}

/// A cue with the frames at which it tells its track from another one.
struct TellingCue {
  let cue: DecisionCue
  let frames: [Int]
}
