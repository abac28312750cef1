// SPDX-License-Identifier: Apache-2.0
public import BurnInVerification

/// One cue that was looked at, with its pictures as PNG files.
public struct ReportedCue: Sendable {
  /// The cue's number in its track, from 0.
  public var index: Int
  /// When the frame is shown, as text.
  public var time: String
  /// Whether the cue passed.
  public var passed: Bool
  /// What should be on screen.
  public var expected: [UInt8]
  /// What is on screen.
  public var frame: [UInt8]
  /// How far they differ.
  public var difference: [UInt8]

  /// Makes a cue of its parts.
  public init(
    index: Int, time: String, passed: Bool, expected: [UInt8], frame: [UInt8], difference: [UInt8]
  ) {
    self.index = index
    self.time = time
    self.passed = passed
    self.expected = expected
    self.frame = frame
    self.difference = difference
  }
}

/// A verification as one HTML file that needs no other: pictures are in it.
public enum HTMLReport {
  /// The page.
  ///
  /// - Parameters:
  ///   - result: The verdict and all it rests on.
  ///   - tracks: A line of text for each track, by the name it has in the result.
  ///   - cues: The cues looked at, in order of time.
  /// - Returns: The text of the file, in UTF-8.
  public static func page(
    _ result: VerificationResult, tracks: [(name: String, label: String)], cues: [ReportedCue]
  ) -> String {
    let color = result.verdict == .burnedIn ? "#17693a" : "#9c2b1f"
    return """
      <!doctype html>
      <html lang="en"><head><meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(escape(result.verdict.rawValue)): \(escape(result.asked))</title>
      <style>
      body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 76rem; padding: 0 1rem }
      h1 { color: \(color); margin-bottom: .2em }
      table { border-collapse: collapse; margin: 1em 0 }
      td, th { border: 1px solid #bbb; padding: .25em .6em; text-align: left; vertical-align: top }
      figure { margin: 0 } figcaption { color: #555; font-size: 13px }
      .cue { display: grid; grid-template-columns: repeat(3, 1fr); gap: .6em; margin: .4em 0 1.6em }
      .cue img { width: 100%; height: auto; image-rendering: auto }
      .missed { color: #9c2b1f }
      </style></head><body>
      <h1>\(escape(headline(result)))</h1>
      <p>\(escape(result.reason)).</p>
      \(facts(result))
      \(trackTable(result, tracks))
      <h2>Cues looked at</h2>
      \(cues.map(figure).joined(separator: "\n"))
      </body></html>

      """
  }

  private static func headline(_ result: VerificationResult) -> String {
    result.verdict.rawValue.split(separator: "-").joined(separator: " ")
  }

  private static func facts(_ result: VerificationResult) -> String {
    var rows = [
      ("Asked", result.asked),
      ("Drawn", result.drawn.isEmpty ? "none" : result.drawn.joined(separator: ", ")),
      ("Compared with", result.mode == .source ? "the source's own frames" : "nothing (blind)"),
      ("Layout", result.layout ?? "not found"),
      (
        "Cues",
        "\(result.cues.used) looks; \(result.cues.passed) passed, \(result.cues.failed) failed, "
          + "\(result.cues.void) void"
      ),
    ]
    if !result.flags.isEmpty {
      rows.append(("Flags", result.flags.map(\.rawValue).joined(separator: ", ")))
    }
    if let place = result.calibration {
      rows.append(
        (
          "Place",
          "\(place.dx) px right, \(place.dy) px down, scale \(place.scale), \(place.kernel) kernel"
        ))
    }
    if let fetch = result.fetch {
      rows.append(
        (
          "Fetched",
          "\(fetch.segments) segments in \(fetch.windows) windows, \(fetch.bytes) bytes, "
            + "\(fetch.requests) requests"
        ))
    }
    rows += result.notes.map { ("Note", $0) }
    let cells = rows.map { "<tr><th>\(escape($0.0))</th><td>\(escape($0.1))</td></tr>" }
    return "<table>\(cells.joined())</table>"
  }

  private static func trackTable(
    _ result: VerificationResult, _ tracks: [(name: String, label: String)]
  ) -> String {
    let rivals = Dictionary(
      result.rivals.map { ($0.track, $0) }, uniquingKeysWith: { first, _ in first })
    let rows = tracks.map { track in
      let rival = rivals[track.name]
      let standing =
        track.name == result.asked
        ? "asked" : rival?.relation.rawValue.split(separator: "-").joined(separator: " ") ?? ""
      let evidence = rival.map { "\($0.evidence)" } ?? ""
      return "<tr><td>\(escape(track.name))</td><td>\(escape(track.label))</td>"
        + "<td>\(escape(standing))</td><td>\(evidence)</td></tr>"
    }
    return "<table><tr><th>Track</th><th>What it is</th><th>Standing</th>"
      + "<th>Evidence against it</th></tr>\(rows.joined())</table>"
  }

  private static func figure(_ cue: ReportedCue) -> String {
    func picture(_ bytes: [UInt8], _ caption: String) -> String {
      "<figure><img alt=\"\(caption)\" src=\"data:image/png;base64,\(base64(bytes))\">"
        + "<figcaption>\(caption)</figcaption></figure>"
    }
    let verdict = cue.passed ? "seen" : "<span class=\"missed\">not seen</span>"
    return "<h3>Cue \(cue.index + 1) at \(escape(cue.time)): \(verdict)</h3><div class=\"cue\">"
      + picture(cue.expected, "expected") + picture(cue.frame, "on screen")
      + picture(cue.difference, "difference, four times as strong") + "</div>"
  }

  /// Text for HTML, in element and attribute.
  package static func escape(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.append(character)
      }
    }
    return result
  }

  /// Bytes in base 64 (RFC 4648, section 4), with padding.
  package static func base64(_ bytes: [UInt8]) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var result: [UInt8] = []
    result.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let count = min(3, bytes.count - start)
      var group = 0
      for offset in 0..<3 {
        group = group << 8 | (offset < count ? Int(bytes[start + offset]) : 0)
      }
      for digit in 0..<4 {
        result.append(digit <= count ? alphabet[group >> (18 - 6 * digit) & 63] : 61)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
