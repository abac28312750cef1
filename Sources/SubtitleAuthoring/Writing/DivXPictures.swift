// SPDX-License-Identifier: Apache-2.0
internal import MediaContainer
internal import SubtitleFormats
internal import SubtitleModel

/// Encodes cues as DivX subtitles (XSUB).
enum DivXPictures {
  /// How finely an .avi file states times beside the packets' own, as a film of 25 frames would.
  static let chunksPerSecond: Int64 = 25

  /// Encodes a track.
  ///
  /// - Parameters:
  ///   - cues: The cues, in order, not overlapping.
  ///   - canvas: The canvas.
  ///   - cancellation: Ends the work early, with `CancellationError`.
  /// - Returns: A packet a cue; the set-up data are the stream's tag.
  /// - Throws: ``AuthoringFault`` of kind `.input` for a cue that the coding cannot hold.
  static func encode(
    _ cues: [Cue], canvas: Canvas, cancellation: CancellationFlag?
  ) throws -> EncodedTrack {
    var pictures: [FourColorPicture] = []
    for (position, cue) in cues.enumerated() {
      try cancellation?.check()
      let next = position + 1 < cues.count ? cues[position + 1].start : nil
      try CueEncoder.check(cue, next: next)
      pictures.append(FourColorPicture(of: cue))
    }
    let hasAlpha = pictures.contains { $0.needsAlpha }
    var track = EncodedTrack(codec: .xsub, canvas: canvas, packets: [])
    track.codecPrivate = Array((hasAlpha ? "DXSA" : "DXSB").utf8)
    for (cue, picture) in zip(cues, pictures) {
      let start = cue.start.milliseconds
      let packet = XSUBPacket(
        picture.bitmap, x: picture.x, y: picture.y, start: start,
        end: max(start + 1, cue.end.milliseconds), colors: picture.colors, hasAlpha: hasAlpha)
      do {
        track.packets.append(
          SubtitlePacket(
            time: cue.start, duration: cue.end - cue.start, bytes: try packet.bytes()))
      } catch {
        throw AuthoringFault(.input, "the cue at \(cue.start) cannot be written as xsub: \(error)")
      }
    }
    return track
  }

  /// The .avi file of a track.
  ///
  /// - Throws: ``AuthoringFault`` of kind `.input` for more than the file can hold.
  static func file(of track: EncodedTrack, name: String) throws(AuthoringFault) -> [UInt8] {
    do {
      return try XSUBFileWriter.bytes(
        track.packets.map { TrackPacket(time: $0.time, bytes: $0.bytes) },
        hasAlpha: track.codecPrivate == Array("DXSA".utf8), canvas: track.canvas,
        end: track.packets.last.map { $0.time + ($0.duration ?? .zero) },
        chunksPerSecond: chunksPerSecond)
    } catch {
      throw AuthoringFault(.input, "\(name): \(error)")
    }
  }
}

extension FourColorPicture {
  /// Whether a colour is neither nothing, as the first, nor opaque, as the others.
  fileprivate var needsAlpha: Bool {
    colors.enumerated().contains { $1.alpha != ($0 == 0 ? 0 : 255) }
  }
}
