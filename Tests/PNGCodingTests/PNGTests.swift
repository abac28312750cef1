// SPDX-License-Identifier: Apache-2.0
import PNGCoding
import SubtitleModel
import Testing

/// A PNG file put together byte by byte, without libpng: stored deflate blocks, own checksums.
struct HandMadePNG {
  var chunks: [(name: String, data: [UInt8])] = []

  static func header(
    width: UInt32, height: UInt32, depth: UInt8, colorType: UInt8
  ) -> (name: String, data: [UInt8]) {
    ("IHDR", bigEndian(width) + bigEndian(height) + [depth, colorType, 0, 0, 0])
  }

  static func pixels(_ rows: [[UInt8]]) -> (name: String, data: [UInt8]) {
    let raw = rows.flatMap { row -> [UInt8] in [0] + row }
    let count = UInt16(raw.count)
    let block: [UInt8] = [
      0x01, UInt8(count & 0xFF), UInt8(count >> 8), UInt8(~count & 0xFF), UInt8(~count >> 8),
    ]
    var (a, b): (UInt32, UInt32) = (1, 0)
    for byte in raw {
      a = (a + UInt32(byte)) % 65521
      b = (b + a) % 65521
    }
    return ("IDAT", [0x78, 0x01] + block + raw + bigEndian(b << 16 | a))
  }

  static func bigEndian(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  private static func crc(_ bytes: [UInt8]) -> UInt32 {
    var register = UInt32.max
    for byte in bytes {
      register ^= UInt32(byte)
      for _ in 0..<8 { register = register & 1 == 1 ? 0xEDB8_8320 ^ register >> 1 : register >> 1 }
    }
    return ~register
  }

  var bytes: [UInt8] {
    chunks.reduce(into: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { file, chunk in
      let body = Array(chunk.name.utf8) + chunk.data
      file += Self.bigEndian(UInt32(chunk.data.count)) + body + Self.bigEndian(Self.crc(body))
    }
  }

  init(_ chunks: [(name: String, data: [UInt8])]) { self.chunks = chunks + [("IEND", [])] }
}

@Suite struct PNGReading {
  @Test func `grey samples come as they are, whatever gamma or profile the file names`() throws {
    for extra: (name: String, data: [UInt8])? in [
      nil, ("gAMA", HandMadePNG.bigEndian(100_000)), ("gAMA", HandMadePNG.bigEndian(45455)),
      ("sRGB", [0]),
    ] {
      let file = HandMadePNG(
        [HandMadePNG.header(width: 3, height: 1, depth: 8, colorType: 0)]
          + (extra.map { [$0] } ?? []) + [HandMadePNG.pixels([[0, 100, 255]])])
      let bitmap = try PNG.decodeRGBA(file.bytes)
      #expect(bitmap.bytes == [0, 0, 0, 255, 100, 100, 100, 255, 255, 255, 255, 255])
    }
  }

  @Test func `the alpha of an indexed file is read from its transparency chunk`() throws {
    let file = HandMadePNG([
      HandMadePNG.header(width: 4, height: 2, depth: 2, colorType: 3),
      ("PLTE", [1, 2, 3, 10, 20, 30, 40, 50, 60]), ("tRNS", [0, 128]),
      HandMadePNG.pixels([[0b0001_1000], [0b1010_0101]]),
    ])
    let bitmap = try PNG.decodeRGBA(file.bytes)
    let clear: [UInt8] = [1, 2, 3, 0]
    let half: [UInt8] = [10, 20, 30, 128]
    let full: [UInt8] = [40, 50, 60, 255]
    #expect(bitmap.width == 4 && bitmap.height == 2)
    #expect(bitmap.bytes == clear + half + full + clear + full + full + half + half)
  }

  @Test func `straight alpha stays straight`() throws {
    let file = HandMadePNG([
      HandMadePNG.header(width: 2, height: 1, depth: 8, colorType: 6),
      HandMadePNG.pixels([[200, 100, 50, 10, 7, 8, 9, 0]]),
    ])
    #expect(try PNG.decodeRGBA(file.bytes).bytes == [200, 100, 50, 10, 7, 8, 9, 0])
  }

  @Test func `samples of 16 bits are shortened without a change of gamma`() throws {
    let file = HandMadePNG([
      HandMadePNG.header(width: 3, height: 1, depth: 16, colorType: 0),
      HandMadePNG.pixels([[0x64, 0x64, 0x00, 0x00, 0xFF, 0xFF]]),
    ])
    let grey = try PNG.decodeRGBA(file.bytes).bytes
    #expect(grey == [100, 100, 100, 255, 0, 0, 0, 255, 255, 255, 255, 255])
  }

  @Test func `a hostile size is refused before anything is allocated`() {
    for (width, height): (UInt32, UInt32) in [(900_000, 900_000), (8193, 8192), (65536, 65536)] {
      let file = HandMadePNG([
        HandMadePNG.header(width: width, height: height, depth: 8, colorType: 6),
        HandMadePNG.pixels([[0]]),
      ])
      #expect(throws: PNGFault.self) { try PNG.decodeRGBA(file.bytes) }
    }
    let small = HandMadePNG([
      HandMadePNG.header(width: 3, height: 2, depth: 8, colorType: 0),
      HandMadePNG.pixels([[0, 0, 0], [0, 0, 0]]),
    ])
    #expect(throws: PNGFault.tooLarge(width: 3, height: 2, maximumPixels: 5)) {
      try PNG.decodeRGBA(small.bytes, maximumPixels: 5)
    }
    #expect(throws: Never.self) { try PNG.decodeRGBA(small.bytes, maximumPixels: 6) }
  }

  @Test func `every proper prefix is a fault or the whole picture`() throws {
    let bitmap = RGBABitmap(width: 5, height: 3, bytes: (0..<60).map { UInt8($0 * 4) })
    let file = try PNG.encode(bitmap)
    for count in 0..<file.count {
      do {
        #expect(try PNG.decodeRGBA(Array(file.prefix(count))) == bitmap)
      } catch {
        #expect(!error.description.isEmpty)
      }
    }
  }

  @Test func `mutated files never trap`() throws {
    let file = try PNG.encode(RGBABitmap(width: 9, height: 9, filledWith: .transparent))
    var seed: UInt64 = 0x5EED_0001
    for _ in 0..<2000 {
      var bytes = file
      for _ in 0..<3 {
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        bytes[Int(seed >> 33) % bytes.count] = UInt8(truncatingIfNeeded: seed >> 24)
      }
      _ = try? PNG.decodeRGBA(bytes, maximumPixels: 10_000)
    }
  }

  @Test func `what is no PNG is named so`() {
    #expect(throws: PNGFault.notPNG) { try PNG.decodeRGBA([]) }
    #expect(throws: PNGFault.notPNG) { try PNG.decodeRGBA(Array("GIF89a..".utf8)) }
  }
}

@Suite struct PNGWriting {
  @Test(arguments: [false, true])
  func `RGBA comes back as it went in`(isFast: Bool) throws {
    let bytes = (0..<(4 * 31 * 17)).map { UInt8(truncatingIfNeeded: $0 * 73 ^ $0 >> 3) }
    let bitmap = RGBABitmap(width: 31, height: 17, bytes: bytes)
    #expect(try PNG.decodeRGBA(PNG.encode(bitmap, isFast: isFast)) == bitmap)
  }

