// SPDX-License-Identifier: Apache-2.0
import BinaryReading
import SubtitleFormats
import SubtitleModel
import Testing
import TraitSuite

@Suite struct Dumps {
  private func lines(_ codec: SubtitleCodec, _ packet: TrackPacket) -> [String] {
    codec.dump(packet).map(\.text)
  }

  @Test func `a display set is one line a segment`() throws {
    var packet = try TestSet.block(1).packet()
    packet.offset = 100
    #expect(
      lines(.pgs, packet) == [
        "00:00:01.000 @100 presentation composition segment canvas=16x8 frameRate=1 "
          + "compositionNumber=0 state=epochStart isPaletteUpdateOnly=no paletteID=0 "
          + "objects=[{objectID=0 windowID=0 isForced=no x=2 y=1}]",
        "00:00:01.000 @122 window definition segment "
          + "windows=[{id=0 rect={x=0 y=0 width=16 height=8}}]",
        "00:00:01.000 @135 palette definition segment id=0 version=0 "
          + "entries=[[1 235 128 128 255] [2 16 128 128 255] [3 81 240 90 255]]",
        "00:00:01.000 @155 object definition segment id=0 version=0 isFirst=yes isLast=yes "
          + "dataLength=14 width=4 height=2 bytes=10",
        "00:00:01.000 @179 end segment",
      ])
    packet.bytes.removeLast()
    let last = SubtitleCodec.pgs.dump(packet).last
    #expect(last?.fault?.offset == 180, "the size's first byte, \(String(describing: last))")
  }

  @Test func `the other codings are dumped too`() throws {
    let unit = SubpictureUnit(
      IndexedBitmap(["11"]),
      .init(x: 2, y: 1, colors: PixelCodes([0, 1, 2, 3]), contrasts: PixelCodes([0, 15, 15, 15])),
      stop: 9)
    #expect(
      lines(.vobsub, TrackPacket(time: nil, bytes: try unit.bytes())) == [
        "@0 sub-picture unit size=35 pixelBytes=1 sequences=[{date=0 commands=["
          + "SET_COLOR 0,1,2,3 SET_CONTR 0,15,15,15 SET_DAREA 2-3,1-1 SET_DSPXA 4,5 STA_DSP]} "
          + "{date=9 commands=[STP_DSP]}]"
      ])
    let set = DVBTraitList.clear(1)
    #expect(
      lines(.dvb, TrackPacket(time: nil, bytes: try set.dataField())) == [
        "@2 display definition segment pageID=1 version=0 canvas=16x8",
        "@13 page composition segment pageID=1 timeOut=15 version=0 state=normal regions=[]",
        "@21 end of display set segment pageID=1",
      ])
    let packet = try XSUBTraitList.packet(1000, 3000).bytes()
    #expect(
      lines(.xsub, TrackPacket(time: nil, bytes: packet)).first?.hasPrefix(
        "@0 XSUB packet start=00:00:01.000 end=00:00:03.000 rect={x=2 y=1 width=4 height=3}")
        == true)
  }

  @Test func `findings are one line each`() throws {
    var decoder = try #require(SubtitleCodec.pgs.nativeDecoder(DecoderSetup()))
    var set = TestSet.block(1)
    set.objects = []
    var packet = try set.packet()
    packet.offset = 77
    _ = try decoder.events(of: [packet])
    #expect(
      decoder.log.findings.map(\.description) == [
        "error [pgs.object-undefined] at 00:00:01.000, byte 77: object 0 is not defined in this epoch "
          + "and is not shown"
      ])
  }

  @Test(arguments: [
    ([235, 128, 16], PGSPaletteSurvey.Kind.limited), ([255, 0], .full), ([143, 16], .pq),
    ([160, 60], .pq), ([60], .unknown), ([180], .limited),
  ])
  func `palettes tell what they were made for`(lumas: [UInt8], kind: PGSPaletteSurvey.Kind) {
    var survey = PGSPaletteSurvey()
    survey.add(
      PaletteDefinitionSegment(
        id: 0, version: 0,
        entries: lumas.enumerated().map {
          (UInt8($0), PaletteEntry(luma: $1, cr: 128, cb: 128, alpha: 255))
        }))
    #expect(survey.kind == kind)
    #expect(PGSPaletteSurvey().kind == .unknown)
  }
}
