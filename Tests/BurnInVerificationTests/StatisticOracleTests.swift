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
}
