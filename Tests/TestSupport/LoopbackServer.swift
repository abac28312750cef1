// SPDX-License-Identifier: Apache-2.0
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// An HTTP/1.1 server on 127.0.0.1 for tests, with the faults of real ones on request.
///
/// One thread a connection, connections kept alive. It ends, and with it every hanging answer, when
/// `stop()` is called or the last reference goes.
package final class LoopbackServer: Sendable {
  /// What a client asked.
  package struct Request: Sendable {
    package var method: String
    /// Path and query as sent.
    package var target: String
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]
    /// Which connection it came by, from 0.
    package var connection: Int

    package func header(_ name: String) -> String? {
      headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
    package var path: String { String(target.prefix { $0 != "?" }) }
    package var query: String? {
      target.firstIndex(of: "?").map { String(target[target.index(after: $0)...]) }
    }
  }

  /// How an answer's bytes are handed over.
  package enum Delivery: Sendable {
    /// As they should be.
    case whole
    /// Status, headers with the whole length, so many bytes of body, and the connection is closed.
    case cut(after: Int)
    /// Nothing at all, until the client goes.
    case hang
    /// Status and headers, then nothing, until the client goes.
    case hangAfterHeaders
    /// One byte of the body every so many milliseconds.
    case drip(milliseconds: Int32)
    /// One byte of the head every so many milliseconds.
    case dripHead(milliseconds: Int32)
    /// The body over and over, without a length, until the client goes.
    case endless
    /// In chunks; cut before the last one when told.
    case chunked(isCut: Bool)
    /// The body alone, as the whole of what is sent, then closed.
    case raw
    /// The connection is closed without a byte.
    case closed
  }

  /// What is answered.
  package struct Answer: Sendable {
    package var status: Int
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]
    package var delivery: Delivery
    /// Whether a Range field is answered with 206.
    package var allowsRanges: Bool

    package init(
      _ status: Int = 200, headers: [(name: String, value: String)] = [], body: [UInt8] = [],
      delivery: Delivery = .whole, allowsRanges: Bool = false
    ) {
      self.status = status
      self.headers = headers
      self.body = body
      self.delivery = delivery
      self.allowsRanges = allowsRanges
    }

    /// A text.
    package static func text(_ text: String, status: Int = 200) -> Answer {
      Answer(status, headers: [("Content-Type", "text/plain")], body: Array(text.utf8))
    }

    /// A redirect.
    package static func redirect(_ location: String, status: Int = 302) -> Answer {
      Answer(status, headers: [("Location", location)])
    }
  }

  package struct Failure: Error { package let step: String }

  /// The port it listens on.
  package let port: Int
  private let state: State

  /// Starts a server that answers by the closure, which is called on several threads at once.
  package init(_ answer: @escaping @Sendable (Request) -> Answer) throws {
    let listener = socket(AF_INET, streamSocket, 0)
    guard listener >= 0 else { throw Failure(step: "socket") }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isReady = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && listen(listener, 64) == 0
          && getsockname(listener, $0, &length) == 0
      }
    }
    var ends: [Int32] = [0, 0]
    guard isReady, pipe(&ends) == 0 else {
      close(listener)
      throw Failure(step: "bind")
    }
    port = Int(UInt16(bigEndian: address.sin_port))
    let state = State(listener: listener, stopReader: ends[0], stopWriter: ends[1], answer: answer)
    self.state = state
    startThread { state.acceptAll() }
  }

  deinit { stop() }

  /// `http://127.0.0.1:port`, without a slash at the end.
  package var url: String { "http://127.0.0.1:\(port)" }

  /// Everything asked so far, in order of arrival.
  package var requests: [Request] { state.requests.withLock { $0 } }

  /// Ends the server; hanging answers are cut.
  package func stop() { state.stop() }
}

#if canImport(Glibc)
  private let streamSocket = Int32(SOCK_STREAM.rawValue)
#else
  private let streamSocket = SOCK_STREAM
#endif

/// `send` of the system, which a method of that name hides.
private func systemSend(
  _ socket: Int32, _ bytes: UnsafeRawPointer?, _ count: Int, _ flags: Int32
) -> Int {
  send(socket, bytes, count, flags)
}

