// SPDX-License-Identifier: Apache-2.0
internal import CProcessShims
internal import Glibc
internal import Synchronization

/// What a program left behind.
public struct ProcessResult: Sendable, Hashable {
  /// The exit status: 128 plus the signal's number if a signal ended it.
  public var status: Int32
  /// What it wrote to standard output.
  public var output: [UInt8]
  /// The newest lines that it wrote to standard error, joined by line feeds.
  public var errors: String

  /// Standard output as text; bytes that are no UTF-8 are replaced.
  public var text: String { String(decoding: output, as: UTF8.self) }
}

extension ChildProcess {
  /// Runs a program to its end and collects what it writes.
  ///
  /// Cancelling the task ends the program.
  ///
  /// - Parameters:
  ///   - program: A path, or a name that is looked up in PATH.
  ///   - arguments: The arguments behind the program's name.
  ///   - input: Bytes for standard input; nil gives none.
  ///   - outputLimit: The most bytes of standard output that are kept; the rest is dropped.
  /// - Returns: The status and what was written; a status other than 0 is no error.
  /// - Throws: ``ChildProcessError`` if it cannot be started.
  public static func run(
    _ program: String, _ arguments: [String], input: [UInt8]? = nil, outputLimit: Int = 64 << 20
  ) async throws -> ProcessResult {
    let output = try Pipe(program: program)
    let feed = try input.map { _ in try Pipe(program: program) }
    defer {
      output.closeWriting()
      feed?.closeReading()
    }
    let child: ChildProcess
    do {
      child = try ChildProcess(
        program: program, arguments: arguments, output: output.writing, input: feed?.reading)
    } catch {
      output.closeReading()
      feed?.closeWriting()
      throw error
    }
    output.closeWriting()
    feed?.closeReading()
    if let feed, let input {
      startThread {
        writeAll(input, to: feed.writing)
        feed.closeWriting()
      }
    }
    return await withTaskCancellationHandler {
      async let bytes = collect(output, limit: outputLimit)
      async let lines = child.errorLines.reduce(into: [String]()) { lines, line in
        if lines.count == lineLimit { lines.removeFirst() }
        lines.append(line)
      }
      return await ProcessResult(
        status: child.status(), output: bytes, errors: lines.joined(separator: "\n"))
    } onCancel: {
      Task.detached { await child.stop() }
    }
  }

  private static func collect(_ pipe: Pipe, limit: Int) async -> [UInt8] {
    await withCheckedContinuation { continuation in
      startThread {
        var bytes: [UInt8] = []
        forEachChunk(of: pipe.reading) { chunk in
          bytes.append(contentsOf: chunk.prefix(limit - bytes.count))
        }
        pipe.closeReading()
        continuation.resume(returning: bytes)
      }
    }
  }
}

/// Two ends of a pipe, each closed once.
private final class Pipe: Sendable {
  let reading: Int32
  let writing: Int32
  private let isOpen = Mutex((reading: true, writing: true))

  init(program: String) throws {
    var ends: [Int32] = [-1, -1]
    let fault = bs_pipe(&ends)
    guard fault == 0 else { throw ChildProcessError(program: program, code: -fault) }
    reading = ends[0]
    writing = ends[1]
  }

  func closeReading() {
    isOpen.withLock { state in
      if state.reading { close(reading) }
      state.reading = false
    }
  }

  func closeWriting() {
    isOpen.withLock { state in
      if state.writing { close(writing) }
      state.writing = false
    }
  }
}

/// Writes bytes to a pipe whose reader may go away: the thread takes no SIGPIPE.
private func writeAll(_ bytes: [UInt8], to descriptor: Int32) {
  var blocked = sigset_t()
  sigemptyset(&blocked)
  sigaddset(&blocked, SIGPIPE)
  pthread_sigmask(SIG_BLOCK, &blocked, nil)
  var start = 0
  while start < bytes.count {
    let count = bytes[start...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    if count < 0, errno == EINTR { continue }
    guard count > 0 else { return }
    start += count
  }
}
