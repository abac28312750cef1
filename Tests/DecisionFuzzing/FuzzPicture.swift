// SPDX-License-Identifier: Apache-2.0

package import BurnInVerification

/// What is drawn into a fuzz picture.
package enum Truth: String, CaseIterable, Sendable {
  case none, one, two, firstHalf, secondHalf, switched, someCues, lateOrEarly
  case sourceText, sourceTextWithReference

  /// The row's name in the table.
  package var title: String {
    switch self {
    case .none: "nothing"
    case .one: "one track"
    case .two: "two tracks at once"
    case .firstHalf: "cues of the first half only"
    case .secondHalf: "cues of the second half only"
    case .switched: "one track, then another"
    case .someCues: "random 30-80 % of the cues"
    case .lateOrEarly: "8-60 frames late or early"
    case .sourceText: "nothing, the source has a track's text, blind"
    case .sourceTextWithReference: "the same, with reference"
    }
  }
}

/// A cue that is really in the picture.
package struct DrawnCue: Sendable {
  package var cue: DecisionCue
  package var delay: Int
}

/// What is drawn, and the noisy outcome of every look at it.
///
/// The ranges of the outcomes are measured ones: cues on screen pass 94 to 100 %, up to 40 % of the
/// scenes are void, what is not there passes in at most one of 1,000 looks, and near twins lie
/// between.
package final class FuzzPicture {
  package let truth: Truth
  package private(set) var drawn: [DrawnCue] = []
  package private(set) var inSource: [DrawnCue] = []
  package private(set) var drawnTracks: [String] = []
  package private(set) var hole: Range<Int>?

  let film: FuzzFilm
  var chance: Chance
  /// Texts of the upper of two tracks drawn at once.
  var upperTexts: Set<TextIdentity> = []
  let passShare: Double
  let falsePassShare: Double
  let twinPassShare: Double
  private let voidShare: Double
  private let fetch: FetchPlan?
  private var timeline: [Placed] = []
  private var longest = 0
  private var outcomes: [Outcome: Double] = [:]
  private var darkScenes: [Int: Bool] = [:]
  private var opened: Set<Int> = []

  /// A drawn cue on the timeline.
  private struct Placed {
    let start: Int
    let end: Int
    let identity: TextIdentity
    let isInSource: Bool
  }

  /// A cue in one state, whose looks mostly give the same.
  struct Outcome: Hashable {
    enum State { case on, low, twin, off }
    let identity: TextIdentity
    let state: State
  }

  /// Frames come in windows, and only so many windows are fetched.
  package struct FetchPlan: Sendable {
    package var windowLength: Int
    package var maximumWindows: Int
    package var fetchedAtStart: Int

    package init(windowLength: Int, maximumWindows: Int, fetchedAtStart: Int) {
      self.windowLength = windowLength
      self.maximumWindows = maximumWindows
      self.fetchedAtStart = fetchedAtStart
    }
  }

  package init(film: FuzzFilm, truth: Truth, fetch: FetchPlan? = nil, chance: inout Chance) {
    self.film = film
    self.truth = truth
    self.fetch = fetch
    passShare = chance.choice([0.94, 0.98, 1])
    voidShare = chance.choice([0, 0, 0.05, 0.2, 0.4])
    falsePassShare = chance.choice([0, 1e-4, 1e-3])
    twinPassShare = chance.choice([0, 0.05, 0.14])
    self.chance = Chance(seed: chance.bits())
    draw(&chance)
    place(lag: chance.choice([0, 0, 1, 2]))
    if chance.happens(0.15) {
      let start = chance.integer(
        film.firstFrame...max(film.firstFrame, film.endFrame - 72))
      hole = start..<start + chance.choice([72, 144])
    }
    forget()
  }

  /// Fetches anew: every claim has windows of its own.
  package func forget() {
    opened = []
    guard let fetch else { return }
    for _ in 0..<fetch.fetchedAtStart {
      opened.insert(window(chance.integer(film.firstFrame...film.endFrame - 1), fetch))
    }
  }

  private func draw(_ chance: inout Chance) {
    let first = chance.choice(film.names)
    let second = chance.choice(film.names.filter { $0 != first })
    let cues = film.tracks[first, default: []]
    let others = film.tracks[second, default: []]
    let middle = (film.firstFrame + film.endFrame) / 2
    let inTime = { (cues: [DecisionCue]) in cues.map { DrawnCue(cue: $0, delay: 0) } }
    drawnTracks = [first]
    switch truth {
    case .none: drawnTracks = []
    case .one: drawn = inTime(cues)
    case .two:
      drawnTracks.append(second)
      drawn = inTime(cues) + inTime(others)
      upperTexts = Set(others.map { TextIdentity(key: $0.key) })
    case .firstHalf: drawn = inTime(cues.filter { $0.startFrame < middle })
    case .secondHalf: drawn = inTime(cues.filter { $0.startFrame >= middle })
    case .switched:
      drawnTracks.append(second)
      let border = chance.integer(film.firstFrame...film.endFrame)
      drawn =
        inTime(cues.filter { $0.startFrame < border })
        + inTime(others.filter { $0.startFrame >= border })
    case .someCues:
      let share = chance.uniform(0.3, 0.8)
      drawn = inTime(cues.filter { _ in chance.happens(share) })
    case .lateOrEarly:
      let delay = chance.choice([8, 10, 12, 16, 20, 30, 60]) * chance.choice([1, -1])
      drawn = cues.map { DrawnCue(cue: $0, delay: delay) }
    case .sourceText, .sourceTextWithReference: inSource = inTime(cues)
    }
  }

  private func place(lag: Int) {
    let all = inSource.map { ($0, true) } + drawn.map { ($0, false) }
    timeline = all.map { cue, isInSource in
      let showing = Showing(cue.cue, delay: cue.delay + lag)
      return Placed(
        start: showing.start, end: showing.end, identity: showing.identity,
        isInSource: isInSource)
    }.sorted { ($0.start, $0.end) < ($1.start, $1.end) }
    longest = timeline.map { $0.end - $0.start }.max() ?? 0
  }

  // MARK: What is there

  /// The texts on screen at a frame, of the burn and the source or of the source alone.
  func texts(at frame: Int, sourceOnly: Bool = false) -> [TextIdentity] {
    var low = 0
    var high = timeline.count
    while low < high {
      let middle = (low + high) / 2
      if timeline[middle].start < frame - longest { low = middle + 1 } else { high = middle }
    }
    var texts: [TextIdentity] = []
    for placed in timeline[low...] {
      if placed.start > frame { break }
      if frame < placed.end && (placed.isInSource || !sourceOnly) { texts.append(placed.identity) }
    }
    return texts
  }

  /// Whether nothing could be seen of a cue half-way, or a missing segment cuts it.
  package func cannotShow(_ showing: Showing) -> Bool {
    if isDark(showing.cueMiddle) { return true }
    if fetch != nil && !isFetched(showing.cueMiddle) { return true }
    guard let hole else { return false }
    return hole.lowerBound <= showing.end && showing.start < hole.upperBound
  }

  private func isDark(_ frame: Int) -> Bool {
    let scene = Int((Double(frame) / 60).rounded(.down))
    if let isDark = darkScenes[scene] { return isDark }
    let isDark = chance.happens(voidShare)
    darkScenes[scene] = isDark
    return isDark
  }

  /// Whether a look at a frame sees nothing; fetches the frame's window if that is still allowed.
  func isVoid(_ frame: Int) -> Bool {
    guard (film.firstFrame..<film.endFrame).contains(frame) else { return true }
    if hole?.contains(frame) == true { return true }
    if let fetch, !isFetched(frame) {
      if opened.count >= fetch.maximumWindows { return true }
      opened.insert(window(frame, fetch))
    }
    return isDark(frame) || chance.happens(voidShare * 0.1)
  }

  /// Whether a frame's window was fetched already; true without a plan.
  package func isFetched(_ frame: Int) -> Bool {
    guard let fetch else { return true }
    return opened.contains(window(frame, fetch))
  }

  private func window(_ frame: Int, _ fetch: FetchPlan) -> Int {
    Int((Double(frame) / Double(fetch.windowLength)).rounded(.down))
  }

  /// One draw for each cue and state, drawn anew for one frame in five.
  func once(_ outcome: Outcome, _ weights: [(share: Double, evidence: Double)]) -> Double {
    if let known = outcomes[outcome], !chance.happens(0.2) { return known }
    var rest = chance.unit()
    var evidence = -4.0
    for weight in weights {
      rest -= weight.share
      if rest < 0 {
        evidence = weight.evidence
        break
      }
    }
    outcomes[outcome] = evidence
    return evidence
  }
}
