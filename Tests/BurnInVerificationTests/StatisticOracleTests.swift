// SPDX-License-Identifier: Apache-2.0

import BurnInVerification
import Compositing
import SubtitleModel
import Testing

@Suite("The statistic against numbers computed a second time")
struct StatisticOracleTests {
  struct Case {
    var frame: SamplePlane
    var object: CueObject
    var placement = Material.third
    var kernel = ResamplingKernel.area
    var line = 13.3
    var margin = 2
  }

  /// The cases, by the names of the table.
  static let cases: [String: Case] = {
    let base = Material.frame(320, 180, 3)
    let one = Material.one()
    let burned = Material.burn(base, one, ratio: 3)
    let low = Material.one(at: (213, 480))
    var cases: [String: Case] = [:]
    cases["burned, two taps"] = Case(frame: burned, object: one, kernel: .bilinear)
    cases["burned, area"] = Case(frame: burned, object: one, margin: 3)
    cases["nothing drawn"] = Case(frame: base, object: one)
    cases["another cue drawn"] = Case(frame: burned, object: Material.other)
    cases["drawn 2 right and 1 up"] = Case(
      frame: Material.burn(base, one, ratio: 3, shift: (2, -1)), object: one, margin: 4)
    cases["expected a fraction off"] = Case(
      frame: burned, object: one,
      placement: Placement(scaleX: 1.0 / 3, offsetX: 0.4, scaleY: 1.0 / 3, offsetY: -0.3))
    cases["reaches below the frame"] = Case(
      frame: Material.burn(base, low, ratio: 3), object: low)
    cases["box, half transparent"] = Case(
      frame: Material.burn(base, Material.boxed, ratio: 3), object: Material.boxed, line: 16.7)
    cases["a wrong scale"] = Case(
      frame: burned, object: one,
      placement: Placement(scaleX: 0.35, offsetX: -6, scaleY: 0.35, offsetY: -7),
      kernel: .bilinear, line: 14, margin: 3)
    return cases
  }()

  @Test("layers and probes agree", arguments: StatisticExpectations.probes)
  func probe(_ expected: ExpectedProbe) throws {
    let given = try #require(Self.cases[expected.name])
    let layer = try Material.layer(given.object, given.placement, given.kernel)
    #expect(layer.x == expected.layer.0 && layer.y == expected.layer.1)
    #expect(layer.width == expected.layer.2 && layer.height == expected.layer.3)
    let places = [(7, 9), (11, 40), (18, 71), (24, 100), (15, 133)]
    for ((row, column), pick) in zip(places, expected.picks) {
      let index = row * layer.width + column
      #expect(abs(Double(layer.alpha[index]) - pick.0) < 1e-4)
      #expect(abs(Double(layer.luma[index]) - pick.1) < 2e-3)
    }
    let found = Prober().measure(
      frame: given.frame, layer: layer, lineHeight: given.line, margin: given.margin)
    #expect(abs(found.g - expected.g) < 1e-3)
    #expect(abs(found.gStar - expected.gStar) < 1e-3)
    #expect(abs(found.eta - expected.eta) < 1e-3)
    #expect(abs(found.z - expected.z) < max(0.02 * abs(expected.z), 0.02))
    #expect(abs(found.u - expected.u) < max(0.02 * abs(expected.u), 0.02))
    #expect(found.dx == expected.dx && found.dy == expected.dy)
    #expect(abs(found.coverage - expected.coverage) < 1e-3)
    #expect(found.blocks == expected.blocks)
    #expect(abs(found.gain - expected.gain) < 1e-3)
    #expect(found.decoyCount == expected.decoys)
    #expect((found.slope == nil) == (expected.slope == nil))
    #expect(abs((found.slope ?? 0) - (expected.slope ?? 0)) < 1e-3)
    #expect((found.fill == nil) == (expected.fill == nil))
    #expect(abs((found.fill ?? 0) - (expected.fill ?? 0)) < 1e-3)
  }

  static let base = Material.frame(320, 180, 3)

