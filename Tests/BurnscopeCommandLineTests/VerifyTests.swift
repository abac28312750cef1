// SPDX-License-Identifier: Apache-2.0
import ChildProcess
import TestSupport
import Testing

/// The built program against the stand-in server: every verdict from a real transcode.
@Suite(.serialized) struct VerifyTests {
  typealias Track = VerifyFixture.Track

  /// Serves a film with faults, lets `body` ask it, and stops it whatever happens.
  private func served<Result>(
    _ film: String, _ options: [String] = [],
    _ body: (ServedFilm) async throws -> Result
  ) async throws -> Result {
    let server = try ServedFilm([film], ["--preset", "ultrafast"] + options)
    do {
      let result = try await body(server)
      await server.stop()
      return result
    } catch {
      await server.stop()
      throw error
    }
  }

  private func verify(
    _ server: ServedFilm, _ film: String, _ track: Track, _ options: [String] = []
  ) async throws -> VerifyRun {
    try await VerifyRun(
      [
        "--server", server.address, "--item", server.items[0], "--track", "\(track.rawValue)",
        "--source", film,
      ] + options)
  }

  struct Right: CustomTestStringConvertible {
    var track: Track
    var height: Int
    var container: String
    var testDescription: String { "\(track) at \(height) lines in \(container)" }
  }

  @Test(arguments: [
    Right(track: .english, height: 720, container: "ts"),
    Right(track: .french, height: 480, container: "mp4"),
    Right(track: .hearing, height: 480, container: "ts"),
    Right(track: .german, height: 240, container: "ts"),
    Right(track: .spanish, height: 240, container: "mp4"),
  ])
  func `the right track is burned in`(right: Right) async throws {
    let fixture = try await VerifyFixture.shared()
    let run = try await served(fixture.film) { server in
      try await verify(
        server, fixture.film, right.track,
        ["--max-height", "\(right.height)", "--container", right.container])
    }
    #expect(run.output.verdict == "burned-in", "\(run.output.reason) \(run.output.flags)")
    #expect(run.status == 0)
    #expect(run.output.asked == right.track.name)
    #expect(run.output.drawn == [right.track.name])
    #expect(run.output.mode == "source")
    // Of a DVB track the server does not know the size; FFmpeg then stretches it to the frame.
    #expect(run.output.layout == (right.track == .spanish ? "jellyfin-10.8" : "jellyfin"))
    #expect(run.output.cues.passed >= 3 && run.output.cues.failed == 0)
    #expect(run.output.rivals.count == 6)
    #expect((run.output.fetch?.windows ?? 99) <= 16)
  }

  struct Fault: CustomTestStringConvertible {
    var options: [String]
    var verdict: String
    var flags: [String] = []
    var drawn: [String] = []
    var testDescription: String { options.joined(separator: " ") }
  }

