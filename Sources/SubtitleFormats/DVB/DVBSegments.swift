// SPDX-License-Identifier: Apache-2.0
package import BinaryReading
package import SubtitleModel

/// A segment of a DVB subtitle stream (EN 300 743, 7.2).
///
///     sync 1 (0F), type 1, page id 2, length 2, payload
package struct DVBSegment: Sendable, Hashable {
  /// The first byte of every segment.
  package static let sync: UInt8 = 0x0F

  /// The kinds of segment (table 7).
  package enum Kind: UInt8, Sendable {
    /// What the page shows.
    case pageComposition = 0x10
    /// A region and its objects' places.
    case regionComposition = 0x11
    /// Colours.
    case clutDefinition = 0x12
    /// Pixels.
    case objectData = 0x13
    /// The size of the display.
    case displayDefinition = 0x14
    /// Depth on stereoscopic displays; not drawn.
    case disparitySignalling = 0x15
    /// Colours for wide-gamut displays; not drawn.
    case alternativeCLUT = 0x16
    /// The end of a display set.
    case endOfDisplaySet = 0x80
    /// Nothing.
    case stuffing = 0xFF
  }

  /// The kind's code, known or not.
  package var type: UInt8
  /// The page.
  package var pageID: Int
  /// The bytes behind the length.
  package var payload: [UInt8]

  /// Makes a segment.
  package init(_ kind: Kind, pageID: Int, payload: [UInt8]) {
    type = kind.rawValue
    self.pageID = pageID
    self.payload = payload
  }

  /// Reads a segment.
  ///
  /// - Throws: `.invalid` if the sync byte is missing, `.truncated` if the payload is cut.
  package init(parsing input: inout ByteReader) throws(ReadFault) {
    var copy = input
    copy.structure = "DVB subtitle segment"
    let sync = try copy.u8()
    guard sync == Self.sync else {
      throw input.fault(.invalid(field: "sync byte", value: Int64(sync), reason: "not 15"))
    }
    type = try copy.u8()
    pageID = Int(try copy.u16())
    payload = try copy.bytes(Int(try copy.u16()))
    copy.structure = input.structure
    input = copy
  }

  /// Appends the segment.
  package func write(to writer: inout ByteWriter) throws(PGSWritingFault) {
    writer.u8(Self.sync)
    writer.u8(type)
    writer.u16(try field(pageID, "page id", of: "DVB subtitle segment", as: UInt16.self))
    writer.u16(try field(payload.count, "length", of: "DVB subtitle segment", as: UInt16.self))
    writer.bytes(payload)
  }
}

/// Page composition segment (7.2.2).
package struct PageCompositionSegment: Sendable, Hashable {
  /// What the display set is within its epoch.
  package enum State: UInt8, Sendable {
    /// Changes what came before.
    case normal = 0
    /// Decoding can begin here: all that is shown is sent again.
    case acquisitionPoint = 1
    /// Everything that came before is forgotten.
    case modeChange = 2
    /// Not defined.
    case reserved = 3
  }

  /// A region's place.
  package struct Region: Sendable, Hashable {
    /// The region.
    package var id: Int
    /// Column of its left edge, in the display or its window.
    package var x: Int
    /// Row of its top edge.
    package var y: Int

    /// Makes a place.
    package init(id: Int, x: Int, y: Int) {
      self.id = id
      self.x = x
      self.y = y
    }
  }

  /// Seconds after which the page goes by itself; 0 states nothing.
  package var timeOut: Int
  /// Counts the compositions, 4 bits.
  package var version: Int
  /// The state.
  package var state: State
  /// What is shown; none clears the screen.
  package var regions: [Region]

  /// Makes a composition.
  package init(timeOut: Int, version: Int = 0, state: State, regions: [Region]) {
    self.timeOut = timeOut
    self.version = version
    self.state = state
    self.regions = regions
  }

  /// Reads a composition.
  package init(parsing input: inout ByteReader) throws(ReadFault) {
    input.structure = "page composition segment"
    timeOut = Int(try input.u8())
    let bits = try input.u8()
    version = Int(bits >> 4)
    state = State(rawValue: bits >> 2 & 3) ?? .reserved
    regions = []
    while !input.isAtEnd {
      let id = Int(try input.u8())
      try input.skip(1)
      regions.append(Region(id: id, x: Int(try input.u16()), y: Int(try input.u16())))
    }
  }

  /// The payload.
  package func payload() throws(PGSWritingFault) -> [UInt8] {
    let name = "page composition segment"
    var writer = ByteWriter()
    writer.u8(try field(timeOut, "time-out", of: name, as: UInt8.self))
    writer.u8(UInt8(version & 15) << 4 | state.rawValue << 2 | 3)
    for region in regions {
      writer.u8(try field(region.id, "region id", of: name, as: UInt8.self))
      writer.u8(0xFF)
      writer.u16(try field(region.x, "x", of: name, as: UInt16.self))
      writer.u16(try field(region.y, "y", of: name, as: UInt16.self))
    }
    return writer.bytes
  }
}

