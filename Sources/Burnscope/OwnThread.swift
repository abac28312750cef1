// SPDX-License-Identifier: Apache-2.0
internal import Dispatch

/// Runs blocking work on a thread outside the pool that tasks share.
func onOwnThread<Result: Sendable>(
  _ work: @escaping @Sendable () throws -> Result
) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    DispatchQueue(label: "burnscope.blocking").async {
      continuation.resume(with: Swift.Result { try work() })
    }
  }
}
