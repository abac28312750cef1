// SPDX-License-Identifier: Apache-2.0

/// The constants of the decision, in one place.
enum DecisionRules {
  /// Natural-log evidence asked for, about one error in a million.
  ///
  /// One cue gives at most `pass`, so nothing is ever shown by fewer than three different cues.
  static let enough = 13.8
  /// Evidence of a look that passes.
  static let pass = 5.0
  /// Evidence at or below which a look says that the cue is absent.
  static let absent = -4.0
  /// Evidence at or below which another frame of the same cue is looked at.
  static let doubtful = -1.5
  /// Cues of a track that must pass before anything is said in its favour.
  static let leastPasses = 3
  /// Own cues of a rival that must be seen missing before it counts as not drawn besides.
  static let leastMissing = 3
  /// Frames before a cue's start in which its picture may already be there.
  static let lead = 6
  /// Frames after a cue's end in which its picture may stay.
  static let tail = 14
  /// Parts of the timeline from which cues are taken in turn.
  static let parts = 8
  /// Order in which the parts are visited: the ends first, neighbours late.
  static let partOrder = [0, 7, 3, 5, 1, 6, 2, 4]
  /// Letters from which a text counts as long; short ones have few decoys.
  static let longText = 7
  /// Pair value from which a cue speaks for the claimed track.
  static let pairTells = 0.25
  /// Pair value from which the other cue also counts as missing: two tracks drawn at once give up
  /// to 0.42, a single one 0.68 and more.
  static let pairExcludes = 0.5
  /// Passed cues whose times are looked at, and answers asked about a track beneath.
  static let timedCues = 6
  /// Cues at which the start and the end must each be seen.
  static let leastTimed = 2
  /// Share of the answers from which a track beneath is reported.
  static let underShare = 0.4

  /// The evidence of a pair value: +1 is all of the claimed cue and nothing of the other.
  static func evidence(ofPair value: Double) -> Double {
    switch value {
    case pairTells...: 5
    case 0.12..<pairTells: 1
    case let value where value > -0.12: 0
    case let value where value > -0.25: -1
    default: -5
    }
  }
}
