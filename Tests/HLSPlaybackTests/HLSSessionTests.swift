// SPDX-License-Identifier: Apache-2.0
import HLSPlayback
import HTTPTransport
import MediaContainer
import SubtitleModel
import TestSupport
import Testing

private func milliseconds(_ value: Int64) -> Timestamp { Timestamp(milliseconds: value) }

/// Whether each frame found is the one that the film shows then, pixel for pixel.
private func check(
  _ found: WindowFrames, wanted: [Int64], against film: Film,
  from start: Timestamp = .zero
) {
  #expect(found.frames.map(\.wanted) == wanted.map { start + milliseconds($0) })
  for item in found.frames {
    let inside = (item.wanted - start).nanoseconds + 1_000_000
    let number = Int(inside * Int64(Film.rate) / 1_000_000_000)
    let time = start + Timestamp(ticks: Int64(number), numerator: 1, denominator: Int64(Film.rate))
    let error = (item.frame.time - time).milliseconds
    #expect(error == 0, "\(item.wanted)")
    let shown = film.planes.firstIndex(of: item.frame.luma)
    #expect(shown == number, "\(item.wanted)")
  }
}

@Suite("HLS sessions")
struct HLSSessionTests {
  private func open(
    _ server: LoopbackServer, options: HLSOptions = HLSOptions(),
    cancellation: CancellationFlag? = nil
  ) throws -> HLSSession {
    try HLSSession(
      url: server.masterURL, client: HTTPClient(), options: options, cancellation: cancellation)
  }

  @Test(
    "give the frame on screen at a time, as the ffmpeg program decodes it",
    arguments: [Film.Kind.transportStream, .fragments])
  func frames(kind: Film.Kind) async throws {
    let film = try await Film.of(kind)
    #expect(film.planes.count == 576)
    let server = try film.server()
    let session = try open(
      server, options: HLSOptions(headers: [("Authorization", "hidden-token")]))
    #expect(session.playlist.isFragmentedMP4 == (kind == .fragments))
    let wanted: [Int64] = [15_000, 15_020, 15_042, 16_500, 16_999, 17_958, 18_000, 19_990]
    let plan = session.planWindow(covering: milliseconds(15_300)...milliseconds(19_990))
    #expect(plan == WindowPlan(starter: 1, segments: 5...6))
    let found = try session.loadWindow(plan, wanted: wanted.map(milliseconds))
    check(found, wanted: wanted, against: film)
    #expect(found.notes == [])
    #expect(found.offset == milliseconds(kind == .fragments ? 0 : 10_000))
    #expect(server.segmentsAsked == [1, 5, 6].map(film.segmentName))
    #expect(session.statistics.segments == 3)
    #expect(session.statistics.requests == (kind == .fragments ? 6 : 5))
    #expect(session.statistics.bytes > 1000)
    #expect(server.requests.allSatisfy { $0.header("Authorization") == "hidden-token" })
    // The whole film in one window, and its very ends.
    let all: [Int64] = [0, 1, 41, 42, 12_000, 23_959, 23_990]
    check(
      try session.loadWindow(segments: 0...7, wanted: all.map(milliseconds)), wanted: all,
      against: film)
    let beyond = try session.loadWindow(segments: 7...7, wanted: [milliseconds(24_500)])
    #expect(beyond.frames.isEmpty)
  }

  @Test("find the frames where segments begin before or after the playlist's times")
  func shifted() async throws {
    for kind in [Film.Kind.transportStream, .fragments] {
      let film = try await Film.of(kind)
      for duration in [4000, 2000, 3900] {
        let server = try film.server(playlist: film.playlist(firstDuration: duration))
        let session = try open(server)
        let wanted: [Int64] = [9_050, 10_000, 14_900, 15_900]
        let plan = session.planWindow(covering: milliseconds(9_050)...milliseconds(15_900))
        check(
          try session.loadWindow(plan, wanted: wanted.map(milliseconds)), wanted: wanted,
          against: film)
      }
    }
  }

  @Test("measure an unusual offset at segment 0, once")
  func measured() async throws {
    let film = try await Film.of(.plainTransportStream)
    let server = try film.server()
    let session = try open(server)
    let wanted: [Int64] = [12_100, 14_000]
    for _ in 0..<2 {
      let found = try session.loadWindow(segments: 4...4, wanted: wanted.map(milliseconds))
      check(found, wanted: wanted, against: film)
      let offset = try #require(found.offset)
      #expect((1.3...1.6).contains(offset.seconds))
    }
    #expect(server.segmentsAsked == ["4.ts", "0.ts", "4.ts"])
  }

