// SPDX-License-Identifier: Apache-2.0
import BurnInNegotiation

/// A player that prints what the negotiation core asks of it.
///
/// A real one sends the bodies by HTTP, opens the stream in its engine, and shows rows and notices.
actor SamplePlayer: BurnInHost {
  /// A server that transcodes everything, and burns in what it is asked to.
  private var sessions = 0

  private let streams = [
    SourceStream(index: 0, type: .video, codec: "hevc"),
    SourceStream(index: 1, type: .audio, codec: "dts", language: "jpn"),
    SourceStream(index: 2, type: .subtitle, codec: "subrip", language: "fre", title: "French"),
    SourceStream(index: 3, type: .subtitle, codec: "PGSSUB", language: "eng", title: "English"),
  ]

  nonisolated func playbackInfoBody(for start: LoadStart) -> PlaybackInfoBody {
    PlaybackInfoBody(
      userID: "user", mediaSourceID: start.request.mediaSourceID,
      startTimeTicks: start.startTimeTicks, audioStreamIndex: start.request.audioStreamIndex,
      deviceProfile: .members(["Name": .string("Sample")]))
  }

  func playbackInfo(
    _ body: PlaybackInfoBody, for request: LoadRequest
  ) async throws(PlaybackError) -> PlaybackAnswer {
    print("POST /Items/\(request.contentID)/PlaybackInfo")
    print("     \(body.json)")
    sessions += 1
    var url = "/videos/\(request.contentID)/master.m3u8?MediaSourceId=s1&PlaySessionId=p\(sessions)"
    if body.subtitleStreamIndex >= 0 {
      url += "&SubtitleStreamIndex=\(body.subtitleStreamIndex)&SubtitleMethod=Encode"
    }
    return PlaybackAnswer(
      playSessionID: "p\(sessions)",
      source: .init(transcodingURL: url, transcodingSubProtocol: "hls", streams: streams))
  }

  func open(_ stream: StreamOpening) async throws(PlaybackError) -> OpenedStream {
    if case .server(.transcode(let url)) = stream.source { print("open \(url)") }
    // The engine mounts the text files beside the stream and finds no subtitle in it.
    let mounted = stream.mounted.map { file in
      SubtitleTrack(
        id: file.trackID, kind: .textSidecar, sourceIndex: file.index, codec: file.format,
        language: file.stream.language, title: file.stream.title)
    }
    return OpenedStream(tracks: mounted, audioLanguage: "jpn", audioStreamIndex: 1)
  }

  func select(_ choice: SubtitleChoice) { print("the engine shows \(choice)") }
  func notify(_ notice: Notice) { print("notice: \(notice.sentence)") }
  func failed(_ error: PlaybackError, origin: LoadOrigin) { print("failed: \(error)") }

  func report(_ report: PlaybackReport) {
    print("report session \(report.session.id), subtitle \(report.subtitleStreamIndex)")
  }

  func retire(_ session: PlaySession, at position: PlaybackPosition) {
    print("stop session \(session.id) at \(position.ticks)")
  }
}
