// SPDX-License-Identifier: Apache-2.0
import HLSPlayback
import SubtitleModel
import Testing

private let base = "http://server:8096/jf/videos/5d2e/main.m3u8?&DeviceId=d&ApiKey=hidden-key"

private func parse(_ text: String, url: String = base) throws(HLSFault) -> Playlist {
  try Playlist.parse(Array(text.utf8), url: url)
}

private func media(_ text: String) throws -> MediaPlaylist {
  guard case .media(let playlist) = try parse(text) else {
    Issue.record("not a media playlist")
    throw HLSFault(.malformed, "")
  }
  return playlist
}

private func faultIn(_ text: String) -> HLSFault? {
  do throws(HLSFault) {
    _ = try parse(text)
    return nil
  } catch {
    return error
  }
}

@Suite("Media playlists")
struct MediaPlaylistTests {
  static let transportStream = """
    #EXTM3U
    #EXT-X-PLAYLIST-TYPE:VOD
    #EXT-X-VERSION:3
    #EXT-X-TARGETDURATION:4
    #EXT-X-MEDIA-SEQUENCE:0
    #EXTINF:3.003000, nodesc
    hls1/main/0.ts?&ApiKey=hidden-key&runtimeTicks=0&actualSegmentLengthTicks=30030000
    #EXTINF:3.003000, nodesc
    hls1/main/1.ts?&ApiKey=hidden-key&runtimeTicks=30030000&actualSegmentLengthTicks=30030000
    #EXTINF:2.943000, nodesc
    hls1/main/2.ts?&ApiKey=hidden-key&runtimeTicks=60060000&actualSegmentLengthTicks=29430000
    #EXT-X-ENDLIST

    """

