// SPDX-License-Identifier: Apache-2.0

/// One negotiation: what is asked of the server, and what is played.
///
/// A value without I/O: the caller sends the body of each step and hands back what came of it.
///
///     var negotiation = Negotiation(
///       server: .jellyfin, serverURL: url, body: body, pick: .stream(3))
///     negotiation.firstAnswered(.success(answer))
///     if case .askAgain(let body) = negotiation.step { … }
public struct Negotiation: Sendable, Hashable {
  /// Where the negotiation stands.
  public enum Step: Sendable, Hashable {
    /// Send the body of the first request.
    case ask(PlaybackInfoBody)
    /// Send the body of the burn-in request.
    case askAgain(PlaybackInfoBody)
    /// The negotiation is over.
    case finished(Negotiated)
    /// Nothing is played, and no burn-in is to blame (R2, A4).
    case failed(PlaybackError)
  }

  /// The server that is asked.
  public let server: ServerKind
  /// The server's address, with its base path.
  public let serverURL: String
  /// The body of the first request, which asks for no subtitle (R1).
  public let firstBody: PlaybackInfoBody
  /// The burn-in that is wanted, if the file has that bitmap track (R31).
  public let pick: Int?
  /// The file's streams; nil takes those of the first answer.
  public let fileStreams: [SourceStream]?
  /// The subtitle index of each request, in order.
  public private(set) var requests: [Int] = []
  /// Where the negotiation stands.
  public private(set) var step: Step
  /// The first answer, once it has come.
  public private(set) var first: PlaybackAnswer?
  /// The second answer, if there was one.
  public private(set) var second: PlaybackAnswer?

  /// A negotiation that has not begun.
  /// - Parameters:
  ///   - server: The server that is asked.
  ///   - serverURL: The server's address, with its base path.
  ///   - body: The body that the client sends; its subtitle index is set to -1.
  ///   - pick: The pick of the load.
  ///   - dropped: The indexes that are not asked for any more (R21).
  ///   - fileStreams: The file's streams; nil takes those of the first answer.
  public init(
    server: ServerKind, serverURL: String, body: PlaybackInfoBody, pick: SubtitlePick,
    dropped: Set<Int> = [], fileStreams: [SourceStream]? = nil
  ) {
    self.server = server
    self.serverURL = serverURL
    firstBody = body.asking(forSubtitle: PlaybackInfoBody.noSubtitle)
    self.pick = BurnIn.bridgePick(
      server: server, isOffline: false, pick: pick, dropped: dropped)
    self.fileStreams = fileStreams
    step = .ask(firstBody)
  }

  /// Takes in what came of the first request (R2, R3, R4, R5).
  ///
  /// Without effect if the negotiation is not at its first request.
  public mutating func firstAnswered(_ result: Result<PlaybackAnswer, PlaybackError>) {
    guard case .ask(let body) = step else { return }
    requests.append(body.subtitleStreamIndex)
    let answer: PlaybackAnswer
    switch result {
    case .failure(let error):
      step = .failed(error)
      return
    case .success(let value): answer = value
    }
    first = answer
    let stream: PlayableStream
    do throws(Unplayable) {
      stream = try answer.playable(serverURL: serverURL)
    } catch {
      step = .failed(.playbackUnavailable(error))
      return
    }
    guard stream.isTranscode else {
      finish(
        .directPlay, answer, stream,
        "The server lets the file play as it is; direct play "
          + "never asks for a burn-in.")
      return
    }
    guard let pick else {
      finish(.notAsked, answer, stream, "No burn-in was picked.")
      return
    }
    let streams = fileStreams ?? answer.source?.streams ?? []
    guard streams.contains(where: { $0.index == pick && $0.isBitmapSubtitle }) else {
      finish(.notAsked, answer, stream, "Stream \(pick) is not one of the file's bitmap subtitles.")
      return
    }
    step = .askAgain(firstBody.asking(forSubtitle: pick))
  }

