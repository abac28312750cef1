// SPDX-License-Identifier: Apache-2.0
package import MediaContainer
package import SubtitleFormats
package import SubtitleModel

/// Bounds on what a hostile or broken file may make the native decoders keep.
package enum NativeLimits {
  /// Bytes of a file's subtitle packets; the PGS track of a long film has some 100 MB.
  package static let bytesOfPackets = 2 << 30
  /// Bytes that a packet counts beside its own, for its record.
  package static let bytesPerPacketRecord = 128
  /// Bytes of a raw file (.sup, .sub, .pes) that is read whole.
  package static let bytesPerRawFile: Int64 = 1 << 30
  /// Events of one track: one a frame at 60 Hz over an hour and a half.
  package static let eventsPerTrack = 330_000
  /// Pixels of the different bitmaps of one track, identical ones counted once.
  package static let pixelsPerTrack = 1 << 30
}

/// Where the bytes of a track's packets lie in their file.
///
/// Decoders count offsets in one row of numbers. Where packets lie in the file as they are, these are
/// the file's own offsets; where they are packed or in parts, the packets are counted one behind the
/// other, and an offset stands for the packet's place and a distance from its first byte.
package struct PacketPlaces: Sendable {
  /// A place in a file.
  package struct Place: Sendable, Hashable {
    /// Absolute offset: of the byte itself, or of the packet that it belongs to; nil if unknown.
    package var offset: Int64?
    /// Bytes from the packet's first one, where the packet is not in the file as it is.
    package var inPacket: Int?
  }

  private var starts: [Int64] = []
  private var positions: [Int64?] = []

  /// The packets' bytes lie in the file as they are.
  package static let exact = PacketPlaces()

  /// The file's place behind a decoder's offset.
  package func place(of offset: Int64) -> Place {
    guard !starts.isEmpty else { return Place(offset: offset, inPacket: nil) }
    var low = 0
    var high = starts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    return Place(offset: positions[low], inPacket: Int(max(0, offset - starts[low])))
  }

  /// Turns a container's packets into those of a decoder.
  package static func packets(
    _ placed: [PlacedPacket]
  ) -> (packets: [TrackPacket], places: PacketPlaces) {
    let isExact = placed.allSatisfy { $0.isContiguous && $0.position != nil }
    var places = PacketPlaces()
    var next: Int64 = 0
    let packets = placed.map { packet in
      let offset = isExact ? packet.position ?? 0 : next
      if !isExact {
        places.starts.append(next)
        places.positions.append(packet.position)
        next += Int64(packet.bytes.count)
      }
      return TrackPacket(
        time: packet.time, duration: packet.duration, offset: offset, bytes: packet.bytes)
    }
    return (packets, places)
  }
}

