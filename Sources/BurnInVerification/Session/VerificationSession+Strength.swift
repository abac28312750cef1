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

  /// A place where a cue is on screen besides its own, against its own.
  private struct Copy {
    var scale: Double
    var dx: Double
    var dy: Double

    /// Whether the copy has another size; scales nearer to 1 are the cue itself, roughly seen.
    var isScaled: Bool { abs(scale - 1) > 0.035 }

    /// Whether two cues' copies are one copy of the track: of one size, and of one place if the size
    /// is the track's own.
    func agrees(with other: Copy) -> Bool {
      guard abs(scale - other.scale) < 0.045, isScaled == other.isScaled else { return false }
      return isScaled || max(abs(dx - other.dx), abs(dy - other.dy)) < Self.tolerance
    }

    /// Frame pixels by which the places of a copy may differ from cue to cue.
    private static let tolerance = 6.0
  }

  /// Whether a second copy is on screen, at another scale or place, alike at two cues.
  private func hasDisplacedCopy(_ seen: [SessionDecision.SeenCue]) -> Bool {
    let copies = seen.filter { $0.cue.textLength >= 8 }.prefix(4).compactMap(displacedCopy)
    return copies.indices.contains { place in
      copies.dropFirst(place + 1).contains { $0.agrees(with: copies[place]) }
    }
  }

  private func displacedCopy(of look: SessionDecision.SeenCue) -> Copy? {
    guard eyes.canvas(of: look.cue) == askedCanvas,
      let picture = frames.transcode(frame: look.frame),
      let bitmap = eyes.bitmap(look.cue.key), let own = eyes.placements[askedCanvas]
    else { return nil }
    let x = Double(bitmap.box.x) + Double(bitmap.box.width) / 2
    let y = Double(bitmap.box.y) + Double(bitmap.box.height) / 2
    // Nearer than this a text may look like itself, one line further.
    let nearest = Double(bitmap.box.height) * own.scaleY * 0.6
    let sightings = eyes.prober.locate(
      frame: picture, bitmap: bitmap, canvas: askedCanvas, scales: Prober.secondCopyScales + [1],
      count: 4)
    for sighting in sightings where sighting.g >= Sighting.leastSecondScore {
      let place = sighting.placement
      let copy = Copy(
        scale: place.scaleY / own.scaleY,
        dx: place.scaleX * x + place.offsetX - own.scaleX * x - own.offsetX,
        dy: place.scaleY * y + place.offsetY - own.scaleY * y - own.offsetY)
      if copy.isScaled { return copy }
      guard abs(copy.dy) > nearest,
        let layer = eyes.layer(look.cue.key, placement: place, kernel: .bilinear),
        eyes.prober.measure(frame: picture, layer: layer).passes
      else { continue }
      return copy
    }
    return nil
  }
}
