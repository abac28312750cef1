// SPDX-License-Identifier: Apache-2.0
import BurnInNegotiation
import Foundation
import Testing

/// A track of a table: `13:eng[F]"English (Forced)"`.
private func track(
  _ id: Int, _ language: String?, forced: Bool = false, impaired: Bool = false,
  title: String? = nil, burnIn: Bool = false
) -> SubtitleTrack {
  SubtitleTrack(
    id: id, kind: burnIn ? .burnInRow : .textSidecar, sourceIndex: id, language: language,
    title: title, isForced: forced, isHearingImpaired: impaired)
}

/// One row of the table.
struct AutoCase: Sendable, CustomStringConvertible {
  var description: String
  var preferences: AutoPreferences
  var audio: String?
  var tracks: [SubtitleTrack]
  var expected: AutoVerdict

  init(
    _ description: String, _ preferences: AutoPreferences, audio: String?,
    _ tracks: [SubtitleTrack],
    _ expected: AutoVerdict
  ) {
    self.description = description
    self.preferences = preferences
    self.audio = audio
    self.tracks = tracks
    self.expected = expected
  }
}

@Suite("Auto")
struct AutoTests {
  private static let english = AutoPreferences(language: "en")
  private static let always = AutoPreferences(
    language: "en", mode: .always, showsForced: false)

  private static func stack(_ first: String, _ rest: String...) -> AutoPreferences {
    AutoPreferences(
      language: first, furtherLanguages: rest, mode: .always, showsForced: false)
  }

  private static let forcedOnly = AutoPreferences(language: "en", isForcedOnly: true)

