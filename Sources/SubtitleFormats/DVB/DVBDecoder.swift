// SPDX-License-Identifier: Apache-2.0
import BinaryReading
package import SubtitleModel

/// Decodes DVB subtitles (ETSI EN 300 743).
///
/// A packet holds segments, with or without the two bytes of data identifier and stream id before and
/// the end marker behind. A display set ends with its end segment, with the next packet of another
/// time, or with the track. Regions, CLUTs and the display definition persist.
package struct DVBDecoder: SubtitleDecoder {
  /// Choices that the stream leaves open.
  package struct Options: Sendable, Hashable {
    /// The page to decode; nil takes the first that composes something.
    package var compositionPageID: Int?
    /// The page with objects shared between services.
    package var ancillaryPageID: Int?
    /// How colours are converted; the standard knows BT.601 alone.
    package var conversion = PaletteConversion(matrix: .bt601)
    /// What a breach of the rules does.
    package var strictness = Strictness.lenient

    /// Makes the customary options.
    package init() {}
  }

  /// The display without a definition segment (5.1.3).
  package static let defaultCanvas = Canvas(width: 720, height: 576)
  /// Regions kept of one page: all that the field of 8 bits can name.
  package static let regionLimit = 256
  /// Pixels kept of all regions together; a receiver has 320 kB, an ultra-high definition display 8 M.
  package static let pixelLimit = 32 << 20

  /// The pixels of all regions.
  package static let heldByteLimit = pixelLimit

  package var log: FindingLog
  package private(set) var isSelfContained = true
  let options: Options
  /// Page ids seen, and whether each composes pages.
  package private(set) var pages: [Int: Bool] = [:]
  private var chosenPage: Int?
  private var display: DisplayDefinitionSegment?
  var regions: [Int: DVBRegion] = [:]
  private var cluts: [Int: DVBCLUTFamily] = [:]
  private var pending: PendingSet?
  private var lastTime: Timestamp?
  private var budget = PacketBudget()

  package var heldBytes: Int { regions.values.reduce(0) { $0 + $1.pixels.count } }

  /// A display set whose end has not come.
  private struct PendingSet {
    var page: PageCompositionSegment
    var time: Timestamp?
    var containerEnd: Timestamp?
    var offset: Int64
  }

  /// Makes a decoder at the start of a track.
  package init(options: Options = Options()) {
    self.options = options
    log = FindingLog(options.strictness)
    chosenPage = options.compositionPageID
  }

  /// Makes a decoder with the private data of a container: composition page (2 bytes), ancillary page
  /// (2), and in Matroska the descriptor's type (1).
  package init(privateData: [UInt8], options: Options = Options()) {
    var options = options
    if privateData.count >= 4, options.compositionPageID == nil {
      options.compositionPageID = Int(privateData[0]) << 8 | Int(privateData[1])
      options.ancillaryPageID = Int(privateData[2]) << 8 | Int(privateData[3])
    }
    self.init(options: options)
  }

  package var canvas: Canvas? { display?.canvas ?? Self.defaultCanvas }

  package mutating func reset() {
    display = nil
    regions = [:]
    cluts = [:]
    pending = nil
    lastTime = nil
    chosenPage = options.compositionPageID
    isSelfContained = true
  }

  package func entryPoint(of packet: TrackPacket) -> EntryPoint {
    var reader = ByteReader(packet.bytes)
    Self.skipIdentifier(&reader)
    while let segment = try? DVBSegment(parsing: &reader) {
      guard segment.type == DVBSegment.Kind.pageComposition.rawValue,
        segment.pageID == options.compositionPageID ?? segment.pageID, segment.payload.count >= 2
      else { continue }
      // A mode change keeps the display definition, so it is to be checked as well.
      return segment.payload[1] >> 2 & 3 == 0 ? .none : .acquisition
    }
    return .none
  }

  package mutating func decode(_ packet: TrackPacket) throws(StreamFinding) -> [SubtitleEvent] {
    var events: [SubtitleEvent] = []
    budget.begin()
    if let time = packet.time {
      if pending != nil, let known = pending?.time, known != time {
        try close(isEnded: false, into: &events)
      }
      if pending != nil, pending?.time == nil { pending?.time = time }
      lastTime = time
    }
    var reader = ByteReader(packet.bytes, base: packet.offset, structure: "DVB subtitle packet")
    Self.skipIdentifier(&reader)
    while let next = reader.peek(), next != 0xFF {
      let offset = reader.position
      guard next == DVBSegment.sync else {
        try note(.dvbSync, offset, "a byte of \(next) stands where a segment should begin")
        Self.resynchronize(&reader)
        continue
      }
      let segment: DVBSegment
      do {
        segment = try DVBSegment(parsing: &reader)
      } catch {
        try note(.dvbDamaged, error.offset, "\(error)")
        break
      }
      try take(segment, packet, at: offset, into: &events)
    }
    return events
  }

  package mutating func finish() throws(StreamFinding) -> [SubtitleEvent] {
    var events: [SubtitleEvent] = []
    try close(isEnded: false, into: &events)
    return events
  }

  /// Passes data identifier 20 and stream id 00 (7.1), which some containers leave out.
  static func skipIdentifier(_ reader: inout ByteReader) {
    var ahead = reader
    if let identifier = try? ahead.u16(), identifier == 0x2000 { reader = ahead }
  }

  private static func resynchronize(_ reader: inout ByteReader) {
    try? reader.skip(1)
    while let next = reader.peek(), next != DVBSegment.sync { try? reader.skip(1) }
  }

  /// Notes a finding at the time of the set or of the packet.
  mutating func note(
    _ rule: FindingRule, _ offset: Int64, _ sentence: String
  ) throws(StreamFinding) {
    try log.note(
      StreamFinding(rule, time: pending?.time ?? lastTime, offset: offset, sentence))
  }

  /// Whether a segment belongs to the page decoded, or to its ancillary page.
  private mutating func accepts(
    _ segment: DVBSegment, at offset: Int64
  ) throws(StreamFinding) -> Bool {
    let composes = segment.type == DVBSegment.Kind.pageComposition.rawValue
    if pages.count < Self.regionLimit || pages[segment.pageID] != nil {
      pages[segment.pageID, default: false] = pages[segment.pageID, default: false] || composes
    }
    if chosenPage == nil, composes {
      chosenPage = segment.pageID
      // Another page may have been first before.
      isSelfContained = false
    }
    if segment.pageID == chosenPage { return true }
    if segment.pageID == options.ancillaryPageID { return !composes }
    // Before any page is chosen, definitions may be its own.
    if chosenPage == nil { return true }
    try note(
      .dvbForeignPage, offset, "a segment of page \(segment.pageID) is not of this service")
    return false
  }

  private mutating func take(
    _ segment: DVBSegment, _ packet: TrackPacket, at offset: Int64,
    into events: inout [SubtitleEvent]
  ) throws(StreamFinding) {
    guard segment.type != DVBSegment.Kind.stuffing.rawValue, try accepts(segment, at: offset) else {
      return
    }
    guard let kind = DVBSegment.Kind(rawValue: segment.type) else {
      try note(
        .dvbUnknownSegment, offset, "segment type \(segment.type) is not known and passed over")
      return
    }
    var input = ByteReader(segment.payload, base: offset + 6)
    let content: DVBContent
    do {
      content = try DVBContent(kind, parsing: &input)
    } catch {
      try note(.dvbDamaged, error.offset, "\(error)")
      return
    }
    switch content {
    case .page(let page): try begin(page, packet, at: offset, into: &events)
    case .region(let region): try compose(region, at: offset)
    case .clut(let clut): try define(clut, at: offset)
    case .object(let object): try draw(object, at: offset)
    case .display(let display): try define(display, at: offset)
    case .end: try close(isEnded: true, into: &events)
    case .other:
      try note(.dvbUnsupported, offset, "a segment of type \(segment.type) is not drawn")
    }
  }

  private mutating func begin(
    _ page: PageCompositionSegment, _ packet: TrackPacket, at offset: Int64,
    into events: inout [SubtitleEvent]
  ) throws(StreamFinding) {
    try close(isEnded: false, into: &events)
    pending = PendingSet(
      page: page, time: packet.time ?? lastTime, containerEnd: packet.containerEnd, offset: offset)
    switch page.state {
    case .modeChange:
      regions = [:]
      cluts = [:]
    case .reserved:
      try note(.dvbPageState, offset, "the page's state is 3, which is taken for a normal case")
    case .normal, .acquisitionPoint: break
    }
  }

  private mutating func define(
    _ segment: DisplayDefinitionSegment, at offset: Int64
  ) throws(StreamFinding) {
    if let display, display.canvas != segment.canvas || display.window != segment.window {
      if display.version == segment.version {
        try note(
          .dvbDisplayVersion, offset,
          "the display changes from \(display.canvas) to \(segment.canvas) or its window does, under "
            + "the same version")
      } else {
        try note(
          .dvbDisplay, offset, "the display changes from \(display.canvas) to \(segment.canvas)")
      }
    }
    if let window = segment.window {
      let frame = PixelRect(
        x: 0, y: 0, width: segment.canvas.width, height: segment.canvas.height)
      if window.isEmpty || window.intersection(frame) != window {
        try note(
          .dvbWindow, offset,
          "the window of \(window.width)x\(window.height) at \(window.x),\(window.y) leaves the "
            + "display of \(segment.canvas)")
      }
    }
    display = segment
  }

  private mutating func define(
    _ segment: CLUTDefinitionSegment, at offset: Int64
  ) throws(StreamFinding) {
    var family = cluts[segment.id] ?? DVBCLUTFamily()
    var odd: [UInt8] = []
    for entry in segment.entries where !family.set(entry, options.conversion) {
      odd.append(entry.id)
    }
    cluts[segment.id] = family
    if let first = odd.first {
      try note(
        .dvbCLUTEntry, offset,
        "\(odd.count) entries of CLUT \(segment.id) are for no CLUT that has them, the first is \(first)"
      )
    }
  }

  /// Ends the current set: whatever is known of it by now is all of it.
  private mutating func close(
    isEnded: Bool, into events: inout [SubtitleEvent]
  ) throws(StreamFinding) {
    guard let set = pending else { return }
    if !isEnded { try note(.dvbNoEnd, set.offset, "the display set has no end segment") }
    guard let time = set.time else {
      pending = nil
      try note(.dvbNoTime, set.offset, "the display set has no time and is passed over")
      return
    }
    guard budget.takeEvent() else {
      pending = nil
      try note(
        .dvbPacketLimit, set.offset,
        "the packet has more than \(DecoderLimits.eventsPerPacket) display sets, the rest is passed "
          + "over")
      return
    }
    if display == nil { isSelfContained = false }
    var shown: [ShownObject] = []
    for place in set.page.regions {
      if let object = try show(place, at: set.offset) { shown.append(object) }
    }
    pending = nil
    let isTimed = set.page.timeOut > 0 && !shown.isEmpty
    events.append(
      SubtitleEvent(
        time: time, objects: shown,
        streamEnd: isTimed
          ? time + Timestamp(milliseconds: Int64(set.page.timeOut) * 1000) : nil,
        containerEnd: set.containerEnd, canvas: canvas, offset: set.offset))
  }

  /// A region at its place, clipped to the display and its window; nil if nothing of it is visible.
  private mutating func show(
    _ place: PageCompositionSegment.Region, at offset: Int64
  ) throws(StreamFinding) -> ShownObject? {
    guard let region = regions[place.id] else {
      isSelfContained = false
      try note(.dvbRegionUndefined, offset, "region \(place.id) was never composed")
      return nil
    }
    if !region.isKnown { isSelfContained = false }
    if cluts[region.clutID] == nil {
      isSelfContained = false
      try note(
        .dvbDefaultCLUT, offset,
        "CLUT \(region.clutID) of region \(place.id) is not defined and has the default colours")
    }
    let palette = (cluts[region.clutID] ?? DVBCLUTFamily()).palette(region.depth)
    let canvas = display?.canvas ?? Self.defaultCanvas
    let frame = PixelRect(x: 0, y: 0, width: canvas.width, height: canvas.height)
    let window = display?.window.map { $0.intersection(frame) } ?? frame
    let placed = PixelRect(
      x: place.x + (display?.window?.x ?? 0), y: place.y + (display?.window?.y ?? 0),
      width: region.width, height: region.height)
    let target = placed.intersection(window)
    if target != placed {
      try note(
        .dvbRegionOutside, offset,
        "region \(place.id) of \(placed.width)x\(placed.height) at \(placed.x),\(placed.y) leaves "
          + "the display of \(canvas) or its window, and is clipped")
    }
    guard !target.isEmpty else { return nil }
    guard budget.take(pixels: target.width * target.height) else {
      try note(
        .dvbPacketLimit, offset,
        "the pictures of the packet pass \(DecoderLimits.pixelsPerPacket) pixels, region \(place.id) "
          + "is left out")
      return nil
    }
    let bitmap = IndexedBitmap(width: region.width, height: region.height, indices: region.pixels)
      .cropped(
        to: PixelRect(
          x: target.x - placed.x, y: target.y - placed.y, width: target.width,
          height: target.height))
    guard bitmap.isVisible(in: palette) else { return nil }
    return ShownObject(
      id: place.id,
      object: CueObject(
        x: target.x, y: target.y, bitmap: bitmap, palette: palette, isForced: false))
  }
}
