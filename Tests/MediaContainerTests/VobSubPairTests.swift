// SPDX-License-Identifier: Apache-2.0
import MediaContainer
import SubtitleModel
import TestSupport
import Testing

@Suite struct VobSubPairTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Writes the pictures' program stream as `NAME.sub` and an index of it as `NAME.idx`.
  private func pair(_ name: String, head: String) throws -> String {
    let cues = [boxCue(0, 100_000, 102_000), boxCue(1, 105_000, 106_000, isForced: true)]
    let track = try SubtitleEncoder.encode(
      cues, as: .vobsub, canvas: Canvas(width: 720, height: 576))
    try FilmMuxer.write(
      tracks: [OutputTrack(content: track)], to: folder.file(name + ".sub"), format: .programStream)
    var positions: [Int64] = []
    let stream = MemoryBytes(name: "stream", parts: [try folder.read(name + ".sub")])
    try MediaReader(source: stream).readPackets(of: [0]) { packet in
      positions.append(packet.position ?? 0)
      return true
    }
    try #require(positions.count == 2)
    var index = "# VobSub index file, v7 (do not modify this line!)\n" + head
    index += "id: de, index: 0\n"
    for (time, position) in zip(["00:01:40:000", "00:01:45:000"], positions) {
      let hexadecimal = String(position, radix: 16)
      let padded = String(repeating: "0", count: 9 - hexadecimal.count) + hexadecimal
      index += "timestamp: \(time), filepos: \(padded)\n"
    }
    return try folder.write(Array(index.utf8), to: name + ".idx")
  }

  @Test func `an index is read with its pictures, by its own clock`() throws {
    let colors = "ffffff, 000000, ff0000, 00ff00" + String(repeating: ", 101010", count: 12)
    let path = try pair("both", head: "size: 720x576\npalette: \(colors)\n")
    let reader = try MediaReader(path: path)
    #expect(reader.description.formatName == "vobsub")
    #expect(reader.description.video == nil)
    #expect(reader.description.subtitles.map(\.language) == ["de"])
    let track = try #require(try reader.decodeTracks([0]).first)
    #expect(track.canvas == Canvas(width: 720, height: 576))
    #expect(track.cues.map(\.start) == [ms(100_000), ms(105_000)])
    // 2 s are 175 steps of 1024/90000 s, 1 s is 87.
    #expect(track.cues.map { $0.end.milliseconds } == [101_991, 105_989])
    #expect(track.cues.map(\.isForced) == [false, true])
    #expect(track.cues.map(\.bounds) == (0..<2).map { boxCue($0, 0, 1).bounds })
  }

  @Test func `an index without a size has no canvas of its own`() throws {
    let reader = try MediaReader(path: try pair("bare", head: ""))
    let track = try #require(try reader.decodeTracks([0]).first)
    #expect(reader.description.subtitles.map(\.canvas) == [nil])
    #expect(track.canvas == nil)
    #expect(track.canvas(fallingBackTo: nil) == Canvas(width: 720, height: 576))
    #expect(track.cues.count == 2)
  }

  @Test func `the companion is found by its capitals`() throws {
    let path = try pair("capitals", head: "size: 720x576\n")
    _ = try folder.write(try readBytes(path), to: "OTHER.IDX")
    _ = try folder.write(try folder.read("capitals.sub"), to: "OTHER.SUB")
    let track = try #require(
      try MediaReader(path: folder.file("OTHER.IDX")).decodeTracks([0]).first)
    #expect(track.cues.count == 2)
  }
}
