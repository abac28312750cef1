// SPDX-License-Identifier: Apache-2.0

/// The decision functions by the names that vectors call them by.
enum VectorFunctions {
  typealias Function = @Sendable (VectorInput) -> WireValue

  static let table: [String: Function] =
    names.merging(requests) { one, _ in one }.merging(rows) { one, _ in one }
    .merging(failures) { one, _ in one }.merging(automatic) { one, _ in one }

  /// Ids, codecs and numbers.
  private static let names: [String: Function] = [
    "makeTrackId": { .optional($0.int("index").flatMap { BurnIn.makeTrackId(index: $0) }) },
    "isSidecar": { .bool($0.int("trackId").map { BurnIn.isSidecar(trackID: $0) } ?? false) },
    "sidecarIndex": {
      .optional($0.int("trackId").flatMap { BurnIn.sidecarIndex(trackID: $0) })
    },
    "isBitmapCodec": { .bool(BurnIn.isBitmapCodec($0.string("codec"))) },
    "canBeSecondary": { .bool(BurnIn.canBeSecondary(codec: $0.string("codec"))) },
    "ticks": { input in
      let seconds = input.value["seconds"]?.double ?? 0
      return .number("\(BurnIn.ticks(seconds: seconds))")
    },
    "languagesMatch": { .bool(BurnIn.languagesMatch($0.string("a"), $0.string("b"))) },
    "titleIndicatesForced": { .bool(BurnIn.titleIndicatesForced($0.string("title"))) },
    "titleIndicatesHearingImpaired": {
      .bool(BurnIn.titleIndicatesHearingImpaired($0.string("title")))
    },
  ]

  /// What is asked, and what an answer says.
  private static let requests: [String: Function] = [
    "confirms": { input in
      .bool(
        BurnIn.confirms(
          index: input.int("index") ?? -1, transcodingURL: input.string("transcodingUrl"),
          deliveryMethod: input.string("deliveryMethod")))
    },
    "transcodeReasons": { input in
      .array(
        BurnIn.transcodeReasons(transcodingURL: input.string("transcodingUrl"))
          .map(WireValue.string))
    },
    "videoCopyOnly": { input in
      .bool(
        BurnIn.videoCopyOnly(
          videoCodec: input.string("videoCodec"),
          transcodeReasons: input.list("transcodeReasons").compactMap(\.value.string),
          allowsVideoStreamCopy: input.flag("allowVideoStreamCopy")))
    },
    "sanitizeStreamUrl": { input in
      .string(
        BurnIn.sanitizeStreamUrl(
          serverURL: input.string("serverUrl") ?? "",
          transcodingURL: input.string("transcodingUrl") ?? "") ?? "rejected")
    },
    "bridgePick": { input in
      .optional(
        BurnIn.bridgePick(
          server: input.server, isOffline: input.flag("offline"), pick: input.pick,
          dropped: input.dropped))
    },
    "negotiate": negotiate,
    "afterNegotiation": afterNegotiation,
    "carriedPick": { input in
      let reasons: [String: ReloadReason] = [
        "retry": .retry, "seekReload": .seek, "qualityChange": .qualityChange,
        "renewal": .renewal,
      ]
      let carried = BurnIn.carriedPick(
        for: input.string("event").flatMap { reasons[$0] } ?? .retry,
        lastPick: SubtitlePick(wireValue: input.int("lastRequestPick")),
        selected: input.choice("selected"), isExplicitOff: input.flag("explicitOff"))
      return .optional(carried.pick.wireValue)
    },
    "pendingPickOnDirectPlay": { input in
      let pending = BurnIn.pendingPickOnDirectPlay(
        pick: input.pick, engineStreamIndexes: input.ints("engineStreamIndexes"),
        mountedSidecarIndexes: input.ints("mountedSidecarIndexes"))
      return switch pending {
      case .keepWaiting: .null
      case .off: .string("off")
      case .embedded(let index): .integer(index)
      case .textSidecar(let index): .optional(BurnIn.makeTrackId(index: index))
      }
    },
  ]

