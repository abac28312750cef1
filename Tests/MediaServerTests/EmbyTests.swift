// SPDX-License-Identifier: Apache-2.0
import BurnInNegotiation
import HTTPTransport
import MediaServer
import TestSupport
import Testing

/// The dialect of Emby 4.9: its own header fields, ids, addresses and sessions.
@Suite("Emby") struct EmbyTests {
  private static let user = "9a1b2c3d4e5f60718293a4b5c6d7e8f9"
  private static let token = "hidden-token-0022"
  private static let streams = """
    [{"Index":0,"Type":"Video","Codec":"h264"},{"Index":1,"Type":"Audio","Codec":"aac"},
    {"Index":2,"Type":"Subtitle","Codec":"PGSSUB","DeliveryMethod":"Encode"},
    {"Index":3,"Type":"Subtitle","Codec":"DVDSUB","DeliveryMethod":"Encode"},
    {"Index":4,"Type":"Subtitle","Codec":"srt","IsExternal":true,"DeliveryMethod":"External"}]
    """

  private func emby(
    url: String = "/videos/61256/master.m3u8?DeviceId=bench-01&MediaSourceId=mediasource_61256"
      + "&PlaySessionId=c0ffee&api_key=hidden-token-0022&VideoCodec=h264&SubtitleStreamIndex=3"
      + "&SubtitleMethod=Encode&ManifestSubtitles=vtt&TranscodeReasons=DirectPlayError",
    session: String = "null"
  ) throws -> LoopbackServer {
    try LoopbackServer { request in
      let isOpen =
        request.path.hasSuffix("/Public") || request.path.hasSuffix("/AuthenticateByName")
      guard isOpen || request.header("X-Emby-Token") == Self.token else {
        return .init(401)
      }
      switch (request.method, request.path) {
      case ("GET", "/emby/System/Info/Public"):
        return .text(#"{"LocalAddresses":[],"ServerName":"bench","Version":"4.9.5.0","Id":"x"}"#)
      case ("POST", "/emby/Users/AuthenticateByName"):
        return .text(
          "{\"User\":{\"Id\":\"\(Self.user)\"},\"AccessToken\":\"\(Self.token)\"}")
      case ("GET", "/emby/Users"):
        return .text(
          "[{\"Id\":\"aa\",\"Policy\":{}},{\"Id\":\"\(Self.user)\","
            + "\"Policy\":{\"IsAdministrator\":true}}]")
      case ("GET", "/emby/Users/\(Self.user)/Items/61256"):
        return .text(
          "{\"Name\":\"Film\",\"Id\":\"61256\",\"MediaSources\":[{\"Id\":\"mediasource_61256\","
            + "\"MediaStreams\":\(Self.streams)}]}")
      case ("POST", "/emby/Items/61256/PlaybackInfo"):
        let isSecond =
          (try? JSONValue(parsing: request.body))?["SubtitleStreamIndex"].integer != -1
        return .text(
          "{\"MediaSources\":[{\"Id\":\"mediasource_61256\",\"MediaStreams\":\(Self.streams),"
            + "\"DefaultSubtitleStreamIndex\":3,\"TranscodingUrl\":\"\(url)\","
            + "\"TranscodingSubProtocol\":\"hls\"}],\"PlaySessionId\":\"\(isSecond ? "c0ffee" : "c0ffee00")\"}"
        )
      case ("GET", "/emby/Sessions"):
        return .text("[{\"DeviceId\":\"bench-01\",\"TranscodingInfo\":\(session)}]")
      case ("DELETE", "/emby/Videos/ActiveEncodings"), ("POST", "/emby/Sessions/Logout"):
        return .init(204)
      default: return .init(404)
      }
    }
  }

  private func connect(
    _ server: LoopbackServer, _ credentials: Credentials = .password(user: "u", password: "p")
  ) throws -> MediaServerConnection {
    try MediaServerConnection(
      baseURL: server.url + "/emby", credentials: credentials,
      identity: ClientIdentity(device: "box", deviceID: "bench-01"))
  }

  private let wish = BurnInRequest(
    item: "61256", source: "mediasource_61256", subtitleStreamIndex: 3)

  @Test("is signed in to and asked in its own words")
  func dialect() throws {
    let server = try emby()
    let connection = try connect(server)
    #expect(try connection.requireKnownServer().kind == .emby)
    #expect(try connection.kind() == .emby)
    let item = try connection.item("61256")
    #expect(item.sources.first?.trackPlace(ofStreamIndex: 3) == .embedded(ordinal: 1))
    #expect(item.sources.first?.trackPlace(ofStreamIndex: 4) == .external)
    let offer = try connection.requestBurnIn(wish)
    #expect(offer.findings == [])
    connection.stop(offer)
    connection.signOut()
    let requests = server.requests
    #expect(requests.allSatisfy { $0.header("Authorization") == nil })
    #expect(
      requests.last { $0.path.hasSuffix("ByName") }?.header("X-Emby-Authorization")
        == "Emby Client=\"Burnscope\", Device=\"box\", DeviceId=\"bench-01\", Version=\"1.0\"")
    #expect(requests.allSatisfy { !$0.target.contains("hidden") })
    let asked = try #require(requests.last { $0.path.hasSuffix("PlaybackInfo") })
    #expect(asked.target.hasSuffix("?UserId=\(Self.user)"))
    let body = try JSONValue(parsing: asked.body)
    #expect(body["SubtitleStreamIndex"].integer == 3)
    #expect(body["AllowVideoStreamCopy"].truth == false)
    let formats = body["DeviceProfile"]["SubtitleProfiles"].elements
    #expect(formats.count == 4 && formats.allSatisfy { $0["Method"].text == "External" })
    #expect(requests.last { $0.method == "DELETE" } != nil)
  }