  @Test("of MPEG-TS give addresses and times", arguments: ["\n", "\r\n"])
  func transportStreams(lineEnd: String) throws {
    let text = Self.transportStream.split(separator: "\n", omittingEmptySubsequences: false)
    let playlist = try media(text.joined(separator: lineEnd))
    #expect(playlist.segments.count == 3)
    #expect(playlist.segments.map(\.start.milliseconds) == [0, 3003, 6006])
    #expect(playlist.segments.map(\.duration.milliseconds) == [3003, 3003, 2943])
    #expect(playlist.duration == Timestamp(milliseconds: 8949))
    #expect(
      playlist.segments[1].address.url
        == "http://server:8096/jf/videos/5d2e/hls1/main/1.ts?&ApiKey=hidden-key"
        + "&runtimeTicks=30030000&actualSegmentLengthTicks=30030000")
    #expect(
      "\(playlist.segments[1].address)" == "http://server:8096/jf/videos/5d2e/hls1/main/1.ts")
    #expect(!playlist.isFragmentedMP4)
  }

  @Test("of fragmented MP4 give the initialisation segment, with ranges")
  func fragments() throws {
    let playlist = try media(
      """
      #EXTM3U
      #EXT-X-MAP:URI="all.mp4?a,b=1",BYTERANGE="700@10"
      #EXTINF:4,
      #EXT-X-BYTERANGE:100@710
      all.mp4
      #EXTINF:4.5,title, with = and "
      #EXT-X-BYTERANGE:50
      all.mp4
      #EXT-X-DISCONTINUITY
      #EXT-X-MAP:URI="/other/-1.mp4"
      #EXT-X-GAP
      #EXTINF:.25
      b.mp4
      #EXT-X-ENDLIST
      """)
    let segments = playlist.segments
    #expect(playlist.isFragmentedMP4)
    #expect(segments.map(\.address.range) == [710..<810, 810..<860, nil])
    #expect(segments[0].initialization?.url == "http://server:8096/jf/videos/5d2e/all.mp4?a,b=1")
    #expect(segments[0].initialization?.range == 10..<710)
    #expect(segments[2].initialization?.url == "http://server:8096/other/-1.mp4")
    #expect(segments.map(\.isDiscontinuous) == [false, false, true])
    #expect(segments.map(\.isGap) == [false, false, true])
    #expect(segments.map(\.start.milliseconds) == [0, 4000, 8500])
    #expect(segments[2].duration == Timestamp(milliseconds: 250))
  }

  @Test("skip what is unknown and take METHOD=NONE, a byte order mark and no last line end")
  func lenience() throws {
    let text =
      "\u{FEFF}#EXTM3U \r\n\r\n# a comment\n#EXT-X-NEW:URI=\"x\n#EXT-X-KEY:METHOD=NONE\n"
      + "#EXTINF:1\n \t a b|ü.ts?x=%20 \n#EXT-X-ENDLIST"
    let playlist = try media(text)
    #expect(
      playlist.segments[0].address.url
        == "http://server:8096/jf/videos/5d2e/a%20b%7C%C3%BC.ts?x=%20")
  }

  @Test("find the segment at a time")
  func lookup() throws {
    let playlist = try media(Self.transportStream)
    let table: [(Int64, Int)] = [
      (-5, 0), (0, 0), (3002, 0), (3003, 1), (6005, 1), (6006, 2), (8949, 2), (99999, 2),
    ]
    for (time, number) in table {
      #expect(playlist.segmentNumber(at: Timestamp(milliseconds: time)) == number)
    }
  }

  static let faults: [(String, HLSFault.Kind)] = [
    ("", .incomplete), ("\n", .malformed), ("<html>", .malformed), ("\u{0}\u{1}", .malformed),
    ("#EXTM3U8\n", .malformed), ("#EXTM3U\n", .incomplete),
    ("#EXTM3U\n#EXT-X-ENDLIST\n", .incomplete),
    ("#EXTM3U\n#EXTINF:1\na.ts\n", .incomplete),
    ("#EXTM3U\n#EXTINF:1\n#EXT-X-ENDLIST\n", .malformed),
    ("#EXTM3U\na.ts\n#EXT-X-ENDLIST\n", .malformed),
    ("#EXTM3U\n#EXTINF:\na.ts\n#EXT-X-ENDLIST", .malformed),
    ("#EXTM3U\n#EXTINF:-1\na.ts\n#EXT-X-ENDLIST", .malformed),
    ("#EXTM3U\n#EXTINF:nan\na.ts\n#EXT-X-ENDLIST", .malformed),
    ("#EXTM3U\n#EXTINF:1e3\na.ts\n#EXT-X-ENDLIST", .malformed),
    ("#EXTM3U\n#EXTINF:99999999999999999999\na.ts\n#EXT-X-ENDLIST", .malformed),
    ("#EXTM3U\n#EXTINF:999999999\na.ts\n#EXT-X-ENDLIST", .tooLarge),
    ("#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI=\"k?hidden-key\"\n#EXTINF:1\na.ts\n", .encrypted),
    ("#EXTM3U\n#EXT-X-KEY:METHOD=SAMPLE-AES\n", .encrypted),
    ("#EXTM3U\n#EXTINF:1\nfile:///etc/passwd?hidden-key\n", .forbiddenAddress),
    ("#EXTM3U\n#EXTINF:1\nconcat:a|b\n", .forbiddenAddress),
    ("#EXTM3U\n#EXTINF:1\nhttp:///x\n", .forbiddenAddress),
    ("#EXTM3U\n#EXT-X-MAP:URI=\"file:///x\"\n", .forbiddenAddress),
    ("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nftp://h/x\n", .forbiddenAddress),
    ("#EXTM3U\n#EXT-X-MAP:URI=\"x?hidden-key\n", .malformed),
    ("#EXTM3U\n#EXT-X-MAP:X=1\n", .malformed),
    ("#EXTM3U\n#EXT-X-BYTERANGE:x@1\n", .malformed),
    ("#EXTM3U\n#EXT-X-BYTERANGE:0@1\n", .malformed),
    ("#EXTM3U\n#EXT-X-BYTERANGE:1@9999999999999999999\n", .malformed),
    ("#EXTM3U\n#EXTINF:1\n#EXT-X-BYTERANGE:5\na.ts\n#EXT-X-ENDLIST", .malformed),
    ("#EXTM3U\n#EXTINF:1\na\u{0}.ts\n", .malformed),
    ("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n", .incomplete),
    ("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\na\n#EXTINF:1\nb\n#EXT-X-ENDLIST", .malformed),
  ]

  @Test("that cannot be read are told apart, without any secret", arguments: faults.indices)
  func broken(index: Int) throws {
    let (text, kind) = Self.faults[index]
    let fault = try #require(faultIn(text))
    #expect(fault.kind == kind, "\(fault)")
    #expect(!fault.description.contains("hidden"))
    #expect(fault.description.contains("http://server:8096/jf/videos/5d2e/main.m3u8"))
    #expect(!fault.description.contains("\n"))
  }

  @Test("cut at any byte are a fault, until the last tag is whole")
  func truncation() throws {
    let bytes = Array(Self.transportStream.utf8)
    let whole = bytes.count - 1
    for count in 0..<whole {
      #expect(throws: HLSFault.self) { try Playlist.parse(Array(bytes[..<count]), url: base) }
    }
    for count in whole...bytes.count {
      #expect(throws: Never.self) { try Playlist.parse(Array(bytes[..<count]), url: base) }
    }
  }

  @Test("with any byte changed are read or refused, never more")
  func mutation() {
    var generator = SeededGenerator(state: 7)
    let bytes = Array(Self.transportStream.utf8)
    for _ in 0..<2000 {
      var changed = bytes
      for _ in 0..<3 {
        changed[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(
          in: 0...255, using: &generator)
      }
      _ = try? Playlist.parse(changed, url: base)
    }
  }

  @Test("beyond the limits are refused")
  func limits() throws {
    let longLine = "#EXTM3U\n#EXTINF:1\n" + String(repeating: "a", count: 70_000)
    #expect(faultIn(longLine)?.kind == .tooLarge)
    let many = "#EXTM3U\n" + String(repeating: "#EXT-X-STREAM-INF:A=1\na\n", count: 300)
    #expect(faultIn(many)?.kind == .tooLarge)
  }
}

