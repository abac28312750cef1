// SPDX-License-Identifier: Apache-2.0
import ReferenceServer
import Testing

/// The dialect of Emby.
struct EmbyTests {
  private static let film = Fixtures.probed(
    [Fixtures.subtitle(2), Fixtures.subtitle(3, isDefault: true)], version: "emby-4.9")
  private static let source = "\"MediaSourceId\":\"\(film.sourceID)\""

  private func negotiate(
    _ members: String, film: Film = film, profile: String = NegotiationTests.burningProfile
  ) async throws -> JSON {
    let service = Fixtures.service("emby-4.9", films: [film])
    let (token, user) = try await service.signIn()
    let body = "{\"UserId\":\"\(user)\",\(members),\(profile)}"
    let answer = try await service.ask(
      "POST", "/emby/Items/\(film.id)/PlaybackInfo", token: token, body: body
    ).json()
    return answer["MediaSources"]?.elements.first ?? answer
  }

  private func url(_ source: JSON) -> String { source["TranscodingUrl"]?.text ?? "" }

  @Test func `identifiers are decimal and the source's has its prefix`() {
    #expect(Self.film.id.utf8.count == 9)
    #expect(Self.film.id.utf8.allSatisfy { (0x30...0x39).contains($0) })
    #expect(Self.film.sourceID == "mediasource_" + Self.film.id)
  }

  @Test func `the worked answer`() async throws {
    let film = Fixtures.probed(version: "emby-4.9")
    let source = try await negotiate(
      "\"MediaSourceId\":\"\(film.sourceID)\",\"SubtitleStreamIndex\":2", film: film)
    let names = url(source).split(separator: "&").map { $0.prefix { $0 != "=" } }
    #expect(
      names.map(String.init) == [
        "/videos/\(film.id)/master.m3u8?DeviceId", "MediaSourceId", "PlaySessionId", "api_key",
        "VideoCodec", "AudioCodec", "VideoBitrate", "AudioBitrate", "AudioStreamIndex",
        "TranscodingMaxAudioChannels", "SegmentContainer", "BreakOnNonKeyFrames",
        "SubtitleStreamIndex", "SubtitleMethod", "h264-profile", "h264-level", "TranscodeReasons",
      ])
    #expect(source["DirectStreamUrl"] == source["TranscodingUrl"])
    let track = try #require(source["MediaStreams"]?.elements.last)
    let expected = """
      {"Codec":"PGSSUB","Language":"eng","DisplayTitle":"English (PGSSUB)",
      "DisplayLanguage":"English","IsInterlaced":false,"IsDefault":false,"IsForced":false,
      "IsHearingImpaired":false,"Height":1080,"Width":1920,"Type":"Subtitle","Index":2,
      "IsExternal":false,"DeliveryMethod":"Encode","IsTextSubtitleStream":false,
      "SupportsExternalStream":false,"Protocol":"File","ExtendedVideoType":"None",
      "ExtendedVideoSubType":"None","AttachmentSize":0,"SubtitleLocationType":"InternalStream"}
      """
    #expect(try track == JSON(parsing: Array(expected.utf8)))
    for name in [
      "ETag", "VideoType", "MediaAttachments", "HasSegments", "IgnoreDts",
      "UseMostCompatibleTranscodingProfile",
    ] { #expect(source[name] == nil, "\(name)") }
  }

  @Test func `minus one is not trusted where a track is default`() async throws {
    let source = try await negotiate(Self.source + ",\"SubtitleStreamIndex\":-1")
    #expect(source["DefaultSubtitleStreamIndex"]?.whole == 3)
    #expect(url(source).contains("&SubtitleStreamIndex=3&SubtitleMethod=Encode&"))
    let plain = Fixtures.probed(version: "emby-4.9")
    let none = try await negotiate(
      "\"MediaSourceId\":\"\(plain.sourceID)\",\"SubtitleStreamIndex\":-1", film: plain)
    #expect(none["DefaultSubtitleStreamIndex"]?.whole == -1)
    #expect(!url(none).contains("Subtitle"))
  }

