// SPDX-License-Identifier: Apache-2.0

extension TitleState {
  /// A title is to be played from a page, or the next one by itself.
  ///
  /// What was chosen by hand before is void, also for the same title: the request is the later
  /// choice. The dropped rows of the same title stay dropped (R21).
  public mutating func play(_ start: LoadStart) -> [Effect] {
    deferred = nil
    localChoice = nil
    return [.load(start)]
  }

  /// The next title is to be played; the session of this one ends at once.
  /// - Parameters:
  ///   - start: How it begins; nothing but the quality of the last request goes along.
  ///   - position: Where this title stands.
  /// - Returns: The end of the session, then the load.
  public mutating func playNext(_ start: LoadStart, at position: PlaybackPosition) -> [Effect] {
    moved(to: position)
    var next = start
    next.request = LoadRequest(
      contentID: start.request.contentID, quality: request?.quality ?? start.request.quality)
    return retireSession() + play(next)
  }

  /// A load begins, and replaces the one before (R1, R21, R31).
  ///
  /// Another title forgets the dropped rows and a choice that still waits; the same title keeps
  /// both.
  /// - Parameters:
  ///   - start: How the load begins.
  ///   - body: The body that the client sends for it.
  /// - Returns: The first request, or the stream itself if it is offline.
  public mutating func begin(_ start: LoadStart, body: PlaybackInfoBody) -> [Effect] {
    let isSameTitle = start.request.contentID == request?.contentID
    generation += 1
    self.start = start
    position = PlaybackPosition(ticks: start.startTimeTicks, isPaused: start.isPaused)
    droppedRows.apply(
      .load(contentID: start.request.contentID), sourceID: start.request.mediaSourceID)
    if !isSameTitle {
      deferred = nil
      localChoice = nil
    }
    burnedIndex = nil
    isTranscode = false
    videoCopyOnly = false
    tracks = []
    selected = nil
    knowsTracks = false
    hasAutoResolved = false
    hasExplicitChoice =
      start.request.pick != .unspecified || start.request.reapplied != nil || localChoice != nil
      || deferred != nil
    autoPreferences = start.preferences
    audioLanguage = nil
    audioStreamIndex = start.request.audioStreamIndex
    if start.request.isOffline {
      negotiation = nil
      let effects = retireSession()
      return effects + open(.offline, session: nil, mounted: [])
    }
    let negotiation = Negotiation(
      server: server, serverURL: serverURL, body: body, pick: start.request.pick, dropped: dropped)
    self.negotiation = negotiation
    phase = .asking
    return [.ask(negotiation.firstBody)]
  }

  /// The server answered a request of a load, or the request failed (R2, R3, R7, R8).
  /// - Parameters:
  ///   - result: What came of the request.
  ///   - generation: The load that the request belongs to.
  /// - Returns: The second request, or the stream to open, or the failure.
  public mutating func answered(
    _ result: Result<PlaybackAnswer, PlaybackError>, generation: Int
  ) -> [Effect] {
    guard generation == self.generation, phase == .asking, var negotiation else { return [] }
    if case .ask = negotiation.step {
      negotiation.firstAnswered(result)
    } else {
      negotiation.secondAnswered(result)
    }
    self.negotiation = negotiation
    switch negotiation.step {
    case .ask(let body), .askAgain(let body): return [.ask(body)]
    case .failed(let error): return fail(error)
    case .finished(let negotiated): return adopt(negotiated)
    }
  }

  /// The engine would not open the stream of a load (R22, R23).
  /// - Parameters:
  ///   - error: Why not.
  ///   - generation: The load that the stream belongs to.
  /// - Returns: One load without the burn-in if it is blamed, else the failure.
  public mutating func openFailed(_ error: PlaybackError, generation: Int) -> [Effect] {
    guard generation == self.generation, phase == .opening, var start else { return [] }
    switch BurnIn.openFailure(burnedIndex: burnedIndex, error: error) {
    case .usualPath: return fail(error)
    case .reloadWithoutBurnIn(let index):
      droppedRows.apply(.openFailureBlamed(index: index), sourceID: start.request.mediaSourceID)
      start.request.pick = .off
      start.request.reapplied = nil
      localChoice = nil
      self.start = start
      return [.notify(.burnedStreamWouldNotOpen(index: index)), .load(start)]
    }
  }

