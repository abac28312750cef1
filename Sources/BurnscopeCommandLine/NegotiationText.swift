// SPDX-License-Identifier: Apache-2.0
internal import BurnInNegotiation
internal import Burnscope
internal import FoundationEssentials
internal import MediaServer

/// A negotiation's result for people and for programs.
///
/// Of a server's answer only numbers and short words are shown: a URL holds a token.
enum NegotiationText {
  /// The result as lines of text; the last begins with the outcome.
  static func text(_ report: NegotiationReport, showsRequests: Bool) -> String {
    var lines: [String] = []
    if let server = report.server {
      lines.append(
        "server    \(server.isEmby ? "Emby" : word(server.productName ?? "")) \(word(server.version))"
      )
    }
    for stream in report.streams where stream.type == .subtitle {
      lines.append("  " + row(stream) + (stream.index == report.track ? "  <- asked" : ""))
    }
    if let auto = report.auto { lines += self.auto(auto) }
    if let first = report.first { lines.append("first     " + words(of: first, track: nil)) }
    if let second = report.second {
      lines.append("second    " + words(of: second, track: report.track))
    }
    for finding in report.lint {
      lines.append("\(finding.weight.rawValue.padded(to: 10))\(finding) [\(finding.source)]")
    }
    if showsRequests {
      for (number, body) in report.bodies.enumerated() {
        lines.append("request \(number + 1) POST /Items/…/PlaybackInfo \(body.json)")
      }
    }
    let summary = report.summary
    lines.append("requests  " + summary.requests.map { "\($0)" }.joined(separator: ", "))
    lines.append("plays     " + (summary.plays.map { "the \($0) answer" } ?? "nothing"))
    lines.append("")
    lines.append("\(summary.outcome): \(summary.reason)")
    return lines.joined(separator: "\n") + "\n"
  }

  private static func row(_ stream: SourceStream) -> String {
    let index = stream.index.map { "\($0)" } ?? "?"
    var words = [index.padded(to: 3), word(stream.codec ?? "?"), word(stream.language ?? "und")]
    if stream.isForced { words.append("forced") }
    if stream.isHearingImpaired { words.append("hearing-impaired") }
    if stream.isExternal { words.append("external") }
    if !stream.isBitmapSubtitle { words.append("(no bitmap)") }
    if let title = stream.title, !title.isEmpty { words.append("\"\(shortened(title))\"") }
    return words.joined(separator: "  ")
  }

  private static func auto(_ choice: AutomaticChoice) -> [String] {
    let what =
      switch choice.decision.verdict {
      case .noChange: "leaves the subtitles as they are"
      case .disable: "switches subtitles off"
      case .select:
        choice.row.map { row in
          "chooses \(row.isBurnInRow ? "the burn-in of " : "")stream \(row.sourceIndex ?? row.id)"
        } ?? "chooses a row that is not listed"
      }
    var lines = ["auto      \(what): \(choice.decision.reason.sentence)"]
    if choice.videoCopyOnly {
      lines.append("          Burn-in rows were left out: the server only repackages the video.")
    }
    return lines
  }

  /// An answer in a line.
  private static func words(of answer: PlaybackAnswer, track: Int?) -> String {
    if answer.errorCode != nil { return "an error code" }
    guard let source = answer.source else { return "no media source" }
    var parts: [String] = []
    if source.supportsDirectPlay { parts.append("direct play") }
    if let url = source.transcodingURL {
      let query = StreamQuery(url: url)
      parts.append("transcode" + (source.transcodingSubProtocol.map { " (\(word($0)))" } ?? ""))
      for name in ["SubtitleStreamIndex", "SubtitleMethod"] {
        let values = query.values(name)
        parts.append("\(name) \(values.isEmpty ? "-" : values.map(word).joined(separator: ", "))")
      }
      let reasons = BurnIn.transcodeReasons(transcodingURL: url)
      if !reasons.isEmpty { parts.append(reasons.prefix(8).map(word).joined(separator: "+")) }
    } else if !source.supportsDirectPlay {
      parts.append("nothing to play")
    }
    if let track, let method = source.stream(track)?.deliveryMethod {
      parts.append("DeliveryMethod \(word(method))")
    }
    return parts.joined(separator: "; ")
  }

  /// A title on one line and of a bearable length.
  private static func shortened(_ title: String) -> String {
    title.onOneLine.count > 60 ? String(title.onOneLine.prefix(59)) + "…" : title.onOneLine
  }

  /// A server's word cut to letters, digits and a few signs, and to a bearable length.
  private static func word(_ text: String) -> String {
    let kept = text.filter { character in
      character.isASCII && (character.isLetter || character.isNumber || " .-_".contains(character))
    }
    return String(kept.prefix(40))
  }

