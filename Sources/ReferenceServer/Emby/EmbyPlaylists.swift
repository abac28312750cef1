// SPDX-License-Identifier: Apache-2.0

extension Playlists {
  /// Emby's playlist of segments: all of one length, the last one too, and each named by nothing
  /// but the play session; nil if the film's length is unknown.
  func embyMedia(playSessionID: String) -> String? {
    guard let segments else { return nil }
    let isMP4 = plan.container == .fragmentedMP4
    let session = "?PlaySessionId=\(playSessionID)"
    var lines = ["#EXTM3U", "#EXT-X-PLAYLIST-TYPE:VOD", "#EXT-X-VERSION:\(isMP4 ? 7 : 3)"]
    // One more than the segments have was measured.
    lines.append("#EXT-X-TARGETDURATION:\(plan.segmentLength + 1)")
    lines.append("#EXT-X-MEDIA-SEQUENCE:0")
    if isMP4 { lines.append("#EXT-X-MAP:URI=\"hls1/main/-1.mp4\(session)\"") }
    for number in segments.indices {
      lines.append("#EXTINF:\(plan.segmentLength).0000, nodesc")
      lines.append("hls1/main/\(number).\(plan.container.rawValue)\(session)")
    }
    return (lines + ["#EXT-X-ENDLIST", ""]).joined(separator: "\n")
  }

  /// Emby's playlist that names the media playlist.
  var embyMaster: String {
    let rate = (plan.videoBitRate ?? plan.video.bitRate ?? 0) + plan.audioBitRate
    return "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=\(rate),AVERAGE-BANDWIDTH=\(rate)\n"
      + "main.m3u8\(query)\n"
  }
}
