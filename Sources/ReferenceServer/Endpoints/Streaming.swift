// SPDX-License-Identifier: Apache-2.0
internal import ChildProcess
internal import Glibc

/// A segment that is wanted: of which stream, for whom, and where in the film it begins.
struct SegmentOrder: Sendable {
  var plan: StreamPlan
  var key: Transcoder.Key
  var ticks: Int
}

extension Service {
  /// The highest number of a segment: a month of them.
  static let segmentLimit = 1_000_000

  func masterPlaylist(_ call: Call) throws -> ServerResponse {
    guard version.isEmby || call.request.parameter("MediaSourceId") != nil else {
      throw Refusal(errors.missing("mediaSourceId"))
    }
    let playlists = Playlists(plan: try plan(of: call), query: call.request.query)
    guard !version.isEmby else { return playlist(playlists.embyMaster) }
    var response = playlist(playlists.master)
    response.headers.append(("Expires", "0"))
    return response
  }

  func mediaPlaylist(_ call: Call) throws -> ServerResponse {
    let plan = try plan(of: call)
    let text =
      version.isEmby
      ? try embyMediaPlaylist(call, plan: plan)
      : Playlists(plan: plan, query: call.request.query).media
    guard let text else { throw Refusal(.plain(500)) }
    return playlist(text)
  }

  private func playlist(_ text: String) -> ServerResponse {
    guard configuration.faults.contains(.truncatedPlaylist) else { return .playlist(text) }
    return .playlist(String(decoding: text.utf8.prefix(text.utf8.count * 3 / 5), as: UTF8.self))
  }

  /// What a request for a playlist or segment asks for.
  private func plan(of call: Call) throws -> StreamPlan {
    let film = try film(call["item"], missing: .plain(404))
    try checkSource(of: call, film)
    guard let plan = StreamPlan(request: call.request, film: film, configuration: configuration)
    else { throw Refusal(.plain(500)) }
    return plan
  }

  /// At stream time the source's identifier is compared letter by letter.
  private func checkSource(of call: Call, _ film: Film) throws {
    guard let source = call.request.parameter("MediaSourceId") else { return }
    if version.isEmby ? film.isSource(source, of: version) : source == film.sourceID { return }
    throw Refusal(.plain(version.isEmby || Identifier.parse(source) != nil ? 400 : 500))
  }

  func segment(_ call: Call) async throws -> ServerResponse {
    let request = call.request
    let name = call["segment"].split(separator: ".")
    guard name.count == 2, let number = Int(name[0]), (-1...Self.segmentLimit).contains(number),
      let container = StreamPlan.SegmentContainer(rawValue: name[1].lowercased())
    else { throw Refusal(.empty(404)) }
    if version.isEmby, configuration.faults.contains(.unauthorized) { throw Refusal(.empty(401)) }
    var order = try version.isEmby ? embySegment(call, number: number) : order(of: call, number)
    order.plan.container = container
    if configuration.faults.contains(.staleSegments) {
      (order.key.userAgent, order.key.deviceID, order.key.variant) = ("", "", "")
    }
    let path: String
    do {
      path = try await transcoder.segment(
        number, at: order.ticks, of: order.plan, for: order.key)
    } catch let fault as SegmentFault {
      throw Refusal(.plain(fault == .encoderFailed ? 500 : 404))
    }
    let type = container == .fragmentedMP4 ? "video/mp4" : "video/mp2t"
    if configuration.faults.contains(.endlessBody) {
      return ServerResponse(
        status: 200, headers: [("Content-Type", type)],
        body: .endless([UInt8](repeating: 0x47, count: 188 * 64)))
    }
    return try FileAnswer(path: path, type: type).response(to: request)
  }

  /// What the address of Jellyfin's segment says; its ticks are trusted as the place to begin.
  private func order(of call: Call, _ number: Int) throws -> SegmentOrder {
    let request = call.request
    for name in ["runtimeTicks", "actualSegmentLengthTicks"] where request.number(name) == nil {
      throw Refusal(errors.missing(name))
    }
    if configuration.faults.contains(.missingSegment(number)) { throw Refusal(.plain(503)) }
    if request.number("StartTimeTicks") ?? 0 > 0 { throw Refusal(.plain(400)) }
    let plan = try plan(of: call)
    let caller = try call.authorized()
    let key = Transcoder.Key(
      path: plan.film.path, userAgent: request.header("User-Agent") ?? "",
      deviceID: request.parameter("DeviceId") ?? caller.identity.deviceID,
      playSessionID: request.parameter("PlaySessionId") ?? "")
    return SegmentOrder(plan: plan, key: key, ticks: request.number("runtimeTicks") ?? 0)
  }

  func staticStream(_ call: Call) throws -> ServerResponse {
    let name = call["stream"].lowercased().split(separator: ".", omittingEmptySubsequences: false)
    let isNamed = name.first == "stream" || (version.isEmby && name.first == "original")
    guard isNamed, name.count <= 2 else { return .empty(404) }
    let film = try film(call["item"], missing: .plain(404))
    if configuration.faults.contains(.unauthorized) { throw Refusal(.empty(401)) }
    if version.guardsFiles { _ = try call.authorized() }
    try checkSource(of: call, film)
    // Only the file as it is; progressive transcodes are no part of this server.
    guard call.request.flag("static") == true || name.first == "original" else {
      throw Refusal(.plain(400))
    }
    let extensionName =
      name.count == 2 ? String(name[1]) : call.request.parameter("container") ?? film.fileExtension
    return try FileAnswer(path: film.path, type: FileAnswer.type(of: extensionName))
      .response(to: call.request)
  }

  func endEncodings(_ call: Call) async throws -> ServerResponse {
    for name in ["deviceId", "playSessionId"] where call.request.parameter(name) == nil {
      throw Refusal(errors.missing(name))
    }
    await transcoder.end(
      deviceID: call.request.parameter("deviceId"),
      playSessionID: call.request.parameter("playSessionId"))
    return .empty(204)
  }
}

extension Film {
  /// What stands behind the last point of the file's name, in lower case.
  var fileExtension: String {
    path.lastIndex(of: ".").map { path[path.index(after: $0)...].lowercased() } ?? ""
  }
}
