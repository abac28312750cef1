// SPDX-License-Identifier: Apache-2.0
import BinaryReading
import SubtitleModel

/// Counts DivX sub-pictures: every packet is one, and begins with its times as text.
struct XSUBCounting: CountingFormat {
  /// The canvas is the film's, which the packets do not state.
  let canvas: Canvas? = nil
  private(set) var events: [CountingEvent] = []
  private(set) var survey = TrackSurvey()

  /// How far the text's time may be from the container's to be believed.
  private static let plausible = Timestamp(milliseconds: 10_000)

  /// Makes the counting; the container's tag says whether colours have alpha.
  init(codecTag: String?) { survey.colors = .xsub(hasAlpha: XSUBDecoder.hasAlpha(codecTag)) }

  mutating func add(_ packet: CountingPacket) throws {
    // "[00:00:01.000-00:00:03.000]", then sizes and colours.
    var reader = ByteReader(try packet.read(27), structure: "XSUB packet")
    let text = String(decoding: try reader.bytes(27), as: UTF8.self)
    guard text.hasPrefix("["), text.hasSuffix("]"), text.utf8.count == 27 else {
      throw ReadFault(
        .invalid(field: "first byte", value: Int64(text.utf8.first ?? 0), reason: "not \"[\""),
        offset: 0, structure: "XSUB packet")
    }
    let parts = text.dropFirst().dropLast().split(separator: "-").map { Timestamp(String($0)) }
    guard parts.count == 2, let first = parts[0], let last = parts[1] else {
      throw ReadFault(
        .invalid(
          field: "count of times", value: Int64(parts.count), reason: "of which one is unreadable"),
        offset: 1, structure: "XSUB packet")
    }
    guard last >= first else {
      throw ReadFault(
        .invalid(
          field: "end in milliseconds", value: last.milliseconds,
          reason: "before the start, \(first.milliseconds)"),
        offset: 14, structure: "XSUB packet")
    }
    var start = first
    if let time = packet.time, max(time - first, first - time) > Self.plausible { start = time }
    events.append(
      CountingEvent(
        start: start, streamEnd: start + (last - first), containerEnd: packet.containerEnd,
        isPicture: true, objectCount: 1))
  }
}
