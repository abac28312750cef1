// SPDX-License-Identifier: Apache-2.0
public import HTTPTransport
public import MediaContainer
internal import Synchronization

/// A file behind a URL, read by byte ranges and kept in blocks.
///
/// Reading in order asks for several blocks at once; the blocks last used stay in memory. Calls
/// block, also against each other.
public final class HTTPRangeSource: ByteSource {
  /// One block; a demuxer reads about as much for one cluster of a film.
  public static let blockSize = 512 << 10
  /// One block for reads here and there; a picture of a subtitle with the heads around it.
  public static let smallBlockSize = 32 << 10
  /// Blocks asked for at once when reading in order.
  public static let blocksAhead = 8
  /// Blocks kept: 32 MB, of small ones 2 MB.
  public static let blockLimit = 64

  /// The URL without its query.
  public let name: String
  /// The file's size, as the server said at the start.
  public let byteCount: Int64?

  private let request: HTTPRequest
  private let client: HTTPClient
  private let cancellation: CancellationFlag?
  private let size: Int64
  private let block: Int
  private let ahead: Int64
  private let state: Mutex<Blocks>

  /// The blocks in memory and what they have cost.
  private struct Blocks {
    var bytes: [Int64: [UInt8]] = [:]
    /// Block numbers, the one used last at the end.
    var order: [Int64] = []
    /// The block behind the last one fetched.
    var next: Int64 = 0
    var statistics = FetchStatistics()

    mutating func touch(_ number: Int64) {
      if order.last == number { return }
      if let place = order.lastIndex(of: number) { order.remove(at: place) }
      order.append(number)
    }

    mutating func keep(_ number: Int64, _ block: [UInt8]) {
      bytes[number] = block
      touch(number)
      while order.count > HTTPRangeSource.blockLimit { bytes[order.removeFirst()] = nil }
    }
  }

  /// Asks for the first block, which tells the size and whether ranges are answered at all.
  ///
  /// - Parameters:
  ///   - url: The file.
  ///   - client: What fetches.
  ///   - headers: Header fields of every request.
  ///   - isSparse: Whether little will be read, at many places: then blocks are small, and none is
  ///     asked for ahead.
  ///   - cancellation: Ends any call early, with `CancellationError`.
  /// - Throws: `HLSFault`, of kind `.ranges` where the server does not answer ranges.
  public init(
    url: String, client: HTTPClient, headers: [(String, String)] = [], isSparse: Bool = false,
    cancellation: CancellationFlag? = nil
  ) throws {
    self.client = client
    block = isSparse ? Self.smallBlockSize : Self.blockSize
    ahead = isSparse ? 1 : Int64(Self.blocksAhead)
    self.cancellation = cancellation
    name = URLReference.redacted(url)
    request = HTTPRequest(.get, url, headers: headers, limits: .block)
    var statistics = FetchStatistics()
    let answer = try Self.fetch(
      request, 0..<Int64(block), client, cancellation, &statistics)
    size = answer.size
    byteCount = answer.size
    var blocks = Blocks(statistics: statistics)
    blocks.keep(0, answer.bytes)
    blocks.next = 1
    state = Mutex(blocks)
  }

  /// What fetching has cost so far; segments stay 0.
  public var statistics: FetchStatistics { state.withLock { $0.statistics } }

  /// Reads bytes at an offset, at most to the end of a block.
  ///
  /// - Throws: `HLSFault`, `CancellationError`.
  public func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    guard offset >= 0, offset < size, !buffer.isEmpty else { return 0 }
    let number = offset / Int64(block)
    let inside = Int(offset % Int64(block))
    return try state.withLock { blocks in
      if blocks.bytes[number] == nil { try load(number, &blocks) }
      guard let present = blocks.bytes[number], inside < present.count else { return 0 }
      blocks.touch(number)
      let count = min(buffer.count, present.count - inside)
      present.withUnsafeBytes { bytes in
        UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]).copyMemory(
          from: UnsafeRawBufferPointer(rebasing: bytes[inside..<(inside + count)]))
      }
      return count
    }
  }

  /// Fetches a block, and those behind it when reading in order.
  private func load(_ number: Int64, _ blocks: inout Blocks) throws {
    let blockSize = Int64(block)
    let start = number * blockSize
    var count: Int64 = 1
    if number == blocks.next {
      while count < ahead, blocks.bytes[number + count] == nil { count += 1 }
    }
    let range = start..<min(start + count * blockSize, size)
    let answer = try Self.fetch(request, range, client, cancellation, &blocks.statistics)
    guard answer.size == size, answer.bytes.count == range.count else {
      throw HLSFault(
        .ranges,
        "\(name): \(answer.bytes.count) of \(answer.size) bytes came for bytes \(range.lowerBound)-"
          + "\(range.upperBound - 1) of \(size): the file has changed")
    }
    for index in 0..<count {
      let first = Int(index * blockSize)
      guard first < answer.bytes.count else { break }
      let last = min(first + block, answer.bytes.count)
      blocks.keep(number + index, Array(answer.bytes[first..<last]))
    }
    blocks.next = number + count
  }

  /// One range and the size of the whole; one more try after a lost connection or a failure.
  private static func fetch(
    _ request: HTTPRequest, _ range: Range<Int64>, _ client: HTTPClient,
    _ cancellation: CancellationFlag?, _ statistics: inout FetchStatistics
  ) throws -> (bytes: [UInt8], size: Int64) {
    var request = request
    request.range = range
    var isSecondTry = false
    while true {
      statistics.requests += 1
      do {
        let reply = try client.send(request) { cancellation?.isCancelled == true }
        let answer = try read(reply, to: request, range)
        statistics.bytes += Int64(answer.bytes.count)
        return answer
      } catch {
        let fault = (error as? HTTPFault).map { HLSFault($0) } ?? error as? HLSFault
        guard let fault else { throw error }
        if cancellation?.isCancelled == true { throw CancellationError() }
        guard !isSecondTry, fault.mayPass else {
          throw fault.kind == .transport(.rangeIgnored)
            ? HLSFault(.ranges, fault.description) : fault
        }
        isSecondTry = true
      }
    }
  }

  /// The bytes of a 206 and the size it tells.
  private static func read(
    _ reply: HTTPReply, to request: HTTPRequest, _ range: Range<Int64>
  ) throws(HLSFault) -> (bytes: [UInt8], size: Int64) {
    guard reply.status == 206 || reply.isSuccess else {
      let isEmpty = reply.status == 416 && range.lowerBound == 0
      throw HLSFault(
        .status(reply.status),
        isEmpty
          ? "\(request): the file is empty (status 416)"
          : "\(request): the server answered \(reply.status)")
    }
    // Content-Range: bytes first-last/size
    let fields = (reply.header("Content-Range") ?? "").split { " -/".contains($0) }
    guard reply.status == 206, fields.count == 4, fields[0].lowercased() == "bytes",
      let first = Int64(fields[1]), let last = Int64(fields[2]), let size = Int64(fields[3]),
      first == range.lowerBound, last >= first, last < min(range.upperBound, size),
      last - first + 1 == reply.body.count
    else {
      throw HLSFault(
        .ranges,
        "\(request): the server does not answer byte ranges properly (status \(reply.status), "
          + "\(reply.body.count) bytes)")
    }
    return (reply.body, size)
  }
}
