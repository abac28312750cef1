// SPDX-License-Identifier: Apache-2.0
import BurnInNegotiation
import Testing

@Suite("Sequences on a scripted host")
struct SequenceTests {
  @Test("R18 R27 R28 R40: Auto picks row 3 after opening, and one reload burns it in")
  func autoPick() async {
    let host = ScriptedHost(
      [Film.answer(), Film.answer(session: "p2"), Film.burned(3, session: "p3")],
      fallback: Film.transcode)
    let player = Film.coordinator(host)
    await player.play(Film.start(auto: Film.english, at: 900))
    #expect(await host.asked == [-1, -1, 3])
    #expect(
      await host.events == [
        .asked(-1), .opened(burned: nil, at: 900, direct: false, paused: false),
        .asked(-1), .asked(3), .retired("p1", at: 900),
        .opened(burned: 3, at: 900, direct: false, paused: false), .reported(3),
      ])
    let state = await player.state
    #expect(state.selectedTrack?.id == 1_073_741_827)
    #expect(state.burnedIndex == 3 && state.hasExplicitChoice && state.autoPreferences == nil)
    await player.audioSwitched(language: "fra", streamIndex: 1)
    #expect(await host.asked.count == 3)
  }

  @Test("R7 R21 R34 A15 A16: an unconfirmed answer plays the first, once, and drops the row")
  func unconfirmed() async {
    let host = ScriptedHost(
      [
        Film.answer(), Film.answer(session: "p2"), Film.answer(session: "p3"),
        Film.answer(session: "p4"),
      ], fallback: Film.transcode)
    let player = Film.coordinator(host)
    await player.play(Film.start(auto: Film.english))
    #expect(await host.asked == [-1, -1, 3])
    #expect(await host.notices == [.burnInUnconfirmed(index: 3)])
    let state = await player.state
    #expect(state.selected == .off && state.burnedIndex == nil && state.dropped == [3])
    #expect(state.tracks.map(\.id) == [1_073_741_826, 1_073_741_828])
    #expect(state.session?.id == "p2")
    #expect(await host.lastReport == -1)
    await player.changeQuality(to: "720p", at: Film.at(5))
    #expect(await host.asked == [-1, -1, 3, -1])
    #expect(await player.state.dropped == [3])
  }

  @Test("R8 R34: a burn-in request that times out plays the first answer, and may be tried again")
  func requestFails() async {
    let host = ScriptedHost(
      [
        Film.answer(), .error(.timedOut), Film.answer(session: "p2"),
        Film.burned(3, session: "p3"),
      ], fallback: Film.transcode)
    let player = Film.coordinator(host)
    await player.play(Film.start(.stream(3)))
    #expect(await host.asked == [-1, 3])
    #expect(await host.notices == [.burnInRequestFailed(index: 3)])
    #expect(await player.state.tracks.contains { $0.choice == .burnInRow(index: 3) })
    #expect(await player.state.request?.pick == .off)
    await player.choose(.burnInRow(index: 3), at: Film.at(70))
    #expect(await host.asked == [-1, 3, -1, 3])
    #expect(await player.state.burnedIndex == 3)
  }

  @Test("R22 R23 R34 A24: a burned stream whose pipeline fails is loaded once more without it")
  func blamedOpenFailure() async {
    let host = ScriptedHost(
      [Film.answer(), Film.burned(3), Film.answer(session: "p3")],
      opens: [.failure(.load(LoadFailure(.softwarePipelineFailed)))], fallback: Film.transcode)
    let player = Film.coordinator(host)
    await player.play(Film.start(.stream(3), at: 33, origin: .autoplay))
    #expect(
      await host.events == [
        .asked(-1), .asked(3), .opened(burned: 3, at: 33, direct: false, paused: false),
        .notified(.burnedStreamWouldNotOpen(index: 3)), .asked(-1), .retired("p2", at: 33),
        .opened(burned: nil, at: 33, direct: false, paused: false), .selected(.off), .reported(-1),
      ])
    #expect(await player.state.dropped == [3])
    #expect(await player.state.start?.origin == .autoplay, "the load keeps its origin")
  }

  @Test("R23: the load without the burn-in that fails too is an ordinary failure")
  func noLoop() async {
    let failure = PlaybackError.load(LoadFailure(.softwarePipelineFailed))
    let host = ScriptedHost(
      [Film.answer(), Film.burned(3), Film.answer()], opens: [.failure(failure), .failure(failure)])
    let player = Film.coordinator(host)
    await player.play(Film.start(.stream(3)))
    #expect(await host.events.last == .failed(failure))
    #expect(await host.asked == [-1, 3, -1])
  }

  @Test("R22 R26: a lost connection is an ordinary failure, and Retry asks for the burn-in again")
  func connectionLost() async {
    let lost = PlaybackError.load(
      LoadFailure(.softwarePipelineFailed, domain: "NSURLErrorDomain", code: -1005))
    let host = ScriptedHost(
      [Film.answer(), Film.burned(3), Film.answer(), Film.burned(3)], opens: [.failure(lost)],
      fallback: Film.transcode)
    let player = Film.coordinator(host)
    await player.play(Film.start(.stream(3)))
    #expect(await host.events.last == .failed(lost))
    #expect(await player.state.phase == .failed(lost))
    #expect(await player.state.dropped.isEmpty)
    #expect(await host.notices.isEmpty)
    await player.retry(at: Film.at(0))
    #expect(await host.asked == [-1, 3, -1, 3])
    #expect(await player.state.burnedIndex == 3)
  }

  @Test("R19 R32: from a burned row to text, to Off, and on again to the first row not burned in")
  func leaving() async throws {
    let host = ScriptedHost(
      [
        Film.answer(), Film.burned(3), Film.answer(session: "p3"), Film.answer(session: "p4"),
        Film.burned(3, session: "p5"), Film.answer(session: "p6"),
      ], fallback: Film.transcode)
    let player = Film.coordinator(host)
    await player.play(Film.start(.stream(3)))
    await player.choose(.textSidecar(index: 2), at: Film.at(10))
    #expect(await host.asked == [-1, 3, -1])
    #expect(await player.state.selected == .textSidecar(index: 2))
    #expect(await host.lastReport == 2)
    await player.choose(.burnInRow(index: 3), at: Film.at(20))
    await player.choose(.off, at: Film.at(30))
    #expect(await host.asked == [-1, 3, -1, -1, 3, -1])
    let state = await player.state
    #expect(state.selected == .off && state.burnedIndex == nil)
    let step = BurnIn.toggleSubtitles(tracks: state.tracks, selected: state.selectedTrack?.id)
    #expect(step == .track(id: 1_073_741_826))
  }

  @Test(
    "R15 R35 R36 R26: to Original the engine's track is chosen; back at 720p the first load burns")
  func qualities() async {
    let host = ScriptedHost(
      [
        Film.answer(), Film.burned(3), Film.direct(), Film.answer(session: "p4"),
        Film.burned(3, session: "p5"),
      ],
      opens: [.success(Film.transcode), .success(Film.file), .success(Film.transcode)])
    let player = Film.coordinator(host)
    await player.play(Film.start(.stream(3), quality: "720p"))
    await player.changeQuality(to: "original", at: Film.at(40))
    #expect(await host.asked == [-1, 3, -1])
    #expect(await player.state.selectedTrack?.id == 7)
    #expect(await player.state.burnedIndex == nil)
    #expect(await player.state.tracks == [Film.native], "no burn-in rows on direct play")
    await player.changeQuality(to: "720p", at: Film.at(50))
    #expect(await host.asked == [-1, 3, -1, -1, 3])
    #expect(await player.state.burnedIndex == 3)
    #expect(await host.requests.map(\.quality) == ["720p", "720p", "original", "720p", "720p"])
  }

  @Test(
    "R21 R26 A11: another title forgets the dropped rows, and nothing but the quality goes along")
  func nextTitle() async {
    let host = ScriptedHost(
      [
        Film.answer(), Film.answer(session: "p2"), Film.answer(session: "p3"),
        Film.answer(session: "p4"), Film.burned(3, session: "p5"),
      ], fallback: Film.transcode)
    let player = Film.coordinator(host)
    await player.play(Film.start(.stream(3), quality: "720p"))
    #expect(await player.state.dropped == [3])
    await player.playNext("B", at: Film.at(99))
    let state = await player.state
    #expect(state.droppedRows.indexes(sourceID: "s1").isEmpty)
    #expect(state.request == LoadRequest(contentID: "B", quality: "720p"))
    #expect(await host.events.contains(.retired("p1", at: 99)))
    #expect(await host.asked == [-1, 3, -1])
    await player.play(Film.start(.stream(3)))
    #expect(
      await host.asked == [-1, 3, -1, -1, 3], "back at the first title the row is there again")
  }

  @Test("R37: a burned stream that fails while it plays may ask for the burn-in again")
  func failsMidway() async {
    let host = ScriptedHost(
      [
        Film.answer(), Film.burned(3), Film.answer(session: "p3"), Film.burned(3, session: "p4"),
      ], fallback: Film.transcode)
    let player = Film.coordinator(host)
    await player.play(Film.start(.stream(3)))
    let expired = PlaybackError.load(LoadFailure(.sourceRefused, code: 404))
    await player.playbackFailed(expired, at: Film.at(600, paused: true))
    #expect(await host.asked == [-1, 3, -1, 3])
    #expect(await player.state.dropped.isEmpty)
    #expect(
      await host.events.contains(.opened(burned: 3, at: 600, direct: false, paused: true)),
      "a recovery keeps the pause")
    let broken = PlaybackError.load(LoadFailure(.softwarePipelineFailed))
    await player.playbackFailed(broken, at: Film.at(700))
    #expect(await host.events.last == .failed(broken))
    #expect(await player.state.dropped.isEmpty, "what played is not blamed")
  }

  @Test("R40: a connection that drops exactly at opening counts against the track")
  func dropAtOpening() async {
    // The engine tells such a drop as the end of a stream before its first picture.
    let host = ScriptedHost(
      [Film.answer(), Film.burned(3), Film.answer()],
      opens: [.failure(.load(LoadFailure(.noPlayableTrackWithinBudget)))], fallback: Film.transcode)
    let player = Film.coordinator(host)
    await player.play(Film.start(.stream(3)))
    #expect(await player.state.dropped == [3])
  }

  @Test("R26 R29: a seek by reload sends the last request at the target")
  func seek() async {
    let host = ScriptedHost(
      [Film.answer(), Film.burned(3), Film.answer(session: "p3"), Film.burned(3, session: "p4")],
      fallback: Film.transcode)
    let player = Film.coordinator(host)
    await player.play(Film.start(.stream(3)))
    await player.seekByReload(to: 5000, from: Film.at(800))
    #expect(await host.asked == [-1, 3, -1, 3])
    #expect(await host.bodies.map(\.startTimeTicks) == [0, 0, 5000, 5000])
    #expect(await host.events.contains(.retired("p2", at: 800)), "reported where it was left")
    #expect(await host.lastReport == 3)
  }

  @Test("R20: choosing what is burned in already loads nothing")
  func alreadyBurned() async {
    let host = ScriptedHost([Film.answer(), Film.burned(3)], fallback: Film.transcode)
    let player = Film.coordinator(host)
    await player.play(Film.start(.stream(3)))
    await player.choose(.burnInRow(index: 3), at: Film.at(10))
    #expect(await host.asked == [-1, 3])
  }

  @Test("A19 A20: a choice by hand keeps the pause and leaves a preference; Auto's leaves none")
  func handAndAuto() async {
    let host = ScriptedHost(
      [Film.answer(), Film.answer(session: "p2"), Film.burned(3, session: "p3")],
      fallback: Film.transcode)
    let player = Film.coordinator(host)
    await player.play(Film.start())
    await player.choose(.burnInRow(index: 3), at: Film.at(10, paused: true))
    #expect(await host.events.contains(.opened(burned: 3, at: 10, direct: false, paused: true)))
    #expect(await host.events.contains(.remembered(.always(language: "eng"))))
    let auto = ScriptedHost(
      [Film.answer(), Film.answer(), Film.burned(3)], fallback: Film.transcode)
    await Film.coordinator(auto).play(Film.start(auto: Film.english))
    #expect(await !auto.events.contains(.remembered(.always(language: "eng"))))
  }

  @Test("R31: Silo is asked the same for every pick, and nothing is asked offline")
  func untouched() async {
    var sent: Set<PlaybackInfoBody> = []
    for pick in [SubtitlePick.unspecified, .off, .stream(3), .stream(4)] {
      let host = ScriptedHost([Film.answer()], fallback: Film.transcode)
      let player = Film.coordinator(host, server: .silo)
      await player.play(Film.start(pick))
      #expect(await host.asked == [-1])
      #expect(await player.state.tracks == [Film.text])
      sent.formUnion(await host.bodies)
    }
    #expect(sent.count == 1)
    let host = ScriptedHost([], fallback: Film.file)
    var start = Film.start(.stream(3))
    start.request.isOffline = true
    let player = Film.coordinator(host)
    await player.play(start)
    #expect(await host.asked.isEmpty)
    #expect(await player.state.selectedTrack?.id == 7)
    #expect(await host.lastReport == nil)
  }
}
