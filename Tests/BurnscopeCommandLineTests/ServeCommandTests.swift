// SPDX-License-Identifier: Apache-2.0
import ChildProcess
import HTTPTransport
import TestSupport
import Testing

/// The built program's `serve`: servers by name, recording and replaying.
struct ServeCommandTests {
  private func film(in folder: TemporaryFolder) async throws -> String {
    let path = folder.file("film.mkv")
    let result = try await ChildProcess.run(
      "ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "color=s=64x64:d=1", path])
    try #require(result.status == 0, "\(result.errors)")
    return path
  }

  private func get(_ url: String) async throws -> (status: Int, text: String) {
    let reply = try await HTTPClient().send(HTTPRequest(.get, url, limits: .segment))
    return (reply.status, String(decoding: reply.body, as: UTF8.self))
  }

  @Test(arguments: [
    ("jellyfin-10.8", "\"Version\":\"10.8.13\""), ("jellyfin-12", "\"Version\":\"12.0.0\""),
    ("emby-4.9", "\"Version\":\"4.9.5.0\""),
  ])
  func `a server is chosen by its name`(name: String, version: String) async throws {
    let folder = try TemporaryFolder()
    try await serving([film(in: folder)], ["--as", name]) { server in
      let answer = try await get(server.address + "/System/Info/Public")
      #expect(answer.text.contains(version))
    }
  }

  @Test func `files beside a link to a film are the film's, as in a library of links`()
    async throws
  {
    let (store, library) = (try TemporaryFolder(), try TemporaryFolder())
    let film = try await film(in: store)
    let link = library.file("Linked.mkv")
    let made = try await ChildProcess.run("ln", ["-s", film, link])
    try #require(made.status == 0, "\(made.errors)")
    _ = try library.write(
      Array("1\n00:00:01,000 --> 00:00:02,000\nHi\n".utf8), to: "Linked.en.srt")
    let answer = try await serving(
      [link], environment: ["BURNSCOPE_SERVE_TOKEN=key"]
    ) { server in
      try await get("\(server.address)/Items/\(server.items[0])/PlaybackInfo?ApiKey=key")
    }
    #expect(answer.status == 200)
    #expect(answer.text.contains("\"Path\":\"\(library.file("Linked.en.srt"))\""))
    // `probe` counts by the same rule.
    let probed = try await BuiltProgram.run(["probe", link, "--server-order", "jellyfin"])
    #expect(probed.text.contains("Linked.en.srt"))
  }

  @Test func `a full disk under the log is told once and nothing ends`() async throws {
    let folder = try TemporaryFolder()
    let server = try ServedFilm([try await film(in: folder)], ["--log", "/dev/full"])
    let first = try? await get(server.address + "/System/Info/Public")
    let second = try? await get(server.address + "/System/Info/Public")
    await server.stop()
    #expect(first?.status == 200 && second?.status == 200)
    let told = await server.errors().filter { $0.hasPrefix("Warning:") }
    #expect(
      told == [
        "Warning: the log '/dev/full' cannot be written: No space left on device; lines are missing."
      ])
  }

  @Test func `what was recorded comes back without films, and holds no key`() async throws {
    let folder = try TemporaryFolder()
    let exchanges = folder.file("exchanges")
    let secret = "5d41402abc4b2a76b9719d911017c592"
    let path = "/Items?recursive=true&ApiKey="
    let asked = try await serving(
      [film(in: folder)], ["--record", exchanges], environment: ["BURNSCOPE_SERVE_TOKEN=\(secret)"]
    ) { server in
      try await get(server.address + path + secret)
    }
    #expect(asked.status == 200)
    let file = String(decoding: try folder.read("exchanges/000001.json"), as: UTF8.self)
    #expect(!file.contains(secret))
    #expect(file.contains("&ApiKey=TOKEN"))
    let server = try ServedFilm([], ["--replay", exchanges])
    let same = try? await get(server.address + path + "other")
    let other = try? await get(server.address + "/Items?recursive=false")
    await server.stop()
    #expect(same?.status == 200)
    #expect(same?.text == asked.text)
    #expect(other?.status == 501)
    #expect(other?.text.contains("these parameters differ: recursive") == true)
  }

  @Test func `a recording that is none is refused`() async throws {
    let folder = try TemporaryFolder()
    try await FailingRun(["serve", "--replay", folder.file("absent")]).expect(
      66, saying: ["absent"])
    _ = try folder.write(Array("{}".utf8), to: "000001.json")
    try await FailingRun(["serve", "--replay", folder.path]).expect(
      65, saying: ["000001.json", "no recorded exchange"])
  }
}
