// SPDX-License-Identifier: Apache-2.0
import BurnInNegotiation
import Testing

@Suite("The state of a title")
struct TitleStateTests {
  private func answer(_ query: String = "", session: String = "p1") -> PlaybackAnswer {
    PlaybackAnswer(
      playSessionID: session,
      source: .init(transcodingURL: Film.address + query, streams: Film.streams))
  }

  private let burned = "&SubtitleStreamIndex=3&SubtitleMethod=Encode"

  /// A title whose burn-in of stream 3 plays, or of nothing if nothing was picked.
  private func playing(
    _ pick: SubtitlePick = .stream(3), auto: AutoPreferences? = nil
  ) -> TitleState {
    var state = TitleState(server: .jellyfin, serverURL: Film.server)
    _ = state.begin(Film.start(pick, auto: auto, quality: "720p"), body: PlaybackInfoBody())
    _ = state.answered(.success(answer()), generation: 1)
    if pick.streamIndex == 3 {
      _ = state.answered(.success(answer(burned, session: "p2")), generation: 1)
    }
    _ = state.established(Film.transcode, generation: 1)
    return state
  }

  private func load(_ effects: [Effect]) -> LoadStart? {
    effects.lazy.compactMap { if case .load(let start) = $0 { start } else { nil } }.first
  }

  @Test("is a value: a transition of a copy leaves the original alone")
  func value() {
    let state = playing()
    var copy = state
    _ = copy.stop(at: Film.at(1))
    #expect(state.phase == .established && copy.phase == .idle && copy != state)
  }

  @Test("takes nothing from another generation, and nothing out of turn")
  func generations() {
    var state = TitleState(server: .emby, serverURL: Film.server)
    #expect(state.answered(.success(answer()), generation: 0).isEmpty)
    #expect(state.established(Film.transcode, generation: 0).isEmpty)
    #expect(state.openFailed(.timedOut, generation: 0).isEmpty)
    #expect(state.reload(.retry, at: Film.at(0)).isEmpty)
    #expect(state.playbackFailed(.timedOut, at: Film.at(0)).isEmpty)
    #expect(state.stop(at: Film.at(0)).isEmpty)
    let began = state.generation
    _ = state.begin(Film.start(.stream(3)), body: PlaybackInfoBody())
    #expect(state.generation == began + 1)
    let before = state
    #expect(state.answered(.failure(.timedOut), generation: began).isEmpty)
    #expect(state.established(Film.transcode, generation: began + 1).isEmpty, "not opened yet")
    #expect(state == before)
  }

  @Test("takes no stream and no failure of a load that was replaced while it opened")
  func lateStreams() {
    var state = TitleState(server: .emby, serverURL: Film.server)
    for pick in [SubtitlePick.stream(3), .stream(4)] {
      _ = state.begin(Film.start(pick), body: PlaybackInfoBody())
      _ = state.answered(.success(answer()), generation: state.generation)
      let query = "&SubtitleStreamIndex=\(pick.streamIndex ?? 0)&SubtitleMethod=Encode"
      _ = state.answered(.success(answer(query)), generation: state.generation)
    }
    #expect(state.phase == .opening && state.burnedIndex == 4)
    let before = state
    #expect(state.established(Film.file, generation: 1).isEmpty)
    let blamed = PlaybackError.load(LoadFailure(.masterPlaylistRejected))
    #expect(state.openFailed(blamed, generation: 1).isEmpty)
    #expect(state == before)
  }

  @Test(
    "A18 R21: another title forgets a choice that waits and the dropped rows; the same does not"
  )
  func otherTitle() {
    for title in ["A", "B"] {
      var state = TitleState(server: .emby, serverURL: Film.server)
      _ = state.begin(Film.start(.stream(3)), body: PlaybackInfoBody())
      _ = state.answered(.success(answer()), generation: 1)
      _ = state.answered(.success(answer()), generation: 1)
      _ = state.choose(.burnInRow(index: 4), at: Film.at(0))
      #expect(state.deferred == .burnInRow(index: 4) && state.dropped == [3])
      _ = state.begin(Film.start(title: title), body: PlaybackInfoBody())
      #expect(state.deferred == (title == "A" ? .burnInRow(index: 4) : nil))
      #expect(state.dropped == (title == "A" ? [3] : []))
    }
  }

  @Test("R11: mounts text alone beside a burned transcode")
  func mounted() {
    var state = TitleState(server: .emby, serverURL: Film.server)
    _ = state.begin(Film.start(.stream(3)), body: PlaybackInfoBody())
    _ = state.answered(.success(answer()), generation: 1)
    let effects = state.answered(.success(answer(burned)), generation: 1)
    guard case .open(let opening)? = effects.last else {
      Issue.record("\(effects)")
      return
    }
    #expect(opening.mounted.map(\.index) == [2] && opening.burnedIndex == 3)
  }

