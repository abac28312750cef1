// SPDX-License-Identifier: Apache-2.0
public import SubtitleModel

/// How the cues of a track are spread over the film.
public struct CueCoverage: Sendable, Hashable {
  /// Equal parts that the film is divided into.
  public static let binCount = 20
  /// Cues that a track must have to be called incomplete: fewer may be all there is, as with signs.
  static let cuesOfWholeTracks = 10
  /// The least part of the film without a cue that is remarkable.
  static let remarkableShare = 0.4
  /// How many times as long as the next longest a remarkable stretch without a cue is.
  ///
  /// Tracks of signs are silent for long time and again; one that was cut off is so once.
  static let remarkableRatio: Int64 = 3

  /// The length that the parts divide.
  public var length: Timestamp
  /// Whether the length is the film's; else it is the end of the last cue.
  public var isOfFilm: Bool
  /// How long a picture is shown.
  public var shown = Timestamp.zero
  /// Cues that begin in each part; those before the film's begin or after its end are in the outer ones.
  public var cuesPerBin = [Int](repeating: 0, count: CueCoverage.binCount)
  /// What is remarkable, one sentence without a full stop.
  public var note: String?

  /// The part of the length in which a picture is shown, 0 to 1.
  public var share: Double { min(1, max(0, shown.seconds / length.seconds)) }

  /// Makes the coverage of cues; nil if there is no length to speak of.
  ///
  /// - Parameters:
  ///   - cues: Start and end of each, by rising start.
  ///   - filmLength: When the film ends, from time zero; nil if unknown.
  public init?(_ cues: [(start: Timestamp, end: Timestamp)], filmLength: Timestamp?) {
    let lastEnd = cues.map(\.end).max() ?? .zero
    isOfFilm = (filmLength ?? .zero) > .zero
    length = isOfFilm ? filmLength ?? .zero : lastEnd
    guard length > .zero else { return nil }
    var gaps = Gaps()
    for cue in cues {
      gaps.add(until: cue.start)
      let start = max(cue.start, gaps.end)
      let end = min(cue.end, length)
      if end > start { shown = shown + (end - start) }
      gaps.end = max(gaps.end, min(cue.end, length))
      // Times saturate, so the quotient is finite; it is brought into range before it is an Int.
      let place = Double(cue.start.nanoseconds) / Double(length.nanoseconds) * Double(Self.binCount)
      cuesPerBin[Int(min(max(place, 0), Double(Self.binCount - 1)))] += 1
    }
    gaps.add(until: length)
    if isOfFilm, cues.count >= Self.cuesOfWholeTracks { note = gaps.note(of: length) }
  }

  /// The stretches without a cue.
  private struct Gaps {
    var end = Timestamp.zero
    private var longest: (from: Timestamp, until: Timestamp) = (.zero, .zero)
    private var nextLength = Timestamp.zero

    mutating func add(until start: Timestamp) {
      guard start > end else { return }
      let length = start - end
      if length > longest.until - longest.from {
        nextLength = longest.until - longest.from
        longest = (end, start)
      } else {
        nextLength = max(nextLength, length)
      }
    }

    func note(of length: Timestamp) -> String? {
      let (from, until) = longest
      let share = (until - from).seconds / length.seconds
      guard share >= remarkableShare,
        nextLength.nanoseconds <= (until - from).nanoseconds / remarkableRatio
      else { return nil }
      let percent = "\(Int(share * 100)) % of the film"
      if until >= length {
        return "no cue follows \(from), the last \(percent): the track may be cut off"
      }
      if from <= .zero {
        return "no cue comes before \(until), the first \(percent): the beginning may be missing"
      }
      return "no cue is shown between \(from) and \(until), \(percent): a part may be missing"
    }
  }
}