  /// Playback failed after it had begun (R37).
  ///
  /// A burned-in stream takes the usual way: a session that the server lost is renewed once, with
  /// what is chosen now, and anything else is shown.
  public mutating func playbackFailed(
    _ error: PlaybackError, at position: PlaybackPosition
  ) -> [Effect] {
    guard phase == .established else { return [] }
    moved(to: position)
    if case .load(let failure) = error, failure.kind == .sourceRefused, failure.domain == nil,
      failure.code == 404, let session, session.id != renewedSessionID
    {
      return reload(.renewal, at: position)
    }
    return fail(error)
  }

  /// The current load is given up; what was opened before stays.
  public mutating func cancel() {
    generation += 1
    if isLoading { phase = .idle }
  }

  /// Playback ends: the server hears of it, and nothing after it.
  public mutating func stop(at position: PlaybackPosition) -> [Effect] {
    generation += 1
    moved(to: position)
    phase = .idle
    deferred = nil
    return retireSession()
  }

  /// Takes over what was negotiated (R8, R10, R11, R28, R34).
  private mutating func adopt(_ negotiated: Negotiated) -> [Effect] {
    guard var start else { return [] }
    let pick = start.request.pick
    let after = BurnIn.afterNegotiation(outcome: negotiated.outcome, pick: pick)
    var effects: [Effect] = []
    if let index = pick.streamIndex, after.notifies {
      localChoice = nil
      let isUnconfirmed = negotiated.outcome == .unconfirmed
      effects.append(
        .notify(
          isUnconfirmed ? .burnInUnconfirmed(index: index) : .burnInRequestFailed(index: index)))
      droppedRows.apply(
        isUnconfirmed ? .unconfirmed(index: index) : .requestFailed(index: index),
        sourceID: start.request.mediaSourceID)
    }
    start.request.pick = after.carriedPick
    self.start = start
    hasExplicitChoice = hasExplicitChoice || after.isExplicitChoice
    if !after.autoMayRun, negotiated.outcome == .confirmed { autoPreferences = nil }
    burnedIndex = negotiated.burnedIndex
    selected = negotiated.burnedIndex.map { .burnInRow(index: $0) }
    isTranscode = negotiated.stream.isTranscode
    videoCopyOnly = isTranscode && negotiated.videoCopyOnly
    let next = PlaySession(
      id: negotiated.answer.playSessionID ?? "", contentID: start.request.contentID,
      mediaSourceID: start.request.mediaSourceID, isTranscode: isTranscode)
    effects = retireSession() + effects
    return effects
      + open(
        .server(negotiated.stream), session: next,
        mounted: BurnIn.mountedSubtitles(
          streams: negotiated.answer.source?.streams ?? [], isDirectPlay: !isTranscode))
  }

  private mutating func open(
    _ source: StreamOpening.Source, session: PlaySession?, mounted: [MountedSubtitle]
  ) -> [Effect] {
    guard let start else { return [] }
    phase = .opening
    self.session = session
    sessionPosition = position
    return [
      .open(
        StreamOpening(
          start: start, source: source, session: session, mounted: mounted,
          burnedIndex: burnedIndex))
    ]
  }

  /// The session that is replaced ends once its successor is in hand.
  mutating func retireSession() -> [Effect] {
    guard let old = session else { return [] }
    session = nil
    return [.retire(old, at: sessionPosition)]
  }

  private mutating func fail(_ error: PlaybackError) -> [Effect] {
    if error == .cancelled {
      // A stream that was about to open is not heard of again, so its encode must end.
      let effects = phase == .opening ? retireSession() : []
      phase = .idle
      return effects
    }
    phase = .failed(error)
    return [.fail(error, start?.origin ?? .userInitiated)]
  }
}
