// SPDX-License-Identifier: Apache-2.0

/// Reading the input of a vector.
struct VectorInput {
  let value: WireValue

  init(_ value: WireValue) { self.value = value }

  func int(_ name: String) -> Int? { value[name]?.int }
  func string(_ name: String) -> String? { value[name]?.string }
  func flag(_ name: String) -> Bool { value[name]?.bool ?? false }
  func list(_ name: String) -> [VectorInput] { (value[name]?.array ?? []).map(VectorInput.init) }
  func ints(_ name: String) -> [Int] { list(name).compactMap(\.value.int) }
  func object(_ name: String) -> VectorInput? { value[name].map(VectorInput.init) }

  var server: ServerKind { string("server").flatMap(ServerKind.init) ?? .jellyfin }
  var dropped: Set<Int> { Set(ints("dropped")) }
  var pick: SubtitlePick { SubtitlePick(wireValue: int("pick")) }

  func streams(_ name: String) -> [SourceStream] {
    list(name).map { stream in
      SourceStream(
        index: stream.int("index"),
        type: StreamType(serverName: stream.string("type") ?? "Subtitle"),
        codec: stream.string("codec"), isExternal: stream.flag("isExternal"),
        deliveryMethod: stream.string("deliveryMethod"))
    }
  }

  /// Tracks by their ids alone, or with what Auto looks at.
  func tracks(_ name: String) -> [SubtitleTrack] {
    list(name).map { track in
      let id = track.int("id") ?? track.value.int ?? 0
      let kind: SubtitleTrack.Kind =
        track.flag("burnIn")
        ? .burnInRow : BurnIn.isSidecar(trackID: id) ? .textSidecar : .embedded
      return SubtitleTrack(
        id: id, kind: kind, codec: track.string("codec"), language: track.string("lang"),
        title: track.string("title"), isForced: track.flag("forced"),
        isHearingImpaired: track.flag("hi"), isExternal: track.flag("isExternal"))
    }
  }

  /// A choice of `{kind, index}`.
  func choice(_ name: String) -> SubtitleChoice? {
    guard let choice = object(name) else { return nil }
    let index = choice.int("index") ?? 0
    return switch choice.string("kind") {
    case "burnInRow": .burnInRow(index: index)
    case "textSidecar": .textSidecar(index: index)
    case "openSubtitles": .openSubtitles(file: index)
    case "embedded": .embedded(index: index)
    default: .off
    }
  }

  /// An error of a load, `{type, kind, domain, code, underlyingDomain}` or another type.
  var error: PlaybackError {
    switch string("type") {
    case "load":
      .load(
        LoadFailure(
          string("kind").flatMap(LoadFailure.Kind.init) ?? .unknown, domain: string("domain"),
          code: int("code"), underlyingDomain: string("underlyingDomain")))
    case "http": .http(status: int("status") ?? 0)
    case "url": .network(code: int("code"))
    case "signIn": .signInRequired
    case "startTimeout": .startTimedOut
    case "audioSession": .audioSession
    case "cancelled": .cancelled
    default: .network(code: nil)
    }
  }

  /// What came of a request: an error word, or an answer whose session and source are there
  /// unless they are written as null.
  var response: Result<PlaybackAnswer, PlaybackError> {
    if let word = string("error") { return .failure(Self.requestError(word)) }
    let source = PlaybackAnswer.Source(
      supportsDirectPlay: flag("supportsDirectPlay"), transcodingURL: string("transcodingUrl"),
      transcodingSubProtocol: string("transcodingSubProtocol"), streams: streams("streams"))
    return .success(
      PlaybackAnswer(
        errorCode: string("errorCode"),
        playSessionID: isNull("playSessionId") ? nil : string("playSessionId") ?? "p1",
        source: isNull("source") ? nil : source))
  }

  private func isNull(_ name: String) -> Bool {
    guard case .object(let members) = value else { return false }
    return members.contains { $0.name == name && $0.value == .null }
  }

  /// The error of a word such as `http404` or `timeout`.
  static func requestError(_ word: String) -> PlaybackError {
    if word.hasPrefix("http"), let status = Int(word.dropFirst(4)) { return .http(status: status) }
    return switch word {
    case "timeout": .timedOut
    case "cancelled": .cancelled
    case "accountChanged", "requestIdentityChanged": .accountChanged
    case "signIn", "signInRequired": .signInRequired
    default: .network(code: nil)
    }
  }

  /// The word of an error, as vectors write what is thrown.
  static func word(_ error: PlaybackError) -> String {
    switch error {
    case .http(let status): "http\(status)"
    case .timedOut: "timeout"
    case .cancelled: "cancelled"
    case .accountChanged: "accountChanged"
    case .signInRequired: "signInRequired"
    case .playbackUnavailable: "playbackUnavailable"
    case .network: "network"
    case .load(let failure): failure.kind.rawValue
    case .startTimedOut: "startTimeout"
    case .audioSession: "audioSession"
    }
  }
}

extension WireValue {
  /// The number, or null.
  static func optional(_ value: Int?) -> WireValue { value.map(WireValue.integer) ?? .null }
}
