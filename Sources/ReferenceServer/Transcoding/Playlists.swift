// SPDX-License-Identifier: Apache-2.0

/// The playlists of a stream.
struct Playlists {
  let plan: StreamPlan
  /// The request's query as it was sent.
  let query: String

  /// In milliseconds: a day.
  private static let longestSegment = 86_400_000.0

  /// The length of all segments but the last, in ticks.
  var segmentTicks: Int {
    let milliseconds = plan.segmentLength * 1000
    guard plan.version.stretchesSegments, !plan.copiesVideo, let rate = plan.maximumFrameRate,
      rate > 0, rate.isFinite, rate != rate.rounded()
    else { return milliseconds * 10_000 }
    let stretched = Double(milliseconds) * Double(rate.rounded(.up)) / Double(rate)
    // A rate near 0 would make them longer than any film.
    guard stretched < Self.longestSegment else { return milliseconds * 10_000 }
    return Int(stretched.rounded(.up)) * 10_000
  }

  /// Start and length of each segment, in ticks; nil if the film's length is unknown.
  var segments: [(start: Int, length: Int)]? {
    guard let duration = plan.film.durationTicks, duration > 0 else { return nil }
    let step = segmentTicks
    return stride(from: 0, to: duration, by: step).map { ($0, min(step, duration - $0)) }
  }

  /// The media playlist, all segments listed; nil if the film's length is unknown.
  var media: String? {
    guard let segments else { return nil }
    let longest = segments.map(\.length).max() ?? 0
    let isMP4 = plan.container == .fragmentedMP4
    var lines = ["#EXTM3U", "#EXT-X-PLAYLIST-TYPE:VOD", "#EXT-X-VERSION:\(isMP4 ? 7 : 3)"]
    lines.append("#EXT-X-TARGETDURATION:\((longest + 9_999_999) / 10_000_000)")
    lines.append("#EXT-X-MEDIA-SEQUENCE:0")
    if isMP4 {
      lines.append(
        "#EXT-X-MAP:URI=\"hls1/main/-1.mp4\(query)&runtimeTicks=0&actualSegmentLengthTicks=0\"")
    }
    for (number, segment) in segments.enumerated() {
      lines.append("#EXTINF:\(Self.seconds(segment.length)), nodesc")
      lines.append(
        "hls1/main/\(number).\(plan.container.rawValue)\(query)&runtimeTicks=\(segment.start)"
          + "&actualSegmentLengthTicks=\(segment.length)")
    }
    return (lines + ["#EXT-X-ENDLIST", ""]).joined(separator: "\n")
  }

  /// The playlist that names the media playlist.
  var master: String {
    let rate = (plan.videoBitRate ?? plan.video.bitRate ?? 0) + (plan.audio?.bitRate ?? 0)
    var attributes = ["BANDWIDTH=\(rate)", "AVERAGE-BANDWIDTH=\(rate)", "VIDEO-RANGE=SDR"]
    attributes.append("CODECS=\"\(codecs)\"")
    attributes.append("RESOLUTION=\(plan.width)x\(plan.height)")
    if let frames = plan.video.realFrameRate ?? plan.video.averageFrameRate {
      attributes.append(
        "FRAME-RATE=\(JSON.number((Double(frames) * 1000).rounded() / 1000).serialized)")
    }
    return "#EXTM3U\n#EXT-X-STREAM-INF:\(attributes.joined(separator: ","))\nmain.m3u8\(query)\n"
  }

  private var codecs: String {
    let request = ServerRequest(method: "GET", target: query)
    let level = min(request.number("h264-level") ?? 41, 51)
    let prefix: String
    switch request.parameter("h264-profile")?.lowercased() {
    case "high": prefix = "6400"
    case "main": prefix = "4D40"
    case "baseline": prefix = "42E0"
    default: prefix = "4240"
    }
    let digits = String(max(level, 0), radix: 16)
    let video = "avc1.\(prefix)\(digits.count < 2 ? "0" : "")\(digits)"
    return plan.audio == nil ? video : video + ",mp4a.40.2"
  }

  /// Ticks as seconds with six decimals.
  private static func seconds(_ ticks: Int) -> String {
    let fraction = String(ticks % 10_000_000 / 10)
    let padding = String(repeating: "0", count: 6 - fraction.count)
    return "\(ticks / 10_000_000).\(padding)\(fraction)"
  }
}
