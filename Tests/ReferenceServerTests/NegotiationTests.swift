// SPDX-License-Identifier: Apache-2.0
import ReferenceServer
import Testing

struct NegotiationTests {
  static let burningProfile = """
    "DeviceProfile":{"MaxStreamingBitrate":20000000,"DirectPlayProfiles":[],"TranscodingProfiles":
    [{"Type":"Video","Context":"Streaming","Protocol":"hls","Container":"ts","VideoCodec":"h264",
    "AudioCodec":"aac"}],"SubtitleProfiles":[]}
    """

  /// Negotiates as a signed-in user; the first source, or the whole answer if there is none.
  private func negotiate(
    _ members: String, version: String = "10.11.11", films: [Film] = [Fixtures.probed()],
    profile: String = burningProfile, query: String = ""
  ) async throws -> JSON {
    let service = Fixtures.service(version, films: films)
    let (token, user) = try await service.signIn()
    let body = "{\"UserId\":\"\(user)\",\(members)\(members.isEmpty ? "" : ",")\(profile)}"
    let answer = try await service.ask(
      "POST", "/Items/\(Fixtures.item)/PlaybackInfo\(query)", token: token, body: body
    ).json()
    return answer["MediaSources"]?.elements.first ?? answer
  }

  private func url(_ source: JSON) -> String { source["TranscodingUrl"]?.text ?? "" }

  private static let source = "\"MediaSourceId\":\"\(Fixtures.item)\""

