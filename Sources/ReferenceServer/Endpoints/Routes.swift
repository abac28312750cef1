// SPDX-License-Identifier: Apache-2.0

/// What a handler gets: the request, the named parts of its path, and who sends it.
struct Call: Sendable {
  var request: ServerRequest
  var parts: [String: String]
  /// Nil only on routes that need no token.
  var caller: Caller?

  /// A named part of the path.
  subscript(_ name: String) -> String { parts[name] ?? "" }

  /// The caller, on routes that need a token.
  func authorized() throws -> Caller {
    guard let caller else { throw Refusal(.empty(401)) }
    return caller
  }
}

/// One address of the server.
struct Route: Sendable {
  enum Access: Sendable { case open, token }

  var methods: [String]
  /// Parts of the path in lower case; one in braces takes any text.
  var pattern: [String]
  var access: Access
  var handler: @Sendable (Service, Call) async throws -> ServerResponse

  init(
    _ methods: [String], _ pattern: String, _ access: Access = .token,
    _ handler: @escaping @Sendable (Service, Call) async throws -> ServerResponse
  ) {
    self.methods = methods
    self.pattern = pattern.split(separator: "/").map(String.init)
    self.access = access
    self.handler = handler
  }

  /// The named parts of a path; nil if the path is another.
  func match(_ path: [Substring]) -> [String: String]? {
    guard path.count == pattern.count else { return nil }
    var parts: [String: String] = [:]
    for (piece, expected) in zip(path, pattern) {
      if expected.hasPrefix("{") {
        parts[String(expected.dropFirst().dropLast())] = String(piece)
      } else if piece.lowercased() != expected {
        return nil
      }
    }
    return parts
  }

  /// Every address, the more special before the more general.
  static func table(of version: ServerVersion) -> [Route] {
    (version.isEmby ? emby : []) + system + users(of: version) + items(of: version) + video
      + reports
  }

  private static let system: [Route] = [
    Route(["GET"], "system/info/public", .open) { service, _ in service.publicInfo() },
    Route(["GET"], "system/info") { service, _ in service.systemInfo() },
    Route(["GET", "POST"], "system/ping", .open) { service, _ in
      .json(service.version.isEmby ? "Emby Server" : "Jellyfin Server")
    },
  ]

  private static func users(of version: ServerVersion) -> [Route] {
    var routes = [
      Route(["POST"], "users/authenticatebyname", .open) { service, call in
        try service.signIn(call)
      },
      Route(["GET"], "users/public", .open) { _, _ in .json([]) },
      Route(["GET"], "users") { service, call in try service.users(call) },
      Route(["GET"], "users/{user}") { service, call in try service.user(call) },
      Route(["GET"], "users/{user}/views") { service, call in try service.views(call) },
    ]
    if version.isEmby {
      routes.insert(
        Route(["GET"], "users/query") { service, call in try service.userQuery(call) }, at: 0)
    } else {
      routes.insert(
        Route(["GET"], "users/me") { service, call in try service.ownUser(call) }, at: 0)
    }
    if version.hasPlainItemRoutes {
      routes.append(Route(["GET"], "userviews") { service, call in try service.views(call) })
    }
    return routes
  }

  private static func items(of version: ServerVersion) -> [Route] {
    var routes = [
      Route(["GET"], "items") { service, call in try service.items(call) },
      Route(["GET"], "users/{user}/items") { service, call in try service.items(call) },
      Route(["GET"], "users/{user}/items/{item}") { service, call in try service.item(call) },
      Route(["GET"], "items/{item}/playbackinfo") { service, call in
        try service.playbackInfo(call)
      },
      Route(["POST"], "items/{item}/playbackinfo") { service, call in
        try service.negotiatedPlaybackInfo(call)
      },
    ]
    if version.hasPlainItemRoutes {
      routes.append(Route(["GET"], "items/{item}") { service, call in try service.item(call) })
    }
    return routes
  }

