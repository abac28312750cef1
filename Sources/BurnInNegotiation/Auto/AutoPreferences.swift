// SPDX-License-Identifier: Apache-2.0

/// What the user prefers when a subtitle is chosen automatically.
public struct AutoPreferences: Sendable, Hashable {
  /// When subtitles are shown.
  public enum Mode: String, Sendable, Hashable, CaseIterable {
    /// Full subtitles unless the audio is in one of the languages.
    case auto
    /// Full subtitles whatever the audio is.
    case always
    /// None.
    case off
  }

  /// The main language; nil for no preference, empty for no subtitles (RA1).
  public var language: String?
  /// More main languages, in order.
  public var furtherLanguages: [String]
  /// The language of full subtitles where the main languages have none (RA11).
  public var backupLanguage: String?
  /// When subtitles are shown.
  public var mode: Mode
  /// Whether forced tracks may play.
  public var showsForced: Bool
  /// Whether nothing but forced tracks may play.
  public var isForcedOnly: Bool
  /// Whether tracks for the hearing impaired come first.
  public var prefersHearingImpaired: Bool
  /// Whether a miss switches subtitles off; otherwise it changes nothing.
  public var disablesOnMiss: Bool

  /// The given preferences.
  public init(
    language: String? = nil, furtherLanguages: [String] = [], backupLanguage: String? = nil,
    mode: Mode = .auto, showsForced: Bool = true, isForcedOnly: Bool = false,
    prefersHearingImpaired: Bool = false, disablesOnMiss: Bool = false
  ) {
    self.language = language
    self.furtherLanguages = furtherLanguages
    self.backupLanguage = backupLanguage
    self.mode = mode
    self.showsForced = showsForced
    self.isForcedOnly = isForcedOnly
    self.prefersHearingImpaired = prefersHearingImpaired
    self.disablesOnMiss = disablesOnMiss
  }
}

/// What Auto decides.
public enum AutoVerdict: Sendable, Hashable {
  /// Leave the subtitles as they are.
  case noChange
  /// Switch subtitles off.
  case disable
  /// Choose the row with the id.
  case select(trackID: Int)
}

/// What Auto decides, and why.
public struct AutoDecision: Sendable, Hashable {
  /// What led to a verdict.
  public enum Reason: String, Sendable, Hashable, CaseIterable {
    /// There is no track to choose from.
    case noCandidates
    /// Subtitles are switched off.
    case modeOff
    /// The preferred language is "none".
    case noSubtitlesWanted
    /// No language is preferred.
    case noLanguage
    /// The audio is in a main language, and a forced track fits.
    case forcedBesideAudio
    /// The audio is in a main language, and no forced track may play or fits.
    case audioUnderstood
    /// Only forced tracks are wanted, and one fits.
    case forcedOnly
    /// Only forced tracks are wanted, and none fits.
    case noForcedTrack
    /// A track with full dialogue fits a main language.
    case fullDialogue
    /// A track with full dialogue fits the backup language.
    case backupLanguage
    /// Only a forced track fits a main language.
    case onlyForcedTrack
    /// Any language will do, and this is the best track.
    case anyLanguage
    /// No track fits.
    case languageMiss

    /// The reason as one sentence.
    public var sentence: String {
      switch self {
      case .noCandidates: "There is no track to choose from."
      case .modeOff: "Subtitles are switched off."
      case .noSubtitlesWanted: "The preferred language is none at all."
      case .noLanguage: "No language is preferred."
      case .forcedBesideAudio: "The audio is in a preferred language, so a forced track plays."
      case .audioUnderstood: "The audio is in a preferred language, so no subtitle plays."
      case .forcedOnly: "Only forced tracks are wanted, and this one fits a language."
      case .noForcedTrack: "Only forced tracks are wanted, and none fits a language."
      case .fullDialogue: "The track has full dialogue in a preferred language."
      case .backupLanguage: "The track has full dialogue in the backup language."
      case .onlyForcedTrack: "Only a forced track fits a preferred language."
      case .anyLanguage: "Subtitles always play, in whatever language."
      case .languageMiss: "No track that may play fits a preferred language."
      }
    }
  }

  /// What is decided.
  public var verdict: AutoVerdict
  /// Why.
  public var reason: Reason

  /// A verdict with its reason.
  init(_ verdict: AutoVerdict, _ reason: Reason) {
    self.verdict = verdict
    self.reason = reason
  }
}