  @Test("follow the clock of MPEG-TS when it turns over")
  func turning() async throws {
    let film = try await Film.of(.turningTransportStream)
    // The segments before are listed and never asked for: 95425 s of them.
    let before = Array(repeating: 3600, count: 26) + [1825]
    let server = try film.server(playlist: film.playlist(before: before))
    let session = try open(server)
    let start = milliseconds(95_425_000)
    let wanted: [Int64] = [7_000, 8_500, 8_750, 10_000, 19_000]
    let found = try session.loadWindow(
      segments: 29...33, wanted: wanted.map { start + milliseconds($0) })
    check(found, wanted: wanted, against: film, from: start)
    // A window that lies wholly behind the turn.
    let later = try open(server).loadWindow(
      segments: 32...33, wanted: [start + milliseconds(16_000)])
    check(later, wanted: [16_000], against: film, from: start)
  }

  @Test("read ranges of one file, by the ffmpeg program's own playlist")
  func ranges() async throws {
    let film = try await Film.of(.ranges)
    let text = String(decoding: try film.folder.read("own.m3u8"), as: UTF8.self)
    let server = try film.server(playlist: text)
    let session = try open(server)
    #expect(session.playlist.segments.allSatisfy { $0.address.range != nil })
    let wanted: [Int64] = [6_100, 8_900, 9_000]
    let found = try session.loadWindow(segments: 2...3, wanted: wanted.map(milliseconds))
    check(found, wanted: wanted, against: film)
  }
}

@Suite("HLS segments that do not come")
struct MissingSegmentTests {
  static let faults: [(String, LoopbackServer.Answer, Int, String)] = [
    ("503", .init(503), 2, "503"), ("404", .init(404), 1, "404"), ("401", .init(401), 1, "401"),
    (
      "cut", .init(body: [UInt8](repeating: 0x47, count: 9000), delivery: .cut(after: 500)), 2,
      "broke off"
    ),
    ("closed", .init(delivery: .closed), 2, "lost"), ("hang", .init(delivery: .hang), 1, "0.4 s"),
    ("endless", .init(body: [UInt8](repeating: 0x47, count: 9000), delivery: .endless), 1, "limit"),
    ("a page", .text("<html>hidden</html>"), 1, "no media segment"),
    ("nothing", .init(), 1, "no media segment"),
    ("a redirect to a file", .redirect("file:///etc/passwd"), 1, "file"),
  ]

  @Test("are left out with a note, and the rest is used", arguments: faults.map(\.0))
  func left(name: String) async throws {
    let row = try #require(Self.faults.first { $0.0 == name })
    for kind in [Film.Kind.transportStream, .fragments] {
      let film = try await Film.of(kind)
      let missing = film.segmentName(5)
      let server = try film.server { $0 == missing ? row.1 : nil }
      var options = HLSOptions(headers: [("Authorization", "hidden-token")])
      options.segmentLimits = HTTPLimits(
        connect: .seconds(5), total: .seconds(20), body: 4 << 20, redirects: 1)
      if name == "hang" { options.segmentLimits.total = .milliseconds(400) }
      let session = try HLSSession(url: server.masterURL, client: HTTPClient(), options: options)
      let wanted: [Int64] = [12_100, 14_900, 16_000, 18_100, 20_000]
      let found = try session.loadWindow(segments: 4...6, wanted: wanted.map(milliseconds))
      check(found, wanted: [12_100, 14_900, 18_100, 20_000], against: film)
      #expect(found.notes.count == 1)
      let note = try #require(found.notes.first)
      #expect(note.contains("segment 5 left out"))
      #expect(note.contains(row.3), "\(note)")
      #expect(!note.contains("hidden"))
      // libcurl itself asks again where a kept connection turns out to be closed.
      let count = server.segmentsAsked.filter { $0 == missing }.count
      #expect(count == row.2 || name == "closed" && count == row.2 + 1)
      // What is no media segment came, but does not count as one.
      #expect(session.statistics.segments == 2)
    }
  }

  @Test("need not be at the start or the end of a window, nor the one started at")
  func places() async throws {
    let film = try await Film.of(.transportStream)
    let server = try film.server { ["1.ts", "4.ts", "6.ts"].contains($0) ? .init(500) : nil }
    let session = try HLSSession(url: server.masterURL, client: HTTPClient())
    let wanted: [Int64] = [13_000, 15_000, 17_900, 18_100]
    let plan = WindowPlan(starter: 1, segments: 4...6)
    let found = try session.loadWindow(plan, wanted: wanted.map(milliseconds))
    check(found, wanted: [15_000, 17_900], against: film)
    #expect(found.notes.count == 3)
    #expect(session.statistics.missingSegments == 3)
  }

  @Test("may be all of them")
  func all() async throws {
    let film = try await Film.of(.fragments)
    for name in ["init.mp4", "4.mp4"] {
      let server = try film.server { $0 == name ? .init(500) : nil }
      let session = try HLSSession(url: server.masterURL, client: HTTPClient())
      let found = try session.loadWindow(segments: 4...4, wanted: [milliseconds(13_000)])
      #expect(found.frames.isEmpty)
      #expect(found.notes.count == 1)
      #expect(found.offset == nil)
    }
  }

