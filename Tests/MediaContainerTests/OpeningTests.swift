// SPDX-License-Identifier: Apache-2.0
import MediaContainer
import SubtitleModel
import TestSupport
import Testing

@Suite struct OpeningTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The error of opening a path; the test fails if there is none.
  private func fault(opening path: String) -> MediaError? {
    #expect(throws: MediaError.self) { try MediaReader(path: path) }
  }

  /// A short Matroska file with one PGS track.
  private func matroska() throws -> [UInt8] {
    let spot = PGSBytes.Placed(id: 0, x: 100, y: 600)
    let packets = [
      SubtitlePacket(
        time: ms(1000), duration: nil, bytes: Array(PGSBytes.picture(0, [spot]).joined())),
      SubtitlePacket(time: ms(2000), duration: nil, bytes: Array(PGSBytes.clear(1).joined())),
    ]
    let content = EncodedTrack(
      codec: .pgs, canvas: Canvas(width: 1280, height: 720), packets: packets)
    try FilmMuxer.write(tracks: [OutputTrack(content: content)], to: folder.file("small.mks"))
    return try folder.read("small.mks")
  }

  @Test func `what is no readable file is told apart`() throws {
    let missing = folder.file("nothing.mkv")
    #expect(fault(opening: missing)?.kind == .notFound)
    #expect(fault(opening: missing)?.description == "\(missing): there is no such file")
    #expect(fault(opening: folder.path)?.kind == .isDirectory)
    #expect(fault(opening: try folder.write([], to: "empty.mkv"))?.kind == .empty)
    #expect(fault(opening: try folder.write([1], to: "file") + "/inside.mkv")?.kind == .notFound)
  }

  @Test func `text, noise and pictures are no media files`() throws {
    let text = try folder.write(Array("A line of text, and another.\n".utf8), to: "text.mkv")
    #expect(fault(opening: text)?.kind == .notMedia)
    var generator = SeededGenerator(seed: 7)
    let noise = (0..<50_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
    let error = fault(opening: try folder.write(noise, to: "noise.mkv"))
    #expect(error.map { [.notMedia, .damaged].contains($0.kind) } == true)
    let subRip = "1\n00:00:01,000 --> 00:00:02,000\nText\n\n2\n00:00:03,000 --> 00:00:04,000\nB\n"
    #expect(fault(opening: try folder.write(Array(subRip.utf8), to: "a.srt"))?.kind == .notMedia)
  }

  @Test func `an MP4 file without its index is damaged`() async throws {
    let path = folder.file("film.mp4")
    try await ffmpeg(["-f", "lavfi", "-i", "testsrc=size=64x64:duration=1", path])
    let bytes = try folder.read("film.mp4")
    let cut = try folder.write(Array(bytes.prefix(bytes.count / 2)), to: "cut.mp4")
    #expect(fault(opening: cut)?.kind == .damaged)
    #expect(fault(opening: cut)?.description.contains("moov atom not found") == true)
  }

  @Test func `an index without its pictures names the missing file`() throws {
    let index = "# VobSub index file, v7 (do not modify this line!)\nsize: 720x576\n"
    let path = try folder.write(Array(index.utf8), to: "alone.idx")
    let error = fault(opening: path)
    #expect(error?.kind == .missingCompanion)
    #expect(error?.description.contains(folder.file("alone.sub")) == true)
    let other = try folder.write(Array("no index at all".utf8), to: "other.idx")
    #expect(fault(opening: other)?.kind == .notMedia)
  }

  @Test func `bytes that look like an index open no file`() throws {
    let index = """
      # VobSub index file, v7 (do not modify this line!)
      size: 720x576
      id: en, index: 0
      timestamp: 00:00:01:000, filepos: 000000000
      """
    _ = try folder.write([UInt8](repeating: 0, count: 4096), to: "trap.sub")
    let source = MemoryBytes(name: folder.file("trap.idx"), parts: [Array(index.utf8)])
    let error = #expect(throws: MediaError.self) { try MediaReader(source: source) }
    #expect(error?.kind == .notMedia)
  }

  @Test func `a playlist opens no other file`() throws {
    let list = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\n/etc/hostname\n#EXT-X-ENDLIST\n"
    let source = MemoryBytes(name: "list.m3u8", parts: [Array(list.utf8)])
    let error = #expect(throws: MediaError.self) { try MediaReader(source: source) }
    #expect(error?.kind == .notMedia)
  }

  @Test func `stream numbers are checked`() throws {
    let source = MemoryBytes(name: "small.mks", parts: [try matroska()])
    let reader = try MediaReader(source: source)
    let error = #expect(throws: MediaError.self) { try reader.decodeTracks([3]) }
    #expect(error?.kind == .noSuchStream)
    #expect(
      error?.description == "small.mks: there is no stream 3; the file has streams 0 to 0")
    #expect(try reader.decodeTracks([]) == [])
  }

  @Test func `a stream that is no bitmap track is refused`() async throws {
    let path = folder.file("text.mkv")
    let subRip = "1\n00:00:01,000 --> 00:00:02,000\nText\n"
    let text = try folder.write(Array(subRip.utf8), to: "a.srt")
    try await ffmpeg([
      "-f", "lavfi", "-i", "testsrc=size=64x64:duration=1", "-i", text, "-c:s", "srt", path,
    ])
    let reader = try MediaReader(path: path)
    #expect(reader.description.subtitles.map(\.codec) == [.text])
    for stream in [0, 1] {
      let error = #expect(throws: MediaError.self) { try reader.decodeTracks([stream]) }
      #expect(error?.kind == .notBitmap)
    }
  }

  @Test func `a reader can pass over the file again`() throws {
    let reader = try MediaReader(source: MemoryBytes(name: "small", parts: [try matroska()]))
    let first = try reader.decodeTracks([0])
    #expect(try reader.decodeTracks([0]) == first)
    var packets: [MediaPacket] = []
    try reader.readPackets(of: [0]) { packet in
      packets.append(packet)
      return true
    }
    #expect(packets.map(\.time) == [ms(1000), ms(2000)])
    #expect(packets.map(\.streamIndex) == [0, 0])
    #expect(packets.last?.bytes == Array(PGSBytes.clear(1).joined()))
    var count = 0
    try reader.readPackets(of: [0]) { _ in
      count += 1
      return false
    }
    #expect(count == 1)
  }

  @Test func `every prefix of a Matroska file gives cues or one clear error`() throws {
    let whole = try matroska()
    for count in 1..<whole.count {
      do {
        let reader = try MediaReader(
          source: MemoryBytes(name: "cut.mks", parts: [Array(whole.prefix(count))]))
        let tracks = try reader.decodeTracks(reader.description.subtitles.map(\.streamIndex))
        #expect(tracks.allSatisfy { $0.cues.count <= 1 })
      } catch let error as MediaError {
        #expect(error.description.hasPrefix("cut.mks: "))
      }
    }
  }

  @Test func `flipped bytes of a Matroska file never trap`() throws {
    let whole = try matroska()
    var generator = SeededGenerator(seed: 99)
    for _ in 0..<400 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        bytes[Int.random(in: bytes.indices, using: &generator)] = .random(
          in: 0...255, using: &generator)
      }
      do {
        let reader = try MediaReader(source: MemoryBytes(name: "flipped", parts: [bytes]))
        let bitmaps = reader.description.subtitles.filter(\.codec.isBitmap)
        _ = try reader.decodeTracks(bitmaps.map(\.streamIndex))
      } catch is MediaError {
      }
    }
  }

  @Test func `a source that fails is the error, and nothing else`() throws {
    struct Refusal: Error {}
    final class Failing: ByteSource {
      let name = "failing"
      let byteCount: Int64? = 1 << 30
      let bytes: [UInt8]
      init(_ bytes: [UInt8]) { self.bytes = bytes }
      func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard offset == 0 else { throw Refusal() }
        let count = min(buffer.count, 200)
        buffer.copyBytes(from: bytes.prefix(count))
        return count
      }
    }
    let source = Failing(try matroska())
    #expect(throws: Refusal.self) { try MediaReader(source: source) }
  }

  @Test func `progress goes from nothing to all`() throws {
    let reader = try MediaReader(source: MemoryBytes(name: "small", parts: [try matroska()]))
    var reports: [Double] = []
    _ = try reader.decodeTracks([0]) { reports.append($0) }
    #expect(reports.last == 1)
    #expect(reports == reports.sorted())
  }
}
