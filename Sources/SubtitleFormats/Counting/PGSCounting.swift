// SPDX-License-Identifier: Apache-2.0
import BinaryReading
import SubtitleModel

/// Counts the cues of a presentation graphics stream from its composition segments.
///
/// A display set with objects is a cue; one without, or whose palette has no visible colour, or whose
/// objects all lie beyond the canvas, clears the screen. Sets that show the same
/// objects with the same palette again (acquisition points) change nothing. A set of which only the
/// beginning is read is taken to define its objects. Palettes are surveyed, pixels passed over.
struct PGSCounting: CountingFormat {
  private(set) var canvas: Canvas?
  private(set) var events: [CountingEvent] = []
  private var colors = PGSPaletteSurvey()
  /// The palettes of the epoch; the field of 8 bits bounds them.
  private var palettes: [Int: PGSPaletteState] = [:]

  /// Bytes read of a packet at first, whole ones if they are no longer: a composition of 2 cropped
  /// objects, 2 windows and a palette of 255 colours have 1361.
  private static let headSize = 1536

  /// Bytes read where the palettes go on behind ``headSize``: an epoch has 8 of at most 1285 bytes.
  private static let palettesSize = 12 << 10

  /// Composition states with bit 0x80 (epoch start, and epoch continue 0xC0) forget all objects.
  private static let forgettingState: UInt8 = 0x80

  var survey: TrackSurvey {
    var survey = TrackSurvey()
    survey.colors = .pgs(colors)
    survey.forcedObjectCount = 0
    return survey
  }

  /// Packets of one set that are remembered to compare it; a set has a few.
  private static let packetLimit = 256

  private struct DisplaySet {
    /// Nil until a packet states one.
    var time: Timestamp?
    var containerEnd: Timestamp?
    var state: UInt8
    var isPaletteUpdate: Bool
    var paletteID: Int
    /// Objects with their places, as the segment has them.
    var composition: [UInt8]
    var objectCount: Int
    var forcedObjectCount: Int
    var canvas: Canvas?
    var definesObjects = false
    var definesPalette = false
    /// Whether a palette was read in part only.
    var isPaletteCut = false
    /// Its colours, once the set is closed; nil if not known.
    var palette: PGSPaletteState?
    /// Whether there is more of the packet than was read.
    var isPartial = false
    /// The palette and object segments with their types, which share their packets' bytes.
    var definitions: [(type: UInt8, bytes: ArraySlice<UInt8>)] = []
    /// The packets that it is in, one as a rule.
    var packets: [CountingPacket]
  }

  private var current: DisplaySet?
  /// The set whose picture is shown.
  private var shown: DisplaySet?

  mutating func add(_ packet: CountingPacket) throws {
    let (bytes, isPartial) = try Self.head(of: packet)
    if current != nil, current?.time == nil { current?.time = packet.time }
    var reader = ByteReader(bytes, structure: "PGS packet")
    if bytes.first != 0x16, !packet.isAtHand,
      current.map({ $0.packets.count < Self.packetLimit }) ?? false
    {
      current?.packets.append(packet)
    }
    while !reader.isAtEnd {
      guard reader.remaining >= 3 else {
        if isPartial { break }
        throw reader.fault(.truncated(needed: 3, available: reader.remaining))
      }
      let type = try reader.u8()
      let size = Int(try reader.u16())
      if size > reader.remaining {
        guard isPartial, type != 0x16 else {
          throw reader.fault(.truncated(needed: size, available: reader.remaining))
        }
        noteDefinition(type, nil)
        break
      }
      let start = Int(reader.position)
      var data = try reader.slice(size, structure: "PGS segment")
      switch type {
      case 0x16:
        try close()
        current = try composition(&data, packet)
        continue
      case 0x14:
        // A cut one is for lint to tell; cues are counted without it.
        if let palette = try? PaletteDefinitionSegment(parsing: &data) {
          colors.add(palette)
          palettes[palette.id, default: PGSPaletteState()].merge(palette)
        }
      default: break
      }
      noteDefinition(type, bytes[start..<start + size])
    }
    if isPartial { current?.isPartial = true }
  }

  mutating func finish() throws { try close() }

  /// The beginning of a packet with its palettes, and whether there is more of it.
  private static func head(
    of packet: CountingPacket
  ) throws -> (bytes: [UInt8], isPartial: Bool) {
    guard !packet.isAtHand, packet.storedSize > headSize else {
      return (try packet.read(.max), false)
    }
    for limit in [headSize, palettesSize] where packet.storedSize > limit {
      let bytes = try packet.read(limit)
      // At hand at once where nothing is saved by reading less.
      if bytes.count < limit { break }
      if limit == palettesSize || !endsInPalette(bytes) { return (bytes, true) }
    }
    return (try packet.read(.max), false)
  }

