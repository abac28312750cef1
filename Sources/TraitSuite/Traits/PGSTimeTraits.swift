// SPDX-License-Identifier: Apache-2.0
import SubtitleFormats
import SubtitleModel

/// A block of 4x2 at column 2, row 1.
private let white = ["", "..WWWW", "..WWWW"]
private let nothing: [String] = []

extension PGSTraitList {
  /// Clocks and containers.
  static func times() throws -> [StreamTrait] {
    // Three frames of 1001/24000 s each, the fourth clears.
    let frame = 1001.0 / 24_000
    let steps = (0..<3).map { PGSSampleSet.block(1 + Double($0) * frame, x: 2 + 4 * $0) }
    let shown = (0..<3).map { step in
      let row = String(repeating: ".", count: 2 + 4 * step) + "WWWW"
      return ["", row, row]
    }
    return [
      try pgs(
        "the decoding time is not the presentation time", [.block(2), .clear(4)],
        [(1.9, nothing), (2, white), (3.9, white), (4, nothing)], cues: 1
      ).with { $0.decodingLead = 45_000 },
      try pgs(
        "steps a film frame apart", steps + [.clear(1 + 3 * frame)],
        [(0.9, nothing), (1.02, shown[0]), (1.06, shown[1]), (1.1, shown[2]), (1.16, nothing)],
        cues: 3),
      try pgs(
        "the first cue comes late", [.block(16), .clear(18)],
        [(0.5, nothing), (1, nothing), (15.9, nothing), (16, white), (18, nothing)], cues: 1),
      try pgs(
        "blocks are compressed", [.block(1), .clear(3)],
        [(0.9, nothing), (1, white), (2.9, white), (3, nothing)], cues: 1
      ).with {
        $0.storage = .matroska
        $0.compression = .blocks
      },
    ]
  }
}
