// SPDX-License-Identifier: Apache-2.0
public import MediaContainer
import SubtitleFormats
import SubtitleModel

/// How structures are written.
public enum DumpFormat: String, Sendable, Hashable, CaseIterable {
  /// A line each, for people.
  case text
  /// A JSON document a line, for programs.
  case ndjson
}

/// Shows the structures of a bitmap track as they stand in its packets.
public enum Dump {
  /// Reads a track and gives its structures line by line.
  ///
  /// Nothing is decoded and no state is kept: each structure is shown by itself. One that cannot be
  /// read is shown with its fault, and the next packet goes on.
  ///
  /// - Parameters:
  ///   - path: A local file; for VobSub outside a container, the `.idx` file.
  ///   - selector: The track; nil for the only bitmap track.
  ///   - format: How a structure is written.
  ///   - cancellation: Ends the work early, with `CancellationError`.
  ///   - progress: Called now and then with the part of the file that is read, 0 to 1.
  ///   - line: Called with each line, without its line feed.
  /// - Returns: How many structures could not be read.
  /// - Throws: `MediaError` if the file cannot be read, has no such bitmap track, or has several and
  ///   none is named; `CancellationError`.
  public static func file(
    _ path: String, track selector: TrackSelector?, format: DumpFormat,
    cancellation: CancellationFlag? = nil, progress: ((Double) -> Void)? = nil,
    line: (String) -> Void
  ) throws -> Int {
    let file = try NativeTracks(path: path, cancellation: cancellation)
    let bitmaps = file.media.subtitles.filter { $0.codec.isBitmap }
    if selector == nil, bitmaps.count > 1 {
      let names = bitmaps.map { "\($0.streamIndex)" }.joined(separator: ", ")
      throw MediaError(
        .invalidRequest, "\(path): there are several bitmap tracks, name one of them: \(names)")
    }
    let wanted = try (selector ?? .subtitleOrdinal(bitmaps.first?.subtitleOrdinal ?? 0)).find(
      in: file.media, name: path)
    var faults = 0
    for track in try file.read([wanted], progress: progress) {
      for packet in track.packets {
        if cancellation?.isCancelled == true { throw CancellationError() }
        for structure in wanted.codec.dump(packet, codecTag: track.setup.codecTag) {
          if structure.fault != nil { faults += 1 }
          let place = track.places.place(of: structure.offset)
          line(format == .text ? structure.line(place) : structure.json(place, of: wanted))
        }
      }
    }
    return faults
  }
}

extension DumpedStructure {
  /// A line of text with the file's own place.
  fileprivate func line(_ place: PacketPlaces.Place) -> String {
    guard let inPacket = place.inPacket else { return text }
    // Decoders count packed packets one behind the other: the file's place is shown instead.
    let head = (time.map { "\($0) " } ?? "") + "@\(offset) "
    let own = (time.map { "\($0) " } ?? "") + "@\(place.offset.map { "\($0)" } ?? "?")+\(inPacket) "
    return text.hasPrefix(head) ? own + text.dropFirst(head.count) : text
  }

  /// A JSON document on one line.
  fileprivate func json(_ place: PacketPlaces.Place, of track: TrackDescription) -> String {
    JSONValue.object([
      "stream": .integer(track.streamIndex), "codec": .string(track.codec.rawValue),
      "name": .string(name), "timeSeconds": time.map { .seconds($0) } ?? .null,
      "offset": place.offset.map { .integer(Int($0)) } ?? .null,
      "offsetInPacket": place.inPacket.map { .integer($0) } ?? .null,
      "fields": JSONValue(fields), "fault": .text(fault.map { "\($0)" }),
    ]).line
  }
}

extension JSONValue {
  /// The fields of a structure as an object.
  fileprivate init(_ fields: [DumpField]) {
    self = .object(
      Dictionary(
        fields.map { ($0.name, JSONValue($0.value)) }, uniquingKeysWith: { _, last in last }))
  }

  private init(_ value: DumpValue) {
    switch value {
    case .number(let number): self = .integer(Int(number))
    case .text(let text): self = .string(text)
    case .flag(let flag): self = .bool(flag)
    case .list(let values): self = .array(values.map { JSONValue($0) })
    case .fields(let fields): self = JSONValue(fields)
    }
  }
}
