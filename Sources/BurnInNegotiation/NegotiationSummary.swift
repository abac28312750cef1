// SPDX-License-Identifier: Apache-2.0

/// A negotiation in the words of a report.
public struct NegotiationSummary: Sendable, Hashable {
  /// `confirmed`, `unconfirmed`, `failed`, `direct-play`, `not-asked` or `unplayable`.
  public var outcome: String
  /// The stream that is burned in, by the server's index; nil for none.
  public var burned: Int?
  /// The subtitle index of each request, in order.
  public var requests: [Int]
  /// Which answer plays: `first` or `second`; nil if none does.
  public var plays: String?
  /// Why, as one sentence or two.
  public var reason: String
}

extension Negotiation {
  /// The end of the negotiation in the words of a report; nil before it.
  public var summary: NegotiationSummary? {
    switch result {
    case nil: nil
    case .success(let end):
      NegotiationSummary(
        outcome: end.outcome.rawValue, burned: end.burnedIndex, requests: requests,
        plays: end.plays.rawValue, reason: end.reason)
    case .failure(let error):
      NegotiationSummary(
        outcome: "unplayable", burned: nil, requests: requests, plays: nil,
        reason: error.description)
    }
  }

  /// The body of the burn-in request, as it is or was sent; nil if none is (R3).
  public var secondBody: PlaybackInfoBody? {
    if case .askAgain(let body) = step { return body }
    return requests.count > 1 ? firstBody.asking(forSubtitle: requests[1]) : nil
  }

  /// A negotiation whose answers were saved, judged without a server.
  ///
  /// Without a first answer one is taken to have come that offered a transcode of the same source;
  /// an answer that cannot be played, or that plays directly, is then the first answer itself.
  /// - Parameters:
  ///   - answer: The answer to the burn-in request.
  ///   - first: The answer to the first request.
  ///   - track: The stream that was asked for, by the server's index.
  ///   - server: The server software.
  ///   - serverURL: The server's address; nil believes an absolute URL of the first answer,
  ///     or without one of the answer itself.
  /// - Returns: The negotiation at its end.
  public static func judging(
    _ answer: PlaybackAnswer, first: PlaybackAnswer? = nil, track: Int,
    server: ServerKind = .jellyfin, serverURL: String? = nil
  ) -> Negotiation {
    // An absolute URL is believed only where there is no first answer that was written otherwise.
    let url =
      serverURL ?? (first == nil ? address(of: answer) : first.flatMap(address))
      ?? "https://server.invalid"
    var negotiation = Negotiation(
      server: server, serverURL: url, body: PlaybackInfoBody(), pick: .stream(track))
    let stream = try? answer.playable(serverURL: url)
    if let first {
      negotiation.firstAnswered(.success(first))
    } else if stream?.isTranscode == true {
      var assumed = answer
      assumed.source?.transcodingURL = "/master.m3u8"
      negotiation.firstAnswered(.success(assumed))
    } else {
      negotiation.firstAnswered(.success(answer))
    }
    negotiation.secondAnswered(.success(answer))
    return negotiation
  }

  /// Scheme and authority of an answer's URL, if it is absolute.
  private static func address(of answer: PlaybackAnswer) -> String? {
    guard let url = answer.source?.transcodingURL, let parts = URLParts(url), parts.origin != nil
    else { return nil }
    return String(decoding: url.utf8.prefix(parts.addressLength), as: UTF8.self)
  }
}

extension PlaybackAnswer {
  /// An answer of which nothing but the transcode's URL was saved.
  ///
  /// The stream is taken to be a bitmap subtitle, and the session to be the URL's own.
  public init(transcodingURL: String, track: Int) {
    let sessions = StreamQuery(url: transcodingURL).values("PlaySessionId")
    self.init(
      playSessionID: sessions.first { !$0.isEmpty } ?? "unknown",
      source: Source(
        transcodingURL: transcodingURL,
        streams: [SourceStream(index: track, type: .subtitle, codec: "pgssub")]))
  }
}
