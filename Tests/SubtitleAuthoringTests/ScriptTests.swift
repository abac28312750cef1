// SPDX-License-Identifier: Apache-2.0
import SubtitleAuthoring
import SubtitleModel
import TestSupport
import Testing

@Suite struct Scripts {
  private func read(_ text: String) throws -> AuthoringScript {
    try AuthoringScript.reading(text, file: "dir/s.json")
  }

  private func fault(_ text: String) -> String {
    do {
      _ = try read(text)
      return ""
    } catch { return "\(error)" }
  }

  @Test func `every key is read`() throws {
    let script = try read(
      """
      {"language": "eng", "canvas": {"width": 1280, "height": 720}, "tracks": [
        {"title": "T\\u00e9 \\"\\uD83D\\uDE00\\"", "format": "pgs", "flags": ["forced", "default"], "cues": [
          {"start": "1.5", "end": "00:00:04.000", "forced": true, "continuesEpoch": true,
           "acquisitionPoints": ["2"],
           "images": [{"file": "a.png", "x": 1, "y": -2, "forced": true, "window": 1,
                       "crop": {"x": 3, "y": 4, "width": 5, "height": 6}}],
           "paletteUpdates": [{"at": "3", "alpha": 0.5}]},
          {"start": "01:00", "text": "<i>Hi</i>"}
        ]}
      ]}
      """)
    let track = try #require(script.tracks.first)
    #expect(track.language == "eng" && track.title == "Té \"😀\"" && track.format == .pgs)
    #expect(track.canvas == Canvas(width: 1280, height: 720))
    #expect(track.flags == [.forced, .default])
    var cue = AuthoredCue(
      place: "dir/s.json, track 1, cue 1 (line 3)", start: Timestamp(milliseconds: 1500),
      end: Timestamp(milliseconds: 4000),
      content: .images([
        AuthoredImage(
          file: "dir/a.png", x: 1, y: -2, crop: PixelRect(x: 3, y: 4, width: 5, height: 6),
          isForced: true, window: 1)
      ]))
    cue.isForced = true
    cue.continuesEpoch = true
    cue.acquisitionPoints = [Timestamp(milliseconds: 2000)]
    cue.paletteUpdates = [PaletteUpdate(time: Timestamp(milliseconds: 3000), alpha: 0.5)]
    #expect(track.cues.first == cue)
    #expect(track.cues.last?.end == nil)
    #expect(track.cues.last?.start == Timestamp(milliseconds: 60_000))
  }

  struct Case: CustomTestStringConvertible {
    var script: String
    var message: String
    var testDescription: String { message }
  }

  private static func cue(_ cue: String) -> String { "{\"cues\": [\n\(cue)]}" }

  static let faults: [Case] = [
    Case(script: "", message: "dir/s.json, line 1: the script ends where a value is expected"),
    Case(script: "{\n\"cues\" [", message: "dir/s.json, line 2: ':' is missing"),
    Case(script: "{} x", message: "dir/s.json, line 1: text follows the end of the script"),
    Case(script: "[]", message: "dir/s.json (line 1): an object is expected, not an array"),
    Case(script: "{}", message: "dir/s.json (line 1): 'cues' or 'srt' is missing"),
    Case(script: "{\"cues\": []}", message: "dir/s.json (line 1): 'cues' is empty"),
    Case(
      script: "{\"cues\": [01]}",
      message: "dir/s.json, line 1: a value is expected: true, false, null, a number, a string, "
        + "'[' or '{'"),
    Case(
      script: "{\"a\": 1, \"a\": 2}", message: "dir/s.json, line 1: the key 'a' is there twice"),
    Case(
      script: "{\"title\": \"x\ny\"}",
      message: "dir/s.json, line 1: a string is not closed on its line; write a line break as \\n"),
    Case(
      script: "{\"title\": \"\\uD800\"}",
      message: "dir/s.json, line 1: a \\u escape is half of a surrogate pair"),
    Case(
      script: "{\"color\": 1}",
      message: "dir/s.json (line 1): unknown key 'color'; known here: language, title, flags, "
        + "format, canvas, cues, srt, forcedCues, tracks"),
    Case(
      script: "{\"tracks\": [], \"cues\": []}",
      message: "dir/s.json (line 1): 'cues' stands beside 'tracks'; it belongs into one of them"),
    Case(
      script: "{\"format\": \"vtt\", \"cues\": []}",
      message: "dir/s.json (line 1): 'format' is 'vtt'; it can be pgs, vobsub, dvb, xsub"),
    Case(
      script: "{\"canvas\": {\"width\": 7, \"height\": 9}, \"cues\": []}",
      message: "dir/s.json, canvas (line 1): 'width' is 7, outside 8 to 65535"),
    Case(
      script: "{\"canvas\": {\"width\": 70.5, \"height\": 9}, \"cues\": []}",
      message: "dir/s.json, canvas (line 1): 'width' must be a whole number"),
    Case(
      script: "{\"flags\": [\"big\"], \"cues\": []}",
      message: "dir/s.json (line 1): 'flags' has a flag that is unknown; known: default, forced, "
        + "hearing-impaired, visual-impaired, original, dub, commentary, lyrics, captions, "
        + "descriptions"),
    Case(
      script: cue("{\"start\": \"1\", \"text\": \"a\", \"colour\": 1}"),
      message: "dir/s.json, cue 1 (line 2): unknown key 'colour'; known here: start, end, images, "
        + "text, forced, paletteUpdates, acquisitionPoints, continuesEpoch"),
    Case(
      script: cue("{\"text\": \"a\"}"),
      message: "dir/s.json, cue 1 (line 2): the key 'start' is missing"),
    Case(
      script: cue("{\"start\": 1, \"text\": \"a\"}"),
      message: "dir/s.json, cue 1 (line 2): 'start' must be a time in quotes, such as "
        + "\"00:01:02.500\", below 100 hours"),
    Case(
      script: cue("{\"start\": \"360000\", \"text\": \"a\"}"),
      message: "dir/s.json, cue 1 (line 2): 'start' must be a time in quotes, such as "
        + "\"00:01:02.500\", below 100 hours"),
    Case(
      script: cue("{\"start\": \"2\", \"end\": \"2\", \"text\": \"a\"}"),
      message: "dir/s.json, cue 1 (line 2): 'end' is 00:00:02.000, not after 00:00:02.000"),
    Case(
      script: cue("{\"start\": \"2\"}"),
      message: "dir/s.json, cue 1 (line 2): 'images' or 'text' is missing"),
    Case(
      script: cue("{\"start\": \"2\", \"text\": \" \"}"),
      message: "dir/s.json, cue 1 (line 2): 'text' has nothing to draw"),
    Case(
      script: cue("{\"start\": \"2\", \"images\": []}"),
      message: "dir/s.json, cue 1 (line 2): 'images' is empty"),
    Case(
      script: cue("{\"start\": \"2\", \"images\": [{\"file\": \"a\", \"x\": 1e9, \"y\": 1}]}"),
      message: "dir/s.json, cue 1, image (line 2): 'x' is 1000000000, outside -65535 to 65535"),
    Case(
      script: cue(
        "{\"start\": \"2\", \"end\": \"4\", \"text\": \"a\",\n\"paletteUpdates\": "
          + "[{\"at\": \"4\", \"alpha\": 1}]}"),
      message: "dir/s.json, cue 1, palette update (line 3): 'at' is 00:00:04.000, not before the "
        + "cue's end at 00:00:04.000"),
    Case(
      script: cue(
        "{\"start\": \"2\", \"text\": \"a\", \"paletteUpdates\": [{\"at\": \"4\", \"alpha\": 2}]}"),
      message: "dir/s.json, cue 1, palette update (line 2): 'alpha' is 2.0, outside 0.0 to 1.0"),
  ]

