// SPDX-License-Identifier: Apache-2.0

extension Service {
  func reportPlaying(_ call: Call) throws -> ServerResponse {
    let caller = try call.authorized()
    let report = try body(of: call.request)
    sessions.report(report, of: caller)
    noteResume(report, of: caller)
    return .empty(204)
  }

  /// The end of a playback ends its encoder too.
  func reportStopped(_ call: Call) async throws -> ServerResponse {
    let caller = try call.authorized()
    let body = try body(of: call.request)
    sessions.report(nil, of: caller)
    noteResume(body, of: caller)
    if let session = body["PlaySessionId"]?.text, !session.isEmpty {
      await transcoder.end(deviceID: caller.identity.deviceID, playSessionID: session)
    }
    return .empty(204)
  }

  /// A client says what it can; its profile serves negotiations that bring none.
  func takeCapabilities(_ call: Call) throws -> ServerResponse {
    let caller = try call.authorized()
    let body = try body(of: call.request)
    let profile = body["DeviceProfile"] ?? body["Capabilities"]?["DeviceProfile"]
    sessions.keep(profile, ofDevice: caller.identity.deviceID)
    return .empty(204)
  }

  func ping(_ call: Call) async throws -> ServerResponse {
    guard let session = call.request.parameter("playSessionId") else {
      throw Refusal(errors.missing("playSessionId"))
    }
    await transcoder.ping(playSessionID: session)
    return .empty(204)
  }

  /// The sessions that a caller may see: a user's own, all for an API key.
  func sessionList(_ call: Call) async throws -> ServerResponse {
    let caller = try call.authorized()
    let device = call.request.parameter("deviceId")
    let window = call.request.number("activeWithinSeconds")
    var rows: [JSON] = []
    for session in sessions.all {
      if let own = caller.account, session.caller.account != own { continue }
      if let device, session.caller.identity.deviceID != device { continue }
      if let window, sessions.now - session.lastActivity > window { continue }
      let job = await transcoder.job(ofDevice: session.caller.identity.deviceID)
      rows.append(sessionFields(session.caller, transcoding: job.map(transcodingFields)))
    }
    return .json(.array(rows))
  }

  /// One session as the answers show it.
  func sessionFields(_ caller: Caller, transcoding: JSON?) -> JSON {
    let session = sessions.session(of: caller)
    let date = dateText(session?.lastActivity ?? sessions.now)
    let first = JSON.fields([
      "PlayState": playState(session?.report), "AdditionalUsers": [],
      "RemoteEndPoint": "127.0.0.1", "PlayableMediaTypes": [], "Id": .string(caller.sessionID),
      "UserId": .string(caller.account?.id ?? String(repeating: "0", count: 32)),
      "UserName": caller.account.map { .string($0.name) },
      "Client": .string(caller.identity.client), "LastActivityDate": .string(date),
      "LastPlaybackCheckIn": .string(
        session?.report == nil ? "0001-01-01T00:00:00.0000000Z" : date),
      "DeviceName": .string(caller.identity.device),
      "NowPlayingItem": session?.report.flatMap(nowPlaying),
      "DeviceId": .string(caller.identity.deviceID),
      "ApplicationVersion": .string(caller.identity.version),
    ])
    return first.adding([
      "TranscodingInfo": transcoding, "IsActive": true, "SupportsMediaControl": false,
      "SupportsRemoteControl": false, "NowPlayingQueue": [], "HasCustomDeviceName": false,
      "ServerId": .string(serverID), "SupportedCommands": [],
    ])
  }

  private func playState(_ report: JSON?) -> JSON {
    .fields([
      "PositionTicks": report?["PositionTicks"]?.whole.map { .integer($0) },
      "CanSeek": .bool(report?["CanSeek"]?.flag ?? false),
      "IsPaused": .bool(report?["IsPaused"]?.flag ?? false),
      "IsMuted": .bool(report?["IsMuted"]?.flag ?? false),
      "AudioStreamIndex": report?["AudioStreamIndex"]?.whole.map { .integer($0) },
      "SubtitleStreamIndex": report?["SubtitleStreamIndex"]?.whole.map { .integer($0) },
      "MediaSourceId": report?["MediaSourceId"]?.text.map { .string($0) },
      "PlayMethod": report?["PlayMethod"]?.text.map { .string($0) },
      "RepeatMode": "RepeatNone", "PlaybackOrder": version.isJellyfin(from: 9) ? "Default" : nil,
    ])
  }

  private func nowPlaying(_ report: JSON) -> JSON? {
    guard let id = report["ItemId"]?.text.flatMap(itemID),
      let film = films.first(where: { $0.id == id })
    else { return nil }
    return .fields([
      "Name": .string(film.name), "ServerId": .string(serverID), "Id": .string(film.id),
      "RunTimeTicks": film.durationTicks.map { .integer($0) }, "IsFolder": false, "Type": "Movie",
      "MediaType": "Video",
    ])
  }

  private func transcodingFields(_ job: TranscodeJob) -> JSON {
    if version.isEmby { return embyTranscodingFields(job) }
    let plan = job.plan
    let length = plan.film.durationTicks.map { Double($0) / 1e7 }
    let percentage = length.flatMap { length in
      job.end.seconds.map { min(max($0 / length * 100, 0), 100) }
    }
    return .fields([
      "AudioCodec": .string("aac"),
      "VideoCodec": .string(plan.copiesVideo ? plan.video.codec : "h264"),
      "Container": .string(plan.container.rawValue), "IsVideoDirect": .bool(plan.copiesVideo),
      "IsAudioDirect": false, "Bitrate": plan.videoBitRate.map { .integer($0 + plan.audioBitRate) },
      "Framerate": job.end.framesPerSecond.map { .number($0) },
      "CompletionPercentage": percentage.map { .number($0) }, "Width": .integer(plan.width),
      "Height": .integer(plan.height), "AudioChannels": plan.audio == nil ? nil : 2,
      "HardwareAccelerationType": version.isJellyfin(from: 10) ? "none" : nil,
      "TranscodeReasons": ["DirectPlayError"],
    ])
  }
}
