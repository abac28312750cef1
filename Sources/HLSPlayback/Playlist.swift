// SPDX-License-Identifier: Apache-2.0
internal import HTTPTransport
public import SubtitleModel

/// A playlist of HTTP Live Streaming (RFC 8216), of either kind.
public enum Playlist: Sendable, Hashable {
  /// A list of variants.
  case master(MasterPlaylist)
  /// A list of segments.
  case media(MediaPlaylist)
}

/// Bytes behind an address: all of them, or a range.
///
/// The description is redacted.
public struct MediaAddress: Sendable, Hashable, CustomStringConvertible {
  /// The absolute URL with its query: for requests only.
  public var url: String
  /// The range, or nil for everything.
  public var range: Range<Int64>?

  /// Makes an address.
  public init(url: String, range: Range<Int64>? = nil) {
    self.url = url
    self.range = range
  }

  /// The URL without userinfo and query, and the range.
  public var description: String {
    let bytes = range.map { ", bytes \($0.lowerBound)-\($0.upperBound - 1)" } ?? ""
    return URLReference.redacted(url) + bytes
  }
}

/// A playlist of variants of one film.
public struct MasterPlaylist: Sendable, Hashable {
  /// One variant.
  public struct Variant: Sendable, Hashable {
    /// Where its media playlist is.
    public var address: MediaAddress
    /// Bits a second at the most; 0 where unknown.
    public var bandwidth: Int
    /// The codecs' names, such as `avc1.640029`; empty where unknown.
    public var codecs: [String]
    /// Size of the picture; nil where unknown.
    public var resolution: Canvas?

    /// Makes a variant.
    public init(address: MediaAddress, bandwidth: Int, codecs: [String], resolution: Canvas?) {
      self.address = address
      self.bandwidth = bandwidth
      self.codecs = codecs
      self.resolution = resolution
    }

    /// Whether it is declared as Dolby Vision: a server lists such a copy, in which nothing can
    /// have been burned, before the transcode.
    public var isDolbyVision: Bool {
      codecs.contains { name in
        ["dvh1", "dvhe", "dav1", "dva1", "dvav"].contains { name.hasPrefix($0) }
      }
    }

    /// Whether its codecs are all audio and no size is given.
    public var isAudioOnly: Bool {
      resolution == nil && !codecs.isEmpty
        && codecs.allSatisfy { name in
          ["mp4a", "ac-3", "ec-3", "opus", "fLaC", "flac", "alac", "mp3", "dts"].contains {
            name.lowercased().hasPrefix($0.lowercased())
          }
        }
    }
  }

  /// The variants, in the server's order; one at least.
  public var variants: [Variant]

  /// Makes a playlist.
  public init(variants: [Variant]) { self.variants = variants }

  /// The variant to look at: the first with a picture that is no Dolby Vision copy, else the first
  /// with a picture, else the first.
  public var preferredVariant: Variant? {
    variants.first { !$0.isAudioOnly && !$0.isDolbyVision } ?? variants.first { !$0.isAudioOnly }
      ?? variants.first
  }
}

/// A complete playlist of segments.
public struct MediaPlaylist: Sendable, Hashable {
  /// One segment.
  public struct Segment: Sendable, Hashable {
    /// Its position in the playlist, from 0.
    public var number: Int
    /// Where it is.
    public var address: MediaAddress
    /// When it starts: the sum of the durations before it.
    public var start: Timestamp
    /// How long it is by the playlist.
    public var duration: Timestamp
    /// The initialisation segment that belongs in front of it; nil for MPEG-TS.
    public var initialization: MediaAddress?
    /// Whether its times do not continue those of the segment before.
    public var isDiscontinuous: Bool
    /// Whether the server says that it does not exist.
    public var isGap: Bool

    /// Makes a segment.
    public init(
      number: Int, address: MediaAddress, start: Timestamp, duration: Timestamp,
      initialization: MediaAddress? = nil, isDiscontinuous: Bool = false, isGap: Bool = false
    ) {
      self.number = number
      self.address = address
      self.start = start
      self.duration = duration
      self.initialization = initialization
      self.isDiscontinuous = isDiscontinuous
      self.isGap = isGap
    }

    /// When it ends.
    public var end: Timestamp { start + duration }
  }

  /// The segments in order, at least one.
  public var segments: [Segment]

  /// Makes a playlist.
  public init(segments: [Segment]) { self.segments = segments }

  /// When the last segment ends.
  public var duration: Timestamp { segments.last?.end ?? .zero }

  /// Whether the segments are fragments of MP4, with an initialisation segment.
  public var isFragmentedMP4: Bool { segments.contains { $0.initialization != nil } }

  /// The number of the segment within which a time falls; the nearest one outside the playlist.
  public func segmentNumber(at time: Timestamp) -> Int {
    var low = 0
    var high = segments.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if segments[middle].start <= time { low = middle } else { high = middle }
    }
    return low
  }
}
