// SPDX-License-Identifier: Apache-2.0
import Burnscope
import Compositing
import MediaContainer
import PNGCoding
import SubtitleFormats
import SubtitleModel
import TestSupport
import Testing
import TraitSuite

/// Tracks whose canvas changes: each cue is drawn on its own.
@Suite("A canvas that changes") struct CanvasChangeTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// PGS: a white block of 4x2 at 2,1 on 16x8 from 1 s, one at 20,10 on 32x16 from 3 to 5 s.
  private func pgsFile() throws -> String {
    var clear = PGSSampleSet.clear(5).displaySet
    var large = PGSSampleSet.block(3, x: 20, y: 10)
    large.windows = [Window(id: 0, rect: PixelRect(x: 0, y: 0, width: 32, height: 16))]
    var second = large.displaySet
    let video = VideoDescriptor(canvas: Canvas(width: 32, height: 16))
    second.composition.video = video
    clear.composition.video = video
    let sets: [(PGSSampleSet, PGSDisplaySet)] = [
      (PGSSampleSet.block(1), PGSSampleSet.block(1).displaySet), (large, second),
      (PGSSampleSet.clear(5), clear),
    ]
    let packets = try sets.map { sample, set in
      SubtitlePacket(
        time: sample.time, duration: nil, bytes: sample.bytes(try set.segments()))
    }
    let path = folder.file("pgs.mks")
    let track = EncodedTrack(
      codec: .pgs, canvas: Canvas(width: 16, height: 8), packets: packets)
    try FilmMuxer.write(tracks: [OutputTrack(content: track)], to: path)
    return path
  }

  /// DVB: a region of 4x2 at 2,1 on 16x8 from 1 s, the same from 3 s on a display of 5x8 that cuts it.
  private func dvbFile() throws -> String {
    let trait = try #require(
      try TraitSuite.all().first { $0.codec == .dvb && $0.name == "the display changes" })
    let file = try #require(trait.files().first)
    return try folder.write(file.bytes, to: "dvb.\(file.suffix)")
  }

  private func isWhite(_ bitmap: RGBABitmap, _ x: Int, _ y: Int) -> Bool {
    bitmap.bytes[(y * bitmap.width + x) * 4..<(y * bitmap.width + x) * 4 + 4]
      .allSatisfy { $0 >= 250 }
  }

  private func opaqueCount(_ bitmap: RGBABitmap) -> Int {
    stride(from: 3, to: bitmap.bytes.count, by: 4).count { bitmap.bytes[$0] > 0 }
  }

  private func check(_ bitmaps: [RGBABitmap], ofPGS isPGS: Bool) throws {
    let sizes = bitmaps.map { [$0.width, $0.height] }
    try #require(sizes == (isPGS ? [[16, 8], [32, 16]] : [[16, 8], [5, 8]]))
    #expect(isWhite(bitmaps[0], 2, 1))
    // Codes of one pixel are transparent in no row of these; 3 columns are left on the small display.
    #expect(opaqueCount(bitmaps[0]) == (isPGS ? 8 : 7))
    #expect(isWhite(bitmaps[1], isPGS ? 20 : 2, isPGS ? 10 : 1))
    if isPGS {
      #expect(isWhite(bitmaps[1], 23, 11))
      #expect(opaqueCount(bitmaps[1]) == 8)
    }
  }

  @Test(
    "is followed by whole canvases, manifest and single times",
    arguments: [(true, DecoderChoice.native), (false, .native), (true, .libavcodec)])
  func rendered(isPGS: Bool, decoder: DecoderChoice) throws {
    let path = try isPGS ? pgsFile() : dvbFile()
    let options = RenderOptions(colors: .authored)
    let whole = try Renderer(path: path, track: .subtitleOrdinal(0), decoder: decoder)
    let output = RenderOutput(replacesFiles: false)
    let count = try whole.writeCues(
      to: folder.file("cues"), options: options, wholeCanvas: true, output: output)
    #expect(count == 2)
    let names = ["0001-00_00_01.000.png", "0002-00_00_03.000.png"]
    try check(
      try names.map { try PNG.decodeRGBA(try folder.read("cues/\($0)")) }, ofPGS: isPGS)
    let manifest = String(decoding: try folder.read("cues/manifest.json"), as: UTF8.self)
    let sizes = manifest.split(separator: "\"canvas\": {").dropFirst(2).map { part in
      part.prefix { $0 != "}" }.filter { !$0.isWhitespace }
    }
    #expect(
      sizes
        == (isPGS
          ? ["\"width\":16,\"height\":8", "\"width\":32,\"height\":16"]
          : ["\"width\":16,\"height\":8", "\"width\":5,\"height\":8"]))

    let moments = try Renderer(
      path: path, track: .subtitleOrdinal(0), decoder: decoder, isForMoments: true)
    for renderer in [whole, moments] {
      let pictures = try [1.5, 3.5].map {
        try renderer.picture(at: Timestamp(seconds: $0), options: options).bitmap
      }
      try check(pictures, ofPGS: isPGS)
    }
    // On a frame of one size each canvas is stretched over it: the block's corner is the same share.
    let stretched = RenderOptions(
      size: Canvas(width: 64, height: 32), layout: .jellyfin, colors: .authored)
    guard isPGS else { return }
    for (time, corner) in [(1.5, (8 + 4, 4 + 2)), (3.5, (40 + 2, 20 + 1))] {
      let bitmap = try moments.picture(at: Timestamp(seconds: time), options: stretched).bitmap
      #expect([bitmap.width, bitmap.height] == [64, 32])
      #expect(isWhite(bitmap, corner.0, corner.1), "\(time)")
    }
  }

  @Test("is compared canvas by canvas")
  func compared() throws {
    let report = try Lint.file(try pgsFile(), track: nil, compares: true)
    let track = try #require(report.tracks.first)
    #expect(track.findings.filter { $0.code.hasPrefix("compare.") }.isEmpty)
  }
}