/// Runs the work on a detached thread.
private func startThread(_ work: @escaping @Sendable () -> Void) {
  final class Box {
    let work: @Sendable () -> Void
    init(_ work: @escaping @Sendable () -> Void) { self.work = work }
  }
  let context = Unmanaged.passRetained(Box(work)).toOpaque()
  #if canImport(Glibc)
    var thread = pthread_t()
    let status = pthread_create(
      &thread, nil,
      { context in
        if let context { Unmanaged<Box>.fromOpaque(context).takeRetainedValue().work() }
        return nil
      }, context)
    if status == 0 { pthread_detach(thread) }
  #else
    var thread: pthread_t?
    let status = pthread_create(
      &thread, nil,
      { context in
        Unmanaged<Box>.fromOpaque(context).takeRetainedValue().work()
        return nil
      }, context)
    if let thread { pthread_detach(thread) }
  #endif
  if status != 0 { Unmanaged<Box>.fromOpaque(context).release() }
}

/// What the server's threads share.
private final class State: Sendable {
  let requests = Mutex<[LoopbackServer.Request]>([])
  private let listener: Int32
  private let stopReader: Int32
  private let stopWriter: Int32
  private let isStopped = Atomic<Bool>(false)
  private let connections = Atomic<Int>(0)
  private let answer: @Sendable (LoopbackServer.Request) -> LoopbackServer.Answer

  init(
    listener: Int32, stopReader: Int32, stopWriter: Int32,
    answer: @escaping @Sendable (LoopbackServer.Request) -> LoopbackServer.Answer
  ) {
    self.listener = listener
    self.stopReader = stopReader
    self.stopWriter = stopWriter
    self.answer = answer
  }

  /// The threads keep the state alive, so the pipe is closed when the last of them is gone.
  deinit { close(stopReader) }

  func stop() {
    if !isStopped.exchange(true, ordering: .relaxed) { close(stopWriter) }
  }

  func acceptAll() {
    while waitForInput(listener, milliseconds: -1) {
      let client = accept(listener, nil, nil)
      guard client >= 0 else { continue }
      let number = connections.wrappingAdd(1, ordering: .relaxed).oldValue
      startThread { [self] in
        Connection(client, number: number, state: self).serve(answer)
        close(client)
      }
    }
    close(listener)
  }

  /// Waits for input or the client's end; false when the server stops or the time is up.
  func waitForInput(_ descriptor: Int32, milliseconds: Int32) -> Bool {
    var waiting = [
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: stopReader, events: Int16(POLLIN), revents: 0),
    ]
    let count = poll(&waiting, 2, milliseconds)
    return count > 0 && waiting[1].revents == 0 && !isStopped.load(ordering: .relaxed)
  }
}

/// One connection, served on its own thread.
private struct Connection {
  let client: Int32
  let number: Int
  let state: State
  var pending: [UInt8] = []

  init(_ client: Int32, number: Int, state: State) {
    self.client = client
    self.number = number
    self.state = state
  }

  func serve(_ answer: (LoopbackServer.Request) -> LoopbackServer.Answer) {
    var connection = self
    while let request = connection.nextRequest() {
      state.requests.withLock { $0.append(request) }
      guard deliver(answer(request), to: request) else { return }
    }
  }

  /// More bytes of the client's; false at its end.
  private mutating func readMore() -> Bool {
    guard state.waitForInput(client, milliseconds: -1) else { return false }
    var buffer = [UInt8](repeating: 0, count: 65536)
    let count = recv(client, &buffer, buffer.count, 0)
    guard count > 0 else { return false }
    pending += buffer[..<count]
    return true
  }

  private mutating func nextRequest() -> LoopbackServer.Request? {
    var end = pending.firstRange(of: Array("\r\n\r\n".utf8))
    while end == nil {
      guard pending.count < 1 << 20, readMore() else { return nil }
      end = pending.firstRange(of: Array("\r\n\r\n".utf8))
    }
    guard let end else { return nil }
    let head = String(decoding: pending[..<end.lowerBound], as: UTF8.self)
    let lines = head.split(separator: "\r\n")
    let words = lines.first?.split(separator: " ") ?? []
    guard words.count == 3 else { return nil }
    let headers = lines.dropFirst().compactMap { line -> (name: String, value: String)? in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      return (
        String(line[..<colon]),
        String(line[line.index(after: colon)...].drop { $0 == " " })
      )
    }
    pending.removeSubrange(..<end.upperBound)
    var request = LoopbackServer.Request(
      method: String(words[0]), target: String(words[1]), headers: headers, body: [],
      connection: number)
    let length = request.header("Content-Length").flatMap { Int($0) } ?? 0
    while pending.count < length { guard readMore() else { return nil } }
    request.body = Array(pending[..<length])
    pending.removeSubrange(..<length)
    return request
  }

