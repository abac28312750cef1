// SPDX-License-Identifier: Apache-2.0

extension TitleState {
  /// The engine opened the stream of a load (R13, R16, R18, R28, R35, A18).
  ///
  /// The list of rows is adopted, what was picked is selected, and a choice that waited is made;
  /// only then may Auto choose.
  /// - Parameters:
  ///   - opened: What the engine found.
  ///   - generation: The load that the stream belongs to.
  /// - Returns: What to select and to report, or the load that a choice asks for.
  public mutating func established(_ opened: OpenedStream, generation: Int) -> [Effect] {
    guard generation == self.generation, phase == .opening else { return [] }
    phase = .established
    knowsTracks = true
    audioLanguage = opened.audioLanguage
    audioStreamIndex = opened.audioStreamIndex ?? audioStreamIndex
    let playing = negotiation?.result.flatMap { try? $0.get() }
    tracks = BurnIn.pickerRows(
      playable: opened.tracks,
      burnIn: BurnIn.burnInRows(
        server: server, isTranscode: isTranscode, streams: playing?.answer.source?.streams ?? [],
        dropped: dropped))
    let pending = selectPending()
    let chosen: [Effect]
    if let choice = deferred {
      deferred = nil
      chosen = choose(choice, at: position)
    } else {
      chosen = runAuto()
    }
    if chosen.contains(where: \.isLoad) { return chosen }
    return pending + chosen.filter { !$0.isReport } + reports()
  }

  /// A row, or Off, was chosen by hand (R18, R19, R20, A18, A19, A20).
  ///
  /// While a load runs the choice waits until it is established; the latest wins.
  /// - Parameters:
  ///   - choice: What was chosen.
  ///   - position: Where playback stands; a reload begins there, paused if playback is.
  /// - Returns: What to select, or the load that the choice asks for.
  public mutating func choose(
    _ choice: SubtitleChoice, at position: PlaybackPosition
  ) -> [Effect] {
    guard phase == .established else {
      deferred = choice
      return []
    }
    moved(to: position)
    let track = tracks.first { $0.choice == choice }
    guard choice == .off || track != nil else { return [] }
    hasExplicitChoice = true
    return remember(choice, track) + act(on: choice, origin: .userInitiated, byHand: true)
  }

  /// The audio was switched; Auto looks again if it still may (R28).
  public mutating func audioSwitched(language: String?, streamIndex: Int?) -> [Effect] {
    guard phase == .established else { return [] }
    audioLanguage = language
    audioStreamIndex = streamIndex
    hasAutoResolved = false
    let chosen = runAuto()
    return chosen.isEmpty ? reports() : chosen
  }

  /// The same title is loaded again (R26, R21).
  ///
  /// A retry and a seek send the last request unchanged; a quality change and a renewal carry what
  /// is chosen now. A quality change ends the old session at once, and a session is renewed once.
  /// - Parameters:
  ///   - reason: Why.
  ///   - position: Where playback stands.
  ///   - target: Where a seek goes, in server ticks; nil stays.
  ///   - quality: The new quality of a quality change.
  /// - Returns: The load, after the end of the old session if it ends at once.
  public mutating func reload(
    _ reason: ReloadReason, at position: PlaybackPosition, target: Int64? = nil,
    quality: String? = nil
  ) -> [Effect] {
    guard var next = start else { return [] }
    moved(to: position)
    let carried = BurnIn.carriedPick(
      for: reason, lastPick: next.request.pick, selected: selected,
      isExplicitOff: hasExplicitChoice && (selected == nil || selected == .off)
        && knowsTracks,
      knowsTracks: knowsTracks)
    next.request.pick = carried.pick
    if reason == .qualityChange || reason == .renewal {
      next.request.reapplied = carried.reapplied
      localChoice = nil
    }
    next.startTimeTicks = target ?? position.ticks
    next.isPaused = false
    next.origin = .userInitiated
    switch reason {
    case .retry, .seek: return [.load(next)]
    case .qualityChange:
      next.request.quality = quality ?? next.request.quality
      return retireSession() + [.load(next)]
    case .renewal:
      guard let session, session.id != renewedSessionID else { return [] }
      renewedSessionID = session.id
      next.isPaused = position.isPaused
      next.origin = .recovery
      return [.load(next)]
    }
  }

