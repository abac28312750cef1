// SPDX-License-Identifier: Apache-2.0

/// The body of a PlaybackInfo request.
///
/// The first and the second request of a negotiation differ in `subtitleStreamIndex` and in nothing
/// else, so the device profile of the client is the same in both (R1, R3, R12).
public struct PlaybackInfoBody: Sendable, Hashable {
  /// The index that asks for no subtitle.
  public static let noSubtitle = -1

  /// The user's id.
  public var userID: String?
  /// The id of the media source: servers read stream indexes only beside it.
  public var mediaSourceID: String?
  /// Where playback begins, in server ticks of 100 ns.
  public var startTimeTicks: Int64
  /// Whether the answer is for playing.
  public var isPlayback: Bool
  /// Whether a live stream is opened; false, so that an answer that is not used needs no stop.
  public var autoOpenLiveStream: Bool
  /// Whether the file may be played as it is.
  public var enableDirectPlay: Bool
  /// Whether the file may be repackaged.
  public var enableDirectStream: Bool
  /// Whether the file may be transcoded.
  public var enableTranscoding: Bool
  /// The subtitle, by the server's stream index; -1 for none.
  public var subtitleStreamIndex: Int
  /// The audio, by the server's stream index; nil leaves it to the server.
  public var audioStreamIndex: Int?
  /// The cap of the bitrate in bits a second; nil for none.
  public var maxStreamingBitrate: Int?
  /// Whether the video may be copied into a transcode; nil leaves it to the server.
  public var allowVideoStreamCopy: Bool?
  /// What the player can play, in the server's own words.
  public var deviceProfile: WireValue?

  /// The body of a first request, which asks for no subtitle (R1).
  public init(
    userID: String? = nil, mediaSourceID: String? = nil, startTimeTicks: Int64 = 0,
    audioStreamIndex: Int? = nil, maxStreamingBitrate: Int? = nil,
    allowVideoStreamCopy: Bool? = nil, deviceProfile: WireValue? = nil
  ) {
    self.userID = userID
    self.mediaSourceID = mediaSourceID
    self.startTimeTicks = startTimeTicks
    isPlayback = true
    autoOpenLiveStream = false
    enableDirectPlay = true
    enableDirectStream = true
    enableTranscoding = true
    subtitleStreamIndex = Self.noSubtitle
    self.audioStreamIndex = audioStreamIndex
    self.maxStreamingBitrate = maxStreamingBitrate
    self.allowVideoStreamCopy = allowVideoStreamCopy
    self.deviceProfile = deviceProfile
  }

  /// The same body with another subtitle (R3).
  public func asking(forSubtitle index: Int) -> PlaybackInfoBody {
    var body = self
    body.subtitleStreamIndex = index
    return body
  }

  /// The body with direct play and copying of the video forbidden, which makes a server encode.
  public func forbiddingCopy() -> PlaybackInfoBody {
    var body = self
    body.enableDirectPlay = false
    body.enableDirectStream = false
    body.allowVideoStreamCopy = false
    return body
  }

  /// The body as both servers take it; what is nil is left out.
  public var json: WireValue {
    var members: [WireValue.Member] = []
    func add(_ name: String, _ value: WireValue?) {
      if let value { members.append(.init(name, value)) }
    }
    add("UserId", userID.map(WireValue.string))
    add("MediaSourceId", mediaSourceID.map(WireValue.string))
    add("StartTimeTicks", .number("\(startTimeTicks)"))
    add("IsPlayback", .bool(isPlayback))
    add("AutoOpenLiveStream", .bool(autoOpenLiveStream))
    add("EnableDirectPlay", .bool(enableDirectPlay))
    add("EnableDirectStream", .bool(enableDirectStream))
    add("EnableTranscoding", .bool(enableTranscoding))
    add("SubtitleStreamIndex", .integer(subtitleStreamIndex))
    add("AudioStreamIndex", audioStreamIndex.map(WireValue.integer))
    add("MaxStreamingBitrate", maxStreamingBitrate.map(WireValue.integer))
    add("AllowVideoStreamCopy", allowVideoStreamCopy.map(WireValue.bool))
    add("DeviceProfile", deviceProfile)
    return .object(members)
  }
}
