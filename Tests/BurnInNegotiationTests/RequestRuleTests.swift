// SPDX-License-Identifier: Apache-2.0
import BurnInNegotiation
import Testing

@Suite("What is asked, and what an answer says")
struct RequestRuleTests {
  private static let base = "/videos/i1/master.m3u8?MediaSourceId=s1"

  private func negotiation(
    _ pick: SubtitlePick, server: ServerKind = .jellyfin, dropped: Set<Int> = []
  ) -> Negotiation {
    Negotiation(
      server: server, serverURL: Film.server,
      body: PlaybackInfoBody(
        userID: "u", mediaSourceID: "s1", startTimeTicks: 902_500_000, audioStreamIndex: 1,
        maxStreamingBitrate: 3_000_000, deviceProfile: .members(["Name": .string("Sample")])
      ).asking(forSubtitle: 9),
      pick: pick, dropped: dropped)
  }

  private func answer(_ query: String, method: String? = nil, hls: String? = "hls")
    -> PlaybackAnswer
  {
    var streams = Film.streams
    streams[3].deliveryMethod = method
    return PlaybackAnswer(
      playSessionID: "p",
      source: .init(
        transcodingURL: Self.base + query, transcodingSubProtocol: hls, streams: streams))
  }

  @Test("R1 R3 R12 R39: the two bodies differ in the subtitle alone, and there are never three")
  func bodies() throws {
    var talk = negotiation(.stream(3))
    let first = talk.firstBody
    #expect(first.subtitleStreamIndex == -1 && talk.step == .ask(first))
    talk.firstAnswered(.success(answer("")))
    let second = try #require(talk.secondBody)
    #expect(second.subtitleStreamIndex == 3)
    #expect(second.asking(forSubtitle: -1) == first)
    #expect(second.json["DeviceProfile"] == first.json["DeviceProfile"])
    talk.secondAnswered(.success(answer("")))
    let end = talk
    talk.firstAnswered(.success(answer("")))
    talk.secondAnswered(.success(answer("&SubtitleStreamIndex=3&SubtitleMethod=Encode")))
    #expect(talk == end && talk.requests == [-1, 3])
  }

  @Test("R5 R39: no pick, Off, text, audio, a stranger and a dropped row ask nothing more")
  func nothingToAsk() {
    for pick in [SubtitlePick.unspecified, .off, .stream(2), .stream(1), .stream(0), .stream(99)] {
      var talk = negotiation(pick)
      talk.firstAnswered(.success(answer("")))
      #expect(talk.requests == [-1], "\(pick)")
      #expect(talk.summary?.outcome == "not-asked")
    }
    var talk = negotiation(.stream(3), dropped: [3])
    talk.firstAnswered(.success(answer("")))
    #expect(talk.summary?.outcome == "not-asked")
  }

  @Test("R4: direct play wins over a transcode that is offered beside it")
  func directPlay() {
    var talk = negotiation(.stream(3))
    var direct = answer("")
    direct.source?.supportsDirectPlay = true
    talk.firstAnswered(.success(direct))
    let summary = talk.summary
    #expect(summary?.outcome == "direct-play" && summary?.plays == "first")
    #expect(summary?.requests == [-1] && summary?.burned == nil)
  }

  @Test("R2: a first request that fails, or an answer with nothing to play, ends as ever")
  func firstFails() {
    var noSession = answer("")
    noSession.playSessionID = nil
    var noStream = answer("")
    noStream.source?.transcodingURL = nil
    let table: [(Result<PlaybackAnswer, PlaybackError>, PlaybackError)] = [
      (.failure(.http(status: 500)), .http(status: 500)), (.failure(.timedOut), .timedOut),
      (.failure(.cancelled), .cancelled), (.failure(.signInRequired), .signInRequired),
      (.success(PlaybackAnswer(errorCode: "NotAllowed")), .playbackUnavailable(.errorCode)),
      (.success(PlaybackAnswer(playSessionID: "p")), .playbackUnavailable(.noSource)),
      (.success(noSession), .playbackUnavailable(.noSession)),
      (.success(noStream), .playbackUnavailable(.noStream)),
    ]
    for (result, error) in table {
      var talk = negotiation(.stream(3))
      talk.firstAnswered(result)
      #expect(talk.result == .failure(error))
      #expect(talk.summary?.outcome == "unplayable" && talk.requests == [-1])
    }
  }