@Suite("Master playlists")
struct MasterPlaylistTests {
  private func master(_ text: String) throws -> MasterPlaylist {
    guard case .master(let playlist) = try parse(text) else {
      Issue.record("not a master playlist")
      throw HLSFault(.malformed, "")
    }
    return playlist
  }

  @Test("give the variants with their attributes")
  func variants() throws {
    let playlist = try master(
      """
      #EXTM3U
      #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="subs",NAME="a=b, c",URI="x.m3u8"
      #EXT-X-STREAM-INF:BANDWIDTH=20000000,AVERAGE-BANDWIDTH=1,CODECS="avc1.640029,mp4a.40.2",RESOLUTION=1920x1080,FRAME-RATE=23.976
      main.m3u8?&DeviceId=a&ApiKey=hidden-key
      #EXT-X-IMAGE-STREAM-INF:BANDWIDTH=1,URI="tiles.m3u8"
      """)
    let variant = try #require(playlist.variants.first)
    #expect(playlist.variants.count == 1)
    #expect(variant.bandwidth == 20_000_000)
    #expect(variant.codecs == ["avc1.640029", "mp4a.40.2"])
    #expect(variant.resolution == Canvas(width: 1920, height: 1080))
    #expect(
      variant.address.url
        == "http://server:8096/jf/videos/5d2e/main.m3u8?&DeviceId=a&ApiKey=hidden-key")
    #expect(!"\(variant.address)".contains("hidden"))
  }

  @Test("prefer the first picture that is no Dolby Vision copy")
  func preference() throws {
    func line(_ codecs: String, _ name: String, _ more: String = "") -> String {
      "#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS=\"\(codecs)\"\(more)\n\(name)\n"
    }
    let audio = line("mp4a.40.2", "audio")
    let vision = line("dvh1.05.06,ec-3", "vision")
    let plain = line("avc1.640029,mp4a.40.2", "plain")
    let second = line("avc1.640028", "second")
    let unnamed = "#EXT-X-STREAM-INF:BANDWIDTH=1\nunnamed\n"
    let sized = line("mp4a.40.2", "sized", ",RESOLUTION=2x2")
    let table = [
      (plain + second, "plain"), (vision + plain, "plain"), (audio + vision + plain, "plain"),
      (audio + vision, "vision"), (audio, "audio"), (unnamed + plain, "unnamed"),
      (audio + sized, "sized"),
    ]
    for (text, expected) in table {
      let variant = try #require(try master("#EXTM3U\n" + text).preferredVariant)
      #expect(variant.address.url.hasSuffix("/" + expected))
    }
  }
}

/// A small generator with a seed, so that a failure can be repeated.
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ (state >> 29)
  }
}