  /// The list of rows, and what choosing one comes to.
  private static let rows: [String: Function] = [
    "burnInRows": { .array(burnInRows($0).map(row)) },
    "pickerRows": { input in
      let rows = BurnIn.pickerRows(
        playable: input.tracks("engineRows"), burnIn: burnInRows(input))
      return .array(rows.map { .integer($0.id) })
    },
    "mountedSubtitles": { input in
      let mounted = BurnIn.mountedSubtitles(
        streams: input.streams("streams"), isDirectPlay: input.flag("direct"))
      return .array(
        mounted.map {
          .members([
            "index": .integer($0.index), "format": .string($0.format),
            "trackId": .integer($0.trackID),
          ])
        })
    },
    "runtimeInventory": { input in
      .array(BurnIn.runtimeInventory(tracks: input.tracks("tracks")).map { .integer($0.id) })
    },
    "selectionAction": { input in
      let action = BurnIn.selectionAction(
        burnedIndex: input.int("burnedIndex"), choice: input.choice("choice") ?? .off)
      let (word, pick): (String, Int?) =
        switch action {
        case .reload(let pick): ("reload", pick)
        case .local: ("local", nil)
        case .none(let pick): ("none", pick)
        }
      return .members(["action": .string(word), "burnInPick": .optional(pick)])
    },
    "cycleSubtitle": { input in
      step(BurnIn.cycleSubtitle(tracks: input.tracks("tracks"), selected: input.int("selected")))
    },
    "toggleSubtitles": { input in
      step(BurnIn.toggleSubtitles(tracks: input.tracks("tracks"), selected: input.int("selected")))
    },
    "styleControls": { input in
      let controls = BurnIn.styleControls(
        selected: input.choice("selected"), codec: input.object("selected")?.string("codec"))
      return .members([
        "styleControlsShown": .bool(controls.showsStyle),
        "delayControlShown": .bool(controls.showsDelay),
        "delayEffective": .bool(controls.delayHasEffect),
      ])
    },
    "reportedSubtitleIndex": { input in
      .integer(
        BurnIn.reportedSubtitleIndex(
          burnedIndex: input.int("burnedIndex"), selected: input.choice("selected")))
    },
  ]

  /// What follows a failure.
  private static let failures: [String: Function] = [
    "blamesBurnIn": { input in
      .bool(
        BurnIn.blamesBurnIn(
          burnedIndex: input.int("burnedIndex"),
          error: input.object("error")?.error ?? .network(code: nil)))
    },
    "openFailure": { input in
      let action = BurnIn.openFailure(
        burnedIndex: input.int("burnedIndex"),
        error: input.object("error")?.error ?? .network(code: nil))
      return switch action {
      case .usualPath:
        .members(["action": .string("usualPath"), "dropIndex": .null, "notice": .bool(false)])
      case .reloadWithoutBurnIn(let index):
        .members([
          "action": .string("reloadWithoutBurnIn"), "dropIndex": .integer(index),
          "notice": .bool(true),
        ])
      }
    },
    "dropLifetime": { input in
      .array(
        BurnIn.dropLifetime(events: input.list("events").compactMap(titleEvent)).sorted()
          .map(WireValue.integer))
    },
  ]

  /// Auto.
  private static let automatic: [String: Function] = [
    "autoCandidates": { input in
      let tracks = BurnIn.autoCandidates(
        tracks: input.tracks("tracks"), videoCopyOnly: input.flag("videoCopyOnly"))
      return .array(tracks.map { .integer($0.id) })
    },
    "resolveAuto": { input in
      let preferences = AutoPreferences(
        language: input.string("language"),
        furtherLanguages: input.list("additional").compactMap(\.value.string),
        backupLanguage: input.string("backup"),
        mode: input.string("mode").flatMap(AutoPreferences.Mode.init) ?? .auto,
        showsForced: input.flag("showForced"), isForcedOnly: input.flag("forcedOnly"),
        prefersHearingImpaired: input.flag("preferAccessibility"),
        disablesOnMiss: input.flag("disableWhenNoMatch"))
      let decision = BurnIn.resolveAuto(
        preferences: preferences, audioLanguage: input.string("audioLanguage"),
        tracks: input.tracks("tracks"), videoCopyOnly: input.flag("videoCopyOnly"))
      return switch decision.verdict {
      case .noChange: .string("noChange")
      case .disable: .string("disable")
      case .select(let id): .members(["select": .integer(id)])
      }
    },
  ]