/// Bits of a pixel: what a region stores and what a string of pixels holds.
package enum PixelDepth: Int, Sendable, Hashable, CaseIterable {
  /// 4 colours.
  case two = 2
  /// 16 colours.
  case four = 4
  /// 256 colours.
  case eight = 8

  /// The code of regions' `depth` and `level of compatibility` fields.
  var code: UInt8 { self == .two ? 1 : self == .four ? 2 : 3 }

  init?(code: UInt8) {
    switch code {
    case 1: self = .two
    case 2: self = .four
    case 3: self = .eight
    default: return nil
    }
  }

  /// The largest pixel code.
  var mask: UInt8 { self == .two ? 3 : self == .four ? 15 : 255 }
}

/// A choice of depths.
package struct PixelDepths: OptionSet, Sendable, Hashable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The set of one depth.
  package init(_ depth: PixelDepth) { self.init(rawValue: UInt8(depth.rawValue)) }

  /// 2 bits.
  package static let two = PixelDepths(.two)
  /// 4 bits.
  package static let four = PixelDepths(.four)
  /// 8 bits.
  package static let eight = PixelDepths(.eight)

  /// The depths, rising.
  package var all: [PixelDepth] { PixelDepth.allCases.filter { contains(PixelDepths($0)) } }
}

/// Region composition segment (7.2.3).
package struct RegionCompositionSegment: Sendable, Hashable {
  /// An object's place in the region.
  package struct Object: Sendable, Hashable {
    /// The object.
    package var id: Int
    /// 0 bitmap, 1 character, 2 string of characters.
    package var type: UInt8 = 0
    /// 0 in the stream, 1 in the receiver's memory.
    package var provider: UInt8 = 0
    /// Column of its left edge in the region, 12 bits.
    package var x: Int
    /// Row of its top edge.
    package var y: Int
    /// Pixel codes of characters and their ground.
    package var characterColors: [UInt8] = []

    /// Makes a bitmap's place.
    package init(id: Int, x: Int, y: Int) {
      self.id = id
      self.x = x
      self.y = y
    }
  }

  /// The region, within its page.
  package var id: Int
  /// Counts the compositions of the region, 4 bits.
  package var version = 0
  /// Whether it is filled with the colour of its depth first.
  package var isFilled: Bool
  /// Columns.
  package var width: Int
  /// Rows.
  package var height: Int
  /// The smallest depth of decoders that can show it; the code of 3 bits.
  package var compatibility: UInt8
  /// Bits of its pixels; nil for a reserved code.
  package var depth: PixelDepth?
  /// The CLUT family.
  package var clutID: Int
  /// The filling pixel code of a region of 8 bits.
  package var fill8: UInt8 = 0
  /// The filling pixel code of a region of 4 bits.
  package var fill4: UInt8 = 0
  /// The filling pixel code of a region of 2 bits.
  package var fill2: UInt8 = 0
  /// What lies in it.
  package var objects: [Object]

  /// Makes a region; it is filled with pixel code 0 unless told otherwise.
  package init(
    id: Int, width: Int, height: Int, depth: PixelDepth, clutID: Int, isFilled: Bool = true,
    objects: [Object]
  ) {
    self.id = id
    self.width = width
    self.height = height
    self.depth = depth
    compatibility = depth.code
    self.clutID = clutID
    self.isFilled = isFilled
    self.objects = objects
  }

  /// Reads a region.
  package init(parsing input: inout ByteReader) throws(ReadFault) {
    input.structure = "region composition segment"
    id = Int(try input.u8())
    let flags = try input.u8()
    version = Int(flags >> 4)
    isFilled = flags & 8 != 0
    width = Int(try input.u16())
    height = Int(try input.u16())
    let bits = try input.u8()
    compatibility = bits >> 5
    depth = PixelDepth(code: bits >> 2 & 7)
    clutID = Int(try input.u8())
    fill8 = try input.u8()
    let fills = try input.u8()
    fill4 = fills >> 4
    fill2 = fills >> 2 & 3
    objects = []
    while !input.isAtEnd {
      let objectID = Int(try input.u16())
      let column = try input.u16()
      let row = try input.u16()
      var object = Object(id: objectID, x: Int(column & 0xFFF), y: Int(row & 0xFFF))
      object.type = UInt8(column >> 14)
      object.provider = UInt8(column >> 12 & 3)
      if object.type == 1 || object.type == 2 { object.characterColors = try input.bytes(2) }
      objects.append(object)
    }
  }

  /// The payload.
  package func payload() throws(PGSWritingFault) -> [UInt8] {
    let name = "region composition segment"
    var writer = ByteWriter()
    writer.u8(try field(id, "region id", of: name, as: UInt8.self))
    writer.u8(UInt8(version & 15) << 4 | (isFilled ? 8 : 0) | 7)
    writer.u16(try field(width, "width", of: name, as: UInt16.self))
    writer.u16(try field(height, "height", of: name, as: UInt16.self))
    writer.u8(compatibility << 5 | (depth?.code ?? 0) << 2 | 3)
    writer.u8(try field(clutID, "CLUT id", of: name, as: UInt8.self))
    writer.u8(fill8)
    writer.u8(fill4 << 4 | (fill2 & 3) << 2 | 3)
    for object in objects {
      writer.u16(try field(object.id, "object id", of: name, as: UInt16.self))
      for (label, value) in [("x", object.x), ("y", object.y)] where !(0...0xFFF).contains(value) {
        throw .outOfRange(structure: name, field: label, value: value, range: 0...0xFFF)
      }
      writer.u16(
        UInt16(object.type & 3) << 14 | UInt16(object.provider & 3) << 12 | UInt16(object.x))
      writer.u16(0xF000 | UInt16(object.y))
      writer.bytes(object.characterColors)
    }
    return writer.bytes
  }
}

