// SPDX-License-Identifier: Apache-2.0
import ReferenceServer
import Testing

/// What surprises those who write a client, by the numbers of docs/servers.md; those that need no
/// encoder and have no test of their own elsewhere.
struct SurprisesTests {
  private static let source = "\"MediaSourceId\":\"\(Fixtures.item)\""

  private func ask(
    _ service: Service, _ members: String, token: String, user: String,
    profile: String? = NegotiationTests.burningProfile
  ) async throws -> JSON {
    let body =
      "{\"UserId\":\"\(user)\",\(members)" + (profile.map { "," + $0 } ?? "") + "}"
    let answer = try await service.ask(
      "POST", "/Items/\(Fixtures.item)/PlaybackInfo", token: token, body: body
    ).json()
    return answer["MediaSources"]?.elements.first ?? answer
  }

  private func url(_ source: JSON) -> String { source["TranscodingUrl"]?.text ?? "" }

  @Test func `2 EnableTranscoding false is not obeyed`() async throws {
    let service = Fixtures.service()
    let (token, user) = try await service.signIn()
    let source = try await ask(
      service, Self.source + ",\"EnableTranscoding\":false,\"SubtitleStreamIndex\":2",
      token: token, user: user)
    #expect(source["SupportsTranscoding"] == true)
    #expect(url(source).contains("SubtitleStreamIndex=2"))
  }