  @Test("R28: a burned row stays the choice, whatever the engine finds under the same index")
  func sameIndex() {
    var state = TitleState(server: .emby, serverURL: Film.server)
    _ = state.begin(Film.start(.stream(3)), body: PlaybackInfoBody())
    _ = state.answered(.success(answer()), generation: 1)
    _ = state.answered(.success(answer(burned)), generation: 1)
    let caption = SubtitleTrack(id: 1, kind: .embedded, sourceIndex: 3, codec: "eia_608")
    let effects = state.established(OpenedStream(tracks: [caption]), generation: 1)
    #expect(state.selected == .burnInRow(index: 3))
    #expect(!effects.contains { if case .select = $0 { true } else { false } })
  }

  @Test("R29: reports the burned index, the playing track's, or -1")
  func reports() {
    var state = playing()
    #expect(state.report?.subtitleStreamIndex == 3 && state.report?.audioStreamIndex == 1)
    state = playing(.unspecified)
    #expect(state.report?.subtitleStreamIndex == -1)
    _ = state.choose(.textSidecar(index: 2), at: Film.at(3))
    #expect(state.report?.subtitleStreamIndex == 2 && state.report?.position == Film.at(3))
    _ = state.stop(at: Film.at(4))
    #expect(state.report == nil)
  }

  @Test("R30 A21: the controls follow the chosen row")
  func controls() {
    #expect(!playing().styleControls.showsStyle && !playing().styleControls.delayHasEffect)
    #expect(playing(.off).styleControls.showsStyle)
  }

  @Test("R34 R38: nothing but the three notices is ever shown")
  func notices() {
    let sentences = [
      Notice.burnInUnconfirmed(index: 3), .burnInRequestFailed(index: 3),
      .burnedStreamWouldNotOpen(index: 3),
    ].map(\.sentence)
    #expect(Set(sentences).count == 3 && sentences.allSatisfy { $0.hasSuffix(".") })
    var state = playing()
    var effects = state.choose(.off, at: Film.at(1))
    effects += state.choose(.textSidecar(index: 2), at: Film.at(1))
    effects += state.reload(.qualityChange, at: Film.at(1), quality: "480p")
    for effect in effects {
      if case .notify = effect { Issue.record("\(effect)") }
    }
  }

  @Test("R26: what each reload carries, where it begins, and who wants it")
  func reloads() throws {
    for reason in ReloadReason.allCases {
      var state = playing()
      let effects = state.reload(
        reason, at: Film.at(500, paused: true), target: 900, quality: "480p")
      let next = try #require(load(effects))
      #expect(next.request.pick == .stream(3), "\(reason)")
      #expect(next.request.quality == (reason == .qualityChange ? "480p" : "720p"))
      #expect(next.origin == (reason == .renewal ? .recovery : .userInitiated))
      #expect(next.isPaused == (reason == .renewal), "only a recovery keeps the pause")
      let endsAtOnce = effects.contains { if case .retire = $0 { true } else { false } }
      #expect(endsAtOnce == (reason == .qualityChange))
    }
  }

  @Test("R26: text that was chosen by hand survives a reload, and so does Off")
  func localChoice() throws {
    var state = playing(.unspecified, auto: AutoPreferences(language: "fr"))
    #expect(state.selected == .textSidecar(index: 2), "Auto's choice")
    _ = state.choose(.off, at: Film.at(1))
    let seek = try #require(load(state.reload(.seek, at: Film.at(2), target: 9)))
    #expect(seek.request.pick == .unspecified, "the last request, unchanged")
    _ = state.begin(seek, body: PlaybackInfoBody())
    _ = state.answered(.success(answer(session: "p3")), generation: 2)
    _ = state.established(Film.transcode, generation: 2)
    #expect(state.selected == .off, "Auto does not undo it")
    _ = state.choose(.textSidecar(index: 2), at: Film.at(3))
    let quality = try #require(load(state.reload(.qualityChange, at: Film.at(4), quality: "480p")))
    #expect(quality.request.pick == .off)
    #expect(quality.request.reapplied == .textSidecar(index: 2))
  }

  @Test("a session is renewed once, and another one again")
  func renewal() {
    var state = playing()
    #expect(load(state.reload(.renewal, at: Film.at(1))) != nil)
    #expect(state.reload(.renewal, at: Film.at(1)).isEmpty)
    let expired = PlaybackError.load(LoadFailure(.sourceRefused, code: 404))
    #expect(state.playbackFailed(expired, at: Film.at(2)) == [.fail(expired, .userInitiated)])
  }

