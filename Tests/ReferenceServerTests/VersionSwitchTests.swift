// SPDX-License-Identifier: Apache-2.0
import ReferenceServer
import Testing

/// What differs between the servers and versions, one row a server.
struct VersionSwitchTests {
  struct Row: CustomTestStringConvertible, Sendable {
    var name: String
    var version: String
    /// Whether `/UserViews` and `GET /Items/{id}` exist.
    var plain: Bool
    var prefix: Bool
    var legacy: Bool
    /// What the TranscodingUrl has behind its path.
    var start: String
    var token: String
    /// TranscodingSubProtocol without a URL.
    var protocolName: JSON?
    /// VideoRange of the sound.
    var range: JSON?
    /// Which of IsHearingImpaired, HasSegments and IsOriginal there are.
    var members: [Bool]
    var length: String
    /// What an index without a method comes to: whether the segments are of a copy, which has 6 s.
    var burns: Bool
    var problem: String?
    var testDescription: String { name }
  }

  static let rfc7231 = "https://tools.ietf.org/html/rfc7231#section-6.5.4"
  static let rfc9110 = "https://tools.ietf.org/html/rfc9110#section-15.5.5"

  static let rows = [
    Row(
      name: "jellyfin-10.8", version: "10.8.13", plain: false, prefix: true, legacy: true,
      start: "?DeviceId=", token: "api_key", protocolName: nil, range: nil,
      members: [false, false, false], length: "3.000000", burns: true, problem: rfc7231),
    Row(
      name: "jellyfin-10.9", version: "10.9.11", plain: true, prefix: true, legacy: true,
      start: "?DeviceId=", token: "api_key", protocolName: "http", range: "Unknown",
      members: [true, false, false], length: "3.000000", burns: true, problem: rfc9110),
    Row(
      name: "jellyfin-10.10", version: "10.10.7", plain: true, prefix: true, legacy: true,
      start: "?DeviceId=", token: "api_key", protocolName: "http", range: "Unknown",
      members: [true, true, false], length: "3.000000", burns: false, problem: rfc9110),
    Row(
      name: "jellyfin-10.11", version: "10.11.11", plain: true, prefix: true, legacy: true,
      start: "?&DeviceId=", token: "ApiKey", protocolName: "http", range: "Unknown",
      members: [true, true, false], length: "3.003000", burns: false, problem: rfc9110),
    Row(
      name: "jellyfin-12", version: "12.0.0", plain: true, prefix: false, legacy: false,
      start: "?DeviceId=", token: "ApiKey", protocolName: "http", range: "Unknown",
      members: [true, true, true], length: "3.003000", burns: false, problem: rfc9110),
    Row(
      name: "emby-4.9", version: "4.9.5.0", plain: false, prefix: true, legacy: true,
      start: "?DeviceId=", token: "api_key", protocolName: nil, range: nil,
      members: [true, false, false], length: "3.0000", burns: true, problem: nil),
  ]

  @Test(arguments: rows)
  func `routes and credentials`(row: Row) async throws {
    let service = Fixtures.service(row.name)
    let (token, user) = try await service.signIn()
    let item = Fixtures.probed(version: row.name).id
    let info = try await service.ask("GET", "/System/Info/Public", token: nil).json()
    #expect(info["Version"]?.text == row.version)
    #expect((info["ProductName"] == nil) == (row.name == "emby-4.9"))
    for target in ["/UserViews", "/Items/\(item)"] {
      #expect((await service.ask("GET", target, token: token).status == 200) == row.plain)
    }
    for target in ["/Users/\(user)/Views", "/Users/\(user)/Items/\(item)"] {
      #expect(await service.ask("GET", target, token: token).status == 200)
    }
    let prefixed = await service.ask("GET", "/emby/System/Info/Public", token: nil)
    #expect((prefixed.status == 200) == row.prefix)
    let key = Fixtures.key
    let legacy: [(String, [(name: String, value: String)])] = [
      ("", [("X-Emby-Token", key)]), ("", [("X-MediaBrowser-Token", key)]),
      ("", [("X-Emby-Authorization", "MediaBrowser Token=\"\(key)\"")]),
      ("", [("Authorization", "Emby Token=\"\(key)\"")]), ("?api_key=\(key)", []),
    ]
    for (query, headers) in legacy {
      let request = ServerRequest(
        method: "GET", target: "/System/Info" + query, headers: headers)
      #expect((await service.answer(request).status == 200) == row.legacy, "\(headers) \(query)")
    }
    let wrong = await service.ask("GET", "/Items/1234/PlaybackInfo", token: token)
    #expect(wrong.status == (row.name == "emby-4.9" ? 404 : 400))
    let unknown = "/Items/\(String(repeating: "1", count: 32))/PlaybackInfo"
    let missing = await service.ask("GET", unknown, token: token)
    #expect(missing.status == 404)
    #expect(try row.problem == nil || missing.json()["type"]?.text == row.problem)
  }

