// SPDX-License-Identifier: Apache-2.0
internal import SubtitleModel

/// Writes the script that libass draws one text from.
struct TextScript {
  /// The size that texts are laid out for.
  let canvas: Canvas
  /// The font's family.
  let family: String

  /// Height of a line as a part of the canvas's, as discs have it.
  private static let lineHeight = 0.055
  /// Distance from the canvas's edges.
  private static let margin = 0.05
  /// The text's white, `&HAABBGGRR`: 235, as discs have it, not the whitest.
  private static let fill = "&H00EBEBEB"

  /// A script with the text shown from 0 to 10 s.
  func script(of text: StyledText) -> String {
    let height = Double(canvas.height)
    let size = max(8, Int((height * Self.lineHeight).rounded()))
    let outline = max(1.5, height * 0.003)
    let vertical = Int((height * Self.margin).rounded())
    let horizontal = Int((Double(canvas.width) * Self.margin).rounded())
    let style = [
      "Text", family, "\(size)", Self.fill, Self.fill, "&H00000000", "&H00000000", "0", "0", "0",
      "0", "100", "100", "0", "0", "1", "\(outline)", "0", "\(text.alignment)", "\(horizontal)",
      "\(horizontal)", "\(vertical)", "-1",
    ].joined(separator: ",")
    return """
      [Script Info]
      ScriptType: v4.00+
      PlayResX: \(canvas.width)
      PlayResY: \(canvas.height)
      ScaledBorderAndShadow: yes
      WrapStyle: 0
      [V4+ Styles]
      Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, \
      Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, \
      Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
      Style: \(style)
      [Events]
      Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
      Dialogue: 0,0:00:00.00,0:00:10.00,Text,,0,0,0,,\(Self.body(of: text))

      """
  }

  /// The runs with their styles as overrides; what the user wrote is never taken for one.
  static func body(of text: StyledText) -> String {
    var result = ""
    var style: StyledText.Style = []
    for run in text.runs {
      if run.style != style {
        let bits: [(StyledText.Style, String)] = [(.italic, "i"), (.bold, "b"), (.underlined, "u")]
        let changes = bits.filter { style.contains($0.0) != run.style.contains($0.0) }
        result += "{"
        result += changes.map { "\\\($0.1)\(run.style.contains($0.0) ? 1 : 0)" }.joined()
        result += "}"
        style = run.style
      }
      for scalar in run.text.unicodeScalars {
        switch scalar {
        case "\n": result += "\\N"
        case "\r", "\0": continue
        case "{": result += "\\{"
        case "}": result += "\\}"
        // A word joiner keeps the backslash from acting on the letter behind it.
        case "\\": result += "\\\u{2060}"
        default: result.unicodeScalars.append(scalar)
        }
      }
    }
    return result
  }
}
