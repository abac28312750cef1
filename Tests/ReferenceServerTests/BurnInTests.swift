// SPDX-License-Identifier: Apache-2.0
import ChildProcess
import HTTPTransport
import ReferenceServer
import TestSupport
import Testing

/// The server on a real port with a film made for the purpose: grey, 320x180, 24 fps, 20 s, a key
/// frame each second, and a PGS track with a white bar at 1 to 2.5, 7 to 10.5 and 13 to 14 s.
@Suite(.serialized)
struct BurnInTests {
  private static let film = Task {
    let folder = try TemporaryFolder()
    var track: [UInt8] = []
    for (start, end) in [(1.0, 2.5), (7.0, 10.5), (13.0, 14.0)] {
      track += BarTrack.show(at: start) + BarTrack.clear(at: end)
    }
    let result = try await ChildProcess.run(
      "ffmpeg",
      ["-v", "error", "-f", "lavfi", "-i", "color=0x606060:s=320x180:r=24:d=20", "-i"]
        + [try folder.write(track, to: "bar.sup"), "-c:v", "libx264", "-preset", "ultrafast"]
        + ["-g", "24", "-c:s", "copy", folder.file("film.mkv")])
    try #require(result.status == 0, "\(result.errors)")
    return folder
  }

  /// A signed-in client of a running server.
  private struct Session {
    let server: ReferenceServer
    let client = HTTPClient()
    var token = ""
    var user = ""

