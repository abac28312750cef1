// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Where each user left each film, and with which track: every report of a playback changes it.
final class Resumes: Sendable {
  /// One user and one film.
  private struct Place: Hashable {
    var account: String
    var film: String
  }

  /// How a film was left.
  struct Resume: Sendable, Equatable {
    var ticks = 0
    /// The index of the track; -1 for none, nil where nothing was said.
    var subtitleIndex: Int?
  }

  private let resumes = Mutex<[Place: Resume]>([:])

  /// How a user left a film; nil for one that was not played.
  func resume(of film: String, account: Account?) -> Resume? {
    guard let account else { return nil }
    return resumes.withLock { $0[Place(account: account.id, film: film)] }
  }

  /// Takes a report of a playback.
  func note(_ report: JSON, of film: String, account: Account?) {
    guard let account else { return }
    resumes.withLock { resumes in
      var resume = resumes[Place(account: account.id, film: film)] ?? Resume()
      if let ticks = report["PositionTicks"]?.whole { resume.ticks = max(ticks, 0) }
      resume.subtitleIndex = report["SubtitleStreamIndex"]?.whole ?? resume.subtitleIndex
      resumes[Place(account: account.id, film: film)] = resume
    }
  }
}

extension Service {
  /// Takes what a report says of a film that there is; reports of others change nothing.
  func noteResume(_ report: JSON, of caller: Caller) {
    guard let id = report["ItemId"]?.text.flatMap(itemID), films.contains(where: { $0.id == id })
    else { return }
    resumes.note(report, of: id, account: caller.account)
  }
}
