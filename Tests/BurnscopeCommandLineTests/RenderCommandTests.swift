// SPDX-License-Identifier: Apache-2.0
import Burnscope
import ChildProcess
import FoundationEssentials
import MediaContainer
import PNGCoding
import SubtitleFormats
import SubtitleModel
import TestSupport
import Testing

/// The `render` command by its built program, on small tracks of its own.
@Suite struct RenderCommandTests {
  /// A track of some cues, one a second, each on for half a second, as .sup.
  static func sup(cues: Int, in folder: TemporaryFolder) throws -> String {
    let palette = Palette(colors: [
      .transparent, PaletteColor(red: 255, green: 255, blue: 255, alpha: 255),
    ])
    let pictures = (0..<cues).map { number in
      PGSPicture(
        start: Int64(number + 1) * 90000, end: Int64(number + 1) * 90000 + 45000, palette: palette,
        objects: [
          PGSPicture.Object(
            bitmap: IndexedBitmap(
              width: 8, height: 2, indices: Array(repeating: 1, count: 15) + [0]),
            x: 20 + number, y: 30, isForced: number == 1)
        ])
    }
    let sets = try PGSTrackWriter.displaySets(
      of: pictures, video: VideoDescriptor(canvas: Canvas(width: 64, height: 36)))
    return try folder.write(try sets.sets.flatMap { try $0.supBytes() }, to: "track.sup")
  }

  static func render(_ arguments: [String]) async throws -> ProcessResult {
    try await BuiltProgram.run(["render"] + arguments)
  }

