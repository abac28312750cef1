// SPDX-License-Identifier: Apache-2.0
public import HTTPTransport
public import MediaContainer
public import SubtitleModel
internal import Synchronization

/// The picture on screen at a time.
public struct WindowFrame: Sendable, Hashable {
  /// The time asked for.
  public var wanted: Timestamp
  /// The frame shown then, with its own time on the film's timeline.
  public var frame: LumaFrame

  /// Makes a pair.
  public init(wanted: Timestamp, frame: LumaFrame) {
    self.wanted = wanted
    self.frame = frame
  }
}

/// What a window brought.
public struct WindowFrames: Sendable, Hashable {
  /// The frames found, in order of the times asked for; times without a frame are left out.
  public var frames: [WindowFrame] = []
  /// What was left out and why, one sentence each.
  public var notes: [String] = []
  /// Presentation time minus film time of the last stretch decoded; nil where nothing was.
  public var offset: Timestamp?

  /// Makes an empty result.
  public init() {}
}

/// A stream of a server, opened by its playlist and looked at window by window.
///
/// All calls block: make them from a thread of their own.
public final class HLSSession: Sendable {
  /// The segments.
  public let playlist: MediaPlaylist
  /// The address opened, without its query.
  public let name: String
  let fetcher: SegmentFetcher
  let options: HLSOptions
  let cancellation: CancellationFlag?
  let established = Mutex<Timestamp?>(nil)

  /// The most times asked for in one window: at 1080p they hold 1 GB of luma.
  public static let frameLimit = 512

  /// Opens a stream.
  ///
  /// - Parameters:
  ///   - url: A master playlist, of which the preferred variant is taken, or a media playlist.
  ///   - client: What fetches.
  ///   - options: Header fields and limits.
  ///   - cancellation: Ends any call early, with `CancellationError`.
  /// - Throws: `HLSFault`, `CancellationError`.
  public init(
    url: String, client: HTTPClient, options: HLSOptions = HLSOptions(),
    cancellation: CancellationFlag? = nil
  ) throws {
    self.options = options
    self.cancellation = cancellation
    name = URLReference.redacted(url)
    fetcher = SegmentFetcher(
      url: url, client: client, options: options, cancellation: cancellation)
    let first = try fetcher.playlist(url)
    switch try Playlist.parse(first.bytes, url: first.url) {
    case .media(let playlist): self.playlist = playlist
    case .master(let master):
      guard let variant = master.preferredVariant else {
        throw HLSFault(.malformed, "\(name): the playlist lists no variant")
      }
      let second = try fetcher.playlist(variant.address.url)
      guard case .media(let playlist) = try Playlist.parse(second.bytes, url: second.url) else {
        throw HLSFault(
          .malformed, "\(variant.address): a variant leads to another list of variants")
      }
      self.playlist = playlist
    }
  }

  /// What fetching has cost so far.
  public var statistics: FetchStatistics { fetcher.statistics }

  /// Why the first media segment that did not come did not; nil while all came.
  public var firstFault: HLSFault? { fetcher.firstFault }

  /// Plans which segments to fetch for a stretch of the film.
  public func planWindow(covering range: ClosedRange<Timestamp>) -> WindowPlan {
    playlist.planWindow(covering: range)
  }

  /// Fetches a window's segments and finds the frames on screen at the times wanted.
  ///
  /// A segment that does not come, or is not video, is left out with a note; the times within it
  /// have no frame then. Frames are decoded forward and only those wanted are kept.
  ///
  /// - Parameters:
  ///   - plan: The segments.
  ///   - wanted: Times of the film, ascending, at most `frameLimit` of them.
  /// - Returns: The frames found.
  /// - Throws: `HLSFault` of kind `.invalidRequest`; `CancellationError`.
  public func loadWindow(_ plan: WindowPlan, wanted: [Timestamp]) throws -> WindowFrames {
    guard plan.segments.lowerBound >= 0, plan.segments.upperBound < playlist.segments.count,
      plan.starter.map({ playlist.segments.indices.contains($0) }) ?? true
    else {
      throw HLSFault(
        .invalidRequest,
        "\(name): the window \(plan.segments) is outside the playlist's "
          + "\(playlist.segments.count) segments")
    }
    guard wanted.count <= Self.frameLimit, zip(wanted, wanted.dropFirst()).allSatisfy({ $0 <= $1 })
    else {
      throw HLSFault(
        .invalidRequest,
        "\(name): the times wanted are not ascending or more than \(Self.frameLimit)")
    }
    var loader = WindowLoader(session: self, wanted: wanted)
    return try loader.load(plan)
  }

  /// Fetches a window's segments and finds the frames on screen at the times wanted.
  ///
  /// - Parameters:
  ///   - segments: Numbers of segments, within the playlist.
  ///   - wanted: Times of the film, ascending.
  /// - Returns: The frames found.
  /// - Throws: As `loadWindow(_:wanted:)` does.
  public func loadWindow(segments: ClosedRange<Int>, wanted: [Timestamp]) throws -> WindowFrames {
    try loadWindow(WindowPlan(starter: nil, segments: segments), wanted: wanted)
  }
}
