// SPDX-License-Identifier: Apache-2.0

/// The rules of presentation graphics streams that the reader checks.
///
/// The Blu-ray specification (part 3-1) is not public; the sources are US 2009/0185789, which prints
/// its syntax tables, and what players were observed to do.
extension FindingRule {
  private static let patent = "US 2009/0185789 A1"
  private static let observed = "observed in files of converters"

  static let pgsDamaged = FindingRule("pgs.segment-damaged", .error, patent)
  static let pgsPacketLimit = FindingRule(
    "pgs.packet-limit", .error, "a limit of this decoder")
  static let rawLimit = FindingRule("raw.limit", .error, "a limit of this reader")
  static let pgsUnknownSegment = FindingRule("pgs.segment-unknown", .warning, patent)
  static let pgsSpareBytes = FindingRule("pgs.spare-bytes", .note, patent)
  static let pgsNoComposition = FindingRule("pgs.composition-missing", .warning, patent)
  static let pgsEndMissing = FindingRule("pgs.end-missing", .warning, observed)
  static let pgsNoTime = FindingRule("pgs.time-missing", .error, "ISO/IEC 13818-1, 2.4.3.7")
  static let pgsDecodingTime = FindingRule(
    "pgs.decoding-time-late", .warning, "ISO/IEC 13818-1, 2.4.3.7")
  static let pgsTimeBackwards = FindingRule("pgs.time-backwards", .warning, observed)
  static let pgsTimeWrap = FindingRule("pgs.time-wrap", .note, "the 32-bit field of .sup headers")
  static let pgsPaletteUndefined = FindingRule("pgs.palette-undefined", .error, patent)
  static let pgsPaletteID = FindingRule("pgs.palette-id", .warning, patent)
  static let pgsPaletteEmpty = FindingRule("pgs.palette-empty", .note, observed)
  static let pgsEntryUndefined = FindingRule("pgs.palette-entry-undefined", .warning, observed)
  static let pgsPaletteRange = FindingRule("pgs.palette-range", .warning, "ITU-R BT.709-6, 4.6")
  static let pgsObjectUndefined = FindingRule("pgs.object-undefined", .error, patent)
  static let pgsObjectIncomplete = FindingRule("pgs.object-incomplete", .error, patent)
  static let pgsObjectLength = FindingRule("pgs.object-length", .warning, patent)
  static let pgsObjectSize = FindingRule("pgs.object-size", .error, patent)
  static let pgsObjectCount = FindingRule("pgs.object-count", .warning, patent)
  static let pgsEpochObjects = FindingRule("pgs.epoch-objects", .error, patent)
  static let pgsRows = FindingRule("pgs.object-rows", .warning, patent)
  static let pgsCrop = FindingRule("pgs.crop-outside", .warning, patent)
  static let pgsWindowUndefined = FindingRule("pgs.window-undefined", .warning, patent)
  static let pgsWindowClips = FindingRule("pgs.window-clips", .warning, patent)
  static let pgsWindowsOverlap = FindingRule("pgs.windows-overlap", .warning, patent)
  static let pgsWindowOutside = FindingRule("pgs.window-outside", .warning, patent)
  static let pgsOutside = FindingRule("pgs.object-outside-canvas", .warning, patent)
  static let pgsCanvas = FindingRule("pgs.canvas", .warning, patent)
  static let pgsBareContinue = FindingRule("pgs.epoch-continue-bare", .warning, observed)
  static let pgsEmptyEpoch = FindingRule("pgs.epoch-empty", .note, observed)
  static let pgsBuffer = FindingRule("pgs.object-buffer", .warning, patent)
}
