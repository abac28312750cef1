// SPDX-License-Identifier: Apache-2.0
import ChildProcess
import HTTPTransport
import ReferenceServer
import TestSupport
import Testing

/// What differs between the servers once something is encoded; the film is that of `BurnInTests`.
@Suite(.serialized)
struct BurnInDialectTests {
  private func segments(_ lines: [String]) -> [String] { lines.filter { !$0.hasPrefix("#") } }

  /// A segment's address with another value of a parameter.
  private func changed(_ address: String, _ name: String, _ value: Int) throws -> String {
    let parts = address.split(separator: "&").map { item in
      item.hasPrefix(name + "=") ? "\(name)=\(value)" : String(item)
    }
    let text = parts.joined(separator: "&")
    try #require(text != address)
    return text
  }

  @Test func `Emby burns in, tells its steps, and begins near ten seconds`() async throws {
    let session = try await BurnInSession("emby-4.9")
    let (base, lines, playSession) = try await session.playlist(subtitle: 1)
    let list = segments(lines)
    try #require(list.count == 7)
    let first = try await Segment.look(session.send(.get, base + list[0]).body)
    #expect(abs((first.first?.time ?? 0) - 10) < 0.09)
    #expect(try !Segment.isDrawn(first, at: 10.5))
    #expect(try Segment.isDrawn(first, at: 11.5))
    let jump = try await Segment.look(session.send(.get, base + list[4]).body)
    #expect(abs((jump.first?.time ?? 0) - 22) < 0.09)
    #expect(try Segment.isDrawn(jump, at: 23.5))
    let stop = "/Videos/ActiveEncodings/Delete?DeviceId=bench-01&PlaySessionId=\(playSession)"
    #expect(try await session.send(.post, stop).status == 204)
    await session.server.stop()
  }

  @Test func `10 a session asked for another track gives old segments, but not from Emby`()
    async throws
  {
    for (name, isStale) in [("jellyfin-10.11", true), ("emby-4.9", false)] {
      let session = try await BurnInSession(name)
      let (base, lines, playSession) = try await session.playlist(subtitle: 1)
      let address = base + segments(lines)[0]
      #expect(try await Segment.isDrawn(Segment.look(session.send(.get, address).body), at: 11.5))
      var other = address
      if isStale {
        other = try changed(address, "SubtitleStreamIndex", 42)
      } else {
        let query =
          "?PlaySessionId=\(playSession)&VideoCodec=h264&SubtitleStreamIndex=42"
          + "&SubtitleMethod=Encode"
        #expect(try await session.send(.get, base + "main.m3u8" + query).status == 200)
      }
      let again = try await Segment.look(session.send(.get, other).body)
      #expect(try Segment.isDrawn(again, at: 11.5) == isStale)
      await session.server.stop()
    }
  }

  @Test func `21 the ticks in an address are trusted`() async throws {
    let session = try await BurnInSession()
    let (base, lines, _) = try await session.playlist(subtitle: 1)
    let address = base + segments(lines)[4]
    let frames = try await Segment.look(
      session.send(.get, changed(address, "runtimeTicks", 60_000_000)).body)
    #expect(abs((frames.first?.time ?? 0) - 16) < 0.09)
    await session.server.stop()
  }

  @Test func `22 the initialization starts a job at zero and a far segment another`() async throws {
    let session = try await BurnInSession()
    let (base, lines, _) = try await session.playlist(subtitle: 1, container: "mp4")
    let map = try #require(lines.first { $0.hasPrefix("#EXT-X-MAP") })
    let start = try await session.send(
      .get, base + String(map.split(separator: "\"").dropFirst().first ?? ""))
    let far = try await session.send(.get, base + segments(lines)[6])
    #expect(far.status == 200)
    let frames = try await Segment.look(start.body + far.body)
    #expect(abs((frames.first?.time ?? 0) - 18) < 1.1)
    await session.server.stop()
  }

