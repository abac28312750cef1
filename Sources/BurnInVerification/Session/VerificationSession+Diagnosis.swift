// SPDX-License-Identifier: Apache-2.0
import Compositing
import SubtitleModel

/// What is on screen where no cue of the asked track passes at its place and time.
extension VerificationSession {
  /// Looks for another track, another place, another time; says "not burned" only on evidence.
  func diagnose() -> VerificationResult {
    let absence = absence()
    if let other = otherTrackOnScreen() {
      facts.diagnosis = .anotherTrack(nameDrawnTrack(startingWith: other))
    } else if let displaced = displacedCopy() {
      facts.diagnosis = displaced
    } else if let delay = displacementInTime() {
      facts.diagnosis = .displacedInTime(delay)
    }
    return VerdictMapping.result(asked: task.asked, decision: absence, facts: facts)
  }

  /// What the decision's own looks at the expected place say.
  private func absence() -> SessionDecision {
    let decision = decide(
      claimed: task.asked, tracks: film.tracks, request: request, looks: eyes.looks())
    keepEvidence(decision)
    return decision
  }

  /// Cues of a rival probed at most, spread over its track.
  private static let rivalCues = 10

  /// A track of which three cues pass at their places; nil if there is none.
  private func otherTrackOnScreen() -> String? {
    let canvases = task.canvases
    let candidates = GeometryCandidate.all(
      expected: task.expectedLayout, canvas: askedCanvas, canvases: canvases, frame: frameSize,
      tellsAll: true)
    var seen: (name: String, passes: Int)?
    for candidate in candidates {
      eyes.use(placements: candidate.placements, kernel: .bilinear)
      for track in task.tracks.map(\.name).sorted() where track != task.asked {
        let passes = rivalPasses(track)
        if passes > seen?.passes ?? 2 {
          seen = (track, passes)
          facts.geometry = .layout(candidate.layout.rawValue)
        }
      }
      if seen != nil { break }
    }
    guard let seen else {
      if let first = candidates.first { eyes.use(placements: first.placements, kernel: .bilinear) }
      return nil
    }
    return seen.name
  }

  private func rivalPasses(_ track: String) -> Int {
    let cues = request.judged(film.tracks[track] ?? [])
    let atHand = cues.filter { frames.isAtHand(frame: $0.middleFrame) }
    let usable = atHand.isEmpty ? cues : atHand
    let step = max(1, usable.count / Self.rivalCues)
    let chosen = stride(from: 0, to: usable.count, by: step).prefix(Self.rivalCues)
    return chosen.count { index in
      eyes.measure(usable[index], frame: usable[index].middleFrame)?.passes == true
    }
  }

  /// Cues with at least this many letters are used for searches: short ones fit by chance.
  static let searchLetters = 10

  /// Cues of the asked track that a search may use: with some text, on the track's usual canvas.
  func searchCues(_ count: Int) -> [DecisionCue] {
    let usable = order.filter {
      $0.textLength >= Self.searchLetters && eyes.canvas(of: $0) == askedCanvas
    }
    return Array(usable.prefix(count))
  }

  /// The asked track at another place or scale, seen alike at two cues; nil if not.
  private func displacedCopy() -> SessionFacts.Diagnosis? {
    guard let placement = eyes.placements[askedCanvas] else { return nil }
    var found: [(scale: Double, dx: Double, dy: Double)] = []
    for cue in searchCues(4) {
      guard let picture = frames.transcode(frame: cue.middleFrame),
        let bitmap = eyes.bitmap(cue.key),
        let sighting = eyes.prober.locate(
          frame: picture, bitmap: bitmap, canvas: askedCanvas, count: 1
        ).first, sighting.isStrong,
        let fine = eyes.prober.confirm(
          sighting, frame: picture, bitmap: bitmap, kernel: .bilinear), fine.holds
      else { continue }
      let place = fine.placement
      // Both about the middle of the canvas's bottom line, where text lies.
      let (x, y) = (Double(askedCanvas.width) / 2, Double(askedCanvas.height) * 0.9)
      found.append(
        (
          place.scaleY / placement.scaleY,
          place.scaleX * x + place.offsetX - placement.scaleX * x - placement.offsetX,
          place.scaleY * y + place.offsetY - placement.scaleY * y - placement.offsetY
        ))
    }
    guard found.count >= 2, let smallest = found.map(\.scale).min(),
      let largest = found.map(\.scale).max(), largest - smallest < 0.045
    else { return nil }
    return .displaced(
      scale: rounded(median(found.map(\.scale)), 1000), dx: rounded(median(found.map(\.dx)), 10),
      dy: rounded(median(found.map(\.dy)), 10))
  }

  /// How far the time search goes to both sides, and its step, in grid frames.
  private static let timeReach = 240
  private static let timeStep = 8

  /// Seconds by which the asked track's cues come late, alike at two cues; nil if they do not.
  private func displacementInTime() -> Double? {
    var offsets: [Int] = []
    for cue in searchCues(3) {
      guard let layer = eyes.layer(cue.key) else { continue }
      let steps = stride(from: -Self.timeReach, through: Self.timeReach, by: Self.timeStep)
      let hit = steps.sorted { abs($0) < abs($1) }.first { step in
        let frame = cue.middleFrame + step
        guard frames.isAtHand(frame: frame) else { return false }
        return eyes.measure(layer, frame: frame)?.passes == true
      }
      if let hit { offsets.append(edgeOffset(cue, layer, hit)) }
    }
    guard offsets.count >= 2, let least = offsets.min(), let most = offsets.max(),
      most - least <= 16
    else { return nil }
    return rounded(median(offsets.map(Double.init)) * facts.secondsPerFrame, 100)
  }

  /// The offset of a displaced cue's start, from a frame at which it is on screen.
  private func edgeOffset(_ cue: DecisionCue, _ layer: CueLayer, _ step: Int) -> Int {
    var onScreen = cue.middleFrame + step
    var before = onScreen - (cue.endFrame - cue.startFrame) - Self.timeStep
    while onScreen - before > 1 {
      let middle = (onScreen + before) / 2
      if eyes.measure(layer, frame: middle)?.passes == true {
        onScreen = middle
      } else {
        before = middle
      }
    }
    return onScreen - cue.startFrame
  }
}
