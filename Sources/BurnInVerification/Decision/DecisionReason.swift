// SPDX-License-Identifier: Apache-2.0

/// One thing a session did not show.
public enum DecisionReason: Sendable, Hashable, CustomStringConvertible {
  /// Too few cues of the claimed track were seen.
  case onlyCuesSeen(Int)
  /// Too few visible cues tell the claimed track from a rival.
  case onlyCuesTell(rival: String, Int)
  /// Too few cues show that a rival is not drawn besides the claimed track.
  case onlyCuesShowNotBesides(rival: String, Int)
  /// The first or the last cue that can tell a rival did not speak for the claimed track.
  case notToldAtEnds(rival: String)
  /// A rival was seen where the claimed track lacks it.
  case seenWhereLacks(rival: String)
  /// That many cues before the first pass were not seen.
  case firstCuesNotSeen(Int)
  /// That many cues after the last pass were not seen.
  case lastCuesNotSeen(Int)
  /// That many cues in a row were not seen.
  case cuesInARowNotSeen(Int)
  /// Starts or ends were seen at too few cues.
  case timesNotSeen

  /// A sentence for people, without a full stop.
  public var description: String {
    switch self {
    case .onlyCuesSeen(let count):
      "only \(Self.cues(count)) of the asked track \(count == 1 ? "was" : "were") seen"
    case .onlyCuesTell(let rival, let count):
      "only \(count) visible \(count == 1 ? "cue tells" : "cues tell")"
        + " the asked track from track \(rival)"
    case .onlyCuesShowNotBesides(let rival, let count):
      "only \(Self.cues(count)) \(count == 1 ? "shows" : "show")"
        + " that track \(rival) is not drawn besides"
    case .notToldAtEnds(let rival):
      "the asked track was not told from track \(rival) at the first or the last cue that can tell them"
    case .seenWhereLacks(let rival):
      "track \(rival) was seen where the asked track shows nothing of it"
    case .firstCuesNotSeen(let count):
      count == 1 ? "the first cue was not seen" : "the first \(count) cues were not seen"
    case .lastCuesNotSeen(let count):
      count == 1 ? "the last cue was not seen" : "the last \(count) cues were not seen"
    case .cuesInARowNotSeen(let count):
      "\(count) cues in a row were not seen"
    case .timesNotSeen:
      "starts and ends were seen at fewer than \(DecisionRules.leastTimed) cues"
    }
  }

  /// The rival that the reason is about; `nil` if it is about the claimed track alone.
  public var rival: String? {
    switch self {
    case .onlyCuesTell(let rival, _), .onlyCuesShowNotBesides(let rival, _),
      .notToldAtEnds(let rival), .seenWhereLacks(let rival):
      rival
    default: nil
    }
  }

  private static func cues(_ count: Int) -> String { count == 1 ? "1 cue" : "\(count) cues" }
}
