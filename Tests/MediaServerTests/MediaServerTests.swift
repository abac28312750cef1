// SPDX-License-Identifier: Apache-2.0
import HTTPTransport
import MediaServer
import Synchronization
import TestSupport
import Testing

/// Answers of a small server, in the shapes of Jellyfin 10.11, with a base path.
struct FakeJellyfin: Sendable {
  static let item = "5d2e8f10a4b34c6d9e7f00112233aabb"
  static let dashed = "5d2e8f10-a4b3-4c6d-9e7f-00112233aabb"
  static let user = "9a1b2c3d4e5f60718293a4b5c6d7e8f9"
  static let token = "hidden-token-0011"

  var transcodingURL =
    "/videos/\(dashed)/master.m3u8?&DeviceId=bench-01&MediaSourceId=\(item)&VideoCodec=h264"
    + "&SubtitleStreamIndex=4&PlaySessionId=c0ffee&ApiKey=\(token)&SubtitleMethod=Encode"
    + "&TranscodeReasons=a, b|c&allowVideoStreamCopy=false"
  var echo = "4"
  var subProtocol = "\"hls\""
  var method = "Encode"

  static let streams = """
    [{"Type":"Subtitle","Index":0,"IsExternal":true,"Codec":"subrip"},
    {"Type":"Subtitle","Index":1,"IsExternal":true,"Codec":"PGSSUB","Path":"/x.sup"},
    {"Type":"Video","Index":2,"Codec":"h264","Width":1920,"Height":1080,"IsExternal":false},
    {"Type":"Audio","Index":3,"Codec":"aac"},
    {"Type":"Subtitle","Index":6,"Codec":"DVDSUB","Language":"ger","IsForced":true},
    {"Type":"Subtitle","Index":"4","codec":"PGSSUB","Language":"eng","DeliveryMethod":"METHOD",
    "NewField":{"a":[null]}},{"Type":"Data"},{"Index":9}]
    """

  /// The answer; the session is another one for each subtitle, as a server makes a new one each time.
  func playbackInfo(for body: [UInt8]) -> String {
    let isSecond = (try? JSONValue(parsing: body))?["SubtitleStreamIndex"].integer != -1
    let session = isSecond ? "c0ffee" : "c0ffee00"
    let streams = Self.streams.replacing("METHOD", with: method)
    // As on the wire: the ampersands of the URL are escaped.
    let url = transcodingURL.replacing("PlaySessionId=c0ffee", with: "PlaySessionId=\(session)")
      .replacing("&", with: "\\u0026")
    return """
      {"MediaSources":[{"Protocol":"File","Id":"\(Self.item)","RunTimeTicks":600000000,
      "MediaStreams":\(streams),"TranscodingUrl":"\(url)","TranscodingSubProtocol":\(subProtocol),
      "DefaultSubtitleStreamIndex":\(echo)}],"PlaySessionId":"\(session)","ChannelId":null}
      """
  }

  func server(
    fault: @escaping @Sendable (LoopbackServer.Request) -> LoopbackServer.Answer? = { _ in nil }
  ) throws -> LoopbackServer {
    try LoopbackServer { [self] request in
      if let answer = fault(request) { return answer }
      switch (request.method, request.path) {
      case ("GET", "/jf/System/Info/Public"):
        return .text(
          #"{"ServerName":"bench","Version":"10.11.11","ProductName":"Jellyfin Server"}"#)
      case ("POST", "/jf/Users/AuthenticateByName"):
        return .text("{\"User\":{\"Id\":\"\(Self.user)\"},\"AccessToken\":\"\(Self.token)\"}")
      case ("GET", "/jf/Users/Me"): return .text("{\"Id\":\"\(Self.user)\"}")
      case ("GET", "/jf/Items/\(Self.item)"):
        return .text(
          "{\"Name\":\"Film\",\"Id\":\"\(Self.item)\",\"MediaSources\":[{\"Id\":\"\(Self.item)\","
            + "\"MediaStreams\":\(Self.streams)}]}")
      case ("POST", "/jf/Items/\(Self.item)/PlaybackInfo"):
        return .text(playbackInfo(for: request.body))
      case ("DELETE", "/jf/Videos/ActiveEncodings"), ("POST", "/jf/Sessions/Logout"):
        return .init(204)
      default: return .init(404)
      }
    }
  }
}

@Suite("Media server")
struct MediaServerTests {
  private func connect(
    _ server: LoopbackServer, _ credentials: Credentials = .token(FakeJellyfin.token),
    cancellation: (@Sendable () -> Bool)? = nil
  ) throws -> MediaServerConnection {
    try MediaServerConnection(
      baseURL: server.url + "/jf/", credentials: credentials,
      identity: ClientIdentity(device: "my \"box\"", deviceID: "bench-01"),
      cancellation: cancellation)
  }

  private let wish = BurnInRequest(
    item: FakeJellyfin.item, source: FakeJellyfin.item, subtitleStreamIndex: 4)