  @Test func `an indexed bitmap comes back in its palette's colours`() throws {
    let palette = Palette(
      colors: (0..<200).map {
        PaletteColor(red: UInt8($0), green: UInt8(255 - $0), blue: 7, alpha: UInt8($0 + 50))
      })
    let bitmap = IndexedBitmap(
      width: 50, height: 10, indices: (0..<500).map { UInt8($0 % 250) })
    let file = try PNG.encode(bitmap, palette: palette)
    #expect(file[25] == 3, "colour type 3 in the header")
    let expected = bitmap.indices.flatMap { index -> [UInt8] in
      index < 200 ? [index, 255 - index, 7, index + 50] : [0, 0, 0, 0]
    }
    #expect(try PNG.decodeRGBA(file).bytes == expected)
  }

  @Test func `noise that cannot be compressed fits`() throws {
    var seed: UInt64 = 0x5EED_0002
    let bytes = (0..<(4 * 300 * 200)).map { _ -> UInt8 in
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: seed >> 40)
    }
    let bitmap = RGBABitmap(width: 300, height: 200, bytes: bytes)
    #expect(try PNG.decodeRGBA(PNG.encode(bitmap)) == bitmap)
  }

  @Test func `an empty bitmap is refused`() {
    #expect(throws: PNGFault.unencodable(width: 0, height: 4)) {
      try PNG.encode(RGBABitmap(width: 0, height: 4, bytes: []))
    }
    #expect(throws: PNGFault.unencodable(width: 3, height: 0)) {
      try PNG.encode(
        IndexedBitmap(width: 3, height: 0, indices: []), palette: Palette(colors: []))
    }
  }
}