  @Test func `pictures without their manifest are removed when the work ends early`() async throws {
    let folder = try TemporaryFolder()
    let file = try Self.sup(cues: 5, in: folder)
    let flag = CancellationFlag()
    let renderer = try Renderer(path: file, track: .subtitleOrdinal(0), cancellation: flag)
    let output = RenderOutput(replacesFiles: true, inputs: [file])
    // The first cue's file is there before: what the run replaces stays.
    try FileManager.default.createDirectory(
      atPath: folder.file("out"), withIntermediateDirectories: false)
    _ = try folder.write([1], to: "out/0001-00_00_01.000.png")
    var seen: [String] = []
    #expect(throws: CancellationError.self) {
      _ = try renderer.writeCues(
        to: folder.file("out"), options: RenderOptions(), wholeCanvas: false, output: output
      ) { done in
        guard done == 3 else { return }
        seen = (try? FileManager.default.contentsOfDirectory(atPath: folder.file("out"))) ?? []
        flag.cancel()
      }
    }
    #expect(seen.count == 3)
    let left = try await ChildProcess.run("ls", [folder.file("out")])
    #expect(left.text == "0001-00_00_01.000.png\n")
  }

  @Test func `the canvas at a time keeps straight alpha`() async throws {
    let folder = try TemporaryFolder()
    let file = try Self.sup(cues: 2, in: folder)
    let result = try await Self.render(
      [file, "--track", "0", "--at", "1.25", "--output", folder.file("a.png")])
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.isEmpty)
    let picture = try PNG.decodeRGBA(try folder.read("a.png"))
    #expect(picture.width == 64 && picture.height == 36)
    let lit = (0..<64 * 36).filter { picture.bytes[4 * $0 + 3] == 255 }
    #expect(lit == Array(30 * 64 + 20..<30 * 64 + 28) + Array(31 * 64 + 20..<31 * 64 + 27))
  }

  @Test func `a time without a cue gives an empty picture and names the next cue`() async throws {
    let folder = try TemporaryFolder()
    let file = try Self.sup(cues: 2, in: folder)
    let result = try await Self.render(
      [file, "--track", "s:0", "--at", "00:00:01.5", "--output", folder.file("a.png")])
    #expect(result.status == 0)
    #expect(
      result.errors == "No cue on screen at 00:00:01.500; next cue at 00:00:02.000.")
    #expect(try PNG.decodeRGBA(try folder.read("a.png")).bytes.allSatisfy { $0 == 0 })
  }

  @Test func `a colour background and a layout give an opaque frame`() async throws {
    let folder = try TemporaryFolder()
    let file = try Self.sup(cues: 1, in: folder)
    let result = try await Self.render([
      file, "--track", "0", "--at", "1", "--output", folder.file("a.png"), "--background",
      "#102030", "--layout", "jellyfin", "--size", "128x72",
    ])
    #expect(result.status == 0, "\(result.errors)")
    let picture = try PNG.decodeRGBA(try folder.read("a.png"))
    #expect(picture.width == 128 && picture.height == 72)
    #expect(Array(picture.bytes.prefix(4)) == [16, 32, 48, 255])
    // The cue's middle, twice as far from the corner, is white within the scaler's rounding.
    let middle = 4 * (61 * 128 + 46)
    #expect(picture.bytes[middle..<middle + 3].allSatisfy { $0 > 250 })
  }

  @Test func `each cue becomes an indexed file, listed in the manifest`() async throws {
    let folder = try TemporaryFolder()
    let file = try Self.sup(cues: 3, in: folder)
    let result = try await Self.render([file, "--track", "0", "--cues", folder.file("a/b")])
    #expect(result.status == 0, "\(result.errors)")
    let second = try folder.read("a/b/0002-00_00_02.000.png")
    #expect(second[25] == 3, "colour type 3 is indexed")
    let picture = try PNG.decodeRGBA(second)
    #expect(picture.width == 8 && picture.height == 2)
    #expect(picture.bytes[60...].allSatisfy { $0 == 0 })
    let manifest = String(decoding: try folder.read("a/b/manifest.json"), as: UTF8.self)
    #expect(manifest.contains("\"file\": \"0002-00_00_02.000.png\""))
    #expect(manifest.contains("\"end\": \"00:00:02.500\""))
    #expect(manifest.contains("\"forced\": true"))
    #expect(manifest.contains("\"source\": \"track.sup\""))
    let python = try await ChildProcess.run(
      "python3",
      [
        "-c",
        "import json,sys;d=json.load(open(sys.argv[1]));print(len(d['cues']),d['cues'][1]['rect'])",
        folder.file("a/b/manifest.json"),
      ])
    #expect(
      String(decoding: python.output, as: UTF8.self)
        == "3 {'x': 21, 'y': 30, 'width': 8, 'height': 2}\n", "\(python.errors)")

    let again = try await Self.render([file, "--track", "0", "--cues", folder.file("a/b")])
    #expect(again.status == 1)
    #expect(again.errors.contains("a/b/manifest.json: the file exists; --force replaces it"))
    let forced = try await Self.render(
      [file, "--track", "0", "--cues", folder.file("a/b"), "--force", "--whole-canvas"])
    #expect(forced.status == 0)
    #expect(try PNG.decodeRGBA(try folder.read("a/b/0002-00_00_02.000.png")).width == 64)
  }

  @Test func `more cues than a page holds go to further sheets`() async throws {
    let folder = try TemporaryFolder()
    let file = try Self.sup(cues: 81, in: folder)
    let result = try await Self.render([file, "--track", "0", "--sheet", folder.file("s.png")])
    #expect(result.status == 0, "\(result.errors)")
    #expect(try PNG.decodeRGBA(try folder.read("s.png")).width == 1672)
    let last = try PNG.decodeRGBA(try folder.read("s-2.png"))
    #expect(last.width == 424 && last.height == 200)
  }

  struct Fault: Sendable, CustomTestStringConvertible {
    var arguments: [String]
    var status: Int32
    var sentence: String
    var testDescription: String { arguments.joined(separator: " ") }
    init(_ arguments: [String], _ status: Int32, _ sentence: String) {
      self.arguments = arguments
      self.status = status
      self.sentence = sentence
    }
  }

  static let usage: [Fault] = [
    Fault(["F", "--track", "0"], 64, "Exactly one of '--at', '--cues' and '--sheet'"),
    Fault(["F", "--track", "0", "--at", "1"], 64, "'--at' needs '--output'"),
    Fault(["F", "--track", "x", "--sheet", "O"], 64, "--track"),
    Fault(["F", "--track", "0", "--at", "1:99", "--output", "O"], 64, "--at"),
    Fault(["F", "--track", "0", "--sheet", "O", "--size", "0x5"], 64, "--size"),
    Fault(["F", "--track", "0", "--sheet", "O", "--size", "99999x5"], 64, "--size"),
    Fault(["F", "--track", "0", "--sheet", "O", "--layout", "plex"], 64, "--layout"),
    Fault(["F", "--track", "0", "--sheet", "O", "--background", "#12345g"], 64, "--background"),
  ]

  static let faults: [Fault] = [
    Fault(
      ["F", "--track", "7", "--sheet", "O"], 64,
      "there is no subtitle track 7; bitmap tracks are 0 (pgs)"),
    Fault(
      ["F", "--track", "0", "--sheet", "O", "--background", "video"], 65,
      "there is no video to draw on"),
    Fault(["F.not", "--track", "0", "--sheet", "O"], 66, "there is no such file"),
    Fault(
      ["F", "--track", "0", "--sheet", "/proc/none/x.png"], 1,
      "/proc/none/x.png: cannot be written"
    ),
  ]

  @Test("faults are told in one line", arguments: usage + faults)
  func tells(_ fault: Fault) async throws {
    let folder = try TemporaryFolder()
    let file = try Self.sup(cues: 1, in: folder)
    let arguments = fault.arguments.map { word in
      word == "O"
        ? folder.file("o.png") : word == "F" || word == "F.not" ? file + word.dropFirst() : word
    }
    let result = try await Self.render(arguments)
    #expect(result.status == fault.status)
    #expect(result.errors.contains(fault.sentence), "\(result.errors)")
    #expect(result.errors.hasPrefix("Error: "))
    #expect(throws: (any Error).self) { try folder.read("o.png") }
  }

  @Test("tracks are named by stream or by ordinal")
  func selectors() {
    #expect(TrackSelector("3") == .streamIndex(3))
    #expect(TrackSelector("s:0") == .subtitleOrdinal(0))
    for text in ["", "s:", "-1", "s:-1", "0x1", "s1", "99999999999999999999", "٣"] {
      #expect(TrackSelector(text) == nil)
    }
  }
}
