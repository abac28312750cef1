// SPDX-License-Identifier: Apache-2.0
internal import SubtitleModel

/// Reads SubRip text: numbered blocks of a time line and lines of text, apart by empty lines.
///
/// Lenient in what harms nothing (missing or wrong numbers, spaces, a dot for the comma, short
/// fractions, cues out of order or overlapping: warnings), strict in what would lose text or time.
package enum SubRip {
  /// A text that was read.
  package struct Text: Sendable {
    /// The cues, in order of start.
    package var cues: [AuthoredCue]
    /// What was mended or left out, one sentence each with its line.
    package var warnings: [String]
  }

  private struct Block {
    var line: Int
    var start: Timestamp
    var end: Timestamp
    var lines: [Substring]
  }

  /// Reads a text.
  ///
  /// - Parameters:
  ///   - text: The whole text, without byte order mark; lines end with LF, CRLF or CR.
  ///   - file: The path, for messages.
  /// - Returns: Cues and warnings.
  /// - Throws: A fault that names file and line.
  package static func read(_ text: String, file: String) throws(AuthoringFault) -> Text {
    var result = Text(cues: [], warnings: [])
    for block in try blocks(of: text, file: file) {
      let styled = StyledText(markup: block.lines.joined(separator: "\n"))
      for dropped in styled.dropped {
        result.warnings.append("\(file), line \(block.line): '\(dropped)' is left out")
      }
      guard !styled.isBlank else {
        result.warnings.append("\(file), line \(block.line): a cue without text is left out")
        continue
      }
      result.cues.append(
        AuthoredCue(
          place: "\(file), cue \(result.cues.count + 1) (line \(block.line))", start: block.start,
          end: block.end, content: .text(styled)))
    }
    guard !result.cues.isEmpty else {
      throw AuthoringFault(.input, "\(file): the text has no cue")
    }
    arrange(&result)
    return result
  }

  /// Sorts the cues and ends each at the latest where the next begins.
  private static func arrange(_ text: inout Text) {
    let isSorted = zip(text.cues, text.cues.dropFirst()).allSatisfy { $0.start <= $1.start }
    if !isSorted {
      text.cues = text.cues.enumerated().sorted {
        ($0.element.start, $0.offset) < ($1.element.start, $1.offset)
      }.map(\.element)
      text.warnings.append("cues were out of order; they are sorted by start")
    }
    var kept: [AuthoredCue] = []
    for cue in text.cues {
      if let last = kept.last, let end = last.end, end > cue.start {
        if last.start == cue.start {
          text.warnings.append("\(last.place) is left out: the next begins at the same time")
          kept.removeLast()
        } else {
          text.warnings.append(
            "\(last.place) ends at \(cue.start) in place of \(end), where the next begins")
          kept[kept.count - 1].end = cue.start
        }
      }
      kept.append(cue)
    }
    text.cues = kept
  }

  private static func blocks(of text: String, file: String) throws(AuthoringFault) -> [Block] {
    let lines = text.split(omittingEmptySubsequences: false) { character in
      character == "\n" || character == "\r\n" || character == "\r"
    }
    var result: [Block] = []
    var isInBlock = false
    for (index, line) in lines.enumerated() {
      let trimmed = trim(line)
      if line.contains("-->") {
        let (start, end) = try times(trimmed, file: file, line: index + 1)
        // A number right before the time line belongs to this cue, not to the text above.
        if isInBlock, let last = result.last?.lines.last, isNumber(trim(last)) {
          result[result.count - 1].lines.removeLast()
        }
        result.append(Block(line: index + 1, start: start, end: end, lines: []))
        isInBlock = true
      } else if trimmed.isEmpty {
        isInBlock = false
      } else if isInBlock {
        result[result.count - 1].lines.append(line)
      } else if !isNumber(trimmed) {
        throw AuthoringFault(
          .input,
          "\(file), line \(index + 1): a cue's number or time line is expected, "
            + "not '\(trimmed.prefix(40))'")
      }
    }
    return result
  }

  private static func trim(_ line: Substring) -> Substring {
    var line = line.drop(while: \.isWhitespace)
    while line.last?.isWhitespace == true { line.removeLast() }
    return line
  }

  private static func isNumber(_ text: Substring) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { (48...57).contains($0) }
  }

  private static func times(
    _ line: Substring, file: String, line number: Int
  ) throws(AuthoringFault) -> (Timestamp, Timestamp) {
    let words = line.split(separator: " ", omittingEmptySubsequences: true)
    // Coordinates (X1:… Y1:…) may follow the end; they are of no use to any player.
    guard words.count >= 3, words[1] == "-->", let start = time(words[0]), let end = time(words[2])
    else {
      throw AuthoringFault(
        .input,
        "\(file), line \(number): '\(line)' is no time line such as "
          + "'00:00:01,000 --> 00:00:02,500'")
    }
    guard end > start else {
      throw AuthoringFault(.input, "\(file), line \(number): the end is not after the start")
    }
    return (start, end)
  }

  private static func time(_ word: Substring) -> Timestamp? {
    guard word.split(separator: ":").count == 3 else { return nil }
    guard let time = Timestamp(String(word.map { $0 == "," ? "." : $0 })),
      AuthoredCue.times.contains(time)
    else { return nil }
    return time
  }
}
