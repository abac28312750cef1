// SPDX-License-Identifier: Apache-2.0

extension BurnIn {
  /// The subtitle that Auto chooses (RA1, RA5-RA11, R24, R27).
  ///
  /// Burn-in rows take part as ordinary tracks, but not while the transcode only repackages the
  /// video.
  /// - Parameters:
  ///   - preferences: What the user prefers.
  ///   - audioLanguage: The language of the audio that plays; nil if not known.
  ///   - tracks: The rows in the order of the stored list.
  ///   - videoCopyOnly: Whether the transcode only repackages the video.
  /// - Returns: The verdict with its reason.
  public static func resolveAuto(
    preferences: AutoPreferences, audioLanguage: String?, tracks: [SubtitleTrack],
    videoCopyOnly: Bool = false
  ) -> AutoDecision {
    AutoResolver(
      preferences: preferences, audio: LanguageTag(audioLanguage),
      tracks: autoCandidates(tracks: tracks, videoCopyOnly: videoCopyOnly)
    ).decision()
  }
}

/// One run of Auto.
struct AutoResolver {
  /// The classes of tracks (RA5).
  enum TrackClass {
    case plain
    case hearingImpaired
    case forced
  }

  let preferences: AutoPreferences
  let audio: LanguageTag?
  let tracks: [SubtitleTrack]

  /// The main languages in order.
  private var languages: [LanguageTag] {
    ([preferences.language] + preferences.furtherLanguages).compactMap { LanguageTag($0) }
  }

  /// The classes with full dialogue, the preferred one first (RA5).
  private var fullClasses: [TrackClass] {
    preferences.prefersHearingImpaired ? [.hearingImpaired, .plain] : [.plain, .hearingImpaired]
  }

  private var miss: AutoVerdict { preferences.disablesOnMiss ? .disable : .noChange }

  func decision() -> AutoDecision {
    if tracks.isEmpty { return AutoDecision(miss, .noCandidates) }
    if preferences.mode == .off { return AutoDecision(.disable, .modeOff) }
    if preferences.language.map(Text.trimmed) == "" {
      return AutoDecision(.disable, .noSubtitlesWanted)
    }
    if preferences.isForcedOnly {
      return forcedTrack(in: languages).map { select($0, .forcedOnly) }
        ?? AutoDecision(.disable, .noForcedTrack)
    }
    if languages.isEmpty { return anyLanguage() }
    if preferences.mode == .auto, let audio,
      languages.contains(where: { $0.isSameLanguage(as: audio) })
    {
      let spoken = languages.filter { $0.isSameLanguage(as: audio) }
      return forcedTrack(in: spoken).map { select($0, .forcedBesideAudio) }
        ?? AutoDecision(.disable, .audioUnderstood)
    }
    return fullDialogue()
  }

  /// Full dialogue in a main language or the backup language, then a forced track (RA7, RA11).
  private func fullDialogue() -> AutoDecision {
    if let track = fullTrack(in: languages) { return select(track, .fullDialogue) }
    if let backup = LanguageTag(preferences.backupLanguage), let track = fullTrack(in: [backup]) {
      return select(track, .backupLanguage)
    }
    if let track = forcedTrack(in: languages) { return select(track, .onlyForcedTrack) }
    return AutoDecision(miss, .languageMiss)
  }

  /// The best track of any language, full dialogue before forced (RA8).
  private func anyLanguage() -> AutoDecision {
    guard preferences.mode == .always else { return AutoDecision(.noChange, .noLanguage) }
    let classes = fullClasses + (preferences.showsForced ? [.forced] : [])
    for kind in classes {
      if let track = tracks.first(where: { belongs($0, to: kind) }) {
        return select(track, .anyLanguage)
      }
    }
    return AutoDecision(miss, .languageMiss)
  }

  private func select(_ track: SubtitleTrack, _ reason: AutoDecision.Reason) -> AutoDecision {
    AutoDecision(.select(trackID: track.id), reason)
  }

  private func fullTrack(in languages: [LanguageTag]) -> SubtitleTrack? {
    for kind in fullClasses {
      if let track = match(kind, languages) { return track }
    }
    return nil
  }

  /// A forced track, which never plays with Show Forced off (RA3).
  private func forcedTrack(in languages: [LanguageTag]) -> SubtitleTrack? {
    preferences.showsForced ? match(.forced, languages) : nil
  }

  /// The first track of a class: exact tags over all languages, then the same language (RA7).
  private func match(_ kind: TrackClass, _ languages: [LanguageTag]) -> SubtitleTrack? {
    let candidates = tracks.filter { belongs($0, to: kind) }
    let fits: [(LanguageTag, LanguageTag) -> Bool] = [
      { $0.isExactly($1) }, { $0.isSameLanguage(as: $1) },
    ]
    for fit in fits {
      for language in languages {
        let track = candidates.first { track in
          LanguageTag(track.language).map { fit($0, language) } ?? false
        }
        if let track { return track }
      }
    }
    return nil
  }

  private func belongs(_ track: SubtitleTrack, to kind: TrackClass) -> Bool {
    if track.countsAsForced { return kind == .forced }
    return kind == (track.countsAsHearingImpaired ? .hearingImpaired : .plain)
  }
}
