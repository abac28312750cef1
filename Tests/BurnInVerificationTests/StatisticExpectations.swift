// SPDX-License-Identifier: Apache-2.0

// Written by Tests/oracle/statistic.py; see there for the command. Do not edit.

// swift-format-ignore-file

enum StatisticExpectations {
  static let probes: [ExpectedProbe] = [
    ExpectedProbe(name: "burned, two taps", layer: (70, 139, 181, 29), picks: [(0.50196, 29.7412), (1.00000, 29.7412), (1.00000, 217.8235), (1.00000, 217.8235), (0.00000, 16.0000)], g: 0.670854, gStar: 0.832003, eta: 0.806312, z: 34.71239, u: 1.612623, dx: 0, dy: 0, coverage: 1.00000, blocks: 22, gain: 0.551860, slope: 0.415533, fill: 0.711585, decoys: 153),
    ExpectedProbe(name: "burned, area", layer: (70, 139, 181, 29), picks: [(0.50071, 40.1754), (0.88235, 106.7156), (1.00000, 210.3133), (0.99308, 177.0464), (0.18807, 29.7412)], g: 0.815673, gStar: 0.748276, eta: 1.090069, z: 31.47029, u: 2.180138, dx: 0, dy: 0, coverage: 1.00000, blocks: 22, gain: 1.080331, slope: 1.027511, fill: 1.036549, decoys: 110),
    ExpectedProbe(name: "nothing drawn", layer: (70, 139, 181, 29), picks: [(0.50071, 40.1754), (0.88235, 106.7156), (1.00000, 210.3133), (0.99308, 177.0464), (0.18807, 29.7412)], g: 0.005709, gStar: 0.747507, eta: 0.007638, z: -0.43615, u: -0.096923, dx: 2, dy: 0, coverage: 0.00000, blocks: 22, gain: 0.005214, slope: 0.007757, fill: 0.580087, decoys: 153),
    ExpectedProbe(name: "another cue drawn", layer: (70, 139, 181, 29), picks: [(0.20115, 29.7412), (0.00000, 16.0000), (1.00000, 209.9868), (1.00000, 217.8235), (0.00000, 16.0000)], g: 0.084627, gStar: 0.735552, eta: 0.115053, z: 0.65224, u: 0.144942, dx: 0, dy: -1, coverage: 0.00000, blocks: 23, gain: 0.107530, slope: 0.066026, fill: 0.666709, decoys: 153),
    ExpectedProbe(name: "drawn 2 right and 1 up", layer: (70, 139, 181, 29), picks: [(0.50071, 40.1754), (0.88235, 106.7156), (1.00000, 210.3133), (0.99308, 177.0464), (0.18807, 29.7412)], g: 0.813342, gStar: 0.748955, eta: 1.085970, z: 34.66965, u: 2.171940, dx: 2, dy: -1, coverage: 1.00000, blocks: 22, gain: 1.081147, slope: 1.029102, fill: 1.036549, decoys: 86),
    ExpectedProbe(name: "expected a fraction off", layer: (70, 139, 181, 29), picks: [(0.37544, 29.7412), (0.99609, 164.7477), (0.98630, 167.0409), (1.00000, 214.8978), (0.46732, 39.8029)], g: 0.577174, gStar: 0.754066, eta: 0.765417, z: 17.60953, u: 1.530833, dx: 0, dy: 0, coverage: 1.00000, blocks: 23, gain: 0.737319, slope: 0.535600, fill: 0.916715, decoys: 153),
    ExpectedProbe(name: "reaches below the frame", layer: (70, 159, 181, 29), picks: [(0.50071, 40.1754), (0.88235, 106.7156), (1.00000, 210.3133), (0.99308, 177.0464), (0.18807, 29.7412)], g: 0.640472, gStar: 0.746832, eta: 0.857585, z: 20.58287, u: 1.715169, dx: 0, dy: 0, coverage: 1.00000, blocks: 22, gain: 0.797348, slope: 0.773840, fill: 1.036549, decoys: 153),
    ExpectedProbe(name: "box, half transparent", layer: (69, 138, 169, 26), picks: [(0.97925, 157.7866), (0.78704, 50.8287), (0.58824, 51.5931), (0.00000, 16.0000), (0.58704, 51.3336)], g: 0.798922, gStar: 0.785071, eta: 1.017643, z: 19.19052, u: 2.035286, dx: 0, dy: 0, coverage: 1.00000, blocks: 18, gain: 1.016135, slope: 1.011639, fill: 1.025405, decoys: 117),
    ExpectedProbe(name: "a wrong scale", layer: (67, 139, 190, 30), picks: [(0.99238, 29.7412), (1.00000, 123.7824), (1.00000, 217.8235), (1.00000, 217.8235), (0.00000, 16.0000)], g: 0.077443, gStar: 0.802225, eta: 0.096535, z: 3.45392, u: 0.193071, dx: -3, dy: -1, coverage: 0.13950, blocks: 23, gain: 0.063631, slope: 0.060933, fill: 0.635836, decoys: 109),
  ]