  @Test("R7 A2 A3: a second answer that confirms nothing says why, and the first plays")
  func doubts() {
    let burned = "&SubtitleStreamIndex=3&SubtitleMethod=Encode"
    var direct = answer(burned)
    direct.source?.supportsDirectPlay = true
    var foreign = answer(burned)
    foreign.source?.transcodingURL = "https://elsewhere.test/master.m3u8?\(burned)"
    var coded = answer(burned)
    coded.errorCode = "NoCompatibleStream"
    let table: [(PlaybackAnswer, String)] = [
      (direct, "direct play"), (foreign, "not on the server"), (coded, "error code"),
      (answer(burned, hls: "http"), "not HLS"), (answer(""), "names no subtitle stream"),
      (answer("&SubtitleMethod=Encode"), "names no subtitle stream"),
      (answer("&SubtitleStreamIndex=4&SubtitleMethod=Encode"), "another subtitle stream"),
      (answer("&SubtitleStreamIndex=3"), "no delivery method"),
      (answer("&SubtitleStreamIndex=3", method: "External"), "another method"),
      (answer("&SubtitleStreamIndex=3&SubtitleMethod=Embed", method: "Encode"), "another method"),
    ]
    for (second, words) in table {
      var talk = negotiation(.stream(3))
      talk.firstAnswered(.success(answer("")))
      talk.secondAnswered(.success(second))
      #expect(talk.summary?.outcome == "unconfirmed")
      #expect(talk.summary?.plays == "first" && talk.summary?.burned == nil)
      #expect(talk.summary?.reason.contains(words) == true, "\(talk.summary?.reason ?? "")")
    }
  }

  @Test("R6: an answer in HLS, or one that does not say how it is served, may confirm")
  func subProtocol() {
    for name in ["hls", "HLS", "", nil] {
      var talk = negotiation(.stream(3))
      talk.firstAnswered(.success(answer("")))
      talk.secondAnswered(
        .success(answer("&SubtitleStreamIndex=3&SubtitleMethod=Encode", hls: name)))
      #expect(talk.summary?.outcome == "confirmed" && talk.summary?.burned == 3)
    }
  }

  @Test("R8 A4: a failed burn-in request plays the first answer, but some failures are passed on")
  func secondFails() {
    let missed: [PlaybackError] = [
      .network(code: -1005), .timedOut, .http(status: 400), .http(status: 404), .http(status: 500),
    ]
    let passed: [PlaybackError] = [
      .cancelled, .accountChanged, .signInRequired, .http(status: 401),
    ]
    for error in missed + passed {
      var talk = negotiation(.stream(3))
      talk.firstAnswered(.success(answer("")))
      talk.secondAnswered(.failure(error))
      if passed.contains(error) {
        #expect(talk.result == .failure(error))
      } else {
        #expect(talk.summary?.outcome == "failed" && talk.summary?.plays == "first")
      }
    }
  }

