// SPDX-License-Identifier: Apache-2.0

/// The ends that a stream and its container state of one picture.
public struct StatedEnds: Sendable, Hashable {
  /// When the picture appears.
  public var start: Timestamp
  /// The end that the stream states (VobSub stop command, DVB page time-out, XSUB text); an end that
  /// is not after the start says nothing.
  public var stream: Timestamp?
  /// Whether the stream says that the picture stands until the next one.
  public var isOpen: Bool
  /// The end that the container states; one that is not after the start says nothing.
  public var container: Timestamp?

  /// Makes ends.
  public init(
    start: Timestamp, stream: Timestamp? = nil, isOpen: Bool = false, container: Timestamp? = nil
  ) {
    self.start = start
    self.stream = stream.flatMap { $0 > start ? $0 : nil }
    self.isOpen = isOpen
    self.container = container.flatMap { $0 > start ? $0 : nil }
  }
}

/// Which end of a cue counts where stream and container differ.
///
/// The next picture or clear ends a cue before any end that is stated later. With no end at all it
/// stands to the file's end, or for ``openEnd`` where that is unknown.
public enum CueEndRule: Sendable, Hashable {
  /// What the file says, as its author meant it: `render`, `lint`, `dump` and `probe` with our own
  /// decoders.
  ///
  /// A container's duration goes before a DVD sub-picture's stop command, since programs that
  /// stretch a track change only the former. In XSUB it stands in for times that are missing. In PGS
  /// and DVB it counts where the stream states no end and no clear follows.
  case written(SubtitleCodec)
  /// What FFmpeg's overlay shows, and so a server that burns by it.
  ///
  /// The stream's end goes before the container's, which only stands in where the stream states
  /// none. A PGS picture states that it is open, and so does a stop at the largest date.
  case burned

  /// How long a cue that nothing ends is reckoned where the file's length is unknown.
  public static let openEnd = Timestamp(milliseconds: 10_000)

  /// A change that follows a picture.
  public struct Change: Sendable, Hashable {
    /// When it takes effect.
    public var time: Timestamp
    /// Whether it clears the screen; else it shows another picture.
    public var isClear: Bool

    /// Makes a change.
    public init(time: Timestamp, isClear: Bool) {
      self.time = time
      self.isClear = isClear
    }
  }

  /// The end that counts of those that stream and container state.
  ///
  /// - Parameters:
  ///   - ends: What is stated.
  ///   - next: What follows the picture; nil if nothing does.
  /// - Returns: The end and which it is; nil if neither states one.
  public func stated(_ ends: StatedEnds, next: Change?) -> (time: Timestamp, cause: CueEnd)? {
    let stream = ends.stream.map { ($0, CueEnd.streamDuration) }
    let container = ends.container.map { ($0, CueEnd.containerDuration) }
    switch self {
    case .written(.vobsub): return container ?? stream
    case .written(.xsub): return stream ?? container
    case .written: return stream ?? (next?.isClear == true ? nil : container)
    case .burned: return stream ?? (ends.isOpen ? nil : container)
    }
  }

  /// When a picture goes, and what ends it.
  ///
  /// - Parameters:
  ///   - ends: What stream and container state of it.
  ///   - next: What follows it, at its start or later; nil if nothing does.
  ///   - fileEnd: When the file ends; nil if unknown.
  /// - Returns: The end; at the picture's own start if it is replaced at once.
  public func end(
    of ends: StatedEnds, next: Change?, fileEnd: Timestamp?
  ) -> (time: Timestamp, cause: CueEnd) {
    let follower = next.map { ($0.time, $0.isClear ? CueEnd.clear : .nextCue) }
    switch (follower, stated(ends, next: next)) {
    case (let follower?, let stated?): return stated.0 < follower.0 ? stated : follower
    case (let follower?, nil): return follower
    case (nil, let stated?): return stated
    case (nil, nil):
      let rest = fileEnd.flatMap { $0 > ends.start ? $0 : nil }
      return (rest ?? ends.start + Self.openEnd, .endOfFile)
    }
  }
}
