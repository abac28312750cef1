// SPDX-License-Identifier: Apache-2.0
import BurnInNegotiation
import Testing

@Suite("Races")
struct RaceTests {
  @Test(
    "A18: a pick while the load is asking waits until it is established", .timeLimit(.minutes(1)))
  func pickDuringLoad() async {
    let gate = Gate()
    let host = ScriptedHost(
      [
        .held(gate, Film.answer()), Film.answer(session: "p2"), Film.burned(3, session: "p3"),
      ], fallback: Film.transcode)
    let player = Film.coordinator(host)
    async let load: Void = player.play(
      Film.start(auto: AutoPreferences(language: "fr", mode: .always)))
    await host.reached(.asked(-1))
    await player.choose(.burnInRow(index: 3), at: Film.at(0))
    #expect(await player.state.deferred == .burnInRow(index: 3))
    #expect(await host.events == [.asked(-1)])
    await gate.open()
    await load
    #expect(await host.asked == [-1, -1, 3])
    #expect(await player.state.burnedIndex == 3)
    #expect(await player.state.deferred == nil)
    #expect(await !host.events.contains(.selected(.textSidecar(index: 2))), "Auto kept away")
  }

  @Test("A18: of two picks in a row the latest wins", .timeLimit(.minutes(1)))
  func twoPicks() async {
    let gate = Gate()
    let host = ScriptedHost(
      [
        Film.answer(), .held(gate, Film.answer(session: "p2")), Film.burned(3, session: "p3"),
        Film.answer(session: "p4"), Film.burned(4, session: "p5"),
      ], fallback: Film.transcode)
    let player = Film.coordinator(host)
    await player.play(Film.start())
    async let first: Void = player.choose(.burnInRow(index: 3), at: Film.at(10))
    await host.reached(.asked(-1), count: 2)
    await player.choose(.off, at: Film.at(11))
    await player.choose(.burnInRow(index: 4), at: Film.at(12))
    await gate.open()
    await first
    #expect(await host.asked == [-1, -1, 3, -1, 4])
    #expect(await player.state.burnedIndex == 4)
    #expect(await player.state.session?.id == "p5")
    #expect(
      await host.events.filter { if case .retired = $0 { true } else { false } }
        == [.retired("p1", at: 10), .retired("p3", at: 10)])
  }

  @Test(
    "A4: cancelling in the second request plays nothing, drops nothing and tells nothing",
    .timeLimit(.minutes(1)))
  func cancelInSecondRequest() async {
    let gate = Gate()
    let host = ScriptedHost(
      [Film.answer(), .held(gate, Film.burned(3)), Film.answer(), Film.burned(3)],
      fallback: Film.transcode)
    let player = Film.coordinator(host)
    let load = Task { await player.play(Film.start(.stream(3))) }
    await host.reached(.asked(3))
    load.cancel()
    await gate.open()
    await load.value
    #expect(await host.events == [.asked(-1), .asked(3)])
    let state = await player.state
    #expect(state.phase == .idle && state.dropped.isEmpty && state.burnedIndex == nil)
    #expect(state.request?.pick == .stream(3))
    await player.retry(at: Film.at(0))
    #expect(await player.state.burnedIndex == 3)
  }

  @Test(
    "R21: a title change while the burn-in request is out: the late answer changes nothing",
    .timeLimit(.minutes(1)), arguments: [true, false])
  func titleChange(confirms: Bool) async {
    let gate = Gate()
    let host = ScriptedHost(
      [
        Film.answer(), .held(gate, confirms ? Film.burned(3) : Film.answer(session: "late")),
        Film.answer(session: "b1"),
      ], fallback: Film.transcode)
    let player = Film.coordinator(host)
    async let old: Void = player.play(Film.start(.stream(3)))
    await host.reached(.asked(3))
    await player.choose(.burnInRow(index: 4), at: Film.at(0))
    await player.play(Film.start(title: "B"))
    let before = await player.state
    #expect(before.session?.id == "b1" && before.burnedIndex == nil && before.deferred == nil)
    await gate.open()
    await old
    #expect(await player.state == before)
    #expect(await host.answeredCancelled == 1, "the load that was replaced is told to end")
    #expect(await host.notices.isEmpty)
    #expect(await host.openings.map(\.session?.id) == ["b1"])
  }

  @Test(
    "a stream that opens late is not published into a newer load, and its session ends",
    .timeLimit(.minutes(1)))
  func lateOpening() async {
    let gate = Gate()
    let host = ScriptedHost(
      [Film.answer(), Film.burned(3), Film.answer(session: "b1")],
      opens: [.success(Film.file), .success(Film.transcode)], openGate: gate)
    let player = Film.coordinator(host)
    async let old: Void = player.play(Film.start(.stream(3)))
    await host.reached(.opened(burned: 3, at: 0, direct: false, paused: false))
    async let new: Void = player.play(Film.start(title: "B"))
    await host.reached(.opened(burned: nil, at: 0, direct: false, paused: false))
    await gate.open()
    _ = await (old, new)
    #expect(await player.state.session?.id == "b1")
    #expect(await player.state.burnedIndex == nil)
    #expect(await host.events.contains(.retired("p2", at: 0)))
  }

  @Test(
    "R34: a load that is replaced while its notice is shown opens nothing any more",
    .timeLimit(.minutes(1)))
  func replacedAtNotice() async {
    let gate = Gate()
    let host = ScriptedHost(
      [Film.answer(session: "a1"), Film.answer(session: "a2"), Film.answer(session: "b1")],
      fallback: Film.transcode, noticeGate: gate)
    let player = Film.coordinator(host)
    async let old: Void = player.play(Film.start(.stream(3)))
    await host.reached(.notified(.burnInUnconfirmed(index: 3)))
    await player.play(Film.start(title: "B"))
    await gate.open()
    await old
    #expect(await host.openings.map(\.session?.id) == ["b1"])
    #expect(await player.state.session?.id == "b1")
  }

  @Test(
    "a quality change while a load asks replaces it and carries the pick", .timeLimit(.minutes(1)))
  func qualityDuringLoad() async {
    let gate = Gate()
    let host = ScriptedHost(
      [.held(gate, Film.answer(session: "late")), Film.answer(), Film.burned(3)],
      fallback: Film.transcode)
    let player = Film.coordinator(host)
    async let old: Void = player.play(Film.start(.stream(3), quality: "1080p"))
    await host.reached(.asked(-1))
    await player.changeQuality(to: "720p", at: Film.at(0))
    await gate.open()
    await old
    #expect(await host.asked == [-1, -1, 3])
    #expect(await player.state.burnedIndex == 3)
    #expect(await player.state.request?.quality == "720p")
  }

  @Test(
    "A4: a load that is cancelled while the stream opens ends its session and publishes nothing",
    .timeLimit(.minutes(1)))
  func cancelWhileOpening() async {
    let gate = Gate()
    let host = ScriptedHost(
      [Film.answer(), Film.burned(3)], opens: [.failure(.cancelled)], openGate: gate)
    let player = Film.coordinator(host)
    let load = Task { await player.play(Film.start(.stream(3), at: 8)) }
    await host.reached(.opened(burned: 3, at: 8, direct: false, paused: false))
    load.cancel()
    await gate.open()
    await load.value
    #expect(await host.events.last == .retired("p2", at: 8))
    let state = await player.state
    #expect(state.phase == .idle && state.session == nil && state.dropped.isEmpty)
  }

  @Test("A18: a title that is played anew from a page forgets a choice that still waits")
  func playedAnew() async {
    let lost = PlaybackError.load(LoadFailure(.sourceRefused, domain: "NSURLErrorDomain", code: -1))
    let host = ScriptedHost(
      [Film.answer(), Film.answer(), Film.burned(3)], opens: [.failure(lost)],
      fallback: Film.transcode)
    let player = Film.coordinator(host)
    await player.play(Film.start())
    await player.choose(.burnInRow(index: 4), at: Film.at(0))
    await player.play(Film.start(.stream(3)))
    #expect(await host.asked == [-1, -1, 3])
    #expect(await player.state.burnedIndex == 3)
  }

  @Test("after a stop nothing is sent, whatever still comes", .timeLimit(.minutes(1)))
  func stopDuringLoad() async {
    let gate = Gate()
    let host = ScriptedHost([Film.answer(), .held(gate, Film.burned(3))], fallback: Film.transcode)
    let player = Film.coordinator(host)
    async let load: Void = player.play(Film.start(.stream(3)))
    await host.reached(.asked(3))
    await player.stop(at: Film.at(0))
    await gate.open()
    await load
    await player.progress(Film.at(9))
    #expect(await host.events == [.asked(-1), .asked(3)])
    #expect(await player.state.phase == .idle)
  }
}