  static let pairs: [ExpectedPair] = [
    ExpectedPair(name: "one against other, one drawn", d: 1.052002, count: 662, likeness: 0.097387),
    ExpectedPair(name: "one against other, other drawn", d: -1.049375, count: 662, likeness: 0.097387),
    ExpectedPair(name: "one against revised, one drawn", d: 1.105754, count: 2, likeness: 0.979564),
    ExpectedPair(name: "one against revised, revised drawn", d: -1.056431, count: 2, likeness: 0.979564),
    ExpectedPair(name: "one against revised, nothing drawn", d: -0.274884, count: 2, likeness: 0.979564),
    ExpectedPair(name: "one against boxed, boxed drawn", d: -1.034226, count: 1579, likeness: 0.003025),
  ]

  static let shifts: [ExpectedShift] = [
    ExpectedShift(name: "in place", dx: -0.005173, dy: 0.001682, scaleX: 0.9999841, blocks: 6),
    ExpectedShift(name: "a fraction off", dx: -0.381170, dy: 0.185425, scaleX: 1.0000616, blocks: 6),
    ExpectedShift(name: "wider", dx: -0.630567, dy: -0.002050, scaleX: 0.9946653, blocks: 6),
  ]

  static let fits: [ExpectedFit] = [
    ExpectedFit(name: "drawn once", ink: 1.038323, occlusion: 1.037656, beta: 1.052486, r2: 0.995219, seInk: 0.002434, seOcclusion: 0.002379, seBeta: 0.003724, sigma: 0.0, isTwice: false, box: nil),
    ExpectedFit(name: "drawn twice", ink: 1.170562, occlusion: 1.242513, beta: 1.166833, r2: 0.967005, seInk: 0.014549, seOcclusion: 0.011806, seBeta: 0.021941, sigma: 0.0, isTwice: true, box: nil),
    ExpectedFit(name: "nothing drawn", ink: 0.010230, occlusion: -0.002189, beta: 0.018669, r2: 0.005641, seInk: 0.021826, seOcclusion: 0.024621, seBeta: 0.024034, sigma: 1.1, isTwice: false, box: nil),
    ExpectedFit(name: "tone changed before", ink: 1.039693, occlusion: 1.041607, beta: 1.051839, r2: 0.995259, seInk: 0.002542, seOcclusion: 0.002586, seBeta: 0.003903, sigma: 0.0, isTwice: false, box: nil),
    ExpectedFit(name: "box once", ink: 1.014971, occlusion: 1.006978, beta: 1.019777, r2: 0.996526, seInk: 0.003209, seOcclusion: 0.002258, seBeta: 0.002961, sigma: 0.0, isTwice: false, box: 0.994691),
    ExpectedFit(name: "box twice", ink: 1.222637, occlusion: 1.315320, beta: 1.291962, r2: 0.981017, seInk: 0.015493, seOcclusion: 0.008428, seBeta: 0.021825, sigma: 0.0, isTwice: true, box: 1.404428),
  ]
}
