// SPDX-License-Identifier: Apache-2.0

package import BurnInVerification

/// What a claim about a fuzz picture is worth.
package enum Judgement: String, CaseIterable, Sendable {
  /// The verdict makes no claim, or one that is not judged.
  case nothingClaimed = "nothing claimed"
  case right = "right"
  case falseClaim = "false"
  case falseUpToTwin = "false up to a twin"
  /// Apart: each cue looked at is there, but a random part of the others is not.
  case randomSubset = "f^n"
  /// Apart: a near twin is drawn under the claimed track.
  case twinUnderneath = "near twin under it"
  /// Apart: a track drawn so late or early that its cues fall on those of the claimed one.
  case movedOntoIt = "moved onto it"
  /// Apart: one or two cues of another track at an end.
  case oneCueOfAnother = "one cue of another"
  /// Apart: the decision says that the other track is not excluded besides.
  case besidesSaidSo = "besides, said so"

  package var isFalse: Bool { self == .falseClaim || self == .falseUpToTwin }
  package var isApart: Bool {
    switch self {
    case .randomSubset, .twinUnderneath, .movedOntoIt, .oneCueOfAnother, .besidesSaidSo: true
    default: false
    }
  }
}

/// Compares a decision with what is really drawn.
package struct FuzzJudge {
  /// Frames by which times may differ from those drawn.
  private static let tolerance = 5
  private static let lead = 6
  private static let tail = 14

  let film: FuzzFilm
  let picture: FuzzPicture

  package init(film: FuzzFilm, picture: FuzzPicture) {
    self.film = film
    self.picture = picture
  }

  /// Judges one decision about one track.
  package func judge(_ decision: SessionDecision, claimed: String) -> Judgement {
    switch decision.verdict {
    case .verified, .oneOfEquals: break
    default: return .nothingClaimed
    }
    let equals = decision.rivals.filter { $0.equality != nil }.map(\.track)
    if decision.verdict == .oneOfEquals && picture.truth == .switched
      && Set(picture.drawnTracks).isSubset(of: [claimed] + equals)
    {
      return .right
    }
    let faults = ([claimed] + equals).map { fault(of: $0, decision) }
    guard faults.allSatisfy({ $0 != nil }) else {
      return decision.verdict == .verified && hasEqual(claimed) ? .falseUpToTwin : .right
    }
    return isMovedOnto(claimed) ? .movedOntoIt : faults.compactMap { $0 }.first ?? .falseClaim
  }

  /// What is wrong with saying that a track is what is drawn; `nil` if it is.
  private func fault(of track: String, _ decision: SessionDecision) -> Judgement? {
    let tolerance = picture.truth == .switched ? Self.tail : Self.tolerance
    let span = decision.span ?? film.firstFrame...film.endFrame
    let cues = showings(of: track)
    let drawn = drawnShowings
    let missing = inRange(cues).filter {
      !isDrawn($0, in: drawn, tolerance) && !picture.cannotShow($0)
    }
    let extra = inRange(drawn).filter {
      !isDrawn($0, in: cues, tolerance) && !picture.cannotShow($0) && span.contains($0.cueMiddle)
    }
    if missing.isEmpty && extra.isEmpty { return nil }
    if picture.truth == .switched && missing.count + extra.count <= 2 { return .oneCueOfAnother }
    if picture.truth == .two && missing.isEmpty && areSaidNotExcluded(extra, decision) {
      return .besidesSaidSo
    }
    let isOverTwin = cues.contains { cue in
      extra.contains {
        $0.identity.isTwin(of: cue.identity) && cue.start < $0.end && $0.start < cue.end
      }
    }
    if isOverTwin && (missing.isEmpty || picture.truth == .two) { return .twinUnderneath }
    return picture.truth == .someCues ? .randomSubset : .falseClaim
  }

  private func areSaidNotExcluded(_ extra: [Showing], _ decision: SessionDecision) -> Bool {
    let company = decision.rivals.filter { $0.ownCuesNotExcluded != nil }
      .flatMap { showings(of: $0.track) }
    return extra.allSatisfy(Set(company).contains)
  }

  private func isMovedOnto(_ claimed: String) -> Bool {
    guard picture.truth == .lateOrEarly else { return false }
    let cues = inRange(showings(of: claimed))
    let drawn = drawnShowings
    let covered = cues.filter { cue in
      drawn.contains {
        $0.identity.isTwin(of: cue.identity)
          && abs($0.start - cue.start) <= Self.tolerance + Self.lead
      }
    }
    return 2 * covered.count >= cues.count
  }

  /// Whether another track shows exactly the same in the range, so that one name says too much.
  private func hasEqual(_ claimed: String) -> Bool {
    let cues = showings(of: claimed)
    return film.names.contains { name in
      guard name != claimed else { return false }
      let others = showings(of: name)
      return inRange(cues).allSatisfy { isDrawn($0, in: others, 0) }
        && inRange(others).allSatisfy { isDrawn($0, in: cues, 0) }
    }
  }

  // MARK: Showings

  private func showings(of track: String) -> [Showing] {
    film.tracks[track, default: []].map { Showing($0) }
  }

  /// All that is in the picture; blind, a text of the source counts as drawn.
  private var drawnShowings: [Showing] {
    let all = picture.drawn + (picture.truth == .sourceText ? picture.inSource : [])
    return all.map { Showing($0.cue, delay: $0.delay) }
  }

  private func inRange(_ showings: [Showing]) -> [Showing] {
    showings.filter { $0.start >= film.firstFrame && $0.end + Self.tail < film.endFrame }
  }

  private func isDrawn(_ showing: Showing, in others: [Showing], _ tolerance: Int) -> Bool {
    others.contains {
      $0.identity == showing.identity && abs($0.start - showing.start) <= tolerance
        && abs($0.end - showing.end) <= 4 * tolerance
    }
  }
}
