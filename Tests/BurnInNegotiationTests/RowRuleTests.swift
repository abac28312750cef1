// SPDX-License-Identifier: Apache-2.0
import BurnInNegotiation
import Testing

@Suite("Rows, choices and failures")
struct RowRuleTests {
  @Test("R14: the id space has its bounds, and indexes outside have no row")
  func identifiers() {
    #expect(BurnIn.makeTrackId(index: 0) == 0x4000_0000)
    #expect(BurnIn.makeTrackId(index: 0x1FFF_FFFF) == 0x5FFF_FFFF)
    #expect(BurnIn.makeTrackId(index: 0x2000_0000) == nil)
    #expect(BurnIn.makeTrackId(index: -1) == nil && BurnIn.makeTrackId(index: .max) == nil)
    #expect(!BurnIn.isSidecar(trackID: 0x3FFF_FFFF) && BurnIn.isSidecar(trackID: 0x4000_0000))
    #expect(BurnIn.isSidecar(trackID: 0x5FFF_FFFF) && !BurnIn.isSidecar(trackID: 0x6000_0000))
    #expect(BurnIn.sidecarIndex(trackID: .min) == nil)
  }

  @Test(
    "R13 R15 R16 R38 A13 A14: rows with the server's own words, on a transcode, after all others")
  func rows() throws {
    var streams = Film.streams
    streams[3].isForced = true
    streams[3].title = "English (Forced)"
    let rows = BurnIn.expectedRows(server: .emby, streams: streams, isTranscode: true)
    #expect(rows.map(\.kind) == [.textSidecar, .burnInRow, .burnInRow])
    let row = try #require(rows.first { $0.isBurnInRow })
    #expect(row.title == "English (Forced)" && row.language == "eng" && row.isForced)
    #expect(!row.isExternal, "an embedded track is not tagged as external")
    #expect(rows.last?.isExternal == true)
    let direct = BurnIn.expectedRows(server: .emby, streams: streams, isTranscode: false)
    #expect(direct.map(\.id) == [2, 3], "the VobSub beside the media has no row on direct play")
  }

  @Test("R13: a subtitle without an index, and a bitmap that is no subtitle, give no row")
  func oddStreams() {
    let streams = [
      SourceStream(index: nil, type: .subtitle, codec: "pgssub"),
      SourceStream(index: 5, type: .other, codec: "pgssub"),
      SourceStream(index: -2, type: .subtitle, codec: "pgssub"),
    ]
    #expect(BurnIn.burnInRows(server: .jellyfin, isTranscode: true, streams: streams).isEmpty)
  }

  @Test("R17: nothing but the stream's own tracks is remembered")
  func inventory() {
    let rows = [
      Film.native, Film.text,
      SubtitleTrack(id: 9_000_000_001, kind: .openSubtitles, isExternal: true),
      SubtitleTrack(id: 1_073_741_827, kind: .burnInRow, sourceIndex: 3),
    ]
    #expect(BurnIn.runtimeInventory(tracks: rows) == [Film.native])
  }

