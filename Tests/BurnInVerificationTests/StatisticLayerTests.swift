// SPDX-License-Identifier: Apache-2.0

import BurnInVerification
import Compositing
import SubtitleModel
import Testing

@Suite("Cues as bitmaps and layers")
struct StatisticLayerTests {
  static func object(
    _ x: Int, _ y: Int, _ width: Int, _ rows: [[UInt8]], _ palette: Palette = Material.palette
  ) -> CueObject {
    CueObject(
      x: x, y: y,
      bitmap: IndexedBitmap(width: width, height: rows.count, indices: rows.flatMap(\.self)),
      palette: palette, isForced: false)
  }

  @Test("the box is cut to what can be seen, over all objects")
  func box() throws {
    let first = Self.object(10, 20, 4, [[0, 0, 0, 0], [0, 3, 0, 0], [0, 0, 0, 0]])
    let second = Self.object(100, 5, 2, [[0, 2]])
    let bitmap = try #require(CueBitmap(objects: [first, second]))
    #expect(bitmap.box == PixelRect(x: 11, y: 5, width: 91, height: 17))
    #expect(bitmap.alpha[16 * 91] == 1)
    // RGB 235 is 16 + 219 * 235 / 255 = 217.82.
    #expect(abs(bitmap.luma[16 * 91] - 217.8235) < 1e-3)
    #expect(bitmap.alpha[90] == 1 && abs(bitmap.luma[90] - 29.7412) < 1e-3)
    #expect(bitmap.alpha[1] == 0 && bitmap.luma[1] == 16)
  }

  @Test("a later object lies over an earlier one, by its alpha")
  func overlap() throws {
    let white = PaletteColor(red: 255, green: 255, blue: 255, alpha: 255)
    let shade = PaletteColor(red: 0, green: 0, blue: 0, alpha: 51)
    let palette = Palette(colors: [.transparent, white, shade])
    let bitmap = try #require(
      CueBitmap(objects: [
        Self.object(0, 0, 1, [[1]], palette), Self.object(0, 0, 2, [[2, 2]], palette),
      ]))
    // A fifth of luma 16 over 235: 191.2; alone: luma 16 at alpha 0.2.
    #expect(abs(bitmap.luma[0] - 191.2) < 1e-3 && bitmap.alpha[0] == 1)
    #expect(abs(bitmap.alpha[1] - 0.2) < 1e-6 && bitmap.luma[1] == 16)
  }

  @Test("nothing visible, nothing near and nothing finite give no layer")
  func hostile() throws {
    #expect(CueBitmap(objects: []) == nil)
    #expect(CueBitmap(objects: [Self.object(0, 0, 2, [[0, 0]])]) == nil)
    #expect(CueBitmap(objects: [Self.object(.max, .min, 1, [[3]])]) == nil)
    #expect(CueBitmap(objects: [Self.object(0, 0, 0, [])]) == nil)
    let far = [Self.object(0, 0, 1, [[3]]), Self.object(900_000, 900_000, 1, [[3]])]
    #expect(CueBitmap(objects: far) == nil)
    let bitmap = try #require(CueBitmap(objects: [Self.object(5, 5, 1, [[3]])]))
    let hostile: [(Double, Double)] = [
      (.nan, 0), (0, 0), (-1, 0), (.infinity, 0), (1, .infinity), (1, .nan), (1, 1e300), (1e9, 0),
    ]
    for (scale, offset) in hostile {
      let placement = Placement(scaleX: scale, offsetX: offset, scaleY: scale, offsetY: offset)
      for kernel in ResamplingKernel.allCases {
        #expect(CueLayer(bitmap: bitmap, placement: placement, kernel: kernel) == nil)
      }
    }
  }

  @Test("tiny frames and hostile line heights are measured without a trap")
  func tiny() throws {
    let prober = Prober()
    let layer = try Material.layer(Self.object(0, 0, 2, [[3, 2], [2, 3]]))
    for (width, height) in [(1, 1), (1, 40), (40, 1), (0, 0)] {
      let frame = SamplePlane(
        width: width, height: height, samples: [UInt8](repeating: 90, count: width * height))
      for line in [Double.nan, -1, 0, .infinity, 1e300] {
        let found = prober.measure(frame: frame, layer: layer, lineHeight: line, margin: 99)
        #expect(!found.passes)
      }
      _ = prober.pair(frame: frame, claimed: layer, rival: layer, offset: (.max, .min))
      _ = prober.blockShift(frame: frame, layer: layer, margin: -5)
      _ = prober.fit(frame: frame, layer: layer, references: [frame], offset: (.max, .min))
    }
  }

  @Test("the line height is estimated from the bitmap")
  func lineHeight() throws {
    // Bodies of 28 rows each 40; a third of that in the frame.
    let two = try Material.layer(Material.one())
    #expect(abs(two.lineHeight - 40.0 / 3) < 1)
    let one = try Material.layer(Material.cue(columns: 20, lines: 1, cell: 4, seed: 3))
    #expect(one.lineHeight > 9 && one.lineHeight < 14)
    let three = try Material.layer(Material.cue(columns: 20, lines: 3, cell: 4, seed: 3))
    #expect(abs(three.lineHeight - 40.0 / 3) < 1)
  }

  @Test("calibration takes medians and keeps the middle in place")
  func calibration() throws {
    let shifts = [
      BlockShift(dx: -0.4, dy: 0.1, scaleX: 0.999, blocks: 6),
      BlockShift(dx: -0.5, dy: 0, scaleX: 0.998, blocks: 5),
      BlockShift(dx: 3, dy: 0.02, scaleX: 1.5, blocks: 2),
    ]
    let found = try #require(Calibration(of: shifts))
    #expect(found.dx == -0.4 && found.dy == 0.02 && abs(found.scaleX - 0.9985) < 1e-9)
    let canvas = Canvas(width: 1920, height: 1080)
    let applied = found.applied(
      to: Placement(scaleX: 0.5, offsetX: 0, scaleY: 0.5, offsetY: 0), canvas: canvas)
    #expect(abs(applied.scaleX * 960 + applied.offsetX - (480 - 0.4)) < 1e-9)
    #expect(applied.scaleY == 0.5 && applied.offsetY == 0.02)
    #expect(Calibration(of: []) == nil)
    #expect(!found.isShifted(frameWidth: 960))
    let off = try #require(
      Calibration(of: [BlockShift(dx: 4.5, dy: 0, scaleX: 1, blocks: 4)]))
    #expect(off.isShifted(frameWidth: 960) && off.isShifted(frameWidth: 1120))
    #expect(!off.isShifted(frameWidth: 1280))
  }
}
