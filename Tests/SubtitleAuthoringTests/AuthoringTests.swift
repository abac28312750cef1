// SPDX-License-Identifier: Apache-2.0
import ChildProcess
import Glibc
import MediaContainer
import PNGCoding
import SubtitleAuthoring
import SubtitleFormats
import SubtitleModel
import TestSupport
import Testing

/// From a script to a file, and back through libavcodec to the same pixels.
@Suite struct AuthoringEndToEnd {
  private static let white = PaletteColor(red: 255, green: 255, blue: 255, alpha: 255)
  private static let black = PaletteColor(red: 0, green: 0, blue: 0, alpha: 255)

  /// A white picture with black stripes and a transparent corner.
  private static func picture(_ width: Int, _ height: Int, step: Int) -> RGBABitmap {
    var bytes: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        let color =
          x < 4 && y < 4 ? PaletteColor.transparent : (x + y) % step == 0 ? black : white
        bytes += [color.red, color.green, color.blue, color.alpha]
      }
    }
    return RGBABitmap(width: width, height: height, bytes: bytes)
  }

  private let first = picture(48, 20, step: 5)
  private let second = picture(64, 12, step: 7)
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    _ = try folder.write(PNG.encode(first), to: "a.png")
    _ = try folder.write(PNG.encode(second), to: "b.png")
    let script = """
      {"canvas": {"width": 720, "height": 576}, "language": "eng", "title": "Stripes", "cues": [
        {"start": "1.3", "end": "3", "images": [{"file": "a.png", "x": 100, "y": 500}]},
        {"start": "3", "end": "4.5", "forced": true,
         "images": [{"file": "b.png", "x": 40, "y": 30}, {"file": "a.png", "x": 600, "y": 400}]}
      ]}
      """
    _ = try folder.write(Array(script.utf8), to: "s.json")
  }

  private func author(
    _ name: String, _ change: (inout AuthoringRequest) -> Void = { _ in }
  ) throws -> AuthoringReport {
    var request = AuthoringRequest(input: folder.file("s.json"), output: folder.file(name))
    change(&request)
    return try Authoring.run(request)
  }

  /// The cues of a file's first track, each drawn on the canvas in RGBA.
  private func decode(_ name: String) throws -> (cues: [Cue], pictures: [[UInt8]]) {
    let reader = try MediaReader(path: folder.file(name))
    let tracks = reader.description.subtitles
    try #require(tracks.count == 1)
    let track = try #require(try reader.decodeTracks([tracks[0].streamIndex]).first)
    #expect(track.canvas ?? Canvas(width: 720, height: 576) == Canvas(width: 720, height: 576))
    return (
      track.cues, track.cues.map { Self.draw($0.objects.map { ($0.x, $0.y, Self.rgba($0)) }) }
    )
  }

  private static func rgba(_ object: CueObject) -> RGBABitmap {
    RGBABitmap(
      width: object.bitmap.width, height: object.bitmap.height,
      bytes: object.bitmap.indices.flatMap { index -> [UInt8] in
        let color = object.palette[index]
        return color.alpha == 0
          ? [0, 0, 0, 0] : [color.red, color.green, color.blue, color.alpha]
      })
  }

  private static func draw(_ layers: [(x: Int, y: Int, bitmap: RGBABitmap)]) -> [UInt8] {
    var canvas = [UInt8](repeating: 0, count: 4 * 720 * 576)
    for layer in layers {
      for y in 0..<layer.bitmap.height {
        let source = 4 * y * layer.bitmap.width
        let target = 4 * ((layer.y + y) * 720 + layer.x)
        let count = 4 * layer.bitmap.width
        canvas.replaceSubrange(
          target..<target + count, with: layer.bitmap.bytes[source..<source + count])
      }
    }
    return canvas
  }

  @Test(arguments: [
    ("o.sup", SubtitleCodec?.none), ("o.mkv", nil), ("o.mks", .vobsub), ("o.mkv", .dvb),
    ("o.ts", nil), ("o.ts", .pgs), ("o.m2ts", nil), ("o.idx", nil),
  ])
  func `pictures come back with their pixels, places and times`(
    name: String, format: SubtitleCodec?
  ) throws {
    let report = try author(name) { $0.format = format }
    #expect(report.cueCount == 2 && report.trackCount == 1 && report.warnings.isEmpty)
    let (cues, pictures) = try decode(name)
    try #require(cues.count == 2)
    let starts = cues.map(\.start.milliseconds)
    #expect(zip(starts, [1300, 3000]).allSatisfy { abs($0 - $1) <= 1 }, "\(starts)")
    let isDVB = format == .dvb || (name == "o.ts" && format == nil)
    // VobSub's ends are in steps of 1024/90000 s.
    let isVobSub = format == .vobsub || name == "o.idx"
    #expect(abs(cues[1].end.milliseconds - 4500) <= (isVobSub ? 12 : 1))
    #expect(cues.map(\.isForced) == [false, !isDVB], "DVB has no forced objects")
    let expected = [
      Self.draw([(100, 500, first)]), Self.draw([(40, 30, second), (600, 400, first)]),
    ]
    for (picture, wanted) in zip(pictures, expected) {
      let isSame = picture == wanted
      #expect(isSame, "\(picture.count { $0 != 0 }) bytes set, \(wanted.count { $0 != 0 }) wanted")
    }
  }

  @Test func `the pair of VobSub is read by other programs too`() async throws {
    _ = try author("v.idx")
    let result = try await ChildProcess.run(
      "ffprobe",
      [
        "-v", "warning", "-show_entries", "packet=pts_time:stream=codec_name,width,height",
        "-of", "compact=p=0", folder.file("v.idx"),
      ])
    #expect(result.errors == "")
    let lines = String(decoding: result.output, as: UTF8.self).split(separator: "\n")
    #expect(
      lines == [
        "pts_time=1.300000", "pts_time=3.000000", "codec_name=dvd_subtitle|width=720|height=576",
      ]
    )
    let index = String(decoding: try folder.read("v.idx"), as: UTF8.self)
    #expect(index.contains("\nsize: 720x576\n"))
    #expect(index.contains("\npalette: ffffff, 000000, 000000,"))
    #expect(index.contains("\nid: en, index: 0\nalt: Stripes\n"))
    #expect(index.contains("\ntimestamp: 00:00:01:300, filepos: 000000000\n"))
    #expect(try folder.read("v.sub").count % 2048 == 0)
  }

  @Test func `an .avi comes back with its pixels, places and times`() async throws {
    #expect(try author("o.avi").files == [folder.file("o.avi")])
    let reader = try MediaReader(path: folder.file("o.avi"))
    #expect(reader.description.subtitles.map(\.codec) == [.xsub])
    #expect(reader.description.subtitles.first?.canvas == Canvas(width: 720, height: 576))
    var decoder = XSUBDecoder()
    var events: [SubtitleEvent] = []
    try reader.readPackets(of: [0]) { packet in
      guard !packet.bytes.isEmpty else { return true }
      events += try decoder.decode(TrackPacket(time: packet.time, bytes: packet.bytes))
      return true
    }
    #expect(decoder.log.findings.isEmpty)
    #expect(events.map(\.time.milliseconds) == [1300, 3000])
    #expect(events.map { $0.streamEnd?.milliseconds } == [3000, 4500])
    let pictures = events.map { event in
      Self.draw(event.objects.map { ($0.object.x, $0.object.y, Self.rgba($0.object)) })
    }
    let expected = [
      Self.draw([(100, 500, first)]), Self.draw([(40, 30, second), (600, 400, first)]),
    ]
    let isSame = pictures == expected
    #expect(isSame)
    let probed = try await ChildProcess.run(
      "ffprobe",
      [
        "-v", "warning", "-show_entries",
        "stream=codec_name,codec_tag_string,width,height,duration:packet=pts_time,size",
        "-of", "compact=p=0", folder.file("o.avi"),
      ])
    #expect(probed.errors == "")
    let lines = String(decoding: probed.output, as: UTF8.self).split(separator: "\n")
    let packets = lines.filter { $0.hasPrefix("pts_time") && !$0.hasSuffix("size=0") }
    #expect(packets.map { $0.prefix { $0 != "|" } } == ["pts_time=1.280000", "pts_time=3.000000"])
    #expect(
      lines.last?.hasPrefix("codec_name=xsub|codec_tag_string=DXSB|width=720|height=576") == true)
    #expect(lines.last?.hasSuffix("duration=4.480000") == true)
  }

  @Test func `a fade keeps its steps in every format`() throws {
    let script = """
      {"canvas": {"width": 720, "height": 576}, "cues": [
        {"start": "1", "end": "4", "images": [{"file": "a.png", "x": 8, "y": 8,
          "crop": {"x": 10, "y": 2, "width": 30, "height": 11}}],
         "paletteUpdates": [{"at": "2", "alpha": 0.6}, {"at": "3", "alpha": 1}]}
      ]}
      """
    _ = try folder.write(Array(script.utf8), to: "s.json")
    for (name, format) in [("f.sup", SubtitleCodec.pgs), ("f.mkv", .vobsub)] {
      _ = try author(name) { $0.format = format }
      let cues = try decode(name).cues
      #expect(cues.map(\.start.milliseconds) == [1000, 2000, 3000])
      let alphas = cues.map { cue in cue.objects.flatMap(\.palette.colors).map(\.alpha).max() }
      // 0.6 is 9 of 15, so VobSub has it exactly.
      #expect(alphas == [255, 153, 255])
    }
    let cropped = try decode("f.mkv").cues.first?.bounds
    #expect(cropped?.width == 30 && cropped?.height == 11)
  }

  @Test func `what cannot be is refused, and nothing is left behind`() throws {
    func fault(_ name: String, _ change: (inout AuthoringRequest) -> Void = { _ in })
      -> AuthoringFault?
    {
      do {
        _ = try author(name, change)
        return nil
      } catch { return error as? AuthoringFault }
    }
    #expect(fault("x.txt")?.kind == .request)
    #expect(fault("x.sup") { $0.format = .dvb }?.kind == .request)
    #expect(
      fault("x.idx") { $0.format = .pgs }?.description
        == "\(folder.file("x.idx")): cannot hold a pgs track; it holds vobsub")
    #expect(fault("x.sup") { $0.film = "film.mkv" }?.kind == .request)
    #expect(fault("x.avi") { $0.film = "film.mkv" }?.kind == .request)
    #expect(fault("x.avi") { $0.format = .vobsub }?.kind == .request)
    #expect(fault("x.mkv") { $0.format = .xsub }?.kind == .request)
    #expect(fault("x.mkv") { $0.film = folder.file("no.mkv") }?.kind == .missingInput)
    #expect(fault("x.sup") { $0.input = folder.file("no.json") }?.kind == .missingInput)
    #expect(fault("no/x.sup")?.kind == .output)
    #expect(fault("x.sup") == nil)
    #expect(
      fault("x.sup")?.description.hasSuffix("x.sup: the file exists; --force overwrites it") == true
    )
    #expect(fault("x.sup") { $0.overwrites = true } == nil)
    // Nobody writes to the pipe, and the zeros never end.
    try #require(mkfifo(folder.file("pipe.png"), 0o600) == 0)
    let scripts = [
      (
        "\"start\": \"1\", \"end\": \"2\", \"images\": [{\"file\": \"pipe.png\", \"x\": 1, \"y\": 1}]",
        AuthoringFault.Kind.input
      ),
      (
        "\"start\": \"1\", \"end\": \"2\", \"images\": [{\"file\": \"/dev/zero\", \"x\": 1, \"y\": 1}]",
        .input
      ),
      (
        "\"start\": \"1\", \"end\": \"2\", \"images\": [{\"file\": \"no.png\", \"x\": 1, \"y\": 1}]",
        .missingInput
      ),
      (
        "\"start\": \"1\", \"end\": \"2\", \"images\": [{\"file\": \"s.json\", \"x\": 1, \"y\": 1}]",
        .input
      ),
      (
        "\"start\": \"1\", \"end\": \"2\", \"images\": [{\"file\": \"a.png\", \"x\": -1, \"y\": 1}]",
        .input
      ),
      (
        "\"start\": \"1\", \"images\": [{\"file\": \"a.png\", \"x\": 1, \"y\": 1, \"crop\": {\"x\": 40, \"y\": 0, \"width\": 9, \"height\": 1}}]",
        .input
      ),
      (
        "\"start\": \"1\", \"images\": [{\"file\": \"a.png\", \"x\": 1, \"y\": 1}]}, {\"start\": \"1\", \"text\": \"a\"",
        .input
      ),
    ]
    for (cue, kind) in scripts {
      let script = "{\"canvas\": {\"width\": 720, \"height\": 576}, \"cues\": [{\(cue)}]}"
      _ = try folder.write(Array(script.utf8), to: "s.json")
      #expect(fault("y.sup")?.kind == kind, "\(cue)")
    }
    _ = try folder.write(
      Array(
        "{\"cues\": [{\"start\": \"1\", \"images\": [{\"file\": \"a.png\", \"x\": 1, \"y\": 1}]}]}"
          .utf8), to: "s.json")
    #expect(
      fault("y.sup")?.description.hasSuffix(
        "track 1: the canvas is missing; add 'canvas' or --canvas") == true)
    #expect((try? folder.read("y.sup")) == nil)
  }
}
