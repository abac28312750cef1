// SPDX-License-Identifier: Apache-2.0

import BurnInVerification
import Compositing
import SubtitleModel
import Testing

@Suite("What a probe says of drawn and absent text")
struct StatisticBehaviourTests {
  static let base = Material.frame(426, 240, 5)
  static let place = (300, 560)
  static let text = Material.cue(columns: 18, lines: 2, cell: 5, seed: 71, at: place)

  /// A frame with a bit of blur and noise, as after encoding.
  static func encoded(_ frame: SamplePlane, seed: Int) -> SamplePlane {
    var out = frame
    let s = frame.samples
    for y in 1..<(frame.height - 1) {
      for x in 1..<(frame.width - 1) {
        let i = y * frame.width + x
        let around =
          Int(s[i - 1]) + Int(s[i + 1]) + Int(s[i - frame.width]) + Int(s[i + frame.width])
        let noise = Material.mixed(x, y, seed) % 9 - 4
        out.samples[i] = UInt8(min(max((8 * Int(s[i]) + around) / 12 + noise, 0), 255))
      }
    }
    return out
  }

  static func gray(_ level: UInt8, text: UInt8? = nil) -> Palette {
    let color = text ?? level
    var colors = Material.palette.colors
    colors[1].alpha = 0
    colors[2].alpha = 0
    colors[3] = PaletteColor(red: color, green: color, blue: color, alpha: 255)
    return Palette(colors: colors)
  }

  @Test("drawn text passes, in both kernels")
  func drawn() throws {
    let frame = Self.encoded(Material.burn(Self.base, Self.text, ratio: 3), seed: 1)
    let prober = Prober()
    for kernel in ResamplingKernel.allCases {
      let layer = try Material.layer(Self.text, Material.third, kernel)
      let found = prober.measure(frame: frame, layer: layer)
      #expect(found.passes && found.evidence == 5)
      #expect(found.dx == 0 && found.dy == 0)
      #expect(found.gain > (kernel == .area ? 0.5 : 0.3) && !found.isOff)
      #expect(found.decoyCount >= 80)
    }
    let area = prober.measure(frame: frame, layer: try Material.layer(Self.text))
    #expect(abs((area.fill ?? 0) - 1) < 0.08)
    #expect(abs((area.slope ?? 0) - 1) < 0.3)
  }

  @Test("absent text and other text do not pass")
  func absent() throws {
    let layer = try Material.layer(Self.text)
    let prober = Prober()
    let other = Material.cue(columns: 18, lines: 2, cell: 5, seed: 72, at: Self.place)
    for frame in [Self.base, Material.burn(Self.base, other, ratio: 3)] {
      let found = prober.measure(frame: Self.encoded(frame, seed: 2), layer: layer)
      #expect(!found.passes && found.u < 0.5 && found.evidence == -4)
      #expect(!found.isAlreadyInSource)
    }
  }

  @Test("hundreds of absent bitmaps give no pass")
  func nulls() throws {
    let prober = Prober()
    var (passes, informative, highest) = (0, 0, -Double.infinity)
    let frames = (0..<12).map { seed in
      let ground = Material.frame(320, 180, 100 + seed)
      let shown = Material.cue(
        columns: 20, lines: 1 + seed % 2, cell: 4, seed: 500 + seed, at: (213, 420))
      return seed % 3 == 0 ? ground : Material.burn(ground, shown, ratio: 3)
    }
    for seed in 0..<30 {
      let sought = Material.cue(
        columns: 8 + seed % 14, lines: 1 + seed / 2 % 2, cell: 4, seed: 2000 + seed,
        at: (200 + seed, 410 + seed % 20))
      let layer = try Material.layer(sought)
      for frame in frames {
        let found = prober.measure(frame: frame, layer: layer)
        passes += found.passes ? 1 : 0
        informative += found.isVoid ? 0 : 1
        highest = max(highest, found.u)
      }
    }
    #expect(passes == 0)
    #expect(informative > 300)
    #expect(highest < 0.9)
  }

  @Test("the pair test tells one revised word and does not invent one")
  func revisedWord() throws {
    let prober = Prober()
    let place = (150, 560)
    func variant(_ changed: Int) -> CueObject {
      Material.cue(columns: 14, lines: 1, cell: 10, seed: 71, changed: changed, at: place)
    }
    let (first, second) = (variant(-1), variant(5))
    let (k, j) = (try Material.layer(first), try Material.layer(second))
    let ofFirst = Self.encoded(Material.burn(Self.base, first, ratio: 3), seed: 3)
    let ofSecond = Self.encoded(Material.burn(Self.base, second, ratio: 3), seed: 4)
    let one = try #require(prober.pair(frame: ofFirst, claimed: k, rival: j))
    let two = try #require(prober.pair(frame: ofSecond, claimed: k, rival: j))
    #expect(one.isInformative && one.exclusivePixelCount == two.exclusivePixelCount)
    #expect(one.d > 0.5 && one.evidence == 5)
    #expect(two.d < -0.5 && two.evidence == -5)
    #expect(prober.likeness(k, j) > 0.3)
    #expect(prober.pair(frame: ofFirst, claimed: k, rival: k) == nil)
    let neither = try #require(prober.pair(frame: Self.base, claimed: k, rival: j))
    #expect(abs(neither.d) < 0.5)
  }