  @Test func `the worked answer of version 12`() async throws {
    let source = try await negotiate(
      Self.source
        + ",\"SubtitleStreamIndex\":2,\"AudioStreamIndex\":1,\"EnableDirectPlay\":false,\"AllowVideoStreamCopy\":false",
      version: "12.0.0")
    let items = url(source).split(separator: "&").filter { item in
      !item.hasPrefix("PlaySessionId=") && !item.hasPrefix("ApiKey=")
    }
    let path = "/videos/\(Fixtures.dashedItem)/master.m3u8?DeviceId=bench-01"
    let wanted = [
      path, "MediaSourceId=\(Fixtures.item)", "VideoCodec=h264", "AudioCodec=aac",
      "AudioStreamIndex=1", "SubtitleStreamIndex=2", "VideoBitrate=19808000",
      "MaxFramerate=23.976025", "SegmentContainer=ts", "SubtitleMethod=Encode", "h264-level=41",
      "h264-profile=high", "TranscodeReasons=DirectPlayError", "allowVideoStreamCopy=false",
    ]
    #expect(items.map(String.init) == wanted)
    let expected: [(String, JSON)] = [
      ("Protocol", "File"), ("Id", .string(Fixtures.item)), ("Container", "mkv"),
      ("Size", 48_000_000), ("Name", "Harbour Lights"), ("RunTimeTicks", 600_000_000),
      ("SupportsTranscoding", true), ("SupportsDirectStream", false),
      ("SupportsDirectPlay", false), ("Bitrate", 6_192_000), ("TranscodingSubProtocol", "hls"),
      ("TranscodingContainer", "ts"), ("DefaultAudioStreamIndex", 1),
      ("DefaultSubtitleStreamIndex", 2), ("HasSegments", false),
    ]
    for (name, value) in expected { #expect(source[name] == value, "\(name)") }
  }

  @Test func `streams show the fields of their kind in the server's order`() async throws {
    let source = try await negotiate(
      Self.source + ",\"SubtitleStreamIndex\":2,\"EnableDirectPlay\":false", version: "12.0.0")
    let streams = source["MediaStreams"]?.elements ?? []
    let wanted = [
      """
      {"Codec":"h264","VideoRange":"SDR","VideoRangeType":"SDR","AudioSpatialFormat":"None",
      "DisplayTitle":"1080p H264 SDR","IsInterlaced":false,"IsAVC":true,"BitRate":6000000,
      "BitDepth":8,"IsDefault":true,"IsForced":false,"IsHearingImpaired":false,"IsOriginal":false,
      "Height":1080,"Width":1920,"AverageFrameRate":23.976025,"RealFrameRate":23.976025,
      "Profile":"High","Type":"Video","AspectRatio":"16:9","Index":0,"IsExternal":false,
      "IsTextSubtitleStream":false,"SupportsExternalStream":false,"PixelFormat":"yuv420p",
      "Level":41,"IsAnamorphic":false}
      """,
      """
      {"Codec":"aac","Language":"eng","VideoRange":"Unknown","VideoRangeType":"Unknown",
      "AudioSpatialFormat":"None","DisplayTitle":"English - AAC - Stereo - Default",
      "IsInterlaced":false,"ChannelLayout":"stereo","BitRate":192000,"Channels":2,
      "SampleRate":48000,"IsDefault":true,"IsForced":false,"IsHearingImpaired":false,
      "IsOriginal":false,"Profile":"LC","Type":"Audio","Index":1,"IsExternal":false,
      "IsTextSubtitleStream":false,"SupportsExternalStream":false}
      """,
      """
      {"Codec":"PGSSUB","Language":"eng","VideoRange":"Unknown","VideoRangeType":"Unknown",
      "AudioSpatialFormat":"None","DisplayTitle":"English - PGSSUB","IsInterlaced":false,
      "IsDefault":false,"IsForced":false,"IsHearingImpaired":false,"IsOriginal":false,
      "Height":1080,"Width":1920,"Type":"Subtitle","Index":2,"IsExternal":false,
      "DeliveryMethod":"Encode","IsTextSubtitleStream":false,"SupportsExternalStream":true}
      """,
    ]
    try #require(streams.count == wanted.count)
    for (stream, text) in zip(streams, wanted) {
      guard case .object(let members) = stream,
        case .object(let expected) = try JSON(parsing: Array(text.utf8))
      else {
        Issue.record("no objects")
        continue
      }
      let names = Set(expected.map(\.name))
      let texts = members.filter { names.contains($0.name) }.map {
        "\($0.name) \($0.value.serialized)"
      }
      #expect(texts == expected.map { "\($0.name) \($0.value.serialized)" })
    }
  }

  @Test func `an index without its source is dropped and the default track taken`() async throws {
    let plain = try await negotiate("\"SubtitleStreamIndex\":2")
    #expect(plain["DefaultSubtitleStreamIndex"] == nil)
    #expect(!url(plain).contains("SubtitleStreamIndex"))
    let film = Fixtures.probed([Fixtures.subtitle(2), Fixtures.subtitle(3, isDefault: true)])
    let source = try await negotiate("\"SubtitleStreamIndex\":2", films: [film])
    #expect(source["DefaultSubtitleStreamIndex"]?.whole == 3)
    #expect(url(source).contains("&SubtitleStreamIndex=3&"))
  }

  @Test(arguments: [
    ("", 2, "&SubtitleStreamIndex=2&"),
    (",\"SubtitleStreamIndex\":3", 3, "&SubtitleStreamIndex=3&"),
    (",\"SubtitleStreamIndex\":99", 99, "&SubtitleStreamIndex=99&"),
    (",\"SubtitleStreamIndex\":1", 1, "&SubtitleStreamIndex=1&"),
  ])
  func `the index asked for or chosen is echoed, also a stale one`(
    members: String, echoed: Int, part: String
  ) async throws {
    let film = Fixtures.probed([Fixtures.subtitle(2, isForced: true), Fixtures.subtitle(3)])
    let source = try await negotiate(Self.source + members, films: [film])
    #expect(source["DefaultSubtitleStreamIndex"]?.whole == echoed)
    #expect(url(source).contains(part))
    #expect(url(source).contains("&SubtitleMethod=Encode&"))
  }

  @Test func `minus one asks for none but leaves the method in the URL`() async throws {
    let source = try await negotiate(Self.source + ",\"SubtitleStreamIndex\":-1")
    #expect(source["DefaultSubtitleStreamIndex"]?.whole == -1)
    #expect(!url(source).contains("SubtitleStreamIndex"))
    #expect(url(source).contains("&SubtitleMethod=Encode&"))
  }

  @Test func `values of the query win over the body`() async throws {
    let source = try await negotiate(
      Self.source + ",\"SubtitleStreamIndex\":-1", query: "?subtitleStreamIndex=2")
    #expect(source["DefaultSubtitleStreamIndex"]?.whole == 2)
  }

  @Test func `an unknown source is no error`() async throws {
    let answer = try await negotiate("\"MediaSourceId\":\"abc\"")
    #expect(answer.serialized == #"{"MediaSources":[],"ErrorCode":"NoCompatibleStream"}"#)
  }

  @Test func `an empty profile permits nothing and no profile negotiates nothing`() async throws {
    let empty = try await negotiate(Self.source, profile: "\"DeviceProfile\":{}")
    for name in ["SupportsTranscoding", "SupportsDirectStream", "SupportsDirectPlay"] {
      #expect(empty[name] == false)
    }
    #expect(empty["TranscodingUrl"] == nil)
    #expect(empty["ErrorCode"] == nil)
    #expect(empty["TranscodingSubProtocol"] == "http")
    let none = try await negotiate(Self.source, profile: "\"IsPlayback\":true")
    #expect(none["SupportsTranscoding"] == true)
    #expect(none["SupportsDirectPlay"] == true)
    #expect(none["MediaStreams"]?.elements.last?["DeliveryMethod"] == nil)
  }

  static let externalProfile =
    burningProfile.dropLast(4)
    + "[{\"Format\":\"PGSSUB\",\"Method\":\"External\"}]}"

  @Test(arguments: [
    ("hdmv_pgs_subtitle", "External"), ("dvd_subtitle", "Encode"), ("dvb_subtitle", "Encode"),
  ])
  func `a profile may take PGS by itself`(codec: String, method: String) async throws {
    let film = Fixtures.probed([Fixtures.subtitle(2, codec)])
    let source = try await negotiate(
      Self.source + ",\"SubtitleStreamIndex\":2", films: [film],
      profile: String(Self.externalProfile))
    let track = source["MediaStreams"]?.elements.last
    #expect(track?["DeliveryMethod"]?.text == method)
    let isExternal = method == "External"
    #expect(
      track?["DeliveryUrl"]?.text?.hasPrefix(
        "/Videos/\(Fixtures.dashedItem)/\(Fixtures.item)/Subtitles/2/0/Stream.pgssub?ApiKey=")
        == (isExternal ? true : nil))
    #expect(url(source).contains("SubtitleStreamIndex") == !isExternal)
    #expect(url(source).contains("SubtitleMethod") == !isExternal)
  }

