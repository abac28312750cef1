// SPDX-License-Identifier: Apache-2.0
internal import Compositing
public import MediaContainer
internal import PNGCoding
internal import SubtitleModel
internal import TraitSuite

/// What decoders make of the files of a suite, against the pictures expected.
public struct TraitComparison: Sendable, Hashable {
  /// What a decoder makes of one trait.
  public enum Outcome: Sendable, Hashable {
    /// Every picture is as expected.
    case right
    /// Some are not: the times, as the file counts, in seconds.
    case wrong([Double])
    /// The file cannot be read, for a reason that is one sentence.
    case unreadable(String)
  }

  /// How far a colour of libavcodec's may be from that expected, in each component of 255.
  ///
  /// Its conversion of Y'CbCr is one of integers, and may round otherwise.
  public static let tolerance = 2

  /// The trait's name.
  public var id: String
  /// What the trait is.
  public var summary: String
  /// What the native decoders make of it, which are to be right to the bit.
  public var native: Outcome
  /// What libavcodec makes of it, its colours right within the tolerance.
  public var libavcodec: Outcome
  /// Codes of findings expected that the native readers do not make; all of them if unreadable.
  public var missingFindings: [String]
}

extension TraitFolder {
  /// Reads every file of the suite with each decoder and compares the pictures.
  ///
  /// - Parameters:
  ///   - cancellation: Ends the work early, with `CancellationError`.
  ///   - progress: Called before each trait with its place and their number.
  /// - Returns: One comparison for each trait that is kept in a file.
  /// - Throws: `MediaError` for a picture that cannot be read, `PNGFault` for one that is damaged.
  public func compare(
    cancellation: CancellationFlag? = nil, _ progress: (Int, Int) -> Void = { _, _ in }
  ) throws -> [TraitComparison] {
    let traits = try TraitSuite.all().filter { $0.reasonAgainstFile == nil }
    return try traits.enumerated().map { place, trait in
      if cancellation?.isCancelled == true { throw CancellationError() }
      progress(place, traits.count)
      let pictures = try trait.fileLooks.map { look in
        try PNG.decodeRGBA(Self.read("\(path)/\(TraitSuite.pictureName(trait, look))"))
      }
      let file = "\(path)/\(TraitSuite.fileName(trait, suffix: trait.files().first?.suffix ?? ""))"
      let reading = Result { try NativeTraitReading(trait, file) }
      let found = (try? reading.get().codes()) ?? []
      return TraitComparison(
        id: trait.id, summary: trait.name,
        native: Self.outcome(trait, pictures, tolerance: 0) { try reading.get().pictures() },
        libavcodec: Self.outcome(trait, pictures, tolerance: TraitComparison.tolerance) {
          try Self.libraryPictures(trait, file)
        },
        missingFindings: trait.codes.union(trait.fileCodes).subtracting(found).sorted())
    }
  }

  /// The bytes of a whole file.
  static func read(_ path: String) throws -> [UInt8] {
    let file = try LocalFile(path: path)
    var bytes = [UInt8](repeating: 0, count: Int(file.byteCount ?? 0))
    var start = 0
    while start < bytes.count {
      let count = try bytes.withUnsafeMutableBytes { buffer in
        try file.read(
          at: Int64(start), into: UnsafeMutableRawBufferPointer(rebasing: buffer[start...]))
      }
      if count == 0 { break }
      start += count
    }
    return Array(bytes.prefix(start))
  }

  private static func outcome(
    _ trait: StreamTrait, _ expected: [RGBABitmap], tolerance: Int,
    _ pictures: () throws -> [RGBABitmap]
  ) -> TraitComparison.Outcome {
    let seen: [RGBABitmap]
    do { seen = try pictures() } catch { return .unreadable("\(error)") }
    let times = zip(trait.fileLooks, zip(seen, expected)).compactMap { look, pair in
      isSame(pair.0, pair.1, tolerance: tolerance) ? nil : trait.fileTime(look).seconds
    }
    return times.isEmpty ? .right : .wrong(times)
  }

  /// Whether two pictures look the same: what is transparent has no colour to compare.
  private static func isSame(_ left: RGBABitmap, _ right: RGBABitmap, tolerance: Int) -> Bool {
    guard left.width == right.width, left.height == right.height else { return false }
    return stride(from: 0, to: left.bytes.count, by: 4).allSatisfy { at in
      let (one, other) = (left.bytes[at..<at + 4], right.bytes[at..<at + 4])
      if one[at + 3] == 0, other[at + 3] == 0 { return true }
      return zip(one, other).allSatisfy { abs(Int($0) - Int($1)) <= tolerance }
    }
  }

  /// What libavcodec shows at each time, drawn as authored.
  private static func libraryPictures(_ trait: StreamTrait, _ file: String) throws -> [RGBABitmap] {
    let reader = try MediaReader(path: file)
    let track = try TrackSelector.subtitleOrdinal(trait.fileTrack).find(
      in: reader.description, name: file)
    let cues = try reader.decodeTracks([track.streamIndex]).flatMap(\.cues)
    return try trait.fileLooks.map { look in
      let time = trait.fileTime(look)
      let cue = cues.last { $0.start <= time && time < $0.end }
      return try cue?.picture(on: trait.size)
        ?? RGBABitmap(
          width: trait.size.width, height: trait.size.height, filledWith: .transparent)
    }
  }
}
