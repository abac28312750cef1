// SPDX-License-Identifier: Apache-2.0
package import BinaryReading
package import SubtitleModel

/// Four colours and contrasts by pixel code: background, pattern, emphasis 1, emphasis 2.
package struct PixelCodes: Sendable, Hashable {
  /// The value of each code, 0 to 15.
  package var values: [UInt8]

  /// Makes values; four of 0 to 15.
  package init(_ values: [UInt8]) {
    self.values = (0..<4).map { $0 < values.count ? values[$0] & 15 : 0 }
  }

  /// Reads 16 bits: emphasis 2 in the highest nibble, background in the lowest.
  init(parsing input: inout ByteReader) throws(ReadFault) {
    let bits = try input.u16()
    values = (0..<4).map { UInt8(bits >> UInt16(4 * $0) & 15) }
  }

  func write(to writer: inout ByteWriter) {
    writer.u16((0..<4).reduce(UInt16(0)) { $0 | UInt16(values[$1] & 15) << UInt16(4 * $1) })
  }
}

/// LN_CTLI: colours that change within lines, from columns on.
package struct LineControl: Sendable, Hashable {
  /// PX_CTLI: colours and contrasts from a column on.
  package struct PixelControl: Sendable, Hashable {
    /// The first column, of the display.
    package var column: Int
    /// The colours.
    package var colors: PixelCodes
    /// The contrasts.
    package var contrasts: PixelCodes

    /// Makes a change.
    package init(column: Int, colors: PixelCodes, contrasts: PixelCodes) {
      self.column = column
      self.colors = colors
      self.contrasts = contrasts
    }
  }

  /// The first line, of the display.
  package var firstLine: Int
  /// The last line, inclusive.
  package var lastLine: Int
  /// The changes, by rising column; 1 to 8.
  package var changes: [PixelControl]

  /// Makes a control.
  package init(firstLine: Int, lastLine: Int, changes: [PixelControl]) {
    self.firstLine = firstLine
    self.lastLine = lastLine
    self.changes = changes
  }
}

/// SP_DCCMD: one command of a control sequence.
package enum SubpictureCommand: Sendable, Hashable {
  /// FSTA_DSP 00: shows the picture though subtitles are off.
  case forcedStartDisplay
  /// STA_DSP 01: shows the picture.
  case startDisplay
  /// STP_DSP 02: hides the picture.
  case stopDisplay
  /// SET_COLOR 03: palette indices of the pixel codes.
  case setColor(PixelCodes)
  /// SET_CONTR 04: opacity of the pixel codes, 0 to 15.
  case setContrast(PixelCodes)
  /// SET_DAREA 05: where the picture lies; the ends are inclusive.
  case setDisplayArea(firstColumn: Int, lastColumn: Int, firstLine: Int, lastLine: Int)
  /// SET_DSPXA 06: offsets of both fields' pixel data in the unit.
  case setPixelDataAddresses(topField: Int, bottomField: Int)
  /// CHG_COLCON 07: colours that change within the picture.
  case changeColorContrast([LineControl])

  /// The byte that ends a sequence: CMD_END.
  static let end: UInt8 = 0xFF
}

/// SP_DCSQ: commands that are carried out at a date.
package struct ControlSequence: Sendable, Hashable {
  /// SP_DCSQ_STM: when, behind the unit's PTS, in units of 1024 ticks of 90 kHz.
  package var date: Int
  /// The commands, in order.
  package var commands: [SubpictureCommand]

  /// The date that stands for "never": the largest.
  package static let never = 0xFFFF

  /// Makes a sequence.
  package init(date: Int, commands: [SubpictureCommand]) {
    self.date = date
    self.commands = commands
  }

  /// A date as a time behind the PTS.
  package static func delay(_ date: Int) -> Timestamp {
    Timestamp(ticks: Int64(date) * 1024, numerator: 1, denominator: 90_000)
  }
}