    init(faults: [Fault] = []) async throws {
      var configuration = ReferenceServerConfiguration(
        files: [try await BurnInTests.film.value.file("film.mkv")])
      configuration.preset = "ultrafast"
      configuration.faults = faults
      server = try await ReferenceServer(configuration)
      let answer = try await json(
        .post, "/Users/AuthenticateByName", #"{"Username":"burnscope","Pw":"burnscope"}"#)
      token = answer["AccessToken"]?.text ?? ""
      user = answer["User"]?["Id"]?.text ?? ""
    }

    func send(
      _ method: HTTPMethod = .get, _ path: String, _ body: String? = nil
    ) async throws -> HTTPReply {
      let authorization = Service.client + (token.isEmpty ? "" : ", Token=\"\(token)\"")
      let request = HTTPRequest(
        method, server.address + path,
        headers: [("Authorization", authorization), ("Content-Type", "application/json")],
        body: body.map { Array($0.utf8) }, limits: .segment)
      return try await client.send(request)
    }

    func json(_ method: HTTPMethod, _ path: String, _ body: String? = nil) async throws -> JSON {
      try JSON(parsing: try await send(method, path, body).body)
    }

    /// Negotiates; the base path, the lines of the main playlist, and the play session.
    func playlist(
      subtitle: Int, container: String = "ts"
    ) async throws -> (base: String, lines: [String], session: String) {
      let item = server.items[0].id
      let profile =
        NegotiationTests.burningProfile.replacing("\"ts\"", with: "\"\(container)\"")
      let info = try await json(
        .post, "/Items/\(item)/PlaybackInfo",
        """
        {"UserId":"\(user)","MediaSourceId":"\(item)","SubtitleStreamIndex":\(subtitle),
        "EnableDirectPlay":false,"AllowVideoStreamCopy":false,\(profile)}
        """)
      let url = try #require(info["MediaSources"]?.elements.first?["TranscodingUrl"]?.text)
      let base = String(url.prefix(upTo: try #require(url.firstRange(of: "master")).lowerBound))
      let master = String(decoding: try await send(.get, url).body, as: UTF8.self)
      let main = try #require(master.split(separator: "\n").first { !$0.hasPrefix("#") })
      let text = String(decoding: try await send(.get, base + main).body, as: UTF8.self)
      return (
        base, text.split(separator: "\n").map(String.init),
        try #require(info["PlaySessionId"]?.text)
      )
    }
  }

  /// Times of the frames, and for each the mean of the luma where the bar is drawn.
  private func look(_ bytes: [UInt8]) async throws -> [(time: Double, luma: Double)] {
    let folder = try TemporaryFolder()
    let path = try folder.write(bytes, to: "segment")
    let times = try await ChildProcess.run(
      "ffprobe",
      ["-v", "error", "-select_streams", "v:0", "-show_entries", "frame=pts_time", "-of"]
        + ["default=nk=1:nw=1", path])
    let frames = try await ChildProcess.run(
      "ffmpeg",
      ["-v", "error", "-i", path, "-vf", "crop=160:20:80:140", "-vsync", "0", "-f", "rawvideo"]
        + ["-pix_fmt", "gray", "pipe:1"])
    let size = 160 * 20
    return times.text.split(separator: "\n").compactMap { Double($0.prefix { $0 != "," }) }
      .enumerated().map { index, time in
        let luma = frames.output.dropFirst(index * size).prefix(size)
        return (time, Double(luma.reduce(0) { $0 + Int($1) }) / Double(max(luma.count, 1)))
      }
  }

  /// Whether the bar is there: white is far above the grey of the film.
  private func isDrawn(_ frames: [(time: Double, luma: Double)], at time: Double) throws -> Bool {
    let frame = try #require(frames.min { abs($0.time - time) < abs($1.time - time) })
    try #require(abs(frame.time - time) < 0.1)
    return frame.luma > 180
  }

  private func segments(_ lines: [String]) -> [String] { lines.filter { !$0.hasPrefix("#") } }

  @Test func `segments show the track, at ten seconds and after a jump`() async throws {
    let session = try await Session()
    let (base, lines, playSession) = try await session.playlist(subtitle: 1)
    let list = segments(lines)
    try #require(list.count == 7)
    let first = try await session.send(.get, base + list[0])
    #expect(first.status == 200)
    let begin = try await look(first.body)
    #expect(abs((begin.first?.time ?? 0) - 10) < 0.09)
    #expect(try !isDrawn(begin, at: 10.5))
    #expect(try isDrawn(begin, at: 11.5))
    #expect(try !isDrawn(begin, at: 12.8))
    let jump = try await look(session.send(.get, base + list[4]).body)
    #expect(abs((jump.first?.time ?? 0) - 22) < 0.09)
    #expect(try !isDrawn(jump, at: 22.5))
    #expect(try isDrawn(jump, at: 23.5))
    #expect(try await session.send(.get, base + list[0]).body == first.body)
    let stop = "/Videos/ActiveEncodings?deviceId=bench-01&playSessionId=\(playSession)"
    #expect(try await session.send(.delete, stop).status == 204)
    await session.server.stop()
  }

  @Test func `a cue that is running when a job starts is not drawn`() async throws {
    let session = try await Session()
    let (base, lines, _) = try await session.playlist(subtitle: 1)
    let frames = try await look(session.send(.get, base + segments(lines)[3]).body)
    #expect(try !isDrawn(frames, at: 19.5))
    let (again, same, _) = try await session.playlist(subtitle: 1)
    var bytes: [UInt8] = []
    for line in segments(same)[2...3] { bytes += try await session.send(.get, again + line).body }
    #expect(try isDrawn(look(bytes), at: 19.5))
    await session.server.stop()
  }

  @Test func `fMP4 starts at zero and has its initialization by itself`() async throws {
    let session = try await Session()
    let (base, lines, _) = try await session.playlist(subtitle: 1, container: "mp4")
    let map = try #require(lines.first { $0.hasPrefix("#EXT-X-MAP") })
    let start = try await session.send(
      .get, base + String(map.split(separator: "\"").dropFirst().first ?? ""))
    #expect(start.body.dropFirst(4).starts(with: Array("ftyp".utf8)))
    let segment = try await session.send(.get, base + segments(lines)[0])
    let frames = try await look(start.body + segment.body)
    #expect((frames.first?.time ?? 9) < 0.09)
    #expect(try isDrawn(frames, at: 1.5))
    await session.server.stop()
  }

  @Test func `a stale index is encoded and shows nothing`() async throws {
    let session = try await Session()
    let (base, lines, _) = try await session.playlist(subtitle: 42)
    let frames = try await look(session.send(.get, base + segments(lines)[0]).body)
    #expect(try !isDrawn(frames, at: 11.5))
    await session.server.stop()
  }

  @Test(arguments: [
    (Fault.ignoreSubtitle, false, false), (.delay(1), false, true), (.delay(-0.6), true, false),
    (.neverClear, true, true), (.partial(1.2), false, false), (.shift(x: 0, y: -60), false, false),
    (.double, true, false),
  ])
  func `faults change the picture`(fault: Fault, during: Bool, after: Bool) async throws {
    let session = try await Session(faults: [fault])
    let (base, lines, _) = try await session.playlist(subtitle: 1)
    let frames = try await look(session.send(.get, base + segments(lines)[0]).body)
    #expect(try isDrawn(frames, at: 11.6) == during)
    #expect(try isDrawn(frames, at: 12.8) == after)
    await session.server.stop()
  }

  @Test func `stale segments give the first track again`() async throws {
    let session = try await Session(faults: [.staleSegments])
    let (base, lines, first) = try await session.playlist(subtitle: 1)
    let drawn = try await session.send(.get, base + segments(lines)[0]).body
    let (again, others, second) = try await session.playlist(subtitle: -1)
    #expect(first == second)
    #expect(try await session.send(.get, again + segments(others)[0]).body == drawn)
    await session.server.stop()
  }

  @Test func `stopping with requests underway ends them`() async throws {
    let session = try await Session()
    let (base, lines, _) = try await session.playlist(subtitle: 1)
    let list = segments(lines)
    await withTaskGroup(of: Void.self) { group in
      for line in list { group.addTask { _ = try? await session.send(.get, base + line) } }
      group.addTask { await session.server.stop() }
    }
    await #expect(throws: HTTPFault.self) { try await session.send(.get, "/System/Info/Public") }
  }

  @Test func `a port that is taken and files that are no films are refused`() async throws {
    let session = try await Session()
    var taken = ReferenceServerConfiguration(files: [])
    taken.port = session.server.port
    let port = await #expect(throws: ReferenceServerError.self) { try await ReferenceServer(taken) }
    #expect(port?.kind == .environment)
    await session.server.stop()
    let folder = try TemporaryFolder()
    let text = try folder.write(Array("no film".utf8), to: "notes.txt")
    for (path, kind) in [
      (folder.file("absent.mkv"), ReferenceServerError.Kind.missingFile), (text, .noFilm),
      (folder.path, .missingFile),
    ] {
      let error = await #expect(throws: ReferenceServerError.self) {
        try await ReferenceServer(ReferenceServerConfiguration(files: [path]))
      }
      #expect(error?.kind == kind)
      #expect(error?.description.contains(path) == true)
    }
  }
}

/// A PGS track with one white bar of 160x20 at 80,140 on a canvas of 320x180.
private enum BarTrack {
  static func show(at seconds: Double) -> [UInt8] {
    // Size, frame rate, number, epoch start, no palette update, palette 0, one object: its id,
    // window, flags and place.
    let composition: [UInt8] =
      [1, 64, 0, 180, 0x10, 0, 0, 0x80, 0, 0, 1] + [0, 0, 0, 0, 0, 80, 0, 140]
    let palette: [UInt8] = [0, 0] + [1, 235, 128, 128, 255]
    // A run of 160 pixels of colour 1, and the end of the line.
    let lines = [[UInt8]](repeating: [0, 0xC0, 160, 1, 0, 0], count: 20).flatMap { $0 }
    let length = lines.count + 4
    let object: [UInt8] =
      [0, 0, 0, 0xC0, 0, UInt8(length >> 8), UInt8(length & 255), 0, 160, 0, 20] + lines
    return segment(0x16, seconds, composition) + segment(0x17, seconds, window)
      + segment(0x14, seconds, palette) + segment(0x15, seconds, object)
      + segment(0x80, seconds, [])
  }

  static func clear(at seconds: Double) -> [UInt8] {
    segment(0x16, seconds, [1, 64, 0, 180, 0x10, 0, 1, 0, 0, 0, 0])
      + segment(0x17, seconds, window) + segment(0x80, seconds, [])
  }

  private static let window: [UInt8] = [1, 0, 0, 80, 0, 140, 0, 160, 0, 20]

  private static func segment(_ kind: UInt8, _ seconds: Double, _ payload: [UInt8]) -> [UInt8] {
    let ticks = UInt32(seconds * 90_000)
    let time = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: ticks >> $0) }
    return [0x50, 0x47] + time + [0, 0, 0, 0, kind, UInt8(payload.count >> 8)]
      + [UInt8(payload.count & 255)] + payload
  }
}
