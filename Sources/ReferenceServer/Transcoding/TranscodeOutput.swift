// SPDX-License-Identifier: Apache-2.0
internal import ChildProcess
internal import Glibc

/// The segments that were made for one session of one client, and the job that makes more.
struct TranscodeOutput {
  /// The folder of the segments.
  let folder: String
  let deviceID: String
  let playSessionID: String
  var job: TranscodeJob?
  /// Segments that are whole.
  var complete: Set<Int> = []
  var lastRequest = ContinuousClock.now
  /// The plan that is kept for all jobs; only where segments go stale on purpose.
  var keptPlan: StreamPlan?

  func path(of segment: Int, in container: StreamPlan.SegmentContainer) -> String {
    "\(folder)/\(segment).\(container.rawValue)"
  }

  /// Notes which segments have become whole.
  ///
  /// Those before the newest are, and all once the job ended without an error; one that was stopped
  /// or failed leaves its newest segment unfinished.
  mutating func update() {
    guard var job else { return }
    let isFinished = job.end.isEnded && !job.end.isFailed
    while exists(path(of: job.newest + 1, in: job.plan.container)) {
      if job.newest >= job.start { complete.insert(job.newest) }
      job.newest += 1
    }
    if isFinished, job.newest >= job.start { complete.insert(job.newest) }
    self.job = job
  }

  /// Removes the segment that a stopped job left unfinished.
  mutating func removeUnfinished() {
    guard let job, job.newest >= job.start, !complete.contains(job.newest) else { return }
    unlink(path(of: job.newest, in: job.plan.container))
  }

  /// Whether the first segment of the job is there, and so the initialization too.
  var hasInitialization: Bool {
    guard let job else { return !complete.isEmpty }
    return (job.newest >= job.start || job.end.isEnded) && exists("\(folder)/-1.mp4")
  }
}

/// One run of the encoder.
struct TranscodeJob: Sendable {
  let child: ChildProcess
  let plan: StreamPlan
  /// The number of its first segment.
  let start: Int
  /// The number of the newest segment that is there, whole or not; below `start` if there is none.
  var newest: Int
  let end: JobEnd
}

/// Whether a file is there.
func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
