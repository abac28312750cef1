// SPDX-License-Identifier: Apache-2.0
internal import CFFmpegShims
public import SubtitleModel

/// Decodes a track's packets that were read without libavformat, by libavcodec.
public enum PacketDecoder {
  /// Decodes packets to cues, by the rules of ``MediaReader/decodeTracks(_:progress:)``.
  ///
  /// - Parameters:
  ///   - packets: The packets in the container's order, on the timeline of the cues wanted.
  ///   - description: What the container says of the track; its codec decides.
  ///   - codecPrivate: The decoder's set-up data, with any compression undone.
  ///   - fileEnd: When the file ends; nil where unknown.
  ///   - name: The file's name in messages.
  ///   - cancellation: Ends the work early, with `CancellationError`.
  /// - Returns: The track; what could not be decoded is told in its diagnostics.
  /// - Throws: `MediaError` of kind `.notBitmap`, `.unsupported`, `.damaged` or `.tooLarge`;
  ///   `CancellationError`.
  public static func decode(
    _ packets: some Sequence<SubtitlePacket>, of description: TrackDescription,
    codecPrivate: [UInt8] = [], fileEnd: Timestamp? = nil, name: String,
    cancellation: CancellationFlag? = nil
  ) throws -> DecodedTrack {
    _ = LibraryLog.install
    _ = LibraryLog.take()
    let decoder = try SubtitleDecoder(
      codec: description.codec, codecPrivate: codecPrivate,
      timebase: AVRational(num: 1, den: 1_000_000_000),
      label: "\(name): stream \(description.streamIndex)")
    let worker = TrackWorker(
      decoder: decoder, description: description, origin: .zero, statesDurations: true,
      keepsPixels: true, name: name)
    let packet = try Packet()
    for next in packets {
      if cancellation?.isCancelled == true { throw CancellationError() }
      try packet.fill(next)
      defer { packet.reset() }
      try worker.take(packet)
    }
    return worker.finish(fileEnd: fileEnd, containerFaults: [])
  }
}

extension Packet {
  /// Takes a copy of a packet's bytes, with times in nanoseconds.
  fileprivate func fill(_ source: SubtitlePacket) throws {
    guard source.bytes.count <= Int(Int32.max) / 2,
      av_new_packet(pointer, Int32(source.bytes.count)) >= 0
    else {
      throw MediaError(
        .tooLarge, "a packet of \(source.bytes.count) bytes at \(source.time) is too large")
    }
    source.bytes.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress, let data = pointer.pointee.data else { return }
      UnsafeMutableRawPointer(data).copyMemory(from: base, byteCount: bytes.count)
    }
    pointer.pointee.pts = source.time.nanoseconds
    pointer.pointee.dts = source.time.nanoseconds
    pointer.pointee.duration = source.duration?.nanoseconds ?? 0
    pointer.pointee.pos = -1
  }
}

extension UnsafeMutablePointer<AVCodecParameters> {
  /// Sets the decoder's set-up data; false without memory.
  func setExtradata(_ bytes: [UInt8]) -> Bool {
    guard !bytes.isEmpty else { return true }
    guard bytes.count <= Int(Int32.max) / 2,
      let memory = av_mallocz(bytes.count + Int(AV_INPUT_BUFFER_PADDING_SIZE))
    else { return false }
    bytes.withUnsafeBytes { source in
      if let base = source.baseAddress { memory.copyMemory(from: base, byteCount: source.count) }
    }
    pointee.extradata = memory.assumingMemoryBound(to: UInt8.self)
    pointee.extradata_size = Int32(bytes.count)
    return true
  }
}
