// SPDX-License-Identifier: Apache-2.0

extension BurnIn {
  /// The burn-in pick that goes to the bridge with a load (R31, R21).
  ///
  /// Only Emby and Jellyfin use it, nothing that plays offline does, and a dropped row is never
  /// sent. Whether the stream is a bitmap at all is judged by the first answer (R5).
  public static func bridgePick(
    server: ServerKind, isOffline: Bool, pick: SubtitlePick, dropped: Set<Int> = []
  ) -> Int? {
    guard server.takesBurnInRequests, !isOffline, let index = pick.streamIndex,
      !dropped.contains(index)
    else { return nil }
    return index
  }

  /// What a reload of the same title asks for (R26).
  ///
  /// A retry and a seek that the stream cannot serve send the last request unchanged. A quality
  /// change and a renewal carry what is chosen now: a burn-in row and an embedded track by the
  /// stream index, a file beside the stream by its track id.
  /// - Parameters:
  ///   - reload: Why the title is loaded again.
  ///   - lastPick: The pick of the last request that was begun.
  ///   - selected: What is chosen now; nil if nothing is.
  ///   - isExplicitOff: Whether Off was chosen by hand.
  ///   - knowsTracks: Whether a list of tracks has been adopted since the last load began.
  /// - Returns: The pick, and the file that is chosen again beside the stream.
  public static func carriedPick(
    for reload: ReloadReason, lastPick: SubtitlePick, selected: SubtitleChoice?,
    isExplicitOff: Bool = false, knowsTracks: Bool = true
  ) -> CarriedPick {
    switch reload {
    case .retry, .seek: return CarriedPick(pick: lastPick)
    case .qualityChange, .renewal: break
    }
    if isExplicitOff { return CarriedPick(pick: .off) }
    switch selected {
    case .burnInRow(let index), .embedded(let index): return CarriedPick(pick: .stream(index))
    case .textSidecar, .openSubtitles: return CarriedPick(pick: .off, reapplied: selected)
    case .off: return CarriedPick(pick: .off)
    case nil: return CarriedPick(pick: knowsTracks ? .off : lastPick)
    }
  }

  /// The row that a carried pick selects once the stream is open (R35).
  ///
  /// Going to a direct play, the engine's own track with the index is chosen; else a text file
  /// beside the stream with it. A bitmap file beside the media has no row there (R15).
  public static func pendingPickOnDirectPlay(
    pick: SubtitlePick, engineStreamIndexes: [Int], mountedSidecarIndexes: [Int]
  ) -> PendingPick {
    switch pick {
    case .unspecified: return .keepWaiting
    case .off: return .off
    case .stream(let index):
      if engineStreamIndexes.contains(index) { return .embedded(index: index) }
      if mountedSidecarIndexes.contains(index) { return .textSidecar(index: index) }
      return .keepWaiting
    }
  }
}

/// Why a title that plays, or has just failed, is loaded again.
public enum ReloadReason: Sendable, Hashable, CaseIterable {
  /// The user tries again after an error.
  case retry
  /// A seek goes where the stream cannot.
  case seek
  /// Another quality was chosen.
  case qualityChange
  /// The server lost the session.
  case renewal
}

/// The pick of a reload, and the file that is chosen again beside the stream.
public struct CarriedPick: Sendable, Hashable {
  /// The pick that the new request carries.
  public var pick: SubtitlePick
  /// The choice that is made again once the stream is open; nil if there is none.
  public var reapplied: SubtitleChoice?

  /// A pick, with a file to choose again if there is one.
  public init(pick: SubtitlePick, reapplied: SubtitleChoice? = nil) {
    self.pick = pick
    self.reapplied = reapplied
  }
}

/// What a carried pick comes to when a list of tracks is adopted.
public enum PendingPick: Sendable, Hashable {
  /// No row has the index, or nothing was picked.
  case keepWaiting
  /// Off.
  case off
  /// The engine's track with the stream index.
  case embedded(index: Int)
  /// The mounted file with the server's index.
  case textSidecar(index: Int)
}
