// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import MediaContainer

/// Runs work that blocks while it reads and decodes: it must not hold a thread of the concurrency
/// pool.
enum BlockingWork {
  /// Runs work on a thread of its own kind; cancelling the task sets the flag that the work is given.
  static func run<Result: Sendable>(
    _ work: @escaping @Sendable (CancellationFlag) throws -> Result
  ) async throws -> Result {
    let cancellation = CancellationFlag()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global().async {
          continuation.resume(with: Swift.Result { try work(cancellation) })
        }
      }
    } onCancel: {
      cancellation.cancel()
    }
  }
}
