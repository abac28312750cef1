// SPDX-License-Identifier: Apache-2.0

import BurnInVerification
import Compositing
import SubtitleModel

/// What the oracle says of one probe.
struct ExpectedProbe: Sendable, CustomTestStringConvertibleByName {
  var name: String
  var layer: (Int, Int, Int, Int)
  var picks: [(Double, Double)]
  var g: Double
  var gStar: Double
  var eta: Double
  var z: Double
  var u: Double
  var dx: Int
  var dy: Int
  var coverage: Double
  var blocks: Int
  var gain: Double
  var slope: Double?
  var fill: Double?
  var decoys: Int
}

/// What the oracle says of one pair.
struct ExpectedPair: Sendable, CustomTestStringConvertibleByName {
  var name: String
  var d: Double
  var count: Int
  var likeness: Double
}

/// What the oracle says of one block shift.
struct ExpectedShift: Sendable, CustomTestStringConvertibleByName {
  var name: String
  var dx: Double
  var dy: Double
  var scaleX: Double
  var blocks: Int
}

/// What the oracle says of one fit against a reference.
struct ExpectedFit: Sendable, CustomTestStringConvertibleByName {
  var name: String
  var ink: Double
  var occlusion: Double
  var beta: Double
  var r2: Double
  var seInk: Double
  var seOcclusion: Double
  var seBeta: Double
  var sigma: Double
  var isTwice: Bool
  var box: Double?
}

/// Shows a case by its name.
protocol CustomTestStringConvertibleByName: CustomStringConvertible {
  var name: String { get }
}

extension CustomTestStringConvertibleByName {
  var description: String { name }
}

/// Frames and cues by the integer formulas that Tests/oracle/statistic.py has too.
enum Material {
  /// A byte of noise for a place.
  static func mixed(_ x: Int, _ y: Int, _ seed: Int) -> Int {
    var h = UInt32(truncatingIfNeeded: x) &* 374_761_393
    h = h &+ UInt32(truncatingIfNeeded: y) &* 668_265_263
    h = h &+ UInt32(truncatingIfNeeded: seed) &* 2_246_822_519
    h = (h ^ (h >> 13)) &* 1_274_126_177
    return Int(((h ^ (h >> 16)) >> 8) & 255)
  }

  static func ramp(_ value: Int, _ period: Int) -> Int {
    let v = ((value % period) + period) % period
    return min(v, period - v)
  }

