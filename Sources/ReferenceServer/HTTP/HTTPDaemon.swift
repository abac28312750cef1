// SPDX-License-Identifier: Apache-2.0
internal import CMicroHTTPD
internal import Glibc
internal import Synchronization

/// libmicrohttpd with one thread that never waits: each request suspends its connection and is
/// answered by a task.
final class HTTPDaemon: Sendable {
  /// Answers one request; its task is cancelled when the client goes or the server stops.
  typealias Handler = @Sendable (ServerRequest) async -> ServerResponse

  /// Bytes of a request's body that are taken; a device profile has some tens of kilobytes.
  static let bodyLimit = 4 << 20
  /// Seconds after which an idle connection is closed, as the real server does.
  static let idleSeconds: UInt32 = 130

  let held = HeldConnections()
  private let handler: Handler
  private let daemon = Mutex<Daemon?>(nil)
  private let startLog = Mutex<[String]>([])

  /// The library's object; used under the mutex, and the library locks its own state.
  private struct Daemon: @unchecked Sendable { let pointer: OpaquePointer }

  init(handler: @escaping Handler) { self.handler = handler }

  /// Starts to listen.
  ///
  /// - Parameters:
  ///   - host: A numeric address.
  ///   - port: 0 takes a free one.
  /// - Returns: The port.
  /// - Throws: ``ReferenceServerError`` if it cannot listen there.
  func start(host: String, port: UInt16) throws -> UInt16 {
    let started = bs_http_start(
      host, port, Self.idleSeconds,
      { context, connection, _, method, _, upload, uploadSize, exchange in
        HTTPDaemon.access(context, connection, method, upload, uploadSize, exchange)
      },
      { _, target, _ in
        let target = target.map { String(cString: $0) } ?? ""
        return Unmanaged.passRetained(Exchange(target: target)).toOpaque()
      },
      { _, _, exchange, _ in
        guard let exchange, let pointer = exchange.pointee else { return }
        Unmanaged<Exchange>.fromOpaque(pointer).release()
        exchange.pointee = nil
      },
      { context, line in
        guard let context, let line else { return }
        let daemon = Unmanaged<HTTPDaemon>.fromOpaque(context).takeUnretainedValue()
        daemon.startLog.withLock { $0.append(String(cString: line)) }
      },
      Unmanaged.passUnretained(self).toOpaque())
    guard let started else {
      let reason = startLog.withLock { $0.joined(separator: " ") }
      let cause = reason.split(whereSeparator: \.isNewline).joined(separator: " ")
      throw ReferenceServerError(
        .environment,
        "The server cannot listen on \(host) port \(port): \(cause); choose another --port.")
    }
    daemon.withLock { $0 = Daemon(pointer: started) }
    return bs_http_port(started)
  }

  /// Stops listening, ends every request and closes every connection.
  func stop() async {
    let taken = daemon.withLock { daemon in
      defer { daemon = nil }
      return daemon
    }
    guard let taken else { return }
    let listener = MHD_quiesce_daemon(taken.pointer)
    await held.stop()
    MHD_stop_daemon(taken.pointer)
    if listener >= 0 { close(listener) }
  }

  private static func access(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
    _ method: UnsafePointer<CChar>?, _ upload: UnsafePointer<CChar>?,
    _ uploadSize: UnsafeMutablePointer<Int>?,
    _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
  ) -> MHD_Result {
    guard let context, let connection, let uploadSize, let pointer = slot?.pointee else {
      return .NO
    }
    let daemon = Unmanaged<HTTPDaemon>.fromOpaque(context).takeUnretainedValue()
    let exchange = Unmanaged<Exchange>.fromOpaque(pointer).takeUnretainedValue()
    switch exchange.stage {
    case .new:
      exchange.readHead(of: connection, method: method.map { String(cString: $0) } ?? "")
      if exchange.claimedLength > bodyLimit { return queue(.empty(413), on: connection) }
      return .YES
    case .reading where uploadSize.pointee > 0:
      exchange.append(upload, uploadSize.pointee)
      uploadSize.pointee = 0
      return .YES
    case .reading:
      guard !exchange.isTooLong else { return queue(.empty(413), on: connection) }
      let request = exchange.hold()
      let socket = bs_http_socket(connection)
      let isHeld = daemon.held.hold(connection) {
        exchange.answer(with: await daemon.answer(request, socket: socket))
      }
      return isHeld ? .YES : .NO
    case .held: return .YES
    case .answered(let response): return queue(response, on: connection)
    }
  }

  /// Runs the handler and watches the client meanwhile, since the library does not watch a
  /// suspended connection.
  private func answer(_ request: ServerRequest, socket: Int32) async -> ServerResponse {
    let work = Task { await handler(request) }
    let watch = Task {
      while !Task.isCancelled {
        try? await Task.sleep(for: .milliseconds(100))
        guard !Task.isCancelled, bs_http_peer_is_gone(socket) != 0 else { continue }
        work.cancel()
        return true
      }
      return false
    }
    let response = await withTaskCancellationHandler {
      await work.value
    } onCancel: {
      work.cancel()
    }
    watch.cancel()
    return await watch.value ? ServerResponse(status: 499, body: .hangUp) : response
  }
}
