// SPDX-License-Identifier: Apache-2.0

package import BurnInVerification

/// Frames a second of every fuzz film.
let framesPerSecond = 24

/// How a track of a fuzz film relates to the one it is derived from.
package enum Relation: String, CaseIterable, Sendable {
  case other, copy, copyInRange, shifted, subset, superset, revised, sdh, twin, tiny, empty
  case single, signs
}

/// What a cue shows: a text in one of its variants.
///
/// Variants of a text are near twins; variant -1 differs from variant 0 in too few pixels to tell.
package struct TextIdentity: Hashable, Sendable {
  package var text: Int
  package var variant: Int

  package static let tinyVariant = -1

  package init(text: Int, variant: Int) {
    self.text = text
    self.variant = variant
  }

  /// The identity as a cue's key, and back; variants stay far below the factor.
  package init(key: Int) { self.init(text: (key + 1) / 1024, variant: (key + 1) % 1024 - 1) }
  package var key: Int { text * 1024 + variant }

  package func isTwin(of other: TextIdentity) -> Bool { text == other.text }
  package func isTiny(beside other: TextIdentity) -> Bool {
    isTwin(of: other) && (variant == Self.tinyVariant || other.variant == Self.tinyVariant)
  }
}

/// What one cue shows and when, before it becomes a cue of a track.
package struct Showing: Hashable, Sendable {
  package var start: Int
  package var end: Int
  package var identity: TextIdentity

  package init(start: Int, end: Int, identity: TextIdentity) {
    self.start = start
    self.end = end
    self.identity = identity
  }

  package init(_ cue: DecisionCue, delay: Int = 0) {
    self.init(
      start: cue.startFrame + delay, end: cue.endFrame + delay,
      identity: TextIdentity(key: cue.key))
  }

  package var cueMiddle: Int { start + min(17, (end - start) / 2) }
}

