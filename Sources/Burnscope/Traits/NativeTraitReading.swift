// SPDX-License-Identifier: Apache-2.0
internal import Compositing
internal import MediaContainer
internal import SubtitleFormats
internal import SubtitleModel
internal import TraitSuite

/// Reads a file of the suite as `lint` and `render --decoder native` do.
struct NativeTraitReading {
  private let trait: StreamTrait
  private let track: NativeTrack

  /// Reads a file's packets.
  ///
  /// - Throws: `MediaError` for a file that cannot be read.
  init(_ trait: StreamTrait, _ file: String) throws {
    self.trait = trait
    let tracks = try NativeTracks(path: file)
    let wanted = try TrackSelector.subtitleOrdinal(trait.fileTrack).find(
      in: tracks.media, name: file)
    guard let track = try tracks.read([wanted]).first else {
      throw MediaError(.noSuchStream, "\(file): there is no track \(trait.fileTrack)")
    }
    self.track = track
  }

  /// What is shown at each time, found by random access.
  func pictures() throws -> [RGBABitmap] {
    let access = try track.randomAccess()
    return try trait.fileLooks.map { look in
      try track.cue(at: trait.fileTime(look), by: access)?.picture(on: trait.size)
        ?? RGBABitmap(
          width: trait.size.width, height: trait.size.height, filledWith: .transparent)
    }
  }

  /// Codes of the findings of readers and decoder.
  func codes() throws -> Set<String> {
    var decoder = try track.decoder()
    _ = try decoder.events(of: track.packets)
    return Set((track.findings + track.indexFindings).map(\.rule.code))
      .union(decoder.log.counts.keys.map(\.code))
  }
}
