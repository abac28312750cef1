// SPDX-License-Identifier: Apache-2.0
import Burnscope
import MediaContainer
import SubtitleFormats
import SubtitleModel
import TestSupport
import Testing

/// Starts and ends of DVD sub-pictures by counting, by our own decoder and by libavcodec.
@Suite("A DVD sub-picture's end") struct EndAgreementTests {
  /// A unit at a time, with dates in steps of 1024/90000 s.
  struct Unit: Sendable {
    /// The block's time and duration, in milliseconds.
    var time: Int64
    var duration: Int64?
    var start = 0
    var stop: Int?
    var isForced = false
    /// Dates of later sequences, each with its contrast of the pattern.
    var contrasts: [(date: Int, contrast: UInt8)] = []
    var firstContrast: UInt8 = 15

    func packet() throws -> SubtitlePacket {
      let codes = { (contrast: UInt8) in PixelCodes([0, contrast, 0, 0]) }
      // The same picture again would be one cue.
      let width = 16 + Int(time / 1000)
      let bitmap = IndexedBitmap(
        width: width, height: 4, indices: Array(repeating: 1, count: 4 * width))
      var look = SubpictureUnit.Look(
        x: 100, y: 200, colors: PixelCodes([0, 1, 2, 3]), contrasts: codes(firstContrast))
      look.isForced = isForced
      let unit = SubpictureUnit(
        bitmap, look, start: start, stop: stop,
        steps: contrasts.map { ($0.date, PixelCodes([0, 1, 2, 3]), codes($0.contrast)) })
      return SubtitlePacket(
        time: Timestamp(milliseconds: time),
        duration: duration.map { Timestamp(milliseconds: $0) }, bytes: try unit.bytes())
    }
  }

  /// Units, and the cues expected: start and end in whole milliseconds, rounded down.
  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var units: [Unit]
    /// What the file says.
    var written: [[Int64]]
    /// What FFmpeg's overlay shows; nil if that is the same.
    var burned: [[Int64]]?

    var testDescription: String { name }
  }

  // 88 steps are 1.001244 s, 176 are 2.002489 s, 264 are 3.003733 s, 352 are 4.004978 s.
  static let cases: [Case] = [
    Case(name: "stop alone", units: [Unit(time: 1000, stop: 176)], written: [[1000, 3002]]),
    Case(
      name: "duration alone", units: [Unit(time: 1000, duration: 2000)], written: [[1000, 3000]]),
    Case(
      name: "duration shorter than the stop",
      units: [Unit(time: 1000, duration: 1000, stop: 264)], written: [[1000, 2000]],
      burned: [[1000, 4003]]),
    Case(
      name: "duration longer than the stop",
      units: [Unit(time: 1000, duration: 4000, stop: 176)], written: [[1000, 5000]],
      burned: [[1000, 3002]]),
    Case(
      name: "neither, and a next one", units: [Unit(time: 1000), Unit(time: 6000, stop: 176)],
      written: [[1000, 6000], [6000, 8002]]),
    // The file's length is that of the last packet's time: ten seconds are reckoned.
    Case(
      name: "neither, and nothing behind",
      units: [Unit(time: 1000, stop: 88), Unit(time: 5000)],
      written: [[1000, 2001], [5000, 15000]]),
    Case(
      name: "the next one before all ends",
      units: [Unit(time: 1000, duration: 5000, stop: 352), Unit(time: 3000, stop: 176)],
      written: [[1000, 3000], [3000, 5002]]),
    Case(
      name: "a stop at the largest date, and a duration",
      units: [
        Unit(time: 1000, duration: 2000, stop: ControlSequence.never), Unit(time: 6000, stop: 88),
      ], written: [[1000, 3000], [6000, 7001]], burned: [[1000, 6000], [6000, 7001]]),
    Case(
      name: "a forced start a second late",
      units: [Unit(time: 1000, start: 88, stop: 264, isForced: true)],
      written: [[2001, 4003]], burned: [[1000, 4003]]),
    Case(
      name: "a late start ends the one before",
      units: [Unit(time: 1000), Unit(time: 3000, start: 88, stop: 264)],
      written: [[1000, 3000], [4001, 6003]], burned: [[1000, 4001], [4001, 6003]]),
    Case(
      name: "a fade-out in several sequences",
      units: [Unit(time: 1000, stop: 264, contrasts: [(88, 10), (176, 5)])],
      written: [[1000, 4003]]),
    Case(
      name: "a fade-in from nothing",
      units: [Unit(time: 1000, stop: 264, contrasts: [(88, 15)], firstContrast: 0)],
      written: [[2001, 4003]], burned: []),
    Case(
      name: "a fade past the block's end",
      units: [Unit(time: 1000, duration: 1500, stop: 264, contrasts: [(88, 10), (176, 5)])],
      written: [[1000, 2500]], burned: [[1000, 4003]]),
  ]

  @Test("is the same by all ways, or differs as stated", arguments: cases)
  func agreement(_ one: Case) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("track.mks")
    let head =
      "size: 720x576\npalette: "
      + (0..<16).map { $0 == 1 ? "ffffff" : "000000" }.joined(separator: ", ") + "\n"
    let track = EncodedTrack(
      codec: .vobsub, codecPrivate: Array(head.utf8), canvas: Canvas(width: 720, height: 576),
      packets: try one.units.map { try $0.packet() })
    try FilmMuxer.write(tracks: [OutputTrack(content: track)], to: path)

    let file = try NativeTracks(path: path)
    let drawn = try #require(try file.read(file.media.subtitles).first).decodedTrack(
      separatesSteps: false
    ).cues
    expect(drawn, one.written)
    let probed = try #require(try Probe.file(path).subtitles.first)
    #expect(probed.cueCount == one.written.count)
    let ends = [probed.count?.firstCue, probed.count?.lastCue].compactMap { $0 }
    for (cue, times) in zip(ends, [one.written.first, one.written.last].compactMap { $0 }) {
      expect((cue.start, cue.end), times)
    }
    let theirs = try #require(try MediaReader(path: path).decodeTracks([0]).first).cues
    expect(theirs, one.burned ?? one.written)
  }

  private func expect(_ cues: [Cue], _ times: [[Int64]]) {
    #expect(cues.count == times.count)
    for (cue, times) in zip(cues, times) { expect((cue.start, cue.end), times) }
  }

  /// libavcodec rounds dates down to milliseconds.
  private func expect(_ cue: (start: Timestamp, end: Timestamp), _ times: [Int64]) {
    #expect(abs(cue.start.milliseconds - times[0]) <= 1)
    #expect(abs(cue.end.milliseconds - times[1]) <= 1)
  }
}
