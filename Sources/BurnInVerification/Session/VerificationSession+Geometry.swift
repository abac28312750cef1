// SPDX-License-Identifier: Apache-2.0
import Compositing
import SubtitleModel

extension VerificationSession {
  /// Cues probed at most with one layout.
  private static let geometryCues = 8
  /// Passes that settle the layout.
  private static let geometryPasses = 3

  /// Finds the layout in which cues of the asked track pass; false if none does.
  func findGeometry() -> Bool {
    let canvases = task.canvases
    let candidates = GeometryCandidate.all(
      expected: task.expectedLayout, canvas: askedCanvas, canvases: canvases, frame: frameSize)
    var best: (candidate: GeometryCandidate, passes: Int)?
    for candidate in candidates {
      let passes = passCount(candidate)
      if passes > best?.passes ?? 0 { best = (candidate, passes) }
      if passes >= Self.geometryPasses { break }
    }
    guard let best else {
      if let first = candidates.first { eyes.use(placements: first.placements, kernel: .bilinear) }
      return false
    }
    eyes.use(
      placements: best.candidate.placements,
      others: GeometryCandidate.otherPlacements(
        than: best.candidate, canvas: askedCanvas, canvases: canvases, frame: frameSize),
      kernel: .bilinear)
    setGeometry(best.candidate)
    return true
  }

  private func setGeometry(_ candidate: GeometryCandidate) {
    let found = candidate.layout.rawValue
    guard let expected = task.expectedLayout, expected != candidate.layout else {
      facts.geometry = .layout(found)
      return
    }
    if task.isLayoutStated {
      facts.geometry = .otherLayout(found: found, expected: expected.rawValue)
    } else {
      facts.geometry = .layout(found)
      facts.notes.append(
        "the track is laid out as \(found), where the server's version has \(expected.rawValue)")
    }
  }

  private func passCount(_ candidate: GeometryCandidate) -> Int {
    var passes = 0
    for cue in order.prefix(Self.geometryCues) {
      guard let placement = candidate.placements[eyes.canvas(of: cue)],
        let layer = eyes.layer(cue.key, placement: placement, kernel: .bilinear)
      else { continue }
      if eyes.measure(layer, frame: cue.middleFrame)?.passes == true { passes += 1 }
      if passes >= Self.geometryPasses { break }
    }
    return passes
  }

  /// Cues looked at for a calibration, and measurements that make one.
  private static let calibrationCues = 12
  private static let calibrationMeasurements = 5

  /// How much better the area kernel must explain the picture on the mean than two taps do.
  ///
  /// Where both nearly tie, at 240 rows, the area kernel's layer is so soft that slope and fill come
  /// out a third too high.
  private static let areaLead = 0.03

  /// Corrects the place by a fraction of a pixel and chooses the kernel, from cues that pass.
  func calibrate() {
    guard let placement = eyes.placements[askedCanvas] else { return }
    var shifts: [BlockShift] = []
    var passed: [DecisionCue] = []
    let sameCanvas = order.filter { eyes.canvas(of: $0) == askedCanvas }
    for cue in sameCanvas.prefix(Self.calibrationCues)
    where shifts.count < Self.calibrationMeasurements {
      guard let layer = eyes.layer(cue.key), let result = eyes.measure(cue, frame: cue.middleFrame),
        result.passes, let picture = frames.transcode(frame: cue.middleFrame)
      else { continue }
      passed.append(cue)
      if let shift = eyes.prober.blockShift(frame: picture, layer: layer) { shifts.append(shift) }
    }
    guard let calibration = Calibration(of: shifts) else { return }
    let corrected = calibration.applied(to: placement, canvas: askedCanvas)
    let sample = Array(passed.prefix(4))
    let before = meanScore(sample, placement, .bilinear) { $0.u }
    let after = meanScore(sample, corrected, .bilinear) { $0.u }
    let chosen = after >= before - 0.02 ? corrected : placement
    var kernel = ResamplingKernel.bilinear
    if placement.scaleY < 0.9 {
      let sharp = meanScore(passed, chosen, .bilinear) { $0.eta }
      let soft = meanScore(passed, chosen, .area) { $0.eta }
      if soft >= sharp + Self.areaLead { kernel = .area }
    }
    var placements = eyes.placements
    placements[askedCanvas] = chosen
    eyes.use(placements: placements, others: eyes.otherPlacements, kernel: kernel)
    facts.calibration = VerificationResult.Calibration(
      dx: rounded(calibration.dx, 100), dy: rounded(calibration.dy, 100),
      scale: rounded(calibration.scaleX, 10_000),
      kernel: kernel == .bilinear ? "bilinear" : "area")
  }

  private func meanScore(
    _ cues: [DecisionCue], _ placement: Placement, _ kernel: ResamplingKernel,
    _ value: (Measurement) -> Double
  ) -> Double {
    let values = cues.compactMap { cue in
      eyes.layer(cue.key, placement: placement, kernel: kernel)
        .flatMap { eyes.measure($0, frame: cue.middleFrame) }.map(value)
    }
    return values.isEmpty ? 0 : values.reduce(0, +) / Double(values.count)
  }
}

/// The middle value; of an even count the mean of the two in the middle.
func median(_ values: [Double]) -> Double { Sums.median(values) }

/// A value rounded to a fraction of one; never a negative zero, which would be printed as -0.0.
func rounded(_ value: Double, _ parts: Double) -> Double { (value * parts).rounded() / parts + 0 }