  /// Whether the beginning of a packet ends within a palette, or where one may follow.
  private static func endsInPalette(_ bytes: [UInt8]) -> Bool {
    var reader = ByteReader(bytes)
    while let header = try? PGSSegment.Header(parsing: &reader) {
      if header.type == PGSSegmentType.objectDefinition.rawValue { return false }
      guard (try? reader.skip(header.size)) != nil else {
        return header.type == PGSSegmentType.paletteDefinition.rawValue
      }
    }
    return true
  }

  /// Takes a definition; nil for the bytes of one that was not read whole.
  private mutating func noteDefinition(_ type: UInt8, _ bytes: ArraySlice<UInt8>?) {
    switch type {
    case 0x14: current?.definesPalette = true
    case 0x15: current?.definesObjects = true
    default: return
    }
    if let bytes {
      current?.definitions.append((type, bytes))
    } else if type == 0x14 {
      current?.isPaletteCut = true
    }
  }

  /// Reads a composition segment: video descriptor (5 bytes), number (2), state, palette flag,
  /// palette, count of objects, then 8 or, with crop, 16 bytes an object.
  private mutating func composition(
    _ reader: inout ByteReader, _ packet: CountingPacket
  ) throws(ReadFault) -> DisplaySet? {
    let width = Int(try reader.u16())
    let height = Int(try reader.u16())
    try reader.skip(3)
    let state = try reader.u8()
    let isPaletteUpdate = try reader.u8() & 0x80 != 0
    let paletteID = Int(try reader.u8())
    let count = Int(try reader.u8())
    var copy = reader
    let entries = copy.rest()
    var visibleCount = 0
    var forcedCount = 0
    for _ in 0..<count {
      let object = try CompositionObject(parsing: &reader)
      guard object.x < width, object.y < height else { continue }
      visibleCount += 1
      if object.isForced { forcedCount += 1 }
    }
    if state & Self.forgettingState != 0 { palettes = [:] }
    let stated = width > 0 && height > 0 ? Canvas(width: width, height: height) : nil
    if canvas == nil { canvas = stated }
    return DisplaySet(
      time: packet.time, containerEnd: packet.containerEnd, state: state,
      isPaletteUpdate: isPaletteUpdate, paletteID: paletteID, composition: entries,
      objectCount: visibleCount,
      forcedObjectCount: forcedCount, canvas: stated, packets: [packet])
  }

  /// Ends the current set: whatever is known of it by now is all of it.
  private mutating func close() throws {
    guard var set = current else { return }
    current = nil
    guard let time = set.time else {
      throw ReadFault(
        .invalid(field: "time", value: -1, reason: "missing in the container"), offset: 0,
        structure: "PGS display set")
    }
    // Where definitions were not read, the palette may be among them.
    let knowsPalette = !set.isPaletteCut && (set.definesPalette || !set.isPartial)
    if knowsPalette { set.palette = palettes[set.paletteID] ?? PGSPaletteState() }
    let lacksObjects =
      set.state & Self.forgettingState != 0 && !set.definesObjects && !set.isPartial
    let lacksColors = set.palette.map { !$0.isVisible } ?? false
    if set.objectCount == 0 || lacksObjects || lacksColors {
      shown = nil
      events.append(CountingEvent(start: time, isPicture: false))
      return
    }
    if try repeatsShown(set) {
      // As long as the same picture is said to last.
      if !events.isEmpty { events[events.count - 1].containerEnd = set.containerEnd }
      return
    }
    let isFade = set.isPaletteUpdate && !set.definesObjects && shown != nil
    events.append(
      CountingEvent(
        start: time, containerEnd: set.containerEnd, isPicture: true,
        isForced: set.forcedObjectCount > 0, isPaletteUpdate: isFade, canvas: set.canvas,
        objectCount: set.objectCount, forcedObjectCount: set.forcedObjectCount))
    shown = set
  }

  /// Whether a set shows what is shown already.
  private func repeatsShown(_ set: DisplaySet) throws -> Bool {
    guard let shown, set.composition == shown.composition else { return false }
    if let end = shown.containerEnd, let start = shown.time, let time = set.time, end > start,
      end < time
    {
      return false
    }
    if !set.definesObjects, !set.isPartial, let old = shown.palette, let new = set.palette {
      return old.entries == new.entries
    }
    guard !set.isPaletteUpdate, set.paletteID == shown.paletteID else { return false }
    return try content(of: set) == content(of: shown)
  }

  /// A hash of a set's palettes and objects, read whole for this.
  private func content(of set: DisplaySet) throws -> Int {
    var hasher = Hasher()
    func add(_ type: UInt8, _ bytes: ArraySlice<UInt8>) {
      hasher.combine(type)
      hasher.combine(bytes.count)
      bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
    guard set.isPartial else {
      for (type, bytes) in set.definitions { add(type, bytes) }
      return hasher.finalize()
    }
    for packet in set.packets {
      var reader = ByteReader(try packet.read(.max), structure: "PGS packet")
      while reader.remaining >= 3 {
        let type = try reader.u8()
        let size = Int(try reader.u16())
        var data = try reader.slice(min(size, reader.remaining))
        if type == 0x14 || type == 0x15 { add(type, data.rest()[...]) }
      }
    }
    return hasher.finalize()
  }
}
