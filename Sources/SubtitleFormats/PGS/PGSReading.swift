// SPDX-License-Identifier: Apache-2.0
package import BinaryReading
import SubtitleModel

extension PGSSegment {
  /// A segment's kind and size as they stand in the stream, before its payload.
  package struct Header: Sendable, Hashable {
    /// The kind's code, known or not.
    package var type: UInt8
    /// Bytes of payload, 0 to 65535.
    package var size: Int

    /// Reads type (1 byte) and size (2).
    package init(parsing input: inout ByteReader) throws(ReadFault) {
      var copy = input
      type = try copy.u8()
      size = Int(try copy.u16())
      input = copy
    }
  }

  /// Reads type, size and payload.
  ///
  /// - Throws: `.truncated` if the payload is cut; `.invalid` for a type that is none of PGS.
  package init(parsing input: inout ByteReader) throws(ReadFault) {
    var copy = input
    let start = copy
    let header = try Header(parsing: &copy)
    guard let type = PGSSegmentType(rawValue: header.type) else {
      throw start.fault(
        .invalid(field: "segment type", value: Int64(header.type), reason: "which PGS has not"))
    }
    self.init(type: type, payload: try copy.bytes(header.size))
    input = copy
  }
}

extension SUPSegmentHeader {
  /// The first two bytes of every segment: "PG".
  package static let mark: UInt16 = 0x5047
  /// Its first byte.
  static let firstByte: UInt8 = 0x50

  /// Reads mark, PTS and DTS; the times are as the 32 bits say, not unwrapped.
  ///
  /// - Throws: `.invalid` if the mark is missing, `.truncated` if fewer than 10 bytes are left.
  package init(parsing input: inout ByteReader) throws(ReadFault) {
    var copy = input
    copy.structure = ".sup segment header"
    let mark = try copy.u16()
    guard mark == Self.mark else {
      var fault = copy.fault(.invalid(field: "mark", value: Int64(mark), reason: "not \"PG\""))
      fault.offset = input.position
      throw fault
    }
    self.init(pts: Int64(try copy.u32()), dts: Int64(try copy.u32()))
    copy.structure = input.structure
    input = copy
  }
}

extension PresentationCompositionSegment {
  /// Reads a composition.
  ///
  /// - Parameter input: The segment's payload; what stands behind the last object is left unread.
  /// - Throws: `.truncated` if the objects named do not fit.
  package init(parsing input: inout ByteReader) throws(ReadFault) {
    input.structure = "presentation composition segment"
    let canvas = Canvas(width: Int(try input.u16()), height: Int(try input.u16()))
    let video = VideoDescriptor(canvas: canvas, frameRate: try input.u8() >> 4)
    let number = Int(try input.u16())
    let state = CompositionState(rawValue: try input.u8() & 0xC0) ?? .normal
    let isUpdate = try input.u8() & 0x80 != 0
    let paletteID = Int(try input.u8())
    let count = Int(try input.u8())
    var objects: [CompositionObject] = []
    for _ in 0..<count { objects.append(try CompositionObject(parsing: &input)) }
    self.init(
      video: video, compositionNumber: number, state: state, isPaletteUpdateOnly: isUpdate,
      paletteID: paletteID, objects: objects)
  }
}

extension CompositionObject {
  /// Reads an object of a composition: 8 bytes, or 16 with a crop.
  package init(parsing input: inout ByteReader) throws(ReadFault) {
    let id = Int(try input.u16())
    let window = Int(try input.u8())
    let flags = try input.u8()
    self.init(
      objectID: id, windowID: window, isForced: flags & 0x40 != 0, x: Int(try input.u16()),
      y: Int(try input.u16()))
    if flags & 0x80 != 0 { crop = try PixelRect(parsing: &input) }
  }
}

extension PixelRect {
  /// Reads x, y, width and height, 2 bytes each.
  init(parsing input: inout ByteReader) throws(ReadFault) {
    self.init(
      x: Int(try input.u16()), y: Int(try input.u16()), width: Int(try input.u16()),
      height: Int(try input.u16()))
  }
}

extension WindowDefinitionSegment {
  /// Reads the windows.
  ///
  /// - Throws: `.truncated` if the windows counted do not fit.
  package init(parsing input: inout ByteReader) throws(ReadFault) {
    input.structure = "window definition segment"
    let count = Int(try input.u8())
    var windows: [Window] = []
    for _ in 0..<count {
      windows.append(Window(id: Int(try input.u8()), rect: try PixelRect(parsing: &input)))
    }
    self.init(windows: windows)
  }
}

