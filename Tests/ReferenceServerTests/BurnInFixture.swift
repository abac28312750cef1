// SPDX-License-Identifier: Apache-2.0
import ChildProcess
import HTTPTransport
import ReferenceServer
import TestSupport
import Testing

/// A signed-in client of a running server.
struct BurnInSession {
  static let film = Task {
    let folder = try TemporaryFolder()
    var track: [UInt8] = []
    for (start, end) in [(1.0, 2.5), (7.0, 10.5), (13.0, 14.0)] {
      track += BarTrack.show(at: start) + BarTrack.clear(at: end)
    }
    let result = try await ChildProcess.run(
      "ffmpeg",
      ["-v", "error", "-copyts", "-f", "lavfi", "-i", "color=0x606060:s=320x180:r=24:d=20", "-i"]
        + [try folder.write(track, to: "bar.sup"), "-c:v", "libx264", "-preset", "ultrafast"]
        + [
          "-pix_fmt", "yuv420p", "-g", "24", "-c:s", "copy", "-cluster_time_limit", "500",
          folder.file("film.mkv"),
        ])
    try #require(result.status == 0, "\(result.errors)")
    return folder
  }

  let server: ReferenceServer
  let client = HTTPClient()
  var token = ""
  var user = ""

  /// Serves a film as a server of this name does; nil serves the one with the track inside.
  init(_ name: String = "jellyfin-10.11", film: String? = nil, faults: [Fault] = []) async throws {
    let standard = try await Self.film.value.file("film.mkv")
    var configuration = ReferenceServerConfiguration(files: [film ?? standard])
    configuration.version = Fixtures.server(name)
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
    let isEmby = server.items[0].id.utf8.count < 32
    let source = isEmby ? "mediasource_" + item : item
    let profile =
      NegotiationTests.burningProfile.replacing("\"ts\"", with: "\"\(container)\"")
    let info = try await json(
      .post, "/Items/\(item)/PlaybackInfo",
      """
      {"UserId":"\(user)","MediaSourceId":"\(source)","SubtitleStreamIndex":\(subtitle),
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

/// Looks at segments of the film.
enum Segment {
  /// Times of the frames, and for each the mean of the luma where the bar is drawn.
  static func look(_ bytes: [UInt8]) async throws -> [(time: Double, luma: Double)] {
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
  static func isDrawn(_ frames: [(time: Double, luma: Double)], at time: Double) throws -> Bool {
    let frame = try #require(frames.min { abs($0.time - time) < abs($1.time - time) })
    try #require(abs(frame.time - time) < 0.1)
    return frame.luma > 180
  }
}

/// A PGS track with one white bar of 160x20 at 80,140 on a canvas of 320x180.
enum BarTrack {
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