  /// Playback went on to a position.
  public mutating func moved(to position: PlaybackPosition) {
    self.position = position
    if session != nil { sessionPosition = position }
  }

  /// What a choice comes to (R18, R19, R20).
  private mutating func act(
    on choice: SubtitleChoice, origin: LoadOrigin, byHand: Bool
  ) -> [Effect] {
    switch BurnIn.selectionAction(burnedIndex: burnedIndex, choice: choice) {
    case .none: return []
    case .local:
      selected = choice
      if byHand { localChoice = choice }
      return [.select(choice)] + reports()
    case .reload(let pick):
      guard var next = start else { return [] }
      next.request.pick = pick.map(SubtitlePick.stream) ?? .off
      next.request.reapplied = pick == nil && choice != .off ? choice : nil
      next.startTimeTicks = position.ticks
      next.isPaused = position.isPaused
      next.origin = origin
      localChoice = nil
      return [.load(next)]
    }
  }

  /// Selects what the load was asked to begin with (R28, R35).
  private mutating func selectPending() -> [Effect] {
    if burnedIndex != nil { return [] }
    if let choice = start?.request.reapplied ?? localChoice, hasRow(choice) {
      selected = choice
      return [.select(choice)]
    }
    let pending = BurnIn.pendingPickOnDirectPlay(
      pick: start?.request.pick ?? .unspecified,
      engineStreamIndexes: indexes(of: .embedded), mountedSidecarIndexes: indexes(of: .textSidecar))
    switch pending {
    case .keepWaiting: return []
    case .off: selected = .off
    case .embedded(let index): selected = .embedded(index: index)
    case .textSidecar(let index): selected = .textSidecar(index: index)
    }
    return selected.map { [.select($0)] } ?? []
  }

  private func hasRow(_ choice: SubtitleChoice) -> Bool {
    choice == .off || tracks.contains { $0.choice == choice }
  }

  private func indexes(of kind: SubtitleTrack.Kind) -> [Int] {
    tracks.filter { $0.kind == kind }.compactMap(\.sourceIndex)
  }

  /// Lets Auto choose, if it may (R18, R24, R27, R28).
  private mutating func runAuto() -> [Effect] {
    guard !hasExplicitChoice, !hasAutoResolved, let preferences = autoPreferences, !tracks.isEmpty
    else { return [] }
    hasAutoResolved = true
    let decision = BurnIn.resolveAuto(
      preferences: preferences, audioLanguage: audioLanguage, tracks: tracks,
      videoCopyOnly: videoCopyOnly)
    switch decision.verdict {
    case .noChange: return []
    case .disable: return selected == .off ? [] : act(on: .off, origin: origin, byHand: false)
    case .select(let id):
      guard let track = tracks.first(where: { $0.id == id }), track.choice != selected else {
        return []
      }
      return act(on: track.choice, origin: origin, byHand: false)
    }
  }

  private var origin: LoadOrigin { start?.origin ?? .userInitiated }

  private func reports() -> [Effect] { report.map { [.report($0)] } ?? [] }

  /// What a choice by hand leaves for other titles: nothing if it is from OpenSubtitles (A20).
  private func remember(_ choice: SubtitleChoice, _ track: SubtitleTrack?) -> [Effect] {
    switch choice {
    case .off: [.remember(.off)]
    case .openSubtitles: []
    case .burnInRow, .textSidecar, .embedded: [.remember(.always(language: track?.language))]
    }
  }
}

extension Effect {
  /// Whether the effect begins another load.
  var isLoad: Bool { if case .load = self { true } else { false } }

  /// Whether the effect is a report.
  var isReport: Bool { if case .report = self { true } else { false } }
}