  @Test(arguments: [
    Fault(options: ["--fault", "ignore-subtitle"], verdict: "not-burned"),
    Fault(options: ["--fault", "copy-video"], verdict: "not-burned"),
    Fault(
      options: ["--fault", "wrong-track=6"], verdict: "wrong-track", drawn: [Track.french.name]),
    Fault(
      options: ["--fault", "wrong-track=4"], verdict: "wrong-track", drawn: [Track.hearing.name]),
    Fault(
      options: ["--fault", "wrong-track=7"], verdict: "wrong-track", drawn: [Track.german.name]),
    Fault(
      options: ["--fault", "delay=3"], verdict: "wrong-time", flags: ["late"],
      drawn: [Track.english.name]),
    Fault(
      options: ["--fault", "delay=0.5"], verdict: "wrong-time", flags: ["late"],
      drawn: [Track.english.name]),
    Fault(
      options: ["--fault", "shift=60,-40"], verdict: "wrong-geometry", drawn: [Track.english.name]),
    Fault(
      options: ["--fault", "never-clear"], verdict: "flawed", flags: ["stuck"],
      drawn: [Track.english.name]),
    Fault(
      options: ["--fault", "double"], verdict: "flawed", flags: ["double"],
      drawn: [Track.english.name]),
    Fault(
      options: ["--fault", "dim=0.5"], verdict: "flawed", flags: ["faint"],
      drawn: [Track.english.name]),
  ])
  func `each fault has its verdict`(fault: Fault) async throws {
    let fixture = try await VerifyFixture.shared()
    let run = try await served(fixture.film, fault.options) { server in
      try await verify(server, fixture.film, .english, ["--max-height", "480"])
    }
    #expect(run.output.verdict == fault.verdict, "\(run.output.reason) \(run.output.flags)")
    #expect(run.output.drawn == fault.drawn)
    #expect(run.status == 1)
    for flag in fault.flags { #expect(run.output.flags.contains(flag), "\(run.output.flags)") }
  }

  @Test func `a burn that stops half-way is not burned in`() async throws {
    let fixture = try await VerifyFixture.shared()
    let run = try await served(fixture.film, ["--fault", "partial=16"]) { server in
      try await verify(server, fixture.film, .french, ["--max-height", "240"])
    }
    #expect(["flawed", "cannot-decide"].contains(run.output.verdict), "\(run.output.reason)")
    #expect(run.status != 0)
  }

  @Test func `a missing segment is a note, not a failure, and no query is told`() async throws {
    let fixture = try await VerifyFixture.shared()
    let run = try await served(fixture.film, ["--fault", "missing-segment=5"]) { server in
      try await verify(server, fixture.film, .french, ["--max-height", "240"])
    }
    #expect(run.output.verdict == "burned-in", "\(run.output.reason)")
    #expect(run.output.notes.contains { $0.contains("503") })
    #expect(!run.output.notes.contains { $0.contains("?") || $0.contains("PlaySessionId") })
  }

  @Test func `a track on another canvas, stretched and drawn besides, is not missed`() async throws
  {
    let fixture = try await VerifyFixture.shared()
    let (film, drawnUpon) = try await fixture.filmAndDrawnUpon()
    let run = try await served(drawnUpon) { server in
      try await verify(server, film, .english, ["--max-height", "480"])
    }
    #expect(run.output.verdict == "flawed", "\(run.output.reason)")
    #expect(run.output.flags == ["also-drawn"])
    #expect(run.output.drawn == ["0:s:0", "0:s:1"])
    #expect(run.output.layout == "jellyfin")
  }

  @Test func `a track in a file beside the film is verified, and can be drawn instead`()
    async throws
  {
    let fixture = try await VerifyFixture.shared()
    let film = try await fixture.filmBesideFile()
    // The file beside it is stream 0, then come picture and sound; English is stream 3.
    let right = try await served(film) { server in
      try await VerifyRun([
        "--server", server.address, "--item", server.items[0], "--track", "0", "--source", film,
        "--max-height", "240",
      ])
    }
    #expect(right.output.verdict == "burned-in", "\(right.output.reason)")
    #expect(right.output.drawn == ["beside.fr.sup"])
    #expect(right.output.rivals.map(\.track) == ["0:s:0"])

    let wrong = try await served(film, ["--fault", "wrong-track=0"]) { server in
      try await VerifyRun([
        "--server", server.address, "--item", server.items[0], "--track", "3", "--source", film,
        "--max-height", "240",
      ])
    }
    #expect(wrong.output.verdict == "wrong-track", "\(wrong.output.reason)")
    #expect(wrong.output.asked == "0:s:0" && wrong.output.drawn == ["beside.fr.sup"])
  }

  @Test func `files that are not at hand are named as not excluded`() async throws {
    let fixture = try await VerifyFixture.shared()
    let film = try await fixture.filmBesideFile()
    let run = try await served(film) { server in
      try await VerifyRun([
        "--server", server.address, "--item", server.items[0], "--track", "3", "--max-height",
        "240",
      ])
    }
    #expect(run.output.verdict == "burned-in", "\(run.output.reason)")
    #expect(run.output.notes.contains { $0.contains("streams 0 lie in files of their own") })
  }

  @Test func `a session used again shows the old track`() async throws {
    let fixture = try await VerifyFixture.shared()
    try await served(fixture.film, ["--fault", "stale-segments"]) { server in
      let options = ["--max-height", "240", "--device-id", "one-device"]
      let first = try await verify(server, fixture.film, .french, options)
      #expect(first.output.verdict == "burned-in", "\(first.output.reason)")
      let second = try await verify(server, fixture.film, .german, options)
      #expect(second.output.verdict == "wrong-track", "\(second.output.reason)")
      #expect(second.output.drawn == [Track.french.name])
    }
  }

  @Test func `a window too short cannot be decided`() async throws {
    let fixture = try await VerifyFixture.shared()
    let run = try await served(fixture.film) { server in
      try await verify(
        server, fixture.film, .english, ["--max-height", "240", "--from", "10", "--to", "00:15.5"])
    }
    #expect(run.output.verdict == "cannot-decide", "\(run.output.reason)")
    #expect(run.status == 2)
  }

  @Test func `equal tracks are one of equals, and a twin of few cues is named`() async throws {
    let fixture = try await VerifyFixture.shared()
    let film = try await fixture.film(of: ["en", "en", "fr"], to: "equal.mkv")
    let run = try await served(film) { server in
      try await verify(server, film, .english, ["--max-height", "240"])
    }
    #expect(run.output.verdict == "one-of-equals", "\(run.output.reason)")
    #expect(run.status == 2)
    #expect(run.output.drawn == ["0:s:0", "0:s:1"])
    #expect(run.output.reason.contains("whole film"))
  }

  @Test func `the layout follows the server's version, and a stated one must be met`() async throws
  {
    let fixture = try await VerifyFixture.shared()
    try await served(fixture.wide, ["--server-version", "10.8.13"]) { server in
      let old = try await verify(server, fixture.wide, .english)
      #expect(old.output.verdict == "burned-in", "\(old.output.reason)")
      #expect(old.output.layout == "jellyfin-10.8")
      let stated = try await verify(server, fixture.wide, .english, ["--layout", "jellyfin"])
      #expect(stated.output.verdict == "wrong-geometry", "\(stated.output.reason)")
      #expect(stated.status == 1)
    }
  }

  @Test func `without source, version or word the film and the layout are found`() async throws {
    let fixture = try await VerifyFixture.shared()
    try await served(fixture.wide) { server in
      let ranges = try await VerifyRun(
        ["--server", server.address, "--item", server.items[0], "--track", "2"])
      #expect(ranges.output.verdict == "burned-in", "\(ranges.output.reason)")
      #expect(ranges.output.mode == "source")
      let blind = try await verify(server, fixture.wide, .english, ["--blind"])
      #expect(blind.output.verdict == "burned-in", "\(blind.output.reason)")
      #expect(blind.output.mode == "blind")
    }
  }

  @Test func `evidence is three pictures a cue and a report, never overwritten`() async throws {
    let fixture = try await VerifyFixture.shared()
    let folder = try TemporaryFolder()
    let path = folder.file("a/evidence")
    try await served(fixture.wide) { server in
      let run = try await verify(server, fixture.wide, .english, ["--evidence", path])
      let files = try await ChildProcess.run("ls", [path])
      let names = files.text.split(separator: "\n")
      #expect(names.count(where: { $0.hasSuffix("-expected.png") }) == run.output.cues.passed)
      #expect(names.count(where: { $0.hasSuffix(".png") }) == 3 * run.output.cues.passed)
      #expect(names.contains("report.html") && names.contains("result.json"))
      let again = try await ChildProcess.run(
        "env",
        VerifyRun.signIn + [
          BuiltProgram.path, "verify", "--server", server.address, "--item", server.items[0],
          "--track", "2", "--source", fixture.wide, "--evidence", path,
        ])
      #expect(again.status == 1)
      #expect(again.errors.contains("there is evidence already"))
      #expect(run.errors.contains("Evidence is in \(path)/report.html."))
    }
  }
}
