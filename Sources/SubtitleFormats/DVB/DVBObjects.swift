// SPDX-License-Identifier: Apache-2.0
package import BinaryReading
package import SubtitleModel

/// Object data segment (7.2.5).
package struct ObjectDataSegment: Sendable, Hashable {
  /// How the object is coded.
  package enum Content: Sendable, Hashable {
    /// 0: pixels, the top field's sub-blocks and the bottom field's; an empty bottom repeats the top.
    case pixels(top: [UInt8], bottom: [UInt8])
    /// 1: character codes.
    case characters([UInt16])
    /// 2: progressive pixels, compressed by zlib; and reserved codes.
    case other(method: UInt8, data: [UInt8])
  }

  /// The object, within its page.
  package var id: Int
  /// Counts the definitions of the object, 4 bits.
  package var version: Int
  /// Whether pixel code 1 leaves what is under it as it is.
  package var hasNonModifyingColor: Bool
  /// The pixels or characters.
  package var content: Content

  /// Makes a segment's content.
  package init(
    id: Int, version: Int = 0, hasNonModifyingColor: Bool = false, content: Content
  ) {
    self.id = id
    self.version = version
    self.hasNonModifyingColor = hasNonModifyingColor
    self.content = content
  }

  /// Reads an object.
  package init(parsing input: inout ByteReader) throws(ReadFault) {
    input.structure = "object data segment"
    id = Int(try input.u16())
    let flags = try input.u8()
    version = Int(flags >> 4)
    hasNonModifyingColor = flags & 2 != 0
    switch flags >> 2 & 3 {
    case 0:
      let (top, bottom) = (Int(try input.u16()), Int(try input.u16()))
      content = .pixels(top: try input.bytes(top), bottom: try input.bytes(bottom))
      // A byte of stuffing makes the length even.
      if input.peek() == 0 { try input.skip(1) }
    case 1:
      let count = Int(try input.u8())
      var codes: [UInt16] = []
      for _ in 0..<count { codes.append(try input.u16()) }
      content = .characters(codes)
    default: content = .other(method: flags >> 2 & 3, data: input.rest())
    }
  }

  /// The payload.
  package func payload() throws(PGSWritingFault) -> [UInt8] {
    let name = "object data segment"
    var writer = ByteWriter()
    writer.u16(try field(id, "object id", of: name, as: UInt16.self))
    let low: UInt8 = (hasNonModifyingColor ? 2 : 0) | 1
    let high = UInt8(version & 15) << 4
    switch content {
    case .pixels(let top, let bottom):
      writer.u8(high | low)
      writer.u16(try field(top.count, "top field", of: name, as: UInt16.self))
      writer.u16(try field(bottom.count, "bottom field", of: name, as: UInt16.self))
      writer.bytes(top)
      writer.bytes(bottom)
      if (top.count + bottom.count) % 2 == 0 { writer.u8(0) }
    case .characters(let codes):
      writer.u8(high | 1 << 2 | low)
      writer.u8(try field(codes.count, "count of characters", of: name, as: UInt8.self))
      for code in codes { writer.u16(code) }
    case .other(let method, let data):
      writer.u8(high | (method & 3) << 2 | low)
      writer.bytes(data)
    }
    return writer.bytes
  }
}

