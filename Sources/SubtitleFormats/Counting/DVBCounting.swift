// SPDX-License-Identifier: Apache-2.0
import BinaryReading
import SubtitleModel

/// Counts DVB subtitle pages from their page composition segments (EN 300 743, 7.2).
///
/// A page with regions that are composed is a cue, one without clears the screen. The canvas is that of the display
/// definition segment, 720x576 without one (5.1.3). Pixels are passed over.
struct DVBCounting: CountingFormat {
  private(set) var events: [CountingEvent] = []
  private var definedCanvas: Canvas?
  private var currentCanvas: Canvas?
  private var pages: DVBPageSurvey
  private var colors = DVBColorSurvey()
  private var lastPage: (version: UInt8, regions: [UInt8])?
  private var lastTime: Timestamp?
  /// A composition that came before any time, with what is to be done at the first.
  private var untimed: ByteReader?
  /// Regions that were composed since the last mode change: only they can be shown.
  private var knownRegions: Set<UInt8> = []
  /// The regions of the last event.
  private var shownRegions: [UInt8] = []

  var canvas: Canvas? { definedCanvas ?? DVBDecoder.defaultCanvas }

  var survey: TrackSurvey {
    var survey = TrackSurvey()
    survey.pages = pages
    survey.colors = .dvb(colors)
    return survey
  }

  /// Makes the counting; the private data name the pages of the services.
  init(privateData: [UInt8], languages: String?) {
    pages = DVBPageSurvey(
      services: SubtitlingService.services(privateData: privateData, languages: languages))
  }

  mutating func add(_ packet: CountingPacket) throws {
    if let time = packet.time {
      lastTime = time
      if var waiting = untimed {
        untimed = nil
        try composition(&waiting, packet)
      }
    }
    var reader = ByteReader(try packet.read(.max), structure: "DVB subtitle packet")
    // Matroska leaves data identifier and stream number out (7.1), transport streams have them.
    if reader.peek() == 0x20 { try reader.skip(2) }
    while reader.peek() == DVBSegment.sync {
      try reader.skip(1)
      let type = try reader.u8()
      let pageID = Int(try reader.u16())
      let size = Int(try reader.u16())
      var data = try reader.slice(size, structure: "DVB subtitle segment")
      guard let kind = DVBSegment.Kind(rawValue: type), kind != .stuffing else { continue }
      pages.add(pageID: pageID, isComposition: kind == .pageComposition)
      guard accepts(pageID, kind) else { continue }
      switch kind {
      case .pageComposition: try composition(&data, packet)
      case .displayDefinition: try displayDefinition(&data, packet)
      case .regionComposition: region(data)
      case .clutDefinition:
        // A cut one is for lint to tell; cues are counted without it.
        if let clut = try? CLUTDefinitionSegment(parsing: &data) { colors.add(clut) }
      case .objectData, .disparitySignalling, .alternativeCLUT, .endOfDisplaySet, .stuffing: break
      }
    }
  }

  /// Whether a segment belongs to the page counted or its ancillary page, as the decoder has it.
  private func accepts(_ pageID: Int, _ kind: DVBSegment.Kind) -> Bool {
    guard let counted = pages.countedPageID, pageID != counted else { return true }
    return kind != .pageComposition && pageID == pages.services.first?.ancillaryPageID
  }

  private mutating func displayDefinition(
    _ reader: inout ByteReader, _ packet: CountingPacket
  ) throws(ReadFault) {
    let canvas = try DisplayDefinitionSegment(parsing: &reader).canvas
    if definedCanvas == nil { definedCanvas = canvas }
    currentCanvas = canvas
    // A page that was composed before its display is shown on it all the same.
    if let last = events.indices.last, events[last].start == packet.time {
      events[last].canvas = canvas
    }
  }

  /// Region id 1, flags 1, width 2, height 2, depth 1, CLUT 1: what follows is not needed.
  private mutating func region(_ data: ByteReader) {
    var reader = data
    guard let region = reader.peek(), (try? reader.skip(7)) != nil, let clut = reader.peek() else {
      return
    }
    colors.add(regionWithCLUT: Int(clut))
    knownRegions.insert(region)
    showRegions()
  }

  /// Says what the last event shows, by the regions known so far.
  private mutating func showRegions() {
    guard let last = events.indices.last else { return }
    events[last].objectCount = shownRegions.count { knownRegions.contains($0) }
    events[last].isPicture = events[last].objectCount > 0
  }

  private mutating func composition(
    _ reader: inout ByteReader, _ packet: CountingPacket
  ) throws(ReadFault) {
    guard let time = packet.time ?? lastTime else {
      untimed = reader
      return
    }
    let timeOut = Int64(try reader.u8())
    let bits = try reader.u8()
    let version = bits >> 4
    let regions = reader.rest()
    if PageCompositionSegment.State(rawValue: bits >> 2 & 3) == .modeChange { knownRegions = [] }
    let streamEnd = timeOut > 0 ? time + Timestamp(milliseconds: timeOut * 1000) : nil
    // The same page again, for those who tune in late.
    if let lastPage, lastPage == (version, regions), let last = events.last {
      if last.isPicture, last.streamEnd.map({ $0 >= time }) ?? true {
        events[events.count - 1].streamEnd = streamEnd
        return
      }
    }
    lastPage = (version, regions)
    events.append(
      CountingEvent(
        start: time, streamEnd: regions.isEmpty ? nil : streamEnd,
        containerEnd: packet.containerEnd, isPicture: false,
        canvas: currentCanvas ?? DVBDecoder.defaultCanvas))
    // A region's place has 6 bytes, the first is its number.
    shownRegions = stride(from: 0, to: regions.count, by: 6).map { regions[$0] }
    showRegions()
  }

  mutating func finish() throws {
    guard let waiting = untimed else { return }
    untimed = nil
    throw waiting.fault(.invalid(field: "time", value: -1, reason: "missing in the container"))
  }
}
