// SPDX-License-Identifier: Apache-2.0
import BinaryReading
import SubtitleModel

/// Counts the cues of a presentation graphics stream from its composition segments.
///
/// A display set with objects is a cue, one without clears the screen. Sets that show the same
/// objects with the same palette again (acquisition points) change nothing. A set of which only the
/// beginning is read is taken to define its objects.
struct PGSCounting: CountingFormat {
  private(set) var canvas: Canvas?
  private(set) var events: [CountingEvent] = []

  /// Packets up to this size are read whole: a set without a picture has some 60 bytes.
  private static let wholeSize = 256

  /// Bytes read of larger packets: a composition of 2 cropped objects has 46.
  private static let headSize = 192

  /// Composition states with bit 0x80 (epoch start, and epoch continue 0xC0) forget all objects.
  private static let forgettingState: UInt8 = 0x80

  /// Packets of one set that are remembered to compare it; a set has a few.
  private static let packetLimit = 256

  private struct DisplaySet {
    var time: Timestamp
    var containerEnd: Timestamp?
    var state: UInt8
    var isPaletteUpdate: Bool
    /// Palette and objects with their places, as the segment has them.
    var composition: [UInt8]
    var objectCount: Int
    var isForced: Bool
    var definesObjects = false
    var definesPalette = false
    /// Whether there is more of the packet than was read.
    var isPartial = false
    /// A hash of the palette and object segments that were read.
    var content = Hasher()
    /// The packets that it is in, one as a rule.
    var packets: [CountingPacket]
  }

  private var current: DisplaySet?
  /// The set whose picture is shown.
  private var shown: DisplaySet?

  mutating func add(_ packet: CountingPacket) throws {
    let isLarge = !packet.isAtHand && packet.storedSize > Self.wholeSize
    var bytes = try packet.read(isLarge ? Self.headSize : .max)
    // At hand at once where nothing is saved by reading less.
    if isLarge, bytes.count < Self.headSize { bytes = try packet.read(.max) }
    let isPartial = isLarge && bytes.count == Self.headSize
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
        noteDefinition(type, reader.rest()[...], isPartial: true)
        break
      }
      var data = try reader.slice(size, structure: "PGS segment")
      if type == 0x16 {
        try close()
        current = try composition(&data, packet)
      } else {
        noteDefinition(type, data.rest()[...], isPartial: false)
      }
    }
    if isPartial { current?.isPartial = true }
  }

  mutating func finish() throws { try close() }

  private mutating func noteDefinition(_ type: UInt8, _ data: ArraySlice<UInt8>, isPartial: Bool) {
    switch type {
    case 0x14: current?.definesPalette = true
    case 0x15: current?.definesObjects = true
    default: return
    }
    if !isPartial { Self.hash(type, data, into: &current) }
  }

  private static func hash(_ type: UInt8, _ data: ArraySlice<UInt8>, into set: inout DisplaySet?) {
    set?.content.combine(type)
    set?.content.combine(data.count)
    data.withUnsafeBytes { set?.content.combine(bytes: $0) }
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
    let palette = try reader.u8()
    let count = Int(try reader.u8())
    var copy = reader
    let entries = copy.rest()
    var isForced = false
    for _ in 0..<count {
      try reader.skip(3)
      let flags = try reader.u8()
      if flags & 0x40 != 0 { isForced = true }
      try reader.skip(flags & 0x80 != 0 ? 12 : 4)
    }
    if canvas == nil, width > 0, height > 0 { canvas = Canvas(width: width, height: height) }
    guard let time = packet.time else {
      throw reader.fault(.invalid(field: "time", value: -1, reason: "missing in the container"))
    }
    return DisplaySet(
      time: time, containerEnd: packet.containerEnd, state: state,
      isPaletteUpdate: isPaletteUpdate, composition: [palette] + entries, objectCount: count,
      isForced: isForced, packets: [packet])
  }

  /// Ends the current set: whatever is known of it by now is all of it.
  private mutating func close() throws {
    guard let set = current else { return }
    current = nil
    let lacksObjects =
      set.state & Self.forgettingState != 0 && !set.definesObjects && !set.isPartial
    if set.objectCount == 0 || lacksObjects {
      shown = nil
      events.append(CountingEvent(start: set.time, isPicture: false))
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
        start: set.time, containerEnd: set.containerEnd, isPicture: true, isForced: set.isForced,
        isPaletteUpdate: isFade))
    shown = set
  }

  /// Whether a set shows what is shown already.
  private func repeatsShown(_ set: DisplaySet) throws -> Bool {
    guard let shown, !set.isPaletteUpdate, set.composition == shown.composition else {
      return false
    }
    if let end = shown.containerEnd, end > shown.time, end < set.time { return false }
    if !set.definesObjects, !set.definesPalette, !set.isPartial { return true }
    return try content(of: set) == content(of: shown)
  }

  /// A hash of a set's palettes and objects, read whole for this.
  private func content(of set: DisplaySet) throws -> Int {
    guard set.isPartial else { return set.content.finalize() }
    var whole: DisplaySet? = set
    whole?.content = Hasher()
    for packet in set.packets {
      var reader = ByteReader(try packet.read(.max), structure: "PGS packet")
      while reader.remaining >= 3 {
        let type = try reader.u8()
        let size = Int(try reader.u16())
        var data = try reader.slice(min(size, reader.remaining))
        if type == 0x14 || type == 0x15 { Self.hash(type, data.rest()[...], into: &whole) }
      }
    }
    return whole?.content.finalize() ?? 0
  }
}
