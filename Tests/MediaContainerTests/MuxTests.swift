// SPDX-License-Identifier: Apache-2.0
import ChildProcess
import MediaContainer
import SubtitleModel
import TestSupport
import Testing

/// A cue of one opaque white frame with a black core, in a canvas of at least 200x100.
func boxCue(_ index: Int, _ start: Int64, _ end: Int64, isForced: Bool = false) -> Cue {
  let (width, height) = (48 + 2 * index, 16)
  let pixels = (0..<(width * height)).map { offset -> UInt8 in
    let (x, y) = (offset % width, offset / width)
    return x < 2 || x >= width - 2 || y < 2 || y >= height - 2 ? 1 : 2
  }
  let palette = Palette(colors: [
    .transparent, PaletteColor(red: 255, green: 255, blue: 255, alpha: 255),
    PaletteColor(red: 0, green: 0, blue: 0, alpha: 255),
  ])
  return Cue(
    index: index, start: ms(start), end: ms(end), endCause: .clear,
    objects: [
      CueObject(
        x: 40 + index, y: 60, bitmap: IndexedBitmap(width: width, height: height, indices: pixels),
        palette: palette, isForced: isForced)
    ])
}

/// The colour of a cue's pixel on the canvas, transparent outside its objects.
func color(_ cue: Cue, _ x: Int, _ y: Int) -> PaletteColor {
  for object in cue.objects {
    let (column, row) = (x - object.x, y - object.y)
    guard (0..<object.bitmap.width).contains(column), (0..<object.bitmap.height).contains(row)
    else { continue }
    return object.palette[object.bitmap.indices[row * object.bitmap.width + column]]
  }
  return .transparent
}

/// Runs ffmpeg and gives what it wrote to standard output; a failure is recorded.
@discardableResult
func ffmpeg(_ arguments: [String], input: [UInt8]? = nil) async throws -> [UInt8] {
  let result = try await ChildProcess.run(
    "ffmpeg", ["-v", "error", "-nostdin", "-y"] + arguments, input: input)
  try #require(result.status == 0, "\(result.errors)")
  return result.output
}