  /// What only Emby has.
  private static let emby: [Route] = [
    Route(["POST"], "videos/activeencodings/delete") { service, call in
      try await service.endEncodings(call)
    },
    Route(["GET", "HEAD"], "items/{item}/{source}/subtitles/{index}/{stream}", .open) {
      service, call in try await service.subtitle(call)
    },
    Route(["GET", "HEAD"], "items/{item}/{source}/subtitles/{index}/{start}/{stream}", .open) {
      service, call in try await service.subtitle(call)
    },
    // Segments name nothing but the play session, not even a token.
    Route(["GET", "HEAD"], "videos/{item}/hls1/{playlist}/{segment}", .open) { service, call in
      try await service.segment(call)
    },
  ]

  private static let video: [Route] = [
    Route(["DELETE"], "videos/activeencodings") { service, call in
      try await service.endEncodings(call)
    },
    Route(["GET", "HEAD"], "videos/{item}/master.m3u8") { service, call in
      try service.masterPlaylist(call)
    },
    Route(["GET"], "videos/{item}/main.m3u8") { service, call in try service.mediaPlaylist(call) },
    Route(["GET"], "videos/{item}/hls1/{playlist}/{segment}") { service, call in
      try await service.segment(call)
    },
    Route(["GET", "HEAD"], "videos/{item}/{stream}", .open) { service, call in
      try service.staticStream(call)
    },
    Route(["GET"], "videos/{item}/{source}/subtitles/{index}/{stream}", .open) { service, call in
      try await service.subtitle(call)
    },
    Route(["GET"], "videos/{item}/{source}/subtitles/{index}/{start}/{stream}", .open) {
      service, call in try await service.subtitle(call)
    },
  ]

  private static let reports: [Route] = [
    Route(["GET"], "sessions") { service, call in try await service.sessionList(call) },
    Route(["POST"], "sessions/playing") { service, call in try service.reportPlaying(call) },
    Route(["POST"], "sessions/playing/progress") { service, call in
      try service.reportPlaying(call)
    },
    Route(["POST"], "sessions/playing/stopped") { service, call in
      try await service.reportStopped(call)
    },
    Route(["POST"], "sessions/capabilities") { service, call in
      _ = try call.authorized()
      return .empty(204)
    },
    Route(["POST"], "sessions/capabilities/full") { service, call in
      try service.takeCapabilities(call)
    },
    Route(["POST"], "sessions/logout") { service, call in try service.signOut(call) },
    Route(["POST"], "sessions/playing/ping") { service, call in try await service.ping(call) },
  ]
}

extension Service {
  /// Finds the handler of a request and runs it.
  func route(_ request: ServerRequest) async throws -> ServerResponse {
    var path = request.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    if path.last?.isEmpty == true { path = path.dropLast() }
    if version.cutsEmbyPrefix, let first = path.first?.lowercased(),
      first == "emby" || first == "mediabrowser"
    {
      path = path.dropFirst()
    }
    if path.isEmpty {
      return ServerResponse(status: 302, headers: [("Location", "/web/")])
    }
    if request.method == "OPTIONS", request.header("Origin") != nil { return preflight(request) }
    let matches = Route.table(of: version).compactMap { route in
      route.match(Array(path)).map { (route, $0) }
    }
    guard !matches.isEmpty else { return .empty(404) }
    guard let (route, parts) = matches.first(where: { $0.0.methods.contains(request.method) })
    else {
      let allowed = matches.flatMap { $0.0.methods }.joined(separator: ", ")
      return ServerResponse(status: 405, headers: [("Allow", allowed)])
    }
    let caller = accounts.caller(of: Credentials(request, version: version))
    if route.access == .token {
      guard caller != nil, !configuration.faults.contains(.unauthorized) else { return .empty(401) }
    }
    if let caller { sessions.touch(caller) }
    return try await route.handler(self, Call(request: request, parts: parts, caller: caller))
  }

  private func preflight(_ request: ServerRequest) -> ServerResponse {
    ServerResponse(
      status: 204,
      headers: [
        ("Access-Control-Allow-Methods", request.header("Access-Control-Request-Method") ?? ""),
        ("Access-Control-Allow-Headers", request.header("Access-Control-Request-Headers") ?? ""),
      ])
  }
}
