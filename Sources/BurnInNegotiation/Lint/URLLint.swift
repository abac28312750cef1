// SPDX-License-Identifier: Apache-2.0

extension BurnIn {
  /// What is wrong, or could be, with the URL of a burned-in transcode.
  ///
  /// The findings come in a fixed order: stream and method first, then the session, the form of the
  /// URL, and what the answer says beside it. None means that nothing in the facts speaks against
  /// the burn-in, not that the picture holds it.
  public static func lint(_ facts: LintFacts) -> [LintFinding] {
    var lint = URLLint(facts)
    lint.checkStream()
    lint.checkMethod()
    lint.checkCopying()
    lint.checkSession()
    lint.checkToken()
    lint.checkTicks()
    lint.checkForm()
    lint.checkServerHabits()
    lint.checkAnswer()
    return lint.findings
  }
}

/// One run of the lint.
struct URLLint {
  let facts: LintFacts
  let query: StreamQuery
  var findings: [LintFinding] = []

  init(_ facts: LintFacts) {
    self.facts = facts
    query = StreamQuery(url: facts.url)
  }

  /// The subtitle indexes as they are written.
  private var indexes: [String] { query.values("SubtitleStreamIndex") }

  /// The methods that are not empty, in lower case.
  private var methods: [String] {
    query.values("SubtitleMethod").map(Text.folded).filter { !$0.isEmpty }
  }

  private var isEncode: Bool { !methods.isEmpty && methods.allSatisfy { $0 == "encode" } }

  private func isSet(_ name: String, _ value: String) -> Bool {
    query.values(name).contains { Text.folded($0) == value }
  }

  mutating func find(
    _ code: LintFinding.Code, _ weight: LintFinding.Weight, _ sentence: String, _ source: String
  ) {
    findings.append(
      LintFinding(code: code, weight: weight, sentence: sentence, source: source))
  }

  mutating func checkStream() {
    let numbers = indexes.compactMap(Text.strictInteger)
    guard let track = facts.track else {
      if indexes.contains(where: { !$0.hasPrefix("-") && !$0.isEmpty }) {
        find(
          .indexUnwanted, .fault, "The URL names a subtitle though none is wanted.",
          "Emby does not heed -1 in every version: drop SubtitleStreamIndex and SubtitleMethod")
      }
      return
    }
    if indexes.isEmpty {
      if isEncode {
        find(
          .encodeWithoutIndex, .fault,
          "The URL has the method Encode and no SubtitleStreamIndex, so nothing is burned in.",
          "Jellyfin writes Encode beside an index of -1 (StreamInfo.cs)")
      } else {
        find(
          .indexMissing, .fault, "The URL names no subtitle stream, so nothing is burned in.",
          "Jellyfin StreamInfo.cs leaves the index out for -1 and for External")
      }
      return
    }
    if numbers.count < indexes.count {
      find(
        .indexMalformed, .fault, "A SubtitleStreamIndex of the URL is no number in plain digits.",
        "rule R6, A5")
    }
    if Set(numbers).count > 1 {
      find(
        .indexContradicts, .fault, "The URL names the subtitle streams \(list(numbers)).",
        "rule R6, A5: contradictions never confirm")
    } else if indexes.count > 1, numbers.count == indexes.count {
      find(
        .indexDoubled, .doubt, "The URL names its subtitle stream \(indexes.count) times.",
        "servers write it once; which of several a server reads is not said")
    }
    if let other = numbers.first(where: { $0 != track }) {
      find(
        .indexOfAnotherStream, .fault,
        "The URL names subtitle stream \(other), and stream \(track) is wanted.",
        "jellyfin#13198: indexes shift when files beside the media come or go")
    }
  }

  private func list(_ numbers: [Int]) -> String {
    numbers.map { "\($0)" }.joined(separator: " and ")
  }

  mutating func checkMethod() {
    guard facts.track != nil, !indexes.isEmpty else { return }
    let written = query.values("SubtitleMethod").count
    if methods.isEmpty {
      if isSet("AlwaysBurnInSubtitleWhenTranscoding", "true") { return }
      find(
        .methodMissing, .doubt,
        "The URL names no SubtitleMethod: Jellyfin from 10.10 on takes that as External and burns "
          + "nothing in.", "Jellyfin commit d944f415f3; jellyfin-kodi#947")
    } else if Set(methods).count > 1 {
      find(
        .methodContradicts, .fault, "The URL names \(Set(methods).count) different methods.",
        "rule R6, A5: contradictions never confirm")
    } else if !isEncode {
      find(
        .methodNotEncode, .fault, "The URL names another SubtitleMethod than Encode.", "rule R6")
    }
    if written > 1, Set(methods).count <= 1 {
      find(
        .methodDoubled, facts.server == .jellyfin ? .doubt : .fault,
        "The URL has SubtitleMethod \(written) times, which has kept Emby from burning in.",
        "emby-watchparty#29")
    }
  }

  /// Whether the server may copy the video, in which case no picture is drawn on.
  mutating func checkCopying() {
    guard facts.track != nil, !indexes.isEmpty else { return }
    if isSet("VideoCodec", "copy") || isSet("Static", "true") {
      find(
        .copyAllowed, .fault,
        "The URL asks for the video as it is (VideoCodec=copy or Static=true), so nothing can be "
          + "drawn on it.", "Jellyfin EncodingHelper.cs: a copied picture is never drawn on")
    }
    if facts.server == .emby {
      if !isSet("EnableAutoStreamCopy", "false") {
        find(
          .copyAllowed, .doubt,
          "The URL lacks EnableAutoStreamCopy=false, which is what makes Emby encode the video.",
          "measured on Emby 4.10 by others; VideoCodec=h264 alone still allows a copy")
      }
      return
    }
    // With an index and Encode Jellyfin refuses a copy by itself (EncodingHelper.cs).
    guard !isEncode, !isSet("AllowVideoStreamCopy", "false") else { return }
    find(
      .copyAllowed, .doubt,
      "The URL does not forbid copying the video, and no method Encode makes the server refuse to.",
      "jellyfin#17198: the flag to always burn in is not looked at when a copy is decided on")
  }

  mutating func checkSession() {
    let sessions = query.values("PlaySessionId").filter { !$0.isEmpty }
    if let own = facts.answer?.playSessionID,
      sessions.contains(where: { $0.lowercased() != own.lowercased() })
    {
      find(
        .sessionContradicts, .fault, "The URL names another play session than its answer.",
        "Jellyfin StreamInfo.cs writes the answer's own session")
    }
    guard let first = facts.firstAnswer?.playSessionID?.lowercased(), !first.isEmpty else { return }
    let second = (facts.answer?.playSessionID).map { [$0] } ?? sessions
    if second.contains(where: { $0.lowercased() == first }) {
      find(
        .sessionReused, .fault,
        "The answer has the first answer's play session, so segments made without the subtitle can "
          + "come back.", "Jellyfin StreamingHelpers.cs: the file name knows no subtitle index")
    }
  }

  mutating func checkToken() {
    let found = query.items.filter {
      BurnIn.credentialQueryNames.contains($0.name) && !$0.value.isEmpty
    }
    guard !found.isEmpty else { return }
    let list = Set(found.map(\.name)).sorted().joined(separator: ", ")
    find(
      .tokenInQuery, .note,
      "The query holds a token (\(list)): send it in a header, and keep the URL out of logs.",
      "rule R10")
  }
}
