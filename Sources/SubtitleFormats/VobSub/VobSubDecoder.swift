// SPDX-License-Identifier: Apache-2.0
import BinaryReading
package import SubtitleModel

/// Decodes DVD sub-pictures.
///
/// A packet holds one unit, or a part of one that the next packet goes on with. Nothing but an
/// unfinished unit persists between packets. Offsets in findings count from the packet's.
package struct VobSubDecoder: SubtitleDecoder {
  /// Choices that the stream leaves open.
  package struct Options: Sendable, Hashable {
    /// The canvas where neither index nor private data say it, such as the video's size in MP4.
    package var canvas: Canvas?
    /// 16 colours to use in place of the index's.
    package var palette: [PaletteColor]?
    /// What a breach of the rules does.
    package var strictness = Strictness.lenient

    /// Makes the customary options.
    package init() {}
  }

  /// Pixels of one unit: the area's edges have 12 bits, so no unit can have more.
  package static let pixelLimit = 4096 * 4096
  /// A unit that goes on in the next packet.
  package static let heldByteLimit = SubpictureUnit.maximumSize
  /// How far two ends may lie apart without a word: one unit of the dates is 11.4 ms.
  private static let tolerance = Timestamp(milliseconds: 25)

  package private(set) var canvas: Canvas?
  package var log: FindingLog
  /// Every unit stands for itself.
  package let isSelfContained = true
  private let options: Options
  private let index: VobSubIndex
  private var pending: TrackPacket?

  package var heldBytes: Int { pending?.bytes.count ?? 0 }

  /// Makes a decoder at the start of a track.
  ///
  /// - Parameters:
  ///   - index: What the .idx file or the container's private data say.
  ///   - options: Choices.
  package init(index: VobSubIndex, options: Options = Options()) {
    self.index = index
    self.options = options
    canvas = index.canvas ?? options.canvas
    log = FindingLog(options.strictness)
  }

  /// Makes a decoder of a track with the private data of its container.
  package init(privateData: [UInt8], options: Options = Options()) {
    self.init(index: VobSubIndex.read(privateData: privateData), options: options)
  }

  package mutating func reset() { pending = nil }

  package func entryPoint(of packet: TrackPacket) -> EntryPoint {
    packet.time == nil ? .none : .reset
  }

  package mutating func decode(_ packet: TrackPacket) throws(StreamFinding) -> [SubtitleEvent] {
    var events: [SubtitleEvent] = []
    var packet = packet
    if let first = pending {
      pending = nil
      if packet.time == nil || packet.time == first.time {
        let rest = packet.bytes
        packet = first
        packet.bytes += rest
      } else {
        events += try unit(first)
      }
    }
    let bytes = packet.bytes
    guard bytes.count >= 2 else {
      if !bytes.isEmpty { pending = packet }
      return events
    }
    let size = Int(bytes[0]) << 8 | Int(bytes[1])
    if bytes.count < size {
      pending = packet
    } else {
      events += try unit(packet)
    }
    return events
  }

  package mutating func finish() throws(StreamFinding) -> [SubtitleEvent] {
    guard let packet = pending else { return [] }
    pending = nil
    return try unit(packet)
  }

  /// Decodes what there is of a unit.
  private mutating func unit(_ packet: TrackPacket) throws(StreamFinding) -> [SubtitleEvent] {
    guard let time = packet.time else {
      try log.note(
        StreamFinding(
          .vobsubNoTime, time: nil, offset: packet.offset,
          "the unit has no time and is passed over"))
      return []
    }
    let size = packet.bytes.count >= 2 ? Int(packet.bytes[0]) << 8 | Int(packet.bytes[1]) : 0
    if packet.bytes.count < size {
      try log.note(
        StreamFinding(
          .vobsubIncomplete, time: time, offset: packet.offset,
          "the unit has \(packet.bytes.count) of \(size) bytes"))
    }
    let clear = SubtitleEvent(time: time, objects: [], canvas: canvas, offset: packet.offset)
    var reader = ByteReader(packet.bytes, base: packet.offset)
    let (unit, fault) = Self.salvage(&reader)
    if let fault {
      var rule = FindingRule.vobsubDamaged
      if case .invalid(field: "command", _, _) = fault.kind { rule = .vobsubCommand }
      try log.note(StreamFinding(rule, time: time, offset: fault.offset, "\(fault)"))
    }
    guard let unit else { return [clear] }
    return try events(of: unit, packet, time)
  }

  private static func salvage(
    _ reader: inout ByteReader
  ) -> (unit: SubpictureUnit?, fault: ReadFault?) {
    do throws(ReadFault) {
      let result = try SubpictureUnit.salvage(&reader)
      return (result.unit, result.fault)
    } catch {
      return (nil, error)
    }
  }

  private mutating func events(
    of unit: SubpictureUnit, _ packet: TrackPacket, _ time: Timestamp
  ) throws(StreamFinding) -> [SubtitleEvent] {
    var painter = SubpicturePainter(
      unit: unit, index: index, palette: options.palette ?? index.palette, canvas: canvas)
    let steps = painter.steps()
    for finding in painter.findings {
      try log.note(
        StreamFinding(finding.rule, time: time, offset: packet.offset, finding.sentence))
    }
    let stop = painter.stop.map { time + ControlSequence.delay($0) }
    if let stop, let end = packet.containerEnd, max(stop - end, end - stop) > Self.tolerance {
      try log.note(
        StreamFinding(
          .vobsubDuration, time: time, offset: packet.offset,
          "the container ends it at \(end), its own stop command at \(stop)"))
    }
    var result: [SubtitleEvent] = []
    for step in steps {
      // What the container ends does not come back.
      if let end = packet.containerEnd, time + ControlSequence.delay(step.date) >= end,
        result.contains(where: { !$0.objects.isEmpty })
      {
        break
      }
      var event = SubtitleEvent(
        time: time + ControlSequence.delay(step.date), objects: step.objects,
        canvas: painter.canvas, offset: packet.offset, isContinuation: !result.isEmpty)
      if !step.objects.isEmpty {
        event.streamEnd = stop
        event.containerEnd = packet.containerEnd
      }
      result.append(event)
    }
    if let grown = painter.canvas {
      canvas = Canvas(
        width: max(grown.width, canvas?.width ?? 0), height: max(grown.height, canvas?.height ?? 0))
    }
    return result
  }
}
