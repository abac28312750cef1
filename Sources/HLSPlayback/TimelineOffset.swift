// SPDX-License-Identifier: Apache-2.0
public import SubtitleModel

/// What must be taken from a stream's presentation times to get the film's.
///
/// Servers that burn in write MPEG-TS with 10.000 s added and fragmented MP4 with nothing added.
/// The rule, in this order:
///
/// 1. The offset that earlier windows of the same stream had stays while it explains the window's
///    first time to within a group of pictures: playlists round their durations, and the error adds
///    up over hours.
/// 2. Else 10 s or 0, whichever is within 1.2 s of the difference between the first presentation
///    time and the playlist's time of that segment.
/// 3. Else 0 for fragmented MP4 that begins up to a group of pictures early, as a server's first
///    segment behind a seek does.
/// 4. Else nothing: the offset is to be measured at segment 0, whose playlist time is 0.
///
/// MPEG-TS counts 33 bits of 90 kHz, so whole turns of 95443.7 s are taken out first and are part
/// of the result.
public struct TimelineOffset: Sendable, Hashable {
  /// What servers add in MPEG-TS.
  public static let added = Timestamp(milliseconds: 10_000)
  /// How far a first time may be from a candidate.
  public static let tolerance = Timestamp(milliseconds: 1200)
  /// The longest group of pictures met: segments begin up to that much early.
  public static let longestGroup = Timestamp(milliseconds: 10_500)
  /// One turn of the clock of MPEG-TS: 2^33 ticks of 90 kHz.
  public static let turn = Timestamp(ticks: 1 << 33, numerator: 1, denominator: 90_000)

  /// Whether the stream is MPEG-TS, with a clock that turns over.
  public var isTransportStream: Bool
  /// The offset of earlier windows, or the one measured at segment 0; nil where not known.
  public var established: Timestamp?

  /// Makes the rule's state.
  public init(isTransportStream: Bool, established: Timestamp? = nil) {
    self.isTransportStream = isTransportStream
    self.established = established
  }

  /// The offset of a window, turns of the clock included.
  ///
  /// - Parameters:
  ///   - first: The window's first presentation time, as the stream has it.
  ///   - start: The playlist's time of the window's first segment.
  /// - Returns: Presentation time minus film time; nil where rule 4 applies.
  public func offset(first: Timestamp, start: Timestamp) -> Timestamp? {
    let difference = first - start
    if let established {
      let turns = wholeTurns(in: difference - established)
      if distance(difference - turns, established) <= Self.longestGroup {
        return established + turns
      }
    }
    for candidate in [Self.added, .zero] {
      let turns = wholeTurns(in: difference - candidate)
      if distance(difference - turns, candidate) <= Self.tolerance { return candidate + turns }
    }
    if !isTransportStream, difference < .zero, distance(difference, .zero) <= Self.longestGroup {
      return .zero
    }
    return nil
  }

  /// The nearest number of whole turns, as time; 0 for streams that do not turn over.
  private func wholeTurns(in difference: Timestamp) -> Timestamp {
    guard isTransportStream else { return .zero }
    let turn = Self.turn.nanoseconds
    let count = (Double(difference.nanoseconds) / Double(turn)).rounded()
    return Timestamp(nanoseconds: Int64(count) * turn)
  }

  private func distance(_ left: Timestamp, _ right: Timestamp) -> Timestamp {
    left < right ? right - left : left - right
  }
}
