// SPDX-License-Identifier: Apache-2.0
import SubtitleModel
import TestSupport
import Testing

@testable import Burnscope

@Suite struct AssumedCanvasTests {
  @Test(arguments: [
    ((8, 2), (720, 576)), ((720, 576), (720, 576)), ((720, 577), (1280, 720)),
    ((1920, 1056), (1920, 1080)), ((2000, 10), (3840, 2160)), ((10, 5000), (720, 5000)),
  ])
  func `the smallest usual canvas that holds the pictures is assumed`(
    reach: (Int, Int), wanted: (Int, Int)
  ) {
    let reach = Canvas(width: reach.0, height: reach.1)
    #expect(
      Canvas.ofDiscs.assumed(toHold: reach) == Canvas(width: wanted.0, height: wanted.1))
  }

  @Test func `probe assumes the canvas that render draws on`() throws {
    let folder = try TemporaryFolder()
    // One unit: lines 1001 to 1002 across 1920 columns, each one run of colour 1 to its end.
    let control: [UInt8] = [
      0, 0, 0, 0x0A, 3, 0x32, 0x10, 4, 0xFF, 0xFF, 5, 0x00, 0x07, 0x7F, 0x3E, 0x93, 0xEA, 6, 0, 4,
      0,
      6, 1, 0xFF,
    ]
    var unit: [UInt8] = [0, 0, 0, 8, 0, 1, 0, 1] + control
    unit[1] = UInt8(unit.count)
    unit[11] = 8
    let pack: [UInt8] =
      [0, 0, 1, 0xBA, 0x44, 0, 4, 0, 4, 1, 1, 0x89, 0xC3, 0xF8, 0, 0, 1, 0xBD, 0]
      + [UInt8(9 + unit.count), 0x81, 0x80, 5, 0x21, 0, 0x01, 0, 0x01, 0x20] + unit
    _ = try folder.write(pack, to: "low.sub")
    let palette = Array(repeating: "ffffff", count: 16).joined(separator: ", ")
    let index =
      "palette: \(palette)\nid: en, index: 0\ntimestamp: 00:00:00:000, filepos: 000000000\n"
    let path = try folder.write(Array(index.utf8), to: "low.idx")
    let probed = try Probe.file(path)
    #expect(probed.subtitles.first?.canvas == Canvas(width: 1920, height: 1080))
    #expect(
      probed.subtitles.first?.notes.first
        == "the track states no canvas; 1920x1080 is assumed, since its cues reach past FFmpeg's 720x576"
    )
    let renderer = try Renderer(path: path, track: .subtitleOrdinal(0))
    #expect(renderer.canvas == Canvas(width: 1920, height: 1080))
  }
}
