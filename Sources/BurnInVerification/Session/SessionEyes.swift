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

  /// A cue on the frame's grid at one of the places where its canvas may lie.
  private struct PlacedLayer {
    var layer: CueLayer
    /// The number of the place in ``otherPlacements``; nil for the one in ``placements``.
    var other: Int?
  }

  let film: SessionFilm
  let frames: any SessionFrames
  let isBlind: Bool
  let prober = Prober()
  /// Where canvases lie in the frame; set by the session's geometry search.
  private(set) var placements: [Canvas: Placement] = [:]
  /// Where else canvases may lie, as a server may lay out each in a way of its own.
  ///
  /// Empty for the asked track's canvas, whose place is known.
  private(set) var otherPlacements: [Canvas: [Placement]] = [:]
  private(set) var kernel = ResamplingKernel.bilinear
  /// Measurements made, for the closing figures.
  private(set) var probeCount = 0

  private var bitmaps: [Int: CueBitmap] = [:]
  private var layers: [Int: CueLayer] = [:]
  private var otherLayers: [Int: [PlacedLayer]] = [:]
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
  ///
  /// - Parameters:
  ///   - placements: Where each canvas lies.
  ///   - others: Where else a canvas may lie. A cue on it is on screen if it is at any of its places,
  ///     and missing only if it is at none.
  ///   - kernel: How layers are sampled.
  func use(
    placements: [Canvas: Placement], others: [Canvas: [Placement]] = [:], kernel: ResamplingKernel
  ) {
    self.placements = placements
    otherPlacements = others
    self.kernel = kernel
    layers = [:]
    otherLayers = [:]
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

  /// A cue on the frame's grid at the other places where its canvas may lie, without those outside.
  private func layersElsewhere(_ key: Int) -> [PlacedLayer] {
    if let known = otherLayers[key] { return known }
    let places = otherPlacements[film.pictures[key].canvas] ?? []
    let made = places.indices.compactMap { place in
      layer(key, placement: places[place], kernel: kernel)
        .map { PlacedLayer(layer: $0, other: place) }
    }
    if otherLayers.count >= Self.mostKept { otherLayers = [:] }
    otherLayers[key] = made
    return made
  }

  /// A cue on the frame's grid at the one of its places where the frame shows most of it.
  private func bestLayer(_ key: Int, frame: Int) -> PlacedLayer? {
    let first = layer(key).map { PlacedLayer(layer: $0) }
    let others = layersElsewhere(key)
    guard !others.isEmpty else { return first }
    return ([first].compactMap { $0 } + others).max { left, right in
      (measure(left.layer, frame: frame)?.u ?? -1) < (measure(right.layer, frame: frame)?.u ?? -1)
    }
  }

  /// The canvas that a cue's objects are placed in.
  func canvas(of cue: DecisionCue) -> Canvas { film.pictures[cue.key].canvas }

  private func placement(of key: Int, _ place: Int?) -> Placement? {
    let canvas = film.pictures[key].canvas
    guard let place else { return placements[canvas] }
    return otherPlacements[canvas]?[place]
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
    let first = layer(look.key)
    let others = layersElsewhere(look.key)
    guard !others.isEmpty else {
      return first.flatMap { freshMeasurement($0, frame: look.frame) }
    }
    // A place where nothing can be said leaves open whether the cue is there.
    var results: [Measurement?] = []
    for layer in ([first].compactMap { $0 } + others.map(\.layer)) {
      let result = freshMeasurement(layer, frame: look.frame)
      if let result, result.passes { return result }
      results.append(result)
    }
    guard !results.isEmpty, results.allSatisfy({ $0 != nil }) else { return nil }
    return results.compactMap { $0 }.max { $0.u < $1.u }
  }

  private func freshMeasurement(_ layer: CueLayer, frame: Int) -> Measurement? {
    guard let result = measure(layer, frame: frame), !result.isVoid else { return nil }
    // What is not in the transcode need not be asked of the source.
    guard !isBlind, result.u >= Measurement.Threshold.referenceU else { return result }
    guard let source = frames.reference(frame: frame, neighbours: 0).first else { return nil }
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
    guard let first = bestLayer(cue.key, frame: frame),
      let second = bestLayer(other.key, frame: frame), let picture = frames.transcode(frame: frame)
    else { return nil }
    probeCount += 1
    guard
      let result = prober.pair(frame: picture, claimed: first.layer, rival: second.layer),
      result.isInformative
    else { return nil }
    return result.d
  }

  private func under(_ cue: DecisionCue, _ other: DecisionCue, _ frame: Int) -> Bool? {
    guard let first = bestLayer(cue.key, frame: frame)?.layer,
      let second = bestLayer(other.key, frame: frame),
      prober.likeness(first, second.layer) <= Self.twinSimilarity,
      let result = measure(other, frame: frame)
    else { return nil }
    guard result.eta >= Self.underEta && result.z >= Self.underZ else { return false }
    // A text with one word changed is a twin whose halves lie some pixels apart.
    return areShiftedTwins(first, other.key, second.other, picture: frames.transcode(frame: frame))
      ? nil : true
  }

  /// Whether a cue is like another one once it is moved along its line.
  ///
  /// Centred texts that differ in one word have their common words up to half its width apart; the
  /// probe finds those words within its own search margin.
  private func areShiftedTwins(
    _ first: CueLayer, _ key: Int, _ place: Int?, picture: SamplePlane?
  ) -> Bool {
    guard let placement = placement(of: key, place) else { return false }
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
