// SPDX-License-Identifier: Apache-2.0

extension VerdictMapping {
  /// The verdict with what is said about it.
  struct Outcome {
    var verdict: VerificationVerdict
    var reason: String
    var drawn: [String] = []
    var flags: [VerificationFlag] = []
    var notes: [String] = []

    init(asked: String, decision: SessionDecision?, facts: SessionFacts) {
      if decision.map(\.leavesAskedUnseen) ?? true, let diagnosis = facts.diagnosis {
        self.init(asked: asked, diagnosis: diagnosis)
        return
      }
      guard let decision else {
        self.init(.cannotDecide, "cannot decide: \(facts.obstacle ?? "nothing could be seen")")
        return
      }
      switch decision.verdict {
      case .notBurned:
        self.init(
          .notBurned,
          "track \(asked) is not burned in: \(counted(decision.failedCues.count, "cue")) of it"
            + " \(decision.failedCues.count == 1 ? "is" : "are") absent, \(decision.passedCues.count) seen"
        )
      case .wrongTrack(let other):
        self.init(.wrongTrack, "track \(other) is on screen instead of track \(asked)")
        drawn = [other]
      case .inconclusive:
        self.init(.cannotDecide, "cannot decide: \(sentence(decision.reasons, facts.obstacle))")
      case .verified, .burnedBut, .oneOfEquals:
        self.init(asked: asked, seenBy: decision, facts)
      }
    }

    private init(_ verdict: VerificationVerdict, _ reason: String) {
      self.verdict = verdict
      self.reason = reason
    }

    /// What a search found where no cue passed.
    private init(asked: String, diagnosis: SessionFacts.Diagnosis) {
      switch diagnosis {
      case .anotherTrack(let other):
        self.init(.wrongTrack, "track \(other) is on screen instead of track \(asked)")
        drawn = [other]
      case .displacedInTime(let delay):
        self.init(
          .wrongTime,
          "track \(asked) is on screen \(decimal(abs(delay), digits: 2)) s too"
            + " \(delay < 0 ? "early" : "late")")
        drawn = [asked]
        flags = [delay < 0 ? .early : .late]
      case .displaced(let scale, let dx, let dy):
        self.init(
          .wrongGeometry,
          "track \(asked) is on screen in the wrong place: \(placeText(scale, dx, dy))")
        drawn = [asked]
      }
    }

    /// The asked track was seen, and no other instead.
    private init(asked: String, seenBy decision: SessionDecision, _ facts: SessionFacts) {
      let others = decision.flags.compactMap { flag in
        if case .also(let other) = flag { other } else { nil }
      }
      let equals = decision.rivals.filter { $0.equality != nil }
      let flags = publishedFlags(decision, facts)
      let time = flags.filter { $0 == .early || $0 == .late }
      let flaws = flags.filter { $0 != .early && $0 != .late }
      if let first = time.first {
        let words = time.count > 1 ? "comes late and goes early" : "plays \(first.rawValue)"
        self.init(.wrongTime, "track \(asked) is on screen, but \(words)")
      } else if let fault = geometryFault(facts) {
        self.init(.wrongGeometry, "track \(asked) is on screen, but \(fault)")
      } else if !flaws.isEmpty {
        let faults = flaws.map { flawText($0, others, failed: decision.failedCues.count) }
        self.init(.flawed, "track \(asked) is on screen, but \(joined(faults))")
      } else if decision.verdict == .oneOfEquals {
        self.init(.oneOfEquals, equalText(asked, equals))
      } else if decision.verdict == .verified {
        self.init(.burnedIn, burnedText(asked, decision, facts))
      } else {
        self.init(.flawed, "track \(asked) is on screen, but not as it should be")
      }
      self.flags = flags
      drawn = [asked] + (verdict == .oneOfEquals ? equals.map(\.track) : others)
      notes = remarks(equals, decision, facts)
    }

    private func remarks(
      _ equals: [RivalFinding], _ decision: SessionDecision, _ facts: SessionFacts
    ) -> [String] {
      var notes: [String] = []
      if facts.mode == .blind {
        notes.append("without the source, text of its own that looks the same counts as burned in")
      }
      if verdict != .oneOfEquals {
        notes += equals.map { "track \($0.track) shows the same as the asked one" }
      }
      for rival in decision.rivals {
        guard let count = rival.ownCuesNotExcluded else { continue }
        notes.append(
          "track \(rival.track) is not excluded besides: it has"
            + " \(counted(count, "cue")) of its own in the range")
      }
      return notes
    }
  }
}

extension SessionDecision {
  /// Whether no cue of the claimed track passed, so that a search may say where it is.
  fileprivate var leavesAskedUnseen: Bool {
    switch verdict {
    case .notBurned, .inconclusive: passedCues.isEmpty
    default: false
    }
  }
}