/// The tracks of one random film, and the range of it that is looked at.
package struct FuzzFilm: Sendable {
  package var tracks: [String: [DecisionCue]] = [:]
  package var relations: [String: Relation] = [:]
  /// Track names in the order in which they were made; the first is no one's derivative.
  package var names: [String] = []
  package let firstFrame: Int
  package let endFrame: Int
  private let frameCount: Int
  /// Share of texts that are the same in all languages.
  private let sharedNames: Double
  private var textCount = 0

  package init(chance: inout Chance) {
    let seconds: Double =
      switch chance.unit() {
      case ..<0.65: chance.uniform(3, 30)
      case ..<0.96: chance.uniform(30, 90)
      default: chance.uniform(90, 600)
      }
    firstFrame = chance.happens(0.5) ? 0 : chance.integer(1...400)
    endFrame = firstFrame + Int(seconds * Double(framesPerSecond))
    frameCount = endFrame + chance.choice([0, 0, 1500])
    sharedNames = chance.choice([0, 0.08, 0.3])
    let base = freshTrack(&chance)
    add(base, as: .other, &chance)
    for _ in 0..<chance.choice([1, 1, 2, 2, 3, 4, 5, 6, 8]) {
      let any = tracks[chance.choice(names), default: []].map { Showing($0) }
      let relation = chance.choice(Relation.allCases)
      let source = chance.happens(0.6) ? base : any
      add(derive(relation, from: source, &chance), as: relation, &chance)
    }
  }

  private mutating func add(_ showings: [Showing], as relation: Relation, _ chance: inout Chance) {
    let name = String(names.count)
    var cues: [DecisionCue] = []
    let sorted = showings.enumerated()
      .sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }
    for (index, showing) in sorted.map(\.element).enumerated()
    where showing.end - showing.start >= 12 {
      cues.append(
        DecisionCue(
          index: index, startFrame: showing.start, endFrame: showing.end,
          key: showing.identity.key, textLength: chance.choice([3, 12, 30])))
    }
    names.append(name)
    tracks[name] = cues
    relations[name] = relation
  }

  private mutating func newText() -> TextIdentity {
    textCount += 1
    return TextIdentity(text: textCount, variant: 0)
  }

  private mutating func freshTrack(_ chance: inout Chance) -> [Showing] {
    var showings: [Showing] = []
    var frame = -chance.integer(0...100)
    let density = chance.choice([0.3, 1, 1, 3])
    while frame < frameCount {
      let length = chance.integer(14...100)
      showings.append(Showing(start: frame, end: frame + length, identity: newText()))
      let pause = Double(chance.choice([0, 2, 12, 13, 30, 60, 200]))
      frame += length + Int(pause * density)
    }
    return showings
  }

  /// A track of another language: about the same times, other texts but for shared names.
  private mutating func translation(of source: [Showing], _ chance: inout Chance) -> [Showing] {
    var showings: [Showing] = []
    for showing in source {
      let start = showing.start + chance.choice([0, 0, 0, 3, -9, 14])
      let end = showing.end + chance.choice([0, 0, 0, -3, 8, 20])
      let identity = chance.happens(sharedNames) ? showing.identity : newText()
      showings.append(Showing(start: start, end: end, identity: identity))
    }
    return showings
  }

  private mutating func derive(
    _ relation: Relation, from source: [Showing], _ chance: inout Chance
  ) -> [Showing] {
    switch relation {
    case .other:
      return chance.happens(0.7) ? translation(of: source, &chance) : freshTrack(&chance)
    case .copy: return source
    case .copyInRange:
      var showings = source
      for index in showings.indices
      where !(firstFrame - 50 < showings[index].start && showings[index].start < endFrame) {
        showings[index].identity = newText()
      }
      return showings
    case .shifted:
      let delay = chance.choice([3, 8, 10, 14, 20, 24, 30, 48]) * chance.choice([1, -1])
      return source.map {
        Showing(start: $0.start + delay, end: $0.end + delay, identity: $0.identity)
      }
    case .subset:
      let share = chance.choice([0.05, 0.2, 0.5, 0.9])
      return source.filter { _ in chance.happens(share) }
    case .superset: return source + additions(to: source, share: 0.3, &chance)
    case .revised:
      return revise(source, share: chance.choice([0.05, 0.25, 0.6]), &chance)
    case .sdh:
      let sounds: [Showing] = source.compactMap { showing in
        guard chance.happens(0.1) else { return nil }
        return Showing(start: showing.end + 14, end: showing.end + 40, identity: newText())
      }
      return revise(source, share: 0.3, &chance) + sounds
    case .twin: return revise(source, share: 1, &chance)
    case .tiny:
      return source.map { showing in
        guard chance.happens(0.5) else { return showing }
        var showing = showing
        showing.identity.variant = TextIdentity.tinyVariant
        return showing
      }
    case .empty: return []
    case .single: return source.isEmpty ? [] : [chance.choice(source)]
    case .signs: return source + signs(over: source, &chance)
    }
  }

  private func revise(_ source: [Showing], share: Double, _ chance: inout Chance) -> [Showing] {
    source.map { showing in
      guard chance.happens(share) else { return showing }
      var showing = showing
      showing.identity.variant = abs(showing.identity.variant) + chance.integer(1...3)
      return showing
    }
  }

  private mutating func additions(
    to source: [Showing], share: Double, _ chance: inout Chance
  ) -> [Showing] {
    var showings: [Showing] = []
    for showing in source where chance.happens(share) {
      let start = showing.start + chance.integer(-60...60)
      showings.append(
        Showing(start: start, end: start + chance.integer(14...60), identity: newText()))
    }
    return showings
  }

  private mutating func signs(over source: [Showing], _ chance: inout Chance) -> [Showing] {
    var showings: [Showing] = []
    for showing in source where chance.happens(0.4) {
      let start = showing.start + chance.integer(-20...20)
      let end = showing.end + chance.integer(-20...40)
      showings.append(Showing(start: start, end: end, identity: newText()))
    }
    return showings
  }
}
