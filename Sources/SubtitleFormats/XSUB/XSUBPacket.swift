// SPDX-License-Identifier: Apache-2.0
package import BinaryReading
package import SubtitleModel

extension FindingRule {
  private static let observed = "observed in files of DivX"
  static let xsubDamaged = FindingRule("xsub.packet-damaged", .error, observed)
  static let xsubTimes = FindingRule("xsub.times", .error, observed)
  static let xsubTimesDiffer = FindingRule("xsub.times-differ", .warning, observed)
  static let xsubSize = FindingRule("xsub.size", .error, observed)
  static let xsubRows = FindingRule("xsub.rows", .warning, observed)
  static let xsubFieldLength = FindingRule("xsub.field-length", .note, observed)
}

/// A packet of DivX subtitles: one picture with its times.
///
///     "[hh:mm:ss.mmm-hh:mm:ss.mmm]" 27,
///     width 2, height 2, left 2, top 2, right 2, bottom 2, length of the first field 2 (little-endian),
///     four colours of R G B, in DXSA four bytes of alpha, then both fields' run-length codes
package struct XSUBPacket: Sendable, Hashable {
  /// Bytes of the times.
  static let timesLength = 27

  /// When it appears, in milliseconds of the film.
  package var start: Int64
  /// When it goes.
  package var end: Int64
  /// Columns.
  package var width: Int
  /// Rows.
  package var height: Int
  /// Column of the left edge.
  package var left: Int
  /// Row of the top edge.
  package var top: Int
  /// Column of the right edge; says nothing that the width does not.
  package var right: Int
  /// Row of the bottom edge.
  package var bottom: Int
  /// Bytes of the first field's codes; not to be relied upon.
  package var firstFieldLength: Int
  /// The four colours with their alpha.
  package var colors: [PaletteColor]
  /// Whether alpha is written (DXSA); else the first colour is transparent and the others opaque.
  package var hasAlpha: Bool
  /// The codes of the even lines, then of the odd ones.
  package var data: [UInt8]

  /// Makes a packet of a picture of colours 0 to 3.
  ///
  /// - Parameters:
  ///   - bitmap: The pixels.
  ///   - x: Column of the left edge, 0 or more.
  ///   - y: Row of the top edge, 0 or more.
  ///   - start: When it appears, in milliseconds.
  ///   - end: When it goes.
  ///   - colors: Four colours.
  ///   - hasAlpha: Whether their alpha is written.
  package init(
    _ bitmap: IndexedBitmap, x: Int, y: Int, start: Int64, end: Int64, colors: [PaletteColor],
    hasAlpha: Bool
  ) {
    let fields = SubpictureRunLength.encode(bitmap)
    self.start = start
    self.end = end
    width = bitmap.width
    height = bitmap.height
    left = x
    top = y
    right = x + bitmap.width - 1
    bottom = y + bitmap.height - 1
    firstFieldLength = fields.top.count
    self.colors = (0..<4).map { $0 < colors.count ? colors[$0] : .transparent }
    self.hasAlpha = hasAlpha
    data = fields.top + fields.bottom
  }

  /// Reads a packet.
  ///
  /// - Parameters:
  ///   - input: The packet.
  ///   - hasAlpha: Whether it is DXSA.
  /// - Throws: `.truncated` if the header is cut, `.invalid` for times that are none.
  package init(parsing input: inout ByteReader, hasAlpha: Bool) throws(ReadFault) {
    input.structure = "XSUB packet"
    let place = input
    let text = try input.bytes(Self.timesLength)
    guard text[0] == 0x5B, text[13] == 0x2D, text[26] == 0x5D,
      let start = Self.milliseconds(text[1..<13]), let end = Self.milliseconds(text[14..<26])
    else {
      throw place.fault(
        .invalid(field: "first byte", value: Int64(text[0]), reason: "and no times follow"))
    }
    self.start = start
    self.end = end
    width = Int(try input.u16LittleEndian())
    height = Int(try input.u16LittleEndian())
    left = Int(try input.u16LittleEndian())
    top = Int(try input.u16LittleEndian())
    right = Int(try input.u16LittleEndian())
    bottom = Int(try input.u16LittleEndian())
    firstFieldLength = Int(try input.u16LittleEndian())
    colors = []
    for index in 0..<4 {
      colors.append(
        PaletteColor(
          red: try input.u8(), green: try input.u8(), blue: try input.u8(),
          alpha: index == 0 ? 0 : 255))
    }
    self.hasAlpha = hasAlpha
    if hasAlpha {
      for index in 0..<4 { colors[index].alpha = try input.u8() }
    }
    data = input.rest()
  }

  /// The packet's bytes.
  ///
  /// - Throws: `.outOfRange` for a number that its field cannot hold.
  package func bytes() throws(PGSWritingFault) -> [UInt8] {
    let name = "XSUB packet"
    var writer = ByteWriter()
    writer.bytes([0x5B])
    writer.bytes(try Self.clock(start))
    writer.bytes([0x2D])
    writer.bytes(try Self.clock(end))
    writer.bytes([0x5D])
    for (label, value) in [
      ("width", width), ("height", height), ("left", left), ("top", top), ("right", right),
      ("bottom", bottom), ("field length", firstFieldLength),
    ] {
      writer.u16LittleEndian(try field(value, label, of: name, as: UInt16.self))
    }
    for color in colors { writer.bytes([color.red, color.green, color.blue]) }
    if hasAlpha { for color in colors { writer.u8(color.alpha) } }
    writer.bytes(data)
    return writer.bytes
  }

  /// `hh:mm:ss.mmm` in milliseconds.
  private static func milliseconds(_ text: ArraySlice<UInt8>) -> Int64? {
    let digits = Array(text)
    guard digits[2] == 0x3A, digits[5] == 0x3A, digits[8] == 0x2E else { return nil }
    var total: Int64 = 0
    let weights: [Int64] = [
      36_000_000, 3_600_000, 0, 600_000, 60_000, 0, 10_000, 1000, 0, 100, 10, 1,
    ]
    for (digit, weight) in zip(digits, weights) where weight > 0 {
      guard (0x30...0x39).contains(digit) else { return nil }
      total += Int64(digit - 0x30) * weight
    }
    return total
  }

  private static func clock(_ time: Int64) throws(PGSWritingFault) -> [UInt8] {
    guard (0..<360_000_000).contains(time) else {
      throw .outOfRange(
        structure: "XSUB packet", field: "time", value: Int(clamping: time), range: 0...359_999_999)
    }
    return Array(Timestamp(milliseconds: time).description.utf8)
  }
}
