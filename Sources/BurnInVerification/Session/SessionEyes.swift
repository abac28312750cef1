// SPDX-License-Identifier: Apache-2.0
import Compositing
import SubtitleModel

/// The questions of a session put to its pictures, each answered once.
final class SessionEyes {
  /// A look: which picture, at which frame.
  private struct Look: Hashable {
    var key: Int
    var frame: Int
  }

  let film: SessionFilm
  let frames: any SessionFrames
  let isBlind: Bool
  let prober = Prober()
  /// Where canvases lie in the frame; set by the session's geometry search.
  private(set) var placements: [Canvas: Placement] = [:]
  private(set) var kernel = ResamplingKernel.bilinear
  /// Measurements made, for the closing figures.
  private(set) var probeCount = 0

  private var bitmaps: [Int: CueBitmap] = [:]
  private var layers: [Int: CueLayer] = [:]
  private var memory: [Look: Measurement?] = [:]
  private var sourceShows: [Look: Bool] = [:]
  private var bestGain: [Int: Double] = [:]

  /// Bitmaps and layers kept at once; a full-HD line of text is about half a megabyte as a layer.
  private static let mostKept = 200

  init(film: SessionFilm, frames: any SessionFrames, isBlind: Bool) {
    self.film = film
    self.frames = frames
    self.isBlind = isBlind
  }

  /// Takes another geometry; what was measured with the old one is forgotten.
  func use(placements: [Canvas: Placement], kernel: ResamplingKernel) {
    self.placements = placements
    self.kernel = kernel
    layers = [:]
    memory = [:]
    sourceShows = [:]
    bestGain = [:]
  }

  /// What a cue draws, in canvas pixels; nil if nothing can be seen of it.
  func bitmap(_ key: Int) -> CueBitmap? {
    if let known = bitmaps[key] { return known }
    guard let made = CueBitmap(objects: film.pictures[key].objects) else { return nil }
    if bitmaps.count >= Self.mostKept { bitmaps = [:] }
    bitmaps[key] = made
    return made
  }

  /// A cue on the frame's grid, in the geometry in use.
  func layer(_ key: Int) -> CueLayer? {
    if let known = layers[key] { return known }
    guard let placement = placements[film.pictures[key].canvas],
      let made = layer(key, placement: placement, kernel: kernel)
    else { return nil }
    if layers.count >= Self.mostKept { layers = [:] }
    layers[key] = made
    return made
  }

  /// A cue on the frame's grid, in a geometry that is only tried.
  func layer(_ key: Int, placement: Placement, kernel: ResamplingKernel) -> CueLayer? {
    bitmap(key).flatMap { CueLayer(bitmap: $0, placement: placement, kernel: kernel) }
  }

  /// Measures a cue at a frame with a layer that is only tried; nil if the frame never came.
  func measure(_ layer: CueLayer, frame: Int, margin: Int? = nil) -> Measurement? {
    guard frame >= 0, let picture = frames.transcode(frame: frame) else { return nil }
    probeCount += 1
    return prober.measure(frame: picture, layer: layer, margin: margin)
  }

  /// Measures a cue at a frame; nil where nothing can be said.
  ///
  /// That is: the frame never came, the text has no contrast or lies outside, or the source shows
  /// the same text there.
  func measure(_ cue: DecisionCue, frame: Int) -> Measurement? {
    let look = Look(key: cue.key, frame: frame)
    if let known = memory[look] { return known }
    let result = freshMeasurement(look)
    memory[look] = .some(result)
    if let result, result.passes {
      bestGain[cue.key] = max(bestGain[cue.key] ?? 0, result.gain)
    }
    return result
  }

  private func freshMeasurement(_ look: Look) -> Measurement? {
    guard let layer = layer(look.key),
      let result = measure(layer, frame: look.frame), !result.isVoid
    else { return nil }
    // What is not in the transcode need not be asked of the source.
    guard !isBlind, result.u >= Measurement.Threshold.referenceU else { return result }
    guard let source = frames.reference(frame: look.frame, neighbours: 0).first else { return nil }
    probeCount += 1
    return prober.measure(frame: source, layer: layer).isAlreadyInSource ? nil : result
  }

  /// The looks that a decision asks for.
  func looks() -> SessionLooks {
    SessionLooks(
      look: { [self] _, cue, frame in measure(cue, frame: frame)?.evidence },
      pair: { [self] cue, other, frame in pair(cue, other, frame) },
      under: { [self] cue, other, frame in under(cue, other, frame) },
      still: { [self] cue, frame in still(cue, frame) })
  }

  private func pair(_ cue: DecisionCue, _ other: DecisionCue, _ frame: Int) -> Double? {
    guard let first = layer(cue.key), let second = layer(other.key),
      let picture = frames.transcode(frame: frame)
    else { return nil }
    probeCount += 1
    guard let result = prober.pair(frame: picture, claimed: first, rival: second),
      result.isInformative
    else { return nil }
    return result.d
  }

  private func under(_ cue: DecisionCue, _ other: DecisionCue, _ frame: Int) -> Bool? {
    guard let first = layer(cue.key), let second = layer(other.key),
      prober.likeness(first, second) <= Self.twinSimilarity,
      let result = measure(other, frame: frame)
    else { return nil }
    guard result.eta >= Self.underEta && result.z >= Self.underZ else { return false }
    // A text with one word changed is a twin whose halves lie some pixels apart.
    return areShiftedTwins(first, other.key, picture: frames.transcode(frame: frame)) ? nil : true
  }

  /// Whether a cue is like another one once it is moved along its line.
  ///
  /// Centred texts that differ in one word have their common words up to half its width apart; the
  /// probe finds those words within its own search margin.
  private func areShiftedTwins(_ first: CueLayer, _ key: Int, picture: SamplePlane?) -> Bool {
    guard let placement = placements[film.pictures[key].canvas] else { return false }
    let reach = 2 * Prober.margin(frameHeight: picture?.height ?? 1080)
    return (1...reach).contains { step in
      [-step, step].contains { dx in
        var moved = placement
        moved.offsetX += Double(dx)
        guard let second = layer(key, placement: moved, kernel: kernel) else { return false }
        return prober.likeness(first, second) > Self.twinSimilarity
      }
    }
  }

  /// Cosine of two layers' gradients above which they are near twins.
  private static let twinSimilarity = 0.3
  /// The least eta and z of structure beneath another cue (measured: 0.37 and 6.0 where it is there,
  /// 0.15 and 0.9 where it is not).
  private static let underEta = 0.30
  private static let underZ = 3.5

  private func still(_ cue: DecisionCue, _ frame: Int) -> Bool? {
    guard let result = measure(cue, frame: frame) else { return nil }
    let gain = max(bestGain[cue.key] ?? 0, 0.2)
    return result.passes && result.gain >= Measurement.Threshold.stillGain * gain
  }
}
