// SPDX-License-Identifier: Apache-2.0
package import MediaContainer
internal import SubtitleFormats
package import SubtitleModel

/// Encodes cues as VobSub, DVB or XSUB subtitles by our own writers.
package enum CueEncoder {
  /// Encodes a track.
  ///
  /// - Parameters:
  ///   - cues: The cues, in order, not overlapping, with objects inside the canvas.
  ///   - codec: `.vobsub`, `.dvb` or `.xsub`.
  ///   - canvas: The canvas.
  ///   - isForHearingImpaired: Whether DVB's descriptor says so.
  ///   - cancellation: Ends the work early, with `CancellationError`.
  /// - Returns: The packets with the decoder's set-up data; for XSUB that is the stream's tag, DXSA
  ///   where a picture needs alpha beyond one transparent colour, else DXSB.
  /// - Throws: ``AuthoringFault`` of kind `.input` for a cue that the coding cannot hold.
  package static func encode(
    _ cues: [Cue], as codec: SubtitleCodec, canvas: Canvas, isForHearingImpaired: Bool = false,
    cancellation: CancellationFlag? = nil
  ) throws -> EncodedTrack {
    guard (1...4096).contains(canvas.width), (1...4096).contains(canvas.height) else {
      throw AuthoringFault(
        .input, "a canvas of \(canvas) is beyond 4096x4096, the most VobSub can address")
    }
    if codec == .xsub {
      return try DivXPictures.encode(cues, canvas: canvas, cancellation: cancellation)
    }
    let palette = SubpicturePalette(of: cues)
    var track = EncodedTrack(codec: codec, canvas: canvas, packets: [])
    if codec == .dvb {
      // EN 300 468, 6.2.41: composition page 1, ancillary page 1, then the subtitling type.
      track.codecPrivate = [0, 1, 0, 1, isForHearingImpaired ? 0x20 : 0x10]
    } else {
      track.codecPrivate = Array("size: \(canvas)\npalette: \(palette.text)\n".utf8)
    }
    var pages = PageWriter(canvas: canvas)
    for (position, cue) in cues.enumerated() {
      try cancellation?.check()
      let next = position + 1 < cues.count ? cues[position + 1].start : nil
      try check(cue, next: next)
      do {
        if codec == .dvb {
          track.packets += try pages.packets(of: cue, isCleared: next != cue.end)
        } else {
          track.packets.append(
            SubtitlePacket(
              time: cue.start, duration: cue.end - cue.start,
              bytes: try palette.unit(of: cue).bytes()))
        }
      } catch {
        throw AuthoringFault(
          .input, "the cue at \(cue.start) cannot be written as \(codec.rawValue): \(error)")
      }
    }
    return track
  }

  /// Refuses a cue that shows nothing or reaches into the next.
  static func check(_ cue: Cue, next: Timestamp?) throws(AuthoringFault) {
    guard !cue.objects.isEmpty, cue.end > cue.start, cue.start >= .zero,
      cue.end <= next ?? cue.end
    else {
      throw AuthoringFault(
        .input, "the cue at \(cue.start) shows nothing, or ends at \(cue.end) out of its turn")
    }
  }
}

/// Writes the pages of a DVB track.
struct PageWriter {
  /// The longest time-out, in seconds (EN 300 743, 7.2.2: 8 bits).
  private static let longest: Int64 = 255
  /// How often a page that stands longer is sent again: well before it times out.
  private static let repetition = Timestamp(milliseconds: 200_000)

  private let canvas: Canvas
  /// Counts the pages: a page of the same version as the one before is passed over by decoders.
  private var version = 0

  /// Makes a writer of pages for a canvas.
  init(canvas: Canvas) { self.canvas = canvas }

  /// The packets of a cue: its page, again if it stands for long, and the page that clears the screen.
  mutating func packets(
    of cue: Cue, isCleared: Bool
  ) throws(PGSWritingFault) -> [SubtitlePacket] {
    var packets: [SubtitlePacket] = []
    var start = cue.start
    while true {
      let rest = cue.end - start
      let isLast = rest.nanoseconds / 1_000_000_000 < Self.longest - 5
      let part = isLast ? rest : Self.repetition
      packets.append(
        SubtitlePacket(
          time: start, duration: part, bytes: try page(cue.objects, at: start, for: part)))
      if isLast { break }
      start = start + part
    }
    if isCleared {
      packets.append(
        SubtitlePacket(
          time: cue.end, duration: nil, bytes: try page([], at: cue.end, for: .zero)))
    }
    return packets
  }

  /// The segments of one page, which times out some seconds after its part if nothing follows.
  private mutating func page(
    _ objects: [CueObject], at time: Timestamp, for part: Timestamp
  ) throws(PGSWritingFault) -> [UInt8] {
    let seconds = part.nanoseconds / 1_000_000_000 + 5
    var set = try DVBDisplaySet.showing(
      pts: time.ticks90k, objects, canvas: canvas, timeOut: Int(min(seconds, Self.longest)))
    set.page.version = version
    for index in set.regions.indices { set.regions[index].version = version }
    for index in set.cluts.indices { set.cluts[index].version = version }
    for index in set.objects.indices { set.objects[index].version = version }
    version = (version + 1) & 15
    return try set.packetBytes()
  }
}