  @Test("R6 A1 A5: names in any case, digits alone, no contradiction, an empty method is absent")
  func confirming() {
    let table: [(String, String?, Bool)] = [
      ("&SubtitleStreamIndex=3&SubtitleMethod=Encode", nil, true),
      ("&SUBTITLESTREAMINDEX=3&SubtitleMethod=%45ncode", nil, true),
      ("&SubtitleStreamIndex=3&SubtitleStreamIndex=3&SubtitleMethod=Encode", nil, true),
      ("&SubtitleStreamIndex=3&SubtitleMethod=Encode&SubtitleMethod=Hls", nil, false),
      ("&SubtitleStreamIndex=3&SubtitleStreamIndex=&SubtitleMethod=Encode", nil, false),
      ("&SubtitleStreamIndex=+3&SubtitleMethod=Encode", nil, false),
      ("&SubtitleStreamIndex=3.0&SubtitleMethod=Encode", nil, false),
      ("&SubtitleStreamIndex=%203&SubtitleMethod=Encode", nil, false),
      ("&SubtitleStreamIndex=٣&SubtitleMethod=Encode", nil, false),
      ("&SubtitleStreamIndex=99999999999999999999&SubtitleMethod=Encode", nil, false),
      ("&SubtitleStreamIndex=-3&SubtitleMethod=Encode", nil, false),
      ("&SubtitleStreamIndex&SubtitleMethod=Encode", nil, false),
      ("&SubtitleMethod=Encode", "Encode", false), ("&SubtitleStreamIndex=3", " ENCODE ", true),
      ("&SubtitleStreamIndex=3&SubtitleMethod= ", "Encode", true),
      ("#&SubtitleStreamIndex=3&SubtitleMethod=Encode", nil, false),
    ]
    for (query, delivery, expected) in table {
      #expect(
        BurnIn.confirms(
          index: 3, transcodingURL: Self.base + query, deliveryMethod: delivery) == expected,
        "\(query)")
    }
    #expect(
      BurnIn.confirms(
        index: 3, transcodingURL: "/v/master.m3u8?&SubtitleStreamIndex=3&SubtitleMethod=Encode",
        deliveryMethod: nil), "the empty item of Jellyfin 10.11")
  }

  @Test("R9 A23: bitmaps by every name in use, and nothing else")
  func codecs() {
    for name in [
      "hdmv_pgs_subtitle", "PGSSUB", "pgs", "dvd_subtitle", "DVDSUB", "vobsub", "S_VOBSUB",
      "dvb_subtitle", "dvbsub", "XSUB", "\tpgssub\n",
    ] {
      #expect(BurnIn.isBitmapCodec(name), "\(name)")
    }
    for name in [
      "subrip", "ass", "webvtt", "mov_text", "dvb_teletext", "DVBTXT", "eia_608", "sup", "sub", "",
      "microdvd", nil,
    ] {
      #expect(!BurnIn.isBitmapCodec(name), "\(name ?? "nil")")
    }
  }

  @Test("R10: a URL is played only on the server itself, and without a token")
  func urls() {
    let table: [(String, String, String?)] = [
      ("https://h.test", "/v/m.m3u8?A=1&ApiKey=s&B=2&API_KEY=s", "https://h.test/v/m.m3u8?A=1&B=2"),
      ("https://h.test", "/v/m.m3u8?api_key=s", "https://h.test/v/m.m3u8"),
      ("https://h.test", "/v/m.m3u8?%61pi_key=s&A", "https://h.test/v/m.m3u8?A"),
      ("https://h.test", "/v/m.m3u8?&A=1", "https://h.test/v/m.m3u8?&A=1"),
      (
        "https://h.test", "/v/m.m3u8?X-Emby-Token=s&StartTimeTicks=5&A=1#api_key=s",
        "https://h.test/v/m.m3u8?A=1"
      ),
      ("https://h.test/jf/", "/v/m.m3u8", "https://h.test/jf/v/m.m3u8"),
      ("https://h.test/jf", "/jfx/m.m3u8", "https://h.test/jf/jfx/m.m3u8"),
      ("https://h.test/jf", "v/m.m3u8", "https://h.test/jf/v/m.m3u8"),
      ("http://h.test:80", "http://H.TEST/v", "http://H.TEST/v"),
      ("http://[::1]:8096", "http://[::1]:8096/v", "http://[::1]:8096/v"),
      ("https://h.test", "https://h.test:8443/v", nil), ("https://h.test", "//h2.test/v", nil),
      ("https://h.test", "https://h.test@evil.test/v", nil),
      ("https://h.test", "ftp://h.test/v", nil),
      ("https://h.test", "/../admin", nil), ("https://h.test", "/v/%2e%2e/m", nil),
      ("https://h.test", "/v\\..\\m", nil), ("https://h.test", "/v /m", "https://h.test/v%20/m"),
      (
        "https://h.test", "/m?A=b c|%20é&api_key=s s", "https://h.test/m?A=b%20c%7C%20%C3%A9"
      ), ("https://h.test", "/m?A=\u{7}", nil), ("https://h.test", "https://h.test é/m", nil),
      ("https://h.test", "", nil), ("https://h.test", "javascript:alert(1)", nil),
      ("https://u:p@h.test", "/v", nil), ("https://h.test?x=1", "/v", nil),
      ("https://h.test#x", "/v", nil), ("h.test", "/v", nil), ("", "/v", nil),
      ("https://h.test:99999", "/v", nil), ("https://h.test", "https:///v", nil),
    ]
    for (server, url, expected) in table {
      #expect(
        BurnIn.sanitizeStreamUrl(serverURL: server, transcodingURL: url) == expected,
        "\(server) + \(url)")
    }
  }

  @Test("R25 A6 A7 A8 R24: reasons with both separators; what says that the video is kept")
  func reasons() {
    #expect(
      BurnIn.transcodeReasons(
        transcodingURL: "/m?TranscodeReasons=ContainerNotSupported,%20AudioCodecNotSupported,,")
        == ["ContainerNotSupported", "AudioCodecNotSupported"])
    let table: [(String?, [String], Bool, Bool)] = [
      ("H264", ["audiocodecnotsupported"], true, true), (" avc ", ["AudioIsExternal"], true, true),
      ("h264", [], true, false), ("h264", ["ContainerBitrateExceedsLimit"], true, false),
      ("h264", ["SubtitleCodecNotSupported"], true, false),
      ("avc1", ["AudioIsExternal"], true, false),
      ("h264", ["AudioIsExternal"], false, false), ("hevc", ["AudioIsExternal"], true, false),
      ("h264", ["AudioSomethingNew"], true, false),
    ]
    for (codec, reasons, allowed, expected) in table {
      #expect(
        BurnIn.videoCopyOnly(
          videoCodec: codec, transcodeReasons: reasons, allowsVideoStreamCopy: allowed) == expected)
    }
  }

  @Test("R1: ticks never trap")
  func ticks() {
    let table: [(Double, Int64)] = [
      (90.25, 902_500_000), (0.000_000_19, 1), (-0.1, 0), (-.infinity, 0), (1e12, .max),
      (1_000_000.5, 10_000_005_000_000), (.greatestFiniteMagnitude, .max),
      (.leastNonzeroMagnitude, 0), (.signalingNaN, 0),
    ]
    for (seconds, expected) in table { #expect(BurnIn.ticks(seconds: seconds) == expected) }
  }

  @Test("A2: a saved answer is judged without a server")
  func judging() {
    let url = Self.base + "&SubtitleStreamIndex=3&SubtitleMethod=Encode&api_key=secret"
    let bare = Negotiation.judging(PlaybackAnswer(transcodingURL: url, track: 3), track: 3)
    #expect(bare.summary?.outcome == "confirmed" && bare.requests == [-1, 3])
    let other = Negotiation.judging(PlaybackAnswer(transcodingURL: url, track: 4), track: 4)
    #expect(other.summary?.outcome == "unconfirmed")
    #expect(other.summary?.reason.contains("secret") == false)
    let absolute = PlaybackAnswer(transcodingURL: "https://h.test" + url, track: 3)
    #expect(Negotiation.judging(absolute, track: 3).summary?.outcome == "confirmed")
    #expect(
      Negotiation.judging(absolute, track: 3, serverURL: "https://i.test").summary?.outcome
        == "unplayable")
    let direct = PlaybackAnswer(playSessionID: "p", source: .init(supportsDirectPlay: true))
    #expect(Negotiation.judging(direct, track: 3).summary?.outcome == "direct-play")
    #expect(
      Negotiation.judging(direct, first: answer(""), track: 3).summary?.outcome == "unconfirmed")
  }
}