extension PaletteDefinitionSegment {
  /// Reads a palette; it may have no entries.
  ///
  /// - Throws: `.truncated` if the last entry is cut.
  package init(parsing input: inout ByteReader) throws(ReadFault) {
    input.structure = "palette definition segment"
    let id = Int(try input.u8())
    let version = try input.u8()
    var entries: [(index: UInt8, entry: PaletteEntry)] = []
    entries.reserveCapacity(input.remaining / 5)
    let whole = input.remaining / 5 * 5
    let codes = try input.bytes(whole)
    for start in stride(from: 0, to: whole, by: 5) {
      let entry = PaletteEntry(
        luma: codes[start + 1], cr: codes[start + 2], cb: codes[start + 3], alpha: codes[start + 4])
      entries.append((codes[start], entry))
    }
    guard input.isAtEnd else {
      throw input.fault(.truncated(needed: 5, available: input.remaining))
    }
    self.init(id: id, version: version, entries: entries)
  }
}

/// ODS 0x15 as it stands in the stream: an object, or a part of one.
package struct ObjectDefinitionSegment: Sendable, Hashable {
  /// What only the first part has.
  package struct Head: Sendable, Hashable {
    /// Bytes of the whole object, counting the four of width and height; 24 bits.
    package var dataLength: Int
    /// Columns.
    package var width: Int
    /// Rows.
    package var height: Int

    /// Makes a head.
    package init(dataLength: Int, width: Int, height: Int) {
      self.dataLength = dataLength
      self.width = width
      self.height = height
    }
  }

  /// The object's number.
  package var id: Int
  /// Counts the definitions of this object within the epoch.
  package var version: UInt8
  /// The head; nil in all parts but the first.
  package var head: Head?
  /// Whether no further part follows.
  package var isLast: Bool
  /// Run-length coded pixels, or a part of them.
  package var data: [UInt8]

  /// Makes a segment's content.
  package init(id: Int, version: UInt8, head: Head?, isLast: Bool, data: [UInt8]) {
    self.id = id
    self.version = version
    self.head = head
    self.isLast = isLast
    self.data = data
  }

  /// Reads a part.
  ///
  /// - Throws: `.truncated` if the head is cut.
  package init(parsing input: inout ByteReader) throws(ReadFault) {
    input.structure = "object definition segment"
    id = Int(try input.u16())
    version = try input.u8()
    let flags = try input.u8()
    isLast = flags & 0x40 != 0
    if flags & 0x80 != 0 {
      head = Head(
        dataLength: Int(try input.u24()), width: Int(try input.u16()), height: Int(try input.u16()))
    }
    data = input.rest()
  }

  /// The segment's bytes.
  package func segment() throws(PGSWritingFault) -> PGSSegment {
    let name = "object definition segment"
    var writer = ByteWriter()
    writer.u16(try field(id, "object id", of: name, as: UInt16.self))
    writer.u8(version)
    writer.u8((head == nil ? 0 : 0x80) | (isLast ? 0x40 : 0))
    if let head {
      guard (0..<1 << 24).contains(head.dataLength) else {
        throw .outOfRange(
          structure: name, field: "data length", value: head.dataLength, range: 0...0xFF_FFFF)
      }
      writer.u24(UInt32(head.dataLength))
      writer.u16(try field(head.width, "width", of: name, as: UInt16.self))
      writer.u16(try field(head.height, "height", of: name, as: UInt16.self))
    }
    writer.bytes(data)
    return PGSSegment(type: .objectDefinition, payload: writer.bytes)
  }
}

/// A segment's meaning.
package enum PGSContent: Sendable, Hashable {
  /// PCS.
  case composition(PresentationCompositionSegment)
  /// WDS.
  case windows(WindowDefinitionSegment)
  /// PDS.
  case palette(PaletteDefinitionSegment)
  /// ODS.
  case object(ObjectDefinitionSegment)
  /// END.
  case end

  /// Reads a payload.
  package init(_ type: PGSSegmentType, parsing input: inout ByteReader) throws(ReadFault) {
    switch type {
    case .presentationComposition:
      self = .composition(try PresentationCompositionSegment(parsing: &input))
    case .windowDefinition: self = .windows(try WindowDefinitionSegment(parsing: &input))
    case .paletteDefinition: self = .palette(try PaletteDefinitionSegment(parsing: &input))
    case .objectDefinition: self = .object(try ObjectDefinitionSegment(parsing: &input))
    case .end: self = .end
    }
  }

  /// The segment's bytes.
  package func segment() throws(PGSWritingFault) -> PGSSegment {
    switch self {
    case .composition(let value): try value.segment()
    case .windows(let value): try value.segment()
    case .palette(let value): try value.segment()
    case .object(let value): try value.segment()
    case .end: PGSSegment(type: .end, payload: [])
    }
  }
}
