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
    if !task.isBlind { compareWithSource(seen, &colour) }
    facts.colour = colour
    if hasDisplacedCopy(seen) { facts.isDouble = true }
  }

  /// Cues at which the fit with the source must favour "drawn twice", of those it could tell.
  private static let leastTwice = 3

  private func compareWithSource(
    _ seen: [SessionDecision.SeenCue], _ colour: inout SessionFacts.Colour
  ) {
    var fits: [InkFit] = []
    for look in seen {
      guard let layer = eyes.layer(look.cue.key), let picture = frames.transcode(frame: look.frame)
      else { continue }
      let sources = frames.reference(frame: look.frame, neighbours: 2)
      guard !sources.isEmpty,
        let fit = eyes.prober.fit(frame: picture, layer: layer, references: sources)
      else { continue }
      fits.append(fit)
    }
    guard fits.count >= 2 else { return }
    colour.occlusion = rounded(median(fits.map(\.occlusion)), 1000)
    colour.slope = rounded(median(fits.map(\.ink)), 1000)
    // Below 300 lines edges are too soft to tell one layer from two.
    let isOff = colour.fillRatio.map { abs($0 - 1) > SessionFacts.Colour.fillTolerance } ?? false
    let votes = fits.compactMap(\.favoursTwice)
    if frameSize.height > 300, !isOff, votes.count >= Self.leastTwice,
      votes.count(where: { $0 }) * 4 >= votes.count * 3
    {
      facts.isDouble = true
    }
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