  @Test func `19 tracks by themselves`() async throws {
    for (name, status) in [("jellyfin-10.9", 500), ("jellyfin-10.11", 200), ("emby-4.9", 500)] {
      let session = try await BurnInSession(name)
      let item = session.server.items[0].id
      let track = "/Videos/\(item)/x/Subtitles/1/0/Stream."
      let answer = try await session.send(.get, track + "pgssub")
      #expect(answer.status == status)
      if status == 200 { #expect(answer.body.starts(with: Array("PG".utf8))) }
      // Any other name goes to the converter of texts and fails.
      #expect(try await session.send(.get, track + "sup").status == 500)
      await session.server.stop()
    }
  }

  /// The film without its track, which lies beside it with its first cue at 7 s, and an .srt.
  private func filmWithFile(_ folder: TemporaryFolder) async throws -> (
    path: String, track: [UInt8]
  ) {
    var track: [UInt8] = []
    for (start, end) in [(7.0, 10.5), (13.0, 14.0)] {
      track += BarTrack.show(at: start) + BarTrack.clear(at: end)
    }
    _ = try folder.write(track, to: "film.en.sup")
    let bar = String(repeating: "\u{2588}", count: 16)
    let text = "1\n00:00:01,000 --> 00:00:02,500\n\(bar)\n\(bar)\n\(bar)\n"
    _ = try folder.write(Array(text.utf8), to: "film.it's [new], odd.srt")
    let inside = try await BurnInSession.film.value.file("film.mkv")
    let result = try await ChildProcess.run(
      "ffmpeg",
      ["-v", "error", "-i", inside, "-map", "0:v", "-c", "copy", folder.file("film.mkv")])
    try #require(result.status == 0, "\(result.errors)")
    return (folder.file("film.mkv"), track)
  }

  @Test func `13 a track of its own file has a hole after a jump as long as its first time`()
    async throws
  {
    let folder = try TemporaryFolder()
    let (path, _) = try await filmWithFile(folder)
    let session = try await BurnInSession(film: path)
    let (base, lines, _) = try await session.playlist(subtitle: 0)
    let list = segments(lines)
    // From the start all is there.
    var bytes: [UInt8] = []
    for line in list[0...4] { bytes += try await session.send(.get, base + line).body }
    #expect(try await Segment.isDrawn(Segment.look(bytes), at: 23.5))
    // A jump to 12 s reads the file from 19 s on.
    let (again, others, _) = try await session.playlist(subtitle: 0)
    let jump = try await Segment.look(session.send(.get, again + segments(others)[4]).body)
    #expect(try !Segment.isDrawn(jump, at: 23.5))
    await session.server.stop()
  }

  @Test func `19 the file of a track comes spoiled from 10 11 and whole from 12`() async throws {
    let folder = try TemporaryFolder()
    let (path, track) = try await filmWithFile(folder)
    for (name, isWhole) in [("jellyfin-10.11", false), ("jellyfin-12", true)] {
      let session = try await BurnInSession(name, film: path)
      let item = session.server.items[0].id
      let answer = try await session.send(
        .get, "/Videos/\(item)/\(item)/Subtitles/0/Stream.pgssub")
      #expect(answer.status == 200)
      // Presentation times stand in both; decoding times need not.
      #expect((answer.body.count == track.count) == isWhole)
      await session.server.stop()
    }
  }

  @Test func `a text is drawn too, whatever its file is called`() async throws {
    let folder = try TemporaryFolder()
    let (path, _) = try await filmWithFile(folder)
    let session = try await BurnInSession(film: path)
    let (base, lines, _) = try await session.playlist(subtitle: 1)
    let plain = try await Segment.look(session.send(.get, base + segments(lines)[1]).body)
    let drawn = try await Segment.look(session.send(.get, base + segments(lines)[0]).body)
    let before = try #require(plain.first { $0.time > 14 }?.luma)
    let during = try #require(drawn.first { $0.time > 11.5 }?.luma)
    #expect(during > before + 5)
    let item = session.server.items[0].id
    let text = try await session.send(.get, "/Videos/\(item)/\(item)/Subtitles/1/Stream.vtt")
    #expect(text.body.starts(with: [0xEF, 0xBB, 0xBF] + Array("WEBVTT".utf8)))
    await session.server.stop()
  }

  @Test(arguments: [Fault.delay(1), .shift(x: 0, y: -60)])
  func `faults change Emby's picture too`(fault: Fault) async throws {
    let session = try await BurnInSession("emby-4.9", faults: [fault])
    let (base, lines, _) = try await session.playlist(subtitle: 1)
    let frames = try await Segment.look(session.send(.get, base + segments(lines)[0]).body)
    #expect(try !Segment.isDrawn(frames, at: 11.6))
    await session.server.stop()
  }
}
