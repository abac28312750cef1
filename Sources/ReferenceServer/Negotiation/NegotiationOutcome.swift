// SPDX-License-Identifier: Apache-2.0

/// How a subtitle track gets to the viewer.
enum DeliveryMethod: String, Sendable {
  case encode = "Encode"
  case external = "External"
}

/// A track's delivery.
struct SubtitleDelivery: Sendable, Equatable {
  var method: DeliveryMethod
  /// Where the track can be had by itself.
  var url: String?
}

/// What a negotiation comes to.
struct NegotiationOutcome: Sendable, Equatable {
  var supportsDirectPlay: Bool
  var supportsTranscoding: Bool
  var transcodingURL: String?
  /// The address of the file as it is, where the server tells it.
  var directURL: String?
  /// The container of the segments: `ts` or `mp4`.
  var container: String?
  var audioIndex: Int?
  /// The index that was asked for or chosen, echoed also if it names nothing; nil for none chosen.
  var subtitleIndex: Int?
  /// By stream index.
  var deliveries: [Int: SubtitleDelivery]
}
