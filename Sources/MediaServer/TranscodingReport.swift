// SPDX-License-Identifier: Apache-2.0
internal import HTTPTransport

/// What a server says of a running transcode: a hint, never a proof.
///
/// Jellyfin says whether the video is copied, and nothing of subtitles; Emby lists the steps of its
/// subtitle pipelines.
public struct TranscodingReport: Sendable, Hashable {
  /// Whether the video is copied, so that nothing can be burned in; nil if not said.
  public var isVideoDirect: Bool?
  /// Reasons for transcoding, in the server's words.
  public var reasons: [String]
  /// Step types of Emby's subtitle pipelines, such as `SubtitleOverlay`; empty on Jellyfin.
  public var subtitleSteps: [String]

  /// Makes a report.
  public init(isVideoDirect: Bool?, reasons: [String] = [], subtitleSteps: [String] = []) {
    self.isVideoDirect = isVideoDirect
    self.reasons = reasons
    self.subtitleSteps = subtitleSteps
  }

  /// Emby's steps that draw a subtitle into the picture.
  static let drawingSteps: Set<String> = ["subtitleoverlay", "burningraphicsubs", "burnintextsubs"]
  /// Words kept at most, and letters of each: an answer may be hostile.
  private static let mostWords = 32
  private static let mostLetters = 40

  /// Whether a pipeline holds a step that draws a subtitle; nil where no pipeline is listed.
  public var drawsSubtitle: Bool? {
    subtitleSteps.isEmpty
      ? nil : subtitleSteps.contains { Self.drawingSteps.contains($0.lowercased()) }
  }

  /// The report in a sentence, for notes.
  public var note: String {
    var parts: [String] = []
    if let isVideoDirect {
      parts.append(isVideoDirect ? "it copies the video" : "it encodes the video anew")
    }
    if let drawsSubtitle {
      parts.append(
        drawsSubtitle
          ? "a step of its subtitle pipeline draws into the picture"
          : "no step of its subtitle pipeline draws into the picture")
    }
    return "the server says of the transcode: "
      + (parts.isEmpty ? "nothing of use" : parts.joined(separator: ", ")) + " (Sessions)"
  }

  /// Reads a session's `TranscodingInfo`; nil if it is none.
  init?(_ json: JSONValue) {
    guard case .object = json else { return nil }
    let pipelines = json["SubtitlePipelineInfos"].elements
    // A list of lists of steps; some builds give one list.
    let steps = pipelines.flatMap { $0.elements.isEmpty ? [$0] : $0.elements }
    self.init(
      isVideoDirect: json["IsVideoDirect"].truth,
      reasons: Self.words(json["TranscodeReasons"].elements.compactMap(\.text)),
      subtitleSteps: Self.words(
        steps.compactMap { $0["StepTypeName"].text ?? $0["StepType"].text }))
  }

  private static func words(_ texts: [String]) -> [String] {
    texts.prefix(mostWords).map { text in
      String(text.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }.prefix(mostLetters))
    }
  }
}

extension MediaServerConnection {
  /// What the server says of the transcode that this device has running.
  ///
  /// - Parameter deviceID: The device, as the transcode's URL names it; nil for this client's own.
  /// - Returns: The report; nil if the server lists no transcode of the device, or will not say.
  public func transcodingReport(deviceID: String? = nil) -> TranscodingReport? {
    let device = deviceID ?? identity.deviceID
    guard
      let headers = try? mediaHeaders(),
      let sessions = try? call(
        .get, "/Sessions?deviceId=\(URLReference.encodingComponent(device))", headers: headers)
    else { return nil }
    let own = sessions.elements.filter { $0["DeviceId"].text == device }
    return own.lazy.compactMap { TranscodingReport($0["TranscodingInfo"]) }.first
  }
}
