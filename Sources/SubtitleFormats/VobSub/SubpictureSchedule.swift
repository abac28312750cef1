// SPDX-License-Identifier: Apache-2.0
import SubtitleModel

/// What the commands of a unit have set so far.
struct SubpictureState {
  var colors = PixelCodes([0, 1, 2, 3])
  var contrasts: PixelCodes?
  var area: PixelRect?
  var addresses: (top: Int, bottom: Int)?
  var changes: [LineControl] = []
  var isShown = false
  var isForced = false

  mutating func apply(_ command: SubpictureCommand) {
    switch command {
    case .forcedStartDisplay:
      isShown = true
      isForced = true
    case .startDisplay: isShown = true
    case .stopDisplay: isShown = false
    case .setColor(let codes): colors = codes
    case .setContrast(let codes): contrasts = codes
    case .setDisplayArea(let firstColumn, let lastColumn, let firstLine, let lastLine):
      area = PixelRect(
        x: firstColumn, y: firstLine, width: lastColumn - firstColumn + 1,
        height: lastLine - firstLine + 1)
    case .setPixelDataAddresses(let topField, let bottomField):
      addresses = (topField, bottomField)
    case .changeColorContrast(let list): changes = list
    }
  }

  /// The contrasts; those of a unit that sets none.
  var effectiveContrasts: PixelCodes { contrasts ?? PixelCodes([0, 15, 15, 15]) }

  /// Whether every contrast is zero.
  var isBlank: Bool {
    effectiveContrasts.values.allSatisfy { $0 == 0 }
      && changes.allSatisfy {
        $0.changes.allSatisfy { $0.contrasts.values.allSatisfy { $0 == 0 } }
      }
  }
}

/// The commands of a unit carried out by their dates; what is seen after each is the caller's.
struct SubpictureSchedule<Look> {
  /// What is seen from a date on; nothing where it is hidden.
  struct Step {
    var date: Int
    var look: Look?
  }

  /// What is seen, by rising date; the first is always at the unit's own time.
  private(set) var steps = [Step(date: 0, look: nil)]
  /// The date of the last stop, behind which nothing is shown.
  private(set) var stop: Int?
  /// Whether any command starts the display.
  private(set) var hasStarted = false
  /// Whether the display is still on behind the last command.
  private(set) var isLeftOn = false
  /// Dates of sequences that both start and stop.
  private(set) var zeroLengths: [Int] = []

  init(_ unit: SubpictureUnit, draw: (SubpictureState) -> Look?) {
    var state = SubpictureState()
    for sequence in ordered(unit) where sequence.date != ControlSequence.never {
      let wasShown = state.isShown
      for command in sequence.commands { state.apply(command) }
      hasStarted = hasStarted || state.isShown
      if wasShown, !state.isShown { stop = sequence.date }
      if state.isShown { stop = nil }
      let step = Step(date: sequence.date, look: state.isShown ? draw(state) : nil)
      if steps[steps.count - 1].date == step.date { steps.removeLast() }
      steps.append(step)
    }
    isLeftOn = state.isShown
    // The last stop is told as the end of what was shown, since a container's duration may overrule it.
    guard let stop else { return }
    while let last = steps.last, steps.count > 1, last.look == nil, last.date >= stop {
      steps.removeLast()
    }
  }

  /// The sequences by date; one that both starts and stops is taken apart.
  private mutating func ordered(_ unit: SubpictureUnit) -> [ControlSequence] {
    var result: [ControlSequence] = []
    for sequence in unit.sequences {
      let isStart = { (command: SubpictureCommand) in
        command == .startDisplay || command == .forcedStartDisplay
      }
      guard let stop = sequence.commands.lastIndex(of: .stopDisplay),
        let start = sequence.commands.firstIndex(where: isStart), start < stop
      else {
        result.append(sequence)
        continue
      }
      zeroLengths.append(sequence.date)
      var opening = sequence
      opening.date = result.last?.date ?? 0
      opening.commands.remove(at: stop)
      result.append(opening)
      if sequence.date > opening.date {
        result.append(ControlSequence(date: sequence.date, commands: [.stopDisplay]))
      }
    }
    let isSorted = zip(result, result.dropFirst()).allSatisfy { $0.date <= $1.date }
    if isSorted { return result }
    return result.indices.sorted { (result[$0].date, $0) < (result[$1].date, $1) }.map {
      result[$0]
    }
  }

  /// The steps at which what is seen changes; the first is among them.
  func changes(_ isSame: (Look, Look) -> Bool) -> [Step] {
    steps.enumerated().filter { place, step in
      guard place > 0 else { return true }
      switch (steps[place - 1].look, step.look) {
      case (nil, nil): return false
      case (let before?, let after?): return !isSame(before, after)
      default: return true
      }
    }.map(\.element)
  }
}
