// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Synchronization

/// What callers reported of their playback.
final class SessionStore: Sendable {
  /// One caller on one device.
  struct Session: Sendable {
    var caller: Caller
    /// Seconds since 1970.
    var lastActivity: Int
    /// The newest start or progress report.
    var report: JSON?
  }

  private let sessions = Mutex<[String: Session]>([:])

  /// Seconds since 1970.
  var now: Int { time(nil) }

  /// Notes that a caller was here.
  func touch(_ caller: Caller) {
    let now = now
    sessions.withLock { sessions in
      sessions[caller.sessionID, default: Session(caller: caller, lastActivity: now)]
        .lastActivity = now
    }
  }

  /// Notes what a caller plays; nil for nothing.
  func report(_ report: JSON?, of caller: Caller) {
    sessions.withLock { $0[caller.sessionID]?.report = report }
  }

  /// The session of a caller.
  func session(of caller: Caller) -> Session? { sessions.withLock { $0[caller.sessionID] } }

  /// All sessions, the newest first.
  var all: [Session] {
    sessions.withLock { $0.values.sorted { $0.lastActivity > $1.lastActivity } }
  }
}
