// SPDX-License-Identifier: Apache-2.0

/// What a player does with its title once a negotiation is over.
public struct AfterNegotiation: Sendable, Hashable {
  /// The row that is selected, by its id; nil for none.
  public var selectedTrackID: Int?
  /// Whether the outcome counts as the item's explicit choice.
  public var isExplicitChoice: Bool
  /// Whether Auto may choose a subtitle on this load.
  public var autoMayRun: Bool
  /// The index of the row that is dropped; nil for none.
  public var droppedIndex: Int?
  /// Whether a notice tells of a missed burn-in.
  public var notifies: Bool
  /// The pick that later reloads of the same request carry.
  public var carriedPick: SubtitlePick
}

extension BurnIn {
  /// What follows a negotiation (R28, R21, R8, R34, A15, A16).
  ///
  /// A confirmed burn-in counts as the item's pick. A missed one leaves an explicit Off for the
  /// load, else Auto could choose the next bitmap row and load again, and the request carries -1
  /// from then on. An unconfirmed row is dropped; after a failed request it stays.
  public static func afterNegotiation(
    outcome: NegotiationOutcome, pick: SubtitlePick
  ) -> AfterNegotiation {
    let index = pick.streamIndex
    switch outcome {
    case .confirmed:
      return AfterNegotiation(
        selectedTrackID: index.flatMap { makeTrackId(index: $0) }, isExplicitChoice: true,
        autoMayRun: false, droppedIndex: nil, notifies: false, carriedPick: pick)
    case .unconfirmed, .requestFailed:
      return AfterNegotiation(
        selectedTrackID: nil, isExplicitChoice: true, autoMayRun: false,
        droppedIndex: outcome == .unconfirmed ? index : nil, notifies: true, carriedPick: .off)
    case .directPlay, .notAsked:
      let isExplicit = pick != .unspecified
      return AfterNegotiation(
        selectedTrackID: nil, isExplicitChoice: isExplicit, autoMayRun: !isExplicit,
        droppedIndex: nil, notifies: false, carriedPick: pick)
    }
  }
}

/// Something that happens to a title, for the life of its dropped rows.
public enum TitleEvent: Sendable, Hashable {
  /// A load of the title begins.
  case load(contentID: String)
  /// The server answered without confirming the index.
  case unconfirmed(index: Int)
  /// The burn-in request for the index failed.
  case requestFailed(index: Int)
  /// The burned-in stream would not open, and was blamed.
  case openFailureBlamed(index: Int)
  /// The burned-in stream would not open, for another reason.
  case openFailureNotBlamed(index: Int)
  /// The same title is loaded again.
  case reload(ReloadReason)
}

/// The burn-in rows of a title that are not offered any more.
///
/// A row is dropped until a load of another title begins (R21, A11). The set belongs to a version
/// of the title: another file may number its streams differently (A12).
public struct DroppedRows: Sendable, Hashable {
  /// A row of a file version.
  struct Row: Hashable {
    var sourceID: String?
    var index: Int
  }

  /// The title that was loaded last.
  public private(set) var contentID: String?
  /// The rows of all its versions.
  private var rows: Set<Row> = []

  /// No rows of no title.
  public init() {}

  /// The indexes that are dropped for a version of the title.
  public func indexes(sourceID: String?) -> Set<Int> {
    Set(rows.filter { $0.sourceID == sourceID }.map(\.index))
  }

  /// Takes in an event of the title in the given version.
  public mutating func apply(_ event: TitleEvent, sourceID: String?) {
    switch event {
    case .load(let contentID):
      if contentID != self.contentID { rows = [] }
      self.contentID = contentID
    case .unconfirmed(let index), .openFailureBlamed(let index):
      rows.insert(Row(sourceID: sourceID, index: index))
    case .requestFailed, .openFailureNotBlamed, .reload: break
    }
  }
}

extension BurnIn {
  /// The indexes that are dropped after a row of events, of one version of each title (R21).
  public static func dropLifetime(events: [TitleEvent]) -> Set<Int> {
    var dropped = DroppedRows()
    for event in events { dropped.apply(event, sourceID: nil) }
    return dropped.indexes(sourceID: nil)
  }
}
