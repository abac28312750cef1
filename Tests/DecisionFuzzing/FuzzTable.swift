// SPDX-License-Identifier: Apache-2.0

import BurnInVerification

extension FuzzTally {
  /// The tally as a Markdown table, one row for each kind of picture.
  package var markdown: String {
    var lines = [
      "| drawn | claims | false | apart | right claims made |", "| --- | --- | --- | --- | --- |",
    ]
    for truth in Truth.allCases {
      let row = rows[truth, default: .init()]
      let right = row.judgements[.right, default: 0]
      lines.append(
        "| \(truth.title) | \(row.claims) | \(row.falseCount) | \(Self.apart(row)) | \(right) |")
    }
    lines.append("| **all** | \(claims) | \(falseCount) | \(apartCount) | \(rightCount) |")
    lines += ["", rightClaimsSentence, ""] + verdictLines
    return lines.joined(separator: "\n")
  }

  /// A second table: how often each verdict was given.
  private var verdictLines: [String] {
    let titles = SessionDecision.Verdict.titles
    let head = "| drawn | \(titles.joined(separator: " | ")) |"
    let rule = "|\(String(repeating: " --- |", count: titles.count + 1))"
    return [head, rule]
      + Truth.allCases.map { truth in
        let row = rows[truth, default: .init()]
        let shares = titles.map { Self.percent(row.verdicts[$0, default: 0], of: row.claims) }
        return "| \(truth.title) | \(shares.joined(separator: " | ")) |"
      }
  }

  package var apartCount: Int { rows.values.map(\.apartCount).reduce(0, +) }

  private var rightCount: Int {
    rows.values.map { $0.judgements[.right, default: 0] }.reduce(0, +)
  }

  /// The verdicts on claims of the one track really drawn, with their shares.
  private var rightClaimsSentence: String {
    let verdicts = rows[.one, default: .init()].rightClaims
    let all = verdicts.values.reduce(0, +)
    let parts = verdicts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { "\($0.key) \($0.value) (\(Self.percent($0.value, of: all)))" }
    return "Claims of the one track really drawn: \(all): \(parts.joined(separator: ", "))."
  }

  private static func apart(_ row: Row) -> String {
    let parts = Judgement.allCases.filter { $0.isApart && row.judgements[$0] != nil }
      .map { "\(row.judgements[$0, default: 0]) \($0.rawValue)" }
    return parts.isEmpty ? "0" : parts.joined(separator: " + ")
  }

  private static func percent(_ part: Int, of all: Int) -> String {
    guard all > 0 else { return "-" }
    let tenths = (1000 * part + all / 2) / all
    return "\(tenths / 10).\(tenths % 10) %"
  }
}
