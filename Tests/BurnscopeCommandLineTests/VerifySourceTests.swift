// SPDX-License-Identifier: Apache-2.0
import ChildProcess
import FoundationEssentials
import HTTPTransport
import TestSupport
import Testing

/// The ways to say what is verified: a playlist's address, the server's own bytes, a subtitle file.
@Suite(.serialized) struct VerifySourceTests {
  typealias Track = VerifyFixture.Track

  /// The address of a transcode that nobody negotiated, as a client of one's own would hold it.
  private func playlist(
    _ server: ServedFilm, _ track: Int, _ more: String = ""
  ) async throws -> String {
    let item = server.items[0]
    return server.address + "/videos/\(item)/master.m3u8?DeviceId=own-client&MediaSourceId=\(item)"
      + "&VideoCodec=h264&AudioCodec=aac&VideoBitrate=20000000&SubtitleStreamIndex=\(track)"
      + "&SubtitleMethod=Encode&PlaySessionId=00112233445566778899aabbccddeeff"
      + "&ApiKey=\(FailingRun.secret)" + more
  }

  /// Serves with a token that is good for addresses.
  private func servingWithKey<Result>(
    _ film: String, _ options: [String] = [], _ body: (ServedFilm) async throws -> Result
  ) async throws -> Result {
    try await serving(
      [film], options, environment: ["BURNSCOPE_SERVE_TOKEN=\(FailingRun.secret)"], body)
  }

  @Test(arguments: [
    // On a frame of another shape than the canvas 10.9 and 10.10 do the same; the later is named.
    ("10.11.11", "jellyfin"), ("10.9.11", "jellyfin"), ("10.8.13", "jellyfin-10.8"),
  ])
  func `an address alone: the layout that fits is named`(version: String, layout: String)
    async throws
  {
    let fixture = try await VerifyFixture.shared()
    try await servingWithKey(fixture.wide, ["--server-version", version]) { server in
      let run = try await VerifyRun([
        "--hls", try await playlist(server, 2), "--source", fixture.wide, "--track", "s:0",
      ])
      #expect(run.output.verdict == "burned-in", "\(run.output.reason)")
      #expect(run.output.layout == layout)
      #expect(!run.errors.contains("secret"))
    }
  }

  @Test func `an address: another track, a stated layout, a subtitle file, an API key`()
    async throws
  {
    let fixture = try await VerifyFixture.shared()
    try await servingWithKey(fixture.film) { server in
      let url = try await playlist(server, Track.french.rawValue, "&MaxHeight=240")
      let wrong = try await VerifyRun([
        "--hls", url, "--source", fixture.film, "--track", "\(Track.german.rawValue)",
      ])
      #expect(wrong.output.verdict == "wrong-track", "\(wrong.output.reason)")
      #expect(wrong.output.drawn == [Track.french.name])
      #expect(wrong.status == 1)
      let sup = fixture.folder.file("fr.sup")
      let text = fixture.folder.file("fr.srt")
      let made = try await BuiltProgram.run(["author", text, "--output", sup, "--force"])
      #expect(made.status == 0, "\(made.errors)")
      let blind = try await VerifyRun(["--hls", url, "--source", sup, "--track", "s:0"])
      #expect(blind.output.verdict == "burned-in", "\(blind.output.reason)")
      #expect(blind.output.mode == "blind")
      #expect(blind.output.notes.contains { $0.contains("no video") })
      let byKey = try await VerifyRun(
        [
          "--server", server.address, "--item", server.items[0], "--track",
          "\(Track.french.rawValue)", "--max-height", "240",
        ], environment: ["BURNSCOPE_TOKEN=\(FailingRun.secret)"])
      #expect(byKey.output.verdict == "burned-in", "\(byKey.output.reason)")
    }
  }

  @Test func `a stated layout that the server does not use is wrong geometry`() async throws {
    let fixture = try await VerifyFixture.shared()
    try await serving([fixture.wide]) { server in
      let run = try await VerifyRun([
        "--server", server.address, "--item", server.items[0], "--track", "2", "--source",
        fixture.wide, "--layout", "jellyfin-10.8",
      ])
      #expect(run.output.verdict == "wrong-geometry", "\(run.output.reason)")
      #expect(run.status == 1)
      #expect(run.output.drawn == ["0:s:0"])
    }
  }

  @Test func `segments of an old session are seen by a client that calls itself anew`()
    async throws
  {
    let fixture = try await VerifyFixture.shared()
    try await serving([fixture.film], ["--fault", "stale-segments"]) { server in
      let asked = { (track: Track) in
        try await VerifyRun([
          "--server", server.address, "--item", server.items[0], "--track", "\(track.rawValue)",
          "--source", fixture.film, "--max-height", "240",
        ])
      }
      #expect(try await asked(.spanish).output.verdict == "burned-in")
      let second = try await asked(.french)
      #expect(second.output.verdict == "wrong-track", "\(second.output.reason)")
      #expect(second.output.drawn == [Track.spanish.name])
    }
  }

  @Test func `cues that come early are wrong in time`() async throws {
    let fixture = try await VerifyFixture.shared()
    try await serving([fixture.film], ["--fault", "delay=-1"]) { server in
      let run = try await VerifyRun([
        "--server", server.address, "--item", server.items[0], "--track",
        "\(Track.french.rawValue)", "--source", fixture.film, "--max-height", "240",
      ])
      #expect(run.output.verdict == "wrong-time", "\(run.output.reason)")
      #expect(run.output.flags.contains("early"), "\(run.output.flags)")
      #expect(run.status == 1)
    }
  }

  @Test(arguments: [("6", "12"), ("20", "26")])
  func `six seconds show nothing for sure`(from: String, to: String) async throws {
    let fixture = try await VerifyFixture.shared()
    try await serving([fixture.film]) { server in
      let asked = { (track: Track) in
        try await VerifyRun([
          "--server", server.address, "--item", server.items[0], "--track", "\(track.rawValue)",
          "--source", fixture.film, "--max-height", "240", "--from", from, "--to", to,
        ])
      }
      for track in [Track.english, .revised] {
        let run = try await asked(track)
        #expect(
          ["cannot-decide", "one-of-equals"].contains(run.output.verdict), "\(run.output.reason)")
        #expect(run.status == 2)
      }
    }
  }

  @Test func `the JSON has its members whatever the verdict`() async throws {
    let fixture = try await VerifyFixture.shared()
    try await serving([fixture.wide], ["--fault", "ignore-subtitle"]) { server in
      let result = try await ChildProcess.run(
        "env",
        VerifyRun.signIn + [
          BuiltProgram.path, "verify", "--json", "--server", server.address, "--item",
          server.items[0], "--track", "2",
        ])
      #expect(result.status == 1)
      for member in ["verdict", "asked", "drawn", "mode", "layout", "cues", "reason", "exitCode"] {
        #expect(result.text.contains("\n  \"\(member)\" : "), "\(member)")
      }
      for member in ["used", "passed", "failed", "void"] {
        #expect(result.text.contains("\n    \"\(member)\" : "), "\(member)")
      }
      #expect(result.text.contains("\"verdict\" : \"not-burned\""))
      #expect(!result.text.contains("?"))
    }
  }
}
