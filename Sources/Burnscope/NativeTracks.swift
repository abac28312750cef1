// SPDX-License-Identifier: Apache-2.0
package import MediaContainer
package import SubtitleFormats
package import SubtitleModel

/// A file whose bitmap tracks our own decoders read.
///
/// Raw streams (.sup, .idx with its .sub, .pes) are read by our own readers, containers packet by
/// packet. Times are those of libavcodec's way: zero is the container's start, raw streams keep
/// their own clock.
package final class NativeTracks {
  /// The file's name.
  package let name: String
  /// What the file says of itself.
  package let media: MediaDescription
  private let source: Source
  /// When the file ends; nil if unknown.
  let end: Timestamp?
  private let cancellation: CancellationFlag?

  /// How the packets are had.
  private enum Source {
    case raw(RawTracks)
    case container(FilmTracks, MediaReader)
  }

  /// Opens a local file; for VobSub outside a container, the `.idx` file.
  ///
  /// - Throws: `MediaError`.
  package convenience init(path: String, cancellation: CancellationFlag? = nil) throws {
    let file = try LocalFile(path: path)
    if let raw = try RawTracks(file) {
      self.init(raw, path: path, cancellation: cancellation)
      return
    }
    let reader = try MediaReader(path: path, cancellation: cancellation)
    self.init(
      path: path, media: reader.description, end: reader.end,
      source: .container(
        FilmTracks(reader, bytes: file, walks: true, cancellation: cancellation), reader),
      cancellation: cancellation)
  }

  /// Takes a raw stream.
  ///
  /// The library's demuxer is asked for names and the file's end; the packets are read without it.
  convenience init(_ raw: RawTracks, path: String, cancellation: CancellationFlag?) {
    let reader = try? MediaReader(path: path, cancellation: cancellation)
    let stated = reader.flatMap { $0.description.subtitles.count == raw.tracks.count ? $0 : nil }
    self.init(
      path: path, media: stated?.description ?? raw.media, end: stated?.end, source: .raw(raw),
      cancellation: cancellation)
  }

  private init(
    path: String, media: MediaDescription, end: Timestamp?, source: Source,
    cancellation: CancellationFlag?
  ) {
    name = path
    self.media = media
    self.end = end
    self.source = source
    self.cancellation = cancellation
  }

  /// Decodes one track of a file by the decoder wished; steps of fades are cues of their own.
  ///
  /// - Parameters:
  ///   - selector: The track.
  ///   - path: The file.
  ///   - decoder: The decoder.
  ///   - cancellation: Ends the work early, with `CancellationError`.
  /// - Returns: Nil if the track cannot be decoded.
  /// - Throws: `MediaError`; `CancellationError`.
  package static func decode(
    _ selector: TrackSelector, of path: String, by decoder: DecoderChoice,
    cancellation: CancellationFlag?
  ) throws -> DecodedTrack? {
    switch decoder {
    case .libavcodec:
      let reader = try MediaReader(path: path, cancellation: cancellation)
      let track = try selector.find(in: reader.description, name: path)
      return try reader.decodeTracks([track.streamIndex]).first
    case .native:
      let file = try NativeTracks(path: path, cancellation: cancellation)
      let track = try selector.find(in: file.media, name: path)
      return try file.read([track]).first?.decodedTrack(
        separatesSteps: true, cancellation: cancellation)
    }
  }

  /// Reads a track packet by packet, holding none, where its file can be read in parts (.sup).
  ///
  /// - Parameters:
  ///   - description: A bitmap track of ``media``.
  ///   - start: Called first, with the track without packets; gives what is called with each packet.
  /// - Returns: The track without its packets, with what the reader noticed; nil, with nothing read,
  ///   if ``read(_:progress:)`` is the only way.
  /// - Throws: `MediaError`, or what is called throws.
  package func streamed(
    _ description: TrackDescription,
    start: (NativeTrack) throws -> (TrackPacket) throws -> Void
  ) throws -> NativeTrack? {
    guard case .raw(let raw) = source else { return nil }
    var track = raw.bare(description, end)
    return try raw.stream(&track, visit: try start(track)) ? track : nil
  }

  /// Reads the packets of tracks.
  ///
  /// - Parameters:
  ///   - tracks: Bitmap tracks of ``media``.
  ///   - progress: Called now and then with the part that is done, 0 to 1.
  /// - Returns: The tracks, in the order given.
  /// - Throws: `MediaError`; `CancellationError`.
  package func read(
    _ tracks: [TrackDescription], progress: ((Double) -> Void)? = nil
  ) throws -> [NativeTrack] {
    switch source {
    case .raw(let raw):
      return try raw.read(tracks, end: end)
    case .container(let films, let reader):
      return try films.nativeTracks(tracks, reader: reader, progress: progress).tracks
    }
  }
}

extension FilmTracks {
  /// Reads the packets of a container's tracks for our own decoders.
  ///
  /// - Parameters:
  ///   - tracks: Bitmap tracks of the reader's description.
  ///   - reader: The opened container.
  ///   - progress: Called now and then with the part that is done, 0 to 1.
  /// - Returns: The tracks in the order given, and how they were read.
  /// - Throws: As ``placedPackets(of:progress:)``.
  package func nativeTracks(
    _ tracks: [TrackDescription], reader: MediaReader, progress: ((Double) -> Void)? = nil
  ) throws -> (tracks: [NativeTrack], way: Way) {
    // Asked before the pass over the packets, which uses the opened container up.
    let setups = try tracks.map { track in
      var setup = DecoderSetup()
      setup.privateData = try reader.codecPrivate(of: track.streamIndex)
      setup.codecTag = try reader.codecTag(of: track.streamIndex)
      setup.videoSize = track.canvas ?? reader.description.video.flatMap(Canvas.init(of:))
      return setup
    }
    let found = try placedPackets(of: tracks, progress: progress)
    let natives = zip(tracks, setups).map { track, setup in
      let (packets, places) = PacketPlaces.packets(found.packets[track.streamIndex] ?? [])
      return NativeTrack(
        description: track, setup: setup, packets: packets, places: places, end: reader.end,
        name: bytes.name, packetFile: bytes.name, containerFaults: found.faults)
    }
    return (natives, found.way)
  }
}

extension Canvas {
  /// The size of a video; nil if it has none.
  init?(of video: VideoDescription) {
    guard video.width > 0, video.height > 0 else { return nil }
    self.init(width: video.width, height: video.height)
  }
}