  static func frame(_ width: Int, _ height: Int, _ seed: Int) -> SamplePlane {
    var samples: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        var v = 50 + ramp(x + 2 * y + 31 * seed, 128) + ramp(3 * x - y + 17 * seed, 90)
        v += mixed(x / 24, y / 18, seed) < 90 ? 40 : 0
        samples.append(UInt8(min(235, v + mixed(x, y, seed + 1) % 9)))
      }
    }
    return SamplePlane(width: width, height: height, samples: samples)
  }

  /// A frame with every sample changed.
  static func mapped(_ frame: SamplePlane, _ change: (Int) -> Int) -> SamplePlane {
    SamplePlane(
      width: frame.width, height: frame.height,
      samples: frame.samples.map { UInt8(min(max(change(Int($0)), 0), 255)) })
  }

  static let palette = Palette(colors: [
    .transparent,
    PaletteColor(red: 16, green: 16, blue: 16, alpha: 128),
    PaletteColor(red: 16, green: 16, blue: 16, alpha: 255),
    PaletteColor(red: 235, green: 235, blue: 235, alpha: 255),
    PaletteColor(red: 40, green: 40, blue: 60, alpha: 150),
  ])

  /// Rows of glyphs of 5 x 7 blocks, with an outline.
  static func cue(
    columns: Int, lines: Int, cell: Int, seed: Int, changed: Int = -1, box: Bool = false,
    at place: (Int, Int) = (213, 420), palette: Palette = palette
  ) -> CueObject {
    let (pitchX, pitchY, border) = (6 * cell, 10 * cell, cell + 2)
    let (width, height) = (columns * pitchX + 2 * border, lines * pitchY + 2 * border)
    var fill = [Bool](repeating: false, count: width * height)
    for line in 0..<lines {
      for column in 0..<columns where mixed(column, line, seed + 7) >= 40 {
        let glyph = line * columns + column
        let salt = seed + (glyph == changed ? 1000 : 0)
        for j in 0..<7 {
          for i in 0..<5 where mixed(glyph * 5 + i, j, salt) < 128 {
            for y in 0..<cell {
              let row = border + line * pitchY + j * cell + y
              let start = row * width + border + column * pitchX + i * cell
              for x in 0..<cell { fill[start + x] = true }
            }
          }
        }
      }
    }
    let first = grown(fill, width, height)
    let second = grown(first, width, height)
    let indices = fill.indices.map { i -> UInt8 in
      fill[i] ? 3 : first[i] ? 2 : second[i] ? 1 : box ? 4 : 0
    }
    return CueObject(
      x: place.0, y: place.1,
      bitmap: IndexedBitmap(width: width, height: height, indices: indices), palette: palette,
      isForced: false)
  }

  private static func grown(_ mask: [Bool], _ width: Int, _ height: Int) -> [Bool] {
    var out = mask
    for y in 0..<height {
      for x in 0..<width where mask[y * width + x] {
        for row in max(0, y - 1)...min(height - 1, y + 1) {
          for column in max(0, x - 1)...min(width - 1, x + 1) { out[row * width + column] = true }
        }
      }
    }
    return out
  }

  /// Draws a cue on a frame of 1/ratio the canvas, by whole numbers only.
  static func burn(
    _ base: SamplePlane, _ object: CueObject, ratio: Int, shift: (Int, Int) = (0, 0),
    times: Int = 1, strength factor: (Int, Int) = (1, 1)
  ) -> SamplePlane {
    var out = base
    let (width, height) = (object.bitmap.width, object.bitmap.height)
    let levels = object.palette.colors.map {
      (Int(CueBitmap.luma(of: $0).rounded()), Int($0.alpha))
    }
    let n = ratio * ratio
    for fy in (object.y / ratio - 1)..<((object.y + height) / ratio + 2) {
      for fx in (object.x / ratio - 1)..<((object.x + width) / ratio + 2) {
        var (strength, light) = (0, 0)
        for j in 0..<ratio {
          for i in 0..<ratio {
            let (cy, cx) = (fy * ratio + j - object.y, fx * ratio + i - object.x)
            guard cy >= 0, cy < height, cx >= 0, cx < width else { continue }
            let (s, a) = levels[Int(object.bitmap.indices[cy * width + cx])]
            strength += a
            light += a * s
          }
        }
        strength = strength * factor.0 / factor.1
        light = light * factor.0 / factor.1
        let (tx, ty) = (fx + shift.0, fy + shift.1)
        guard tx >= 0, tx < out.width, ty >= 0, ty < out.height, strength > 0 else { continue }
        let index = ty * out.width + tx
        for _ in 0..<times {
          let below = Int(out.samples[index]) * (255 * n - strength)
          out.samples[index] = UInt8((below + light + 255 * n / 2) / (255 * n))
        }
      }
    }
    return out
  }

  static let third = Placement(scaleX: 1.0 / 3, offsetX: 0, scaleY: 1.0 / 3, offsetY: 0)
  static func one(at place: (Int, Int) = (213, 420)) -> CueObject {
    cue(columns: 22, lines: 2, cell: 4, seed: 11, at: place)
  }
  static let other = cue(columns: 22, lines: 2, cell: 4, seed: 53)
  static let revised = cue(columns: 22, lines: 2, cell: 4, seed: 11, changed: 30)
  static let boxed = cue(columns: 16, lines: 1, cell: 5, seed: 29, box: true)

  /// A layer that must exist.
  static func layer(
    _ object: CueObject, _ placement: Placement = third, _ kernel: ResamplingKernel = .area
  ) throws -> CueLayer {
    struct NoLayer: Error {}
    guard let layer = CueLayer(objects: [object], placement: placement, kernel: kernel) else {
      throw NoLayer()
    }
    return layer
  }
}
