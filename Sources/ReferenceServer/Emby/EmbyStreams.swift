// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// What each play session was asked for, since the addresses of Emby's segments name nothing but
/// the session.
final class EmbyStreams: Sendable {
  /// What the newest media playlist of a session asked for.
  struct Stream: Sendable {
    var plan: StreamPlan
    var deviceID: String
    /// Whether the address said EnableDirectStream=false, after which no segment is found.
    var isBroken: Bool
  }

  /// Sessions that are remembered; the oldest is forgotten first.
  static let countLimit = 256

  private struct State {
    var streams: [String: Stream] = [:]
    var order: [String] = []
  }

  private let state = Mutex(State())

  /// The stream of a session.
  subscript(_ session: String) -> Stream? { state.withLock { $0.streams[session] } }

  /// Remembers what a session asks for from now on.
  func remember(_ stream: Stream, of session: String) {
    state.withLock { state in
      state.order.removeAll { $0 == session }
      state.order.append(session)
      state.streams[session] = stream
      if state.order.count > Self.countLimit {
        state.streams[state.order.removeFirst()] = nil
      }
    }
  }
}

extension Service {
  /// Emby's media playlist; what it asks for is remembered for its segments.
  func embyMediaPlaylist(_ call: Call, plan: StreamPlan) throws -> String? {
    let caller = try call.authorized()
    let session = call.request.parameter("PlaySessionId") ?? Identifier.random()
    guard session.utf8.count <= 100, session.utf8.allSatisfy(Self.isPlain) else {
      throw Refusal(.plain(400))
    }
    streams.remember(
      EmbyStreams.Stream(
        plan: plan, deviceID: call.request.parameter("DeviceId") ?? caller.identity.deviceID,
        isBroken: call.request.flag("EnableDirectStream") == false), of: session)
    return Playlists(plan: plan, query: call.request.query).embyMedia(playSessionID: session)
  }

  /// Letters, digits and what needs no escape in an address.
  private static func isPlain(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
      || byte == 0x2D || byte == 0x2E || byte == 0x5F
  }

  /// Where Emby's segment begins, and of which stream it is.
  func embySegment(_ call: Call, number: Int) throws -> SegmentOrder {
    if configuration.faults.contains(.missingSegment(number)) { throw Refusal(.plain(503)) }
    guard let session = call.request.parameter("PlaySessionId"), let stream = streams[session],
      !stream.isBroken, let film = itemID(call["item"]), stream.plan.film.id == film
    else { throw Refusal(.plain(404)) }
    var key = Transcoder.Key(
      path: stream.plan.film.path, userAgent: "", deviceID: stream.deviceID,
      playSessionID: session)
    // The name of the output comes from the whole order there, so that another track is another
    // output even in the same session.
    key.variant =
      "\(stream.plan.burned?.index ?? -1) \(stream.plan.audio?.index ?? -1) "
      + "\(stream.plan.copiesVideo) \(stream.plan.width)x\(stream.plan.height)"
    return SegmentOrder(
      plan: stream.plan, key: key, ticks: max(number, 0) * stream.plan.segmentLength * 10_000_000)
  }
}
