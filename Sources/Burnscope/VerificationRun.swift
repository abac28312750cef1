// SPDX-License-Identifier: Apache-2.0
internal import BurnInNegotiation
internal import BurnInVerification
internal import Compositing
internal import HLSPlayback
internal import HTTPTransport
internal import MediaContainer
internal import MediaServer
internal import SubtitleModel

/// One verification from the first request to the verdict, on the caller's thread.
final class VerificationRun {
  private let target: VerificationTarget
  private let options: VerificationOptions
  private let cancellation: CancellationFlag
  private let progress: (String) -> Void
  private let client: HTTPClient

  init(
    target: VerificationTarget, options: VerificationOptions, cancellation: CancellationFlag,
    progress: @escaping (String) -> Void
  ) {
    self.target = target
    self.options = options
    self.cancellation = cancellation
    self.progress = progress
    client = HTTPClient(
      configuration: HTTPConfiguration(
        certificateAuthorityFile: options.certificateAuthorityFile))
  }

  func perform() throws -> VerificationReport {
    switch target {
    case .stream(let url, let path, let track):
      let film = try readFilm(LocalFile(path: path), path: path, ranges: nil)
      let asked = try track.find(in: film.media, name: path)
      return try verify(
        film: film, asked: Self.name(asked), playlistURL: url, headers: [],
        expected: options.layout,
        findings: [])
    case .server(let server, let item, let index, let path):
      return try verify(server, item: item, index: index, path: path)
    }
  }

  // MARK: - A server's item

  private func verify(
    _ server: VerificationServer, item id: String, index: Int, path: String?
  ) throws -> VerificationReport {
    let connection = try MediaServerConnection(
      baseURL: server.baseURL, credentials: server.credentials,
      identity: ClientIdentity(deviceID: server.deviceID), client: client,
      cancellation: { [cancellation] in cancellation.isCancelled })
    progress("asking the server")
    let info = try connection.requireKnownServer()
    defer { connection.signOut() }
    let item = try connection.item(id)
    guard let source = item.sources.first else {
      throw VerificationFault(.noTrack, "the item \(id) has no media source")
    }
    let kind = try connection.kind()
    let place = source.trackPlace(ofStreamIndex: index)
    try check(place, index: index, in: source, hasFile: path != nil)
    var film = try readFilm(
      of: source, item: id, connection, path: path, needsTracks: place != .external)
    try addSideTracks(to: &film, of: source, kind: kind, path: path)
    let asked = try name(of: index, at: place, in: source, kind: kind, film: film)
    progress("negotiating the burn-in")
    var wish = BurnInRequest(item: id, source: source.id, subtitleStreamIndex: index)
    wish.maximumHeight = server.maximumHeight
    wish.maximumBitrate = server.maximumBitrate
    wish.container = server.container
    let offer = try connection.requestBurnIn(wish)
    defer { connection.stop(offer) }
    var report = try verify(
      film: film, asked: asked, playlistURL: offer.playlistURL,
      headers: try connection.mediaHeaders(),
      expected: options.layout ?? info.layoutName.flatMap { Layout(rawValue: $0) },
      findings: offer.findings,
      hearsay: { [connection.transcodingReport(deviceID: offer.deviceID)?.note].compactMap { $0 } })
    for place in report.tracks.indices where report.tracks[place].serverIndex == nil {
      let track = report.tracks[place].description
      let listed = source.streams.count { $0.isSubtitle && !$0.isExternal }
      report.tracks[place].serverIndex =
        listed == film.media.subtitles.count
        ? source.streamIndex(ofEmbedded: track.subtitleOrdinal)
        : source.streamIndex(ofContainerStream: track.streamIndex, kind: kind)
    }
    return report
  }

  /// Refuses an index whose track cannot be had.
  private func check(
    _ place: TrackPlace, index: Int, in source: MediaSource, hasFile: Bool
  ) throws {
    switch place {
    case .embedded: break
    case .external:
      guard !hasFile else { break }
      throw VerificationFault(
        .noTrack,
        "the server's stream \(index) is a file of its own, which cannot be fetched whole from the"
          + " server; give --source with the film that this file lies beside")
    case .noSubtitle:
      throw VerificationFault(
        .invalidRequest,
        source.refusal(ofSubtitle: index) ?? "the server's stream \(index) is no subtitle")
    }
  }

