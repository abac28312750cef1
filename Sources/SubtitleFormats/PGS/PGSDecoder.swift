// SPDX-License-Identifier: Apache-2.0
import BinaryReading
package import SubtitleModel

/// Decodes a presentation graphics stream.
///
/// A packet holds any number of whole segments, without .sup headers. A display set may lie in several
/// packets; it has the time of the packet with its composition segment, or of the next one that has
/// a time. Objects, palettes and windows persist to the next epoch start.
package struct PGSDecoder: SubtitleDecoder {
  /// Choices that the stream leaves open.
  package struct Options: Sendable, Hashable {
    /// How colours are converted; nil takes BT.709 above 576 lines, else BT.601, limited range.
    package var conversion: PaletteConversion?
    /// Whether an epoch-continue set that brings no objects is drawn from what is kept.
    ///
    /// Otherwise every epoch-continue set begins with nothing, as an epoch start does, and one that
    /// brings nothing clears the screen.
    package var drawsFromKeptState = false
    /// What a breach of the rules does.
    package var strictness = Strictness.lenient

    /// Makes the customary options.
    package init() {}
  }

  /// Objects kept of one epoch; the format has 64, and ids beyond are kept as well up to this.
  package static let objectLimit = 256
  /// Palettes kept of one epoch: all that the field of 8 bits can name.
  package static let paletteLimit = 256
  /// Pixels of one object that are decoded: 4096x4096, the largest that the format allows.
  package static let pixelLimit = 4096 * 4096
  /// Coded bytes kept of one epoch; a disc player has 1 MiB for them.
  package static let codedByteLimit = 64 << 20
  /// Decoded pixels kept of one epoch; a disc player has 4 MiB for them.
  package static let decodedPixelLimit = 64 << 20
  /// Two epochs, the last one being kept until the next is drawn, and the first part of an object.
  package static let heldByteLimit =
    2 * (codedByteLimit + decodedPixelLimit) + PGSSegment.maximumPayload
  /// The decoded pixels that a disc player can hold.
  package static let playerBuffer = 4 << 20

  package private(set) var canvas: Canvas?
  package var log: FindingLog
  package private(set) var isSelfContained = true
  var options: Options
  var epoch = PGSEpoch()
  /// The epoch before, until the first set of the new one is drawn: freed earlier, its memory would go
  /// back to the system and be fetched again at once, which costs more than decoding.
  private var retired: PGSEpoch?
  private var pending: PendingSet?
  private var lastTime: Timestamp?
  var budget = PacketBudget()

  package var heldBytes: Int { epoch.heldBytes + (retired?.heldBytes ?? 0) }

  /// A display set whose end has not come.
  private struct PendingSet {
    var composition: PresentationCompositionSegment
    var time: Timestamp?
    var containerEnd: Timestamp?
    var offset: Int64
    var definesObjects = false
  }

  /// Makes a decoder at the start of a stream.
  package init(options: Options = Options()) {
    self.options = options
    log = FindingLog(options.strictness)
  }

  package mutating func reset() {
    epoch = PGSEpoch()
    retired = nil
    pending = nil
    lastTime = nil
    isSelfContained = true
  }

  package mutating func decode(_ packet: TrackPacket) throws(StreamFinding) -> [SubtitleEvent] {
    var events: [SubtitleEvent] = []
    budget.begin()
    if pending != nil, pending?.time == nil { pending?.time = packet.time }
    var reader = ByteReader(packet.bytes, base: packet.offset, structure: "PGS segment")
    while !reader.isAtEnd {
      let offset = reader.position
      guard let header = try? PGSSegment.Header(parsing: &reader) else {
        try note(
          .pgsDamaged, packet.time, offset,
          "the last \(reader.remaining) bytes of the packet are no segment header")
        break
      }
      if header.size > reader.remaining {
        try note(
          .pgsDamaged, packet.time, offset,
          "a segment of type \(header.type) has \(header.size) bytes, \(reader.remaining) are left")
      }
      guard let payload = try? reader.slice(min(header.size, reader.remaining)) else { break }
      guard let type = PGSSegmentType(rawValue: header.type) else {
        try note(
          .pgsUnknownSegment, packet.time, offset,
          "segment type \(header.type) is none of PGS and is passed over")
        continue
      }
      try take(type, payload, packet, at: offset, into: &events)
    }
    return events
  }

  package mutating func finish() throws(StreamFinding) -> [SubtitleEvent] {
    var events: [SubtitleEvent] = []
    try close(isEnded: false, into: &events)
    return events
  }

  package func entryPoint(of packet: TrackPacket) -> EntryPoint {
    var reader = ByteReader(packet.bytes)
    while let header = try? PGSSegment.Header(parsing: &reader) {
      if header.type == PGSSegmentType.presentationComposition.rawValue {
        guard (try? reader.skip(7)) != nil, let state = reader.peek() else { return .none }
        switch CompositionState(rawValue: state & 0xC0) ?? .normal {
        case .epochStart: return .reset
        case .acquisitionPoint: return .acquisition
        case .epochContinue: return options.drawsFromKeptState ? .acquisition : .reset
        case .normal: return .none
        }
      }
      guard (try? reader.skip(header.size)) != nil else { return .none }
    }
    return .none
  }

  /// Notes a finding.
  mutating func note(
    _ rule: FindingRule, _ time: Timestamp?, _ offset: Int64, _ sentence: String
  ) throws(StreamFinding) {
    let known = time ?? pending?.time
    try log.note(StreamFinding(rule, time: known, offset: offset, sentence))
  }

  private mutating func take(
    _ type: PGSSegmentType, _ payload: ByteReader, _ packet: TrackPacket, at offset: Int64,
    into events: inout [SubtitleEvent]
  ) throws(StreamFinding) {
    if type == .end {
      if pending == nil {
        try note(.pgsNoComposition, packet.time, offset, "an end segment has no composition before")
      }
      try close(isEnded: true, into: &events)
      return
    }
    if type == .presentationComposition { try close(isEnded: false, into: &events) }
    var payload = payload
    let content: PGSContent
    do {
      content = try PGSContent(type, parsing: &payload)
    } catch {
      try note(.pgsDamaged, packet.time, error.offset, "\(error)")
      try salvage(type, packet, payload, at: offset)
      return
    }
    if payload.remaining > 0 {
      try note(
        .pgsSpareBytes, packet.time, payload.position,
        "\(payload.remaining) bytes stand behind the end of a segment")
    }
    try take(content, packet, at: offset)
  }

  /// A composition that cannot be read still ends what was shown before.
  private mutating func salvage(
    _ type: PGSSegmentType, _ packet: TrackPacket, _ payload: ByteReader, at offset: Int64
  ) throws(StreamFinding) {
    guard type == .presentationComposition, let canvas else { return }
    let composition = PresentationCompositionSegment(
      video: VideoDescriptor(canvas: canvas), compositionNumber: 0, state: .normal, paletteID: 0,
      objects: [])
    pending = PendingSet(
      composition: composition, time: packet.time, containerEnd: packet.containerEnd,
      offset: offset)
  }

  private mutating func take(
    _ content: PGSContent, _ packet: TrackPacket, at offset: Int64
  ) throws(StreamFinding) {
    if pending == nil, !content.isComposition {
      try note(
        .pgsNoComposition, packet.time, offset,
        "a definition comes before any composition and is kept for the next")
    }
    switch content {
    case .composition(let composition): try begin(composition, packet, at: offset)
    case .windows(let segment): try define(segment, packet.time, at: offset)
    case .palette(let segment): try define(segment, packet.time, at: offset)
    case .object(let segment):
      pending?.definesObjects = true
      try define(segment, packet.time, at: offset)
    case .end: break
    }
  }

  private mutating func begin(
    _ composition: PresentationCompositionSegment, _ packet: TrackPacket, at offset: Int64
  ) throws(StreamFinding) {
    let size = composition.video.canvas
    if size.width == 0 || size.height == 0 {
      try note(.pgsCanvas, packet.time, offset, "the canvas is \(size)")
    } else {
      if let canvas, canvas != size {
        try note(.pgsCanvas, packet.time, offset, "the canvas changes from \(canvas) to \(size)")
      }
      canvas = size
    }
    let begins =
      composition.state == .epochStart
      || composition.state == .epochContinue && !options.drawsFromKeptState
    if begins {
      retired = epoch
      epoch = PGSEpoch()
    }
    if composition.state == .epochStart, composition.objects.isEmpty {
      try note(.pgsEmptyEpoch, packet.time, offset, "an epoch starts with nothing to show")
    }
    if composition.objects.count > PGSTrackWriter.objectsPerSet {
      try note(
        .pgsObjectCount, packet.time, offset,
        "\(composition.objects.count) objects are shown at once, a player shows at most "
          + "\(PGSTrackWriter.objectsPerSet)")
    }
    pending = PendingSet(
      composition: composition, time: packet.time, containerEnd: packet.containerEnd,
      offset: offset)
  }

  /// Ends the current set: whatever is known of it by now is all of it.
  private mutating func close(
    isEnded: Bool, into events: inout [SubtitleEvent]
  ) throws(StreamFinding) {
    guard let set = pending else { return }
    pending = nil
    if !isEnded {
      try note(.pgsEndMissing, set.time, set.offset, "the display set has no end segment")
    }
    try dropFragments(set.time)
    guard let time = set.time else {
      try note(.pgsNoTime, nil, set.offset, "the display set has no time and is passed over")
      return
    }
    if let lastTime, time < lastTime {
      try note(
        .pgsTimeBackwards, time, set.offset, "the display set is earlier than the one before")
    }
    lastTime = time
    if set.composition.state == .epochContinue, !set.definesObjects,
      !set.composition.objects.isEmpty
    {
      try note(
        .pgsBareContinue, time, set.offset,
        options.drawsFromKeptState
          ? "the epoch continues without objects and is drawn from those kept"
          : "the epoch continues without objects, which clears the screen")
    }
    guard budget.takeEvent() else {
      try note(
        .pgsPacketLimit, time, set.offset,
        "the packet has more than \(DecoderLimits.eventsPerPacket) display sets, the rest is passed "
          + "over")
      return
    }
    let objects = try draw(set.composition, at: time, offset: set.offset)
    retired = nil
    events.append(
      SubtitleEvent(
        time: time, objects: objects, containerEnd: set.containerEnd, canvas: canvas,
        offset: set.offset))
  }

  /// Says that something refers to what was not seen since the start.
  mutating func dependOnPast() { isSelfContained = false }
}

extension PGSContent {
  /// Whether it is a composition segment.
  var isComposition: Bool { if case .composition = self { true } else { false } }
}
