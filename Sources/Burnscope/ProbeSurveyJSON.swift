// SPDX-License-Identifier: Apache-2.0
import SubtitleFormats
import SubtitleModel

extension Probe {
  /// What the headers say of a track, as docs/probe.md names it; null for what does not apply.
  static func survey(of track: ProbedTrack) -> [String: JSONValue] {
    let survey = track.survey
    return [
      "canvases": survey.map(canvases) ?? .null, "objects": survey.map(objects) ?? .null,
      "colors": survey?.colors.map { colors($0, survey?.canvases.first?.matrix) } ?? .null,
      "coverage": survey?.coverage.map(coverage) ?? .null,
      "pages": survey?.pages.map(pages) ?? .null,
    ]
  }

  private static func canvases(_ survey: TrackSurvey) -> JSONValue {
    // Only our own readers see them; the decoder has one canvas for all.
    guard survey.colors != nil else { return .null }
    return .array(
      survey.canvases.map { use in
        .object([
          "width": .integer(use.canvas.width), "height": .integer(use.canvas.height),
          "cueCount": .integer(use.cueCount), "matrix": .text(use.matrix?.rawValue),
        ])
      })
  }

  private static func objects(_ survey: TrackSurvey) -> JSONValue {
    .object([
      "shown": .integer(survey.objectCount),
      "forced": survey.forcedObjectCount.map { .integer($0) } ?? .null,
    ])
  }

  private static func colors(
    _ colors: TrackColors, _ matrix: PaletteConversion.Matrix?
  ) -> JSONValue {
    var members: [String: JSONValue] = [
      "looksLike": .null, "looksHDR": .null, "evidence": .null, "matrix": .text(matrix?.rawValue),
      "paletteSource": .null, "hasAlpha": .null, "definedCLUTs": .null, "defaultCLUTs": .null,
    ]
    switch colors {
    case .pgs(let survey):
      members["looksLike"] = .string(survey.kind.rawValue)
      members["looksHDR"] = survey.looksHDR.map { .bool($0) } ?? .null
      members["evidence"] = evidence(survey)
    case .vobsub(let source): members["paletteSource"] = .string(source.rawValue)
    case .dvb(let survey):
      members["definedCLUTs"] = .array(survey.defined.map(clut))
      members["defaultCLUTs"] = .array(survey.defaultIDs.map { .integer($0) })
    case .xsub(let hasAlpha):
      members["paletteSource"] = .string("packet")
      members["hasAlpha"] = hasAlpha.map { .bool($0) } ?? .null
    }
    return .object(members)
  }

  private static func evidence(_ survey: PGSPaletteSurvey) -> JSONValue {
    .object([
      "visibleEntryCount": .integer(survey.colorCount),
      "brightestNeutralLuma": survey.brightestNeutral.map { .integer(Int($0)) } ?? .null,
      "brightestLuma": survey.colorCount > 0 ? .integer(Int(survey.brightest)) : .null,
      "darkestLuma": survey.colorCount > 0 ? .integer(Int(survey.darkest)) : .null,
    ])
  }

  private static func clut(_ use: DVBColorSurvey.CLUTUse) -> JSONValue {
    .object([
      "id": .integer(use.id), "definitionCount": .integer(use.definitionCount),
      "fullRangeEntryCount": .integer(use.fullRangeEntryCount),
      "reducedRangeEntryCount": .integer(use.reducedRangeEntryCount),
    ])
  }

  private static func coverage(_ coverage: CueCoverage) -> JSONValue {
    .object([
      "lengthSeconds": .seconds(coverage.length),
      "isOfFilm": .bool(coverage.isOfFilm), "share": .share(coverage.share),
      "cuesPerPart": .array(coverage.cuesPerBin.map { .integer($0) }),
    ])
  }

  private static func pages(_ survey: DVBPageSurvey) -> JSONValue {
    .object([
      "counted": survey.countedPageID.map { .integer($0) } ?? .null,
      "services": .array(
        survey.services.map { service in
          .object([
            "language": service.language.isEmpty ? .null : .string(service.language),
            "type": service.type == 0 ? .null : .integer(Int(service.type)),
            "typeName": .text(service.typeName),
            "compositionPage": .integer(service.compositionPageID),
            "ancillaryPage": .integer(service.ancillaryPageID),
          ])
        }),
      "seen": .array(
        survey.pages.map { page in
          .object([
            "page": .integer(page.id), "segmentCount": .integer(page.segmentCount),
            "compositionCount": .integer(page.compositionCount),
          ])
        }),
      "unlistedSegmentCount": .integer(survey.unlistedSegmentCount),
    ])
  }
}
