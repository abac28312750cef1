// SPDX-License-Identifier: Apache-2.0
import HTTPTransport
import MediaServer
import TestSupport
import Testing

@Suite("Media server faults")
struct MediaServerFaultTests {
  private func connect(_ server: LoopbackServer) throws -> MediaServerConnection {
    try MediaServerConnection(
      baseURL: server.url + "/jf", credentials: .password(user: "u", password: "hidden-password"))
  }

  private static let wish = BurnInRequest(
    item: FakeJellyfin.item, source: FakeJellyfin.item, subtitleStreamIndex: 4)

  /// Which endpoint answers what, and the fault it is.
  static let table: [(String, LoopbackServer.Answer, MediaServerFault.Kind)] = [
    ("AuthenticateByName", .text("hidden", status: 401), .unauthorized(status: 401)),
    ("AuthenticateByName", .init(403), .unauthorized(status: 403)),
    ("AuthenticateByName", .text("{\"AccessToken\":\"hidden-token\"}"), .undecodable),
    (
      "AuthenticateByName", .text("{\"AccessToken\":\"hidden-token\",\"User\":{\"Id\":\"../x\"}}"),
      .invalidRequest
    ),
    ("PlaybackInfo", .init(401), .unauthorized(status: 401)),
    ("PlaybackInfo", .init(404), .notFound),
    ("PlaybackInfo", .init(500), .serverError(status: 500)),
    ("PlaybackInfo", .init(503), .serverError(status: 503)),
    ("PlaybackInfo", .redirect("/web/?hidden-token"), .serverError(status: 302)),
    ("PlaybackInfo", .text("<html>hidden-token"), .undecodable),
    ("PlaybackInfo", .init(204), .undecodable),
    (
      "PlaybackInfo", .text("{\"MediaSources\":[],\"ErrorCode\":\"NoCompatibleStream\"}"),
      .notTranscoded
    ),
    ("PlaybackInfo", .text("{\"MediaSources\":[]}"), .notFound),
    ("PlaybackInfo", .text("[]"), .notFound),
    (
      "PlaybackInfo", .text("{\"MediaSources\":[{\"Id\":\"\(FakeJellyfin.item)\"}]}"),
      .undecodable
    ),
    (
      "PlaybackInfo",
      .text("{\"MediaSources\":[{\"Id\":\"\(FakeJellyfin.item)\"}],\"PlaySessionId\":\"x\"}"),
      .notTranscoded
    ),
    ("PlaybackInfo", .init(delivery: .closed), .unreachable),
    ("PlaybackInfo", .init(body: [1, 2, 3], delivery: .cut(after: 1)), .transport(.truncated)),
    (
      "PlaybackInfo", .init(body: [UInt8](repeating: 32, count: 1 << 20), delivery: .endless),
      .transport(.tooLarge(limit: 16 << 20))
    ),
  ]

