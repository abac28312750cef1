// SPDX-License-Identifier: Apache-2.0
internal import BinaryReading

/// A display set: all segments that share one PTS, from the composition to the end segment.
package struct PGSDisplaySet: Sendable, Hashable {
  /// When it takes effect, in 90 kHz ticks.
  package var pts: Int64
  /// What is shown.
  package var composition: PresentationCompositionSegment
  /// The epoch's windows; empty sends no window definition segment.
  package var windows: [Window] = []
  /// Palettes defined or changed.
  package var palettes: [PaletteDefinitionSegment] = []
  /// Objects defined.
  package var objects: [ObjectDefinition] = []

  /// Makes a display set.
  package init(
    pts: Int64, composition: PresentationCompositionSegment, windows: [Window] = [],
    palettes: [PaletteDefinitionSegment] = [], objects: [ObjectDefinition] = []
  ) {
    self.pts = pts
    self.composition = composition
    self.windows = windows
    self.palettes = palettes
    self.objects = objects
  }

  /// The segments in the order of the stream: PCS, WDS, PDS, ODS, END.
  package func segments() throws(PGSWritingFault) -> [PGSSegment] {
    var result = [try composition.segment()]
    if !windows.isEmpty { result.append(try WindowDefinitionSegment(windows: windows).segment()) }
    for palette in palettes { result.append(try palette.segment()) }
    for object in objects { result += try object.segments() }
    result.append(PGSSegment(type: .end, payload: []))
    return result
  }

  /// The set as a .sup file has it, each segment behind a header of 13 bytes.
  package func supBytes() throws(PGSWritingFault) -> [UInt8] {
    var writer = ByteWriter()
    for segment in try segments() {
      try SUPSegmentHeader(pts: pts).write(to: &writer)
      try segment.write(to: &writer)
    }
    return writer.bytes
  }

  /// The set as one packet, the way Matroska and transport streams have it: no .sup headers.
  package func packetBytes() throws(PGSWritingFault) -> [UInt8] {
    var writer = ByteWriter()
    for segment in try segments() { try segment.write(to: &writer) }
    return writer.bytes
  }
}
