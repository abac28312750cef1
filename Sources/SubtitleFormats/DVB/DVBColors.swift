// SPDX-License-Identifier: Apache-2.0
package import BinaryReading

/// CLUT definition segment (7.2.4).
package struct CLUTDefinitionSegment: Sendable, Hashable {
  /// One colour.
  package struct Entry: Sendable, Hashable {
    /// The pixel code.
    package var id: UInt8
    /// The CLUTs of the family that it is set in.
    package var depths: PixelDepths
    /// Whether the components have 8 bits; else 6, 4, 4 and 2.
    package var isFullRange = true
    /// Y'; 0 is transparent whatever the rest says.
    package var luma: UInt8
    /// Cr.
    package var cr: UInt8
    /// Cb.
    package var cb: UInt8
    /// Transparency: 0 is opaque.
    package var transparency: UInt8

    /// Makes a colour of components of 8 bits.
    package init(
      id: UInt8, depths: PixelDepths, luma: UInt8, cr: UInt8, cb: UInt8, transparency: UInt8
    ) {
      self.id = id
      self.depths = depths
      self.luma = luma
      self.cr = cr
      self.cb = cb
      self.transparency = transparency
    }
  }

  /// The family.
  package var id: Int
  /// Counts the definitions, 4 bits.
  package var version: Int
  /// The colours sent; others stay.
  package var entries: [Entry]

  /// Makes a definition.
  package init(id: Int, version: Int = 0, entries: [Entry]) {
    self.id = id
    self.version = version
    self.entries = entries
  }

  /// Reads a definition.
  ///
  /// Components of fewer bits are moved to the top of 8.
  package init(parsing input: inout ByteReader) throws(ReadFault) {
    input.structure = "CLUT definition segment"
    id = Int(try input.u8())
    version = Int(try input.u8() >> 4)
    entries = []
    while !input.isAtEnd {
      let index = try input.u8()
      let flags = try input.u8()
      var depths: PixelDepths = []
      if flags & 0x80 != 0 { depths.insert(.two) }
      if flags & 0x40 != 0 { depths.insert(.four) }
      if flags & 0x20 != 0 { depths.insert(.eight) }
      var entry = Entry(id: index, depths: depths, luma: 0, cr: 0, cb: 0, transparency: 0)
      entry.isFullRange = flags & 1 != 0
      if entry.isFullRange {
        entry.luma = try input.u8()
        entry.cr = try input.u8()
        entry.cb = try input.u8()
        entry.transparency = try input.u8()
      } else {
        let bits = try input.u16()
        entry.luma = UInt8(bits >> 10) << 2
        entry.cr = UInt8(bits >> 6 & 15) << 4
        entry.cb = UInt8(bits >> 2 & 15) << 4
        entry.transparency = UInt8(bits & 3) << 6
      }
      entries.append(entry)
    }
  }

  /// The payload.
  package func payload() throws(PGSWritingFault) -> [UInt8] {
    var writer = ByteWriter()
    writer.u8(try field(id, "CLUT id", of: "CLUT definition segment", as: UInt8.self))
    writer.u8(UInt8(version & 15) << 4 | 15)
    for entry in entries {
      writer.u8(entry.id)
      var flags: UInt8 = 0x1E | (entry.isFullRange ? 1 : 0)
      if entry.depths.contains(.two) { flags |= 0x80 }
      if entry.depths.contains(.four) { flags |= 0x40 }
      if entry.depths.contains(.eight) { flags |= 0x20 }
      writer.u8(flags)
      if entry.isFullRange {
        writer.bytes([entry.luma, entry.cr, entry.cb, entry.transparency])
      } else {
        writer.u16(
          UInt16(entry.luma >> 2) << 10 | UInt16(entry.cr >> 4) << 6 | UInt16(entry.cb >> 4) << 2
            | UInt16(entry.transparency >> 6))
      }
    }
    return writer.bytes
  }
}
