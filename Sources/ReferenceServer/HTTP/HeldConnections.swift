// SPDX-License-Identifier: Apache-2.0
internal import CMicroHTTPD
internal import Synchronization

/// All suspended connections.
///
/// Every suspension goes through here, because stopping the library while a connection is suspended
/// aborts the process.
final class HeldConnections: Sendable {
  private struct State {
    var isStopping = false
    var next = 0
    var tasks: [Int: Task<Void, Never>] = [:]
  }

  private let state = Mutex(State())

  /// Suspends a connection until work is done; false if the server is stopping.
  ///
  /// Called on the library's thread only.
  func hold(
    _ connection: OpaquePointer, _ work: @escaping @Sendable () async -> Void
  ) -> Bool {
    // The library keeps a suspended connection until it is resumed, which happens once, at the end
    // of the task; its functions may be called from any thread.
    nonisolated(unsafe) let connection = connection
    return state.withLock { state in
      guard !state.isStopping else { return false }
      MHD_suspend_connection(connection)
      let number = state.next
      state.next += 1
      state.tasks[number] = Task {
        await work()
        MHD_resume_connection(connection)
        self.state.withLock { $0.tasks[number] = nil }
      }
      return true
    }
  }

  /// Cancels all work and returns when no connection is suspended any more.
  func stop() async {
    let tasks = state.withLock { state in
      state.isStopping = true
      return Array(state.tasks.values)
    }
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
  }
}