  /// Adds the bitmap tracks of files beside the film, which the server may draw as well.
  private func addSideTracks(
    to film: inout Film, of source: MediaSource, kind: ServerKind, path: String?
  ) throws {
    let listed = source.streams.filter { $0.isSubtitle && $0.isExternal }
    let bitmaps = listed.filter { BurnIn.isBitmapCodec($0.codec) }
    guard !bitmaps.isEmpty else { return }
    let order = try path.map { try ServerOrder.predicted(for: $0, kind: kind) }
    let sides = order?.sideTracks ?? []
    // The server may have scanned another folder than the one at hand.
    guard sides.map(\.serverIndex) == listed.map(\.index).sorted() else {
      let indices = bitmaps.map { "\($0.index)" }.joined(separator: ", ")
      film.notes.append(
        "the server's streams \(indices) lie in files of their own, which are not at hand: that one "
          + "of them is drawn besides is not excluded")
      return
    }
    for side in sides where bitmaps.contains(where: { $0.index == side.serverIndex }) {
      try film.tracks.append(sideTrack(side))
    }
  }

  private func sideTrack(_ side: SideTrack) throws -> FilmTrack {
    // A .sub is read through its .idx.
    let isPair = side.path.lowercased().hasSuffix(".sub")
    let path = isPair ? side.path.dropLast(3) + "idx" : side.path[...]
    guard
      let track = try NativeTracks.decode(
        .subtitleOrdinal(side.stream), of: String(path), by: options.decoder,
        cancellation: cancellation)
    else { throw VerificationFault(.noTrack, "\(side.path): the file has no track \(side.stream)") }
    let file = side.path.split(separator: "/").last.map(String.init) ?? side.path
    return FilmTrack(
      name: side.stream == 0 ? file : "\(file)#\(side.stream)", track: track,
      serverIndex: side.serverIndex)
  }

  /// What the track behind a server's index is called in results.
  private func name(
    of index: Int, at place: TrackPlace, in source: MediaSource, kind: ServerKind, film: Film
  ) throws -> String {
    guard case .embedded(let ordinal) = place else {
      guard let track = film.tracks.first(where: { $0.serverIndex == index }) else {
        throw VerificationFault(
          .noTrack,
          "the server's stream \(index) is a file of its own, and no bitmap track beside the source "
            + "answers to it; give --source with the film that this file lies beside")
      }
      return track.name
    }
    let selector = selector(
      of: index, ordinal: ordinal, in: source, kind: kind, media: film.media)
    return Self.name(try selector.find(in: film.media, name: film.source.name))
  }

  /// The track behind a server's index.
  ///
  /// Where the server lists all of the file's subtitles, their order says which is meant; where a
  /// library's settings hide some, the server's own numbering does, as far as it fits the file.
  private func selector(
    of index: Int, ordinal: Int, in source: MediaSource, kind: ServerKind, media: MediaDescription
  ) -> TrackSelector {
    let listed = source.streams.count { $0.isSubtitle && !$0.isExternal }
    if listed != media.subtitles.count,
      let stream = source.containerStream(ofStreamIndex: index, kind: kind),
      media.subtitles.contains(where: { $0.streamIndex == stream })
    {
      return .streamIndex(stream)
    }
    return .subtitleOrdinal(ordinal)
  }

  // MARK: - The film

  /// A bitmap track that may be drawn, in the film or in a file beside it.
  private struct FilmTrack {
    /// What results call it: `0:s:1`, or the file's name.
    var name: String
    var track: DecodedTrack
    /// The server's index of a track in a file of its own.
    var serverIndex: Int?
  }

  /// The source: what the container says, its bitmap tracks with their cues, and its bytes.
  private struct Film {
    var source: any ByteSource
    var media: MediaDescription
    var tracks: [FilmTrack]
    /// The server's file, if the source is no file of ours.
    var ranges: RemoteFilm?
    var notes: [String] = []
  }

  private func readFilm(
    of source: MediaSource, item: String, _ connection: MediaServerConnection, path: String?,
    needsTracks: Bool
  ) throws -> Film {
    if let path {
      return try readFilm(
        LocalFile(path: path), path: path, ranges: nil, needsTracks: needsTracks)
    }
    let ranges = try RemoteFilm(
      url: try connection.staticStreamURL(item: item, source: source.id), client: client,
      headers: try connection.mediaHeaders(), cancellation: cancellation)
    return try readFilm(ranges.whole, path: nil, ranges: ranges)
  }

