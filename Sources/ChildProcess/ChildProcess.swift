// SPDX-License-Identifier: Apache-2.0
internal import CProcessShims
internal import Glibc
internal import Synchronization

/// A program that could not be started.
public struct ChildProcessError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The program's name or path.
  public let program: String
  /// The system's error number, such as `ENOENT`.
  public let code: Int32

  /// Makes an error of a program's name and the system's error number.
  public init(program: String, code: Int32) {
    self.program = program
    self.code = code
  }

  /// One sentence with the remedy.
  public var description: String {
    if code == ENOENT {
      return "The program '\(program)' was not found; install it or put its folder on PATH."
    }
    return "The program '\(program)' could not be started: \(String(cString: strerror(code)))."
  }
}

/// A running program, in a process group of its own, that ends at the latest with this process.
///
/// Standard input is empty. What it writes to standard error is always read, so that it never
/// blocks; the newest ``lineLimit`` lines are kept for ``errorLines``.
public final class ChildProcess: Sendable {
  /// Lines of standard error that are kept for a slow reader.
  public static let lineLimit = 1000
  /// Seconds between SIGTERM and SIGKILL in ``stop()``.
  public static let graceSeconds = 0.5

  /// The program's name or path.
  public let program: String
  /// Lines that the program writes to standard error, split at line feeds and carriage returns.
  public let errorLines: AsyncStream<String>
  private let process: Int32
  private let end = Mutex(End())

  private struct End {
    var status: Int32?
    var waiters: [CheckedContinuation<Int32, Never>] = []
  }

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - program: A path, or a name that is looked up in PATH.
  ///   - arguments: The arguments behind the program's name.
  ///   - output: A descriptor for standard output, closed by the caller; nil discards it.
  ///   - input: A descriptor for standard input, closed by the caller; nil gives none.
  /// - Throws: ``ChildProcessError`` if it cannot be started.
  public init(
    program: String, arguments: [String], output: Int32? = nil, input: Int32? = nil
  ) throws {
    var ends: [Int32] = [-1, -1]
    let fault = bs_pipe(&ends)
    guard fault == 0 else { throw ChildProcessError(program: program, code: -fault) }
    let process = SpawnThread.shared.spawn(
      program: program, arguments: [program] + arguments, input: input ?? -1, output: output ?? -1,
      error: ends[1])
    close(ends[1])
    guard process > 0 else {
      close(ends[0])
      throw ChildProcessError(program: program, code: -process)
    }
    self.program = program
    self.process = process
    let (stream, continuation) = AsyncStream.makeStream(
      of: String.self, bufferingPolicy: .bufferingNewest(Self.lineLimit))
    errorLines = stream
    let descriptor = ends[0]
    startThread { readLines(from: descriptor, into: continuation) }
    startThread { [self] in
      _ = bs_wait_until_ended(process)
      let (status, waiters) = end.withLock { state in
        let status = bs_reap(process)
        state.status = status
        defer { state.waiters = [] }
        return (status, state.waiters)
      }
      for waiter in waiters { waiter.resume(returning: status) }
    }
  }

  /// The exit status, once it has ended: 128 plus the signal's number if a signal ended it.
  ///
  /// Cancelling the task does not end the program; see ``stop()``.
  public func status() async -> Int32 {
    await withCheckedContinuation { continuation in
      let known = end.withLock { state -> Int32? in
        if state.status == nil { state.waiters.append(continuation) }
        return state.status
      }
      if let known { continuation.resume(returning: known) }
    }
  }

  /// Whether it is still running.
  public var isRunning: Bool { end.withLock { $0.status == nil } }

  /// Ends it and its children, by SIGTERM and half a second later SIGKILL; returns when it is gone.
  public func stop() async {
    signal(SIGTERM)
    let killer = Task {
      try await Task.sleep(for: .seconds(Self.graceSeconds))
      signal(SIGKILL)
    }
    _ = await status()
    killer.cancel()
  }

  /// Sends a signal to its process group, unless it has ended.
  public func signal(_ number: Int32) {
    end.withLock { state in
      if state.status == nil { bs_signal_group(process, number) }
    }
  }
}

/// Runs work on a thread of its own.
func startThread(_ work: @escaping @Sendable () -> Void) {
  final class Box: Sendable {
    let work: @Sendable () -> Void
    init(_ work: @escaping @Sendable () -> Void) { self.work = work }
  }
  var thread = pthread_t()
  let context = Unmanaged.passRetained(Box(work)).toOpaque()
  let result = pthread_create(
    &thread, nil,
    { context in
      guard let context else { return nil }
      Unmanaged<Box>.fromOpaque(context).takeRetainedValue().work()
      return nil
    }, context)
  if result == 0 {
    pthread_detach(thread)
  } else {
    Unmanaged<Box>.fromOpaque(context).release()
  }
}

/// Reads a descriptor to its end and yields its lines; closes it.
private func readLines(
  from descriptor: Int32, into continuation: AsyncStream<String>.Continuation
) {
  let longestLine = 64 << 10
  var line: [UInt8] = []
  func flush() {
    if !line.isEmpty { continuation.yield(String(decoding: line, as: UTF8.self)) }
    line.removeAll(keepingCapacity: true)
  }
  forEachChunk(of: descriptor) { chunk in
    for byte in chunk {
      if byte == 10 || byte == 13 || line.count >= longestLine { flush() }
      if byte != 10, byte != 13 { line.append(byte) }
    }
  }
  flush()
  close(descriptor)
  continuation.finish()
}

/// Reads a descriptor to its end in pieces.
func forEachChunk(of descriptor: Int32, _ body: (UnsafeRawBufferPointer) -> Void) {
  var buffer = [UInt8](repeating: 0, count: 64 << 10)
  while true {
    let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
    if count < 0, errno == EINTR { continue }
    guard count > 0 else { return }
    buffer.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
  }
}
