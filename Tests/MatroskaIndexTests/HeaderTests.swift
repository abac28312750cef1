// SPDX-License-Identifier: Apache-2.0
import BinaryReading
import MatroskaIndex
import SubtitleModel
import Testing

@Suite struct HeaderTests {
  @Test func `a track's fields are read`() throws {
    let extra =
      Element.text(0x536E, "Signs") + Element.text(0x22B59C, "por")
      + Element.text(0x22B59D, "pt-BR") + Element.number(0x88, 0) + Element.number(0x55AA, 1)
      + Element.number(0x55AB, 1) + Element.number(0x55AE, 0) + Element.data(0x63A2, [1, 2, 3])
      + Element.number(0x23E383, 41_708_333)
    let bytes = Element.file([
      Element.info(),
      Element.tracks([
        Element.track(1, type: 1, codec: "V_MPEGH/ISO/HEVC", extra: Self.video),
        // Neither a known kind nor named: FFmpeg makes no streams of these.
        Element.track(2, type: 0x20, codec: "X"), Element.track(3, type: 2, codec: ""),
        Element.track(4, type: 0x11, codec: "S_VOBSUB", extra: extra),
        Element.track(5, type: 0x11, codec: "S_TEXT/UTF8"),
      ]),
    ])
    let file = try MatroskaFile(BytesInMemory(bytes))
    #expect(file.faults.isEmpty)
    #expect(file.tracks.map(\.number) == [1, 4, 5])
    #expect(file.tracks.map(\.streamIndex) == [0, 1, 2])
    #expect(file.tracks.map(\.codecName) == ["hevc", "dvd_subtitle", "subrip"])
    let video = try #require(file.tracks.first)
    #expect(video.pixelWidth == 720)
    #expect(video.sampleAspect?.numerator == 64)
    #expect(video.sampleAspect?.denominator == 45)
    #expect(video.matrixCoefficients == 9)
    let track = file.tracks[1]
    #expect(track.name == "Signs")
    #expect(track.language == "por")
    #expect(track.languageTag == "pt-BR")
    #expect(track.flags == [.forced, .hearingImpaired, .dub])
    #expect(track.codecPrivate == [1, 2, 3])
    #expect(track.defaultDuration == 41_708_333)
    #expect(track.subtitleCodec == .vobsub)
    #expect(file.tracks[2].language == "eng")
    #expect(file.tracks[2].flags == .default)
    #expect(file.tracks[2].subtitleCodec == .text)
  }

  /// 720 by 576 shown as 1024 by 576: samples of 64 to 45.
  static let video = Element.data(
    0xE0,
    Element.number(0xB0, 720) + Element.number(0xBA, 576) + Element.number(0x54B0, 1024)
      + Element.number(0x54BA, 576) + Element.data(0x55B0, Element.number(0x55B1, 9)))

  static func packed(algorithm: UInt64, scope: UInt64, settings: [UInt8] = []) -> [UInt8] {
    Element.data(
      0x6D80,
      Element.data(
        0x6240,
        Element.number(0x5032, scope)
          + Element.data(
            0x5034, Element.number(0x4254, algorithm) + Element.data(0x4255, settings))))
  }

  static func packedFile(_ encoding: [UInt8], _ privateData: [UInt8], _ payload: [UInt8]) -> [UInt8]
  {
    Element.file([
      Element.info(),
      Element.tracks([
        Element.track(
          2, type: 0x11, codec: "S_VOBSUB", extra: encoding + Element.data(0x63A2, privateData))
      ]), Element.cluster(0, [Element.simple(2, 0, payload)]),
    ])
  }

  @Test func `stripped headers are put back, in blocks and private data as the scope says`() throws
  {
    let both = Self.packedFile(Self.packed(algorithm: 3, scope: 3, settings: [7, 8]), [1], [2, 3])
    let file = try MatroskaFile(BytesInMemory(both))
    #expect(file.tracks.first?.codecPrivate == [7, 8, 1])
    #expect(try visited(both).payloads == [[7, 8, 2, 3]])
    let blocksOnly = Self.packedFile(Self.packed(algorithm: 3, scope: 1, settings: [7]), [1], [2])
    #expect(try MatroskaFile(BytesInMemory(blocksOnly)).tracks.first?.codecPrivate == [1])
  }

  @Test func `zlib is unpacked in blocks and in private data`() throws {
    let packed = InflateTests.fixed
    let bytes = Self.packedFile(Self.packed(algorithm: 0, scope: 3), packed, packed)
    let plain = Array(InflateTests.text.utf8)
    #expect(try MatroskaFile(BytesInMemory(bytes)).tracks.first?.codecPrivate == plain)
    #expect(try visited(bytes).payloads == [plain])
  }

  @Test func `encryption and other compressions ask for a decoder`() throws {
    let bytes = Self.packedFile(Self.packed(algorithm: 2, scope: 1), [], [1])
    let fault = #expect(throws: MatroskaFault.self) { try visited(bytes) }
    #expect(
      fault.map(\.description)
        == "memory: the track is compressed with LZO; decode the track instead")
  }

  @Test(
    arguments: [[], [0], [0x1A, 0x45, 0xDF, 0xA3], Array("RIFF....AVI LIST".utf8)] as [[UInt8]])
  func `other files are not Matroska`(bytes: [UInt8]) {
    let fault = #expect(throws: MatroskaFault.self) { try MatroskaFile(BytesInMemory(bytes)) }
    #expect(fault?.kind == .notMatroska)
  }

  @Test func `tracks behind the clusters are found by the seek head, or by passing the clusters`()
    throws
  {
    let cluster = Element.cluster(0, [Element.simple(2, 0, [1])])
    let bytes = Element.file([Element.info(), cluster, Element.twoTracks])
    #expect(try visited(bytes).payloads == [[1]])
    let seek = Element.data(
      0x114D_9B74,
      Element.data(
        0x4DBB,
        Element.data(0x53AB, [0x16, 0x54, 0xAE, 0x6B])
          + Element.data(0x53AC, [UInt8(5 + 14 + cluster.count)])))
    #expect(seek.count == 19)
    #expect(try visited(Element.file([seek, cluster, Element.twoTracks])).payloads == [[1]])
  }
}
