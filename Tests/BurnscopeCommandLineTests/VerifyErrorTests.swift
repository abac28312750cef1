// SPDX-License-Identifier: Apache-2.0
import ChildProcess
import TestSupport
import Testing

/// What goes wrong: one clear line on standard error, the right status, and no secret anywhere.
@Suite(.serialized) struct VerifyErrorTests {
  private static let hls = "http://127.0.0.1:1/a/master.m3u8?ApiKey=\(FailingRun.secret)"
  private static let user = ["BURNSCOPE_USER=burnscope", "BURNSCOPE_PASSWORD=burnscope"]

  private func verify(_ server: String, item: String, track: Int = 2, film: String? = nil)
    async throws -> FailingRun
  {
    try await FailingRun(
      ["verify", "--server", server, "--item", item, "--track", "\(track)"]
        + (film.map { ["--source", $0] } ?? []), environment: Self.user)
  }

  @Test func `a source that is not there, empty, or no media file`() async throws {
    let folder = try TemporaryFolder()
    let missing = folder.file("missing.mkv")
    let empty = try folder.write([], to: "empty.mkv")
    let text = try folder.write(Array("no film, but a text\n".utf8), to: "text.mkv")
    let arguments = { ["verify", "--hls", Self.hls, "--track", "s:0", "--source", $0] }
    try await FailingRun(arguments(missing)).expect(66, saying: [missing, "no such file"])
    try await FailingRun(arguments(empty)).expect(65, saying: [empty, "empty"])
    try await FailingRun(arguments(text)).expect(65, saying: [text, "is not a media file"])
    for command in [["probe"], ["render", "--track", "s:0", "--at", "1", "--output", "x.png"]] {
      try await FailingRun(command + [missing]).expect(66, saying: [missing])
      try await FailingRun(command + [text]).expect(65, saying: [text])
    }
    try await FailingRun(["serve", missing]).expect(66, saying: [missing])
    try await FailingRun(["serve", text]).expect(65, saying: [text])
    let script = folder.file("missing.json")
    try await FailingRun(["author", script, "--output", folder.file("o.sup")])
      .expect(66, saying: [script])
    try await FailingRun(["author", text, "--output", folder.file("o.sup")])
      .expect(64, saying: [text])
  }

  @Test func `a film without a bitmap track, and tracks out of range`() async throws {
    let fixture = try await VerifyFixture.shared()
    let bare = fixture.folder.file("low.mkv")
    let run = { (film: String, track: String) in
      try await FailingRun(["verify", "--hls", Self.hls, "--source", film, "--track", track])
    }
    try await run(bare, "s:0").expect(65, saying: [bare, "no bitmap subtitle track"])
    for track in ["s:1", "7", "0", "99999999999"] {
      try await run(fixture.wide, track).expect(
        64, saying: ["there is no subtitle track \(track)", "bitmap tracks are 2 (pgs, eng)"])
    }
    let picture = ["--at", "1", "--output", fixture.folder.file("x.png")]
    try await FailingRun(["render", fixture.wide, "--track", "s:4"] + picture)
      .expect(64, saying: ["there is no subtitle track s:4"])
  }

  @Test func `a server that is down`() async throws {
    let fixture = try await VerifyFixture.shared()
    try await FailingRun(["verify", "--hls", Self.hls, "--source", fixture.wide, "--track", "2"])
      .expect(69, saying: ["http://127.0.0.1:1/a/master.m3u8", "cannot be reached"])
    try await FailingRun(
      ["verify", "--server", "http://127.0.0.1:1", "--item", "abc", "--track", "2"]
    ).expect(69, saying: ["http://127.0.0.1:1/System/Info/Public", "cannot be reached"])
  }