/// Display definition segment (7.2.1).
package struct DisplayDefinitionSegment: Sendable, Hashable {
  /// Counts the definitions, 4 bits.
  package var version: Int
  /// The display's size.
  package var canvas: Canvas
  /// The part of the display that pages are placed in; nil is all of it.
  package var window: PixelRect?

  /// Makes a definition.
  package init(version: Int = 0, canvas: Canvas, window: PixelRect? = nil) {
    self.version = version
    self.canvas = canvas
    self.window = window
  }

  /// Reads a definition.
  package init(parsing input: inout ByteReader) throws(ReadFault) {
    input.structure = "display definition segment"
    let flags = try input.u8()
    version = Int(flags >> 4)
    canvas = Canvas(width: Int(try input.u16()) + 1, height: Int(try input.u16()) + 1)
    guard flags & 8 != 0 else { return }
    let (left, right) = (Int(try input.u16()), Int(try input.u16()))
    let (top, bottom) = (Int(try input.u16()), Int(try input.u16()))
    window = PixelRect(x: left, y: top, width: right - left + 1, height: bottom - top + 1)
  }

  /// The payload.
  package func payload() throws(PGSWritingFault) -> [UInt8] {
    let name = "display definition segment"
    var writer = ByteWriter()
    writer.u8(UInt8(version & 15) << 4 | (window == nil ? 0 : 8) | 7)
    writer.u16(try field(canvas.width - 1, "width", of: name, as: UInt16.self))
    writer.u16(try field(canvas.height - 1, "height", of: name, as: UInt16.self))
    guard let window else { return writer.bytes }
    for (label, value) in [
      ("left", window.x), ("right", window.x + window.width - 1), ("top", window.y),
      ("bottom", window.y + window.height - 1),
    ] {
      writer.u16(try field(value, label, of: name, as: UInt16.self))
    }
    return writer.bytes
  }
}