  /// Takes in what came of the burn-in request (R6, R7, R8, A2, A3, A4).
  ///
  /// Without effect if the negotiation is not at its second request.
  public mutating func secondAnswered(_ result: Result<PlaybackAnswer, PlaybackError>) {
    guard case .askAgain(let body) = step, let pick, let first,
      let stream = try? first.playable(serverURL: serverURL)
    else { return }
    requests.append(body.subtitleStreamIndex)
    switch result {
    case .failure(let error) where error.endsNegotiation:
      step = .failed(error)
    case .failure(let error):
      finish(.requestFailed, first, stream, "The burn-in request failed. \(error)")
    case .success(let answer):
      second = answer
      do throws(Doubt) {
        let burned = try BurnIn.confirmedStream(of: answer, index: pick, serverURL: serverURL)
        let url = answer.source?.transcodingURL ?? ""
        let namesMethod = StreamQuery(url: url).values("SubtitleMethod").contains { !$0.isEmpty }
        finish(
          .confirmed, answer, burned,
          namesMethod
            ? "The second answer's URL names stream \(pick) with the method Encode."
            : "The second answer's URL names stream \(pick) and no method, and the stream's own "
              + "DeliveryMethod is Encode.")
      } catch {
        finish(
          .unconfirmed, first, stream,
          "The server did not confirm the burn-in of stream "
            + "\(pick): \(error.words).")
      }
    }
  }

  /// Ends the negotiation.
  private mutating func finish(
    _ outcome: NegotiationOutcome, _ answer: PlaybackAnswer, _ stream: PlayableStream,
    _ reason: String
  ) {
    step = .finished(
      Negotiated(
        outcome: outcome, plays: outcome == .confirmed ? .second : .first,
        burnedIndex: outcome == .confirmed ? pick : nil, requests: requests, answer: answer,
        stream: stream, reason: reason,
        videoCopyOnly: BurnIn.videoCopyOnly(
          videoCodec: (fileStreams ?? first?.source?.streams ?? [])
            .first { $0.type == .video }?.codec,
          transcodeReasons: BurnIn.transcodeReasons(transcodingURL: first?.source?.transcodingURL),
          allowsVideoStreamCopy: firstBody.allowVideoStreamCopy != false)))
  }
}

extension Negotiation {
  /// What became of the negotiation so far; nil before its end.
  public var result: Result<Negotiated, PlaybackError>? {
    switch step {
    case .ask, .askAgain: nil
    case .finished(let negotiated): .success(negotiated)
    case .failed(let error): .failure(error)
    }
  }
}

/// What became of a negotiation.
public enum NegotiationOutcome: String, Sendable, Hashable, CaseIterable {
  /// The server confirmed the burn-in, and the second answer plays.
  case confirmed
  /// The server answered without confirming.
  case unconfirmed
  /// The burn-in request failed.
  case requestFailed = "failed"
  /// The file plays as it is; nothing more was asked.
  case directPlay = "direct-play"
  /// A transcode plays and no burn-in was asked for.
  case notAsked = "not-asked"
}

/// The end of a negotiation.
public struct Negotiated: Sendable, Hashable {
  /// Which answer plays.
  public enum Choice: String, Sendable, Hashable {
    /// The answer to the first request.
    case first
    /// The answer to the burn-in request.
    case second
  }

  /// What became of the negotiation.
  public var outcome: NegotiationOutcome
  /// Which answer plays.
  public var plays: Choice
  /// The stream that is burned in, by the server's index; nil for none.
  public var burnedIndex: Int?
  /// The subtitle index of each request, in order.
  public var requests: [Int]
  /// The answer that plays.
  public var answer: PlaybackAnswer
  /// What of it plays.
  public var stream: PlayableStream
  /// Why, as one sentence or two.
  public var reason: String
  /// Whether the first answer's transcode only repackages the video (R24).
  public var videoCopyOnly: Bool
}
