// SPDX-License-Identifier: Apache-2.0

/// Makes the published result from what a session decided and knows.
public enum VerdictMapping {
  /// Pixels by which a burn may lie off its layout; scalers shift text by up to one.
  static let placeTolerance = 2.0
  /// The same as a share of the frame's width, for large frames.
  static let placeToleranceShare = 0.004

  /// Returns the published result.
  ///
  /// Of several problems the gravest gives the verdict: wrong track, then time, then geometry, then
  /// flaws; the flags name all.
  ///
  /// - Parameters:
  ///   - asked: The track asked for, by the name it has in `decision`.
  ///   - decision: What the looks added up to; `nil` if the session did not come to a decision.
  ///   - facts: What the session knows besides.
  /// - Returns: The result, complete but for what only the caller knows.
  public static func result(
    asked: String, decision: SessionDecision?, facts: SessionFacts
  ) -> VerificationResult {
    let outcome = Outcome(asked: asked, decision: decision, facts: facts)
    var result = VerificationResult(
      verdict: outcome.verdict, asked: asked, mode: facts.mode, reason: outcome.reason)
    result.drawn = outcome.drawn
    result.layout = facts.geometry.layoutName
    result.flags = outcome.flags
    result.notes = facts.notes + outcome.notes
    result.fetch = facts.fetch
    result.calibration = facts.calibration
    guard let decision else { return result }
    result.cues = VerificationResult.Cues(
      used: decision.usedCues, passed: decision.passedCues.count,
      failed: decision.failedCues.count, void: decision.voidCount)
    result.span = decision.span.map { span in
      VerificationResult.Span(
        from: Double(span.lowerBound) * facts.secondsPerFrame,
        to: Double(span.upperBound) * facts.secondsPerFrame)
    }
    result.rivals = decision.rivals.map { rival(from: $0, drawn: outcome.drawn, decision) }
    result.notExcludedBesides = decision.rivals.filter { $0.ownCuesNotExcluded != nil }.map(\.track)
    result.timing = decision.timing
    return result
  }

  private static func rival(
    from finding: RivalFinding, drawn: [String], _ decision: SessionDecision
  ) -> VerificationResult.Rival {
    let relation: VerificationResult.Rival.Relation =
      switch finding.equality {
      case .film: .equalInFilm
      case .range: .equalInRange
      case nil:
        if decision.verdict == .wrongTrack(finding.track) {
          .drawnInstead
        } else if decision.flags.contains(.also(finding.track)) {
          .drawnToo
        } else if finding.evidence < DecisionRules.enough || isOpen(finding, decision) {
          .notTold
        } else if finding.ownCuesNotExcluded != nil {
          .notExcludedBesides
        } else {
          .toldApart
        }
      }
    return VerificationResult.Rival(
      track: finding.track, evidence: (finding.evidence * 10).rounded() / 10,
      cuesTelling: finding.tellingCount, cuesSeenMissing: finding.missingCount, relation: relation)
  }

  /// Whether the decision says that a rival is not told apart, whatever the evidence.
  private static func isOpen(_ finding: RivalFinding, _ decision: SessionDecision) -> Bool {
    decision.reasons.contains { $0.rival == finding.track }
  }
}

extension SessionFacts.Geometry {
  /// The layout found, or else the expected one.
  var layoutName: String? {
    switch self {
    case .layout(let name): name
    case .otherLayout(let found, _): found
    case .unexplained(let expected, _, _, _): expected
    case .unknown(let expected): expected
    }
  }
}
