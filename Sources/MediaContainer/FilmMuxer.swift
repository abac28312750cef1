// SPDX-License-Identifier: Apache-2.0
internal import CFFmpegShims
public import SubtitleModel

/// A subtitle track to be written to a file.
public struct OutputTrack: Sendable, Hashable {
  /// The packets and the decoder's set-up data.
  public var content: EncodedTrack
  /// The language, as three letters of ISO 639-2.
  public var language: String?
  /// The title; transport streams have none.
  public var title: String?
  /// The flags; transport streams only have that for the hard of hearing, in a DVB descriptor.
  public var flags: TrackFlags

  /// Makes a track.
  public init(
    content: EncodedTrack, language: String? = nil, title: String? = nil, flags: TrackFlags = []
  ) {
    self.content = content
    self.language = language
    self.title = title
    self.flags = flags
  }
}

/// Writes subtitle tracks to a container, beside the copied streams of a film or alone.
public enum FilmMuxer {
  /// The containers that are written.
  public enum Format: String, Sendable, Hashable, CaseIterable {
    /// Matroska: .mkv, .mks.
    case matroska
    /// MPEG transport stream of 188-byte packets: .ts.
    case transportStream
    /// MPEG transport stream of 192-byte packets, as on Blu-ray: .m2ts.
    case bluRayStream
    /// MP4: .mp4. It holds VobSub only.
    case mp4
    /// MPEG program stream: .vob. It holds VobSub only, without palette and canvas.
    case programStream

    /// The container that a path's suffix names; nil for others.
    public init?(path: String) {
      let suffix = path.split(separator: ".").last.map { $0.lowercased() }
      switch suffix {
      case "mkv", "mks": self = .matroska
      case "ts": self = .transportStream
      case "m2ts": self = .bluRayStream
      case "mp4", "m4v": self = .mp4
      case "vob", "mpg": self = .programStream
      default: return nil
      }
    }

    fileprivate var libraryName: String {
      switch self {
      case .matroska: "matroska"
      case .transportStream, .bluRayStream: "mpegts"
      case .mp4: "mp4"
      case .programStream: "vob"
      }
    }
  }

  /// Writes a file.
  ///
  /// The film's video and audio streams are copied as they are, with the film's start time as zero;
  /// its subtitles are left out. PGS in a transport stream has stream type 0x90 and the HDMV
  /// registration, so that it is recognised. The file takes its name when it is whole; on a failure
  /// nothing is left.
  ///
  /// - Parameters:
  ///   - film: A media file whose video and audio are copied; nil for a file of subtitles alone.
  ///   - tracks: The subtitle tracks, in the order wanted.
  ///   - path: The local file to write; an existing one is replaced.
  ///   - format: The container; nil to go by the path's suffix.
  ///   - cancellation: Ends the work early, with `CancellationError`.
  /// - Throws: `MediaError` of kind `.unwritable`, `.invalidRequest` (a codec that the container does
  ///   not hold, times before zero or out of order), or as opening the film does.
  public static func write(
    film: (any ByteSource)? = nil, tracks: [OutputTrack], to path: String, format: Format? = nil,
    cancellation: CancellationFlag? = nil
  ) throws {
    guard let format = format ?? Format(path: path) else {
      throw MediaError(
        .invalidRequest,
        "\(path): the suffix names no container that is written (.mkv, .mks, .ts, .m2ts, .mp4, .vob)"
      )
    }
    for track in tracks { try check(track, path: path) }
    let demuxer = try film.map {
      try Demuxer(source: $0, companion: nil, cancellation: cancellation)
    }
    let needsBluRay =
      format == .bluRayStream
      || (format == .transportStream && tracks.contains { $0.content.codec == .pgs })
    let sink = try FileSink(
      path: path, dropsPacketHeads: needsBluRay && format == .transportStream)
    let muxer = try Muxer(sink: sink, libraryName: format.libraryName, path: path)
    let copied = try demuxer.map { try muxer.copyStreams(of: $0) } ?? [:]
    let outputs = try tracks.enumerated().map { index, track in
      // Blu-ray numbers its subtitle streams from 0x1200 on; libavformat knows only PGS there.
      try muxer.addTrack(track, packetID: needsBluRay ? 0x1200 + Int32(index) : nil)
    }
    var options: [(String, String)] = []
    if format.libraryName == "mpegts" {
      options.append(("mpegts_m2ts_mode", needsBluRay ? "1" : "0"))
    }
    try muxer.writeHeader(options)
    var queue = PacketQueue(tracks: tracks, outputs: outputs)
    if let demuxer {
      let origin = demuxer.origin(.containerStart)
      try demuxer.forEachPacket(of: Set(copied.keys)) { packet in
        guard let output = copied[packet.streamIndex],
          let stream = demuxer.stream(packet.streamIndex)
        else { return true }
        if let ticks = packet.ticks {
          let now = stream.pointee.time_base.timestamp(ticks) - origin
          while let due = queue.next(until: now) { try muxer.write(due) }
        }
        try muxer.copy(packet, from: stream, to: output, origin: origin)
        return true
      } faults: { _ in
      }
    }
    while let due = queue.next(until: nil) {
      if cancellation?.isCancelled == true { throw CancellationError() }
      try muxer.write(due)
    }
    try muxer.finish()
  }

  private static func check(_ track: OutputTrack, path: String) throws {
    guard track.content.codec.libraryID != nil else {
      throw MediaError(
        .invalidRequest, "\(path): a track of \(track.content.codec.rawValue) cannot be written")
    }
    var last = Timestamp.zero
    for (index, packet) in track.content.packets.enumerated() {
      guard packet.time >= last, !packet.bytes.isEmpty, packet.bytes.count <= Int(Int32.max) / 2
      else {
        throw MediaError(
          .invalidRequest,
          "\(path): packet \(index) of a \(track.content.codec.rawValue) track at \(packet.time) is "
            + "empty, before zero or before the packet ahead of it (\(last))")
      }
      last = packet.time
    }
  }
}

/// A subtitle packet with the stream it goes to.
struct QueuedPacket {
  var packet: SubtitlePacket
  var output: Int
}

/// The packets of all tracks to be written, by time.
struct PacketQueue {
  private let packets: [QueuedPacket]
  private var position = 0

  init(tracks: [OutputTrack], outputs: [Int]) {
    let all = zip(tracks, outputs).flatMap { track, output in
      track.content.packets.map { QueuedPacket(packet: $0, output: output) }
    }
    packets = all.enumerated().sorted {
      ($0.element.packet.time, $0.offset) < ($1.element.packet.time, $1.offset)
    }.map(\.element)
  }

  /// The next packet at or before a time, or of all that are left.
  mutating func next(until time: Timestamp?) -> QueuedPacket? {
    guard position < packets.count else { return nil }
    if let time, packets[position].packet.time > time { return nil }
    position += 1
    return packets[position - 1]
  }
}