  /// The result as one JSON object with sorted keys; docs/negotiate.md describes it.
  static func json(_ report: NegotiationReport, showsRequests: Bool) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    let document = Document(report, showsRequests: showsRequests)
    return String(decoding: try encoder.encode(document), as: UTF8.self) + "\n"
  }

  private struct Document: Encodable {
    struct Finding: Encodable {
      var code: String
      var weight: String
      var sentence: String
      var source: String
    }
    struct Stream: Encodable {
      var index: Int?
      var codec: String?
      var language: String?
      var title: String?
      var isBitmap: Bool
      var isForced: Bool
      var isHearingImpaired: Bool
      var isExternal: Bool
      var deliveryMethod: String?
    }
    struct Auto: Encodable {
      var verdict: String
      var stream: Int?
      var burnIn: Bool
      var reason: String
      var sentence: String
      var videoCopyOnly: Bool
    }
    struct Server: Encodable {
      var kind: String
      var version: String
    }

    var report: NegotiationReport
    var showsRequests: Bool

    init(_ report: NegotiationReport, showsRequests: Bool) {
      self.report = report
      self.showsRequests = showsRequests
    }

    private enum Key: String, CodingKey {
      case outcome, burned, requests, plays, reason, lint, track, streams, auto, server, bodies
    }

    func encode(to encoder: any Encoder) throws {
      var members = encoder.container(keyedBy: Key.self)
      let summary = report.summary
      try members.encode(summary.outcome, forKey: .outcome)
      // Always there, null where there is none.
      try members.encode(summary.burned, forKey: .burned)
      try members.encode(summary.requests, forKey: .requests)
      try members.encode(summary.plays, forKey: .plays)
      try members.encode(summary.reason, forKey: .reason)
      try members.encode(
        report.lint.map {
          Finding(
            code: $0.code.rawValue, weight: $0.weight.rawValue, sentence: $0.sentence,
            source: $0.source)
        }, forKey: .lint)
      try members.encode(report.track, forKey: .track)
      try members.encode(streams, forKey: .streams)
      try members.encodeIfPresent(report.auto.map(auto), forKey: .auto)
      try members.encodeIfPresent(
        report.server.map {
          Server(kind: $0.kind?.rawValue ?? "", version: word($0.version))
        }, forKey: .server)
      if showsRequests {
        try members.encode(
          report.bodies.map { Body(value: $0.json) }, forKey: .bodies)
      }
    }

    private var streams: [Stream] {
      let final = report.second?.source ?? report.first?.source
      return report.streams.filter { $0.type == .subtitle }.map { stream in
        let answered = stream.index.flatMap { final?.stream($0)?.deliveryMethod }
        return Stream(
          index: stream.index, codec: stream.codec.map(word), language: stream.language.map(word),
          title: stream.title.map(shortened),
          isBitmap: stream.isBitmapSubtitle, isForced: stream.isForced,
          isHearingImpaired: stream.isHearingImpaired, isExternal: stream.isExternal,
          deliveryMethod: answered.map(word))
      }
    }

    private func auto(_ choice: AutomaticChoice) -> Auto {
      let verdict =
        switch choice.decision.verdict {
        case .noChange: "no-change"
        case .disable: "disable"
        case .select: "select"
        }
      return Auto(
        verdict: verdict, stream: choice.row.map { $0.sourceIndex ?? $0.id },
        burnIn: choice.row?.isBurnInRow ?? false, reason: choice.decision.reason.rawValue,
        sentence: choice.decision.reason.sentence, videoCopyOnly: choice.videoCopyOnly)
    }
  }

  /// A value of the core as JSON.
  private struct Body: Encodable {
    var value: WireValue

    private struct Name: CodingKey {
      var stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }

    func encode(to encoder: any Encoder) throws {
      switch value {
      case .array(let values):
        var list = encoder.unkeyedContainer()
        for value in values { try list.encode(Body(value: value)) }
      case .object(let members):
        var object = encoder.container(keyedBy: Name.self)
        for member in members {
          try object.encode(Body(value: member.value), forKey: Name(stringValue: member.name))
        }
      default:
        var single = encoder.singleValueContainer()
        switch value {
        case .bool(let truth): try single.encode(truth)
        case .string(let text): try single.encode(text)
        case .number(let digits):
          if let whole = Int64(digits) {
            try single.encode(whole)
          } else {
            try single.encode(Double(digits) ?? 0)
          }
        default: try single.encodeNil()
        }
      }
    }
  }
}

extension String {
  /// The text with blanks behind it.
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(1, width - count))
  }
}