/// SPU: a sub-picture unit.
///
///     size 2 (SPDSZ), offset of the control sequences 2 (SP_DCSQTA), pixel data,
///     then each sequence: date 2, offset of the next 2 (its own in the last), commands, FF
package struct SubpictureUnit: Sendable, Hashable {
  /// The longest unit: the size field has 16 bits.
  package static let maximumSize = 65_535
  /// Sequences read of one unit; each takes 5 bytes at least, and discs have a handful.
  package static let sequenceLimit = 1024
  /// Commands read of one unit, changes of colours within lines counted one by one.
  ///
  /// They are as many as the unit has bytes for; sequences may lie over each other, so that the same
  /// bytes are read again.
  package static let commandLimit = maximumSize / 4

  /// The bytes between the header and the control sequences; the first lies at offset 4.
  package var pixelData: [UInt8]
  /// The control sequences.
  package var sequences: [ControlSequence]

  /// Makes a unit.
  package init(pixelData: [UInt8], sequences: [ControlSequence]) {
    self.pixelData = pixelData
    self.sequences = sequences
  }

  /// The bytes of one field's pixel data on, by its offset in the unit.
  package func data(at offset: Int) -> ArraySlice<UInt8>? {
    guard (4...4 + pixelData.count).contains(offset) else { return nil }
    return pixelData[(offset - 4)...]
  }

  /// The unit's bytes.
  ///
  /// - Throws: `.limitExceeded` if it passes the size field.
  package func bytes() throws(PGSWritingFault) -> [UInt8] {
    var writer = ByteWriter()
    writer.u16(0)
    writer.u16(UInt16(truncatingIfNeeded: 4 + pixelData.count))
    writer.bytes(pixelData)
    for (index, sequence) in sequences.enumerated() {
      let start = writer.count
      writer.u16(try field(sequence.date, "date", of: "control sequence", as: UInt16.self))
      writer.u16(0)
      for command in sequence.commands { try command.write(to: &writer) }
      writer.u8(SubpictureCommand.end)
      let next = index + 1 < sequences.count ? writer.count : start
      guard writer.count <= Self.maximumSize else { break }
      writer.patchU16(UInt16(next), at: start + 2)
    }
    guard writer.count <= Self.maximumSize else {
      throw .limitExceeded(
        what: "bytes of a sub-picture unit", count: writer.count, limit: Self.maximumSize)
    }
    writer.patchU16(UInt16(writer.count), at: 0)
    return writer.bytes
  }
}

extension SubpictureUnit {
  /// Reads a unit that is whole.
  ///
  /// - Throws: `.truncated` if a sequence is cut, `.invalid` for an unknown command or an offset that
  ///   leads nowhere.
  package init(parsing input: inout ByteReader) throws(ReadFault) {
    let (unit, fault) = try Self.salvage(&input)
    if let fault { throw fault }
    self = unit
  }

  /// Reads as much of a unit as can be read; the fault says what stopped it.
  ///
  /// - Throws: `.truncated` or `.invalid` if not even the header makes sense.
  static func salvage(
    _ input: inout ByteReader
  ) throws(ReadFault) -> (unit: SubpictureUnit, fault: ReadFault?) {
    input.structure = "sub-picture unit"
    let whole = input
    let size = Int(try input.u16())
    let table = Int(try input.u16())
    guard table >= 4, table - 4 <= input.remaining else {
      throw whole.fault(
        .invalid(
          field: "offset of the control sequences", value: Int64(table), reason: "not in the unit"))
    }
    var unit = SubpictureUnit(pixelData: try input.bytes(table - 4), sequences: [])
    _ = size
    var offset = table
    var commandCount = 0
    while unit.sequences.count < Self.sequenceLimit {
      var reader = whole
      var sequence = ControlSequence(date: 0, commands: [])
      do {
        try reader.skip(offset)
        reader.structure = "sub-picture control sequence"
        sequence.date = Int(try reader.u16())
        let next = Int(try reader.u16())
        try sequence.readCommands(&reader, upTo: Self.commandLimit - commandCount)
        commandCount += sequence.commands.reduce(0) { $0 + $1.weight }
        unit.sequences.append(sequence)
        input = reader
        // The last names itself; each lies further on, so this ends.
        guard next > offset else { return (unit, nil) }
        offset = next
      } catch {
        if !sequence.commands.isEmpty { unit.sequences.append(sequence) }
        return (unit, error)
      }
    }
    return (unit, nil)
  }
}