  @Test("R28: Auto looks again after an audio switch, unless there is an explicit choice")
  func audio() {
    let preferences = AutoPreferences(language: "fr", showsForced: false)
    var state = playing(.unspecified, auto: preferences)
    #expect(state.selected == .textSidecar(index: 2) && !state.hasExplicitChoice)
    _ = state.audioSwitched(language: "fra", streamIndex: 5)
    #expect(state.selected == .off && state.audioStreamIndex == 5)
    _ = state.choose(.textSidecar(index: 2), at: Film.at(1))
    _ = state.audioSwitched(language: "fra", streamIndex: 5)
    #expect(state.selected == .textSidecar(index: 2))
    state = playing()
    #expect(state.autoPreferences == nil && state.hasExplicitChoice)
  }

  @Test("R18 A18: a choice that waits for a load survives its failure and the one load without")
  func waiting() throws {
    var state = TitleState(server: .jellyfin, serverURL: Film.server)
    _ = state.begin(Film.start(.stream(3)), body: PlaybackInfoBody())
    _ = state.answered(.success(answer()), generation: 1)
    _ = state.answered(.success(answer(burned)), generation: 1)
    #expect(state.choose(.textSidecar(index: 2), at: Film.at(0)).isEmpty)
    #expect(state.choose(.burnInRow(index: 3), at: Film.at(0)).isEmpty, "the latest wins")
    let blamed = PlaybackError.load(LoadFailure(.masterPlaylistRejected))
    let next = try #require(load(state.openFailed(blamed, generation: 1)))
    #expect(next.request.pick == .off)
    _ = state.begin(next, body: PlaybackInfoBody())
    _ = state.answered(.success(answer()), generation: 2)
    let effects = state.established(Film.transcode, generation: 2)
    #expect(load(effects) == nil, "the row is dropped, so the choice is void")
    #expect(state.deferred == nil && state.selected == .off)
  }

  @Test("R21: a row that was dropped cannot be chosen")
  func droppedRow() {
    var state = TitleState(server: .jellyfin, serverURL: Film.server)
    _ = state.begin(Film.start(.stream(3)), body: PlaybackInfoBody())
    _ = state.answered(.success(answer()), generation: 1)
    _ = state.answered(.success(answer()), generation: 1)
    _ = state.established(Film.transcode, generation: 1)
    #expect(state.choose(.burnInRow(index: 3), at: Film.at(1)).isEmpty)
    #expect(load(state.choose(.burnInRow(index: 4), at: Film.at(1))) != nil)
  }

  @Test("RA6: Auto that wants nothing switches off what an engine shows by itself")
  func autoOff() {
    var state = TitleState(server: .jellyfin, serverURL: Film.server)
    let auto = AutoPreferences(language: "ja")
    _ = state.begin(Film.start(auto: auto), body: PlaybackInfoBody())
    let direct = PlaybackAnswer(
      playSessionID: "d", source: .init(supportsDirectPlay: true, streams: Film.streams))
    _ = state.answered(.success(direct), generation: 1)
    #expect(state.established(Film.file, generation: 1).contains(.select(.off)))
    #expect(!state.hasExplicitChoice)
  }

  @Test("R36: a pick of the detail page is burned in on the first load, with no further load")
  func firstLoad() {
    var state = TitleState(server: .jellyfin, serverURL: Film.server)
    _ = state.begin(Film.start(.stream(3)), body: PlaybackInfoBody())
    _ = state.answered(.success(answer()), generation: 1)
    _ = state.answered(.success(answer(burned)), generation: 1)
    let effects = state.established(Film.transcode, generation: 1)
    #expect(load(effects) == nil && state.selectedTrack?.choice == .burnInRow(index: 3))
  }

  @Test("A4: a cancelled request changes nothing but the phase; what was opened stays")
  func cancelled() {
    var state = playing()
    let session = state.session
    _ = state.begin(Film.start(.stream(4)), body: PlaybackInfoBody())
    _ = state.answered(.success(answer()), generation: 2)
    #expect(state.answered(.failure(.cancelled), generation: 2).isEmpty)
    #expect(state.phase == .idle && state.session == session && state.dropped.isEmpty)
    _ = state.begin(Film.start(.stream(4)), body: PlaybackInfoBody())
    state.cancel()
    #expect(state.phase == .idle)
    #expect(state.answered(.success(answer()), generation: 3).isEmpty)
  }
}