  private func send(_ bytes: some Collection<UInt8>) -> Bool {
    let bytes = Array(bytes)
    var done = 0
    while done < bytes.count {
      #if canImport(Glibc)
        let flags = Int32(MSG_NOSIGNAL)
      #else
        let flags: Int32 = 0
      #endif
      let count = bytes.withUnsafeBytes { buffer in
        systemSend(client, buffer.baseAddress.map { $0 + done }, bytes.count - done, flags)
      }
      guard count > 0 else { return false }
      done += count
    }
    return true
  }

  /// One byte at a time; ends early when the client goes or the server stops.
  private func drip(_ bytes: [UInt8], every milliseconds: Int32) -> Bool {
    for byte in bytes {
      guard send([byte]) else { return false }
      if state.waitForInput(client, milliseconds: milliseconds) { return false }
    }
    return true
  }

  /// Hands the answer over; false when the connection is to be closed.
  private func deliver(
    _ original: LoopbackServer.Answer, to request: LoopbackServer.Request
  ) -> Bool {
    let answer = original.cutToRange(of: request)
    var head = "HTTP/1.1 \(answer.status) Loopback\r\n"
    for (name, value) in answer.headers { head += "\(name): \(value)\r\n" }
    let length = "Content-Length: \(answer.body.count)\r\n\r\n"
    let hasBody = request.method != "HEAD"
    let ownLength = answer.headers.contains { $0.name.lowercased() == "content-length" }
    let whole = Array((head + (ownLength ? "\r\n" : length)).utf8)
    switch answer.delivery {
    case .whole: return send(whole + (hasBody ? answer.body : []))
    case .cut(let count):
      _ = send(whole + answer.body.prefix(count))
      return false
    case .hang: _ = state.waitForInput(client, milliseconds: -1)
    case .hangAfterHeaders:
      _ = send(whole) && state.waitForInput(client, milliseconds: -1)
    case .drip(let pause): return send(whole) && drip(answer.body, every: pause)
    case .dripHead(let pause): return drip(whole, every: pause) && send(answer.body)
    case .endless:
      guard send(Array((head + "\r\n").utf8)) else { return false }
      let block = answer.body.isEmpty ? [0] : answer.body
      while send(block), !state.waitForInput(client, milliseconds: 0) {}
    case .chunked(let isCut): return sendChunks(answer.body, after: head, isCut: isCut)
    case .raw: _ = send(answer.body)
    case .closed: break
    }
    return false
  }

  private func sendChunks(_ body: [UInt8], after head: String, isCut: Bool) -> Bool {
    guard send(Array((head + "Transfer-Encoding: chunked\r\n\r\n").utf8)) else { return false }
    for start in stride(from: 0, to: body.count, by: 1000) {
      let chunk = body[start..<min(start + 1000, body.count)]
      let size = String(chunk.count, radix: 16)
      guard send(Array("\(size)\r\n".utf8) + chunk + Array("\r\n".utf8)) else { return false }
    }
    if isCut { return false }
    return send(Array("0\r\n\r\n".utf8))
  }
}

extension LoopbackServer.Answer {
  /// The part that the request's Range field names, as 206 or 416.
  fileprivate func cutToRange(of request: LoopbackServer.Request) -> LoopbackServer.Answer {
    guard allowsRanges, status == 200, let field = request.header("Range"),
      let equals = field.firstIndex(of: "=")
    else { return self }
    let ends = field[field.index(after: equals)...].split(
      separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let first = Int(ends[0]) else { return self }
    var part = self
    guard first < body.count else {
      part.status = 416
      part.body = []
      part.headers.append(("Content-Range", "bytes */\(body.count)"))
      return part
    }
    let last = min(Int(ends[1]) ?? body.count - 1, body.count - 1)
    part.status = 206
    part.body = Array(body[first...last])
    part.headers.append(("Content-Range", "bytes \(first)-\(last)/\(body.count)"))
    return part
  }
}