  private static let cases: [AutoCase] = [
    AutoCase(
      "RA7: Show Forced does not steal the full pick", english, audio: "kor",
      [
        track(13, "eng", forced: true, title: "English (Forced)"),
        track(14, "eng", title: "English"),
      ],
      .select(trackID: 14)),
    AutoCase(
      "RA6: the audio's language takes the forced track", english, audio: "eng",
      [track(13, "eng", forced: true), track(14, "eng")], .select(trackID: 13)),
    AutoCase(
      "RA6 RA3: or none with Show Forced off", AutoPreferences(language: "en", showsForced: false),
      audio: "en", [track(13, "eng", forced: true), track(14, "eng")], .disable),
    AutoCase(
      "RA5: plain before SDH", english, audio: "kor",
      [track(12, "eng", impaired: true, title: "English (SDH)"), track(14, "eng")],
      .select(trackID: 14)),
    AutoCase(
      "RA4 RA5: CC and SDH in titles alone",
      AutoPreferences(language: "en", showsForced: false), audio: "kor",
      [
        track(12, "eng", title: "English (CC)"), track(13, "eng", title: "English SDH"),
        track(14, "eng", title: "English"),
      ], .select(trackID: 14)),
    AutoCase(
      "RA7: further languages in order", stack("de-DE", "es-ES", "fr-FR"), audio: "eng",
      [track(11, "spa"), track(10, "fra")], .select(trackID: 11)),
    AutoCase(
      "RA7: the exact region before the language", stack("pt-PT"), audio: "eng",
      [track(10, "pt-BR"), track(11, "pt-PT")], .select(trackID: 11)),
    AutoCase(
      "RA7: class outranks region", AutoPreferences(language: "pt-PT", mode: .always), audio: "eng",
      [track(10, "pt-PT", forced: true), track(11, "pt")], .select(trackID: 11)),
    AutoCase(
      "RA7: exact over all languages before the language", stack("pt-BR", "pt-PT"), audio: "eng",
      [track(10, "pt-AO"), track(11, "pt-PT")], .select(trackID: 11)),
    AutoCase(
      "RA2: three letters", stack("nl-NL"), audio: "eng", [track(10, "nld")], .select(trackID: 10)),
    AutoCase(
      "RA5: SDH preferred",
      AutoPreferences(
        language: "en", mode: .always, showsForced: false, prefersHearingImpaired: true),
      audio: "eng",
      [track(10, "eng", title: "English"), track(11, "eng", impaired: true, title: "English SDH")],
      .select(trackID: 11)),
    AutoCase(
      "RA9: Forced Only never takes full dialogue",
      AutoPreferences(language: "en", furtherLanguages: ["es"], isForcedOnly: true), audio: "eng",
      [track(10, "eng"), track(11, "spa", forced: true)], .select(trackID: 11)),
    AutoCase("RA9: or disables", forcedOnly, audio: "eng", [track(10, "eng")], .disable),
    AutoCase(
      "RA9: also beside a forced track of another language", forcedOnly, audio: "eng",
      [track(11, "fra", forced: true)], .disable),
    AutoCase(
      "RA1 RA10: no track, and a miss disables",
      AutoPreferences(language: "en", mode: .always, disablesOnMiss: true), audio: "eng", [],
      .disable),
    AutoCase("RA1: no track", always, audio: "eng", [], .noChange),
    AutoCase(
      "RA10: a language miss that disables",
      AutoPreferences(language: "es", mode: .always, showsForced: false, disablesOnMiss: true),
      audio: "eng", [track(10, "eng")], .disable),
    AutoCase(
      "RA10: a language miss that changes nothing", stack("es"), audio: "eng", [track(10, "eng")],
      .noChange),
    AutoCase(
      "RA1: mode off", AutoPreferences(language: "en", mode: .off), audio: "jpn",
      [track(10, "eng")], .disable),
    AutoCase(
      "RA1: the language none", AutoPreferences(language: " ", mode: .always), audio: "jpn",
      [track(10, "eng")], .disable),
    AutoCase(
      "RA8: no preference, auto", AutoPreferences(), audio: "jpn", [track(10, "eng")], .noChange),
    AutoCase(
      "RA8: no preference, always: full before forced", AutoPreferences(mode: .always),
      audio: "jpn", [track(10, "eng", forced: true), track(11, nil)], .select(trackID: 11)),
    AutoCase(
      "RA8: no preference, always, nothing but forced", AutoPreferences(mode: .always),
      audio: "jpn", [track(10, "eng", forced: true)], .select(trackID: 10)),
    AutoCase(
      "RA8 RA3: the same with Show Forced off", AutoPreferences(mode: .always, showsForced: false),
      audio: "jpn", [track(10, "eng", forced: true)], .noChange),
    AutoCase(
      "RA3: a track named Forced is forced", english, audio: "eng",
      [track(10, "eng", title: "English Forced"), track(11, "eng")], .select(trackID: 10)),
    AutoCase(
      "RA3: one named Non-Forced is not", english, audio: "jpn",
      [track(10, "eng", title: "Non-Forced"), track(11, "eng")], .select(trackID: 10)),
    AutoCase(
      "RA11: the backup language where the main one has none",
      AutoPreferences(language: "en", backupLanguage: "fr"), audio: "jpn", [track(12, "fre")],
      .select(trackID: 12)),
    AutoCase(
      "RA11: the main language by its other code before the backup's exact tag",
      AutoPreferences(language: "en", backupLanguage: "fr"), audio: "jpn",
      [track(12, "fr"), track(11, "eng")], .select(trackID: 11)),
    AutoCase(
      "RA11: before a forced track of the main language",
      AutoPreferences(language: "en", backupLanguage: "fr"), audio: "jpn",
      [track(10, "eng", forced: true), track(12, "fre")], .select(trackID: 12)),
    AutoCase(
      "RA11: an SDH track of the main language is full",
      AutoPreferences(language: "en", backupLanguage: "fr"), audio: "jpn",
      [track(12, "fre"), track(11, "eng", impaired: true)], .select(trackID: 11)),
    AutoCase(
      "RA11: a forced track of the backup language is not",
      AutoPreferences(language: "en", backupLanguage: "fr"), audio: "jpn",
      [track(12, "fre", forced: true)], .noChange),
    AutoCase(
      "RA11 RA6: the backup takes no part in the audio's match",
      AutoPreferences(language: "en", backupLanguage: "fr"), audio: "fra", [track(12, "fre")],
      .select(trackID: 12)),
    AutoCase(
      "RA11 RA6: and does not play where the audio is understood",
      AutoPreferences(language: "en", backupLanguage: "fr"), audio: "eng", [track(12, "fre")],
      .disable),
    AutoCase("RA2: unknown audio", english, audio: "und", [track(11, "eng")], .select(trackID: 11)),
    AutoCase(
      "RA2: a track without a language", english, audio: "jpn", [track(11, "und")], .noChange),
    AutoCase(
      "R16 R27: text before a bitmap row of the same kind", english, audio: "jpn",
      [track(2, "eng"), track(13, "eng", burnIn: true)], .select(trackID: 2)),
    AutoCase(
      "R27: a bitmap row that alone fits", english, audio: "jpn",
      [track(2, "fra"), track(13, "eng", burnIn: true)], .select(trackID: 13)),
    AutoCase(
      "A22: a plain bitmap row before a text row for the hearing impaired", english, audio: "jpn",
      [track(2, "eng", impaired: true), track(13, "eng", burnIn: true)], .select(trackID: 13)),
  ]

