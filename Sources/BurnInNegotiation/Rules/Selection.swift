// SPDX-License-Identifier: Apache-2.0

extension BurnIn {
  /// What choosing a row comes to (R18, R19, R20).
  ///
  /// A burn-in row reloads with its index, unless it is burned in already. Any other choice
  /// reloads without a burn-in if one is in the picture, and is the player's own affair if not.
  /// - Parameters:
  ///   - burnedIndex: The index that was confirmed, not the one that was asked for.
  ///   - choice: What was chosen, by hand or by Auto.
  /// - Returns: Whether to load again, and with which burn-in.
  public static func selectionAction(
    burnedIndex: Int?, choice: SubtitleChoice
  ) -> SelectionAction {
    if case .burnInRow(let index) = choice {
      return index == burnedIndex ? .none(burnInPick: index) : .reload(burnInPick: index)
    }
    return burnedIndex == nil ? .local : .reload(burnInPick: nil)
  }

  /// The next subtitle when the user cycles through the list: burn-in rows are skipped (R32).
  ///
  /// After the last row comes Off; from a burned-in row too (A17). Nil if there is no row.
  public static func cycleSubtitle(
    tracks: [SubtitleTrack], selected trackID: Int?
  ) -> SubtitleStep? {
    let rows = tracks.filter { !$0.isBurnInRow }
    guard let trackID else { return rows.first.map { .track(id: $0.id) } }
    if tracks.contains(where: { $0.id == trackID && $0.isBurnInRow }) { return .off }
    guard let place = rows.firstIndex(where: { $0.id == trackID }) else {
      return rows.first.map { .track(id: $0.id) }
    }
    return place + 1 < rows.count ? .track(id: rows[place + 1].id) : .off
  }

  /// What a switch for subtitles does: Off from any row, or the first row that is not burned in.
  ///
  /// Burn-in rows are skipped, and Off works from one (R32). Nil if there is no row.
  public static func toggleSubtitles(
    tracks: [SubtitleTrack], selected trackID: Int?
  ) -> SubtitleStep? {
    if trackID != nil { return .off }
    return tracks.first { !$0.isBurnInRow }.map { .track(id: $0.id) }
  }

  /// Which controls are offered for the subtitle that is chosen (R30).
  ///
  /// What is burned in takes no style, and neither does what the engine draws by itself: bitmaps
  /// and ASS. The delay control stays; it has no effect on a burned-in track. Before the
  /// confirmation the controls follow the chosen row (A21).
  public static func styleControls(
    selected: SubtitleChoice?, codec: String?
  ) -> StyleControls {
    let isBurnInRow = if case .burnInRow = selected { true } else { false }
    let drawsItself = isBitmapCodec(codec) || ["ass", "ssa"].contains(codec.map(Text.folded))
    let isStyled = selected == nil || !(isBurnInRow || drawsItself)
    return StyleControls(
      showsStyle: isStyled, showsDelay: true, delayHasEffect: !isBurnInRow)
  }

  /// The subtitle index in reports to the server (R29).
  ///
  /// The burned-in index, else the index of the server's track that plays, else -1; a burn-in row
  /// that was chosen and is not in the picture does not play.
  public static func reportedSubtitleIndex(
    burnedIndex: Int?, selected: SubtitleChoice?
  ) -> Int {
    if let burnedIndex { return burnedIndex }
    switch selected {
    case .textSidecar(let index), .embedded(let index): return index
    case .off, .burnInRow, .openSubtitles, nil: return -1
    }
  }
}

/// What choosing a row comes to.
public enum SelectionAction: Sendable, Hashable {
  /// Load again at the current position, with this burn-in or without one.
  case reload(burnInPick: Int?)
  /// The player selects the row by itself.
  case local
  /// The row is in the picture already.
  case none(burnInPick: Int)
}

/// A step of cycling or switching.
public enum SubtitleStep: Sendable, Hashable {
  /// No subtitle.
  case off
  /// The track with the id.
  case track(id: Int)
}

/// The controls that are offered beside a chosen subtitle.
public struct StyleControls: Sendable, Hashable {
  /// Whether style controls are shown.
  public var showsStyle: Bool
  /// Whether the delay control is shown.
  public var showsDelay: Bool
  /// Whether a delay changes anything.
  public var delayHasEffect: Bool
}
