// SPDX-License-Identifier: Apache-2.0

extension BurnIn {
  /// Whether a track's title says that it is forced: the word, unless it is denied (RA3).
  public static func titleIndicatesForced(_ title: String?) -> Bool {
    guard let title else { return false }
    let words = Text.words(title)
    return words.indices.contains { place in
      words[place] == "forced"
        && (place == 0 || !["non", "not", "no"].contains(words[place - 1]))
    }
  }

  /// Whether a track's title says that it is made for the hearing impaired (RA4).
  public static func titleIndicatesHearingImpaired(_ title: String?) -> Bool {
    guard let title else { return false }
    let lower = title.lowercased()
    return lower.contains("hearing impaired") || lower.contains("closed caption")
      || Text.words(title).contains { $0 == "cc" || $0 == "sdh" }
  }
}

extension SubtitleTrack {
  /// Whether the track is forced by its flag or by its name (RA3).
  public var countsAsForced: Bool { isForced || BurnIn.titleIndicatesForced(title) }

  /// Whether the track is made for the hearing impaired by its flag or by its name (RA4).
  public var countsAsHearingImpaired: Bool {
    isHearingImpaired || BurnIn.titleIndicatesHearingImpaired(title)
  }
}