/// A bitmap track with its packets, ready for our own decoder.
package struct NativeTrack: Sendable {
  /// What the container says of the track.
  package var description: TrackDescription
  /// What the decoder is told beforehand.
  package var setup: DecoderSetup
  /// All packets, in the file's order.
  package var packets: [TrackPacket]
  /// Where they lie.
  package var places: PacketPlaces
  /// When the file ends; nil if unknown.
  package var end: Timestamp?
  /// The file's name in messages.
  package var name: String
  /// The file that the packets' offsets count in: the `.sub` of an `.idx`.
  package var packetFile: String
  /// What the readers of the file noticed, with offsets of `packetFile`.
  package var findings: [StreamFinding] = []
  /// What was noticed in the `.idx` file, with its offsets.
  package var indexFindings: [StreamFinding] = []
  /// What was wrong with the container, one sentence each.
  package var containerFaults: [String] = []

  /// The track's cues and what was noticed.
  package struct Decoding: Sendable {
    /// The events and their ends.
    package var timeline: CueTimeline
    /// The cues; a fade is one of several steps.
    package var cues: [DecodedCue]
    /// The canvas; nil where nothing states it.
    package var canvas: Canvas?
    /// The decoder's findings.
    package var log: FindingLog
  }

  /// A fresh decoder of the track.
  ///
  /// - Throws: `MediaError` of kind `.notBitmap`.
  package func decoder() throws -> any SubtitleDecoder {
    guard let decoder = description.codec.nativeDecoder(setup) else {
      throw MediaError(
        .notBitmap,
        "\(name): stream \(description.streamIndex) is a \(description.codecName) track, not one of "
          + "bitmaps")
    }
    return decoder
  }

  /// Decodes the whole track.
  ///
  /// - Parameter cancellation: Ends the work early, with `CancellationError`.
  /// - Returns: The events, the cues and the findings.
  /// - Throws: `MediaError` of kind `.tooLarge` or `.notBitmap`; `CancellationError`.
  package func decoded(cancellation: CancellationFlag? = nil) throws -> Decoding {
    var decoder = try decoder()
    var events: [SubtitleEvent] = []
    var bitmaps = SharedBitmaps()
    func take(_ new: [SubtitleEvent], at offset: Int64) throws {
      for event in new { events.append(bitmaps.sharing(event)) }
      guard events.count <= NativeLimits.eventsPerTrack,
        bitmaps.pixels <= NativeLimits.pixelsPerTrack
      else {
        throw MediaError(
          .tooLarge,
          "\(packetFile): stream \(description.streamIndex) has up to byte "
            + "\(places.place(of: offset).offset ?? 0) more than \(NativeLimits.eventsPerTrack) "
            + "events or \(NativeLimits.pixelsPerTrack) pixels")
      }
    }
    for packet in packets {
      if cancellation?.isCancelled == true { throw CancellationError() }
      try take(try decoder.decode(packet), at: packet.offset)
    }
    try take(try decoder.finish(), at: packets.last?.offset ?? 0)
    let timeline = CueTimeline(events, codec: description.codec, fileEnd: end)
    return Decoding(
      timeline: timeline, cues: timeline.cues(),
      canvas: decoder.canvas ?? description.canvas, log: decoder.log)
  }

  /// Decodes the whole track to the model's cues.
  ///
  /// - Parameters:
  ///   - separatesSteps: Whether each step of a fade is a cue of its own, as libavcodec has it.
  ///   - cancellation: Ends the work early, with `CancellationError`.
  /// - Returns: The track; of each rule that was broken the first case is told in its diagnostics.
  /// - Throws: As ``decoded(cancellation:)``.
  package func decodedTrack(
    separatesSteps: Bool, cancellation: CancellationFlag? = nil
  ) throws -> DecodedTrack {
    let decoding = try decoded(cancellation: cancellation)
    var cues: [Cue] = []
    for decoded in decoding.cues {
      for var cue in separatesSteps ? decoded.separated : [decoded.cue] {
        cue.index = cues.count
        cues.append(cue)
      }
    }
    return DecodedTrack(
      description: description, canvas: decoding.canvas, cues: cues,
      diagnostics: containerFaults + diagnostics(decoding.log))
  }

  /// One sentence for each rule of severity warning or error that was broken.
  private func diagnostics(_ log: FindingLog) -> [String] {
    var counts = log.counts
    for finding in findings + indexFindings { counts[finding.rule, default: 0] += 1 }
    var told: Set<FindingRule> = []
    return (indexFindings + findings + log.findings).compactMap { finding in
      guard finding.rule.severity > .note, told.insert(finding.rule).inserted else { return nil }
      let count = counts[finding.rule] ?? 1
      return "\(packetFile): \(finding)" + (count > 1 ? " (the first of \(count))" : "")
    }
  }

  /// The canvas of the track's first picture; nil if neither it nor the container states one.
  ///
  /// Before the first picture a decoder may know but its format's usual canvas.
  ///
  /// - Throws: `MediaError` of kind `.notBitmap`.
  package func firstCanvas() throws -> Canvas? {
    var decoder = try decoder()
    for packet in packets {
      let events = try decoder.decode(packet)
      if let shown = events.first(where: { !$0.objects.isEmpty }) {
        return shown.canvas ?? decoder.canvas ?? description.canvas
      }
    }
    let rest = try decoder.finish().first { !$0.objects.isEmpty }
    return rest?.canvas ?? decoder.canvas ?? description.canvas
  }

  /// What is shown at a time, as a cue of that moment; nil if nothing is.
  ///
  /// - Throws: What the access throws.
  package func cue(at time: Timestamp, by access: RandomAccess) throws -> Cue? {
    let picture = try access.picture(at: time)
    guard !picture.objects.isEmpty else { return nil }
    return Cue(
      index: 0, start: time, end: time, endCause: .nextCue,
      objects: picture.objects.map(\.object), canvas: picture.canvas)
  }

  /// What the track shows at single times, without decoding it from its start.
  ///
  /// - Throws: `MediaError` of kind `.notBitmap`.
  package func randomAccess() throws -> RandomAccess {
    RandomAccess(
      packets: packets, codec: description.codec, decoder: try decoder(), fileEnd: end)
  }
}

extension DecodedCue {
  /// A cue for each step, with the colours of the step.
  var separated: [Cue] {
    steps.enumerated().map { number, step in
      var part = cue
      part.start = step.time
      if number + 1 < steps.count {
        part.end = steps[number + 1].time
        part.endCause = .nextCue
      }
      for index in part.objects.indices { part.objects[index].palette = step.palettes[index] }
      return part
    }
  }
}

/// Shares the memory of identical bitmaps and counts the pixels of the different ones.
struct SharedBitmaps {
  private var known: [Int: [IndexedBitmap]] = [:]
  /// Pixels of the different bitmaps so far.
  private(set) var pixels = 0

  /// An event whose bitmaps are those of earlier events where they are the same.
  mutating func sharing(_ event: SubtitleEvent) -> SubtitleEvent {
    var event = event
    for index in event.objects.indices {
      event.objects[index].object.bitmap = shared(event.objects[index].object.bitmap)
    }
    return event
  }

  private mutating func shared(_ bitmap: IndexedBitmap) -> IndexedBitmap {
    var hasher = Hasher()
    hasher.combine(bitmap.width)
    bitmap.indices.withUnsafeBytes { hasher.combine(bytes: $0) }
    let key = hasher.finalize()
    if let same = known[key]?.first(where: { $0 == bitmap }) { return same }
    known[key, default: []].append(bitmap)
    pixels += bitmap.indices.count
    return bitmap
  }
}
