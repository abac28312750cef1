// SPDX-License-Identifier: Apache-2.0
import Burnscope
import ChildProcess
import MediaContainer
import SubtitleFormats
import SubtitleModel
import Synchronization
import TestSupport
import Testing

/// Tracks read by place against the same tracks read through libavformat.
@Suite("Tracks of a film")
struct FilmTracksTests {
  struct Film: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let way: FilmTracks.Way
    /// PGS, VobSub and DVB: mkvmerge leaves out DVB tracks with the private data that ffmpeg writes,
    /// and the transport stream is given the DVB track alone.
    var tracks: Int {
      way == .wholeFile ? 1 : testDescription.hasPrefix("by mkvmerge") ? 2 : 3
    }
    /// The command that makes `out` of a film that ffmpeg made.
    let command: @Sendable (_ film: String, _ out: String) -> [String]
  }

  static let films: [Film] = [
    Film(testDescription: "by ffmpeg, which indexes no subtitles", way: .blockHeads) {
      ["ffmpeg", "-v", "error", "-i", $0, "-map", "0", "-c", "copy", $1]
    },
    Film(testDescription: "that begins at 5 s", way: .blockHeads) {
      [
        "ffmpeg", "-v", "error", "-i", $0, "-map", "0", "-c", "copy", "-output_ts_offset", "5",
        "-avoid_negative_ts", "disabled", $1,
      ]
    },
    Film(testDescription: "by mkvmerge, zlib and index", way: .index) {
      ["mkvmerge", "-q", "-o", $1, "--compression", "-1:zlib", $0]
    },
    Film(testDescription: "by mkvmerge, not compressed", way: .index) {
      ["mkvmerge", "-q", "-o", $1, "--compression", "-1:none", $0]
    },
    Film(testDescription: "by mkvmerge without index and statistics", way: .blockHeads) {
      ["mkvmerge", "-q", "-o", $1, "--no-cues", "--disable-track-statistics-tags", $0]
    },
    Film(testDescription: "that is no Matroska", way: .wholeFile) {
      [
        "ffmpeg", "-v", "error", "-i", $0, "-map", "0:v", "-map", "0:s:2", "-c", "copy", "-f",
        "mpegts", $1,
      ]
    },
  ]

  @Test("are the same by place and through the whole file", arguments: films)
  func equality(_ film: Film) async throws {
    let folder = try TemporaryFolder()
    let path = try await Self.make(film, in: folder)
    let source = Counted(try LocalFile(path: path))
    let reader = try MediaReader(path: path)
    let tracks = reader.description.subtitles
    #expect(tracks.count == film.tracks)
    let (found, way) = try FilmTracks(reader, bytes: source, walks: true).decode(tracks)
    #expect(way == film.way)
    let whole = try MediaReader(path: path).decodeTracks(tracks.map(\.streamIndex))
    for (one, other) in zip(found, whole) {
      #expect(!one.cues.isEmpty)
      #expect(one.canvas == other.canvas)
      #expect(one.cues == other.cues, "stream \(one.description.streamIndex)")
    }
    #expect(found.map(\.description) == whole.map(\.description))
    if film.way != .wholeFile { #expect(source.bytes < (source.byteCount ?? 0) / 5) }
  }

  @Test("are read through the whole file where heads may not be walked")
  func noWalk() async throws {
    let folder = try TemporaryFolder()
    let path = try await Self.make(Self.films[0], in: folder)
    let source = Counted(try LocalFile(path: path))
    let reader = try MediaReader(path: path)
    let (found, way) = try FilmTracks(reader, bytes: source, walks: false).decode(
      reader.description.subtitles)
    #expect(way == .wholeFile)
    #expect(found.allSatisfy { !$0.cues.isEmpty })
    #expect(source.bytes < 100_000)
  }

  /// Twelve seconds of noise with PGS, VobSub and DVB tracks of the same pictures.
  static func make(_ film: Film, in folder: TemporaryFolder) async throws -> String {
    let palette = Palette(colors: [
      .transparent, PaletteColor(red: 255, green: 255, blue: 255, alpha: 255),
      PaletteColor(red: 16, green: 16, blue: 16, alpha: 255),
      PaletteColor(red: 230, green: 20, blue: 20, alpha: 128),
    ])
    let pictures = (0..<5).map { number in
      let bitmap = IndexedBitmap(
        width: 160, height: 40,
        indices: (0..<6400).map { UInt8(($0 / 7 + $0 / 160 / (number + 2)) & 3) })
      let start = Int64(90_000 * (2 * number + 1))
      return PGSPicture(
        start: start, end: start + (number == 4 ? 135_000 : 90_000), palette: palette,
        objects: [PGSPicture.Object(bitmap: bitmap, x: 100 + number, y: 400)])
    }
    let sets = try PGSTrackWriter.displaySets(
      of: pictures, video: VideoDescriptor(canvas: Canvas(width: 720, height: 576))
    ).sets
    let sup = try folder.write(try sets.flatMap { try $0.supBytes() }, to: "t.sup")
    let plain = folder.file("plain.mkv")
    try await run([
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i",
      "testsrc2=s=720x576:r=25:d=12,noise=alls=60:allf=t",
      "-fix_sub_duration", "-i", sup, "-map", "0:v", "-map", "1:s", "-map", "1:s", "-map", "1:s",
      "-c:v", "mpeg2video", "-q:v", "4", "-c:s:0", "copy", "-c:s:1", "dvdsub", "-c:s:2", "dvbsub",
      plain,
    ])
    let path = folder.file(film.way == .wholeFile ? "film.ts" : "film.mkv")
    try await run(film.command(plain, path))
    return path
  }

  static func run(_ command: [String]) async throws {
    let result = try await ChildProcess.run(command[0], Array(command.dropFirst()))
    // mkvmerge ends with 1 after a warning.
    let most: Int32 = command[0] == "mkvmerge" ? 1 : 0
    try #require((0...most).contains(result.status), "\(result.errors)")
  }
}

/// A file that counts the bytes read of it.
private final class Counted: ByteSource {
  private let file: LocalFile
  private let count = Mutex<Int64>(0)

  init(_ file: LocalFile) { self.file = file }

  var name: String { file.name }
  var byteCount: Int64? { file.byteCount }
  var bytes: Int64 { count.withLock { $0 } }

  func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    let read = try file.read(at: offset, into: buffer)
    count.withLock { $0 += Int64(read) }
    return read
  }
}