  @Test("text of the ground's own luma is void")
  func withoutContrast() throws {
    let flat = SamplePlane(
      width: 426, height: 240, samples: [UInt8](repeating: 126, count: 426 * 240))
    // RGB 128 is luma 126: nothing to be seen.
    let same = Material.cue(
      columns: 18, lines: 2, cell: 5, seed: 71, at: Self.place, palette: Self.gray(128))
    let found = Prober().measure(
      frame: Material.burn(flat, same, ratio: 3), layer: try Material.layer(same))
    #expect(found.isVoid && !found.passes && found.evidence == 0)
    // Ten steps of luma: still too faint to judge.
    let faint = Material.cue(
      columns: 18, lines: 2, cell: 5, seed: 71, at: Self.place, palette: Self.gray(138))
    let second = Prober().measure(
      frame: Self.encoded(Material.burn(flat, faint, ratio: 3), seed: 9),
      layer: try Material.layer(faint))
    #expect(second.isVoid && second.gStar > found.gStar)
    // A hundred: sure.
    let clear = Material.cue(
      columns: 18, lines: 2, cell: 5, seed: 71, at: Self.place, palette: Self.gray(235))
    let third = Prober().measure(
      frame: Self.encoded(Material.burn(flat, clear, ratio: 3), seed: 9),
      layer: try Material.layer(clear))
    #expect(third.passes)
  }

  @Test("a layer off the frame says so, one partly off is judged by what is left")
  func offFrame() throws {
    let prober = Prober()
    for place in [(300, 800), (-2000, 560), (1400, 560), (300, -400)] {
      let away = Material.cue(columns: 18, lines: 2, cell: 5, seed: 71, at: place)
      let found = prober.measure(frame: Self.base, layer: try Material.layer(away))
      #expect(found.isOff && found.isVoid && !found.passes && found.u == -1)
    }
    let cut = Material.cue(columns: 18, lines: 2, cell: 5, seed: 71, at: (-90, 560))
    let frame = Material.burn(Self.base, cut, ratio: 3)
    let found = prober.measure(frame: frame, layer: try Material.layer(cut))
    #expect(!found.isOff && found.u > 1)
    // Wider than the frame on both sides.
    let wide = Material.cue(columns: 60, lines: 1, cell: 5, seed: 71, at: (-200, 560))
    let seen = prober.measure(
      frame: Material.burn(Self.base, wide, ratio: 3), layer: try Material.layer(wide))
    #expect(!seen.isOff && seen.u > 0.7)
  }

  @Test("text shown on the reference too is known as the source's own")
  func ownText() throws {
    let frame = Material.burn(Self.base, Self.text, ratio: 3)
    let found = Prober().measure(frame: frame, layer: try Material.layer(Self.text))
    #expect(found.isAlreadyInSource)
  }

  @Test("a search of the frame finds a moved and shrunk copy, and nothing where none is")
  func search() throws {
    let canvas = Canvas(width: 1278, height: 720)
    let bitmap = try #require(CueBitmap(objects: [Self.text]))
    let prober = Prober()
    // Drawn 40 right and 90 up, at 0.9 of its size: canvas x -> 0.3 x + ...
    let moved = Placement(scaleX: 0.3, offsetX: 53, scaleY: 0.3, offsetY: -60)
    let layer = try Material.layer(Self.text, moved)
    var frame = Self.base
    for y in 0..<layer.height {
      for x in 0..<layer.width {
        let i = (layer.y + y) * frame.width + layer.x + x
        let a = layer.alpha[y * layer.width + x]
        let light = Float(frame.samples[i]) * (1 - a) + a * layer.luma[y * layer.width + x]
        frame.samples[i] = UInt8(light.rounded())
      }
    }
    let best = try #require(
      prober.locate(frame: frame, bitmap: bitmap, canvas: canvas, count: 1).first)
    #expect(best.isStrong && abs(best.scale - 0.9) < 0.03)
    let sure = try #require(
      prober.confirm(best, frame: frame, bitmap: bitmap, kernel: .area))
    #expect(sure.holds)
    #expect(abs(sure.placement.scaleX - 0.3) < 0.006)
    let left = sure.placement.scaleX * Double(bitmap.box.x) + sure.placement.offsetX
    #expect(abs(left - (0.3 * Double(bitmap.box.x) + 53)) < 3)
    let none = prober.locate(frame: Self.base, bitmap: bitmap, canvas: canvas, count: 1)
    #expect(none.allSatisfy { !$0.isStrong })
  }

  @Test("faint, dim and doubled text are told apart against the reference")
  func strengths() throws {
    let prober = Prober()
    let layer = try Material.layer(Self.text)
    func fit(_ frame: SamplePlane) throws -> InkFit {
      try #require(
        prober.fit(
          frame: frame, layer: layer, references: [Material.frame(426, 240, 9), Self.base]))
    }
    let whole = try fit(Material.burn(Self.base, Self.text, ratio: 3))
    #expect(abs(whole.ink - 1) < 0.08 && abs(whole.occlusion - 1) < 0.08 && whole.r2 > 0.97)
    #expect(whole.referenceIndex == 1 && whole.favoursTwice == false)
    let half = try fit(Material.burn(Self.base, Self.text, ratio: 3, strength: (1, 2)))
    #expect(abs(half.ink - 0.5) < 0.06 && abs(half.occlusion - 0.5) < 0.06)
    #expect(half.favoursTwice == nil)
    let dimmed = Material.cue(
      columns: 18, lines: 2, cell: 5, seed: 71, at: Self.place,
      palette: Palette(
        colors: Material.palette.colors.map {
          PaletteColor(
            red: $0.red / 2, green: $0.green / 2, blue: $0.blue / 2, alpha: $0.alpha)
        }))
    let dim = try fit(Material.burn(Self.base, dimmed, ratio: 3))
    #expect(dim.ink < 0.7 && dim.occlusion > 0.8)
    let none = try fit(Self.encoded(Self.base, seed: 5))
    #expect(abs(none.beta) < 0.1 && none.r2 < 0.2)
    let twice = try fit(Material.burn(Self.base, Self.text, ratio: 3, times: 2))
    #expect(twice.favoursTwice == true)
  }
}