  private func readFilm(
    _ source: any ByteSource, path: String?, ranges: RemoteFilm?, needsTracks: Bool = true
  ) throws -> Film {
    progress("reading the source's subtitles")
    let reader =
      try path.map { try MediaReader(path: $0, cancellation: cancellation) }
      ?? MediaReader(source: source, cancellation: cancellation)
    let bitmaps = reader.description.subtitles.filter { $0.codec.isBitmap }
    guard !bitmaps.isEmpty else {
      guard needsTracks else {
        return Film(source: source, media: reader.description, tracks: [], ranges: ranges)
      }
      throw VerificationFault(.noTrack, "\(source.name): the file has no bitmap subtitle track")
    }
    let films = FilmTracks(
      reader, bytes: try ranges?.pieces(for: reader.description) ?? source, walks: ranges == nil,
      cancellation: cancellation)
    let (tracks, way) = try films.decode(bitmaps, by: options.decoder) { [progress] share in
      progress("reading the source's subtitles: \(Int(share * 100)) %")
    }
    var film = Film(
      source: source, media: reader.description,
      tracks: tracks.map { FilmTrack(name: Self.name($0.description), track: $0) },
      ranges: ranges)
    if ranges != nil, way == .wholeFile {
      film.notes.append(
        "all of the source was read for its subtitles, because no index of it lists them all")
    }
    return film
  }

  /// The range looked at: as wished, within the film.
  private func range(of film: Film) throws -> Range<Timestamp> {
    let lastCue = film.tracks.flatMap(\.track.cues).map(\.end).max() ?? .zero
    let end = film.media.duration ?? lastCue + Timestamp(milliseconds: 1000)
    let from = max(options.from ?? .zero, .zero)
    let to = min(options.to ?? end, end)
    guard from < to else {
      throw VerificationFault(
        .invalidRequest, "the range from \(from) to \(to) is empty; the film is \(end) long")
    }
    return from..<to
  }

  // MARK: - The session

  private func verify(
    film: Film, asked: String, playlistURL: String, headers: [(String, String)],
    expected: Layout?, findings: [String], hearsay: () -> [String] = { [] }
  ) throws -> VerificationReport {
    let range = try range(of: film)
    progress("opening the stream")
    let stream = try HLSSession(
      url: playlistURL, client: client, options: HLSOptions(headers: headers),
      cancellation: cancellation)
    let rate = film.media.video?.frameRate ?? 25
    let task = SessionTask(
      asked: asked,
      tracks: film.tracks.map { each in
        SessionTrack(
          name: each.name, canvas: each.track.canvas(fallingBackTo: film.media.video),
          cues: each.track.cues)
      },
      videoFramesPerSecond: rate, range: range, expectedLayout: expected,
      isLayoutStated: options.layout != nil,
      isBlind: options.isBlind || film.media.video == nil, seed: options.seed)
    let plan = SessionPlan(task: task)
    let frames = TranscodeFrames(
      stream: stream, reference: try reference(task, film), framesPerSecond: plan.framesPerSecond,
      likelyFrames: plan.likelyFrames,
      mostWindows: plan.hasTwins
        ? TranscodeFrames.windowLimitWithTwins : TranscodeFrames.windowLimit,
      progress: progress)
    frames.open(
      WindowPlanner.stretches(cues: plan.judgedCueTimes, count: plan.hasTwins ? 9 : 5))
    // Asked now, while the transcode runs: a server forgets it afterwards.
    let said = hearsay()
    let session = VerificationSession(plan: plan, frames: frames)
    progress("looking at cues")
    var result = session.run()
    if let error = frames.fatalError { throw error }
    let statistics = stream.statistics
    if statistics.segments == 0, let fault = stream.firstFault {
      throw HLSFault(fault.kind, "no segment of the stream could be had: \(fault)")
    }
    result.fetch = VerificationResult.Fetch(
      windows: frames.windowCount, segments: statistics.segments, bytes: statistics.bytes,
      requests: statistics.requests)
    result.notes += findings + said + frames.notes + film.notes
    if let ranges = film.ranges { result.notes.append(ranges.note) }
    if film.media.video == nil, !options.isBlind {
      result.notes.append("the source has no video, so nothing was compared with its frames")
    }
    return VerificationReport(
      result: result,
      tracks: film.tracks.map { each in
        VerifiedTrack(
          name: each.name, description: each.track.description, serverIndex: each.serverIndex,
          cueCount: each.track.cues.count)
      },
      evidence: options.wantsEvidence ? session.evidencePictures() : [], stream: stream.name)
  }

  private func reference(_ task: SessionTask, _ film: Film) throws -> ReferenceFrames? {
    guard !task.isBlind else { return nil }
    return ReferenceFrames(
      reader: try VideoFrameReader(source: film.source, cancellation: cancellation))
  }

  private static func name(_ track: TrackDescription) -> String { "0:s:\(track.subtitleOrdinal)" }
}

extension MediaSource {
  /// The server's index of an embedded subtitle stream; nil if the server does not list it.
  fileprivate func streamIndex(ofEmbedded ordinal: Int) -> Int? {
    let embedded = streams.filter { $0.isSubtitle && !$0.isExternal }.sorted { $0.index < $1.index }
    return embedded.indices.contains(ordinal) ? embedded[ordinal].index : nil
  }
}
