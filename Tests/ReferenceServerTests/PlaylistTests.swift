// SPDX-License-Identifier: Apache-2.0
import ReferenceServer
import Testing

struct PlaylistTests {
  static let query =
    "?&DeviceId=bench-01&MediaSourceId=\(Fixtures.item)&VideoCodec=h264&AudioCodec=aac"
    + "&SubtitleStreamIndex=2&VideoBitrate=19808000&MaxFramerate=23.976025&SubtitleMethod=Encode"
    + "&h264-level=41&h264-profile=high"

  private func playlist(
    _ name: String, _ version: String, query: String = query, faults: [Fault] = []
  ) async -> ServerResponse {
    await Fixtures.service(version, faults: faults).ask(
      "GET", "/videos/\(Fixtures.dashedItem)/\(name)\(query)")
  }

  @Test(arguments: [
    ("10.10.7", "3.000000", 30_000_000, 20, "3.000000", 30_000_000, 3),
    ("10.11.11", "3.003000", 30_030_000, 20, "2.943000", 29_430_000, 4),
  ])
  func `a film of 60 s at 23,976 fps`(
    version: String, length: String, ticks: Int, count: Int, last: String, lastTicks: Int,
    target: Int
  ) async {
    let answer = await playlist("main.m3u8", version)
    var expected = "#EXTM3U\n#EXT-X-PLAYLIST-TYPE:VOD\n#EXT-X-VERSION:3\n"
    expected += "#EXT-X-TARGETDURATION:\(target)\n#EXT-X-MEDIA-SEQUENCE:0\n"
    for number in 0..<count {
      let isLast = number == count - 1
      expected += "#EXTINF:\(isLast ? last : length), nodesc\n"
      expected += "hls1/main/\(number).ts\(Self.query)&runtimeTicks=\(number * ticks)"
      expected += "&actualSegmentLengthTicks=\(isLast ? lastTicks : ticks)\n"
    }
    #expect(answer.text == expected + "#EXT-X-ENDLIST\n")
    #expect(answer.header("Content-Type") == "application/vnd.apple.mpegurl")
  }

  @Test func `the rate counts in single precision`() async {
    let query = Self.query.replacing("23.976025", with: "23.975988")
    let answer = await playlist("main.m3u8", "10.11.11", query: query)
    #expect(answer.text.contains("#EXTINF:3.004000, nodesc\n"))
    let whole = Self.query.replacing("23.976025", with: "25")
    let even = await playlist("main.m3u8", "10.11.11", query: whole)
    #expect(even.text.contains("#EXTINF:3.000000, nodesc\n"))
  }

  @Test func `fMP4 names its initialization`() async {
    let query = Self.query + "&SegmentContainer=mp4"
    let lines = await playlist("main.m3u8", "10.10.7", query: query).text.split(separator: "\n")
    #expect(lines[2] == "#EXT-X-VERSION:7")
    #expect(
      lines[5]
        == "#EXT-X-MAP:URI=\"hls1/main/-1.mp4\(query)&runtimeTicks=0&actualSegmentLengthTicks=0\"")
    #expect(lines[7].hasPrefix("hls1/main/0.mp4?"))
  }

  @Test func `a copied video has segments of 6 s`() async {
    let query = Self.query.replacing("&SubtitleStreamIndex=2", with: "")
    let answer = await playlist("main.m3u8", "10.11.11", query: query)
    #expect(answer.text.contains("#EXTINF:6.000000, nodesc\n"))
  }

  @Test func `the master names the main playlist with the query as it came`() async {
    let answer = await playlist("master.m3u8", "10.11.11")
    #expect(
      answer.text == """
        #EXTM3U
        #EXT-X-STREAM-INF:BANDWIDTH=20000000,AVERAGE-BANDWIDTH=20000000,VIDEO-RANGE=SDR,\
        CODECS="avc1.640029,mp4a.40.2",RESOLUTION=1920x1080,FRAME-RATE=23.976
        main.m3u8\(Self.query)

        """)
    #expect(answer.header("Expires") == "0")
  }

  @Test func `a playlist can be cut off`() async {
    let answer = await playlist("main.m3u8", "10.11.11", faults: [.truncatedPlaylist])
    #expect(answer.text.hasPrefix("#EXTM3U"))
    #expect(!answer.text.contains("ENDLIST"))
  }
}
