// SPDX-License-Identifier: Apache-2.0

extension BurnIn {
  /// Whether the answer to a burn-in request confirms the burn-in of the stream (R6).
  ///
  /// The URL must name the stream, and name `Encode` as the method; only if it names no method may
  /// the stream's own delivery method say so (A1). Names and words are compared without regard to
  /// letter case, the index must be written in digits, an empty method counts as absent, and a URL
  /// that contradicts itself never confirms (A5).
  /// - Parameters:
  ///   - index: The server's index of the stream that was asked for.
  ///   - transcodingURL: The answer's `TranscodingUrl`.
  ///   - deliveryMethod: The `DeliveryMethod` of that stream in the same answer.
  /// - Returns: True only if nothing in the answer speaks against it.
  public static func confirms(
    index: Int, transcodingURL: String?, deliveryMethod: String?
  ) -> Bool {
    guard let transcodingURL else { return false }
    let query = StreamQuery(url: transcodingURL)
    let indexes = query.values("SubtitleStreamIndex")
    guard !indexes.isEmpty, indexes.allSatisfy({ Text.strictInteger($0) == index }) else {
      return false
    }
    let methods = query.values("SubtitleMethod").map(Text.folded).filter { !$0.isEmpty }
    if methods.isEmpty { return deliveryMethod.map(Text.folded) == "encode" }
    return methods.allSatisfy { $0 == "encode" }
  }

  /// The reasons of a transcode, from its `TranscodingUrl` (R25).
  ///
  /// They are separated by commas; versions before Jellyfin 10.11 write a blank after the comma.
  public static func transcodeReasons(transcodingURL: String?) -> [String] {
    guard let transcodingURL else { return [] }
    return StreamQuery(url: transcodingURL).values("TranscodeReasons").flatMap { value in
      value.split(separator: ",")
        .map { Text.trimmed($0.replacing("+", with: " ")) }
        .filter { !$0.isEmpty }
    }
  }

  /// Transcode reasons for which the video can stay as it is, in lower case (R24).
  ///
  /// `ContainerBitrateExceedsLimit` needs an encode and is not among them; nor is
  /// `DirectPlayError`; a name that is not known counts as a video reason (A6).
  static let audioAndContainerReasons: Set<String> = [
    "audiocodecnotsupported", "audiobitratenotsupported", "audiochannelsnotsupported",
    "audioprofilenotsupported", "audiosampleratenotsupported", "audiobitdepthnotsupported",
    "audiodelaynotsupported", "audioisexternal", "externalaudionotsupported",
    "secondaryaudionotsupported", "unknownaudiostreaminfo", "containernotsupported",
  ]

  /// Whether a transcode only repackages the video, so that a burn-in would make it encode (R24).
  ///
  /// - Parameters:
  ///   - videoCodec: The codec of the source's video; `h264` and `avc` are H.264 (A8).
  ///   - transcodeReasons: The reasons in the first answer. Without a reason nothing shows that the
  ///     video is kept (A7).
  ///   - allowsVideoStreamCopy: False if the client forbade copying the video.
  /// - Returns: True if every reason is one of audio or container.
  public static func videoCopyOnly(
    videoCodec: String?, transcodeReasons: [String], allowsVideoStreamCopy: Bool
  ) -> Bool {
    guard allowsVideoStreamCopy, !transcodeReasons.isEmpty, let codec = videoCodec.map(Text.folded),
      codec == "h264" || codec == "avc"
    else { return false }
    return transcodeReasons.allSatisfy { audioAndContainerReasons.contains(Text.folded($0)) }
  }
}