  @Test func `refused credentials, with a token, a password and a query`() async throws {
    let fixture = try await VerifyFixture.shared()
    try await serving([fixture.wide]) { server in
      let asked = ["verify", "--server", server.address, "--item", server.items[0]]
      try await FailingRun(asked + ["--track", "2"])
        .expect(77, saying: ["credentials", "401"])
      try await FailingRun(
        asked + ["--track", "2"],
        environment: ["BURNSCOPE_USER=burnscope", "BURNSCOPE_PASSWORD=\(FailingRun.secret)"]
      ).expect(77, saying: ["credentials", "401"])
      let playlist = "/Videos/\(server.items[0])/master.m3u8?ApiKey=\(FailingRun.secret)"
      try await FailingRun(
        [
          "verify", "--hls", server.address + playlist, "--source", fixture.wide, "--track", "2",
        ]
      ).expect(77, saying: ["/master.m3u8", "401"])
      let inAddress = "\(server.address)/?api_key=\(FailingRun.secret)"
      try await FailingRun(["verify", "--server", inAddress, "--item", "1", "--track", "2"])
        .expect(64, saying: ["the server's address"])
    }
    try await serving([fixture.wide], ["--fault", "unauthorized"]) { server in
      try await verify(server.address, item: server.items[0], film: fixture.wide)
        .expect(77, saying: ["401"])
    }
  }

  @Test func `an unknown item and an index that is no subtitle`() async throws {
    let fixture = try await VerifyFixture.shared()
    try await serving([fixture.wide]) { server in
      let unknown = String(repeating: "0", count: 32)
      try await verify(server.address, item: unknown).expect(66, saying: [unknown, "404"])
      for track in [0, 1, 3, 99, -1] {
        try await verify(server.address, item: server.items[0], track: track)
          .expect(64, saying: ["stream \(track) is no subtitle", "subtitle streams are 2"])
      }
    }
  }

  @Test(arguments: [
    ("error=/Items:500", Int32(69), "the server answered 500"),
    ("error=/Videos:500", 69, "the server answered 500"),
    ("error=/Videos:401", 77, "401"),
    ("truncated-playlist", 65, "broken off"),
    ("endless-body", 65, "segment"),
  ])
  func `faults of a server`(fault: String, status: Int32, words: String) async throws {
    let fixture = try await VerifyFixture.shared()
    let log = fixture.folder.file("fault.log")
    _ = try fixture.folder.write([], to: "fault.log")
    try await serving([fixture.wide], ["--fault", fault, "--log", log]) { server in
      let run = try await verify(server.address, item: server.items[0], film: fixture.wide)
      run.expect(status, saying: [words])
    }
    guard fault.hasPrefix("truncated") || fault.hasPrefix("endless") else { return }
    let lines = String(decoding: try fixture.folder.read("fault.log"), as: UTF8.self)
    #expect(lines.contains("DELETE /Videos/ActiveEncodings"), "\(lines)")
    #expect(!lines.contains("burnscope"))
  }

  /// A playlist of three segments at a place.
  private static func playlist(_ segment: String) -> LoopbackServer.Answer {
    let entries = (0..<3).map { "#EXTINF:8,\n\(segment)\($0).ts?ApiKey=\(FailingRun.secret)\n" }
    return LoopbackServer.Answer(
      headers: [("Content-Type", "application/vnd.apple.mpegurl")],
      body: Array(
        ("#EXTM3U\n#EXT-X-TARGETDURATION:8\n#EXT-X-PLAYLIST-TYPE:VOD\n" + entries.joined()
          + "#EXT-X-ENDLIST\n").utf8))
  }

  struct Hostile: CustomTestStringConvertible {
    var name: String
    var segment = "s"
    var answer: LoopbackServer.Answer
    var status: Int32
    var words: String
    var testDescription: String { name }
  }

