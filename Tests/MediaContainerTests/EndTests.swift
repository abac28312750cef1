// SPDX-License-Identifier: Apache-2.0
import MediaContainer
import SubtitleModel
import TestSupport
import Testing

/// Ends of cues in the formats that state them.
@Suite struct EndTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func decode(_ content: EncodedTrack, _ name: String) throws -> DecodedTrack {
    let path = folder.file(name)
    try FilmMuxer.write(tracks: [OutputTrack(content: content)], to: path)
    return try #require(try MediaReader(path: path).decodeTracks([0]).first)
  }

  @Test func `a DVB page without a successor ends by its time-out`() throws {
    var track = try SubtitleEncoder.encode(
      [boxCue(0, 1000, 2000), boxCue(1, 40_000, 41_000), boxCue(2, 50_000, 51_000)], as: .dvb,
      canvas: Canvas(width: 720, height: 576))
    // Only the pages stay, without clears and without durations.
    track.packets = [0, 2, 4].map {
      var packet = track.packets[$0]
      packet.duration = nil
      return packet
    }
    let cues = try decode(track, "pages.mks").cues
    // libavcodec's encoder states a time-out of 30 s.
    #expect(cues.map(\.start) == [ms(1000), ms(40_000), ms(50_000)])
    #expect(cues.map(\.end) == [ms(31_000), ms(50_000), ms(80_000)])
    #expect(cues.map(\.endCause) == [.streamDuration, .nextCue, .streamDuration])
  }

  @Test func `a sub-picture with an open stop ends with the next, whatever its block says`() throws
  {
    var track = try SubtitleEncoder.encode(
      [boxCue(0, 1000, 2000), boxCue(1, 4000, 5000)], as: .vobsub,
      canvas: Canvas(width: 720, height: 576))
    for index in track.packets.indices {
      // The stop is in the last control sequence: date, next, 0x02, 0xFF. Make it the longest.
      let bytes = track.packets[index].bytes
      let stop = try #require(bytes.lastIndex(of: 0x02))
      track.packets[index].bytes[stop - 4] = 0xFF
      track.packets[index].bytes[stop - 3] = 0xFF
      track.packets[index].duration = ms(700)
    }
    // FFmpeg takes the largest date for a stop and the block's duration only where there is none.
    let decoded = try decode(track, "open.mks")
    let fileEnd = try #require(try MediaReader(path: folder.file("open.mks")).end)
    #expect(decoded.cues.map(\.end) == [ms(4000), fileEnd])
    #expect(decoded.cues.map(\.endCause) == [.nextCue, .endOfFile])
  }

  @Test func `a sub-picture without a stop ends by its block`() throws {
    var track = try SubtitleEncoder.encode(
      [boxCue(0, 1000, 2000), boxCue(1, 4000, 5000)], as: .vobsub,
      canvas: Canvas(width: 720, height: 576))
    for index in track.packets.indices {
      // The stop command becomes the end of its sequence.
      let stop = try #require(track.packets[index].bytes.lastIndex(of: 0x02))
      track.packets[index].bytes[stop] = 0xFF
      track.packets[index].duration = index == 1 ? ms(700) : nil
    }
    let cues = try decode(track, "none.mks").cues
    #expect(cues.map(\.end) == [ms(4000), ms(4700)])
    #expect(cues.map(\.endCause) == [.nextCue, .containerDuration])
  }

  @Test func `a stop that is not the block's end is told`() throws {
    var track = try SubtitleEncoder.encode(
      [boxCue(0, 1000, 2000), boxCue(1, 4000, 5000)], as: .vobsub,
      canvas: Canvas(width: 720, height: 576))
    track.packets[1].duration = ms(3000)
    let decoded = try decode(track, "apart.mks")
    #expect(decoded.cues.map { $0.end.milliseconds } == [1989, 4989])
    #expect(decoded.diagnostics.count == 1)
    // 3 s less 87 steps of 1024/90000 s.
    #expect(decoded.diagnostics.first?.hasPrefix("1 pictures") == true)
    #expect(decoded.diagnostics.first?.contains("00:00:02.011") == true)
  }

  @Test func `a sub-picture of nothing visible clears`() throws {
    var cues = [boxCue(0, 1000, 3000), boxCue(1, 3000, 4000)]
    var track = try SubtitleEncoder.encode(
      cues, as: .vobsub, canvas: Canvas(width: 720, height: 576))
    // Contrast (0x04) of all four colours to zero in the second, the first's stop to the longest.
    let contrast = try #require(track.packets[1].bytes.lastIndex(of: 0x04))
    track.packets[1].bytes[contrast + 1] = 0
    track.packets[1].bytes[contrast + 2] = 0
    let stop = try #require(track.packets[0].bytes.lastIndex(of: 0x02))
    track.packets[0].bytes[stop - 4] = 0xFF
    track.packets[0].bytes[stop - 3] = 0xFF
    cues = try decode(track, "clear.mks").cues
    #expect(cues.map(\.end) == [ms(3000)])
    #expect(cues.map(\.endCause) == [.clear])
  }

  @Test(arguments: [SubtitleCodec.vobsub, .dvb, .pgs])
  func `packets read elsewhere decode to the same cues`(codec: SubtitleCodec) throws {
    let canvas = Canvas(width: 720, height: 576)
    let spot = PGSBytes.Placed(id: 0, x: 100, y: 600, isForced: true)
    let pgs = EncodedTrack(
      codec: .pgs, canvas: canvas,
      packets: [
        SubtitlePacket(
          time: ms(1001), duration: ms(900), bytes: Array(PGSBytes.picture(0, [spot]).joined()))
      ])
    let cues = [boxCue(0, 1001, 2000, isForced: true), boxCue(1, 4003, 5000)]
    let track =
      try codec == .pgs ? pgs : SubtitleEncoder.encode(cues, as: codec, canvas: canvas)
    let path = folder.file("track.mks")
    try FilmMuxer.write(tracks: [OutputTrack(content: track)], to: path)
    let reader = try MediaReader(path: path)
    var packets: [SubtitlePacket] = []
    let setUp = try reader.codecPrivate(of: 0)
    try reader.readPackets(of: [0]) { packet in
      guard let time = packet.time else { return true }
      packets.append(SubtitlePacket(time: time, duration: packet.duration, bytes: packet.bytes))
      return true
    }
    let expected = try #require(try reader.decodeTracks([0]).first)
    let decoded = try PacketDecoder.decode(
      packets, of: expected.description, codecPrivate: setUp, fileEnd: reader.end,
      name: path)
    #expect(decoded == expected)
    #expect(decoded.cues.count == (codec == .pgs ? 1 : 2))
  }

  @Test func `cues that cannot be encoded are refused in one sentence`() throws {
    let canvas = Canvas(width: 720, height: 576)
    let bad: [[Cue]] = [
      [boxCue(0, 1000, 1000)], [boxCue(0, -5, 1000)],
      [boxCue(0, 1000, 3000), boxCue(1, 2000, 4000)],
    ]
    for cues in bad {
      let error = #expect(throws: MediaError.self) {
        try SubtitleEncoder.encode(cues, as: .vobsub, canvas: canvas)
      }
      #expect(error?.kind == .invalidRequest)
    }
    #expect(throws: MediaError.self) {
      try SubtitleEncoder.encode([boxCue(0, 0, 9)], as: .dvb, canvas: Canvas(width: 50, height: 50))
    }
    #expect(throws: MediaError.self) {
      try SubtitleEncoder.encode([boxCue(0, 0, 9)], as: .pgs, canvas: canvas)
    }
  }

  @Test func `a failed writing leaves no file`() throws {
    let content = EncodedTrack(
      codec: .pgs, canvas: Canvas(width: 1280, height: 720),
      packets: [SubtitlePacket(time: ms(0), duration: nil, bytes: PGSBytes.end)])
    let path = folder.file("refused.mp4")
    let error = #expect(throws: MediaError.self) {
      try FilmMuxer.write(tracks: [OutputTrack(content: content)], to: path)
    }
    #expect(error?.kind == .invalidRequest)
    for left in [path, path + ".partial"] {
      #expect(throws: MediaError.self) { try LocalFile(path: left) }
    }
    let nowhere = #expect(throws: MediaError.self) {
      try FilmMuxer.write(
        tracks: [OutputTrack(content: content)], to: folder.file("no/such/folder.mks"))
    }
    #expect(nowhere?.kind == .unwritable)
  }
}
