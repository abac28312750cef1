// SPDX-License-Identifier: Apache-2.0
internal import CFFmpegShims
internal import SubtitleModel

/// Decodes one track, packet by packet, during a pass over the file.
final class TrackWorker {
  private let decoder: SubtitleDecoder
  private let description: TrackDescription
  private let origin: Timestamp
  private let timebase: AVRational
  private let statesDurations: Bool
  private let name: String
  private var assembler: TrackAssembler
  private var budget: PixelBudget
  private var canvas: Canvas?
  /// Pictures whose stated stop and container duration differ, and by how much at most.
  private var disagreements: (count: Int, most: Timestamp) = (0, .zero)

  /// How far both may lie apart: more than a step of DVD time (11 ms) and a frame.
  private static let agreement = Timestamp(milliseconds: 100)

  init(
    decoder: SubtitleDecoder, description: TrackDescription, origin: Timestamp,
    statesDurations: Bool, keepsPixels: Bool, name: String
  ) {
    self.decoder = decoder
    self.description = description
    self.origin = origin
    self.statesDurations = statesDurations
    self.name = name
    timebase = decoder.timebase
    assembler = TrackAssembler()
    self.keepsPixels = keepsPixels
    budget = PixelBudget(keepsPixels: keepsPixels)
    canvas = description.canvas
  }

  /// The latest time of a packet so far.
  private(set) var latest: Timestamp?
  private let keepsPixels: Bool

  /// What is settled of the track so far, which is forgotten.
  func takePart(before horizon: Timestamp) -> TrackPart {
    let (cues, settled) = assembler.takeCues(before: horizon)
    // Bitmaps are shared within a part only, so that those of earlier parts can go.
    budget = PixelBudget(keepsPixels: keepsPixels)
    return TrackPart(
      cues: cues, settled: settled, canvas: canvas, diagnostics: assembler.diagnostics)
  }

  /// Decodes one packet of the track.
  func take(_ packet: Packet) throws {
    let duration = packet.pointer.pointee.duration
    let place = place(of: packet)
    if let ticks = packet.ticks {
      let time = timebase.timestamp(ticks) - origin
      latest = max(latest ?? time, time)
    }
    var fault: String?
    switch decoder.decode(packet, &budget) {
    case .nothing: break
    case .clear(let time):
      try append(.init(start: time - origin, objects: []))
    case .picture(let picture):
      let length = statesDurations && duration > 0 ? timebase.timestamp(duration) : nil
      compare(picture.stop.map { $0 - picture.start }, length)
      try append(
        .init(
          start: picture.start - origin, streamEnd: picture.stop.map { $0 - origin },
          isOpen: picture.isOpen, containerEnd: length.map { picture.start - origin + $0 },
          objects: picture.objects,
          canvas: decoder.canvas))
    case .nothingDrawable(let time, let reason):
      try append(.init(start: time - origin, objects: []))
      fault = reason
    case .fault(let text): fault = "it was not decoded: \(text)"
    }
    let lines = LibraryLog.take()
    if fault != nil || !lines.isEmpty {
      assembler.note(
        "packet\(place): " + ([fault].compactMap { $0 } + brief(lines)).joined(separator: "; "))
    }
    noteCanvas()
  }

  /// The first of the decoder's messages about one packet; it may have one a row.
  private func brief(_ lines: [String]) -> [String] {
    guard lines.count > 1, let first = lines.first else { return lines }
    return ["\(first) (the first of \(lines.count) messages)"]
  }

  private func place(of packet: Packet) -> String {
    let time = packet.ticks.map { " at \(timebase.timestamp($0) - origin)" } ?? " without a time"
    let position = packet.pointer.pointee.pos
    return position >= 0 ? "\(time), byte \(position)" : time
  }

  private func compare(_ stated: Timestamp?, _ length: Timestamp?) {
    guard description.codec == .vobsub, let stated, let length else { return }
    let difference = max(stated, length) - min(stated, length)
    guard difference > Self.agreement else { return }
    disagreements = (disagreements.count + 1, max(disagreements.most, difference))
  }

  /// The cues and everything else of the track.
  func finish(fileEnd: Timestamp?, containerFaults: [String]) -> DecodedTrack {
    if disagreements.count > 0 {
      assembler.note(
        "\(disagreements.count) pictures have a stop that is not the end of their block, by up to "
          + "\(disagreements.most); the stop is used, as FFmpeg does")
    }
    for fault in containerFaults { assembler.note(fault) }
    let cues = assembler.cues(fileEnd: fileEnd)
    return DecodedTrack(
      description: description, canvas: canvas ?? (description.codec == .dvb ? .dvbDefault : nil),
      cues: cues, diagnostics: assembler.diagnostics)
  }

  private func append(_ event: TrackAssembler.Event) throws {
    guard assembler.eventCount < DecodingLimits.eventsPerTrack else {
      throw MediaError(
        .tooLarge,
        "\(name): stream \(description.streamIndex) has more than "
          + "\(DecodingLimits.eventsPerTrack) events")
    }
    guard budget.byteCount <= DecodingLimits.bytesPerTrack else {
      throw MediaError(
        .tooLarge,
        "\(name): stream \(description.streamIndex) has more than "
          + "\(DecodingLimits.bytesPerTrack) bytes of bitmaps")
    }
    assembler.append(event)
  }

  private func noteCanvas() {
    guard let found = decoder.canvas, found != canvas else { return }
    if let canvas, assembler.eventCount > 1 {
      assembler.note("the canvas changes from \(canvas) to \(found)")
    }
    canvas = found
  }
}

extension Canvas {
  /// The canvas of DVB subtitles without a display definition (EN 300 743, 5.1.3).
  fileprivate static let dvbDefault = Canvas(width: 720, height: 576)
}

/// Reports how much of a file is read, at most a hundred times.
struct ProgressMeter {
  private let total: Int64?
  private let report: ((Double) -> Void)?
  private var last = -1.0

  init(total: Int64?, report: ((Double) -> Void)?) {
    self.total = total
    self.report = report
  }

  mutating func update(_ position: Int64) {
    guard let report, let total, total > 0 else { return }
    let part = min(1, Double(position) / Double(total))
    guard part >= last + 0.01 else { return }
    last = part
    report(part)
  }

  func finish() { report?(1) }
}
