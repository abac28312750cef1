// SPDX-License-Identifier: Apache-2.0
public import HTTPTransport
internal import MediaContainer
internal import Synchronization

/// What fetching has cost so far.
public struct FetchStatistics: Sendable, Hashable {
  /// Requests sent, those tried again included.
  public var requests = 0
  /// Media segments that came whole and look like media.
  public var segments = 0
  /// Media segments that did not.
  public var missingSegments = 0
  /// Bytes of bodies received whole.
  public var bytes: Int64 = 0

  /// Makes statistics of nothing.
  public init() {}
}

/// How a stream is fetched and decoded.
public struct HLSOptions: Sendable {
  /// Header fields for every request to the origin of the first address; other origins get none.
  public var headers: [(String, String)]
  /// Deadlines and caps of a playlist.
  public var playlistLimits: HTTPLimits
  /// Deadlines and caps of a segment.
  public var segmentLimits: HTTPLimits
  /// Threads that decode.
  public var decodingThreads: Int

  /// Makes options.
  public init(
    headers: [(String, String)] = [], playlistLimits: HTTPLimits = .playlist,
    segmentLimits: HTTPLimits = .segment, decodingThreads: Int = 1
  ) {
    self.headers = headers
    self.playlistLimits = playlistLimits
    self.segmentLimits = segmentLimits
    self.decodingThreads = decodingThreads
  }
}

/// Fetches what a session needs, counts it, and tries once more where that may help.
final class SegmentFetcher: Sendable {
  private let client: HTTPClient
  private let options: HLSOptions
  private let origin: URLReference
  private let cancellation: CancellationFlag?
  private let counted = Mutex(FetchStatistics())
  private let first = Mutex<HLSFault?>(nil)
  private let initializations = Mutex<[MediaAddress: [UInt8]]>([:])

  /// Segments that may fail before any came; a stream that gives none of these gives none at all.
  private static let hopelessLimit = 4

  /// Initialisation segments kept; a stream has one, or one a discontinuity.
  private static let initializationLimit = 8

  init(url: String, client: HTTPClient, options: HLSOptions, cancellation: CancellationFlag?) {
    self.client = client
    self.options = options
    self.cancellation = cancellation
    origin = URLReference(url)
  }

  var statistics: FetchStatistics { counted.withLock { $0 } }

  /// Why the first media segment that did not come did not.
  var firstFault: HLSFault? { first.withLock { $0 } }

  /// Whether so many segments failed, and none came, that it is not worth asking for more.
  var isHopeless: Bool {
    counted.withLock { $0.segments == 0 && $0.missingSegments >= Self.hopelessLimit }
  }

  func checkCancellation() throws {
    if cancellation?.isCancelled == true { throw CancellationError() }
  }

  /// A playlist and the URL that answered.
  func playlist(_ url: String) throws -> (bytes: [UInt8], url: String) {
    let reply = try fetch(MediaAddress(url: url), limits: options.playlistLimits)
    return (reply.body, reply.finalURL)
  }

  /// An initialisation segment, from memory where it came before.
  func initialization(_ address: MediaAddress) throws -> [UInt8] {
    if let known = initializations.withLock({ $0[address] }) { return known }
    let bytes = try fetch(address, limits: options.segmentLimits).body
    initializations.withLock { kept in
      if kept.count >= Self.initializationLimit { kept.removeAll() }
      kept[address] = bytes
    }
    return bytes
  }

  /// A media segment.
  ///
  /// - Parameters:
  ///   - address: Where it is.
  ///   - isMedia: Whether an answer is what it should be.
  /// - Returns: The segment's bytes.
  /// - Throws: `HLSFault`, `CancellationError`.
  func segment(_ address: MediaAddress, isMedia: ([UInt8]) -> Bool) throws -> [UInt8] {
    do {
      let bytes = try fetch(address, limits: options.segmentLimits).body
      guard isMedia(bytes) else {
        throw HLSFault(
          .malformed, "\(address): the answer of \(bytes.count) bytes is no media segment")
      }
      counted.withLock { $0.segments += 1 }
      return bytes
    } catch let fault as HLSFault {
      counted.withLock { $0.missingSegments += 1 }
      first.withLock { $0 = $0 ?? fault }
      throw fault
    }
  }

  /// One answer of success; one more try after a lost connection or a server's failure.
  private func fetch(_ address: MediaAddress, limits: HTTPLimits) throws -> HTTPReply {
    let isOwn = URLReference(address.url).hasSameOrigin(as: origin)
    let request = HTTPRequest(
      .get, address.url, headers: isOwn ? options.headers : [], range: address.range,
      limits: limits)
    do throws(HLSFault) {
      return try once(request)
    } catch {
      try checkCancellation()
      guard error.mayPass else { throw error }
      do throws(HLSFault) {
        return try once(request)
      } catch {
        try checkCancellation()
        throw error
      }
    }
  }

  private func once(_ request: HTTPRequest) throws(HLSFault) -> HTTPReply {
    counted.withLock { $0.requests += 1 }
    let reply: HTTPReply
    do throws(HTTPFault) {
      reply = try client.send(request) { [cancellation] in cancellation?.isCancelled == true }
    } catch {
      throw HLSFault(error)
    }
    counted.withLock { $0.bytes += Int64(reply.body.count) }
    guard reply.isSuccess else {
      throw HLSFault(.status(reply.status), "\(request): the server answered \(reply.status)")
    }
    guard let range = request.range else { return reply }
    guard reply.body.count == range.count else {
      throw HLSFault(
        .ranges, "\(request): \(reply.body.count) bytes came for a range of \(range.count)")
    }
    return reply
  }
}

extension HLSFault {
  /// Whether asking once more may help.
  var mayPass: Bool {
    switch kind {
    case .status(let status): status >= 500
    case .transport(.unreachable), .transport(.truncated): true
    default: false
    }
  }
}
