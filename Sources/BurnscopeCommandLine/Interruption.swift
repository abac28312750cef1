// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import Glibc

/// Ctrl-C and termination: the first asks the work to end, a second ends the program at once.
enum Interruption {
  /// The status of an interrupted run.
  static let status: Int32 = 130

  /// Runs work that SIGINT and SIGTERM cancel.
  ///
  /// - Returns: The work's status, or 130 if it was cancelled.
  static func run(_ work: @escaping @Sendable () async -> Int32) async -> Int32 {
    let task = Task { await work() }
    signal(SIGPIPE, SIG_IGN)
    let sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { @Sendable in
        if task.isCancelled { _exit(status) }
        task.cancel()
      }
      source.resume()
      return source
    }
    let result = await task.value
    for source in sources { source.cancel() }
    return task.isCancelled ? status : result
  }
}
