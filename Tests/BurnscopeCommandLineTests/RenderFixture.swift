// SPDX-License-Identifier: Apache-2.0
import ChildProcess
import SubtitleFormats
import SubtitleModel
import TestSupport
import Testing

/// A film of two seconds with one bitmap track, made by the `ffmpeg` program for one test.
struct RenderFixture {
  struct Shape: Sendable, CustomTestStringConvertible {
    var frame: Canvas
    var canvas = Canvas(width: 1920, height: 1080)
    var sampleAspect = "1"
    var isVobSub = false
    var matrix = "bt709"
    var testDescription: String {
      "\(frame), SAR \(sampleAspect), \(isVobSub ? "VobSub" : "PGS") on \(canvas)"
    }

    init(
      _ width: Int, _ height: Int, canvas: Canvas = Canvas(width: 1920, height: 1080),
      sampleAspect: String = "1", isVobSub: Bool = false, matrix: String = "bt709"
    ) {
      frame = Canvas(width: width, height: height)
      self.canvas = canvas
      self.sampleAspect = sampleAspect
      self.isVobSub = isVobSub
      self.matrix = matrix
    }
  }

  let folder: TemporaryFolder
  let shape: Shape
  let path: String

  /// When its only cue starts and ends, in seconds.
  static let cue = (start: 0.4, end: 1.6)

  init(_ shape: Shape, objects: [PGSPicture.Object]? = nil) async throws {
    folder = try TemporaryFolder()
    self.shape = shape
    let track = try Self.track(shape.canvas, isVobSub: shape.isVobSub, objects: objects)
    let sup = try folder.write(track, to: "t.sup")
    path = folder.file("film.mkv")
    let coding = shape.isVobSub ? ["-c:s", "dvdsub"] : ["-c:s", "copy"]
    try await Self.ffmpeg(
      [
        "-f", "lavfi", "-i", "testsrc2=s=\(shape.frame):r=2:d=2,setsar=\(shape.sampleAspect)",
        "-fix_sub_duration", "-i", sup, "-map", "0:v", "-map", "1:s", "-c:v", "libx264",
        "-preset", "ultrafast", "-crf", "12", "-pix_fmt", "yuv420p", "-colorspace", shape.matrix,
      ] + coding + [path])
  }

  /// Display sets with blocks of colours and alphas, and fine lines between them.
  static func track(
    _ canvas: Canvas, isVobSub: Bool, objects wanted: [PGSPicture.Object]? = nil
  ) throws -> [UInt8] {
    let colors: [PaletteColor] = [
      .transparent, PaletteColor(red: 255, green: 255, blue: 255, alpha: 255),
      PaletteColor(red: 16, green: 16, blue: 16, alpha: 255),
      PaletteColor(red: 230, green: 20, blue: 20, alpha: 255),
      PaletteColor(red: 20, green: 220, blue: 20, alpha: 255),
      PaletteColor(red: 255, green: 255, blue: 0, alpha: 128),
      PaletteColor(red: 0, green: 80, blue: 255, alpha: 60),
    ]
    let count = isVobSub ? 4 : colors.count
    let (w, h) = (canvas.width, canvas.height)
    var objects = [
      PGSPicture.Object(bitmap: bitmap(w * 2 / 5 | 1, h / 9, count), x: w * 3 / 10, y: h * 5 / 6)
    ]
    if !isVobSub {
      objects.append(PGSPicture.Object(bitmap: bitmap(w / 7, h / 16, count), x: w / 30, y: h / 25))
    }
    let picture = PGSPicture(
      start: Int64(cue.start * 90000), end: Int64(cue.end * 90000),
      palette: Palette(colors: Array(colors.prefix(count))), objects: wanted ?? objects)
    return try PGSTrackWriter.displaySets(
      of: [picture], video: VideoDescriptor(canvas: canvas)
    ).sets.flatMap { try $0.supBytes() }
  }

  /// Blocks of `count` colours with fine lines between them.
  static func bitmap(_ width: Int, _ height: Int, _ count: Int) -> IndexedBitmap {
    let indices = (0..<width * height).map { place -> UInt8 in
      let (x, y) = (place % width, place / width)
      if (x * 3 + y) % 17 < 2 { return 2 }
      if y % 11 == 0 || x % 13 == 3 { return 0 }
      return UInt8((x / 23 + y / 9) % count)
    }
    return IndexedBitmap(width: width, height: height, indices: indices)
  }

  /// What the `ffmpeg` program gives for the frame at one second with a server's chain.
  ///
  /// - Parameters:
  ///   - sub: The filters of the subtitle stream; empty for none.
  ///   - overlay: The options of the overlay filter.
  ///   - main: The filters of the video.
  ///   - format: The pixel format wanted.
  /// - Returns: The frame's bytes.
  /// - Throws: An expectation if the program fails.
  func burned(
    sub: String, overlay: String = "eof_action=pass:repeatlast=0", main: String = "null",
    format: String
  ) async throws -> [UInt8] {
    let subtitle = sub.isEmpty ? "null" : sub
    return try await Self.ffmpeg(
      [
        "-canvas_size", "\(shape.canvas)", "-i", path, "-filter_complex",
        "[0:s:0]\(subtitle)[sub];[0:v]\(main),format=yuv420p[main];"
          + "[main][sub]overlay=\(overlay),select='gte(t,0.999)'[out]", "-map", "[out]",
        "-frames:v", "1", "-pix_fmt", format, "-f", "rawvideo", "-",
      ])
  }

  @discardableResult
  static func ffmpeg(_ arguments: [String]) async throws -> [UInt8] {
    let result = try await ChildProcess.run(
      "ffmpeg", ["-nostdin", "-v", "error", "-y"] + arguments)
    try #require(result.status == 0, "\(result.errors)")
    return result.output
  }
}
