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
}
