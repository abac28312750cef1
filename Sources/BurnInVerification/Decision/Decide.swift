// SPDX-License-Identifier: Apache-2.0

/// What a session is to decide, and within which bounds.
public struct SessionRequest {
  /// The first frame that can be looked at.
  public var firstFrame: Int
  /// The frame after the last that can be looked at.
  public var endFrame: Int
  /// The most looks spent, each a cue with its retries.
  public var maximumCues: Int
  /// What chooses between cues of equal worth; the same seed gives the same session.
  public var seed: UInt64
  /// Whether looking at a frame costs nothing, since it was fetched already.
  ///
  /// Asked anew at every choice. Such frames are looked at first, but only where it does not matter
  /// for the answer: each part of the film keeps its turn, and both ends are looked at all the same.
  public var isPreferred: (Int) -> Bool

  /// Makes a request.
  public init(
    firstFrame: Int = 0, endFrame: Int = 1_000_000_000, maximumCues: Int = 100, seed: UInt64 = 0,
    isPreferred: @escaping (Int) -> Bool = { _ in true }
  ) {
    self.firstFrame = firstFrame
    self.endFrame = endFrame
    self.maximumCues = maximumCues
    self.seed = seed
    self.isPreferred = isPreferred
  }

  /// Whether a cue lies in the range with all frames at which it may be on screen late.
  func isInRange(_ cue: DecisionCue) -> Bool {
    cue.startFrame >= firstFrame && cue.endFrame + DecisionRules.tail < endFrame
  }
}

/// Decides whether a track is burned into a picture, and no other.
///
/// A pure function of its arguments and of the answers it gets: no picture, no clock, no global
/// state. Every claim in a track's favour rests on at least three different cues, a rival is beaten
/// by evidence alone and never by running out of cues that could tell it, and both ends of the range
/// must speak for the claimed track.
///
/// - Parameters:
///   - claimed: Name of the track that should be on screen; a name without cues is never verified.
///   - tracks: Every bitmap track of the file, by name, the claimed one among them.
///   - request: Range, bounds and seed.
///   - looks: The questions to the picture; called one after the other, in a fixed order.
/// - Returns: The verdict with all it rests on.
public func decide(
  claimed: String, tracks: [String: [DecisionCue]], request: SessionRequest, looks: SessionLooks
) -> SessionDecision {
  var session = DecisionSession(claimed: claimed, tracks: tracks, request: request, looks: looks)
  return session.run()
}