  @Test("are told apart and hold no secret", arguments: table.indices)
  func faults(index: Int) throws {
    let (endpoint, answer, kind) = Self.table[index]
    let server = try FakeJellyfin().server { request in
      request.path.hasSuffix(endpoint) ? answer : nil
    }
    let connection = try connect(server)
    let fault = #expect(throws: MediaServerFault.self) {
      try connection.requestBurnIn(Self.wish)
    }
    #expect(fault?.kind == kind, "\(fault?.description ?? "")")
    #expect(fault?.description.contains("hidden") == false)
    #expect(fault?.description.contains("\n") == false)
  }

  @Test("of a server that is down are its being unreachable, also when stopping")
  func down() throws {
    let server = try FakeJellyfin().server()
    let connection = try connect(server)
    server.stop()
    var fault: MediaServerFault?
    for _ in 0..<200 where fault == nil {
      fault = connection.stop(playSessionID: "x")
    }
    #expect(fault?.kind == .unreachable)
    let asked = #expect(throws: MediaServerFault.self) { try connection.serverInfo() }
    #expect(asked?.kind == .unreachable)
    connection.signOut()
  }

  @Test("of an item that is none are named")
  func items() throws {
    let server = try FakeJellyfin().server { request in
      request.path == "/jf/Items/folder" ? .text("{\"Id\":\"folder\",\"Name\":\"x\"}") : nil
    }
    let connection = try connect(server)
    let table: [(String, MediaServerFault.Kind)] = [
      ("unknown", .notFound), ("folder", .undecodable), ("a/b", .invalidRequest),
      ("a?userId=x", .invalidRequest),
    ]
    for (id, kind) in table {
      let fault = #expect(throws: MediaServerFault.self) { try connection.item(id) }
      #expect(fault?.kind == kind)
    }
  }

  @Test(
    "of an address that is none are named",
    arguments: [
      "", "server", "ftp://server", "http://", "http://user:hidden@server", "http://server?hidden",
      "http://server#hidden", "http://server:port", "file:///etc",
    ])
  func addresses(url: String) {
    let fault = #expect(throws: MediaServerFault.self) {
      try MediaServerConnection(baseURL: url, credentials: .token("hidden"))
    }
    #expect(fault?.kind == .invalidRequest)
    #expect(fault?.description.contains("hidden") == false)
  }

  @Test("name a server that is neither Jellyfin nor Emby")
  func others() throws {
    let server = try FakeJellyfin().server { request in
      request.path.hasSuffix("Public")
        ? .text(#"{"Version":"1.40.0","ProductName":"Other","Id":"x"}"#) : nil
    }
    let connection = try connect(server)
    let fault = #expect(throws: MediaServerFault.self) { try connection.requireKnownServer() }
    #expect(fault?.kind == .unsupportedServer)
    // Nothing secret is sent to a server that is not known.
    #expect(throws: MediaServerFault.self) { try connection.item(FakeJellyfin.item) }
    #expect(server.requests.allSatisfy { $0.header("Authorization") == nil })
  }
}

@Suite("Server facts")
struct ServerFactsTests {
  @Test("give the layout of a version")
  func layouts() {
    let table: [(String?, String, String?)] = [
      ("Jellyfin Server", "10.8.13", "jellyfin-10.8"),
      ("Jellyfin Server", "10.7.0", "jellyfin-10.8"),
      ("Jellyfin Server", "10.9.11", "jellyfin-10.9"), ("Jellyfin Server", "10.10.7", "jellyfin"),
      ("Jellyfin Server", "10.11.11", "jellyfin"), ("Jellyfin Server", "12.0.0", "jellyfin"),
      ("Jellyfin Server", "9.1", nil), ("Jellyfin Server", "next", nil),
      ("Other", "10.10.0", nil), (nil, "3.5.2.0", "emby-3.5"), (nil, "4.9.5.0", nil),
      (nil, "", nil),
    ]
    for (product, version, layout) in table {
      let info = ServerInfo(productName: product, version: version, serverName: "")
      #expect(info.layoutName == layout, "\(version)")
    }
  }

  @Test("tell where a track lies behind a server's index")
  func places() {
    func stream(_ index: Int, _ type: String, _ isExternal: Bool = false) -> MediaStream {
      MediaStream(index: index, type: type, isExternal: isExternal)
    }
    // Jellyfin: externals first; the order of the list does not count.
    let jellyfin = MediaSource(
      id: "x",
      streams: [
        stream(0, "Subtitle", true), stream(1, "Subtitle", true), stream(2, "Video"),
        stream(3, "Audio"), stream(6, "subtitle"), stream(4, "Subtitle"), stream(5, "Data"),
      ])
    // Emby: externals last.
    let emby = MediaSource(
      id: "x",
      streams: [
        stream(0, "Video"), stream(1, "Subtitle"), stream(2, "Audio"), stream(3, "Subtitle"),
        stream(4, "Subtitle", true),
      ])
    let table: [(MediaSource, Int, TrackPlace)] = [
      (jellyfin, 0, .external), (jellyfin, 1, .external), (jellyfin, 2, .noSubtitle),
      (jellyfin, 4, .embedded(ordinal: 0)), (jellyfin, 6, .embedded(ordinal: 1)),
      (jellyfin, 5, .noSubtitle), (jellyfin, 7, .noSubtitle), (jellyfin, -1, .noSubtitle),
      (emby, 1, .embedded(ordinal: 0)), (emby, 3, .embedded(ordinal: 1)), (emby, 4, .external),
    ]
    for (source, index, place) in table {
      #expect(source.trackPlace(ofStreamIndex: index) == place)
    }
  }
}
