// SPDX-License-Identifier: Apache-2.0
import ChildProcess
import MediaContainer
import SubtitleModel
import TestSupport
import Testing

@Suite struct FrameTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Four seconds of a moving test picture of 25 frames a second with B-frames and a key frame a second.
  private func film(
    _ name: String, format: String = "yuv420p",
    codec: [String] = ["-c:v", "libx264", "-preset", "veryfast", "-threads", "1"],
    more: [String] = []
  ) async throws -> String {
    let path = folder.file(name)
    let source = ["-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=4"]
    try await ffmpeg(
      source + ["-pix_fmt", format] + codec + ["-bf", "2", "-g", "25"] + more + [path])
    return path
  }

  /// What the program itself decodes: every frame's bytes in its own format.
  private func decoded(_ path: String, as format: String) async throws -> [UInt8] {
    try await ffmpeg(["-i", path, "-f", "rawvideo", "-pix_fmt", format, "-"])
  }

  private func allLuma(_ reader: VideoFrameReader) throws -> [LumaFrame] {
    var frames: [LumaFrame] = []
    while let frame = try reader.nextLuma() { frames.append(frame) }
    return frames
  }

  @Test(arguments: [("film.mp4", 1), ("film.ts", 2), ("film.mkv", 1)])
  func `luma is the decoder's own and times begin at zero`(name: String, threads: Int) async throws
  {
    let path = try await film(name)
    let raw = try await decoded(path, as: "yuv420p")
    let size = 320 * 180 * 3 / 2
    let frames = try allLuma(VideoFrameReader(path: path, threads: threads))
    #expect(frames.count == 100)
    #expect(raw.count == 100 * size)
    for (index, frame) in frames.enumerated() where raw.count == 100 * size {
      #expect(frame.time == ms(40 * Int64(index)))
      #expect(frame.luma.samples == Array(raw[(index * size)..<(index * size + 320 * 180)]))
    }
  }

  @Test(arguments: ["film.mp4", "film.ts", "film.mkv"])
  func `a limit saves other frames and leaves those on screen as they are`(
    name: String
  ) async throws {
    let path = try await film(name)
    let all = try allLuma(VideoFrameReader(path: path))
    let reader = try VideoFrameReader(path: path)
    let first = try #require(try reader.nextLuma())
    #expect(first == all.first)
    let times = [0, 45, 410, 1000, 1039, 2519, 3960, 9000].map { ms($0) }
    try reader.limit(toFramesShownAt: times)
    let rest = try allLuma(reader)
    #expect(rest.count < 70)
    for time in times {
      let shown = try #require(all.last { $0.time <= time })
      #expect(([first] + rest).last { $0.time <= time } == shown)
    }
    try reader.seek(to: .zero)
    #expect(try allLuma(reader) == all)
  }

  @Test func `times of a transport stream are its own where that is asked`() async throws {
    let path = try await film("film.ts")
    let reader = try VideoFrameReader(path: path, timeOrigin: .absolute)
    let first = try #require(try reader.nextLuma())
    #expect(first.time > .zero)
    #expect(reader.description.startTime == .zero)
    let shifted = try VideoFrameReader(path: path)
    #expect(shifted.description.startTime == first.time)
  }

  @Test(arguments: ["film.mp4", "film.ts", "film.mkv"])
  func `seeking gives the frame that linear decoding gives`(name: String) async throws {
    let path = try await film(name)
    let frames = try allLuma(VideoFrameReader(path: path))
    let reader = try VideoFrameReader(path: path, threads: 2)
    for wanted: Int64 in [3990, 3930, 40, 2010, 0, 1000, 3100] {
      try reader.seek(to: ms(wanted))
      let found = try reader.nextLuma(atOrAfter: ms(wanted))
      let expected = frames.first { $0.time >= ms(wanted) }
      #expect(found == expected, "at \(wanted) ms")
    }
    // Far ahead without a seek: frames that no other needs are left out on the way.
    let forward = try VideoFrameReader(path: path)
    for wanted: Int64 in [120, 3800] {
      let found = try forward.nextLuma(atOrAfter: ms(wanted))
      #expect(found == frames.first { $0.time >= ms(wanted) })
    }
  }

  @Test func `a seek lands at or before the time`() async throws {
    let reader = try VideoFrameReader(path: try await film("film.ts"))
    try reader.seek(to: ms(2500))
    let landed = try #require(try reader.nextLuma())
    #expect(landed.time <= ms(2500))
    #expect(landed.time >= ms(1000))
  }

  @Test func `ten bits are shifted to eight`() async throws {
    let path = try await film("film.mkv", format: "yuv420p10le", codec: ["-c:v", "ffv1"])
    let raw = try await decoded(path, as: "yuv420p10le")
    let frame = try #require(try VideoFrameReader(path: path).nextFrame())
    func shifted(_ start: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { offset in
        let low = UInt16(raw[start + 2 * offset])
        let high = UInt16(raw[start + 2 * offset + 1])
        return UInt8((high << 8 | low) >> 2)
      }
    }
    let (luma, chroma) = (320 * 180, 160 * 90)
    #expect(frame.luma.samples == shifted(0, luma))
    #expect(frame.cb.samples == shifted(2 * luma, chroma))
    #expect(frame.cr.samples == shifted(2 * (luma + chroma), chroma))
  }

  @Test(arguments: ["yuv444p", "yuv422p"])
  func `other chroma keeps its luma`(format: String) async throws {
    let path = try await film("film.mkv", format: format, codec: ["-c:v", "ffv1"])
    let raw = try await decoded(path, as: format)
    let reader = try VideoFrameReader(path: path)
    let frame = try #require(try reader.nextFrame())
    #expect(frame.luma.samples == Array(raw.prefix(320 * 180)))
    #expect(frame.cb.width == 160 && frame.cb.height == 90)
    #expect(reader.notes == ["frames were converted from \(format) to yuv420p"])
  }

  @Test func `init and media segments in memory keep their times`() async throws {
    let playlist = folder.file("stream.m3u8")
    let source = ["-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=6"]
    try await ffmpeg(
      source + [
        "-pix_fmt", "yuv420p", "-c:v", "libx264", "-preset", "veryfast", "-g", "50", "-keyint_min",
        "50",
      ]
        + ["-sc_threshold", "0", "-hls_time", "2", "-hls_segment_type", "fmp4"]
        + ["-hls_list_size", "0", playlist])
    let start = MemoryBytes(
      name: "start", parts: [try folder.read("init.mp4"), try folder.read("stream0.m4s")])
    let first = try #require(
      try VideoFrameReader(source: start, timeOrigin: .absolute).nextLuma())
    let bytes = MemoryBytes(
      name: "segment", parts: [try folder.read("init.mp4"), try folder.read("stream1.m4s")])
    let frames = try allLuma(VideoFrameReader(source: bytes, timeOrigin: .absolute))
    #expect(frames.count == 50)
    #expect(frames.first?.time == first.time + ms(2000))
    let seeker = try VideoFrameReader(source: bytes, timeOrigin: .absolute)
    let wanted = try #require(frames.dropFirst(30).first).time
    try seeker.seek(to: wanted)
    #expect(try seeker.nextLuma(atOrAfter: wanted) == frames[30])
  }

  @Test func `segments of a transport stream joined in memory decode to the end`() async throws {
    let path = try await film("film.ts")
    let bytes = try readBytes(path)
    let cut = bytes.count / 188 / 2 * 188
    let source = MemoryBytes(
      name: "joined", parts: [Array(bytes[..<cut]), Array(bytes[cut...])])
    #expect(try allLuma(VideoFrameReader(source: source)).count == 100)
  }

  @Test(arguments: ["film.ts", "film.mp4"])
  func `a segment cut anywhere gives an error or fewer frames`(name: String) async throws {
    let bytes = try readBytes(
      try await film(
        name, more: name == "film.mp4" ? ["-movflags", "frag_keyframe+empty_moov"] : []))
    for step in 0..<24 {
      let source = MemoryBytes(name: "cut", parts: [Array(bytes.prefix(bytes.count * step / 24))])
      do {
        let frames = try allLuma(VideoFrameReader(source: source))
        #expect(frames.count <= 100)
      } catch let error as MediaError {
        #expect(error.description.hasPrefix("cut: "))
      }
    }
  }

  @Test func `a file without video says so`() throws {
    let sup = PGSBytes.sup(
      1000, PGSBytes.picture(0, [PGSBytes.Placed(id: 0, x: 100, y: 600)]))
    let error = #expect(throws: MediaError.self) {
      try VideoFrameReader(source: MemoryBytes(name: "made.sup", parts: [sup]))
    }
    #expect(error?.kind == .noVideo)
  }

  @Test func `a cancelled reader stops`() async throws {
    let path = try await film("film.mkv")
    let flag = CancellationFlag()
    let reader = try VideoFrameReader(path: path, cancellation: flag)
    _ = try reader.nextLuma()
    flag.cancel()
    #expect(throws: CancellationError.self) { try reader.nextLuma() }
    #expect(throws: CancellationError.self) { try MediaReader(path: path, cancellation: flag) }
  }
}
