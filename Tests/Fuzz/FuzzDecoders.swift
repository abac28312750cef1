// SPDX-License-Identifier: Apache-2.0
import BurnInNegotiation
import SubtitleFormats
import SubtitleModel

/// Decodes packets, lenient, and asks everything that follows of what came out.
private func decode(_ packets: [TrackPacket], _ codec: SubtitleCodec, _ setup: DecoderSetup) {
  guard var decoder = codec.nativeDecoder(setup) else { return }
  var events: [SubtitleEvent] = []
  for packet in packets {
    events += (try? decoder.decode(packet)) ?? []
    _ = decoder.entryPoint(of: packet)
    _ = codec.dump(packet, codecTag: setup.codecTag).map(\.text)
  }
  events += (try? decoder.finish()) ?? []
  let timeline = CueTimeline(events, codec: codec, fileEnd: nil)
  for cue in timeline.cues().prefix(50) {
    _ = timeline.objects(at: cue.cue.start)
    for object in cue.cue.objects {
      precondition(
        object.bitmap.indices.count == object.bitmap.width * object.bitmap.height,
        "a bitmap has not the pixels of its size")
    }
  }
}

/// Cuts bytes into packets, each led by its length and a time.
private func packets(_ bytes: ArraySlice<UInt8>) -> [TrackPacket] {
  var result: [TrackPacket] = []
  var rest = bytes
  while rest.count >= 3, result.count < 64 {
    let length = Int(rest[rest.startIndex]) << 8 | Int(rest[rest.startIndex + 1])
    let time = Int64(rest[rest.startIndex + 2])
    let body = rest.dropFirst(3).prefix(length)
    result.append(
      TrackPacket(
        time: time == 255 ? nil : Timestamp(nanoseconds: time * 100_000_000),
        duration: time & 1 == 0 ? nil : Timestamp(nanoseconds: 1_500_000_000),
        offset: Int64(rest.startIndex), bytes: Array(body)))
    rest = rest.dropFirst(3 + length)
  }
  return result
}

@Sendable func fuzzPGS(_ bytes: [UInt8]) {
  var reader = SUPReader(bytes)
  if let packets = try? reader.rest(), !packets.isEmpty {
    decode(packets, .pgs, DecoderSetup())
    var parts = SUPReader()
    let middle = bytes.count / 2
    parts.append(Array(bytes[..<middle]), isLast: false)
    var read = (try? parts.rest()) ?? []
    parts.append(Array(bytes[middle...]), isLast: true)
    read += (try? parts.rest()) ?? []
    precondition(read == packets && parts.log.findings == reader.log.findings)
  }
  decode(packets(bytes[...]), .pgs, DecoderSetup())
}

@Sendable func fuzzVobSub(_ bytes: [UInt8]) {
  guard let first = bytes.first else { return }
  var setup = DecoderSetup()
  setup.videoSize = first & 1 == 0 ? nil : Canvas(width: 720, height: 576)
  let text = String(decoding: bytes, as: UTF8.self)
  let index = VobSubIndex.read(text).index
  _ = VobSubIndex.read(index.text)
  if first & 2 == 0 { setup.privateData = Array(bytes.prefix(200)) }
  var reader = ProgramStreamReader(bytes)
  var found: [TrackPacket] = []
  while found.count < 64, let packet = try? reader.next() {
    found.append(
      TrackPacket(
        time: packet.pts.map { Timestamp(nanoseconds: $0 &* 11_111) }, offset: packet.offset,
        bytes: packet.bytes))
  }
  decode(found, .vobsub, setup)
  decode(packets(bytes.dropFirst()), .vobsub, setup)
}

@Sendable func fuzzDVB(_ bytes: [UInt8]) {
  guard let first = bytes.first else { return }
  var setup = DecoderSetup()
  if first & 1 == 0 { setup.privateData = Array(bytes.prefix(5)) }
  _ = SubtitlingService.services(Array(bytes.prefix(64)))
  var reader = DVBPESReader(bytes)
  if let packets = try? reader.rest(), !packets.isEmpty { decode(packets, .dvb, setup) }
  decode(packets(bytes.dropFirst()), .dvb, setup)
}

@Sendable func fuzzXSUB(_ bytes: [UInt8]) {
  var setup = DecoderSetup()
  setup.codecTag = bytes.first.map { $0 & 1 == 0 ? "DXSB" : "DXSA" }
  decode([TrackPacket(time: nil, bytes: bytes)], .xsub, setup)
  decode(packets(bytes.dropFirst()), .xsub, setup)
}

/// A server's answer, and a URL, as the negotiation core reads them.
@Sendable func fuzzAnswer(_ bytes: [UInt8]) {
  let text = String(decoding: bytes, as: UTF8.self)
  _ = BurnIn.lint(LintFacts(url: text, track: 3, server: .emby, serverURL: "http://h/b"))
  if let url = BurnIn.sanitizeStreamUrl(serverURL: "http://h:8096/b", transcodingURL: text) {
    precondition(url.hasPrefix("http://h:8096/"), "a URL leads to another server: \(url)")
  }
  _ = BurnIn.transcodeReasons(transcodingURL: text)
  guard let value = try? WireValue(parsing: bytes) else { return }
  guard let again = try? WireValue(parsing: Array(value.description.utf8)), again == value else {
    preconditionFailure("a value is not read back as it was: \(value)")
  }
  let answer = PlaybackAnswer(json: value)
  for track in [-1, 0, 3] {
    let negotiation = Negotiation.judging(answer, track: track, server: .jellyfin)
    precondition(negotiation.summary?.outcome != "confirmed" || track >= 0)
  }
}
