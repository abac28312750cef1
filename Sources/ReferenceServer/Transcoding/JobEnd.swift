// SPDX-License-Identifier: Apache-2.0
internal import ChildProcess
internal import Synchronization

/// What is known of a running encoder: its progress, and how it ended.
final class JobEnd: Sendable {
  private struct State {
    var status: Int32?
    var framesPerSecond: Double?
    var seconds: Double?
    var lastLine = ""
  }

  private let state = Mutex(State())

  /// Follows an encoder until it ends.
  init(of child: ChildProcess) {
    Task { [self] in
      for await line in child.errorLines { read(line) }
      let status = await child.status()
      state.withLock { $0.status = status }
    }
  }

  var isEnded: Bool { state.withLock { $0.status != nil } }
  /// Whether it ended with an error.
  var isFailed: Bool { state.withLock { ($0.status ?? 0) != 0 } }
  /// Frames that are encoded a second.
  var framesPerSecond: Double? { state.withLock { $0.framesPerSecond } }
  /// The time of the film that it has come to.
  var seconds: Double? { state.withLock { $0.seconds } }
  /// The newest line that is no progress report.
  var lastLine: String { state.withLock { $0.lastLine } }

  private func read(_ line: String) {
    let parts = line.split(separator: "=", maxSplits: 1)
    state.withLock { state in
      switch (parts.first, parts.count) {
      case ("fps", 2): state.framesPerSecond = Double(parts[1]) ?? state.framesPerSecond
      case ("out_time_us", 2):
        state.seconds = Double(parts[1]).map { $0 / 1e6 } ?? state.seconds
      default:
        let isProgress =
          parts.count == 2
          && parts[0].utf8.allSatisfy { $0 == 0x5F || 0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 }
        if !isProgress { state.lastLine = line }
      }
    }
  }
}
