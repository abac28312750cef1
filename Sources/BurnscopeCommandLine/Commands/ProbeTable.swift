// SPDX-License-Identifier: Apache-2.0
internal import BurnInNegotiation
internal import Burnscope
internal import SubtitleModel

/// The text form of a probe: a line for the file, one for its video, a table of tracks, details, notes.
enum ProbeTable {
  /// The text of one file, each line with its newline.
  ///
  /// - Parameters:
  ///   - file: What was found.
  ///   - details: Whether what the tracks' headers say is told too.
  /// - Returns: The lines.
  static func text(_ file: ProbedFile, details: Bool) -> String {
    var lines = [head(file)]
    if let video = file.video { lines.append("  video \(describe(video))") }
    if file.subtitles.isEmpty {
      lines.append("  no subtitle tracks")
    } else {
      lines += table(file.subtitles, file.serverOrder).map { "  \($0)" }
    }
    for track in file.serverOrder?.sideTracks ?? [] {
      lines.append(
        "  \(track.serverIndex): \(track.path), stream \(track.stream), \(track.codec), beside the film"
      )
    }
    if details { lines += file.subtitles.flatMap(ProbeDetails.lines).map { "  \($0)" } }
    for track in file.subtitles {
      lines += track.notes.map { "  note: stream \(track.description.streamIndex): \($0)" }
    }
    lines += file.notes.map { "  note: \($0)" }
    return lines.map { "\(clean($0))\n" }.joined()
  }

  private static func head(_ file: ProbedFile) -> String {
    let length = file.duration.map { ", \($0)" } ?? ""
    return "\(file.path): \(file.container)\(length)"
  }

  private static func describe(_ video: VideoDescription) -> String {
    var parts = ["\(video.streamIndex): \(video.codecName)", "\(video.width)x\(video.height)"]
    if video.sampleAspectNumerator != video.sampleAspectDenominator {
      parts.append("samples \(video.sampleAspectNumerator):\(video.sampleAspectDenominator)")
    }
    if let rate = video.frameRate {
      let thousandths = Int((rate * 1000).rounded())
      var text = "\(thousandths / 1000)"
      if thousandths % 1000 != 0 {
        var decimals = String(1000 + thousandths % 1000).dropFirst()
        while decimals.last == "0" { decimals.removeLast() }
        text += ".\(decimals)"
      }
      parts.append("\(text) frames/s")
    }
    if let matrix = video.colorMatrix { parts.append(matrix) }
    return parts.joined(separator: ", ")
  }

  private static let titles = [
    "stream", "ffmpeg", "codec", "lang", "canvas", "cues", "forced", "first", "last", "flags",
    "title",
  ]

  private static func table(_ tracks: [ProbedTrack], _ order: ServerOrder?) -> [String] {
    var titles = titles
    var rows = tracks.map(row)
    // The server's index stands last but for the title, which may be long.
    if let order {
      titles.insert(order.kind.rawValue, at: titles.count - 1)
      for place in rows.indices {
        let index = order.indices[tracks[place].description.streamIndex]
        rows[place].insert(index.map { "\($0)" } ?? "-", at: rows[place].count - 1)
      }
    }
    rows = [titles] + rows
    let widths = titles.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      var line = ""
      for (column, cell) in row.enumerated() {
        let padding = String(repeating: " ", count: widths[column] - cell.count)
        // Numbers stand right, words left.
        line += ([0, 5, 6].contains(column) ? padding + cell : cell + padding) + "  "
      }
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
  }

  private static func row(_ track: ProbedTrack) -> [String] {
    let description = track.description
    return [
      "\(description.streamIndex)", track.specifier, description.codec.rawValue,
      track.languageTag ?? description.language ?? "-", track.canvas.map { "\($0)" } ?? "-",
      track.cueCount.map { "\($0)" } ?? "-", track.forcedCueCount.map { "\($0)" } ?? "-",
      track.firstStart.map { "\($0)" } ?? "-", track.lastEnd.map { "\($0)" } ?? "-",
      description.flags.isEmpty ? "-" : description.flags.names.joined(separator: ","),
      clean(description.title ?? ""),
    ]
  }

  /// Text of a file without control characters, which a terminal would obey.
  private static func clean(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
  }
}
