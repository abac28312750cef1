// SPDX-License-Identifier: Apache-2.0
import ChildProcess
import HTTPTransport
import ReferenceServer
import TestSupport
import Testing

/// The server on a real port with a film made for the purpose.
///
/// The film is grey, 320x180, 24 fps, 20 s, a key frame each second, with a PGS track that shows a
/// white bar at 1 to 2.5, 7 to 10.5 and 13 to 14 s. Its clusters are short, since a reader that
/// seeks begins at a cluster.
@Suite(.serialized)
struct BurnInTests {
  private typealias Session = BurnInSession

  private func segments(_ lines: [String]) -> [String] { lines.filter { !$0.hasPrefix("#") } }

  @Test func `a wrong track that no film has is refused at the start`() async throws {
    // The film has a video stream, 0, and a track, 1.
    for index in [0, 9] {
      let error = await #expect(throws: ReferenceServerError.self) {
        _ = try await BurnInSession(faults: [.wrongTrack(index)])
      }
      #expect(
        error?.description
          == "The fault 'wrong-track=\(index)' names no subtitle stream; by the server's index "
          + "there are: 1.")
    }
  }

  @Test func `segments show the track, at ten seconds and after a jump`() async throws {
    let session = try await Session()
    let (base, lines, playSession) = try await session.playlist(subtitle: 1)
    let list = segments(lines)
    try #require(list.count == 7)
    let first = try await session.send(.get, base + list[0])
    #expect(first.status == 200)
    let begin = try await Segment.look(first.body)
    #expect(abs((begin.first?.time ?? 0) - 10) < 0.09)
    #expect(try !Segment.isDrawn(begin, at: 10.5))
    #expect(try Segment.isDrawn(begin, at: 11.5))
    #expect(try !Segment.isDrawn(begin, at: 12.8))
    let jump = try await Segment.look(session.send(.get, base + list[4]).body)
    #expect(abs((jump.first?.time ?? 0) - 22) < 0.09)
    #expect(try !Segment.isDrawn(jump, at: 22.5))
    #expect(try Segment.isDrawn(jump, at: 23.5))
    #expect(try await session.send(.get, base + list[0]).body == first.body)
    let stop = "/Videos/ActiveEncodings?deviceId=bench-01&playSessionId=\(playSession)"
    #expect(try await session.send(.delete, stop).status == 204)
    await session.server.stop()
  }

  @Test func `a cue that is running when a job starts is not drawn`() async throws {
    let session = try await Session()
    let (base, lines, _) = try await session.playlist(subtitle: 1)
    let frames = try await Segment.look(session.send(.get, base + segments(lines)[3]).body)
    #expect(try !Segment.isDrawn(frames, at: 19.5))
    let (again, same, _) = try await session.playlist(subtitle: 1)
    var bytes: [UInt8] = []
    for line in segments(same)[2...3] { bytes += try await session.send(.get, again + line).body }
    #expect(try await Segment.isDrawn(Segment.look(bytes), at: 19.5))
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
    let frames = try await Segment.look(start.body + segment.body)
    #expect((frames.first?.time ?? 9) < 0.09)
    #expect(try Segment.isDrawn(frames, at: 1.5))
    await session.server.stop()
  }

  @Test func `a stale index is encoded and shows nothing`() async throws {
    let session = try await Session()
    let (base, lines, _) = try await session.playlist(subtitle: 42)
    let frames = try await Segment.look(session.send(.get, base + segments(lines)[0]).body)
    #expect(try !Segment.isDrawn(frames, at: 11.5))
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
    let frames = try await Segment.look(session.send(.get, base + segments(lines)[0]).body)
    #expect(try Segment.isDrawn(frames, at: 11.6) == during)
    #expect(try Segment.isDrawn(frames, at: 12.8) == after)
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
