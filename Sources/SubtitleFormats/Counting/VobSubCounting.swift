// SPDX-License-Identifier: Apache-2.0
import BinaryReading
import SubtitleModel

/// Counts DVD sub-pictures from their control sequences.
///
/// A sub-picture (size, 2 bytes; offset of the control sequences, 2; data; control sequences) that
/// is started and whose contrast is not zero all along is a cue.
struct VobSubCounting: CountingFormat {
  private(set) var canvas: Canvas?
  private(set) var events: [CountingEvent] = []
  private(set) var survey = TrackSurvey()

  /// The first part of a sub-picture that goes on in the next packet.
  private var pending: (packet: CountingPacket, bytes: [UInt8])?

  /// Makes the counting.
  ///
  /// - Parameters:
  ///   - privateData: The head of an .idx file, with `size: 720x576`, or the palette of an MP4 file.
  ///   - place: What kind of file they come from.
  init(privateData: [UInt8], place: PrivateDataPlace) {
    let index = VobSubIndex.read(privateData: privateData)
    canvas = index.canvas
    survey.forcedObjectCount = 0
    survey.colors = .vobsub(VobSubPaletteSource(index, place: place))
  }

  mutating func add(_ packet: CountingPacket) throws {
    var first = packet
    var bytes = try packet.read(.max)
    if let (start, head) = pending {
      pending = nil
      if packet.time == nil || packet.time == start.time {
        first = start
        bytes = head + bytes
      } else {
        // What is cut is lost; the next one is whole.
        pending = (packet, bytes)
        try count(start, head)
        pending = nil
      }
    }
    let size = bytes.count < 2 ? Int.max : Int(bytes[0]) << 8 | Int(bytes[1])
    if bytes.count < size {
      pending = (first, bytes)
      return
    }
    try count(first, bytes)
  }

  mutating func finish() throws {
    guard let (packet, bytes) = pending else { return }
    pending = nil
    try count(packet, bytes)
  }

  private mutating func count(_ packet: CountingPacket, _ bytes: [UInt8]) throws(ReadFault) {
    guard let time = packet.time else {
      throw ReadFault(
        .invalid(field: "time", value: -1, reason: "missing in the container"), offset: 0,
        structure: "sub-picture")
    }
    guard bytes.count >= 4 else {
      throw ReadFault(
        .truncated(needed: 4, available: bytes.count), offset: 0, structure: "sub-picture")
    }
    var control = SubPictureControl()
    do {
      try control.read(bytes)
    } catch {
      // What came before the fault counts.
      note(control, time, packet)
      throw error
    }
    note(control, time, packet)
  }

  private mutating func note(
    _ control: SubPictureControl, _ time: Timestamp, _ packet: CountingPacket
  ) {
    guard control.hasArea, control.isVisible, let start = control.start else {
      events.append(CountingEvent(start: time, isPicture: false))
      return
    }
    func at(_ date: Int) -> Timestamp {
      time + Timestamp(ticks: Int64(date) * 1024, numerator: 1, denominator: 90_000)
    }
    // The largest date stands for "until the next sub-picture".
    let stop = control.stop.flatMap { $0 < 0xFFFF ? at($0) : nil }
    events.append(
      CountingEvent(
        start: at(start), streamEnd: stop, containerEnd: packet.containerEnd, isPicture: true,
        isForced: control.isForced, canvas: canvas, objectCount: 1,
        forcedObjectCount: control.isForced ? 1 : 0))
  }
}

/// What the control sequences of a sub-picture say, without its pixels.
private struct SubPictureControl {
  /// Date of the first start command, in units of 1024 ticks of 90 kHz.
  var start: Int?
  /// Date of the stop command.
  var stop: Int?
  /// Whether the start command is the forced one.
  var isForced = false
  /// Whether a display area is set.
  var hasArea = false
  /// Whether any contrast is set to something else than zero.
  var isVisible = false

  mutating func read(_ bytes: [UInt8]) throws(ReadFault) {
    var offset = Int(bytes[2]) << 8 | Int(bytes[3])
    // A sequence names the next one; each lies further on, so this ends.
    while true {
      var reader = ByteReader(bytes, structure: "sub-picture control sequence")
      try reader.skip(offset)
      let date = Int(try reader.u16())
      let next = Int(try reader.u16())
      try commands(&reader, date)
      guard next > offset else { return }
      offset = next
    }
  }

  private mutating func commands(_ reader: inout ByteReader, _ date: Int) throws(ReadFault) {
    while !reader.isAtEnd {
      let command = try reader.u8()
      switch command {
      case 0x00, 0x01:
        if command == 0 { isForced = true }
        if start == nil { start = date }
      case 0x02: stop = date
      case 0x03: try reader.skip(2)
      case 0x04: if try reader.u16() != 0 { isVisible = true }
      case 0x05:
        try reader.skip(6)
        hasArea = true
      case 0x06: try reader.skip(4)
      case 0x07:
        let size = Int(try reader.u16())
        try reader.skip(max(0, size - 2))
      case 0xFF: return
      default:
        throw reader.fault(
          .invalid(field: "command", value: Int64(command), reason: "which does not exist"))
      }
    }
  }
}

extension VobSubPaletteSource {
  /// Finds the source of the colours that the painter takes.
  fileprivate init(_ index: VobSubIndex, place: PrivateDataPlace) {
    if index.customColors?.isOn == true {
      self = .customColors
    } else if index.palette == nil {
      self = .guessed
    } else {
      switch place {
      case .indexFile: self = .indexFile
      case .movie: self = .movie
      case .container: self = .codecPrivate
      }
    }
  }
}