  @Test("chooses by the table", arguments: cases)
  func chooses(_ row: AutoCase) {
    let decision = BurnIn.resolveAuto(
      preferences: row.preferences, audioLanguage: row.audio, tracks: row.tracks)
    #expect(decision.verdict == row.expected, "\(row.description): \(decision.reason.sentence)")
  }

  @Test("R24: leaves burn-in rows to the hand while the video is only repackaged")
  func copying() {
    let tracks = [track(13, "eng", burnIn: true)]
    let decision = BurnIn.resolveAuto(
      preferences: Self.english, audioLanguage: "jpn", tracks: tracks, videoCopyOnly: true)
    #expect(decision.verdict == .noChange && decision.reason == .noCandidates)
  }

  @Test("R24: keeps to it in the state of a title, and the row can still be chosen by hand")
  func copyingTitle() {
    var streams = Film.streams
    streams[0].codec = "h264"
    let answer = PlaybackAnswer(
      playSessionID: "p",
      source: .init(
        transcodingURL: Film.address + "&TranscodeReasons=AudioCodecNotSupported",
        streams: streams))
    var state = TitleState(server: .emby, serverURL: Film.server)
    _ = state.begin(Film.start(auto: Film.english), body: PlaybackInfoBody())
    _ = state.answered(.success(answer), generation: 1)
    let effects = state.established(Film.transcode, generation: 1)
    #expect(state.videoCopyOnly)
    #expect(effects.allSatisfy { if case .load = $0 { false } else { true } })
    let chosen = state.choose(.burnInRow(index: 3), at: Film.at(1))
    #expect(chosen.contains { if case .load = $0 { true } else { false } })
  }

  @Test("RA2: the twenty pairs of bibliographic and terminological codes are one language each")
  func pairs() {
    let pairs = """
      alb/sqi arm/hye baq/eus bur/mya chi/zho cze/ces dut/nld fre/fra geo/kat ger/deu gre/ell
      ice/isl mac/mkd mao/mri may/msa per/fas rum/ron slo/slk tib/bod wel/cym
      """.split { $0.isWhitespace }.map { $0.split(separator: "/").map(String.init) }
    #expect(pairs.count == 20)
    for pair in pairs { #expect(BurnIn.languagesMatch(pair[0], pair[1]), "\(pair)") }
    for one in pairs {
      for other in pairs where one != other { #expect(!BurnIn.languagesMatch(one[0], other[1])) }
    }
  }

  @Test("RA2: every code of two letters is the language of its code of three, as ICU has it too")
  func codes() {
    var count = 0
    for code in Locale.LanguageCode.isoLanguageCodes where code.identifier.utf8.count == 2 {
      guard let three = code.identifier(.alpha3), three.utf8.count == 3 else { continue }
      count += 1
      #expect(BurnIn.languagesMatch(code.identifier, three), "\(code.identifier) \(three)")
    }
    #expect(count > 150)
  }

  @Test("RA2: regions and spelling do not matter, and what names no language matches nothing")
  func tags() {
    for (one, other) in [
      ("EN_us", "en"), (" eng ", "en-GB"), ("zh-Hans", "chi"), ("qqq", "QQQ"), ("haw", "haw-US"),
    ] {
      #expect(BurnIn.languagesMatch(one, other), "\(one) \(other)")
    }
    for (one, other) in [
      ("und", "und"), ("", ""), (nil, nil), ("und", "en"), ("-", "-"), ("en", "eng2"), ("no", "nb"),
      ("e", "en"), ("english", "en"),
    ] as [(String?, String?)] {
      #expect(!BurnIn.languagesMatch(one, other), "\(one ?? "nil") \(other ?? "nil")")
    }
  }

  @Test(
    "RA3 RA4: whole words in titles",
    arguments: [
      ("Forced", true, false), ("English [forced]", true, false), ("no forced", false, false),
      ("Non-Forced, Forced signs", true, false), ("Enforced", false, false), ("CC", false, true),
      ("English-SDH", false, true), ("ACCENT", false, false), ("Closed Captions", false, true),
      ("for the Hearing Impaired", false, true), ("", false, false), ("Forcé", false, false),
    ])
  func titles(title: String, forced: Bool, impaired: Bool) {
    #expect(BurnIn.titleIndicatesForced(title) == forced)
    #expect(BurnIn.titleIndicatesHearingImpaired(title) == impaired)
  }
}
