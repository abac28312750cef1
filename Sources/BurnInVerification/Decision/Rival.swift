// SPDX-License-Identifier: Apache-2.0

/// Another track of the file, and what the session has learnt about it so far.
struct Rival {
  /// A cue that can tell the claimed track from the rival.
  enum Witness: Hashable {
    /// A cue of the claimed track, by index.
    case claimed(Int)
    /// A cue of the rival, by index.
    case own(Int)
  }

  /// What a witness said.
  enum Testimony {
    case forClaimed
    case notForClaimed
    case nothingVisible
  }

  /// A witness with the cue to look at and the frames at which it tells.
  struct Appointment {
    let witness: Witness
    let cue: TellingCue
  }

  let name: String
  let schedule: CueSchedule
  /// Cues of the claimed track that tell it from the rival.
  let tellingCues: [TellingCue]
  /// Cues of the rival that the claimed track does not show.
  let ownCues: [TellingCue]
  /// Own cues at moments at which they stand for themselves: they can be looked for alone.
  let freeCues: [TellingCue]
  /// Telling and free cues in order of time.
  let appointments: [Appointment]

  /// Evidence that the picture is the claimed track and not the rival.
  var evidence = 0.0
  /// Own cues seen missing, by index: the rival is not drawn besides the claimed track either.
  var missing: Set<Int> = []
  /// Cues of the claimed track that have told the two apart; none counts twice.
  var told: Set<Int> = []
  /// Failed cues of the claimed track that were already held against it.
  var heldAgainst: Set<Int> = []
  /// Free cues looked for.
  var triedFree: Set<Int> = []
  /// Telling cues asked for the rival's sake.
  var triedTelling: Set<Int> = []
  /// Times the rival was seen where the claimed track lacks it.
  var seenCount = 0
  /// What each witness said.
  var testimony: [Witness: Testimony] = [:]

  init(
    name: String, schedule: CueSchedule, claimed: CueSchedule, rank: [Int: Int],
    isIncluded: (DecisionCue) -> Bool
  ) {
    let telling = claimed.cuesTelling(from: schedule, where: isIncluded)
    let own = schedule.cuesTelling(from: claimed, where: isIncluded)
    let free: [TellingCue] = own.compactMap { own in
      let frames = own.frames.filter { claimed.isCovered(by: schedule, at: $0) }
      return frames.isEmpty ? nil : TellingCue(cue: own.cue, frames: frames)
    }
    self.name = name
    self.schedule = schedule
    ownCues = own
    tellingCues = telling.sorted { rank[$0.cue.index, default: 0] < rank[$1.cue.index, default: 0] }
    freeCues = CueOrder.outward(free, from: claimed)
    // Both lists are in order of time already: merge them, the claimed track's cue first.
    let witnesses =
      telling.map { Appointment(witness: .claimed($0.cue.index), cue: $0) }
      + free.map { Appointment(witness: .own($0.cue.index), cue: $0) }
    appointments = witnesses.enumerated()
      .sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }
      .map(\.element)
  }

  /// Whether nothing in the range tells the two apart.
  var isEqual: Bool { tellingCues.isEmpty && ownCues.isEmpty }
  /// Whether the picture is shown not to be the rival instead of the claimed track.
  var isBeaten: Bool { evidence >= DecisionRules.enough }
  /// Whether own cues of the rival remain that were not seen missing often enough.
  var mayBeBesides: Bool { !ownCues.isEmpty && missing.count < DecisionRules.leastMissing }
  /// Whether both tracks are shown to be drawn: each by cues that the other cannot show.
  var isShownBesides: Bool {
    guard seenCount >= DecisionRules.leastPasses else { return false }
    let spoken = testimony.count { witness, testimony in
      if case .claimed = witness { testimony == .forClaimed } else { false }
    }
    return spoken >= DecisionRules.leastPasses
  }
  /// Whether the session has to go on looking because of the rival.
  var isOpen: Bool { !isShownBesides && (!isBeaten || mayBeBesides) }
  /// Different cues that told the two apart.
  var tellingCount: Int {
    told.count + freeCues.count { missing.contains($0.cue.index) }
  }

  /// Notes what a witness said, unless it has said something before.
  mutating func noteFirst(_ testimony: Testimony, of witness: Witness) {
    if self.testimony[witness] == nil { self.testimony[witness] = testimony }
  }
}

extension Rival.Appointment {
  fileprivate var start: Int { cue.cue.startFrame }
}