  @Test("gets a URL that forces an encoder and offers no texts")
  func forcing() throws {
    let server = try emby()
    let connection = try connect(server)
    let offer = try connection.requestBurnIn(wish)
    #expect(
      offer.playlistURL
        == "\(server.url)/emby/videos/61256/master.m3u8?DeviceId=bench-01"
        + "&MediaSourceId=mediasource_61256&PlaySessionId=c0ffee"
        + "&VideoCodec=h264&SubtitleStreamIndex=3&SubtitleMethod=Encode"
        + "&TranscodeReasons=DirectPlayError&EnableAutoStreamCopy=false")
  }

  @Test("has a doubled SubtitleMethod named, and sent once")
  func doubled() throws {
    let server = try emby(
      url: "/videos/61256/master.m3u8?SubtitleStreamIndex=3&SubtitleMethod=Encode"
        + "&subtitlemethod=Encode")
    let offer = try connect(server).requestBurnIn(wish)
    #expect(offer.findings.contains { $0.contains("method-doubled") })
    #expect(
      offer.playlistURL.hasSuffix(
        "?SubtitleStreamIndex=3&SubtitleMethod=Encode&EnableAutoStreamCopy=false"))
  }

  @Test("finds the user of an API key in the list of users")
  func apiKey() throws {
    let server = try emby()
    let connection = try connect(server, .token(Self.token))
    #expect(try connection.signIn() == Self.user)
    let refused = try connect(server, .token("hidden-other"))
    let fault = #expect(throws: MediaServerFault.self) { try refused.signIn() }
    #expect(fault?.kind == .unauthorized(status: 401))
    #expect(fault?.description.contains("hidden") == false)
  }

  @Test(
    "says by its pipeline steps whether it draws",
    arguments: [
      (
        "{\"IsVideoDirect\":false,\"SubtitlePipelineInfos\":[[{\"StepTypeName\":\"GraphicSub2Video\"},"
          + "{\"StepType\":\"SubtitleOverlay\"}]]}",
        false, true, "draws into the picture"
      ),
      (
        "{\"IsVideoDirect\":false,\"SubtitlePipelineInfos\":[{\"StepTypeName\":\"ScaleSubs\"}]}",
        false,
        false, "no step"
      ),
      ("{\"IsVideoDirect\":\"true\"}", true, nil, "copies the video"),
    ] as [(String, Bool?, Bool?, String)])
  func sessions(info: String, isDirect: Bool?, draws: Bool?, words: String) throws {
    let server = try emby(session: info)
    let connection = try connect(server)
    let report = try #require(connection.transcodingReport())
    #expect(report.isVideoDirect == isDirect)
    #expect(report.drawsSubtitle == draws)
    #expect(report.note.contains(words))
  }

  @Test("says nothing where no transcode is listed, or one of another device")
  func silence() throws {
    let server = try emby(session: "null")
    #expect(try connect(server).transcodingReport() == nil)
    let other = try emby(session: "{\"IsVideoDirect\":true}")
    #expect(try connect(other).transcodingReport(deviceID: "another") == nil)
  }
}
