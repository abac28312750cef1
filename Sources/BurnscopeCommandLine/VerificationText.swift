// SPDX-License-Identifier: Apache-2.0
internal import BurnInVerification
internal import Burnscope
internal import FoundationEssentials
internal import SubtitleModel

/// A verification's result for people and for programs.
enum VerificationText {
  /// The result as lines of text; the last begins with the verdict.
  static func text(_ report: VerificationReport) -> String {
    let result = report.result
    var lines: [String] = []
    for track in report.tracks {
      var line = "  \(track.name)  \(track.label), \(track.cueCount) cues"
      if let index = track.serverIndex { line += ", server stream \(index)" }
      if track.name == result.asked { line += "  <- asked" }
      lines.append(line)
    }
    lines.append("")
    lines.append(
      "cues      of the asked track \(result.cues.passed) passed, \(result.cues.failed) failed, "
        + "\(result.cues.void) void (nothing could be seen); \(result.cues.used) looks at all tracks"
    )
    lines.append("compared  \(result.mode == .source ? "with the source's own frames" : "blind")")
    lines.append("layout    \(result.layout ?? "not found")")
    if let place = result.calibration {
      lines.append(
        "place     \(place.dx) px right, \(place.dy) px down of the layout's, scale \(place.scale)")
    }
    // Once another track is seen instead, nothing was asked of the others.
    let wereAsked = result.verdict != .wrongTrack && result.verdict != .notBurned
    for rival in wereAsked ? result.rivals : [] {
      lines.append(
        "rival     \(rival.track): \(words(rival.relation.rawValue)) (\(rival.cuesTelling) cues tell,"
          + " \(rival.cuesSeenMissing) seen missing)")
    }
    if let fetch = result.fetch {
      lines.append(
        "fetched   \(fetch.segments) segments in \(fetch.windows) windows, \(fetch.bytes) bytes")
    }
    lines += result.notes.map { "note      \($0)" }
    lines.append("")
    let flags = result.flags.map(\.rawValue).joined(separator: ", ")
    let verdict = words(result.verdict.rawValue)
    // Some reasons begin with the verdict already.
    let reason =
      result.reason.hasPrefix(verdict + ": ")
      ? String(result.reason.dropFirst(verdict.count + 2)) : result.reason
    lines.append(
      "\(verdict)\(flags.isEmpty ? "" : " (\(flags))"): " + labelled(reason, report.tracks))
    return lines.joined(separator: "\n") + "\n"
  }

  private static func words(_ name: String) -> String {
    name.split(separator: "-").joined(separator: " ")
  }

  /// A sentence with a few words about each track that it names.
  private static func labelled(_ sentence: String, _ tracks: [VerifiedTrack]) -> String {
    var rest = sentence[...]
    var result = ""
    while let start = rest.firstRange(of: "track ")?.upperBound {
      let name = rest[start...].prefix { $0.isNumber || $0 == ":" || $0 == "s" }
      let trimmed = name.last == ":" ? name.dropLast() : name
      result += rest[..<trimmed.endIndex]
      if let track = tracks.first(where: { $0.name == trimmed }) { result += " (\(track.label))" }
      rest = rest[trimmed.endIndex...]
    }
    return result + rest
  }

  /// The result as one JSON object with sorted keys; docs/verify.md describes it.
  static func json(_ report: VerificationReport) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(JSONReport(report: report)), as: UTF8.self) + "\n"
  }
}

/// The JSON form: the result's own members, and what the film and the stream are.
private struct JSONReport: Encodable {
  let report: VerificationReport

  private enum Key: String, CodingKey { case layout, tracks, stream, exitCode }

  private struct Track: Encodable {
    var name: String
    var streamIndex: Int
    var codec: String
    var language: String?
    var title: String?
    var flags: [String]
    var cueCount: Int
    var serverIndex: Int?
  }

  func encode(to encoder: any Encoder) throws {
    try report.result.encode(to: encoder)
    var members = encoder.container(keyedBy: Key.self)
    // Always there, null where no layout fits.
    try members.encode(report.result.layout, forKey: .layout)
    try members.encode(report.stream, forKey: .stream)
    try members.encode(report.result.verdict.exitCode, forKey: .exitCode)
    try members.encode(
      report.tracks.map { track in
        Track(
          name: track.name, streamIndex: track.description.streamIndex,
          codec: track.description.codec.rawValue, language: track.description.language,
          title: track.description.title, flags: track.description.flags.names,
          cueCount: track.cueCount, serverIndex: track.serverIndex)
      }, forKey: .tracks)
  }
}