  @Test("pairs agree", arguments: StatisticExpectations.pairs)
  func pair(_ expected: ExpectedPair) throws {
    let cues = [
      "one": Material.one(), "other": Material.other, "revised": Material.revised,
      "boxed": Material.boxed,
    ]
    // "one against other, one drawn"
    let words = expected.name.split(whereSeparator: { $0 == " " || $0 == "," }).map(String.init)
    let first = try Material.layer(try #require(cues[words[0]]))
    let second = try Material.layer(try #require(cues[words[2]]))
    let frame = cues[words[3]].map { Material.burn(Self.base, $0, ratio: 3) } ?? Self.base
    let prober = Prober()
    let found = try #require(prober.pair(frame: frame, claimed: first, rival: second))
    #expect(abs(found.d - expected.d) < 2e-3)
    #expect(found.exclusivePixelCount == expected.count)
    #expect(abs(prober.likeness(first, second) - expected.likeness) < 1e-3)
    #expect(found.isInformative == (expected.count >= 12))
  }

  @Test("block shifts agree", arguments: StatisticExpectations.shifts)
  func shift(_ expected: ExpectedShift) throws {
    let placements = [
      "in place": Material.third,
      "a fraction off": Placement(
        scaleX: 1.0 / 3, offsetX: 0.4, scaleY: 1.0 / 3, offsetY: -0.3),
      "wider": Placement(scaleX: 0.335, offsetX: -0.2, scaleY: 1.0 / 3, offsetY: 0),
    ]
    let one = Material.one()
    let layer = try Material.layer(one, try #require(placements[expected.name]))
    let frame = Material.burn(Self.base, one, ratio: 3)
    let found = try #require(
      Prober().blockShift(frame: frame, layer: layer, lineHeight: 13.3, margin: 3))
    #expect(abs(found.dx - expected.dx) < 2e-3)
    #expect(abs(found.dy - expected.dy) < 2e-3)
    #expect(abs(found.scaleX - expected.scaleX) < 2e-5)
    #expect(found.blocks == expected.blocks)
  }

  @Test("fits against a reference agree", arguments: StatisticExpectations.fits)
  func fit(_ expected: ExpectedFit) throws {
    let base = Self.base
    let (one, boxed) = (Material.one(), Material.boxed)
    let dark = Material.mapped(base) { $0 * 7 / 8 + 9 }
    let other = Material.frame(320, 180, 4)
    let mixture = SamplePlane(
      width: 320, height: 180,
      samples: zip(base.samples, other.samples).map { UInt8(Int($1) / 8 + Int($0) * 7 / 8) })
    let frames: [String: (CueObject, SamplePlane)] = [
      "drawn once": (one, Material.burn(base, one, ratio: 3)),
      "drawn twice": (one, Material.burn(base, one, ratio: 3, times: 2)),
      "nothing drawn": (one, mixture),
      "tone changed before": (one, Material.burn(dark, one, ratio: 3)),
      "box once": (boxed, Material.burn(base, boxed, ratio: 3)),
      "box twice": (boxed, Material.burn(base, boxed, ratio: 3, times: 2)),
    ]
    let (object, frame) = try #require(frames[expected.name])
    let found = try #require(
      Prober().fit(
        frame: frame, layer: try Material.layer(object), references: [base], lineHeight: 13.3))
    #expect(abs(found.ink - expected.ink) < 2e-3)
    #expect(abs(found.occlusion - expected.occlusion) < 2e-3)
    #expect(abs(found.beta - expected.beta) < 2e-3)
    #expect(abs(found.r2 - expected.r2) < 2e-3)
    #expect(abs(found.seInk - expected.seInk) < 1e-3)
    #expect(abs(found.seOcclusion - expected.seOcclusion) < 1e-3)
    #expect(abs(found.seBeta - expected.seBeta) < 1e-3)
    #expect(found.sigma == expected.sigma)
    #expect(found.favoursTwice == (expected.r2 < 0.5 ? nil : expected.isTwice))
    #expect((found.boxOcclusion == nil) == (expected.box == nil))
    #expect(abs((found.boxOcclusion ?? 0) - (expected.box ?? 0)) < 2e-3)
  }
}
