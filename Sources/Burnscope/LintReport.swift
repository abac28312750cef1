// SPDX-License-Identifier: Apache-2.0
public import SubtitleModel

/// How much a finding of ``Lint`` matters.
public enum TrackFindingSeverity: String, Sendable, Hashable, CaseIterable {
  /// Worth knowing; every player copes.
  case note
  /// Against the rules, or repaired by a guess; players differ.
  case warning
  /// Something of the picture or its time is lost or made up.
  case error
}

/// Something that was noticed in a subtitle track.
public struct TrackFinding: Sendable, Hashable {
  /// How much it matters.
  public var severity: TrackFindingSeverity
  /// A short stable name of the rule, such as `pgs.end-missing`.
  public var code: String
  /// Where the rule stands, or what it was learnt from.
  public var source: String
  /// The time that it concerns, on the file's timeline; nil where it has none.
  public var time: Timestamp?
  /// The file that the offset counts in.
  public var file: String
  /// Absolute offset of the byte at fault, or of the packet around it; nil where it has none.
  public var offset: Int64?
  /// Bytes from the beginning of the unpacked packet, where the packet is packed or in parts.
  public var offsetInPacket: Int?
  /// What was found and what was made of it, one sentence.
  public var sentence: String
  /// Where two decoders' pictures differ.
  public var difference: CuePictureDifference?
}

/// How far the pictures of two decoders differ.
public struct CuePictureDifference: Sendable, Hashable {
  /// Pixels that differ.
  public var pixels: Int
  /// The smallest rectangle around them, in canvas pixels.
  public var box: PixelRect
  /// The largest difference of a component, 0 to 255.
  public var most: Int
  /// Why, as far as it can be told.
  public var cause: String?
}

/// What was noticed in one track.
public struct LintedTrack: Sendable {
  /// What the container says of the track.
  public var description: TrackDescription
  /// The packets that were read.
  public var packetCount: Int
  /// The findings, in order of their offsets; of one rule at most 50.
  public var findings: [TrackFinding]
  /// How often each rule was broken, listed or not.
  public var counts: [String: Int]
  /// The severity of each rule in `counts`.
  public var severities: [String: TrackFindingSeverity]
  /// How many pictures were compared with libavcodec's, how many are the same, and how many but for
  /// a rounding of colours; nil if none were.
  public var compared: (pictures: Int, same: Int, rounded: Int)?

  /// How many findings have a severity, listed or not.
  public func count(of severity: TrackFindingSeverity) -> Int {
    counts.reduce(0) { $0 + (severities[$1.key] == severity ? $1.value : 0) }
  }
}

/// What was noticed in one file.
public struct LintedFile: Sendable {
  /// The file.
  public var path: String
  /// FFmpeg's name of the container.
  public var container: String
  /// The bitmap tracks that were looked at.
  public var tracks: [LintedTrack]

  /// Whether anything of severity error was found.
  public var hasErrors: Bool { tracks.contains { $0.count(of: .error) > 0 } }
}

extension LintedFile {
  /// The findings as text, as docs/lint.md describes it.
  public var text: String {
    var lines: [String] = []
    for track in tracks {
      let words = [track.description.codec.rawValue, track.description.language].compactMap { $0 }
      let counts = TrackFindingSeverity.allCases.reversed().map { severity in
        let count = track.count(of: severity)
        return "\(count) \(severity.rawValue)\(count == 1 ? "" : "s")"
      }
      var head =
        "\(path): track \(track.description.streamIndex) (\(words.joined(separator: ", "))): "
        + counts.joined(separator: ", ")
      if let compared = track.compared {
        head +=
          "; of \(compared.pictures) pictures \(compared.same) as by libavcodec, "
          + "\(compared.rounded) but for rounding"
      }
      lines.append(head)
      lines += track.findings.map { "  " + $0.text(besides: path) }
      lines += track.unlisted.map { "  and \($0.count) more of \($0.code)" }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The value of JSON, as docs/lint.md describes it.
  var json: JSONValue {
    .object([
      "path": .string(path), "container": .string(container),
      "tracks": .array(tracks.map(\.json)),
    ])
  }
}

extension LintedTrack {
  /// The rules with more breaches than are listed.
  var unlisted: [(code: String, count: Int)] {
    var listed: [String: Int] = [:]
    for finding in findings { listed[finding.code, default: 0] += 1 }
    return counts.sorted { $0.key < $1.key }.compactMap { code, count in
      let rest = count - (listed[code] ?? 0)
      return rest > 0 ? (code, rest) : nil
    }
  }

  fileprivate var json: JSONValue {
    .object([
      "streamIndex": .integer(description.streamIndex),
      "subtitleOrdinal": .integer(description.subtitleOrdinal),
      "codec": .string(description.codec.rawValue), "language": .text(description.language),
      "title": .text(description.title), "packetCount": .integer(packetCount),
      "errorCount": .integer(count(of: .error)), "warningCount": .integer(count(of: .warning)),
      "noteCount": .integer(count(of: .note)), "findings": .array(findings.map(\.json)),
      "unlisted": .object(
        Dictionary(
          unlisted.map { ($0.code, .integer($0.count)) }, uniquingKeysWith: { first, _ in first })),
      "compared": compared.map {
        .object([
          "pictures": .integer($0.pictures), "same": .integer($0.same),
          "sameButForRounding": .integer($0.rounded),
        ])
      } ?? .null,
    ])
  }
}

extension TrackFinding {
  /// One line: severity, rule, place, sentence, source.
  fileprivate func text(besides path: String) -> String {
    var place: [String] = []
    if let time { place.append("\(time)") }
    if let offset { place.append("byte \(offset)") }
    if let offsetInPacket, offsetInPacket > 0 { place.append("+\(offsetInPacket) in the packet") }
    if file != path { place.append("of \(file)") }
    let position = place.isEmpty ? "" : " " + place.joined(separator: " ")
    return "\(severity.rawValue) [\(code)]\(position): \(sentence) (\(source))"
  }

  fileprivate var json: JSONValue {
    .object([
      "severity": .string(severity.rawValue), "code": .string(code), "source": .string(source),
      "timeSeconds": time.map { .seconds($0) } ?? .null, "file": .string(file),
      "offset": offset.map { .integer(Int($0)) } ?? .null,
      "offsetInPacket": offsetInPacket.map { .integer($0) } ?? .null,
      "sentence": .string(sentence), "difference": difference.map(\.json) ?? .null,
    ])
  }
}

extension CuePictureDifference {
  fileprivate var json: JSONValue {
    .object([
      "pixels": .integer(pixels), "most": .integer(most), "cause": .text(cause),
      "box": .object([
        "x": .integer(box.x), "y": .integer(box.y), "width": .integer(box.width),
        "height": .integer(box.height),
      ]),
    ])
  }
}
