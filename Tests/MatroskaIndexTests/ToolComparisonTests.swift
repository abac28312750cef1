// SPDX-License-Identifier: Apache-2.0
import BinaryReading
import ChildProcess
import MatroskaIndex
import SubtitleModel
import TestSupport
import Testing

/// Files that ffmpeg and mkvmerge make, against the packets that ffprobe lists.
@Suite struct ToolComparisonTests {
  /// A SUP file: pictures of 8 by 2 pixels at some milliseconds, each cleared half a second later.
  static func sup(_ times: [Int]) -> [UInt8] {
    var writer = ByteWriter()
    func segment(_ type: UInt8, _ milliseconds: Int, _ data: [UInt8]) {
      writer.bytes(Array("PG".utf8))
      writer.u32(UInt32(milliseconds * 90))
      writer.u32(0)
      writer.u8(type)
      writer.u16(UInt16(data.count))
      writer.bytes(data)
    }
    for (index, time) in times.enumerated() {
      let size: [UInt8] = [0x07, 0x80, 0x04, 0x38, 0x10]
      let object: [UInt8] = [0, 0, 0, 0, 0, 100, 0, 100]
      segment(0x16, time, size + [0, UInt8(2 * index), 0x80, 0, 0, 1] + object)
      segment(0x17, time, [1, 0, 0, 100, 0, 100, 0, 8, 0, 2])
      segment(0x14, time, [0, 0, 1, 235, 128, 128, 255])
      segment(0x15, time, [0, 0, 0, 0xC0, 0, 0, 12, 0, 8, 0, 2, 0, 0x88, 1, 0, 0, 0x88, 1, 0])
      segment(0x80, time, [])
      segment(0x16, time + 500, size + [0, UInt8(2 * index + 1), 0, 0, 0, 0])
      segment(0x17, time + 500, [1, 0, 0, 100, 0, 100, 0, 8, 0, 2])
      segment(0x80, time + 500, [])
    }
    return writer.bytes
  }

  struct Muxer: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let program: String
    let arguments: @Sendable (_ video: String, _ subtitles: [String], _ out: String) -> [String]
    let usesCues: Bool
  }

  static func ffmpeg(_ video: String, _ subtitles: [String], _ rest: [String]) -> [String] {
    var arguments = ["-v", "error", "-i", video]
    for path in subtitles { arguments += ["-i", path] }
    for index in 0...subtitles.count { arguments += ["-map", "\(index)"] }
    return arguments + rest
  }

  static func mkvmerge(
    _ video: String, _ subtitles: [String], options: [String], each: [String] = [], _ out: String
  ) -> [String] {
    var arguments = ["-q", "-o", out] + options
    arguments.append(video)
    for path in subtitles {
      arguments += each
      arguments.append(path)
    }
    return arguments
  }

  static let muxers: [Muxer] = [
    Muxer(
      testDescription: "ffmpeg", program: "ffmpeg",
      arguments: { ffmpeg($0, $1, ["-c", "copy", $2]) }, usesCues: false),
    Muxer(
      testDescription: "ffmpeg, live", program: "ffmpeg",
      arguments: {
        ffmpeg(
          $0, $1, ["-c", "copy", "-f", "matroska", "-live", "1", "-cluster_time_limit", "900", $2])
      }, usesCues: false),
    Muxer(
      testDescription: "mkvmerge", program: "mkvmerge",
      arguments: { mkvmerge($0, $1, options: [], $2) }, usesCues: true),
    Muxer(
      testDescription: "mkvmerge without compression, cues and statistics", program: "mkvmerge",
      arguments: {
        mkvmerge(
          $0, $1, options: ["--disable-track-statistics-tags", "--no-cues"],
          each: ["--compression", "0:none", "--language", "0:fre"], $2)
      }, usesCues: false),
    Muxer(
      testDescription: "mkvmerge, microseconds", program: "mkvmerge",
      arguments: {
        mkvmerge(
          $0, $1, options: ["--timestamp-scale", "10000", "--cluster-length", "200ms"], $2)
      }, usesCues: true),
  ]

  @Test(arguments: muxers)
  func `tracks, packets and start time are those that ffprobe finds`(muxer: Muxer) async throws {
    let folder = try TemporaryFolder()
    let video = folder.file("video.mkv")
    let made = try await ChildProcess.run(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x90:r=10:d=6", "-f", "lavfi", "-i",
        "sine=d=6", "-c:v", "mpeg2video", "-bf", "2", "-c:a", "ac3", video,
      ])
    try #require(made.status == 0, "\(made.errors)")
    let subtitles = [
      try folder.write(Self.sup([300, 1500, 2700]), to: "a.sup"),
      try folder.write(Self.sup([1000, 4000]), to: "b.sup"),
    ]
    let path = folder.file("out.mkv")
    let muxed = try await ChildProcess.run(
      muxer.program, muxer.arguments(video, subtitles, path))
    try #require(muxed.status == 0, "\(muxed.errors)\(muxed.text)")

    let file = try MatroskaFile(BytesInMemory(try readBytes(path), name: path))
    #expect(file.faults.isEmpty)
    let chosen = file.tracks.filter { $0.kind == .subtitle }
    var lines: [String] = []
    let walk = try file.walk(tracks: Set(chosen.map(\.number))) { block in
      let track = try #require(chosen.first { $0.number == block.trackNumber })
      let size = try file.payload(of: block).count
      lines.append("\(track.streamIndex),\(Self.seconds(block.time)),\(size)")
    }
    #expect(walk.faults.isEmpty)
    #expect(walk.usedCues == muxer.usesCues)

    let packets = try await Self.ffprobe(
      ["-select_streams", "s", "-show_entries", "packet=stream_index,pts_time,size", path])
    #expect(lines.sorted() == packets.sorted())
    let streams = try await Self.ffprobe(["-show_entries", "stream=index,codec_name", path])
    #expect(
      file.tracks.filter { $0.kind != .audio }.map { "\($0.streamIndex),\($0.codecName)" }
        == streams.filter { !$0.hasSuffix("ac3") })
    let start = try await Self.ffprobe(["-show_entries", "format=start_time", path])
    #expect([Self.seconds(file.startTime(walk))] == start)
  }

  static func seconds(_ time: Timestamp) -> String {
    let micro = (time.nanoseconds + 500) / 1000
    let digits = String(micro % 1_000_000 + 1_000_000).dropFirst()
    return "\(micro / 1_000_000).\(digits)"
  }

  static func ffprobe(_ arguments: [String]) async throws -> [String] {
    let result = try await ChildProcess.run(
      "ffprobe", ["-v", "error", "-of", "csv=p=0"] + arguments)
    try #require(result.status == 0, "\(result.errors)")
    return result.text.split(separator: "\n").map {
      $0.hasSuffix(",") ? String($0.dropLast()) : String($0)
    }
  }
}
