// SPDX-License-Identifier: Apache-2.0
import BurnInNegotiation
import SubtitleFormats
import SubtitleModel

/// A JSON document in the making; the keys of objects are written in alphabetical order.
enum JSONValue {
  case null
  case bool(Bool)
  case integer(Int)
  /// Seconds with as many decimals as needed, from whole nanoseconds.
  case seconds(Timestamp)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  static func text(_ string: String?) -> JSONValue { string.map { .string($0) } ?? .null }

  static func size(_ canvas: Canvas?) -> JSONValue {
    guard let canvas else { return .null }
    return .object(["width": .integer(canvas.width), "height": .integer(canvas.height)])
  }

  /// The document, indented by two spaces a level.
  func text(depth: Int = 0) -> String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .integer(let value): "\(value)"
    case .seconds(let time): Self.decimal(time.nanoseconds)
    case .string(let text): Self.quoted(text)
    case .array(let values):
      Self.nested("[", values.map { $0.text(depth: depth + 1) }, "]", depth)
    case .object(let members):
      Self.nested(
        "{",
        members.sorted { $0.key < $1.key }.map {
          "\(Self.quoted($0.key)): \($0.value.text(depth: depth + 1))"
        }, "}", depth)
    }
  }

  /// The document on one line.
  var line: String {
    switch self {
    case .array(let values): "[" + values.map(\.line).joined(separator: ",") + "]"
    case .object(let members):
      "{"
        + members.sorted { $0.key < $1.key }.map { "\(Self.quoted($0.key)):\($0.value.line)" }
        .joined(separator: ",") + "}"
    default: text()
    }
  }

  private static func nested(
    _ open: String, _ parts: [String], _ close: String, _ depth: Int
  ) -> String {
    guard !parts.isEmpty else { return open + close }
    let indent = String(repeating: "  ", count: depth)
    return open + "\n" + parts.map { "\(indent)  \($0)" }.joined(separator: ",\n")
      + "\n\(indent)\(close)"
  }

  private static func decimal(_ nanoseconds: Int64) -> String {
    let magnitude = nanoseconds.magnitude
    var digits = String(magnitude % 1_000_000_000)
    digits = String(repeating: "0", count: 9 - digits.count) + digits
    while digits.count > 1, digits.last == "0" { digits.removeLast() }
    return (nanoseconds < 0 ? "-" : "") + "\(magnitude / 1_000_000_000).\(digits)"
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      default:
        if scalar.value < 0x20 || scalar.value == 0x7F {
          let digits = String(scalar.value, radix: 16)
          result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        } else {
          result.unicodeScalars.append(scalar)
        }
      }
    }
    return result + "\""
  }
}

extension Probe {
  /// The files as one JSON document, as docs/probe.md describes it, with a newline at its end.
  public static func json(_ files: [ProbedFile]) -> String {
    let document = JSONValue.object(["files": .array(files.map(json))])
    return document.text() + "\n"
  }

  private static func json(_ file: ProbedFile) -> JSONValue {
    .object([
      "path": .string(file.path), "container": .string(file.container),
      "durationSeconds": file.duration.map { .seconds($0) } ?? .null,
      "video": file.video.map(json) ?? .null,
      "subtitles": .array(file.subtitles.map { json($0, file.serverOrder) }),
      "serverOrder": file.serverOrder.map(json) ?? .null, "damaged": .bool(file.isDamaged),
      "notes": .array(file.notes.map { .string($0) }),
    ])
  }

  private static func json(_ video: VideoDescription) -> JSONValue {
    .object([
      "streamIndex": .integer(video.streamIndex), "codecName": .string(video.codecName),
      "width": .integer(video.width), "height": .integer(video.height),
      "sampleAspect": .array([
        .integer(video.sampleAspectNumerator), .integer(video.sampleAspectDenominator),
      ]),
      "frameRate": video.frameRateNumerator > 0
        ? .array([.integer(video.frameRateNumerator), .integer(video.frameRateDenominator)])
        : .null,
      "colorMatrix": .text(video.colorMatrix),
    ])
  }

  private static func json(_ order: ServerOrder) -> JSONValue {
    .object([
      "server": .string(order.kind.rawValue),
      "files": .array(
        order.sideTracks.map { track in
          .object([
            "path": .string(track.path), "streamIndex": .integer(track.stream),
            "codec": .string(track.codec), "serverIndex": .integer(track.serverIndex),
          ])
        }),
    ])
  }

  private static func json(_ track: ProbedTrack, _ order: ServerOrder?) -> JSONValue {
    let description = track.description
    func cue(_ cue: CountedCue?) -> JSONValue {
      guard let cue else { return .null }
      return .object([
        "startSeconds": .seconds(cue.start), "endSeconds": .seconds(cue.end),
        "isForced": .bool(cue.isForced),
      ])
    }
    return .object([
      "streamIndex": .integer(description.streamIndex),
      "serverIndex": order?.indices[description.streamIndex].map { .integer($0) } ?? .null,
      "subtitleOrdinal": .integer(description.subtitleOrdinal),
      "specifier": .string(track.specifier), "codec": .string(description.codec.rawValue),
      "codecName": .string(description.codecName), "language": .text(description.language),
      "languageTag": .text(track.languageTag), "title": .text(description.title),
      "flags": .array(description.flags.names.map { .string($0) }),
      "isBitmap": .bool(description.codec.isBitmap), "canvas": .size(track.canvas),
      "cueCount": track.count.map { .integer($0.cueCount) } ?? .null,
      "forcedCueCount": track.count.map { .integer($0.forcedCueCount) } ?? .null,
      "firstCue": cue(track.count?.firstCue), "lastCue": cue(track.count?.lastCue),
      "notes": .array(track.notes.map { .string($0) }),
    ])
  }
}
