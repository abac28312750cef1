// SPDX-License-Identifier: Apache-2.0
import CCurlShims
import Synchronization

/// Settings of a client.
public struct HTTPConfiguration: Sendable, Hashable {
  /// A PEM file with the certificates to trust instead of the system's; nil for the system's.
  public var certificateAuthorityFile: String?
  /// What the client calls itself.
  ///
  /// A media server may name its job's files by it: keep it constant.
  public var userAgent: String
  /// Whether the proxies that the environment names are used.
  ///
  /// Loopback hosts are always asked directly.
  public var usesProxyFromEnvironment: Bool

  /// Makes settings.
  public init(
    certificateAuthorityFile: String? = nil, userAgent: String = "burnscope",
    usesProxyFromEnvironment: Bool = true
  ) {
    self.certificateAuthorityFile = certificateAuthorityFile
    self.userAgent = userAgent
    self.usesProxyFromEnvironment = usesProxyFromEnvironment
  }
}

/// An HTTP client over libcurl: http and https only, certificates always verified, no cookies.
///
/// Connections are kept and used again. Requests may be sent from several threads at once.
/// Redirects are followed here, not by libcurl: each target is checked, and the credentials
/// (Authorization, Cookie, X-Emby-… and X-MediaBrowser-… fields) stay with the origin asked.
public final class HTTPClient: Sendable {
  /// The settings.
  public let configuration: HTTPConfiguration
  private let idle = Mutex<[CurlHandle]>([])

  /// Handles kept for reuse; more threads than this at once open new connections.
  private static let idleLimit = 8

  /// Makes a client; nothing is opened before the first request.
  public init(configuration: HTTPConfiguration = HTTPConfiguration()) {
    self.configuration = configuration
    _ = CurlHandle.isPrepared
  }

  deinit {
    for handle in idle.withLock({ $0 }) { handle.destroy() }
  }

  /// Sends a request and waits for the whole answer, on the calling thread.
  ///
  /// - Parameters:
  ///   - request: What to send.
  ///   - cancellation: Asked about twenty times a second; once it says true, the transfer ends.
  /// - Returns: The answer, whatever its status.
  /// - Throws: A fault without any secret in its description.
  public func send(
    _ request: HTTPRequest, cancellation: (() -> Bool)? = nil
  ) throws(HTTPFault) -> HTTPReply {
    let deadline = ContinuousClock.now + request.limits.total
    var current = request
    var followed = 0
    while true {
      try current.check()
      let reply = try exchange(current, until: deadline, of: request, cancellation)
      guard (301...303).contains(reply.status) || (307...308).contains(reply.status),
        request.limits.redirects > 0, let location = reply.header("Location")
      else { return reply }
      guard followed < request.limits.redirects else {
        throw HTTPFault(
          .redirect, request,
          "more than \(request.limits.redirects) redirects, the last one to "
            + "\(URLReference.redacted(location))")
      }
      current = try current.redirected(to: location, status: reply.status)
      followed += 1
    }
  }

  /// Sends a request from a thread of its own; the cooperative pool is never blocked.
  ///
  /// - Throws: `CancellationError` when the task was cancelled, else an `HTTPFault`.
  public func send(_ request: HTTPRequest) async throws -> HTTPReply {
    let flag = Flag()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isStarted = startThread {
          do throws(HTTPFault) {
            continuation.resume(
              returning: try self.send(request, cancellation: { flag.isRaised }))
          } catch {
            let isCancelled = error.kind == .cancelled
            continuation.resume(throwing: isCancelled ? CancellationError() : error)
          }
        }
        if !isStarted {
          continuation.resume(
            throwing: HTTPFault(.invalidRequest, request, "no thread could be started for it"))
        }
      }
    } onCancel: {
      flag.raise()
    }
  }

  /// One exchange, redirects not followed.
  private func exchange(
    _ request: HTTPRequest, until deadline: ContinuousClock.Instant, of original: HTTPRequest,
    _ cancellation: (() -> Bool)?
  ) throws(HTTPFault) -> HTTPReply {
    let left = (deadline - .now).wholeMilliseconds
    guard left > 0 else { throw original.timeoutFault }
    if cancellation?() == true { throw HTTPFault(.cancelled, request, "cancelled") }
    guard let handle = idle.withLock({ $0.popLast() }) ?? CurlHandle.make() else {
      throw HTTPFault(.invalidRequest, request, "libcurl could not be set up")
    }
    let transfer = Transfer(request, isCancelled: cancellation)
    let wire = Transfer.Wire(
      url: request.url, method: request.method.rawValue, headerLines: request.headerLines,
      body: request.body, caFile: configuration.certificateAuthorityFile,
      userAgent: configuration.userAgent,
      avoidsProxy: !configuration.usesProxyFromEnvironment || request.isForLoopback,
      connectMilliseconds: max(1, request.limits.connect.wholeMilliseconds),
      totalMilliseconds: left)
    let outcome = transfer.perform(wire, on: handle.pointer)
    let isKept = idle.withLock { handles in
      guard handles.count < Self.idleLimit else { return false }
      handles.append(handle)
      return true
    }
    if !isKept { handle.destroy() }
    if let fault = request.fault(outcome, transfer, original) { throw fault }
    return HTTPReply(
      status: transfer.status, headers: transfer.headers, body: transfer.body,
      finalURL: request.url)
  }
}

/// One libcurl handle with its connections.
///
/// Sendable although it holds a pointer: a handle is either in the client's idle list, behind a
/// mutex, or taken out of it by exactly one call, so no two threads ever use it at once.
private struct CurlHandle: @unchecked Sendable {
  let pointer: OpaquePointer

  /// Whether libcurl is ready; evaluated once a process.
  static let isPrepared = curlshim_prepare() == 0

  static func make() -> CurlHandle? {
    guard isPrepared else { return nil }
    return curlshim_create().map { CurlHandle(pointer: $0) }
  }

  func destroy() { curlshim_destroy(pointer) }
}

/// A flag that is raised once.
private final class Flag: Sendable {
  private let value = Atomic<Bool>(false)
  var isRaised: Bool { value.load(ordering: .relaxed) }
  func raise() { value.store(true, ordering: .relaxed) }
}

/// Runs the work on a new thread; false when none could be started.
private func startThread(_ work: @escaping @Sendable () -> Void) -> Bool {
  final class Box {
    let work: @Sendable () -> Void
    init(_ work: @escaping @Sendable () -> Void) { self.work = work }
  }
  let context = Unmanaged.passRetained(Box(work)).toOpaque()
  let status = curlshim_start_thread(
    { context in
      guard let context else { return }
      Unmanaged<Box>.fromOpaque(context).takeRetainedValue().work()
    }, context)
  if status != 0 { Unmanaged<Box>.fromOpaque(context).release() }
  return status == 0
}

extension Duration {
  /// Whole milliseconds, rounded up; saturated at about 24 days, which is what libcurl can hold.
  var wholeMilliseconds: Int64 {
    let (seconds, attoseconds) = components
    guard seconds < 2_000_000 else { return 2_000_000_000 }
    guard seconds > -2_000_000 else { return -2_000_000_000 }
    return seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
  }
}
