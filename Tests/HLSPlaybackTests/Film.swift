// SPDX-License-Identifier: Apache-2.0
import ChildProcess
import SubtitleModel
import TestSupport

/// A film of 24 s at 24 frames a second, 160x120, cut into segments of 3 s by the ffmpeg program as
/// a media server does it, and its pictures as that program decodes them.
struct Film: Sendable {
  static let width = 160
  static let height = 120
  static let rate = 24
  static let segmentCount = 8

  enum Kind: String, Sendable, CaseIterable {
    /// MPEG-TS with 10 s added to all times.
    case transportStream
    /// Fragmented MP4 with an initialisation segment.
    case fragments
    /// MPEG-TS with ffmpeg's own start time of about 1.4 s.
    case plainTransportStream
    /// MPEG-TS whose clock turns over 8.7 s after the start: it begins at 95435 s.
    case turningTransportStream
    /// One MP4 file with byte ranges.
    case ranges
  }

  let folder: TemporaryFolder
  let kind: Kind
  /// The luma of every frame.
  let planes: [SamplePlane]

  /// Makes the films, each once.
  private static let made: [Kind: Task<Film, any Error>] = Dictionary(
    uniqueKeysWithValues: Kind.allCases.map { kind in (kind, Task { try await Film(kind) }) })

  static func of(_ kind: Kind) async throws -> Film {
    guard let task = made[kind] else { throw Failure(text: "no such film") }
    return try await task.value
  }

  struct Failure: Error { let text: String }

  private init(_ kind: Kind) async throws {
    self.kind = kind
    folder = try TemporaryFolder()
    let source = "testsrc2=size=\(Self.width)x\(Self.height):rate=\(Self.rate):duration=24"
    var arguments = [
      "-v", "error", "-f", "lavfi", "-i", source, "-c:v", "libx264", "-preset", "veryfast",
      "-pix_fmt", "yuv420p", "-force_key_frames", "expr:gte(t,n_forced*3)",
      "-g", "9999", "-sc_threshold", "0",
    ]
    // Where the muxer may not write times before 0, frames that are stored out of order move all
    // times by two frames.
    arguments += ["-bf", kind == .transportStream || kind == .ranges ? "0" : "2"]
    switch kind {
    case .transportStream:
      arguments += ["-copyts", "-avoid_negative_ts", "disabled", "-max_delay", "5000000"]
    case .fragments:
      arguments += ["-copyts", "-avoid_negative_ts", "disabled", "-hls_segment_type", "fmp4"]
      arguments += ["-hls_fmp4_init_filename", "init.mp4"]
    case .plainTransportStream: break
    case .turningTransportStream:
      arguments += ["-copyts", "-avoid_negative_ts", "disabled", "-muxdelay", "0"]
      arguments += ["-muxpreload", "0", "-output_ts_offset", "95435"]
    case .ranges: arguments += ["-hls_segment_type", "fmp4", "-hls_flags", "single_file"]
    }
    arguments += ["-f", "hls", "-hls_time", "3", "-hls_list_size", "0"]
    if kind != .ranges {
      let pattern = "%d." + (kind == .fragments ? "mp4" : "ts")
      arguments += ["-hls_segment_filename", folder.file(pattern)]
    }
    let result = try await ChildProcess.run("ffmpeg", arguments + [folder.file("own.m3u8")])
    guard result.status == 0 else { throw Failure(text: result.errors) }
    planes = try await Self.decoded(kind, folder)
  }

  /// The luma of every frame, decoded by the ffmpeg program from the same segments.
  private static func decoded(_ kind: Kind, _ folder: TemporaryFolder) async throws -> [SamplePlane]
  {
    let names: [String]
    switch kind {
    case .ranges: names = ["own.m4s"]
    case .fragments: names = ["init.mp4"] + (0..<segmentCount).map { "\($0).mp4" }
    default: names = (0..<segmentCount).map { "\($0).ts" }
    }
    let path = try folder.write(try names.flatMap { try folder.read($0) }, to: "joined")
    let result = try await ChildProcess.run(
      "ffmpeg",
      ["-v", "error", "-i", path, "-fps_mode", "passthrough", "-f", "rawvideo"]
        + ["-pix_fmt", "yuv420p", "-"])
    guard result.status == 0 else { throw Failure(text: result.errors) }
    let size = width * height
    return stride(from: 0, to: result.output.count, by: size * 3 / 2).map { start in
      SamplePlane(
        width: width, height: height, samples: Array(result.output[start..<(start + size)]))
    }
  }

  /// The name of a segment's file.
  func segmentName(_ number: Int) -> String {
    "\(number)." + (kind == .fragments ? "mp4" : "ts")
  }

  /// A playlist as a Jellyfin server writes it, with milliseconds of the first segment, true or not,
  /// and seconds of segments listed before it.
  func playlist(firstDuration: Int = 3000, before: [Int] = []) -> String {
    var text = "#EXTM3U\n#EXT-X-PLAYLIST-TYPE:VOD\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:4\n"
    text += "#EXT-X-MEDIA-SEQUENCE:0\n"
    if kind == .fragments { text += "#EXT-X-MAP:URI=\"init.mp4?ApiKey=hidden-key\"\n" }
    let durations = before.map { $0 * 1000 } + [firstDuration]
    for (number, duration) in durations.enumerated() {
      let name = number < before.count ? "nothing.ts" : segmentName(0)
      let decimals = String(duration % 1000 + 1000).dropFirst()
      text += "#EXTINF:\(duration / 1000).\(decimals)000, nodesc\n\(name)?ApiKey=hidden-key\n"
    }
    for number in 1..<Self.segmentCount {
      text += "#EXTINF:3.000000, nodesc\n\(segmentName(number))?ApiKey=hidden-key\n"
    }
    return text + "#EXT-X-ENDLIST\n"
  }

  /// A server of the film: `/videos/master.m3u8`, `main.m3u8` and the files beside it; with another
  /// main.m3u8, or another answer by a file's name, where told.
  func server(
    playlist: String? = nil,
    fault: @escaping @Sendable (String) -> LoopbackServer.Answer? = { _ in
      nil
    }
  ) throws -> LoopbackServer {
    let folder = folder
    let main = playlist ?? self.playlist()
    return try LoopbackServer { request in
      let name = String(request.path.dropFirst("/videos/".count))
      if let answer = fault(name) { return answer }
      switch name {
      case "master.m3u8":
        return .text(
          "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS=\"avc1.64\"\nmain.m3u8?ApiKey=hidden-key\n"
        )
      case "main.m3u8": return .text(main)
      default:
        guard let bytes = try? folder.read(name) else { return .init(404) }
        return .init(body: bytes, allowsRanges: true)
      }
    }
  }
}

extension LoopbackServer {
  /// The address of the film's master playlist, with a secret in its query.
  var masterURL: String { url + "/videos/master.m3u8?ApiKey=hidden-key" }

  /// The names of the segments asked for, in order.
  var segmentsAsked: [String] {
    requests.map { String($0.path.dropFirst("/videos/".count)) }
      .filter { $0.first?.isNumber == true }
  }
}