  @Test("that are damaged inside give the frames that can be decoded")
  func damaged() async throws {
    let film = try await Film.of(.transportStream)
    var bytes = try film.folder.read("5.ts")
    for index in stride(from: 400, to: bytes.count, by: 7) { bytes[index] = UInt8(index & 255) }
    let broken = bytes
    let server = try film.server { $0 == "5.ts" ? .init(body: broken) : nil }
    let session = try HLSSession(url: server.masterURL, client: HTTPClient())
    let wanted = [milliseconds(13_000), milliseconds(16_000), milliseconds(19_500)]
    let found = try session.loadWindow(segments: 4...6, wanted: wanted)
    #expect(found.frames.first?.wanted == wanted[0])
    #expect(found.frames.last?.wanted == wanted[2])
  }
}

@Suite("HLS sessions that cannot be opened")
struct UnopenedSessionTests {
  @Test("say why in one sentence without a secret")
  func faults() async throws {
    let film = try await Film.of(.transportStream)
    let table: [(String, LoopbackServer.Answer, HLSFault.Kind)] = [
      ("master.m3u8", .init(401), .status(401)), ("master.m3u8", .init(500), .status(500)),
      ("main.m3u8", .init(404), .status(404)), ("main.m3u8", .text("<html>hidden"), .malformed),
      ("master.m3u8", .text("#EXTM3U\n#EXTINF:3\n0.ts?hidden\n"), .incomplete),
      (
        "main.m3u8", .text("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nmain.m3u8?hidden\n"),
        .malformed
      ),
      ("main.m3u8", .init(delivery: .closed), .transport(.unreachable)),
      (
        "main.m3u8", .init(body: [65], delivery: .endless),
        .transport(.tooLarge(limit: 100_000))
      ),
      ("main.m3u8", .redirect("file:///etc/passwd?hidden"), .transport(.redirect)),
    ]
    for (name, answer, kind) in table {
      let server = try film.server { $0 == name ? answer : nil }
      var options = HLSOptions(headers: [("Authorization", "hidden-token")])
      options.playlistLimits.body = 100_000
      let fault = #expect(throws: HLSFault.self) {
        try HLSSession(url: server.masterURL, client: HTTPClient(), options: options)
      }
      #expect(fault?.kind == kind)
      #expect(fault?.description.contains("hidden") == false)
      #expect(fault?.description.contains("\n") == false)
    }
  }

  @Test("send no credentials to another origin")
  func otherOrigin() async throws {
    let film = try await Film.of(.transportStream)
    let other = try film.server()
    let text = film.playlist().replacing("\n4.ts", with: "\n\(other.url)/videos/4.ts")
    let server = try film.server(playlist: text)
    let options = HLSOptions(headers: [("Authorization", "hidden-token")])
    let session = try HLSSession(url: server.masterURL, client: HTTPClient(), options: options)
    let found = try session.loadWindow(segments: 3...4, wanted: [milliseconds(13_000)])
    #expect(found.frames.count == 1)
    #expect(other.requests.map { $0.header("Authorization") } == [nil])
    #expect(server.requests.allSatisfy { $0.header("Authorization") == "hidden-token" })
  }

  @Test("refuse windows and times that make no sense")
  func nonsense() async throws {
    let film = try await Film.of(.transportStream)
    let server = try film.server()
    let session = try HLSSession(url: server.masterURL, client: HTTPClient())
    for plan in [
      WindowPlan(starter: nil, segments: 0...8), WindowPlan(starter: 9, segments: 0...1),
      WindowPlan(starter: nil, segments: -1...1),
    ] {
      #expect(throws: HLSFault.self) { try session.loadWindow(plan, wanted: []) }
    }
    let backwards = [milliseconds(2), milliseconds(1)]
    #expect(throws: HLSFault.self) { try session.loadWindow(segments: 0...0, wanted: backwards) }
    let many = Array(repeating: Timestamp.zero, count: 513)
    #expect(throws: HLSFault.self) { try session.loadWindow(segments: 0...0, wanted: many) }
  }

  @Test(
    "end early when cancelled, wherever they are",
    arguments: ["master.m3u8", "main.m3u8", "4.ts", ""])
  func cancellation(place: String) async throws {
    let film = try await Film.of(.transportStream)
    let flag = CancellationFlag()
    let server = try film.server { name in
      guard name == place else { return nil }
      flag.cancel()
      return .init(delivery: .hang)
    }
    if place.isEmpty { flag.cancel() }
    let start = ContinuousClock.now
    #expect(throws: CancellationError.self) {
      let session = try HLSSession(
        url: server.masterURL, client: HTTPClient(), cancellation: flag)
      _ = try session.loadWindow(segments: 3...5, wanted: [milliseconds(13_000)])
    }
    #expect(ContinuousClock.now - start < .seconds(5))
  }
}
