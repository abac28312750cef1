// SPDX-License-Identifier: Apache-2.0
import HLSPlayback
import HTTPTransport
import MatroskaIndex
import MediaContainer
import MediaServer
import PNGCoding
import SubtitleAuthoring
import SubtitleFormats
import SubtitleModel

/// The entry points by name; each takes any bytes, and may refuse them but never trap, hang or leak.
let fuzzTargets: [String: @Sendable ([UInt8]) -> Void] = [
  "answer": fuzzAnswer, "container": fuzzContainer, "counting": fuzzCounting, "dvb": fuzzDVB,
  "json": fuzzJSON, "matroska": fuzzMatroska, "pgs": fuzzPGS, "playlist": fuzzPlaylist,
  "png": fuzzPNG, "script": fuzzScript, "statistic": fuzzStatistic, "subrip": fuzzSubRip,
  "url": fuzzURL, "vobsub": fuzzVobSub, "xsub": fuzzXSUB,
]

@Sendable private func fuzzPlaylist(_ bytes: [UInt8]) {
  _ = try? Playlist.parse(bytes, url: "http://127.0.0.1/videos/main.m3u8?token=x")
}

@Sendable private func fuzzJSON(_ bytes: [UInt8]) {
  guard let value = try? JSONValue(parsing: bytes) else { return }
  // What is written must be read back as the same value.
  guard let again = try? JSONValue(parsing: Array(value.encoded.utf8)), again == value else {
    preconditionFailure("a value is not read back as it was: \(value.encoded)")
  }
}

@Sendable private func fuzzURL(_ bytes: [UInt8]) {
  let parts = bytes.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
    .map { String(decoding: $0, as: UTF8.self) }
  let base = URLReference(parts[0])
  let resolved = URLReference(parts.count > 1 ? parts[1] : "../a/./b?c#d").resolved(against: base)
  _ = (resolved.host, resolved.port, resolved.isHTTP, resolved.hasSameOrigin(as: base))
  _ = URLReference.redacted(resolved.text)
  _ = URLReference.encodingIllegalCharacters(in: parts[0])
}

@Sendable private func fuzzMatroska(_ bytes: [UInt8]) {
  guard let file = try? MatroskaFile(BytesInMemory(bytes)) else { return }
  let numbers = Set(file.tracks.map(\.number))
  var budget = 200
  for usesCues in [true, false] {
    let walk = try? file.walk(tracks: numbers, usingCues: usesCues) { block in
      budget -= 1
      guard budget > 0 else { return }
      _ = try? file.payload(of: block, limit: 200)
      _ = try? file.payload(of: block)
    }
    if let walk { _ = file.startTime(walk) }
  }
}

/// The first byte chooses the coding, the second how the rest is cut into packets.
@Sendable private func fuzzCounting(_ bytes: [UInt8]) {
  guard bytes.count > 2 else { return }
  let codecs: [SubtitleCodec] = [.pgs, .vobsub, .dvb, .xsub]
  let rest = Array(bytes[2...])
  let privateData = bytes[0] & 4 == 0 ? [] : Array(rest.prefix(rest.count / 2))
  guard
    var counter = CueCounter(codec: codecs[Int(bytes[0] & 3)], privateData: privateData)
  else { return }
  let size = max(1, rest.count / (1 + Int(bytes[1] & 7)))
  var time: Int64 = 0
  for start in stride(from: 0, to: rest.count, by: size) {
    let part = Array(rest[start..<min(start + size, rest.count)])
    time += Int64(part.first ?? 0) << Int64(bytes[1] >> 3)
    try? counter.add(
      CountingPacket(
        time: bytes[0] & 8 == 0 ? Timestamp(nanoseconds: time) : nil,
        duration: bytes[0] & 16 == 0 ? nil : Timestamp(nanoseconds: time &* 7), bytes: part))
  }
  _ = try? counter.finish(fileEnd: bytes[0] & 32 == 0 ? nil : Timestamp(nanoseconds: time))
}

@Sendable private func fuzzSubRip(_ bytes: [UInt8]) {
  _ = try? SubRip.read(String(decoding: bytes, as: UTF8.self), file: "a.srt")
}

@Sendable private func fuzzScript(_ bytes: [UInt8]) {
  _ = try? AuthoringScript.reading(String(decoding: bytes, as: UTF8.self), file: "a.json")
}

@Sendable private func fuzzPNG(_ bytes: [UInt8]) {
  guard let bitmap = try? PNG.decodeRGBA(bytes, maximumPixels: 1 << 18) else { return }
  guard let written = try? PNG.encode(bitmap), let again = try? PNG.decodeRGBA(written) else {
    preconditionFailure("a bitmap of \(bitmap.width)x\(bitmap.height) cannot be written")
  }
  precondition(again == bitmap, "a bitmap is not read back as it was")
}

@Sendable private func fuzzContainer(_ bytes: [UInt8]) {
  guard let reader = try? MediaReader(source: MemoryBytes(name: "memory", parts: [bytes])) else {
    return
  }
  let tracks = reader.description.subtitles.map(\.streamIndex)
  _ = try? reader.decodeTracks(Array(tracks.prefix(8)))
}
