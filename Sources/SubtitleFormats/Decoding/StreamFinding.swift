// SPDX-License-Identifier: Apache-2.0
package import SubtitleModel

/// How much a finding matters.
package enum FindingSeverity: String, Sendable, Hashable, Codable, Comparable {
  /// Worth knowing; every player copes.
  case note
  /// Against the rules, or repaired by a guess; players differ.
  case warning
  /// Something of the picture or its time is lost or made up.
  case error

  private var rank: Int { self == .note ? 0 : self == .warning ? 1 : 2 }

  /// Whether the left matters less.
  package static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }
}

/// A rule that a stream can break.
package struct FindingRule: Sendable, Hashable {
  /// A short stable name, such as `pgs.end-missing`.
  package var code: String
  /// How much a breach matters.
  package var severity: FindingSeverity
  /// Where the rule stands: document and clause, or what it was learnt from.
  package var source: String

  /// Makes a rule.
  package init(_ code: String, _ severity: FindingSeverity, _ source: String) {
    self.code = code
    self.severity = severity
    self.source = source
  }
}

/// Something that a reader noticed in a stream.
package struct StreamFinding: Error, Sendable, Hashable, CustomStringConvertible {
  /// The rule that is broken.
  package var rule: FindingRule
  /// The presentation time of the data, where known.
  package var time: Timestamp?
  /// Absolute offset of the first byte at fault, counted as the packets' offsets count.
  package var offset: Int64
  /// What was found and what was made of it, one sentence without a full stop.
  package var sentence: String

  /// Makes a finding.
  package init(_ rule: FindingRule, time: Timestamp?, offset: Int64, _ sentence: String) {
    self.rule = rule
    self.time = time
    self.offset = offset
    self.sentence = sentence
  }

  /// Severity, code, place and sentence on one line.
  package var description: String {
    let place = (time.map { "at \($0), " } ?? "") + "byte \(offset)"
    return "\(rule.severity.rawValue) [\(rule.code)] \(place): \(sentence)"
  }
}

/// What a reader does at a breach of the rules.
package enum Strictness: Sendable, Hashable {
  /// Repairs or passes over what is wrong, and notes it.
  case lenient
  /// Throws the first finding of severity error.
  case strict
}

/// The findings of one reader, bounded.
package struct FindingLog: Sendable, Hashable {
  /// Findings kept of one rule: a stream that breaks it each time says no more by a thousand lines.
  package static let limitPerRule = 50

  /// The findings kept, in the order they were made.
  package private(set) var findings: [StreamFinding] = []
  /// How often each rule was broken, kept or not.
  package private(set) var counts: [FindingRule: Int] = [:]

  /// Whether the first error is thrown.
  package var strictness: Strictness

  /// Makes an empty log.
  package init(_ strictness: Strictness = .lenient) { self.strictness = strictness }

  /// Notes a finding.
  ///
  /// - Throws: The finding itself, if it is an error and the log is strict.
  package mutating func note(_ finding: StreamFinding) throws(StreamFinding) {
    counts[finding.rule, default: 0] += 1
    if counts[finding.rule, default: 0] <= Self.limitPerRule { findings.append(finding) }
    if strictness == .strict, finding.rule.severity == .error { throw finding }
  }

  /// Takes all of another log.
  package mutating func absorb(_ other: FindingLog) {
    var room: [FindingRule: Int] = [:]
    for (rule, count) in other.counts {
      room[rule] = max(0, Self.limitPerRule - (counts[rule] ?? 0))
      counts[rule, default: 0] += count
    }
    for finding in other.findings where room[finding.rule, default: 0] > 0 {
      room[finding.rule, default: 0] -= 1
      findings.append(finding)
    }
  }

  /// How many findings have a severity, kept or not.
  package func count(of severity: FindingSeverity) -> Int {
    counts.reduce(0) { $0 + ($1.key.severity == severity ? $1.value : 0) }
  }
}
