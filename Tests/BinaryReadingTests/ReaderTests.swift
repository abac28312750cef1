// SPDX-License-Identifier: Apache-2.0
import BinaryReading
import Testing

@Suite struct ReaderTests {
  @Test func `numbers are read big-endian in order`() throws {
    var reader = ByteReader([
      0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0A, 0x0B, 0x0C,
    ])
    #expect(try reader.u8() == 0x01)
    #expect(try reader.u16() == 0x0203)
    #expect(try reader.u24() == 0x04_0506)
    #expect(try reader.u32() == 0x0708_090A)
    #expect(try reader.u16LittleEndian() == 0x0C0B)
    #expect(reader.isAtEnd)
  }

  @Test func `a number of eight bytes uses all bits`() throws {
    var reader = ByteReader([UInt8](repeating: 0xFF, count: 8))
    #expect(try reader.unsigned(8) == .max)
    var empty = ByteReader([])
    #expect(try empty.unsigned(0) == 0)
    #expect(throws: ReadFault.self) { try empty.unsigned(9) }
  }

  @Test func `a failed read names the absolute offset and moves nothing`() throws {
    var reader = ByteReader([1, 2, 3], base: 1000, structure: "test structure")
    try reader.skip(1)
    let fault = #expect(throws: ReadFault.self) { try reader.u32() }
    #expect(fault?.offset == 1001)
    #expect(fault?.kind == .truncated(needed: 4, available: 2))
    #expect(
      fault.map(\.description) == "test structure at byte 1001: needs 4 bytes, 2 are left")
    #expect(reader.position == 1001)
    #expect(try reader.u16() == 0x0203)
  }

  @Test func `a slice keeps absolute offsets and its own end`() throws {
    var reader = ByteReader([1, 2, 3, 4, 5], base: 10)
    try reader.skip(1)
    var slice = try reader.slice(2, structure: "inner")
    #expect(slice.position == 11)
    #expect(try slice.u16() == 0x0203)
    let fault = #expect(throws: ReadFault.self) { try slice.u8() }
    #expect(fault == ReadFault(.truncated(needed: 1, available: 0), offset: 13, structure: "inner"))
    #expect(reader.position == 13)
    #expect(reader.rest() == [4, 5])
    #expect(reader.peek() == nil)
  }

  @Test func `the distance to a value ends at the window`() throws {
    var reader = ByteReader([9, 1, 2, 3, 9])
    #expect(reader.distance(to: 9) == 0)
    #expect(reader.distance(to: 3) == 3)
    try reader.skip(1)
    #expect(reader.distance(to: 9) == 3)
    #expect(try reader.slice(2).distance(to: 9) == 2)
    _ = reader.rest()
    #expect(reader.distance(to: 9) == 0)
  }

  @Test func `negative and huge lengths are faults`() {
    var reader = ByteReader([1, 2])
    #expect(throws: ReadFault.self) { try reader.skip(-1) }
    #expect(throws: ReadFault.self) { try reader.bytes(Int.max) }
    #expect(throws: ReadFault.self) { try reader.slice(Int.min) }
    #expect(reader.remaining == 2)
  }

  @Test func `bits are read from the most significant on`() throws {
    // 1010_0101 1100_0011 1111_0000
    var reader = BitReader([0xA5, 0xC3, 0xF0], base: 7)
    #expect(try reader.bits(3) == 0b101)
    #expect(try reader.flag() == false)
    #expect(try reader.bits(10) == 0b01_0111_0000)
    #expect(reader.position == 8)
    reader.align()
    #expect(reader.isAligned)
    #expect(try reader.bits(8) == 0xF0)
    let fault = #expect(throws: ReadFault.self) { try reader.bits(1) }
    #expect(fault?.offset == 10)
    #expect(reader.remainingBits == 0)
  }

  @Test func `thirty-two bits across five bytes are one number`() throws {
    var reader = BitReader([0x01, 0x23, 0x45, 0x67, 0x89])
    try reader.skip(4)
    #expect(try reader.bits(32) == 0x1234_5678)
    #expect(throws: ReadFault.self) { try reader.bits(33) }
    #expect(throws: ReadFault.self) { try reader.skip(5) }
    #expect(try reader.bits(4) == 9)
  }

  @Test func `written numbers have the bytes of the format`() {
    var writer = ByteWriter()
    writer.u8(1)
    writer.u16(0x0203)
    writer.u24(0x04_0506)
    writer.u32(0x0708_090A)
    writer.u16LittleEndian(0x0C0B)
    writer.u32LittleEndian(0x100F_0E0D)
    writer.u64(0x1112_1314_1516_1718)
    writer.bytes([0x19])
    writer.fill(0x1A, count: 2)
    #expect(writer.bytes == Array(1...0x19) + [0x1A, 0x1A])
    writer.patchU16(0xFFFE, at: 1)
    writer.patchU32(0xFDFC_FBFA, at: 6)
    #expect(writer.bytes[1...2] == [0xFF, 0xFE])
    #expect(writer.bytes[6...9] == [0xFD, 0xFC, 0xFB, 0xFA])
  }

  @Test func `bits ahead are those that reading gives, with zeros behind the end`() throws {
    var reader = BitReader([0xA5, 0x0F, 0xFF, 0x80, 0x01, 0x23, 0x45, 0x67, 0x89])
    #expect(reader.ahead() == 0xA50F_FF80_0123_4567)
    try reader.skip(4)
    // The ninth byte fills the half that is left.
    #expect(reader.ahead() == 0x50FF_F800_1234_5678)
    try reader.skip(61)
    #expect(reader.ahead() == 0x1200_0000_0000_0000)
    try reader.skip(7)
    #expect(reader.ahead() == 0)
  }
}
