// SPDX-License-Identifier: Apache-2.0
import ChildProcess
import TestSupport
import Testing

/// `burnscope probe`, run as users run it.
@Suite struct ProbeTests {
  /// A SUP file of two pictures, the second forced, each a second long.
  static let sup: [UInt8] = {
    var bytes: [UInt8] = []
    func segment(_ type: UInt8, _ seconds: Int, _ data: [UInt8]) {
      let time = UInt32(seconds * 90_000)
      bytes += [0x50, 0x47]
      bytes += (0..<4).map { UInt8(truncatingIfNeeded: time >> UInt32(24 - 8 * $0)) }
      bytes += [0, 0, 0, 0, type, UInt8(data.count >> 8), UInt8(data.count & 255)] + data
    }
    let head: [UInt8] = [0x02, 0x80, 0x01, 0x68, 0x10]
    let window: [UInt8] = [1, 0, 0, 100, 0, 100, 0, 8, 0, 2]
    for (index, flags) in [UInt8(0), 0x40].enumerated() {
      let start = 1 + 2 * index
      segment(
        0x16, start,
        head + [0, UInt8(2 * index), 0x80, 0, 0, 1, 0, 0, 0, flags, 0, 100, 0, 100])
      segment(0x17, start, window)
      segment(0x14, start, [0, 0, 1, 235, 128, 128, 255])
      let row: [UInt8] = [0, 0x88, 1, 0, 0]
      segment(0x15, start, [0, 0, 0, 0xC0, 0, 0, 14, 0, 8, 0, 2] + row + row)
      segment(0x80, start, [])
      segment(0x16, start + 1, head + [0, UInt8(2 * index + 1), 0, 0, 0, 0])
      segment(0x17, start + 1, window)
      segment(0x80, start + 1, [])
    }
    return bytes
  }()

