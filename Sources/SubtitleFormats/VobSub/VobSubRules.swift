// SPDX-License-Identifier: Apache-2.0

/// The rules of DVD sub-pictures and their files that the readers check.
///
/// The DVD-Video book is not public; "SPU" is the description at mpucoder.com/DVD/spu.html, "idx" what
/// the files of VobSub's own ripper hold.
extension FindingRule {
  static let vobsubDamaged = FindingRule("vobsub.unit-damaged", .error, "SPU, header")
  static let vobsubIncomplete = FindingRule("vobsub.unit-incomplete", .error, "SPU, SPDSZ")
  static let vobsubNoTime = FindingRule("vobsub.time-missing", .error, "ISO/IEC 13818-1, 2.4.3.7")
  static let vobsubCommand = FindingRule("vobsub.command-unknown", .error, "SPU, SP_DCCMD")
  static let vobsubNoStart = FindingRule("vobsub.start-missing", .note, "SPU, STA_DSP")
  static let vobsubNoStop = FindingRule("vobsub.stop-missing", .note, "SPU, STP_DSP")
  static let vobsubZeroLength = FindingRule("vobsub.start-and-stop", .warning, "SPU, SP_DCSQ_STM")
  static let vobsubNoArea = FindingRule("vobsub.area-missing", .error, "SPU, SET_DAREA")
  static let vobsubArea = FindingRule("vobsub.area-invalid", .error, "SPU, SET_DAREA")
  static let vobsubOutside = FindingRule("vobsub.area-outside-canvas", .warning, "SPU, SET_DAREA")
  static let vobsubRows = FindingRule("vobsub.rows", .warning, "SPU, PXD")
  static let vobsubNoPalette = FindingRule("vobsub.palette-guessed", .warning, "idx, palette")
  static let vobsubInvisible = FindingRule("vobsub.all-transparent", .note, "SPU, SET_CONTR")
  static let vobsubChanges = FindingRule("vobsub.color-changes", .warning, "SPU, CHG_COLCON")
  static let vobsubMoved = FindingRule("vobsub.index-layout", .note, "idx, org, scale and align")
  static let vobsubColorLines = FindingRule("vobsub.color-lines", .note, "SPU, CHG_COLCON")
  static let vobsubSteps = FindingRule("vobsub.steps", .note, "SPU, SP_DCSQ_STM")
  static let vobsubDuration = FindingRule(
    "vobsub.duration-differs", .note, "the container's duration against STP_DSP")
  static let vobsubLimit = FindingRule("vobsub.unit-limit", .error, "a limit of this decoder")
  static let idxLimit = FindingRule("idx.limit", .error, "a limit of this reader")
  static let idxLine = FindingRule("idx.line", .warning, "idx")
  static let idxTime = FindingRule("idx.time", .warning, "idx, timestamp")
  static let idxNegative = FindingRule("idx.time-negative", .warning, "idx, timestamp and delay")
  static let idxNoLanguage = FindingRule("idx.langidx-missing", .note, "idx, langidx")
  static let idxPosition = FindingRule("idx.filepos", .error, "idx, filepos")
  static let packDamaged = FindingRule("ps.pack-damaged", .warning, "ISO/IEC 13818-1, 2.5.3")
  static let packCut = FindingRule("ps.pack-cut", .warning, "ISO/IEC 13818-1, 2.5.3")
}