/// All flags of a burn that is there, in order of declaration.
private func publishedFlags(_ decision: SessionDecision, _ facts: SessionFacts)
  -> [VerificationFlag]
{
  var flags: Set<VerificationFlag> = facts.isDouble ? [.double] : []
  for flag in decision.flags {
    switch flag {
    case .early: flags.insert(.early)
    case .late: flags.insert(.late)
    case .stuck: flags.insert(.stuck)
    case .partial: flags.insert(.partial)
    case .also: flags.insert(.alsoDrawn)
    }
  }
  flags.formUnion(facts.colour?.flags(frameHeight: facts.frameHeight) ?? [])
  return VerificationFlag.allCases.filter(flags.contains)
}

/// What is wrong with the place, a clause; `nil` if the layout explains it.
private func geometryFault(_ facts: SessionFacts) -> String? {
  switch facts.geometry {
  case .otherLayout(let found, let expected): return "laid out as \(found), not \(expected)"
  case .unexplained(_, let scale, let dx, let dy):
    return "in a place that no known layout explains: \(placeText(scale, dx, dy))"
  case .layout(let name):
    guard let calibration = facts.calibration else { return nil }
    let limit = max(
      VerdictMapping.placeTolerance, VerdictMapping.placeToleranceShare * Double(facts.frameWidth))
    guard max(abs(calibration.dx), abs(calibration.dy)) > limit else { return nil }
    return "off its place in the layout \(name):"
      + " \(placeText(calibration.scale, calibration.dx, calibration.dy))"
  case .unknown: return nil
  }
}

private func placeText(_ scale: Double, _ dx: Double, _ dy: Double) -> String {
  "scale \(decimal(scale, digits: 3)), \(decimal(dx, digits: 1)) px to the right,"
    + " \(decimal(dy, digits: 1)) px down"
}

private func flawText(_ flag: VerificationFlag, _ others: [String], failed: Int) -> String {
  switch flag {
  case .partial:
    "\(counted(failed, "cue")) of those looked at \(failed == 1 ? "is" : "are") missing"
  case .stuck: "cues stay after their end"
  case .double: "drawn twice"
  case .alsoDrawn:
    "\(joined(others.map { "track \($0)" })) \(others.count > 1 ? "are" : "is") drawn too"
  case .faint: "fainter than the track says"
  case .offColour: "of another brightness than the track says"
  case .early, .late: "at the wrong time"
  }
}

private func burnedText(
  _ asked: String, _ decision: SessionDecision, _ facts: SessionFacts
) -> String {
  let layout = facts.geometry.layoutName.map { ", as \($0) lays it out" } ?? ""
  let others =
    decision.rivals.isEmpty
    ? "" : ", told from \(counted(decision.rivals.count, "other track"))"
  return "track \(asked) is burned in\(layout):"
    + " \(counted(decision.passedCues.count, "cue")) seen\(others)"
}

private func equalText(_ asked: String, _ equals: [RivalFinding]) -> String {
  let names = [asked] + equals.map(\.track)
  let isFilm = equals.allSatisfy { $0.equality == .film }
  return "one of the tracks \(joined(names)) is burned in; they show the same in"
    + " \(isFilm ? "the whole film" : "the range looked at")"
}

/// Reasons as one clause; of many the first three are named.
private func sentence(_ reasons: [DecisionReason], _ obstacle: String?) -> String {
  let all = (obstacle.map { [$0] } ?? []) + reasons.map(\.description)
  let shown = all.prefix(3).joined(separator: "; ")
  if all.isEmpty { return "the looks do not add up to an answer" }
  return all.count > 3 ? "\(shown); and \(all.count - 3) more" : shown
}

private func counted(_ count: Int, _ noun: String) -> String {
  "\(count) \(noun)\(count == 1 ? "" : "s")"
}

private func joined(_ parts: [String]) -> String {
  guard let last = parts.last, parts.count > 1 else { return parts.first ?? "" }
  return parts.dropLast().joined(separator: ", ") + " and " + last
}

/// A number with a fixed count of digits after the point, without a locale; up to 15 digits in all.
private func decimal(_ value: Double, digits: Int) -> String {
  var factor = 1.0
  for _ in 0..<digits { factor *= 10 }
  let scaled = (value * factor).rounded()
  guard abs(scaled) < 1e15 else { return "\(value)" }
  let whole = Int64(abs(scaled))
  let unit = Int64(factor)
  let rest = String(whole % unit)
  let zeros = String(repeating: "0", count: max(0, digits - rest.count))
  return "\(scaled < 0 ? "-" : "")\(whole / unit).\(zeros)\(rest)"
}
