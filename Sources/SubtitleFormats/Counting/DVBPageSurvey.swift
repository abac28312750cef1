// SPDX-License-Identifier: Apache-2.0

/// The services that a container names for a DVB track, and the pages that its segments are of.
public struct DVBPageSurvey: Sendable, Hashable {
  /// A page that segments are of.
  public struct PageUse: Sendable, Hashable {
    /// The page's number.
    public var id: Int
    /// Segments of it, of whatever kind.
    public var segmentCount = 0
    /// Page compositions, repeated ones too; an ancillary page has none.
    public var compositionCount = 0
  }

  /// Pages kept of one track; a channel has a handful, the field has room for 65,536.
  public static let pageLimit = 64

  /// The services, in the descriptor's order.
  public internal(set) var services: [SubtitlingService]
  /// The pages seen, by rising number.
  public internal(set) var pages: [PageUse] = []
  /// Segments of pages past ``pageLimit``.
  public internal(set) var unlistedSegmentCount = 0
  /// The page whose cues are counted: the first service's, else the first that composes.
  public internal(set) var countedPageID: Int?

  /// Makes a survey of no segment.
  init(services: [SubtitlingService]) {
    self.services = services
    countedPageID = services.first?.compositionPageID
  }

  /// Takes a segment.
  mutating func add(pageID: Int, isComposition: Bool) {
    if isComposition, countedPageID == nil { countedPageID = pageID }
    let place = pages.firstIndex { $0.id >= pageID } ?? pages.count
    if place == pages.count || pages[place].id != pageID {
      guard pages.count < Self.pageLimit else {
        unlistedSegmentCount += 1
        return
      }
      pages.insert(PageUse(id: pageID), at: place)
    }
    pages[place].segmentCount += 1
    if isComposition { pages[place].compositionCount += 1 }
  }

  /// What is remarkable, one sentence without a full stop each.
  var notes: [String] {
    guard !pages.isEmpty else { return [] }
    var notes: [String] = []
    let composing = pages.filter { $0.compositionCount > 0 }.map(\.id)
    if services.isEmpty {
      if composing.count > 1, let countedPageID {
        notes.append(
          "the container names no page, and pages \(Self.list(composing)) compose; "
            + "page \(countedPageID) is counted")
      }
      return notes
    }
    if services.count > 1, let countedPageID {
      notes.append(
        "the container names \(services.count) services; page \(countedPageID) of the first is counted"
      )
    }
    let missing = services.map(\.compositionPageID).filter { !composing.contains($0) }
    if !missing.isEmpty {
      notes.append(
        "\(Self.pages(missing)) of the container's description composed nothing")
    }
    let named = Set(services.flatMap { [$0.compositionPageID, $0.ancillaryPageID] })
    let unnamed = pages.map(\.id).filter { !named.contains($0) }
    if !unnamed.isEmpty {
      notes.append("there are segments of \(Self.pages(unnamed)), not named by the container")
    }
    return notes
  }

  private static func pages(_ ids: [Int]) -> String {
    (ids.count == 1 ? "page " : "pages ") + list(ids)
  }

  /// Pages listed in a note; the survey has them all.
  private static let listedPages = 8

  private static func list(_ ids: [Int]) -> String {
    var unique: [Int] = []
    for id in ids where !unique.contains(id) { unique.append(id) }
    let rest = unique.count - listedPages
    return unique.prefix(listedPages).map { "\($0)" }.joined(separator: ", ")
      + (rest > 0 ? " and \(rest) more" : "")
  }
}

/// The tables of colours (CLUTs) that a DVB track defines, and those that it takes for granted.
public struct DVBColorSurvey: Sendable, Hashable {
  /// A CLUT that the stream defines.
  public struct CLUTUse: Sendable, Hashable {
    /// The CLUT's number.
    public var id: Int
    /// Definitions of it, repeated ones too.
    public var definitionCount = 0
    /// Colours sent with components of 8 bits.
    public var fullRangeEntryCount = 0
    /// Colours sent with components of 6, 4, 4 and 2 bits.
    public var reducedRangeEntryCount = 0
  }

  /// The CLUTs defined, by rising number; the field of 8 bits bounds them.
  public private(set) var defined: [CLUTUse] = []
  private var named: Set<Int> = []

  /// CLUTs that regions name and that the stream never defines: they have the standard's colours.
  public var defaultIDs: [Int] {
    named.subtracting(defined.map(\.id)).sorted()
  }

  /// Makes a survey of nothing.
  init() {}

  /// Takes a definition.
  mutating func add(_ segment: CLUTDefinitionSegment) {
    let place = defined.firstIndex { $0.id >= segment.id } ?? defined.count
    if place == defined.count || defined[place].id != segment.id {
      defined.insert(CLUTUse(id: segment.id), at: place)
    }
    defined[place].definitionCount += 1
    for entry in segment.entries {
      if entry.isFullRange {
        defined[place].fullRangeEntryCount += 1
      } else {
        defined[place].reducedRangeEntryCount += 1
      }
    }
  }

  /// Takes a region's choice of colours.
  mutating func add(regionWithCLUT id: Int) { named.insert(id) }
}
