// SPDX-License-Identifier: Apache-2.0
import BinaryReading
package import SubtitleModel

/// A display set for writing: segments that share a time.
package struct DVBDisplaySet: Sendable, Hashable {
  /// When it takes effect, in 90 kHz ticks.
  package var pts: Int64
  /// The page.
  package var pageID: Int
  /// The display; nil sends none.
  package var display: DisplayDefinitionSegment?
  /// What is shown.
  package var page: PageCompositionSegment
  /// The regions composed.
  package var regions: [RegionCompositionSegment]
  /// The colours.
  package var cluts: [CLUTDefinitionSegment]
  /// The objects.
  package var objects: [ObjectDataSegment]
  /// Whether the end segment is sent.
  package var hasEnd = true

  /// Makes a set.
  package init(
    pts: Int64, pageID: Int = 1, display: DisplayDefinitionSegment? = nil,
    page: PageCompositionSegment, regions: [RegionCompositionSegment] = [],
    cluts: [CLUTDefinitionSegment] = [], objects: [ObjectDataSegment] = []
  ) {
    self.pts = pts
    self.pageID = pageID
    self.display = display
    self.page = page
    self.regions = regions
    self.cluts = cluts
    self.objects = objects
  }

  /// The segments in the order of the stream (5.1): display, page, regions, CLUTs, objects, end.
  package func segments() throws(PGSWritingFault) -> [DVBSegment] {
    var result: [DVBSegment] = []
    func add(_ kind: DVBSegment.Kind, _ payload: [UInt8]) {
      result.append(DVBSegment(kind, pageID: pageID, payload: payload))
    }
    if let display { add(.displayDefinition, try display.payload()) }
    add(.pageComposition, try page.payload())
    for region in regions { add(.regionComposition, try region.payload()) }
    for clut in cluts { add(.clutDefinition, try clut.payload()) }
    for object in objects { add(.objectData, try object.payload()) }
    if hasEnd { add(.endOfDisplaySet, []) }
    return result
  }

  /// The segments alone, as Matroska has them.
  package func packetBytes() throws(PGSWritingFault) -> [UInt8] {
    var writer = ByteWriter()
    for segment in try segments() { try segment.write(to: &writer) }
    return writer.bytes
  }

  /// The data field of a PES packet (7.1): identifier, stream id, segments, end marker.
  package func dataField() throws(PGSWritingFault) -> [UInt8] {
    [0x20, 0x00] + (try packetBytes()) + [0xFF]
  }

  /// A PES packet of private stream 1 with its time, as a raw .pes file has it.
  package func pesBytes() throws(PGSWritingFault) -> [UInt8] {
    let data = try dataField()
    var writer = ByteWriter()
    writer.u32(0x0000_01BD)
    writer.u16(try field(data.count + 8, "length", of: "PES packet", as: UInt16.self))
    // Aligned data, a PTS, a header of 5 bytes.
    writer.bytes([0x84, 0x80, 0x05])
    let value = UInt64(truncatingIfNeeded: pts) & 0x1_FFFF_FFFF
    writer.unsigned(
      0x2 << 36 | (value >> 30 & 0x7) << 33 | 1 << 32 | (value >> 15 & 0x7FFF) << 17 | 1 << 16
        | (value & 0x7FFF) << 1 | 1, count: 5)
    writer.bytes(data)
    return writer.bytes
  }

  /// Makes a set that shows one picture, or nothing, and forgets what came before.
  ///
  /// - Parameters:
  ///   - pts: When, in 90 kHz ticks.
  ///   - objects: The bitmaps; each becomes a region with a CLUT family of its own.
  ///   - canvas: The display, written unless it is 720x576.
  ///   - timeOut: Seconds after which the page goes by itself, 1 to 255.
  ///   - pageID: The page.
  /// - Returns: The set.
  /// - Throws: `.limitExceeded` for more than 256 objects.
  package static func showing(
    pts: Int64, _ objects: [CueObject], canvas: Canvas, timeOut: Int, pageID: Int = 1
  ) throws(PGSWritingFault) -> DVBDisplaySet {
    guard objects.count <= DVBDecoder.regionLimit else {
      throw .limitExceeded(
        what: "regions of a page", count: objects.count, limit: DVBDecoder.regionLimit)
    }
    var set = DVBDisplaySet(
      pts: pts, pageID: pageID,
      display: canvas == DVBDecoder.defaultCanvas ? nil : DisplayDefinitionSegment(canvas: canvas),
      page: PageCompositionSegment(timeOut: timeOut, state: .modeChange, regions: []))
    for (id, object) in objects.enumerated() {
      let highest = object.bitmap.indices.max() ?? 0
      let depth: PixelDepth = highest < 4 ? .two : highest < 16 ? .four : .eight
      set.page.regions.append(.init(id: id, x: object.x, y: object.y))
      set.regions.append(
        RegionCompositionSegment(
          id: id, width: object.bitmap.width, height: object.bitmap.height, depth: depth,
          clutID: id, objects: [.init(id: id, x: 0, y: 0)]))
      set.cluts.append(
        CLUTDefinitionSegment(
          id: id,
          entries: (0...Int(highest)).map { index in
            CLUTDefinitionSegment.Entry(
              UInt8(index), object.palette[UInt8(index)], depths: PixelDepths(depth))
          }))
      let fields = DVBPixelWriter.fields(object.bitmap, depth: depth)
      set.objects.append(
        ObjectDataSegment(id: id, content: .pixels(top: fields.top, bottom: fields.bottom)))
    }
    return set
  }
}

extension CLUTDefinitionSegment.Entry {
  /// Makes the entry of an RGB colour by BT.601; alpha 0 becomes a luma of 0, which is transparent.
  package init(_ id: UInt8, _ color: PaletteColor, depths: PixelDepths) {
    let entry = PaletteEntry(color, matrix: .bt601)
    self.init(
      id: id, depths: depths, luma: color.alpha == 0 ? 0 : entry.luma,
      cr: color.alpha == 0 ? 0 : entry.cr, cb: color.alpha == 0 ? 0 : entry.cb,
      transparency: 255 - color.alpha)
  }
}
