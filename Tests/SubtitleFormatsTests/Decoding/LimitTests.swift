// SPDX-License-Identifier: Apache-2.0
import BinaryReading
import SubtitleModel
import Testing
import TraitSuite

@testable import SubtitleFormats

/// What hostile streams make decoders hold, counted.
@Suite("Limits of memory") struct LimitTests {
  private func pixels(_ events: [SubtitleEvent]) -> Int {
    events.reduce(0) { sum, event in
      event.objects.reduce(sum) { $0 + $1.object.bitmap.indices.count }
    }
  }

  private func rules(_ log: FindingLog) -> Set<String> { Set(log.counts.keys.map(\.code)) }

  // MARK: PGS

  private func segment(_ type: UInt8, _ payload: [UInt8]) -> [UInt8] {
    [type, UInt8(payload.count >> 8), UInt8(payload.count & 255)] + payload
  }

  private func bytes(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 255), UInt8(value & 255)] }

  /// A composition on 4096x4096 that shows object 0 as often as asked.
  private func composition(_ ids: [Int], state: UInt8 = 0x80) -> [UInt8] {
    segment(
      0x16,
      bytes(4096) + bytes(4096) + [0x10, 0, 0, state, 0, 0, UInt8(ids.count)]
        + ids.flatMap { bytes($0) + [0, 0] + bytes(0) + bytes(0) })
  }

  /// An object without a row of its own, and so without colours but index 0.
  private func object(_ id: Int, width: Int, height: Int, data: [UInt8]) -> [UInt8] {
    segment(
      0x15,
      bytes(id) + [0, 0xC0, 0] + bytes(data.count + 4) + bytes(width) + bytes(height) + data)
  }

  /// Index 0 is white.
  private var palette: [UInt8] { segment(0x14, [0, 0, 0, 235, 128, 128, 255]) }

  private func window(width: Int, height: Int) -> [UInt8] {
    segment(0x17, [1, 0] + bytes(0) + bytes(0) + bytes(width) + bytes(height))
  }

  private func packet(_ bytes: [UInt8], second: Int64 = 1) -> TrackPacket {
    TrackPacket(time: Timestamp(milliseconds: second * 1000), bytes: bytes)
  }

  @Test("PGS: coded objects of an epoch, in number and bytes") func codedObjects() throws {
    var decoder = PGSDecoder()
    _ = try decoder.decode(packet(composition([])))
    let data = [UInt8](repeating: 0, count: 65_000)
    for id in 0..<1100 {
      _ = try decoder.decode(packet(object(id, width: 64, height: 64, data: data)))
    }
    #expect(decoder.epoch.objects.count == PGSDecoder.objectLimit)
    #expect(rules(decoder.log).contains("pgs.epoch-objects"))
    // The same number again and again, in parts without an end: 80 MB.
    _ = try decoder.decode(
      packet(segment(0x15, bytes(7) + [0, 0x80, 0xFF, 0xFF, 0xFF] + bytes(64) + bytes(64))))
    let part = segment(0x15, bytes(7) + [0, 0] + data)
    for _ in 0..<1250 {
      _ = try decoder.decode(packet(part))
      #expect(decoder.heldBytes <= PGSDecoder.codedByteLimit + PGSSegment.maximumPayload)
    }
    #expect(rules(decoder.log).contains("pgs.object-size"))
  }

  @Test("PGS: decoded objects of two epochs") func decodedObjects() throws {
    var decoder = PGSDecoder()
    for second in 1...2 {
      var bytes = composition([0]) + palette + window(width: 8, height: 8)
      for id in 0..<6 { bytes += object(id, width: 4096, height: 4096, data: []) }
      _ = try decoder.decode(packet(bytes + segment(0x80, []), second: Int64(second)))
      for id in 1..<6 {
        _ = try decoder.decode(
          packet(composition([id], state: 0) + segment(0x80, []), second: Int64(second)))
        #expect(decoder.epoch.heldBytes <= PGSDecoder.decodedPixelLimit)
      }
    }
    #expect(decoder.heldBytes <= PGSDecoder.heldByteLimit)
    #expect(decoder.heldBytes >= 1 << 24)
  }

  @Test("PGS: pictures of one packet") func picturesOfPacket() throws {
    var decoder = PGSDecoder()
    // 255 pictures of 4095x4096, each clipped, so copied: 4 GB without a limit.
    let bytes =
      composition(Array(repeating: 0, count: 255)) + palette
      + window(width: 4095, height: 4096) + object(0, width: 4096, height: 4096, data: [])
      + segment(0x80, [])
    let events = try decoder.decode(packet(bytes))
    #expect(pixels(events) <= DecoderLimits.pixelsPerPacket)
    #expect(events.first?.objects.count == 4)
    #expect(rules(decoder.log).contains("pgs.packet-limit"))
  }

  @Test("PGS and DVB: display sets of one packet") func setsOfPacket() throws {
    var pgs = PGSDecoder()
    let set = composition([], state: 0) + segment(0x80, [])
    let many = Array(repeating: set, count: 3000).flatMap { $0 }
    #expect(try pgs.decode(packet(many)).count == DecoderLimits.eventsPerPacket)
    #expect(rules(pgs.log).contains("pgs.packet-limit"))
    var dvb = DVBDecoder()
    let page: [UInt8] = [0x0F, 0x10, 0, 1, 0, 2, 5, 0] + [0x0F, 0x80, 0, 1, 0, 0]
    let pages = Array(repeating: page, count: 3000).flatMap { $0 }
    #expect(try dvb.decode(packet(pages)).count == DecoderLimits.eventsPerPacket)
    #expect(rules(dvb.log).contains("dvb.packet-limit"))
  }

  // MARK: DVB

  private func region(_ id: UInt8, _ side: Int) -> [UInt8] {
    // Filled with code 1 of 4 bits, which the default colours show.
    [0x0F, 0x11, 0, 1, 0, 10, id, 0x08] + bytes(side) + bytes(side) + [0x48, 0, 0, 0x10]
  }

  @Test("DVB: regions of a page, and pictures of one packet") func regions() throws {
    var decoder = DVBDecoder()
    let display: [UInt8] = [0x0F, 0x14, 0, 1, 0, 5, 0] + bytes(4095) + bytes(4095)
    let places = [UInt8](repeating: 0, count: 6 * 200)
    let page: [UInt8] = [0x0F, 0x10, 0, 1] + bytes(2 + places.count) + [0, 0x08] + places
    var all = display + page
    for id in 0..<3 { all += region(UInt8(id), 4000) }
    let events = try decoder.decode(packet(all + [0x0F, 0x80, 0, 1, 0, 0]))
    // Two regions of 16 million pixels are within 32 Mi, the third is not.
    #expect(decoder.regions.count == 2)
    #expect(decoder.heldBytes == 2 * 4000 * 4000)
    #expect(decoder.heldBytes <= DVBDecoder.heldByteLimit)
    #expect(events.first?.objects.count == 4)
    #expect(pixels(events) <= DecoderLimits.pixelsPerPacket)
    #expect(rules(decoder.log).isSuperset(of: ["dvb.region-size", "dvb.packet-limit"]))
  }

  // MARK: VobSub

  @Test("VobSub: commands of sequences that lie over each other") func commands() throws {
    // 06 takes the four bytes behind it, which are the head of the next sequence.
    var unit: [UInt8] = [0xFF, 0xFF, 0, 4]
    while unit.count < 65_525 {
      let next = unit.count + 5
      unit += [0, 1] + bytes(next) + [6]
    }
    unit += [0, 1] + bytes(unit.count) + [0xFF]
    var reader = ByteReader(unit)
    let (read, fault) = try SubpictureUnit.salvage(&reader)
    let count = read.sequences.reduce(0) { $0 + $1.commands.count }
    #expect(count <= SubpictureUnit.commandLimit)
    #expect(read.sequences.count <= SubpictureUnit.sequenceLimit)
    guard case .limitExceeded = fault?.kind else {
      Issue.record("\(fault.map { "\($0)" } ?? "no fault")")
      return
    }
  }

  @Test("VobSub: pictures of one unit, and a unit that never ends") func unitPictures() throws {
    let codes = PixelCodes([0, 1, 2, 3])
    var unit = SubpictureUnit(pixelData: [0, 3], sequences: [])
    for date in 0..<40 {
      unit.sequences.append(
        ControlSequence(
          date: date,
          commands: [
            .setColor(codes), .setContrast(PixelCodes([15, 15, 15, 15])),
            .setDisplayArea(firstColumn: 0, lastColumn: 4095, firstLine: 0, lastLine: 4094 - date),
            .setPixelDataAddresses(topField: 4, bottomField: 4), .startDisplay,
          ]))
    }
    var decoder = VobSubDecoder(index: VobSubIndex())
    let events = try decoder.decode(packet(try unit.bytes()))
    #expect(pixels(events) <= DecoderLimits.pixelsPerPacket)
    #expect(events.count(where: { !$0.objects.isEmpty }) == 4)
    #expect(rules(decoder.log).contains("vobsub.unit-limit"))
    for _ in 0..<100 {
      _ = try decoder.decode(packet([0xFF, 0xFF] + [UInt8](repeating: 0xFF, count: 50_000)))
      #expect(decoder.heldBytes <= VobSubDecoder.heldByteLimit)
    }
  }

  @Test("VobSub: an index that leads to one place a thousand times") func indexed() throws {
    let pack: [UInt8] = [0, 0, 1, 0xBD] + bytes(3 + 1 + 100) + [0x81, 0, 0, 0x20] + bytes(100)
    var index = VobSubIndex()
    var track = VobSubIndex.Track(language: "en", index: 0)
    track.entries = (0..<1000).map { .init(time: Timestamp(milliseconds: $0 * 100), position: 0) }
    index.tracks = [track]
    let result = try VobSubFileReader.packets(
      of: index, track: 0, packs: pack + [UInt8](repeating: 0, count: 98), byteLimit: 2050)
    #expect(result.packets.count == 20)
    #expect(rules(result.log).contains("idx.limit"))
  }

  // MARK: XSUB

  @Test("XSUB: a picture past the limit") func xsubPicture() throws {
    var decoder = XSUBDecoder()
    let head = Array("[00:00:01.000-00:00:03.000]".utf8)
    let sizes: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0]
    let events = try decoder.decode(packet(head + sizes + [UInt8](repeating: 9, count: 200)))
    #expect(pixels(events) == 0)
    #expect(rules(decoder.log).contains("xsub.size"))
    #expect(decoder.heldBytes <= XSUBDecoder.heldByteLimit)
  }

  // MARK: Around the decoders

  @Test("Random access: a track without an entry point holds three units") func randomAccess()
    throws
  {
    let start = PGSSampleSet.block(1)
    var sets = [try start.packet()]
    for second in 2..<1000 {
      var set = PGSSampleSet(seconds: Double(second), state: .normal)
      set.shown = [PGSSampleSet.at(second % 8, 1)]
      sets.append(try set.packet())
    }
    let access = RandomAccess(
      packets: sets, codec: .pgs, decoder: PGSDecoder(), fileEnd: nil)
    let picture = try access.picture(at: Timestamp(milliseconds: 900_500))
    #expect(picture.packetsDecoded > 900)
    #expect(picture.eventsHeld <= 4)
    #expect(picture.objects.first?.object.x == 900 % 8)
  }

  @Test("Raw readers: packets of a file") func rawFiles() throws {
    let sup: [UInt8] = [0x50, 0x47, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0, 0]
    var reader = SUPReader(Array(repeating: sup, count: 50).flatMap { $0 })
    #expect(try reader.rest(limit: 20).count == 20)
    #expect(rules(reader.log) == ["raw.limit"])
    let pes: [UInt8] = [0, 0, 1, 0xBD, 0, 4, 0x81, 0, 0, 0xFF]
    var packets = DVBPESReader(Array(repeating: pes, count: 50).flatMap { $0 })
    #expect(try packets.rest(limit: 20).count == 20)
    #expect(rules(packets.log) == ["raw.limit"])
  }

  @Test("Counting: changes of a track") func counting() throws {
    var counter = try #require(CueCounter(codec: .pgs))
    counter.mostEvents = 10
    for second in 0..<100 {
      try counter.add(
        CountingPacket(
          time: Timestamp(milliseconds: Int64(second)), duration: nil,
          bytes: try PGSSampleSet.block(1, width: 1 + second % 9).packet().bytes))
    }
    let count = try counter.finish(fileEnd: nil)
    #expect(count.cueCount <= 11)
    #expect(count.faults == ["cues behind 10 changes are not counted"])
  }

  @Test("Findings: of one rule") func findings() throws {
    var decoder = DVBDecoder()
    for _ in 0..<2000 { _ = try decoder.decode(packet([0x0F, 0x80])) }
    #expect(decoder.log.findings.count == FindingLog.limitPerRule)
    #expect(decoder.log.counts.values.reduce(0, +) == 2000)
  }
}