  private static let garbage = (0..<4000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ 7) }

  @Test(arguments: [
    Hostile(
      name: "segments in the client's own files", segment: "file:///etc/", answer: .text("x"),
      status: 65, words: "only http and https"),
    Hostile(
      name: "segments of garbage", answer: .init(body: Self.garbage), status: 65,
      words: "is no media segment"),
    Hostile(
      name: "segments that say they are a million gigabytes",
      answer: .init(
        headers: [("Content-Length", "1000000000000000")], body: [0x47],
        delivery: .hangAfterHeaders), status: 65, words: "longer than the limit"),
    Hostile(
      name: "segments cut off", answer: .init(body: Self.garbage, delivery: .cut(after: 100)),
      status: 65, words: "/s0.ts"),
    Hostile(
      name: "segments refused", answer: .text("", status: 403), status: 77, words: "403"),
    Hostile(
      name: "segments of a failing server", answer: .text("", status: 500), status: 69,
      words: "500"),
    Hostile(
      name: "segments that lead elsewhere", answer: .redirect("file:///etc/passwd"), status: 69,
      words: "/s0.ts"),
  ])
  func `hostile segments`(hostile: Hostile) async throws {
    let fixture = try await VerifyFixture.shared()
    let server = try LoopbackServer { request in
      request.path.hasSuffix(".m3u8") ? Self.playlist(hostile.segment) : hostile.answer
    }
    defer { server.stop() }
    try await FailingRun(
      [
        "verify", "--hls", "\(server.url)/m.m3u8?ApiKey=\(FailingRun.secret)", "--source",
        fixture.wide, "--track", "2",
      ]
    ).expect(hostile.status, saying: [hostile.words])
  }

  @Test(arguments: [
    ("#EXTM3U\n", Int32(65)), ("", 65), ("<html>no playlist</html>", 65),
    ("#EXTM3U\n#EXTINF:1e308,\na.ts\n#EXT-X-ENDLIST\n", 65),
    ("#EXTM3U\n#EXTINF:4,\na.ts\n", 65),
    ("#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n#EXTINF:4,\na.ts\n#EXT-X-ENDLIST\n", 65),
  ])
  func `texts that are no playlist`(text: String, status: Int32) async throws {
    let fixture = try await VerifyFixture.shared()
    let server = try LoopbackServer { _ in .text(text) }
    defer { server.stop() }
    try await FailingRun(
      [
        "verify", "--hls", "\(server.url)/m.m3u8?ApiKey=\(FailingRun.secret)", "--source",
        fixture.wide, "--track", "2",
      ]
    ).expect(status, saying: ["/m.m3u8"])
  }

  @Test(arguments: [
    "{", "[]", "{\"Version\": 5}",
    "{\"Version\": \"10.11.11\", \"ProductName\": \"Emby Server\"}",
    String(repeating: "[", count: 100_000),
  ])
  func `answers that are none of a Jellyfin server`(text: String) async throws {
    let server = try LoopbackServer { _ in .text(text) }
    defer { server.stop() }
    let run = try await FailingRun([
      "verify", "--server", server.url, "--item", "abc", "--track", "2",
    ])
    #expect([1, 65].contains(run.status), "\(run.errors)")
    run.expect(run.status, saying: [server.url])
  }

  @Test(arguments: ["verify", "negotiate"])
  func `a server without anybody to sign in as`(command: String) async throws {
    let run = try await FailingRun(
      [command, "--server", "http://127.0.0.1:9", "--item", "i", "--track", "2"], environment: [])
    run.expect(77, saying: ["BURNSCOPE_TOKEN", "BURNSCOPE_USER"])
    #expect(!run.errors.contains("Usage"))
  }

  @Test(arguments: [
    ["verify"], ["verify", "--hls", Self.hls, "--track", "2"],
    ["verify", "--hls", Self.hls, "--source", "a.mkv", "--track", "x"],
    ["verify", "--server", "http://h", "--item", "i", "--track", "s:1"],
    ["verify", "--server", "http://h", "--hls", Self.hls, "--track", "1"],
    ["verify", "--hls", Self.hls, "--source", "a.mkv", "--track", "2", "--from", "9", "--to", "8"],
    ["verify", "--hls", Self.hls, "--source", "a.mkv", "--track", "2", "--layout", "nonsense"],
    ["serve", "a.mkv", "--fault", "nonsense"], ["serve", "a.mkv", "--fault", "delay"],
    ["serve", "a.mkv", "--port", "70000"],
  ])
  func `command lines that make no sense`(words: [String]) async throws {
    let run = try await FailingRun(words)
    #expect(run.status == 64)
    #expect(run.errors.hasPrefix("Error: ") && run.output.isEmpty)
    #expect(!run.errors.contains("secret"))
  }
}
