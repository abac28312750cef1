// SPDX-License-Identifier: Apache-2.0
import BurnInNegotiation
import SubtitleFormats
import SubtitleModel

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
      "decoder": .string(file.decoder.rawValue),
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
    let members: [String: JSONValue] = [
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
    ]
    return .object(members.merging(survey(of: track)) { own, _ in own })
  }
}
