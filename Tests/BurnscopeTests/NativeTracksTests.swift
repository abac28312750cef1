// SPDX-License-Identifier: Apache-2.0
import Burnscope
import ChildProcess
import MediaContainer
import SubtitleFormats
import SubtitleModel
import TestSupport
import Testing

/// Our own decoders behind every container, against libavcodec.
@Suite("Native decoding of a film's tracks")
struct NativeTracksTests {
  @Test("has the times and places of libavcodec's", arguments: FilmTracksTests.films)
  func agreement(_ film: FilmTracksTests.Film) async throws {
    let folder = try TemporaryFolder()
    let path = try await FilmTracksTests.make(film, in: folder)
    let reader = try MediaReader(path: path)
    let tracks = reader.description.subtitles
    let theirs = try reader.decodeTracks(tracks.map(\.streamIndex))
    let file = try NativeTracks(path: path)
    #expect(file.media.subtitles == tracks)
    for (native, their) in zip(try file.read(tracks), theirs) {
      let our = try native.decodedTrack(separatesSteps: true)
      let label = "stream \(native.description.streamIndex)"
      #expect(our.cues.count == their.cues.count, "\(label)")
      #expect(our.canvas == their.canvas, "\(label)")
      for (one, other) in zip(our.cues, their.cues) {
        // Dates of DVD sub-pictures come in steps of 11.4 ms.
        let allowed = Timestamp(milliseconds: 12)
        #expect(distance(one.start, other.start) <= allowed, "\(label)")
        #expect(distance(one.end, other.end) <= allowed, "\(label)")
        #expect(one.bounds == other.bounds, "\(label)")
        #expect(one.objects.map(\.bitmap) == other.objects.map(\.bitmap), "\(label)")
      }
    }
  }

  @Test("at single times is that of the whole track")
  func moments() async throws {
    let folder = try TemporaryFolder()
    let path = try await FilmTracksTests.make(FilmTracksTests.films[0], in: folder)
    let file = try NativeTracks(path: path)
    for native in try file.read(file.media.subtitles) {
      let whole = try native.decodedTrack(separatesSteps: true)
      let access = try native.randomAccess()
      for step in stride(from: 0, to: 120, by: 7) {
        let time = Timestamp(milliseconds: Int64(100 * step) + 50)
        let shown = try native.cue(at: time, by: access)?.objects ?? []
        let cue = whole.cues.last { $0.start <= time && time < $0.end }
        #expect(shown == cue?.objects ?? [], "\(native.description.codec) at \(time)")
      }
    }
  }

  @Test("of raw PES packets needs no demuxer")
  func rawPES() async throws {
    let folder = try TemporaryFolder()
    // A padding packet, and a page that shows nothing: private stream 1, time 90000, data identifier.
    let page: [UInt8] = [0x0F, 0x10, 0, 1, 0, 2, 5, 0x08]
    let end: [UInt8] = [0x0F, 0x80, 0, 1, 0, 0]
    let data = [0x20, 0x00] + page + end + [0xFF]
    let header: [UInt8] = [0x84, 0x80, 5, 0x21, 0x00, 0x05, 0xBF, 0x21]
    let bytes =
      [0, 0, 1, 0xBE, 0, 2, 0xFF, 0xFF, 0, 0, 1, 0xBD, 0, UInt8(header.count + data.count)]
      + header + data
    let path = try folder.write(bytes, to: "a.pes")
    let file = try NativeTracks(path: path)
    let native = try #require(try file.read(file.media.subtitles).first)
    #expect(native.description.codec == .dvb)
    #expect(native.packets.map(\.offset) == [22])
    #expect(native.packets.map(\.time) == [Timestamp(milliseconds: 1000)])
    #expect(try native.decoded().timeline.cues().isEmpty)
  }

  private func distance(_ left: Timestamp, _ right: Timestamp) -> Timestamp {
    max(left, right) - min(left, right)
  }
}