@Suite struct MuxTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func pgsTrack(withClears: Bool, durations: [Int64?]) -> EncodedTrack {
    let spot = PGSBytes.Placed(id: 0, x: 100, y: 600)
    var packets: [SubtitlePacket] = []
    for (index, duration) in durations.enumerated() {
      let start = 1000 + 2000 * Int64(index)
      let set = PGSBytes.picture(UInt16(2 * index), [spot], color: UInt8(1 + index % 2))
      packets.append(
        SubtitlePacket(
          time: ms(start), duration: duration.map { ms($0) }, bytes: Array(set.joined())))
      if withClears {
        packets.append(
          SubtitlePacket(
            time: ms(start + 1200), duration: nil,
            bytes: Array(PGSBytes.clear(UInt16(2 * index + 1)).joined())))
      }
    }
    return EncodedTrack(
      codec: .pgs, canvas: Canvas(width: 1280, height: 720), packets: packets)
  }

  /// Eight seconds of a test picture with its B-frames, 320x240, in a transport stream or Matroska.
  private func film(_ name: String) async throws -> LocalFile {
    let path = folder.file(name)
    try await ffmpeg([
      "-f", "lavfi", "-i", "testsrc=size=320x240:rate=25:duration=8", "-c:v", "libx264", "-preset",
      "ultrafast", "-bf", "2", "-g", "50", path,
    ])
    return try LocalFile(path: path)
  }

  private func decode(_ path: String) throws -> (MediaDescription, [DecodedTrack]) {
    let reader = try MediaReader(path: path)
    let description = reader.description
    return (description, try reader.decodeTracks(description.subtitles.map(\.streamIndex)))
  }

  @Test func `a block's duration ends no PGS cue, as FFmpeg's overlay heeds none`() throws {
    let path = folder.file("durations.mks")
    let track = OutputTrack(
      content: pgsTrack(withClears: false, durations: [500, nil, 5000, nil]), language: "fre",
      title: "Titre", flags: [.forced, .hearingImpaired])
    try FilmMuxer.write(tracks: [track], to: path)
    let (description, tracks) = try decode(path)
    let decoded = try #require(tracks.first)
    #expect(description.subtitles.map(\.language) == ["fre"])
    #expect(description.subtitles.map(\.title) == ["Titre"])
    #expect(description.subtitles.map(\.flags) == [[.forced, .hearingImpaired]])
    #expect(decoded.cues.map(\.start) == [ms(1000), ms(3000), ms(5000), ms(7000)])
    #expect(decoded.cues.prefix(3).map(\.end) == [ms(3000), ms(5000), ms(7000)])
    #expect(decoded.cues.map(\.endCause).prefix(3) == [.nextCue, .nextCue, .nextCue])
  }

  @Test func `a clear says more than a block's duration`() throws {
    let path = folder.file("clears.mkv")
    try FilmMuxer.write(
      tracks: [OutputTrack(content: pgsTrack(withClears: true, durations: [500, 9000]))], to: path)
    let cues = try #require(try decode(path).1.first).cues
    #expect(cues.map(\.end) == [ms(2200), ms(4200)])
    #expect(cues.map(\.endCause) == [.clear, .clear])
  }

  @Test(arguments: ["film.mkv", "film.ts"])
  func `tracks beside a film count from the film's start`(name: String) async throws {
    let film = try await film(name == "film.ts" ? "source.ts" : "source.mkv")
    let path = folder.file(name)
    let canvas = Canvas(width: 720, height: 576)
    let dvb = try SubtitleEncoder.encode(
      [boxCue(0, 1000, 2500), boxCue(1, 4000, 5000), boxCue(2, 5000, 6000)], as: .dvb,
      canvas: canvas)
    let pgs = pgsTrack(withClears: true, durations: [nil, nil, nil])
    try FilmMuxer.write(
      film: film,
      tracks: [
        OutputTrack(content: pgs, language: "eng"), OutputTrack(content: dvb, language: "ger"),
      ], to: path)
    let (description, tracks) = try decode(path)
    #expect(description.video?.width == 320)
    #expect((description.startTime > .zero) == (name == "film.ts"))
    #expect(description.subtitles.map(\.codec) == [.pgs, .dvb])
    // libavformat writes a language for DVB subtitles into a transport stream, none for PGS.
    #expect(description.subtitles.map(\.language) == [name == "film.ts" ? nil : "eng", "ger"])
    #expect(tracks[0].cues.map(\.start) == [ms(1000), ms(3000), ms(5000)])
    #expect(tracks[0].cues.map(\.end) == [ms(2200), ms(4200), ms(6200)])
    #expect(tracks[1].canvas == canvas)
    #expect(tracks[1].cues.map(\.start) == [ms(1000), ms(4000), ms(5000)])
    #expect(tracks[1].cues.map(\.end) == [ms(2500), ms(5000), ms(6000)])
    #expect(tracks[1].cues.map(\.endCause) == [.clear, .nextCue, .clear])
    #expect(tracks[1].cues.map(\.bounds) == (0..<3).map { boxCue($0, 0, 1).bounds })
    #expect(color(tracks[1].cues[0], 40, 60).red >= 250)
    #expect(color(tracks[1].cues[0], 50, 68) == boxCue(0, 0, 1).objects[0].palette[2])
  }

  @Test(arguments: ["sub.mkv", "sub.mp4", "sub.vob"])
  func `VobSub survives its encoder and container`(name: String) async throws {
    let film = try await film("source.mkv")
    let path = folder.file(name)
    let canvas = Canvas(width: 720, height: 480)
    let track = try SubtitleEncoder.encode(
      [boxCue(0, 1000, 2500), boxCue(1, 4000, 5000, isForced: true)], as: .vobsub, canvas: canvas)
    try FilmMuxer.write(film: film, tracks: [OutputTrack(content: track)], to: path)
    let decoded = try #require(try decode(path).1.first)
    #expect(decoded.description.codec == .vobsub)
    #expect(decoded.cues.map(\.start) == [ms(1000), ms(4000)])
    // Stops are in steps of 1024/90000 s, rounded down: 131 and 87 of them.
    #expect(decoded.cues.map { $0.end.milliseconds } == [2490, 4989])
    #expect(decoded.cues.map(\.isForced) == [false, true])
    #expect(decoded.cues.map(\.bounds) == (0..<2).map { boxCue($0, 0, 1).bounds })
    guard name == "sub.mkv" else { return }
    #expect(decoded.canvas == canvas)
    #expect(color(decoded.cues[0], 40, 60) == boxCue(0, 0, 1).objects[0].palette[1])
    #expect(color(decoded.cues[0], 50, 68) == boxCue(0, 0, 1).objects[0].palette[2])
  }
}
