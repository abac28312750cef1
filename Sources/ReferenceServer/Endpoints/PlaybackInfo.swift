// SPDX-License-Identifier: Apache-2.0

extension Service {
  /// The answer without a device profile: no negotiation.
  func playbackInfo(_ call: Call) throws -> ServerResponse {
    let caller = try call.authorized()
    let film = try film(call["item"])
    if let user = call.request.parameter("userId") { _ = try account(user, caller: caller) }
    return answer(SourceShape(film: film, version: version).json, session: playSession(of: film))
  }

  /// The answer to a client that says what it wants and can.
  func negotiatedPlaybackInfo(_ call: Call) throws -> ServerResponse {
    let caller = try call.authorized()
    let film = try film(call["item"])
    let request = PlaybackRequest(
      body: try body(of: call.request), request: call.request,
      storedProfile: sessions.profile(ofDevice: caller.identity.deviceID))
    if request.userID != nil || request.profile != nil {
      _ = try account(request.userID, caller: caller)
    }
    if let source = request.mediaSourceID, !film.isSource(source, of: version) {
      return .json(.fields(["MediaSources": [], "ErrorCode": "NoCompatibleStream"]))
    }
    guard let profile = request.profile else {
      return answer(SourceShape(film: film, version: version).json, session: playSession(of: film))
    }
    let session = playSession(of: film)
    try check(profile)
    let remembered = resumes.resume(of: film.id, account: caller.account)?.subtitleIndex
    let negotiator = Negotiator(
      film: film, request: request, profile: profile, version: version,
      deviceID: caller.identity.deviceID, playSessionID: session, token: caller.token,
      rememberedSubtitle: remembered)
    let shape = SourceShape(film: film, version: version, outcome: negotiator.outcome())
    let right = answer(shape.json, session: session)
    guard let index = request.subtitleIndex, index >= 0, let fault = answerFault,
      case .json(let value) = right.body
    else { return right }
    return fault.doctored(value)
  }

  /// What is wrong with answers to requests for a burn-in; nil for nothing.
  private var answerFault: AnswerFault? {
    configuration.faults.lazy.compactMap { fault in
      if case .burnInAnswer(let kind) = fault { kind } else { nil }
    }.first
  }

  /// Refuses a profile with a word that the server does not know; Emby was not seen to mind.
  private func check(_ profile: JSON) throws {
    guard !version.isEmby else { return }
    let known = [
      "Type": ["audio", "video", "photo", "subtitle", "lyric"],
      "Method": ["encode", "embed", "external", "hls", "drop"],
      "Context": ["streaming", "static"],
    ]
    for list in ["DirectPlayProfiles", "TranscodingProfiles", "SubtitleProfiles"] {
      for (place, entry) in (profile[list]?.elements ?? []).enumerated() {
        for (name, words) in known {
          guard let word = entry[name]?.text?.lowercased(), !word.isEmpty, Int(word) == nil,
            !words.contains(word)
          else { continue }
          throw Refusal(
            errors.validation(
              "$.DeviceProfile.\(list)[\(place)].\(name)",
              "The JSON value could not be converted."))
        }
      }
    }
  }

  /// The JSON object of a body that may be empty.
  func body(of request: ServerRequest) throws -> JSON {
    guard !request.body.isEmpty else { return .object([]) }
    // Emby takes any type; its own web client says text/plain.
    let type = request.header("Content-Type")?.lowercased()
    guard version.isEmby || type?.contains("json") == true else {
      throw Refusal(errors.problem(415, "Unsupported Media Type"))
    }
    do {
      let body = try JSON(parsing: request.body)
      guard case .object = body else {
        throw Refusal(errors.validation("$", "The JSON value could not be converted."))
      }
      return body
    } catch let fault as JSONFault {
      throw Refusal(errors.validation("$", fault.description))
    }
  }

  private func answer(_ source: JSON, session: String) -> ServerResponse {
    .json(.fields(["MediaSources": .array([source]), "PlaySessionId": .string(session)]))
  }

  /// A new play session, or always the same one of a film where segments go stale on purpose.
  private func playSession(of film: Film) -> String {
    configuration.faults.contains(.staleSegments)
      ? Identifier.stable("play session \(film.id)") : Identifier.random()
  }
}
