// SPDX-License-Identifier: Apache-2.0

/// The rules of DVB subtitle streams that the reader checks, by the clauses of ETSI EN 300 743.
extension FindingRule {
  private static func clause(
    _ code: String, _ severity: FindingSeverity, _ clause: String
  ) -> FindingRule {
    FindingRule("dvb.\(code)", severity, "EN 300 743, \(clause)")
  }

  static let dvbPacketLimit = FindingRule(
    "dvb.packet-limit", .error, "a limit of this decoder")
  static let dvbDamaged = clause("segment-damaged", .error, "7.2")
  static let dvbSync = clause("sync-lost", .error, "7.2")
  static let dvbUnknownSegment = clause("segment-unknown", .note, "7.2, table 7")
  static let dvbUnsupported = clause("segment-unsupported", .warning, "7.2, table 7")
  static let dvbNoTime = clause("time-missing", .error, "5.1.2")
  static let dvbNoEnd = clause("end-missing", .note, "7.2.6")
  static let dvbForeignPage = clause("page-foreign", .note, "8.2")
  static let dvbPageState = clause("page-state-reserved", .warning, "7.2.2")
  static let dvbRegionUndefined = clause("region-undefined", .error, "7.2.2")
  static let dvbRegionChanged = clause("region-changed", .warning, "7.2.3")
  static let dvbRegionSize = clause("region-size", .error, "7.2.3")
  static let dvbRegionDepth = clause("region-depth", .warning, "7.2.3")
  static let dvbRegionOutside = clause("region-outside-display", .warning, "7.2.2")
  static let dvbRegionUnfilled = clause("region-unfilled", .note, "7.2.3")
  static let dvbDefaultCLUT = clause("clut-default", .note, "10")
  static let dvbCLUTEntry = clause("clut-entry", .warning, "7.2.4")
  static let dvbObjectUnused = clause("object-unused", .note, "7.2.5")
  static let dvbObjectString = clause("object-string", .warning, "7.2.5")
  static let dvbObjectProgressive = clause("object-progressive", .error, "7.2.5")
  static let dvbObjectOutside = clause("object-outside-region", .warning, "7.2.3")
  static let dvbPixelData = clause("pixel-data", .error, "7.2.5.1")
  static let dvbEndOfString = clause("end-of-string", .warning, "7.2.5.2")
  static let dvbPixelDepth = clause("pixel-depth", .warning, "7.2.5.1")
  static let dvbNonModifying = clause("non-modifying-color", .note, "7.2.5")
  static let dvbDisplay = clause("display-definition", .note, "7.2.1")
  static let dvbDisplayVersion = clause("display-version", .warning, "7.2.1")
  static let dvbWindow = clause("display-window", .warning, "7.2.1")
}