  @Test func `the switches of direct play are advice`() async throws {
    let profile = NegotiationTests.burningProfile.replacing(
      "\"DirectPlayProfiles\":[]",
      with: "\"DirectPlayProfiles\":[{\"Type\":\"Video\",\"Container\":\"mkv\"}]")
    let plain = Fixtures.probed(version: "emby-4.9")
    let source = "\"MediaSourceId\":\"\(plain.sourceID)\""
    let advised = try await negotiate(
      source + ",\"EnableDirectPlay\":false", film: plain, profile: profile)
    #expect(advised["SupportsDirectPlay"] == true)
    #expect(url(advised).isEmpty)
    #expect(
      advised["DirectStreamUrl"]?.text?.hasPrefix(
        "/videos/\(plain.id)/original.mkv?DeviceId=bench-01&MediaSourceId=") == true)
    let told = try await negotiate(
      source + ",\"EnableDirectPlay\":false,\"EnableDirectStream\":false,"
        + "\"AllowVideoStreamCopy\":false", film: plain, profile: profile)
    #expect(told["SupportsDirectPlay"] == true)
    #expect(url(told).contains("TranscodeReasons=DirectPlayError"))
    #expect(!url(told).lowercased().contains("streamcopy"))
  }

  @Test func `bitmap tracks never come by themselves`() async throws {
    let source = try await negotiate(
      Self.source + ",\"SubtitleStreamIndex\":2",
      profile: String(NegotiationTests.externalProfile))
    #expect(source["MediaStreams"]?.elements.last?["DeliveryMethod"] == "Encode")
    let service = Fixtures.service("emby-4.9")
    let film = Fixtures.probed(version: "emby-4.9")
    let track = await service.ask(
      "GET", "/Items/\(film.id)/\(film.sourceID)/Subtitles/2/Stream.pgssub")
    #expect(track.status == 500)
  }

  @Test(arguments: [
    ("SubtitleStreamIndex=2&SubtitleMethod=Encode", true, true),
    ("SubtitleStreamIndex=2", true, true),
    ("SubtitleStreamIndex=2&SubtitleMethod=Encode&SubtitleMethod=Encode", false, false),
    ("", false, false), ("EnableAutoStreamCopy=false", false, true),
    ("SubtitleStreamIndex=99&SubtitleMethod=Encode", false, true),
  ])
  func `what an address burns and encodes`(
    query: String, isBurned: Bool, isEncoded: Bool
  ) throws {
    let request = ServerRequest(method: "GET", target: "/x?VideoCodec=h264&" + query)
    let plan = try #require(
      StreamPlan(
        request: request, film: Self.film, configuration: Fixtures.configuration("emby-4.9")))
    let list = EncoderArguments(plan: plan, startTicks: 0, startNumber: 0, folder: "/t").list
    #expect(list.contains("-filter_complex") == isBurned)
    #expect(list.contains("libx264") == isEncoded)
    if isBurned {
      let graph = list[list.firstIndex(of: "-filter_complex").map { $0 + 1 } ?? 0]
      #expect(
        graph == "[0:2]scale=1920:1080:force_original_aspect_ratio=decrease[sub];"
          + "[0:0][sub]overlay")
    }
  }

  @Test func `the picture is scaled after the track is drawn`() throws {
    var configuration = Fixtures.configuration("emby-4.9", faults: [.shift(x: 8, y: -4)])
    configuration.maximumHeight = 540
    let request = ServerRequest(
      method: "GET", target: "/x?SubtitleStreamIndex=2&SubtitleMethod=Encode")
    let plan = try #require(
      StreamPlan(request: request, film: Self.film, configuration: configuration))
    let list = EncoderArguments(plan: plan, startTicks: 0, startNumber: 0, folder: "/t").list
    #expect(
      list.contains(
        "[0:2]scale=1920:1080:force_original_aspect_ratio=decrease[sub];"
          + "[0:0][sub]overlay=x=16:y=-8,scale=960:540"))
  }

  @Test func `a file of its own is the second input`() throws {
    for (version, canvas) in [("10.11.11", "1920x1080"), ("emby-4.9", "1920x1080")] {
      let film = Fixtures.filmWithFiles(version)
      let index = version == "emby-4.9" ? 5 : 1
      let request = ServerRequest(
        method: "GET", target: "/x?SubtitleStreamIndex=\(index)&SubtitleMethod=Encode")
      let plan = try #require(
        StreamPlan(
          request: request, film: film, configuration: Fixtures.configuration(version)))
      let list = EncoderArguments(
        plan: plan, startTicks: 120_000_000, startNumber: 4, folder: "/t"
      ).list
      let words = list.joined(separator: " ")
      #expect(
        words.contains(
          "-ss 00:00:12.000 -i file:\(Fixtures.path) -ss 00:00:12.000 -canvas_size \(canvas) "
            + "-i file:/media/Harbour Lights (2024).en.sup"))
      #expect(words.contains("-filter_complex [1:0]scale"))
      #expect(list.contains("-start_at_zero") == (version == "emby-4.9"))
    }
  }

  @Test func `a text track is drawn by libass from its own place`() throws {
    let film = Fixtures.filmWithFiles("10.11.11")
    let request = ServerRequest(
      method: "GET", target: "/x?SubtitleStreamIndex=0&SubtitleMethod=Encode")
    let plan = try #require(
      StreamPlan(request: request, film: film, configuration: Fixtures.configuration()))
    let list = EncoderArguments(plan: plan, startTicks: 0, startNumber: 0, folder: "/t").list
    #expect(
      list.contains(
        "[0:0]subtitles=f=/media/Harbour Lights (2024).de.forced.srt:si=0,format=yuv420p"))
  }

  @Test(arguments: [
    ("plain", "plain"), ("it's", "it\\\\\\'s"), ("a:b", "a\\\\:b"), ("[x],y", "\\[x\\]\\,y"),
    ("c\\d", "c\\\\\\\\d"),
  ])
  func `a path is escaped for an option in a graph`(path: String, text: String) {
    #expect(FilterGraph.escaped(path) == text)
  }

  @Test func `segments are named by the session alone`() async throws {
    let service = Fixtures.service("emby-4.9")
    let film = Fixtures.probed(version: "emby-4.9")
    let list =
      "/videos/\(film.id)/main.m3u8?VideoCodec=h264&SubtitleStreamIndex=2&SubtitleMethod=Encode"
    let own = await service.ask("GET", list + "&PlaySessionId=one")
    var expected = "#EXTM3U\n#EXT-X-PLAYLIST-TYPE:VOD\n#EXT-X-VERSION:3\n"
    expected += "#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:0\n"
    for number in 0..<20 {
      expected += "#EXTINF:3.0000, nodesc\nhls1/main/\(number).ts?PlaySessionId=one\n"
    }
    #expect(own.text == expected + "#EXT-X-ENDLIST\n")
    #expect(await service.ask("GET", list + "&PlaySessionId=a%22b").status == 400)
    let unknown = "/videos/\(film.id)/hls1/main/0.ts?PlaySessionId=two"
    #expect(await service.ask("GET", unknown, token: nil).status == 404)
    let broken = await service.ask(
      "GET", list + "&PlaySessionId=three&EnableDirectStream=false")
    #expect(broken.status == 200)
    let segment = "/videos/\(film.id)/hls1/main/0.ts?PlaySessionId=three"
    #expect(await service.ask("GET", segment, token: nil).status == 404)
  }

  @Test func `a playlist without a session gets one`() async throws {
    let service = Fixtures.service("emby-4.9")
    let film = Fixtures.probed(version: "emby-4.9")
    let text = await service.ask("GET", "/emby/videos/\(film.id)/main.m3u8?VideoCodec=h264").text
    let first = try #require(text.split(separator: "\n").first { !$0.hasPrefix("#") })
    #expect(first.hasPrefix("hls1/main/0.ts?PlaySessionId="))
    #expect(first.utf8.count == "hls1/main/0.ts?PlaySessionId=".utf8.count + 32)
  }

  @Test(
    arguments: [
      ("GET", "/System/Info", nil, 401, "Access token is invalid or expired."),
      ("GET", "/Users/Me", Fixtures.key, 400, "userId: The value 'Me' is not valid."),
      ("GET", "/Items/1234567/PlaybackInfo", Fixtures.key, 404, "There is no such thing."),
      ("GET", "/Nowhere", Fixtures.key, 404, "There is no such thing."),
      ("POST", "/Sessions/Playing/Ping", Fixtures.key, 400, "playSessionId: The playSessionId"),
    ] as [(String, String, String?, Int, String)])
  func `errors are bare texts`(
    method: String, target: String, token: String?, status: Int, text: String
  ) async {
    let answer = await Fixtures.service("emby-4.9").ask(method, target, token: token)
    #expect(answer.status == status)
    #expect(answer.text.hasPrefix(text))
    #expect(answer.header("Content-Type") == "text/plain")
    #expect(answer.header("Server") == "UPnP/1.0 DLNADOC/1.50")
    #expect(answer.header("X-Response-Time-ms") == nil)
    #expect(answer.header("Access-Control-Allow-Origin") == "*")
  }

  @Test func `lists have no start, rows have sizes, and text keeps its letters`() async throws {
    let service = Fixtures.service("emby-4.9")
    let answer = await service.ask("GET", "/Items?recursive=true&fields=Path")
    let list = try answer.json()
    #expect(list["StartIndex"] == nil)
    let row = try #require(list["Items"]?.elements.first)
    #expect(row["Size"] == 48_000_000)
    #expect(row["Bitrate"] == 6_192_000)
    for name in ["LocationType", "ChannelId"] { #expect(row[name] == nil) }
    #expect(row["UserData"]?["Key"] == nil)
    let path = Fixtures.path.replacing(" ", with: "%20")
    let found = try await service.ask("GET", "/Items?Path=\(path)&recursive=true").json()
    #expect(found["TotalRecordCount"] == 1)
    let none = try await service.ask("GET", "/Items?Path=/other&recursive=true").json()
    #expect(none["TotalRecordCount"] == 0)
    #expect(JSON.string("a&b+\"é").text(htmlSafe: false) == "\"a&b+\\\"é\"")
  }

  @Test func `encodings end by either form and files need a token`() async {
    let service = Fixtures.service("emby-4.9")
    let query = "?DeviceId=a&PlaySessionId=b"
    #expect(await service.ask("DELETE", "/Videos/ActiveEncodings" + query).status == 204)
    #expect(await service.ask("POST", "/Videos/ActiveEncodings/Delete" + query).status == 204)
    #expect(await service.ask("POST", "/Videos/ActiveEncodings/Delete").status == 400)
    let film = Fixtures.probed(version: "emby-4.9")
    for name in ["stream.mkv?static=true", "original.mkv"] {
      let target = "/Videos/\(film.id)/\(name)"
      #expect(await service.ask("GET", target, token: nil).status == 401)
      // The film is no file of this machine.
      #expect(await service.ask("GET", target).status == 404)
    }
  }

  @Test func `a body of any type is taken`() async throws {
    let service = Fixtures.service("emby-4.9")
    let (token, user) = try await service.signIn()
    let film = Fixtures.probed(version: "emby-4.9")
    let body = "{\(NegotiationTests.burningProfile)}"
    let request = ServerRequest(
      method: "POST",
      target: "/emby/Items/\(film.id)/PlaybackInfo?UserId=\(user)&reqformat=json"
        + "&MediaSourceId=\(film.sourceID)&SubtitleStreamIndex=2&X-Emby-Token=\(token)",
      headers: [("Content-Type", "text/plain")], body: Array(body.utf8))
    let answer = await service.answer(request)
    #expect(answer.status == 200)
    #expect(answer.text.contains("&SubtitleStreamIndex=2&SubtitleMethod=Encode"))
  }

  @Test func `steps of the pipeline tell of a bitmap track only where one is drawn`() throws {
    for (query, video, tracks) in [
      (
        "SubtitleStreamIndex=2&SubtitleMethod=Encode",
        ["Decoder", "SubtitleOverlay", "Encoder"],
        ["Decoder", "GraphicSub2Video", "ScaleSubs", "ConnectTo"]
      ), ("EnableAutoStreamCopy=false", ["Decoder", "Encoder"], []), ("", [], []),
      ("EnableAutoStreamCopy=false&MaxWidth=960", ["Decoder", "Scaling", "Encoder"], []),
    ] {
      let request = ServerRequest(method: "GET", target: "/x?VideoCodec=h264&" + query)
      let plan = try #require(
        StreamPlan(
          request: request, film: Self.film, configuration: Fixtures.configuration("emby-4.9")))
      #expect(plan.videoSteps.map(\.kind) == video)
      #expect(plan.subtitleSteps.map(\.kind) == tracks)
    }
  }
}
