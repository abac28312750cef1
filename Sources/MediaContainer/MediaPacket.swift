// SPDX-License-Identifier: Apache-2.0
internal import CFFmpegShims
public import SubtitleModel

/// One packet of a stream, as the container holds it.
public struct MediaPacket: Sendable, Hashable {
  /// The stream's index in the container.
  public var streamIndex: Int
  /// When it is shown, on the media's timeline; nil where the container does not say.
  public var time: Timestamp?
  /// How long, as the container states it; nil where it does not, or states zero.
  public var duration: Timestamp?
  /// The byte offset of the packet in the file; nil where unknown.
  public var position: Int64?
  /// Whether decoding can begin with it.
  public var isKey: Bool
  /// The packet's bytes.
  public var bytes: [UInt8]

  /// Makes a packet of the container's own.
  init(_ packet: Packet, stream: UnsafeMutablePointer<AVStream>, origin: Timestamp) {
    let raw = packet.pointer.pointee
    let timebase = stream.pointee.time_base
    streamIndex = packet.streamIndex
    time = packet.ticks.map { timebase.timestamp($0) - origin }
    duration = raw.duration > 0 ? timebase.timestamp(raw.duration) : nil
    position = raw.pos >= 0 ? raw.pos : nil
    isKey = raw.flags & AV_PKT_FLAG_KEY != 0
    bytes = Array(UnsafeBufferPointer(start: raw.data, count: raw.data == nil ? 0 : Int(raw.size)))
  }
}

extension Demuxer {
  /// Reads the packets of some streams to the end of the file.
  ///
  /// - Parameters:
  ///   - wanted: The streams.
  ///   - body: Called for each packet, which is its own until it returns; returns whether to go on.
  ///   - faults: Called with each thing that was wrong with the container.
  /// - Throws: `MediaError`, `CancellationError`, or what the source or `body` throws.
  func forEachPacket(
    of wanted: Set<Int>, _ body: (Packet) throws -> Bool, faults: (String) -> Void
  ) throws {
    select(wanted)
    let packet = try Packet()
    _ = LibraryLog.take()
    while try readPacket(packet) {
      defer { packet.reset() }
      try bridge.checkFault()
      for line in LibraryLog.take() { faults("container: \(line)") }
      guard wanted.contains(packet.streamIndex) else { continue }
      guard try body(packet) else { return }
    }
    for line in LibraryLog.take() { faults("container: \(line)") }
    if let stopCause { faults(stopCause) }
  }
}