  @Test(arguments: faults)
  func `a fault names file, cue, line and key`(fault expected: Case) {
    #expect(fault(expected.script) == expected.message)
  }

  @Test func `deep nesting and every prefix are refused without a trap`() {
    #expect(fault(String(repeating: "[", count: 100_000)).contains("nested deeper than 32"))
    let text =
      "{\"title\":\"\\u0041\\\\\",\"flags\":[\"forced\"],\"cues\":[{\"start\":\"1\",\"text\":\"Ä\",\"forced\":true}]}"
    for count in 0..<text.unicodeScalars.count {
      #expect(fault(String(String.UnicodeScalarView(text.unicodeScalars.prefix(count)))) != "")
    }
    #expect(fault(text) == "")
  }

  @Test func `a text beside the script is read, and its forced cues are marked`() throws {
    let folder = try TemporaryFolder()
    let text = "1\n00:00:01,000 --> 00:00:02,000\nA\n\n2\n00:00:03,000 --> 00:00:04,000\nB\n"
    _ = try folder.write([0xEF, 0xBB, 0xBF] + Array(text.utf8), to: "t.srt")
    let track = try #require(
      try AuthoringScript.reading(
        "{\"srt\": \"t.srt\", \"forcedCues\": [2]}", file: folder.file("s.json")
      ).tracks.first)
    #expect(track.cues.map(\.isForced) == [false, true])
    let message = { (script: String) -> String in
      do {
        _ = try AuthoringScript.reading(script, file: folder.file("s.json"))
        return ""
      } catch { return "\(error)" }
    }
    #expect(
      message("{\"srt\": \"no.srt\"}").hasSuffix(
        "no.srt: cannot be read: No such file or directory"))
    #expect(message("{\"srt\": \"t.srt\", \"forcedCues\": [3]}").hasSuffix("numbers from 1 to 2"))
    _ = try folder.write(Array("1\n00:00:01,000 --> 00:00:02,000\nA".utf8) + [0xE9], to: "l.srt")
    #expect(
      message("{\"srt\": \"l.srt\"}").hasSuffix(
        "l.srt, line 3: the text is not UTF-8; save it as UTF-8"))
    _ = try folder.write([0xFF, 0xFE, 0x31, 0x00], to: "u.srt")
    #expect(
      message("{\"srt\": \"u.srt\"}").hasSuffix("u.srt: the text is UTF-16; save it as UTF-8"))
  }

  /// The second half was subtracted before it was known to be one, which trapped.
  @Test(arguments: ["\\ud83d\\ud83d", "\\ud83d\\u0041", "\\ud83d", "\\ude00\\ud83d"])
  func `halves of surrogate pairs are faults`(text: String) {
    #expect(throws: AuthoringFault.self) {
      _ = try AuthoringScript.reading(
        "{\"cues\": [{\"start\": \"1\", \"end\": \"2\", \"text\": \"\(text)\"}]}", file: "s.json")
    }
  }
}
