// SPDX-License-Identifier: Apache-2.0
internal import ChildProcess
internal import Glibc

extension Service {
  func masterPlaylist(_ call: Call) throws -> ServerResponse {
    guard call.request.parameter("MediaSourceId") != nil else {
      throw Refusal(errors.missing("mediaSourceId"))
    }
    let plan = try plan(of: call)
    var response = playlist(Playlists(plan: plan, query: call.request.query).master)
    response.headers.append(("Expires", "0"))
    return response
  }

  func mediaPlaylist(_ call: Call) throws -> ServerResponse {
    let plan = try plan(of: call)
    guard let text = Playlists(plan: plan, query: call.request.query).media else {
      throw Refusal(.plain(500))
    }
    return playlist(text)
  }

  private func playlist(_ text: String) -> ServerResponse {
    guard configuration.faults.contains(.truncatedPlaylist) else { return .playlist(text) }
    return .playlist(String(decoding: text.utf8.prefix(text.utf8.count * 3 / 5), as: UTF8.self))
  }

  /// What a request for a playlist or segment asks for.
  private func plan(of call: Call) throws -> StreamPlan {
    guard let id = Identifier.parse(call["item"]) else {
      throw Refusal(errors.validation("itemId", "The value '\(call["item"])' is not valid."))
    }
    guard let film = films.first(where: { $0.id == id }) else { throw Refusal(.plain(404)) }
    if let source = call.request.parameter("MediaSourceId"), source != film.id {
      throw Refusal(.plain(Identifier.parse(source) == nil ? 500 : 400))
    }
    guard let plan = StreamPlan(request: call.request, film: film, configuration: configuration)
    else { throw Refusal(.plain(500)) }
    return plan
  }

  func segment(_ call: Call) async throws -> ServerResponse {
    let request = call.request
    let name = call["segment"].split(separator: ".")
    guard name.count == 2, let number = Int(name[0]), number >= -1,
      let container = StreamPlan.SegmentContainer(rawValue: name[1].lowercased())
    else { throw Refusal(.empty(404)) }
    for name in ["runtimeTicks", "actualSegmentLengthTicks"] where request.number(name) == nil {
      throw Refusal(errors.missing(name))
    }
    if configuration.faults.contains(.missingSegment(number)) { throw Refusal(.plain(503)) }
    if request.number("StartTimeTicks") ?? 0 > 0 { throw Refusal(.plain(400)) }
    var plan = try plan(of: call)
    plan.container = container
    let caller = try call.authorized()
    var key = Transcoder.Key(
      path: plan.film.path, userAgent: request.header("User-Agent") ?? "",
      deviceID: request.parameter("DeviceId") ?? caller.identity.deviceID,
      playSessionID: request.parameter("PlaySessionId") ?? "")
    if configuration.faults.contains(.staleSegments) { (key.userAgent, key.deviceID) = ("", "") }
    let path: String
    do {
      path = try await transcoder.segment(
        number, at: request.number("runtimeTicks") ?? 0, of: plan, for: key)
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

  func staticStream(_ call: Call) throws -> ServerResponse {
    let name = call["stream"].lowercased().split(separator: ".", omittingEmptySubsequences: false)
    guard name.first == "stream", name.count <= 2 else { return .empty(404) }
    guard let id = Identifier.parse(call["item"]) else {
      throw Refusal(errors.validation("itemId", "The value '\(call["item"])' is not valid."))
    }
    guard let film = films.first(where: { $0.id == id }) else { throw Refusal(.plain(404)) }
    if configuration.faults.contains(.unauthorized) { throw Refusal(.empty(401)) }
    if let source = call.request.parameter("MediaSourceId"), source != film.id {
      throw Refusal(.plain(Identifier.parse(source) == nil ? 500 : 400))
    }
    // Only the file as it is; progressive transcodes are no part of this server.
    guard call.request.flag("static") == true else { throw Refusal(.plain(400)) }
    let extensionName =
      name.count == 2 ? String(name[1]) : call.request.parameter("container") ?? film.fileExtension
    return try FileAnswer(path: film.path, type: FileAnswer.type(of: extensionName))
      .response(to: call.request)
  }

  /// A track by itself.
  func subtitle(_ call: Call) async throws -> ServerResponse {
    guard let id = Identifier.parse(call["item"]), let film = films.first(where: { $0.id == id }),
      let track = film.subtitles.first(where: { $0.index == Int(call["index"]) }),
      call["stream"].lowercased().hasPrefix("stream.")
    else { throw Refusal(.plain(404)) }
    let format = call["stream"].lowercased().dropFirst(7)
    let muxer: String
    switch (track.codec, format) {
    case ("hdmv_pgs_subtitle", "pgssub") where version.line >= 10: muxer = "sup"
    case ("dvd_subtitle", "mks") where version.line >= 12: muxer = "matroska"
    default: throw Refusal(.plain(500))
    }
    let result = try await ChildProcess.run(
      "ffmpeg",
      ["-nostdin", "-v", "error", "-i", "file:" + film.path, "-map", "0:\(track.containerIndex)"]
        + ["-c", "copy", "-f", muxer, "pipe:1"])
    try Task.checkCancellation()
    guard result.status == 0 else { throw Refusal(.plain(500)) }
    let type = muxer == "sup" ? "application/octet-stream" : "video/x-matroska"
    return ServerResponse(
      status: 200, headers: [("Content-Type", type)], body: .bytes(result.output))
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
