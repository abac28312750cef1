// SPDX-License-Identifier: Apache-2.0
internal import Burnscope
internal import SubtitleFormats
internal import SubtitleModel

/// The text of what a track's headers say, a line each: objects, canvases, colours, pages, coverage.
enum ProbeDetails {
  /// The lines of one track, the first its number; none for a track that is not made of bitmaps.
  static func lines(_ track: ProbedTrack) -> [String] {
    guard let survey = track.survey else { return [] }
    let cueCount = track.cueCount ?? 0
    var lines: [(title: String, text: String)] = []
    // One object a cue, as the table has it, needs no line.
    if survey.objectCount != cueCount || survey.forcedObjectCount != track.forcedCueCount {
      lines.append(("objects", objects(survey)))
    }
    if survey.canvases.count > 1 { lines.append(("canvases", canvases(survey))) }
    if let colors = survey.colors {
      lines.append(("colours", describe(colors, survey.canvases)))
    }
    if let pages = survey.pages { lines += self.pages(pages) }
    if let coverage = survey.coverage, cueCount > 0 { lines += describe(coverage) }
    guard !lines.isEmpty else { return [] }
    let width = lines.map(\.title.count).max() ?? 0
    let head = "stream \(track.description.streamIndex), \(track.description.codec.rawValue):"
    return [head]
      + lines.map { title, text in
        "  \(title)\(String(repeating: " ", count: width - title.count))  \(text)"
      }
  }

  /// The share, and the cues of each part where they are in several.
  private static func describe(_ coverage: CueCoverage) -> [(title: String, text: String)] {
    let cues = coverage.cuesPerBin.map { $0 == 0 ? "-" : "\($0)" }.joined(separator: " ")
    let whole = coverage.isOfFilm ? "the film" : "the time up to the last cue's end"
    return [
      ("shown", "\(percent(coverage.share)) % of \(whole), \(coverage.length)"),
      ("spread", "\(cues)  (cues in each twentieth of it)"),
    ]
  }

  private static func objects(_ survey: TrackSurvey) -> String {
    "\(survey.objectCount) shown, "
      + (survey.forcedObjectCount.map { "\($0) forced" } ?? "none can be marked as forced")
  }

  private static func canvases(_ survey: TrackSurvey) -> String {
    var parts = survey.canvases.map { "\($0.canvas) in \(cues($0.cueCount))" }
    if survey.unlistedCanvasCueCount > 0 {
      parts.append("others in \(cues(survey.unlistedCanvasCueCount))")
    }
    return parts.joined(separator: ", ")
  }

  private static func cues(_ count: Int) -> String { count == 1 ? "1 cue" : "\(count) cues" }

  private static func describe(
    _ colors: TrackColors, _ canvases: [TrackSurvey.CanvasUse]
  ) -> String {
    switch colors {
    case .pgs(let survey): return pgs(survey) + matrices(canvases)
    case .vobsub(let source): return describe(source)
    case .dvb(let survey): return clut(survey)
    case .xsub(let hasAlpha):
      return "four RGB colours in each packet"
        + (hasAlpha.map { $0 ? ", with alpha" : ", without alpha" } ?? "")
    }
  }

  private static func pgs(_ survey: PGSPaletteSurvey) -> String {
    let guess =
      switch survey.kind {
      case .limited: "look like limited range, not HDR"
      case .full: "look like full range, not HDR"
      case .pq: "look like HDR (PQ)"
      case .unknown: "too little to tell range and HDR"
      }
    guard survey.colorCount > 0 else { return guess + " (no visible palette entry)" }
    let white = survey.brightestNeutral.map { "brightest grey has luma \($0)" } ?? "no grey"
    let luma =
      survey.darkest == survey.brightest
      ? "luma \(survey.darkest)" : "luma \(survey.darkest) to \(survey.brightest)"
    let entries =
      survey.colorCount == 1 ? "1 palette entry" : "\(survey.colorCount) palette entries"
    return "\(guess) (\(white); \(luma) in \(entries))"
  }

  /// The matrix of each canvas, once where all have the same.
  private static func matrices(_ canvases: [TrackSurvey.CanvasUse]) -> String {
    var seen: [PaletteConversion.Matrix] = []
    for canvas in canvases {
      if let matrix = canvas.matrix, !seen.contains(matrix) { seen.append(matrix) }
    }
    guard !seen.isEmpty else { return "" }
    return "; " + seen.map(name).joined(separator: " and ") + " by the canvas's height"
  }

  private static func name(_ matrix: PaletteConversion.Matrix) -> String {
    switch matrix {
    case .bt601: "BT.601"
    case .bt709: "BT.709"
    case .bt2020: "BT.2020"
    }
  }

  private static func describe(_ source: VobSubPaletteSource) -> String {
    switch source {
    case .indexFile: "palette of the .idx file"
    case .codecPrivate: "palette in the container's private data"
    case .movie: "palette of the MP4 track"
    case .customColors: "custom colours of the .idx text, in place of its palette"
    case .guessed: "palette guessed: neither stream nor container has one"
    }
  }

  private static func clut(_ survey: DVBColorSurvey) -> String {
    var parts = survey.defined.prefix(listed).map { use in
      let full = use.fullRangeEntryCount
      let reduced = use.reducedRangeEntryCount
      let entries =
        reduced == 0
        ? "\(full) entries in full range"
        : full == 0
          ? "\(reduced) entries in reduced range"
          : "\(full) entries in full and \(reduced) in reduced range"
      return "CLUT \(use.id) defined \(times(use.definitionCount)), \(entries)"
    }
    if survey.defined.count > listed { parts.append("\(survey.defined.count - listed) more CLUTs") }
    let defaults = survey.defaultIDs
    if !defaults.isEmpty {
      let names = defaults.prefix(listed).map { "\($0)" }.joined(separator: ", ")
      parts.append(
        "CLUT \(names)\(defaults.count > listed ? " and more" : "") never defined: default colours")
    }
    return parts.isEmpty ? "no CLUT defined or named" : parts.joined(separator: "; ")
  }

  /// CLUTs and pages listed in text; JSON has all.
  private static let listed = 8

  private static func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }

  private static func pages(_ survey: DVBPageSurvey) -> [(title: String, text: String)] {
    var lines: [(title: String, text: String)] = survey.services.prefix(listed).map { service in
      var parts = ["page \(service.compositionPageID)"]
      if service.ancillaryPageID != service.compositionPageID {
        parts.append("ancillary page \(service.ancillaryPageID)")
      }
      if !service.language.isEmpty { parts.append(service.language) }
      if service.type != 0 {
        let number = "type 0x" + String(service.type, radix: 16)
        parts.append(service.typeName.map { "\(number) (\($0))" } ?? number)
      }
      return ("service", parts.joined(separator: ", "))
    }
    if survey.services.count > listed {
      lines.append(("service", "\(survey.services.count - listed) more"))
    }
    let ancillary = Set(survey.services.map(\.ancillaryPageID))
    var seen = survey.pages.prefix(listed).map { page in
      page.compositionCount > 0
        ? "\(page.id) composed \(times(page.compositionCount))"
        : "\(page.id) \(ancillary.contains(page.id) ? "ancillary" : "never composed")"
    }
    if survey.pages.count > listed { seen.append("\(survey.pages.count - listed) more") }
    if !seen.isEmpty { lines.append(("pages", seen.joined(separator: ", "))) }
    return lines
  }

  /// Whole percents; a little that is there is not none.
  private static func percent(_ share: Double) -> String {
    share > 0 && share < 0.01 ? "less than 1" : "\(Int((share * 100).rounded()))"
  }
}
