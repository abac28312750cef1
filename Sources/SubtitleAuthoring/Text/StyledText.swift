// SPDX-License-Identifier: Apache-2.0

/// A text with the little styling that subtitles in SubRip form have.
package struct StyledText: Sendable, Hashable {
  /// A styling that a run has or has not.
  package struct Style: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    /// The slanted style of `<i>`.
    package static let italic = Style(rawValue: 1)
    /// The heavy style of `<b>`.
    package static let bold = Style(rawValue: 2)
    /// The underlined style of `<u>`.
    package static let underlined = Style(rawValue: 4)
  }

  /// Characters of one style.
  package struct Run: Sendable, Hashable {
    /// The characters; lines end with `\n`.
    package var text: String
    /// Their style.
    package var style: Style

    /// Makes a run.
    package init(text: String, style: Style) {
      self.text = text
      self.style = style
    }
  }

  /// The runs, in order.
  package var runs: [Run] = []
  /// The place on the canvas, as the digits of a number pad lie: 2 is bottom centre, 8 top centre.
  package var alignment = 2
  /// What was left out, such as `<font>`, in order.
  package var dropped: [String] = []

  /// Whether there is nothing to draw.
  package var isBlank: Bool { runs.allSatisfy { $0.text.allSatisfy(\.isWhitespace) } }

  /// Reads a text in SubRip form.
  ///
  /// `<i>`, `<b>` and `<u>` and their ends set the style; `{\an1}` to `{\an9}` the place. `<font …>`
  /// and other `{\…}` are left out and listed in ``dropped``. Whatever else is a character.
  package init(markup: String) {
    var rest = markup[...]
    var style: Style = []
    var text = ""
    func flush(_ runs: inout [Run]) {
      if !text.isEmpty { runs.append(Run(text: text, style: style)) }
      text = ""
    }
    while let character = rest.first {
      if character == "<", let end = rest.firstIndex(of: ">"),
        let change = Self.tag(rest[rest.index(after: rest.startIndex)..<end])
      {
        flush(&runs)
        switch change {
        case .begin(let new): style.insert(new)
        case .end(let old): style.remove(old)
        case .drop: dropped.append(String(rest[...end]))
        }
        rest = rest[rest.index(after: end)...]
      } else if rest.hasPrefix("{\\"), let end = rest.firstIndex(of: "}") {
        let body = rest.dropFirst(2)[..<end]
        if body.hasPrefix("an"), let digit = Int(body.dropFirst(2)), (1...9).contains(digit) {
          alignment = digit
        } else {
          dropped.append(String(rest[...end]))
        }
        rest = rest[rest.index(after: end)...]
      } else {
        text.append(character == "\r\n" ? "\n" : character)
        rest.removeFirst()
      }
    }
    flush(&runs)
  }

  private enum Change {
    case begin(Style)
    case end(Style)
    case drop
  }

  /// The meaning of what stands between `<` and `>`; nil if it is no tag.
  private static func tag(_ body: Substring) -> Change? {
    let name = body.lowercased()
    let styles: [String: Style] = ["i": .italic, "b": .bold, "u": .underlined]
    if let style = styles[name] { return .begin(style) }
    if name.hasPrefix("/"), let style = styles[String(name.dropFirst())] { return .end(style) }
    if name == "/font" || name.hasPrefix("font ") { return .drop }
    return nil
  }
}
