// SPDX-License-Identifier: Apache-2.0
import Compositing
import SubtitleModel

/// How strongly a seen track is drawn, and whether it is drawn twice.
extension VerificationSession {
  /// Passed cues whose strength is measured.
  private static let strengthCues = 8

  /// Measures strength, brightness and copies at cues that passed.
  func inspectStrength(_ decision: SessionDecision) {
    let seen = Array(decision.passedCues.prefix(Self.strengthCues))
    let results = seen.compactMap { eyes.measure($0.cue, frame: $0.frame) }
    var colour = SessionFacts.Colour()
    let slopes = results.compactMap(\.slope).filter(\.isFinite)
    let fills = results.compactMap(\.fill).filter(\.isFinite)
    if !slopes.isEmpty { colour.slope = rounded(median(slopes), 1000) }
    if !fills.isEmpty { colour.fillRatio = rounded(median(fills), 1000) }
    facts.colour = colour
    if hasDisplacedCopy(seen) { facts.isDouble = true }
  }

  /// Whether a second copy of another scale is on screen, alike at two cues.
  private func hasDisplacedCopy(_ seen: [SessionDecision.SeenCue]) -> Bool {
    var scales: [Double] = []
    let usable = seen.filter { $0.cue.textLength >= 8 }.prefix(4)
    guard usable.count >= 2 else { return false }
    for look in usable {
      guard let picture = frames.transcode(frame: look.frame),
        let bitmap = eyes.bitmap(look.cue.key),
        let sighting = eyes.prober.locate(
          frame: picture, bitmap: bitmap, canvas: askedCanvas, scales: Prober.secondCopyScales,
          count: 1
        ).first, sighting.g >= Sighting.leastSecondScore
      else { continue }
      scales.append(sighting.scale)
    }
    guard scales.count >= 2, let least = scales.min(), let most = scales.max() else { return false }
    return most - least < 0.045
  }
}