extension ControlSequence {
  /// Reads commands up to the end command.
  fileprivate mutating func readCommands(
    _ reader: inout ByteReader, upTo limit: Int
  ) throws(ReadFault) {
    var count = 0
    while true {
      let place = reader
      guard count < limit else {
        throw place.fault(
          .limitExceeded(
            limit: "count of commands", value: Int64(SubpictureUnit.commandLimit) + 1,
            maximum: Int64(SubpictureUnit.commandLimit)))
      }
      let code = try reader.u8()
      switch code {
      case SubpictureCommand.end: return
      case 0x00: commands.append(.forcedStartDisplay)
      case 0x01: commands.append(.startDisplay)
      case 0x02: commands.append(.stopDisplay)
      case 0x03: commands.append(.setColor(try PixelCodes(parsing: &reader)))
      case 0x04: commands.append(.setContrast(try PixelCodes(parsing: &reader)))
      case 0x05:
        let columns = Int(try reader.u24())
        let lines = Int(try reader.u24())
        commands.append(
          .setDisplayArea(
            firstColumn: columns >> 12, lastColumn: columns & 0xFFF, firstLine: lines >> 12,
            lastLine: lines & 0xFFF))
      case 0x06:
        commands.append(
          .setPixelDataAddresses(
            topField: Int(try reader.u16()), bottomField: Int(try reader.u16()))
        )
      case 0x07:
        let size = Int(try reader.u16())
        var parameters = try reader.slice(max(0, size - 2))
        commands.append(.changeColorContrast(try LineControl.list(parsing: &parameters)))
      default:
        throw place.fault(
          .invalid(field: "command", value: Int64(code), reason: "which does not exist"))
      }
      count += commands.last?.weight ?? 1
    }
  }
}

extension LineControl {
  /// What ends the list.
  private static let end: UInt32 = 0x0FFF_FFFF

  /// Reads controls up to the mark of the end, or the end of the parameters.
  fileprivate static func list(parsing input: inout ByteReader) throws(ReadFault) -> [LineControl] {
    var result: [LineControl] = []
    while input.remaining >= 4 {
      let bits = try input.u32()
      if bits == end { break }
      let count = Int(bits >> 12 & 0xF)
      var control = LineControl(
        firstLine: Int(bits >> 16 & 0xFFF), lastLine: Int(bits & 0xFFF), changes: [])
      for _ in 0..<count {
        control.changes.append(
          PixelControl(
            column: Int(try input.u16()), colors: try PixelCodes(parsing: &input),
            contrasts: try PixelCodes(parsing: &input)))
      }
      result.append(control)
    }
    return result
  }

  fileprivate static func write(
    _ list: [LineControl], to writer: inout ByteWriter
  ) throws(PGSWritingFault) {
    let name = "line control"
    let size = 2 + list.reduce(0) { $0 + 4 + 6 * $1.changes.count } + 4
    writer.u16(try field(size, "size", of: name, as: UInt16.self))
    for control in list {
      for (label, value) in [("first line", control.firstLine), ("last line", control.lastLine)]
      where !(0...0xFFF).contains(value) {
        throw .outOfRange(structure: name, field: label, value: value, range: 0...0xFFF)
      }
      guard (1...8).contains(control.changes.count) else {
        throw .outOfRange(
          structure: name, field: "count of changes", value: control.changes.count, range: 1...8)
      }
      writer.u32(
        UInt32(control.firstLine) << 16 | UInt32(control.changes.count) << 12
          | UInt32(control.lastLine))
      for change in control.changes {
        writer.u16(try field(change.column, "column", of: name, as: UInt16.self))
        change.colors.write(to: &writer)
        change.contrasts.write(to: &writer)
      }
    }
    writer.u32(end)
  }
}

extension SubpictureCommand {
  /// How many commands it counts as: changes of colours within lines count one by one.
  fileprivate var weight: Int {
    guard case .changeColorContrast(let list) = self else { return 1 }
    return list.reduce(1) { $0 + 1 + $1.changes.count }
  }

  fileprivate func write(to writer: inout ByteWriter) throws(PGSWritingFault) {
    switch self {
    case .forcedStartDisplay: writer.u8(0x00)
    case .startDisplay: writer.u8(0x01)
    case .stopDisplay: writer.u8(0x02)
    case .setColor(let codes):
      writer.u8(0x03)
      codes.write(to: &writer)
    case .setContrast(let codes):
      writer.u8(0x04)
      codes.write(to: &writer)
    case .setDisplayArea(let firstColumn, let lastColumn, let firstLine, let lastLine):
      for value in [firstColumn, lastColumn, firstLine, lastLine]
      where !(0...0xFFF).contains(value) {
        throw .outOfRange(
          structure: "display area", field: "edge", value: value, range: 0...0xFFF)
      }
      writer.u8(0x05)
      writer.u24(UInt32(firstColumn << 12 | lastColumn))
      writer.u24(UInt32(firstLine << 12 | lastLine))
    case .setPixelDataAddresses(let topField, let bottomField):
      writer.u8(0x06)
      writer.u16(try field(topField, "top field", of: "pixel data addresses", as: UInt16.self))
      writer.u16(
        try field(bottomField, "bottom field", of: "pixel data addresses", as: UInt16.self))
    case .changeColorContrast(let list):
      writer.u8(0x07)
      try LineControl.write(list, to: &writer)
    }
  }
}
