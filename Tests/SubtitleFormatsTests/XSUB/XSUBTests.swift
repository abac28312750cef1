// SPDX-License-Identifier: Apache-2.0
import BinaryReading
import SubtitleFormats
import SubtitleModel
import Testing
import TraitSuite

@Suite struct XSUBTraits {
  @Test(arguments: try XSUBTraitList.all)
  func `is drawn as the stream says`(trait: StreamTrait) throws { try trait.checkLinear() }

  @Test(arguments: try XSUBTraitList.all)
  func `is the same picture at every time by random access`(trait: StreamTrait) throws {
    try trait.checkRandomAccess()
  }

  @Test(arguments: try XSUBTraitList.all)
  func `survives damage anywhere`(trait: StreamTrait) { trait.torture() }

  @Test(arguments: [false, true])
  func `a packet has these bytes, and is read back`(hasAlpha: Bool) throws {
    let packet = XSUBPacket(
      IndexedBitmap(["12"]), x: 0x102, y: 3, start: 3_723_004, end: 3_724_050,
      colors: XSUBTraitList.colors,
      hasAlpha: hasAlpha)
    let bytes = try packet.bytes()
    let alpha: [UInt8] = hasAlpha ? [0, 255, 128, 255] : []
    #expect(
      bytes == Array("[01:02:03.004-01:02:04.050]".utf8) + [
        2, 0, 1, 0, 2, 1, 3, 0, 3, 1, 3, 0, 1, 0,
        9, 9, 9, 255, 255, 255, 255, 0, 0, 0, 0, 255,
      ] + alpha + [0x56])
    var input = ByteReader(bytes)
    let read = try XSUBPacket(parsing: &input, hasAlpha: hasAlpha)
    #expect(try read.bytes() == bytes)
    if hasAlpha { #expect(read == packet) }
    for length in 0..<bytes.count - 1 {
      var cut = ByteReader(Array(bytes.prefix(length)), base: 9)
      #expect {
        try XSUBPacket(parsing: &cut, hasAlpha: hasAlpha)
      } throws: { error in
        (error as? ReadFault).map { (9...9 + Int64(length)).contains($0.offset) } ?? false
      }
    }
  }
}
