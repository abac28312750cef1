// SPDX-License-Identifier: Apache-2.0
import ReferenceServer
import Testing

/// Requests that no client sends end in an answer, never in a trap.
struct HostileRequestTests {
  static let numbers = [
    "9223372036854775807", "-9223372036854775808", "99999999999999999999", "0", "-1", "1e400",
    "0.00000000000000000000000000000000000000001", "nan", "inf", "", "%", "%zz", "٣",
  ]

  @Test(arguments: ["jellyfin-10.8", "jellyfin-10.11", "jellyfin-12", "emby-4.9"])
  func `numbers of every size in every place`(name: String) async throws {
    let service = Fixtures.service(name)
    let (token, user) = try await service.signIn()
    let film = Fixtures.probed(version: name)
    let names = [
      "VideoBitrate", "AudioBitrate", "MaxFramerate", "MaxWidth", "MaxHeight", "Width",
      "SegmentLength", "SubtitleStreamIndex", "AudioStreamIndex", "h264-level", "StartTimeTicks",
    ]
    for number in Self.numbers {
      for parameter in names {
        let query =
          "?MediaSourceId=\(film.sourceID)&VideoCodec=h264&MaxFramerate=23.976&PlaySessionId=a"
          + "&\(parameter)=\(number)"
        for list in ["master.m3u8", "main.m3u8"] {
          let answer = await service.ask("GET", "/videos/\(film.id)/\(list)\(query)", token: token)
          #expect((200...599).contains(answer.status))
        }
      }
      for target in [
        "/Items?startIndex=\(number)&limit=\(number)&recursive=true", "/Items?ids=\(number)",
        "/Items?years=\(number)&recursive=true", "/Sessions?activeWithinSeconds=\(number)",
        "/Items/\(number)/PlaybackInfo", "/Users/\(number)", "/Videos/\(number)/main.m3u8",
        "/Videos/\(film.id)/hls1/main/\(number).ts?runtimeTicks=\(number)"
          + "&actualSegmentLengthTicks=\(number)&PlaySessionId=x",
        "/Videos/\(film.id)/x/Subtitles/\(number)/Stream.vtt",
      ] {
        let answer = await service.ask("GET", target, token: token)
        #expect((200...599).contains(answer.status))
      }
      let body = """
        {"UserId":"\(user)","MediaSourceId":"\(film.sourceID)","MaxStreamingBitrate":"\(number)",
        "SubtitleStreamIndex":"\(number)","AudioStreamIndex":"\(number)","StartTimeTicks":
        "\(number)",\(NegotiationTests.burningProfile)}
        """
      let answer = await service.ask(
        "POST", "/Items/\(film.id)/PlaybackInfo", token: token, body: body)
      #expect(answer.status == 200)
    }
  }

  @Test(arguments: ["jellyfin-10.11", "emby-4.9"])
  func `bodies that are cut anywhere`(name: String) async throws {
    let service = Fixtures.service(name)
    let (token, user) = try await service.signIn()
    let film = Fixtures.probed(version: name)
    let body = """
      {"UserId":"\(user)","MediaSourceId":"\(film.sourceID)","SubtitleStreamIndex":2,
      \(NegotiationTests.burningProfile)}
      """
    let bytes = Array(body.utf8)
    for count in 0..<bytes.count {
      let part = String(decoding: bytes.prefix(count), as: UTF8.self)
      let answer = await service.ask(
        "POST", "/Items/\(film.id)/PlaybackInfo", token: token, body: part)
      // An empty body asks for nothing and is right.
      #expect(answer.status == (count == 0 ? 200 : 400))
    }
  }

  @Test(arguments: ["jellyfin-10.11", "emby-4.9"])
  func `members of the wrong type`(name: String) async throws {
    let service = Fixtures.service(name)
    let (token, user) = try await service.signIn()
    let film = Fixtures.probed(version: name)
    for value in ["null", "[]", "{}", "true", "\"x\"", "1.5", "[[[[]]]]"] {
      let body = """
        {"UserId":"\(user)","MediaSourceId":\(value),"SubtitleStreamIndex":\(value),
        "EnableDirectPlay":\(value),"DeviceProfile":{"TranscodingProfiles":\(value),
        "SubtitleProfiles":\(value),"DirectPlayProfiles":\(value),"CodecProfiles":\(value)}}
        """
      for target in [
        "/Items/\(film.id)/PlaybackInfo", "/Sessions/Playing", "/Sessions/Playing/Stopped",
      ] {
        let answer = await service.ask("POST", target, token: token, body: body)
        #expect((200...499).contains(answer.status))
      }
      #expect(await service.ask("GET", "/Sessions", token: token).status == 200)
    }
  }
}