/// Codes pixels as sub-blocks (7.2.5.1).
package enum DVBPixelWriter {
  /// How a string of 8 bits ends.
  package enum EndOfString: Sendable {
    /// Two bytes of zero, as 7.2.5.2.3 has it.
    case twoBytes
    /// One byte of zero, as some encoders write it behind lines that fill their object.
    case oneByte
    /// None at all.
    case none
  }

  /// Codes both fields of a bitmap.
  ///
  /// - Parameters:
  ///   - bitmap: The pixels; codes past the depth are cut to it.
  ///   - depth: Bits of the strings.
  ///   - endOfString: How strings end.
  /// - Returns: The sub-blocks of the even lines and of the odd ones, each line closed.
  package static func fields(
    _ bitmap: IndexedBitmap, depth: PixelDepth, endOfString: EndOfString = .twoBytes
  ) -> (top: [UInt8], bottom: [UInt8]) {
    var fields: [[UInt8]] = [[], []]
    for row in 0..<bitmap.height {
      let line = bitmap.indices[row * bitmap.width..<(row + 1) * bitmap.width]
      fields[row % 2] += string(line, depth: depth, endOfString: endOfString) + [0xF0]
    }
    // An empty bottom field would repeat the top one.
    if fields[1].isEmpty { fields[1] = [0xF0] }
    return (fields[0], fields[1])
  }

  /// Codes one string with the byte of its type.
  package static func string(
    _ line: ArraySlice<UInt8>, depth: PixelDepth, endOfString: EndOfString = .twoBytes
  ) -> [UInt8] {
    var bits = BitSink()
    var position = line.startIndex
    while position < line.endIndex {
      let code = line[position] & depth.mask
      var end = position + 1
      while end < line.endIndex, line[end] & depth.mask == code { end += 1 }
      let written: Int
      switch depth {
      case .two: written = bits.two(code, end - position)
      case .four: written = bits.four(code, end - position)
      case .eight: written = bits.eight(code, end - position)
      }
      position += written
    }
    if endOfString != .none {
      switch depth {
      case .two: bits.put(0, 6)
      case .four: bits.put(0, 8)
      case .eight: bits.put(0, endOfString == .oneByte ? 8 : 16)
      }
    }
    let type: UInt8 = depth == .two ? 0x10 : depth == .four ? 0x11 : 0x12
    return [type] + bits.aligned()
  }

  /// Collects bits, most significant first.
  private struct BitSink {
    private var bytes: [UInt8] = []
    private var count = 0

    mutating func put(_ value: Int, _ width: Int) {
      for place in stride(from: width - 1, through: 0, by: -1) {
        if count % 8 == 0 { bytes.append(0) }
        if value >> place & 1 == 1 { bytes[bytes.count - 1] |= 0x80 >> UInt8(count % 8) }
        count += 1
      }
    }

    func aligned() -> [UInt8] { bytes }

    /// Writes a run or its beginning (7.2.5.2.1); the pixels written.
    mutating func two(_ code: UInt8, _ run: Int) -> Int {
      if run >= 29 {
        let taken = min(run, 284)
        put(0b0000_11, 6)
        put(taken - 29, 8)
        put(Int(code), 2)
        return taken
      }
      if run >= 12, run <= 27 {
        put(0b0000_10, 6)
        put(run - 12, 4)
        put(Int(code), 2)
        return run
      }
      if run >= 3 {
        let taken = min(run, 10)
        put(0b001, 3)
        put(taken - 3, 3)
        put(Int(code), 2)
        return taken
      }
      if code == 0 {
        put(run == 2 ? 0b0000_01 : 0b0001, run == 2 ? 6 : 4)
        return run
      }
      put(Int(code), 2)
      return 1
    }

    /// Writes a run or its beginning (7.2.5.2.2); the pixels written.
    mutating func four(_ code: UInt8, _ run: Int) -> Int {
      if run >= 25 {
        let taken = min(run, 280)
        put(0b0000_1111, 8)
        put(taken - 25, 8)
        put(Int(code), 4)
        return taken
      }
      if run >= 9 {
        put(0b0000_1110, 8)
        put(run - 9, 4)
        put(Int(code), 4)
        return run
      }
      if code == 0, run >= 3 {
        put(0, 5)
        put(run - 2, 3)
        return run
      }
      if run >= 4 {
        let taken = min(run, 7)
        put(0b0000_10, 6)
        put(taken - 4, 2)
        put(Int(code), 4)
        return taken
      }
      if code == 0 {
        put(run == 2 ? 0b0000_1101 : 0b0000_1100, 8)
        return run
      }
      put(Int(code), 4)
      return 1
    }

    /// Writes a run or its beginning (7.2.5.2.3); the pixels written.
    mutating func eight(_ code: UInt8, _ run: Int) -> Int {
      let taken = min(run, 127)
      if code == 0 {
        put(taken, 16)
        return taken
      }
      if run >= 3 {
        put(0x80 | taken, 16)
        put(Int(code), 8)
        return taken
      }
      put(Int(code), 8)
      return 1
    }
  }
}

/// A segment's meaning.
package enum DVBContent: Sendable, Hashable {
  /// Page composition.
  case page(PageCompositionSegment)
  /// Region composition.
  case region(RegionCompositionSegment)
  /// CLUT definition.
  case clut(CLUTDefinitionSegment)
  /// Object data.
  case object(ObjectDataSegment)
  /// Display definition.
  case display(DisplayDefinitionSegment)
  /// End of display set.
  case end
  /// What is not drawn.
  case other(DVBSegment.Kind, [UInt8])

  /// Reads a payload.
  package init(_ kind: DVBSegment.Kind, parsing input: inout ByteReader) throws(ReadFault) {
    switch kind {
    case .pageComposition: self = .page(try PageCompositionSegment(parsing: &input))
    case .regionComposition: self = .region(try RegionCompositionSegment(parsing: &input))
    case .clutDefinition: self = .clut(try CLUTDefinitionSegment(parsing: &input))
    case .objectData: self = .object(try ObjectDataSegment(parsing: &input))
    case .displayDefinition: self = .display(try DisplayDefinitionSegment(parsing: &input))
    case .endOfDisplaySet: self = .end
    case .disparitySignalling, .alternativeCLUT, .stuffing: self = .other(kind, input.rest())
    }
  }

  /// The segment of a page.
  package func segment(pageID: Int) throws(PGSWritingFault) -> DVBSegment {
    switch self {
    case .page(let value):
      DVBSegment(.pageComposition, pageID: pageID, payload: try value.payload())
    case .region(let value):
      DVBSegment(.regionComposition, pageID: pageID, payload: try value.payload())
    case .clut(let value):
      DVBSegment(.clutDefinition, pageID: pageID, payload: try value.payload())
    case .object(let value): DVBSegment(.objectData, pageID: pageID, payload: try value.payload())
    case .display(let value):
      DVBSegment(.displayDefinition, pageID: pageID, payload: try value.payload())
    case .end: DVBSegment(.endOfDisplaySet, pageID: pageID, payload: [])
    case .other(let kind, let payload): DVBSegment(kind, pageID: pageID, payload: payload)
    }
  }
}