  @Test(arguments: rows)
  func `the answer of a negotiation`(row: Row) async throws {
    let service = Fixtures.service(row.name)
    let (token, user) = try await service.signIn()
    let film = Fixtures.probed(version: row.name)
    let body = """
      {"UserId":"\(user)","MediaSourceId":"\(film.sourceID)","SubtitleStreamIndex":2,
      "EnableDirectPlay":false,"EnableDirectStream":false,\(NegotiationTests.burningProfile)}
      """
    let answer = try await service.ask(
      "POST", "/Items/\(film.id)/PlaybackInfo", token: token, body: body
    ).json()
    let source = try #require(answer["MediaSources"]?.elements.first)
    let url = try #require(source["TranscodingUrl"]?.text)
    #expect(url.contains("/master.m3u8" + row.start))
    #expect(url.contains("&\(row.token)=\(token)"))
    for name in ["SubtitleStreamIndex=2", "SubtitleMethod=Encode"] {
      #expect(url.split(separator: "&").count { $0 == name } == 1)
    }
    let plain = try await service.ask("GET", "/Items/\(film.id)/PlaybackInfo", token: token).json()
    let unasked = try #require(plain["MediaSources"]?.elements.first)
    #expect(unasked["TranscodingSubProtocol"] == row.protocolName)
    let streams = unasked["MediaStreams"]?.elements ?? []
    try #require(streams.count == 3)
    #expect(streams[1]["VideoRange"] == row.range)
    #expect(
      [
        streams[1]["IsHearingImpaired"] != nil, unasked["HasSegments"] != nil,
        streams[1]["IsOriginal"] != nil,
      ] == row.members)
  }

  @Test(arguments: rows)
  func `the playlist of segments`(row: Row) async {
    let service = Fixtures.service(row.name)
    let film = Fixtures.probed(version: row.name)
    let query =
      "?MediaSourceId=\(film.sourceID)&VideoCodec=h264&MaxFramerate=23.976025"
      + "&PlaySessionId=abc&SubtitleStreamIndex=2"
    let burned = await service.ask(
      "GET", "/videos/\(film.id)/main.m3u8\(query)&SubtitleMethod=Encode")
    #expect(burned.text.contains("#EXTINF:\(row.length), nodesc\n"))
    let silent = await service.ask("GET", "/videos/\(film.id)/main.m3u8\(query)")
    #expect(silent.text.contains("#EXTINF:6.0") == !row.burns)
    let segment = burned.text.split(separator: "\n").first { $0.contains("/0.ts") }
    let suffix = "&SubtitleMethod=Encode&runtimeTicks=0&actualSegmentLengthTicks="
    let ticks = row.length == "3.003000" ? 30_030_000 : 30_000_000
    #expect(
      segment
        == (row.name == "emby-4.9"
          ? "hls1/main/0.ts?PlaySessionId=abc" : "hls1/main/0.ts\(query)\(suffix)\(ticks)"))
  }

  @Test(arguments: [
    ("jellyfin-10.8", ",%20"), ("jellyfin-10.9", ",%20"), ("jellyfin-10.10", ",%20"),
    ("jellyfin-10.11", ","), ("jellyfin-12", ","), ("emby-4.9", ","),
  ])
  func `reasons are separated by the version`(name: String, separator: String) async throws {
    let service = Fixtures.service(name)
    let (token, user) = try await service.signIn()
    let film = Fixtures.probed(version: name)
    let profile = NegotiationTests.burningProfile.replacing(
      "\"DirectPlayProfiles\":[]",
      with: """
        "DirectPlayProfiles":[{"Type":"Video","Container":"mp4","VideoCodec":"hevc"}]
        """)
    let body = """
      {"UserId":"\(user)","MediaSourceId":"\(film.sourceID)","SubtitleStreamIndex":2,\(profile)}
      """
    let text = await service.ask(
      "POST", "/Items/\(film.id)/PlaybackInfo", token: token, body: body
    ).text
    let reasons = ["ContainerNotSupported", "VideoCodecNotSupported", "SubtitleCodecNotSupported"]
    #expect(text.contains("TranscodeReasons=" + reasons.joined(separator: separator)))
  }

  @Test(arguments: [
    ("jellyfin-10.8", "dvbsub", "dvb_teletext"), ("jellyfin-10.9", "DVBSUB", "DVBTXT"),
    ("jellyfin-12", "DVBSUB", "DVBTXT"), ("emby-4.9", "DVBSUB", "dvb_teletext"),
  ])
  func `codings are spelled by the version`(
    name: String, bitmap: String, teletext: String
  ) async throws {
    let codecs = ["hdmv_pgs_subtitle", "dvd_subtitle", "dvb_subtitle", "dvb_teletext", "xsub"]
    let film = Fixtures.probed(
      codecs.enumerated().map { Fixtures.subtitle($0.offset + 2, $0.element) }, version: name)
    let answer = try await Fixtures.service(name, films: [film]).ask(
      "GET", "/Items/\(film.id)/PlaybackInfo"
    ).json()
    let streams = (answer["MediaSources"]?.elements.first?["MediaStreams"]?.elements ?? [])
    let tracks = streams.dropFirst(2)
    #expect(
      tracks.map { $0["Codec"]?.text } == ["PGSSUB", "DVDSUB", bitmap, teletext, "xsub"])
    // A test of the name only: teletext and xsub pass for text.
    #expect(tracks.map { $0["IsTextSubtitleStream"] } == [false, false, false, true, true])
  }

  @Test(arguments: [
    ("jellyfin-10.8", "10.8.13"), ("JELLYFIN-12", "12.0.0"), ("jellyfin-10.10.3", "10.10.3"),
    ("emby-4.9", "4.9.5.0"), ("emby-4.9.1.90", "4.9.1.90"), ("emby-4.8", nil),
    ("emby-4.9.x", nil), ("emby-4.9.1.2.3", nil), ("jellyfin-10.7", nil), ("plex-1", nil),
    ("10.8", nil), ("", nil), ("emby-", nil), ("emby-4.9.99999", nil),
  ])
  func `servers are known by their names`(name: String, version: String?) {
    #expect(ServerVersion(named: name)?.description == version)
  }
}
