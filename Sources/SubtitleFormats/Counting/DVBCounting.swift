// SPDX-License-Identifier: Apache-2.0
import BinaryReading
import SubtitleModel

/// Counts DVB subtitle pages from their page composition segments (EN 300 743, 7.2).
///
/// A page with regions is a cue, one without clears the screen. The canvas is that of the display
/// definition segment, 720x576 without one (5.1.3).
struct DVBCounting: CountingFormat {
  private(set) var events: [CountingEvent] = []
  private var definedCanvas: Canvas?
  /// The page to show; nil where the container does not say.
  private var page: Int?
  private var lastPage: (version: UInt8, regions: [UInt8])?

  var canvas: Canvas? { definedCanvas ?? Canvas(width: 720, height: 576) }

  /// Makes the counting; the private data begin with the composition page's number, if any.
  init(privateData: [UInt8]) {
    if privateData.count >= 4 { page = Int(privateData[0]) << 8 | Int(privateData[1]) }
  }

  mutating func add(_ packet: CountingPacket) throws {
    var reader = ByteReader(try packet.read(.max), structure: "DVB subtitle packet")
    // Matroska leaves data identifier and stream number out (7.1), transport streams have them.
    if reader.peek() == 0x20 { try reader.skip(2) }
    while reader.peek() == 0x0F {
      try reader.skip(1)
      let type = try reader.u8()
      let pageID = Int(try reader.u16())
      let size = Int(try reader.u16())
      var data = try reader.slice(size, structure: "DVB subtitle segment")
      switch type {
      case 0x10 where page == nil || page == pageID: try composition(&data, packet)
      case 0x14: try displayDefinition(&data)
      default: break
      }
    }
  }

  private mutating func displayDefinition(_ reader: inout ByteReader) throws(ReadFault) {
    try reader.skip(1)
    let width = Int(try reader.u16()) + 1
    let height = Int(try reader.u16()) + 1
    if definedCanvas == nil { definedCanvas = Canvas(width: width, height: height) }
  }

  private mutating func composition(
    _ reader: inout ByteReader, _ packet: CountingPacket
  ) throws(ReadFault) {
    let timeOut = Int64(try reader.u8())
    let version = try reader.u8() >> 4
    let regions = reader.rest()
    guard let time = packet.time else {
      throw reader.fault(.invalid(field: "time", value: -1, reason: "missing in the container"))
    }
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
        containerEnd: packet.containerEnd, isPicture: !regions.isEmpty))
  }
}