  @Test("is asked for its version, its items and a burn-in with a token")
  func byToken() throws {
    let server = try FakeJellyfin().server()
    let connection = try connect(server)
    let info = try connection.requireKnownServer()
    #expect(info.version == "10.11.11")
    #expect(info.layoutName == "jellyfin")
    let item = try connection.item(FakeJellyfin.item)
    #expect(item.name == "Film")
    #expect(item.sources.first?.streams.map(\.index) == [0, 1, 2, 3, 6, 4])
    let offer = try connection.requestBurnIn(wish)
    #expect(offer.findings == [])
    #expect(offer.playSessionID == "c0ffee")
    #expect(offer.deviceID == "bench-01")
    #expect(
      offer.playlistURL == "\(server.url)/jf/videos/\(FakeJellyfin.dashed)/master.m3u8?&DeviceId="
        + "bench-01&MediaSourceId=\(FakeJellyfin.item)&VideoCodec=h264&SubtitleStreamIndex=4"
        + "&PlaySessionId=c0ffee&SubtitleMethod=Encode"
        + "&TranscodeReasons=a,%20b%7Cc&allowVideoStreamCopy=false")
    #expect(!"\(offer)".contains("hidden"))
    #expect(connection.stop(offer) == nil)
    connection.signOut()
    let last = try #require(server.requests.last)
    #expect(last.target == "/jf/Videos/ActiveEncodings?deviceId=bench-01&playSessionId=c0ffee")
    #expect(
      last.header("Authorization")
        == "MediaBrowser Client=\"Burnscope\", Device=\"my%20%22box%22\", DeviceId=\"bench-01\", "
        + "Version=\"1.0\", Token=\"hidden-token-0011\"")
    #expect(server.requests.allSatisfy { !$0.target.contains("hidden") })
  }

  @Test("signs in with a password, once, and out")
  func byPassword() throws {
    let server = try FakeJellyfin().server()
    let connection = try connect(server, .password(user: "a\"b", password: "hidden\n"))
    _ = try connection.item(FakeJellyfin.item)
    _ = try connection.requestBurnIn(wish)
    connection.signOut()
    connection.signOut()
    let paths = server.requests.map(\.path)
    #expect(paths.filter { $0.hasSuffix("AuthenticateByName") }.count == 1)
    #expect(paths.filter { $0.hasSuffix("Logout") }.count == 1)
    let first = try #require(server.requests.first { $0.method == "POST" })
    #expect(try JSONValue(parsing: first.body) == ["Username": "a\"b", "Pw": "hidden\n"])
    #expect(first.header("Authorization")?.contains("Token") == false)
    #expect(first.header("Content-Type") == "application/json")
    #expect(!"\(Credentials.password(user: "a", password: "hidden"))".contains("hidden"))
    #expect(!String(reflecting: Credentials.token("hidden")).contains("hidden"))
  }

  @Test("is asked with a body that leaves it no choice but to burn in")
  func body() throws {
    let server = try FakeJellyfin().server()
    var wish = wish
    wish.maximumHeight = 480
    wish.maximumBitrate = 3_000_000
    wish.container = .mp4
    _ = try connect(server).requestBurnIn(wish)
    let request = try #require(server.requests.last { $0.path.hasSuffix("PlaybackInfo") })
    let body = try JSONValue(parsing: request.body)
    #expect(body["UserId"].text == FakeJellyfin.user)
    #expect(body["MediaSourceId"].text == FakeJellyfin.item)
    #expect(body["SubtitleStreamIndex"] == 4)
    #expect(body["MaxStreamingBitrate"] == 3_000_000)
    for name in [
      "EnableDirectPlay", "EnableDirectStream", "AllowVideoStreamCopy", "AutoOpenLiveStream",
    ] {
      #expect(body[name] == false)
    }
    let profile = body["DeviceProfile"]
    #expect(profile["SubtitleProfiles"] == [])
    #expect(profile["DirectPlayProfiles"] == [])
    #expect(profile["TranscodingProfiles"].elements.first?["Container"] == "mp4")
    let condition = profile["CodecProfiles"].elements.first?["Conditions"].elements.first
    #expect(condition?["Property"] == "Height")
    #expect(condition?["Value"] == "480")
  }

  @Test("whose offer does not look like a burn-in is told so")
  func findings() throws {
    let right = FakeJellyfin()
    func change(_ edit: (inout FakeJellyfin) -> Void) -> FakeJellyfin {
      var changed = right
      edit(&changed)
      return changed
    }
    let url = right.transcodingURL
    let table: [(FakeJellyfin, Int, [String])] = [
      (right, 4, []), (change { $0.echo = "-1" }, 4, ["echo-differs"]),
      (change { $0.echo = "\"4\"" }, 4, []), (change { $0.echo = "null" }, 4, []),
      (change { $0.subProtocol = "\"http\"" }, 4, ["not-hls"]),
      (change { $0.subProtocol = "null" }, 4, []), (change { $0.method = "External" }, 4, []),
      (
        change { $0.transcodingURL = url.replacing("SubtitleStreamIndex=4", with: "x=1") }, 4,
        ["encode-without-index"]
      ),
      (
        change { $0.transcodingURL = url + "&subtitlemethod=Encode" }, 4, ["method-doubled"]
      ),
      (
        change { $0.transcodingURL = url.replacing("=Encode", with: "=External") }, 4,
        ["method-not-encode"]
      ),
      (
        change { $0.transcodingURL = url.replacing("SubtitleMethod=Encode", with: "x=1") }, 4,
        ["method-missing"]
      ),
      (
        change { $0.transcodingURL = url.replacing("Index=4", with: "Index=6") }, 4,
        ["index-of-another-stream"]
      ),
    ]
    for (shape, index, expected) in table {
      let server = try shape.server()
      var wish = wish
      wish.subtitleStreamIndex = index
      let offer = try connect(server).requestBurnIn(wish)
      #expect(offer.findings.count == expected.count, "\(offer.findings)")
      for (finding, part) in zip(offer.findings, expected) { #expect(finding.contains(part)) }
      #expect(offer.findings.allSatisfy { !$0.contains("hidden") })
    }
  }

  @Test("is asked no second time for a stream that is no bitmap subtitle", arguments: [0, 3, 7])
  func noBitmap(index: Int) throws {
    let server = try FakeJellyfin().server()
    var wish = wish
    wish.subtitleStreamIndex = index
    let fault = #expect(throws: MediaServerFault.self) {
      try connect(server).requestBurnIn(wish)
    }
    #expect(fault?.kind == .notTranscoded)
    #expect(fault?.description.contains("Stream \(index) is not one of") == true)
    #expect(server.requests.count { $0.path.hasSuffix("PlaybackInfo") } == 1)
  }

  @Test("below a base path gets it once, and leads to no other server")
  func basePaths() throws {
    let paths: [(String, String?)] = [
      ("/videos/x/master.m3u8?a", "/jf/videos/x/master.m3u8?a"),
      ("/jf/videos/x/master.m3u8?a", "/jf/videos/x/master.m3u8?a"),
      ("videos/x/master.m3u8", "/jf/videos/x/master.m3u8"), ("/jfx/m", "/jf/jfx/m"),
      ("http://other/videos/x?hidden", nil), ("//other/videos/x?hidden", nil),
      ("file:///etc/passwd", nil),
    ]
    for (path, expected) in paths {
      var shape = FakeJellyfin()
      shape.transcodingURL = path
      let server = try shape.server()
      let connection = try connect(server)
      if let expected {
        #expect(try connection.requestBurnIn(wish).playlistURL == server.url + expected)
      } else {
        let fault = #expect(throws: MediaServerFault.self) { try connection.requestBurnIn(wish) }
        #expect(fault?.kind == .undecodable)
        #expect(fault?.description.contains("hidden") == false)
      }
    }
  }

  @Test("of an old version is asked the old way, and an API key borrows a user")
  func oldVersions() throws {
    let item = FakeJellyfin.item
    let server = try FakeJellyfin().server { request in
      switch request.path {
      case "/jf/Items/\(item)": .init(404)
      case "/jf/Users/Me": .init(400)
      case "/jf/Users":
        .text(#"[{"Id":"aa"},{"Id":"bb","Policy":{"IsAdministrator":true}}]"#)
      case "/jf/Users/bb/Items/\(item)":
        .text("{\"Name\":\"Old\",\"MediaSources\":[{\"Id\":\"x\",\"MediaStreams\":[]}]}")
      default: nil
      }
    }
    let connection = try connect(server)
    #expect(try connection.item(item).name == "Old")
    #expect(try connection.signIn() == "bb")
  }

  @Test("gives the address of a file")
  func staticStream() throws {
    let connection = try connect(try FakeJellyfin().server())
    #expect(
      try connection.staticStreamURL(item: "5d2e", source: "a b&c")
        == connection.baseURL + "/Videos/5d2e/stream?static=true&mediaSourceId=a%20b%26c")
    for id in ["", "a/b", "..", "a?b", "ü", "a b", String(repeating: "a", count: 200)] {
      #expect(throws: MediaServerFault.self) {
        try connection.staticStreamURL(item: id, source: "x")
      }
    }
  }

  @Test("can be told to stop after cancellation")
  func stopping() throws {
    let flag = Flag()
    let server = try FakeJellyfin().server()
    let connection = try connect(server) { flag.isRaised }
    let offer = try connection.requestBurnIn(wish)
    flag.raise()
    let fault = #expect(throws: MediaServerFault.self) { try connection.item(FakeJellyfin.item) }
    #expect(fault?.isCancellation == true)
    #expect(connection.stop(offer) == nil)
    #expect(server.requests.last?.method == "DELETE")
  }
}

/// A flag that is raised once.
private final class Flag: Sendable {
  private let value = Atomic<Bool>(false)
  var isRaised: Bool { value.load(ordering: .relaxed) }
  func raise() { value.store(true, ordering: .relaxed) }
}
