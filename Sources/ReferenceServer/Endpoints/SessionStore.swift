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

  /// Devices whose profiles are kept.
  static let profileLimit = 256

  private let sessions = Mutex<[String: Session]>([:])
  private let profiles = Mutex<[String: JSON]>([:])

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

  /// Keeps the profile that a device leaves with the server.
  func keep(_ profile: JSON?, ofDevice device: String) {
    profiles.withLock { profiles in
      guard profiles.count < Self.profileLimit || profiles[device] != nil else { return }
      profiles[device] = profile
    }
  }

  /// The profile that a device left; nil for none.
  func profile(ofDevice device: String) -> JSON? { profiles.withLock { $0[device] } }

  /// The session of a caller.
  func session(of caller: Caller) -> Session? { sessions.withLock { $0[caller.sessionID] } }

  /// All sessions, the newest first.
  var all: [Session] {
    sessions.withLock { $0.values.sorted { $0.lastActivity > $1.lastActivity } }
  }
}