  @Test func `always burning in keeps the index but not the method`() async throws {
    let source = try await negotiate(
      Self.source + ",\"SubtitleStreamIndex\":2,\"AlwaysBurnInSubtitleWhenTranscoding\":true",
      profile: String(Self.externalProfile))
    #expect(source["MediaStreams"]?.elements.last?["DeliveryMethod"] == "External")
    #expect(url(source).contains("&SubtitleStreamIndex=2&"))
    #expect(!url(source).contains("SubtitleMethod"))
    #expect(url(source).hasSuffix("&alwaysBurnInSubtitleWhenTranscoding=true"))
  }

  @Test(arguments: [
    ("10.8.13", "?DeviceId=", "&api_key="), ("10.10.7", "?DeviceId=", "&api_key="),
    ("10.11.11", "?&DeviceId=", "&ApiKey="), ("12.0.0", "?DeviceId=", "&ApiKey="),
  ])
  func `the URL begins and names its token by the version`(
    version: String, start: String, token: String
  ) async throws {
    let source = try await negotiate(Self.source, version: version)
    #expect(url(source).contains("master.m3u8" + start))
    #expect(url(source).contains(token))
  }

  @Test func `a file that fits is played directly unless a bitmap track is wanted`() async throws {
    let profile = Self.burningProfile.replacing(
      "\"DirectPlayProfiles\":[]",
      with: "\"DirectPlayProfiles\":[{\"Type\":\"Video\",\"Container\":\"mkv\"}]")
    let plain = try await negotiate(
      Self.source + ",\"SubtitleStreamIndex\":-1", profile: profile)
    #expect(plain["SupportsDirectPlay"] == true)
    #expect(plain["TranscodingUrl"] == nil)
    let burned = try await negotiate(
      Self.source + ",\"SubtitleStreamIndex\":2", profile: profile)
    #expect(burned["SupportsDirectPlay"] == false)
    #expect(url(burned).contains("TranscodeReasons=SubtitleCodecNotSupported"))
    let tight = try await negotiate(
      Self.source + ",\"MaxStreamingBitrate\":1000000", profile: profile)
    #expect(url(tight).contains("TranscodeReasons=ContainerBitrateExceedsLimit"))
    #expect(url(tight).contains("VideoBitrate=808000&"))
  }

  @Test func `an API key must name a user`() async throws {
    let service = Fixtures.service()
    let target = "/Items/\(Fixtures.item)/PlaybackInfo"
    let body = "{\(Self.burningProfile)}"
    #expect(await service.ask("POST", target, body: body).status == 400)
    let user = try await service.signIn().user
    #expect(await service.ask("POST", target + "?userId=\(user)", body: body).status == 200)
    let nobody = "?userId=00000000000000000000000000000001"
    #expect(await service.ask("POST", target + nobody, body: body).status == 404)
  }

  @Test func `each negotiation has a session of its own unless segments go stale`() async throws {
    for (faults, isSame) in [([Fault](), false), ([.staleSegments], true)] {
      let service = Fixtures.service(faults: faults)
      let target = "/Items/\(Fixtures.item)/PlaybackInfo"
      let first = try await service.ask("GET", target).json()["PlaySessionId"]
      let second = try await service.ask("GET", target).json()["PlaySessionId"]
      #expect((first == second) == isSame)
    }
  }
}