  @Test func `a SUP file and the same track in Matroska have the same counts`() async throws {
    let folder = try TemporaryFolder()
    let sup = try folder.write(Self.sup, to: "a.sup")
    let film = folder.file("film.mkv")
    let made = try await ChildProcess.run(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x64:r=5:d=5", "-i", sup, "-map", "0",
        "-map", "1", "-c:v", "mpeg2video", "-c:s", "copy", "-metadata:s:s:0", "language=fre",
        "-metadata:s:s:0", "title=Signs", "-disposition:s:0", "forced", film,
      ])
    try #require(made.status == 0, "\(made.errors)")
    let result = try await BuiltProgram.run(["probe", sup, film])
    #expect(result.status == 0, "\(result.errors)")
    let rows = result.text.split(separator: "\n").map {
      $0.split(separator: " ").joined(separator: " ")
    }
    #expect(rows.contains("0 0:s:0 pgs - 640x360 2 1 00:00:01.000 00:00:04.000 -"))
    // ffmpeg moves an input's first time to zero.
    #expect(
      rows.contains("1 0:s:0 pgs fre 640x360 2 1 00:00:00.000 00:00:03.000 forced Signs"))
    #expect(rows.contains { $0.hasPrefix("video 0: mpeg2video, 64x64") })
  }

  @Test func `a server's numbers count the files beside the film`() async throws {
    let folder = try TemporaryFolder()
    let film = folder.file("My Film.mkv")
    let sup = try folder.write(Self.sup, to: "My Film.fr.sup")
    _ = try folder.write(Array("1\n00:00:01,000 --> 00:00:02,000\nHi\n".utf8), to: "my film.en.srt")
    // Names that only look like the film's.
    for other in ["My Film 2.srt.txt", "My Filmed.srt", "Film.srt", "My Film.jpg"] {
      _ = try folder.write([0x20], to: other)
    }
    // Nor is a pipe, a folder or an empty file one that a server lists.
    for call in [
      ["mkfifo", "My Film.a.srt"], ["mkdir", "My Film.b.srt"], ["touch", "My Film.c.sup"],
    ] {
      let made = try await ChildProcess.run(call[0], [folder.file(call[1])])
      try #require(made.status == 0, "\(made.errors)")
    }
    let made = try await ChildProcess.run(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x64:r=5:d=5", "-i", sup, "-map", "0",
        "-map", "1", "-map", "1", "-c:v", "mpeg2video", "-c:s", "copy", film,
      ])
    try #require(made.status == 0, "\(made.errors)")
    for (server, first, files) in [
      ("jellyfin", 2, ["0: My Film.fr.sup", "1: my film.en.srt"]),
      ("emby", 0, ["3: my film.en.srt"]),
    ] {
      let result = try await BuiltProgram.run(["probe", film, "--server-order", server])
      #expect(result.status == 0, "\(result.errors)")
      let rows = result.text.split(separator: "\n").map {
        $0.split(separator: " ").joined(separator: " ")
      }
      for stream in 1...2 {
        #expect(
          rows.contains { $0.hasPrefix("\(stream) 0:s:") && $0.hasSuffix(" \(first + stream)") },
          "\(rows)")
      }
      let beside = rows.filter { $0.hasSuffix("beside the film") }
      #expect(beside.count == files.count)
      for (row, file) in zip(beside, files) {
        let words = row.replacing(folder.file(""), with: "")
        #expect(words.hasPrefix(file), "\(row)")
      }
    }
  }

  @Test func `JSON holds the documented keys in alphabetical order`() async throws {
    let folder = try TemporaryFolder()
    let sup = try folder.write(Self.sup, to: "a.sup")
    let result = try await BuiltProgram.run(["probe", "--json", sup])
    #expect(result.status == 0, "\(result.errors)")
    let keys = result.text.split(separator: "\n").compactMap { line -> Substring? in
      let text = line.drop { $0 == " " }
      guard text.hasPrefix("\""), text.contains("\": ") else { return nil }
      return text.dropFirst().prefix { $0 != "\"" }
    }
    #expect(
      keys == [
        "files", "container", "damaged", "decoder", "durationSeconds", "notes", "path",
        "serverOrder", "subtitles", "canvas", "height", "width", "canvases", "cueCount", "height",
        "matrix", "width", "codec", "codecName", "colors", "defaultCLUTs", "definedCLUTs",
        "evidence", "brightestLuma", "brightestNeutralLuma", "darkestLuma", "visibleEntryCount",
        "hasAlpha", "looksHDR", "looksLike", "matrix", "paletteSource", "coverage", "cuesPerPart",
        "isOfFilm", "lengthSeconds", "share", "cueCount", "firstCue", "endSeconds", "isForced",
        "startSeconds", "flags", "forcedCueCount", "isBitmap", "language", "languageTag", "lastCue",
        "endSeconds", "isForced", "startSeconds", "notes", "objects", "forced", "shown", "pages",
        "serverIndex", "specifier", "streamIndex", "subtitleOrdinal", "title", "video",
      ])
    for line in [
      "\"cueCount\": 2,", "\"startSeconds\": 3.0", "\"decoder\": \"native\"", "\"forced\": 1,",
      "\"looksLike\": \"limited\"", "\"brightestLuma\": 235,", "\"matrix\": \"bt601\"",
      "\"share\": 0.5\n",
      "\"cuesPerPart\": [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0]",
    ] {
      #expect(result.text.contains(line), "\(line)")
    }
  }

  @Test func `details follow the table of one file, and of several when asked for`() async throws {
    let folder = try TemporaryFolder()
    let sup = try folder.write(Self.sup, to: "a.sup")
    let one = try await BuiltProgram.run(["probe", sup])
    #expect(one.status == 0, "\(one.errors)")
    let lines = one.text.split(separator: "\n").map(String.init)
    #expect(lines[3...] == Self.details[...])
    let two = try await BuiltProgram.run(["probe", sup, sup])
    #expect(!two.text.contains("colours"))
    let asked = try await BuiltProgram.run(["probe", "--details", sup, sup])
    #expect(asked.text == one.text + "\n" + one.text)
  }

  /// The details of `sup`: two cues of a second in four seconds.
  static let details = [
    "  stream 0, pgs:",
    "    colours  look like limited range, not HDR (brightest grey has luma 235; luma 235 in "
      + "2 palette entries); BT.601 by the canvas's height",
    "    shown    50 % of the time up to the last cue's end, 00:00:04.000",
    "    spread   - - - - - 1 - - - - - - - - - 1 - - - -  (cues in each twentieth of it)",
  ]

  @Test func `libavcodec's cues are counted when asked for, and what it does not tell is null`()
    async throws
  {
    let folder = try TemporaryFolder()
    let sup = try folder.write(Self.sup, to: "a.sup")
    let result = try await BuiltProgram.run(["probe", "--decoder", "libavcodec", "--json", sup])
    #expect(result.status == 0, "\(result.errors)")
    for line in [
      "\"decoder\": \"libavcodec\"", "\"cueCount\": 2,", "\"forcedCueCount\": 1,", "\"shown\": 2",
      "\"share\": 0.5", "\"colors\": null", "\"canvases\": null", "\"pages\": null",
      "which tells nothing of colours, canvases and pages",
    ] {
      #expect(result.text.contains(line), "\(line)")
    }
    let table = try await BuiltProgram.run(["probe", "--decoder", "libavcodec", sup])
    #expect(table.text.contains("    shown   50 %"))
    #expect(!table.text.contains("colours  "))
  }

  @Test func `raw streams and DVB services are told of`() async throws {
    let folder = try TemporaryFolder()
    func probe(_ trait: String, _ name: String, reads other: String? = nil) async throws
      -> (status: Int32, lines: [String])
    {
      let made = try await BuiltProgram.run(
        ["author", "--trait", trait, "--output", folder.file(name)])
      try #require(made.status == 0, "\(made.errors)")
      let result = try await BuiltProgram.run(["probe", folder.file(other ?? name)])
      return (result.status, result.text.split(separator: "\n").map(String.init))
    }
    let services = try await probe(
      "dvb-two-services-on-the-same-stream-the-first-is-taken", "two.ts")
    #expect(services.status == 0)
    for line in [
      "    service  page 1, eng, type 0x10 (normal)",
      "    service  page 9, eng, type 0x20 (hard of hearing)",
      "    pages    1 composed 2 times, 9 composed once",
      "    colours  CLUT 0 defined once, 3 entries in full range",
      "  note: stream 0: the container names 2 services; page 1 of the first is counted",
    ] {
      #expect(services.lines.contains(line), "\(line)")
    }
    let pes = try await probe("dvb-no-page-is-named-and-the-first-is-taken", "raw.pes")
    #expect(pes.status == 0)
    #expect(pes.lines.first?.hasSuffix("raw.pes: pes") == true)
    #expect(pes.lines.contains { $0.hasSuffix("pages 1, 9 compose; page 1 is counted") })
    let alone = try await probe("vobsub-v09-one-line", "o.idx", reads: "o.sub")
    #expect(alone.status == 0)
    #expect(
      alone.lines.contains(
        "    colours  palette guessed: neither stream nor container has one"))
    #expect(alone.lines.contains { $0.contains("o.idx was not read; give it to have its palette") })
    let index = try await BuiltProgram.run(["probe", folder.file("o.idx")])
    #expect(index.text.contains("    colours  palette of the .idx file\n"))
  }

  @Test func `raw streams that are cut anywhere are read as far as they go`() async throws {
    let folder = try TemporaryFolder()
    for length in stride(from: 1, to: Self.sup.count, by: 37) {
      let cut = try folder.write(Array(Self.sup.prefix(length)), to: "\(length).sup")
      let result = try await BuiltProgram.run(["probe", cut])
      #expect([0, 65].contains(result.status), "\(length): \(result.errors)")
    }
  }

  @Test func `folders need a flag, and bad files in them are warned about`() async throws {
    let folder = try TemporaryFolder()
    _ = try folder.write(Self.sup, to: "b.sup")
    _ = try folder.write([1, 2, 3, 4], to: "a.mkv")
    _ = try folder.write([1, 2, 3, 4], to: "notes.txt")
    let refused = try await BuiltProgram.run(["probe", folder.path])
    #expect(refused.status == 64)
    #expect(refused.errors.contains("--recursive"))
    let result = try await BuiltProgram.run(["probe", "--recursive", folder.path])
    #expect(result.status == 65)
    #expect(result.errors.contains("Warning: \(folder.path)/a.mkv"))
    #expect(!result.errors.contains("notes.txt"))
    #expect(result.text.contains("\(folder.path)/b.sup: sup"))
  }

  @Test func `a missing file and a cut one have their own exit codes`() async throws {
    let folder = try TemporaryFolder()
    let missing = try await BuiltProgram.run(["probe", folder.file("none.mkv")])
    #expect(missing.status == 66)
    #expect(missing.errors.hasPrefix("Error: "))
    let sup = try folder.write(Self.sup, to: "a.sup")
    let whole = folder.file("whole.mkv")
    let made = try await ChildProcess.run(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=320x180:r=10:d=5", "-i", sup, "-map", "0",
        "-map", "1", "-c:v", "mpeg2video", "-c:s", "copy", whole,
      ])
    try #require(made.status == 0, "\(made.errors)")
    let bytes = try readBytes(whole)
    let cut = try folder.write(Array(bytes.prefix(bytes.count * 3 / 5)), to: "cut.mkv")
    let result = try await BuiltProgram.run(["probe", cut])
    #expect(result.status == 65)
    #expect(result.text.contains("at byte "))
  }
}