  @Test(arguments: ["10.11.11", "emby-4.9"])
  func `5 and 24 a report moves the resume point and is remembered as the choice`(
    version: String
  ) async throws {
    let film = Fixtures.probed([Fixtures.subtitle(2), Fixtures.subtitle(3)], version: version)
    let service = Fixtures.service(version, films: [film])
    let (token, user) = try await service.signIn()
    func chosen() async throws -> JSON? {
      let body = """
        {"UserId":"\(user)","MediaSourceId":"\(film.sourceID)",\(NegotiationTests.burningProfile)}
        """
      let answer = try await service.ask(
        "POST", "/Items/\(film.id)/PlaybackInfo", token: token, body: body
      ).json()
      return answer["MediaSources"]?.elements.first?["DefaultSubtitleStreamIndex"]
    }
    func report(_ index: Int) async {
      let body = """
        {"ItemId":"\(film.id)","PositionTicks":420000000,"SubtitleStreamIndex":\(index)}
        """
      #expect(
        await service.ask("POST", "/Sessions/Playing/Progress", token: token, body: body).status
          == 204)
    }
    #expect(try await chosen() == nil)
    await report(3)
    #expect(try await chosen() == 3)
    let item = try await service.ask("GET", "/Users/\(user)/Items/\(film.id)", token: token).json()
    #expect(item["UserData"]?["PlaybackPositionTicks"] == 420_000_000)
    await report(-1)
    #expect(try await chosen() == -1)
    await report(99)
    #expect(try await chosen() == nil)
  }

  @Test func `a profile that the device left serves where the body has none`() async throws {
    let service = Fixtures.service()
    let (token, user) = try await service.signIn()
    let members = Self.source + ",\"SubtitleStreamIndex\":2"
    let before = try await ask(service, members, token: token, user: user, profile: nil)
    #expect(before["TranscodingUrl"] == nil)
    let capabilities = "{\(NegotiationTests.burningProfile)}"
    #expect(
      await service.ask(
        "POST", "/Sessions/Capabilities/Full", token: token, body: capabilities
      ).status == 204)
    let after = try await ask(service, members, token: token, user: user, profile: nil)
    #expect(url(after).contains("&SubtitleStreamIndex=2&"))
  }

  @Test(arguments: [
    ("10.11.11", "Method", "External", 200), ("10.11.11", "Method", "EXTERNAL", 200),
    ("10.11.11", "Method", "2", 200), ("10.11.11", "Method", "VideoSideData", 400),
    ("10.11.11", "Type", "Film", 400), ("emby-4.9", "Method", "VideoSideData", 200),
  ])
  func `a word in a profile that Jellyfin does not know is refused`(
    version: String, name: String, word: String, status: Int
  ) async throws {
    let film = Fixtures.probed(version: version)
    let service = Fixtures.service(version, films: [film])
    let (token, user) = try await service.signIn()
    let body = """
      {"UserId":"\(user)","DeviceProfile":{"SubtitleProfiles":[{"Format":"srt",
      "\(name)":"\(word)"}]}}
      """
    let answer = await service.ask(
      "POST", "/Items/\(film.id)/PlaybackInfo", token: token, body: body)
    #expect(answer.status == status)
    #expect(
      answer.text.contains("$.DeviceProfile.SubtitleProfiles[0].\(name)") == (status == 400))
  }

  private func arguments(
    _ version: String, film: Film, _ query: String = "SubtitleStreamIndex=2&SubtitleMethod=Encode"
  ) throws -> [String] {
    let request = ServerRequest(method: "GET", target: "/x?VideoCodec=h264&" + query)
    let plan = try #require(
      StreamPlan(request: request, film: film, configuration: Fixtures.configuration(version)))
    return EncoderArguments(plan: plan, startTicks: 0, startNumber: 0, folder: "/t").list
  }

  @Test(
    arguments: [
      (1920, 800, (1920, 1080), false), (1440, 1080, (1920, 1080), false),
      (1920, 1072, (1920, 1080), false), (1920, 1076, (1920, 1080), true),
      (3840, 2160, (1920, 1080), true), (1920, 1080, nil, false), (1920, 1080, (0, 0), false),
    ] as [(Int, Int, (Int, Int)?, Bool)])
  func `14 to 16 only a canvas of the picture's shape is simply scaled`(
    width: Int, height: Int, canvas: (Int, Int)?, isScaled: Bool
  ) throws {
    let film = Fixtures.probed(
      [Fixtures.subtitle(2, size: canvas)], size: (width: width, height: height))
    let list = try arguments("10.11.11", film: film)
    let graph = list[(list.firstIndex(of: "-filter_complex") ?? 0) + 1]
    let scaled = "[0:2]scale,scale=\(width):\(height):fast_bilinear[sub]"
    let fitted = "[0:2]scale,scale=-1:\(height):fast_bilinear,crop,pad="
    #expect(graph.hasPrefix(isScaled ? scaled : fitted), "\(graph)")
    #expect(list.contains("-canvas_size") == (canvas.map { $0.0 > 0 } ?? false))
  }

  @Test(arguments: ["10.8.13", "10.9.11", "10.10.7", "10.11.11", "12.0.0", "emby-4.9"])
  func `17 no version draws forced cues only`(version: String) throws {
    let list = try arguments(version, film: Fixtures.probed(version: version))
    #expect(!list.contains { $0.contains("forced_subs_only") })
  }

  @Test func `25 a cap below the film's rate makes the picture smaller`() throws {
    let film = Fixtures.probed()
    let query = "SubtitleStreamIndex=2&SubtitleMethod=Encode&VideoBitrate=2000000"
    let list = try arguments("10.11.11", film: film, query)
    let graph = list[(list.firstIndex(of: "-filter_complex") ?? 0) + 1]
    #expect(graph.contains("[0:0]scale=720:404,format=yuv420p[main]"))
  }

  @Test(arguments: [
    ("10.8.13", "overlay=eof_action=endall:shortest=1:repeatlast=0"),
    ("10.9.11", "overlay=eof_action=pass"),
    ("10.10.7", "overlay=eof_action=pass:repeatlast=0"), ("emby-4.9", "overlay"),
  ])
  func `26 only 10 8 ends the film with its track`(version: String, overlay: String) throws {
    let list = try arguments(version, film: Fixtures.probed(version: version))
    let graph = list[(list.firstIndex(of: "-filter_complex") ?? 0) + 1]
    #expect(graph.hasSuffix("[sub]" + overlay))
  }

  @Test(arguments: ["AllowVideoStreamCopy", "allowVideoStreamCopy", "allowvideostreamcopy"])
  func `29 names of a query count without their letters' case`(name: String) throws {
    let film = Fixtures.probed()
    #expect(try arguments("10.11.11", film: film, "\(name)=false").contains("libx264"))
    #expect(try !arguments("10.11.11", film: film, "other=false").contains("libx264"))
  }
}