  @Test("R18 R19 R20: every choice from every state")
  func choices() {
    let local: [SubtitleChoice] = [
      .off, .textSidecar(index: 3), .openSubtitles(file: 3), .embedded(index: 3),
    ]
    for choice in local {
      #expect(BurnIn.selectionAction(burnedIndex: nil, choice: choice) == .local)
      #expect(
        BurnIn.selectionAction(burnedIndex: 3, choice: choice) == .reload(burnInPick: nil))
    }
    let row = SubtitleChoice.burnInRow(index: 3)
    #expect(BurnIn.selectionAction(burnedIndex: nil, choice: row) == .reload(burnInPick: 3))
    #expect(BurnIn.selectionAction(burnedIndex: 4, choice: row) == .reload(burnInPick: 3))
    #expect(BurnIn.selectionAction(burnedIndex: 3, choice: row) == .none(burnInPick: 3))
  }

  @Test("R32 A17: cycling and toggling skip burn-in rows, and lead Off from one")
  func stepping() {
    let bitmap = SubtitleTrack(id: 13, kind: .burnInRow, sourceIndex: 3)
    let one = SubtitleTrack(id: 2, kind: .embedded)
    let two = SubtitleTrack(id: 6, kind: .embedded)
    let rows = [one, bitmap, two]
    #expect(BurnIn.cycleSubtitle(tracks: rows, selected: nil) == .track(id: 2))
    #expect(BurnIn.cycleSubtitle(tracks: rows, selected: 2) == .track(id: 6))
    #expect(BurnIn.cycleSubtitle(tracks: rows, selected: 6) == .off)
    #expect(BurnIn.cycleSubtitle(tracks: rows, selected: 13) == .off)
    #expect(BurnIn.cycleSubtitle(tracks: rows, selected: 99) == .track(id: 2))
    #expect(BurnIn.cycleSubtitle(tracks: [bitmap], selected: nil) == nil)
    #expect(BurnIn.toggleSubtitles(tracks: [bitmap], selected: nil) == nil)
    #expect(BurnIn.toggleSubtitles(tracks: [bitmap], selected: 13) == .off)
  }

  @Test("R33: a bitmap is never the secondary subtitle")
  func secondary() {
    #expect(!BurnIn.canBeSecondary(codec: "dvbsub") && BurnIn.canBeSecondary(codec: "ass"))
  }

  @Test("R30 A21: style goes, the delay control stays, and the delay does nothing once burned in")
  func controls() {
    let burned = BurnIn.styleControls(selected: .burnInRow(index: 3), codec: "PGSSUB")
    #expect(!burned.showsStyle && burned.showsDelay && !burned.delayHasEffect)
    let native = BurnIn.styleControls(selected: .embedded(index: 3), codec: "PGSSUB")
    #expect(!native.showsStyle && native.delayHasEffect)
    let none = BurnIn.styleControls(selected: nil, codec: nil)
    #expect(none.showsStyle && none.delayHasEffect)
  }

  @Test("R22 A9 A10: what is blamed on a burn-in, by kind, domain and number")
  func blame() {
    func blames(_ failure: LoadFailure) -> Bool {
      BurnIn.blamesBurnIn(burnedIndex: 3, error: .load(failure))
    }
    for status in [500, 501, 502, 503, 599] {
      #expect(blames(LoadFailure(.sourceRefused, code: status)), "\(status)")
    }
    for status in [400, 401, 403, 404, 408, 429, 499, 504, 600, -1] {
      #expect(!blames(LoadFailure(.sourceRefused, code: status)), "\(status)")
      #expect(!blames(LoadFailure(.vodSourceFailed, code: status)), "\(status)")
    }
    for status in [401, 403, 408, 429, 504] {
      #expect(!blames(LoadFailure(.masterPlaylistRejected, code: status)), "\(status)")
    }
    #expect(!blames(LoadFailure(.sourceRefused, domain: "Other", code: 500)))
    for kind in LoadFailure.Kind.allCases {
      #expect(!blames(LoadFailure(kind, domain: "NSURLErrorDomain", code: -1001)))
      #expect(!blames(LoadFailure(kind, underlyingDomain: "NSURLErrorDomain")))
      #expect(
        !BurnIn.blamesBurnIn(burnedIndex: nil, error: .load(LoadFailure(kind, code: 500))))
    }
    let others: [PlaybackError] = [
      .http(status: 500), .network(code: nil), .timedOut, .signInRequired, .accountChanged,
      .startTimedOut, .audioSession, .cancelled, .playbackUnavailable(.errorCode),
    ]
    for error in others { #expect(!BurnIn.blamesBurnIn(burnedIndex: 3, error: error)) }
    let blamed = LoadFailure.Kind.allCases.filter { blames(LoadFailure($0)) }
    #expect(
      Set(blamed) == [
        .nativeItemFailed, .noPlayableTrackWithinBudget, .masterPlaylistRejected,
        .softwarePipelineFailed,
      ])
  }

  @Test("R28 A15 A16: what follows each outcome")
  func after() {
    let missed = BurnIn.afterNegotiation(outcome: .unconfirmed, pick: .stream(3))
    #expect(missed.droppedIndex == 3 && missed.carriedPick == .off && missed.notifies)
    #expect(missed.isExplicitChoice && !missed.autoMayRun)
    for pick in [SubtitlePick.unspecified, .off, .stream(2)] {
      let plain = BurnIn.afterNegotiation(outcome: .notAsked, pick: pick)
      #expect(plain.carriedPick == pick && !plain.notifies && plain.droppedIndex == nil)
      #expect(plain.autoMayRun == (pick == .unspecified))
    }
  }

  @Test("R21 A11 A12: dropped rows belong to a version of a title")
  func droppedRows() {
    var rows = DroppedRows()
    rows.apply(.load(contentID: "A"), sourceID: "s1")
    rows.apply(.unconfirmed(index: 3), sourceID: "s1")
    rows.apply(.load(contentID: "A"), sourceID: "s2")
    #expect(rows.indexes(sourceID: "s2").isEmpty && rows.indexes(sourceID: "s1") == [3])
    for reason in ReloadReason.allCases { rows.apply(.reload(reason), sourceID: "s1") }
    #expect(rows.indexes(sourceID: "s1") == [3])
    rows.apply(.load(contentID: "B"), sourceID: "s1")
    #expect(rows.indexes(sourceID: "s1").isEmpty)
  }

  @Test(
    "R26: a file beside the stream is carried by its id, and the request's pick before any list")
  func carrying() {
    let text = BurnIn.carriedPick(
      for: .qualityChange, lastPick: .unspecified, selected: .textSidecar(index: 2))
    #expect(text == CarriedPick(pick: .off, reapplied: .textSidecar(index: 2)))
    let early = BurnIn.carriedPick(
      for: .renewal, lastPick: .stream(3), selected: nil, knowsTracks: false)
    #expect(early.pick == .stream(3))
    let none = BurnIn.carriedPick(for: .renewal, lastPick: .stream(3), selected: nil)
    #expect(none.pick == .off)
  }

  @Test("R31: the pick goes to Emby and Jellyfin alone")
  func bridge() {
    for server in ServerKind.allCases {
      #expect(
        (BurnIn.bridgePick(server: server, isOffline: false, pick: .stream(3)) == 3)
          == (server != .silo))
      #expect(BurnIn.bridgePick(server: server, isOffline: true, pick: .stream(3)) == nil)
    }
    #expect(SubtitlePick(wireValue: nil).wireValue == nil)
    #expect(SubtitlePick(wireValue: -7).wireValue == -1)
    #expect(SubtitlePick(wireValue: 3).wireValue == 3)
  }
}