  private static func burnInRows(_ input: VectorInput) -> [SubtitleTrack] {
    BurnIn.burnInRows(
      server: input.server, isTranscode: input.flag("isTranscode"),
      streams: input.streams("streams"), dropped: input.dropped)
  }

  private static func row(_ track: SubtitleTrack) -> WireValue {
    .members([
      "trackId": .integer(track.id), "srcId": .optional(track.sourceIndex), "ffIndex": .null,
    ])
  }

  private static func step(_ step: SubtitleStep?) -> WireValue {
    switch step {
    case nil: .null
    case .off: .string("off")
    case .track(let id): .integer(id)
    }
  }

  private static func titleEvent(_ input: VectorInput) -> TitleEvent? {
    let index = input.int("index") ?? -1
    return switch input.string("event") {
    case "load": .load(contentID: input.string("contentId") ?? "")
    case "unconfirmed": .unconfirmed(index: index)
    case "requestFailed": .requestFailed(index: index)
    case "openFailureBlamed": .openFailureBlamed(index: index)
    case "openFailureNotBlamed": .openFailureNotBlamed(index: index)
    case "retry": .reload(.retry)
    case "seekReload": .reload(.seek)
    case "qualityChange": .reload(.qualityChange)
    case "renewal": .reload(.renewal)
    default: nil
    }
  }

  /// A negotiation with a server that answers by a script; a script that ends too soon is a
  /// connection that drops.
  private static func negotiate(_ input: VectorInput) -> WireValue {
    var script = input.list("responses").map(\.response)[...]
    var negotiation = Negotiation(
      server: input.server, serverURL: input.string("serverUrl") ?? "https://media.example.test",
      body: PlaybackInfoBody(), pick: input.pick, dropped: input.dropped,
      fileStreams: input.streams("fileStreams"))
    negotiation.firstAnswered(script.popFirst() ?? .failure(.network(code: nil)))
    negotiation.secondAnswered(script.popFirst() ?? .failure(.network(code: nil)))
    let requests = WireValue.array(negotiation.requests.map(WireValue.integer))
    switch negotiation.result {
    case nil: return .null
    case .failure(let error):
      return .members(["requests": requests, "throws": .string(VectorInput.word(error))])
    case .success(let end):
      let outcome =
        switch end.outcome {
        case .confirmed: "confirmed"
        case .unconfirmed: "unconfirmed"
        case .requestFailed: "requestFailed"
        case .directPlay, .notAsked: "none"
        }
      return .members([
        "requests": requests, "plays": .string(end.plays.rawValue), "outcome": .string(outcome),
        "burnedIndex": .optional(end.burnedIndex),
      ])
    }
  }

  private static func afterNegotiation(_ input: VectorInput) -> WireValue {
    let outcomes: [String: NegotiationOutcome] = [
      "confirmed": .confirmed, "unconfirmed": .unconfirmed, "requestFailed": .requestFailed,
    ]
    let after = BurnIn.afterNegotiation(
      outcome: input.string("outcome").flatMap { outcomes[$0] } ?? .notAsked, pick: input.pick)
    return .members([
      "selectedTrackId": .optional(after.selectedTrackID),
      "explicitChoice": .bool(after.isExplicitChoice), "autoMayRun": .bool(after.autoMayRun),
      "dropIndex": .optional(after.droppedIndex), "notice": .bool(after.notifies),
      "carriedPick": .optional(after.carriedPick.wireValue),
    ])
  }
}
