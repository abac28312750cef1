// SPDX-License-Identifier: Apache-2.0
import SubtitleAuthoring
import SubtitleModel
import Testing

@Suite struct SubRipReading {
  private func read(_ text: String) throws -> SubRip.Text { try SubRip.read(text, file: "t.srt") }

  private func fault(_ text: String) -> String {
    do {
      _ = try read(text)
      return ""
    } catch { return "\(error)" }
  }

  private func styled(_ cue: AuthoredCue) -> StyledText? {
    if case .text(let text) = cue.content { text } else { nil }
  }

  @Test(arguments: ["\n", "\r\n", "\r"])
  func `blocks are read whatever ends their lines`(end: String) throws {
    let lines = [
      "1", "00:00:01,300 --> 00:00:03,000", "One", "two", "", "", "2",
      "00:01:02,003 --> 01:00:00,000", "Three", "",
    ]
    let text = try read(lines.joined(separator: end))
    #expect(text.cues.map(\.start) == [1300, 62_003].map { Timestamp(milliseconds: $0) })
    #expect(text.cues.map(\.end) == [3000, 3_600_000].map { Timestamp(milliseconds: $0) })
    #expect(text.cues.compactMap(styled).map { $0.runs.map(\.text) } == [["One\ntwo"], ["Three"]])
    #expect(text.warnings.isEmpty)
    #expect(text.cues[1].place == "t.srt, cue 2 (line 8)")
  }

  @Test func `small disorder is mended with a warning or in silence`() throws {
    let text = try read(
      """
      00:00:05.5 --> 00:00:07,000  X1:10 X2:20
      Later
      7
      0:00:01,000 --> 0:00:06,000
      Sooner <font color="red">red</font> {\\pos(1,2)}

      9
      00:00:08,000 --> 00:00:09,000
         \n
      """)
    #expect(text.cues.map(\.start) == [1000, 5500].map { Timestamp(milliseconds: $0) })
    #expect(text.cues.map(\.end) == [5500, 7000].map { Timestamp(milliseconds: $0) })
    #expect(
      text.warnings == [
        "t.srt, line 4: '<font color=\"red\">' is left out",
        "t.srt, line 4: '</font>' is left out",
        "t.srt, line 4: '{\\pos(1,2)}' is left out",
        "t.srt, line 8: a cue without text is left out",
        "cues were out of order; they are sorted by start",
        "t.srt, cue 2 (line 4) ends at 00:00:05.500 in place of 00:00:06.000, where the next begins",
      ])
  }

  @Test(arguments: [
    ("hello\n", "t.srt, line 1: a cue's number or time line is expected, not 'hello'"),
    ("", "t.srt: the text has no cue"),
    ("1\n\n2\n", "t.srt: the text has no cue"),
    (
      "1\n00:00:01,000 -> 00:00:02,000\nA\n",
      "t.srt, line 2: a cue's number or time line is expected, not '00:00:01,000 -> 00:00:02,000'"
    ),
    (
      "00:00:01,000 --> 00:61:02,000\nA\n",
      "t.srt, line 1: '00:00:01,000 --> 00:61:02,000' is no time line such as "
        + "'00:00:01,000 --> 00:00:02,500'"
    ),
    (
      "00:00:02,000 --> 00:00:02,000\nA\n", "t.srt, line 1: the end is not after the start"
    ),
    (
      "00:00:02,000 --> 100:00:00,000\nA\n",
      "t.srt, line 1: '00:00:02,000 --> 100:00:00,000' is no time line such as "
        + "'00:00:01,000 --> 00:00:02,500'"
    ),
  ])
  func `what would lose text or time is refused with its line`(text: String, message: String) {
    #expect(fault(text) == message)
  }

  @Test func `every prefix of a text is read or refused`() {
    let text =
      "1\r\n00:00:01,300 --> 00:00:03,000\r\n{\\an8}<i>Ä</i> <b>b\r\n\r\n2\r\n0:0:4 --> 0:0:5\r\nx"
    for count in 0...text.unicodeScalars.count {
      _ = try? read(String(String.UnicodeScalarView(text.unicodeScalars.prefix(count))))
    }
  }
}

@Suite struct Markup {
  private typealias Run = StyledText.Run

  @Test func `tags set styles, all else is text`() {
    let text = StyledText(markup: "a<i>b<B>c</b></I>d <x> 1 < 2 {no} <u>e")
    #expect(
      text.runs == [
        Run(text: "a", style: []), Run(text: "b", style: .italic),
        Run(text: "c", style: [.italic, .bold]), Run(text: "d <x> 1 < 2 {no} ", style: []),
        Run(text: "e", style: .underlined),
      ])
    #expect(text.alignment == 2 && text.dropped.isEmpty)
  }

  @Test func `the place is taken from its override, other overrides are dropped`() {
    let text = StyledText(markup: "{\\an8}{\\an0}{\\k5}Top<font size=3>!</font>")
    #expect(text.alignment == 8)
    #expect(text.runs.map(\.text).joined() == "Top!")
    #expect(text.dropped == ["{\\an0}", "{\\k5}", "<font size=3>", "</font>"])
  }

  @Test func `blank is what draws nothing`() {
    #expect(StyledText(markup: "").isBlank)
    #expect(StyledText(markup: " <i>\n</i>{\\an8}").isBlank)
    #expect(!StyledText(markup: "<i>.</i>").isBlank)
  }
}
