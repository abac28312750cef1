// SPDX-License-Identifier: Apache-2.0
internal import ChildProcess
internal import Glibc

/// A segment that cannot be had.
enum SegmentFault: Error, Sendable, Equatable {
  /// The encoder ended with an error before its first segment.
  case encoderFailed
  /// The encoder ended before this segment.
  case notMade
}

/// Makes segments when they are asked for, by the server's jump rule, and ends encoders that nobody
/// wants any more.
actor Transcoder {
  /// Whose segments they are.
  struct Key: Sendable, Hashable {
    var path: String
    var userAgent: String
    var deviceID: String
    var playSessionID: String
    /// What else names the output.
    var variant = ""
  }

  /// A client waits for a running encoder if the segment is at most this far ahead.
  static let patienceSeconds = 24
  /// An encoder ends this long after the last request.
  static let idle = Duration.seconds(60)
  private static let pollInterval = Duration.milliseconds(25)

  private let folder: String
  private let keepsSegments: Bool
  private var outputs: [Key: TranscodeOutput] = [:]
  private var nextFolder = 0
  private var doctoredFilms = DoctoredFilms()
  private var isStopped = false
  private var sweeper: Task<Void, Never>?

  /// - Parameters:
  ///   - folder: A folder of its own, without a slash at its end.
  ///   - keepsSegments: Whether segments outlive the end of their session.
  init(folder: String, keepsSegments: Bool) {
    self.folder = folder
    self.keepsSegments = keepsSegments
  }

  /// The path of a whole segment, made now if need be; -1 is the initialization of fMP4.
  ///
  /// Starts an encoder at `startTicks` where the jump rule says so. Cancelling the task stops the
  /// waiting, not the encoder.
  func segment(_ number: Int, at startTicks: Int, of plan: StreamPlan, for key: Key) async throws
    -> String
  {
    startSweeping()
    var output = try output(for: key)
    if keepsSegments {
      output.keptPlan = output.keptPlan ?? plan
      outputs[key] = output
    }
    let plan = output.keptPlan ?? plan
    var isStarted = false
    while !isStopped {
      try Task.checkCancellation()
      guard var output = outputs[key] else { throw SegmentFault.notMade }
      output.lastRequest = .now
      output.update()
      outputs[key] = output
      if number < 0 ? output.hasInitialization : output.complete.contains(number) {
        return output.path(of: number, in: plan.container)
      }
      if let job = output.job, isStarted || isNear(number, job: job, plan: plan) {
        if job.end.isEnded {
          throw job.newest < job.start ? SegmentFault.encoderFailed : SegmentFault.notMade
        }
        try await Task.sleep(for: Self.pollInterval)
      } else {
        try await restart(max(number, 0), at: number < 0 ? 0 : startTicks, plan: plan, key: key)
        isStarted = true
      }
    }
    throw CancellationError()
  }

  /// Whether the running encoder will come to a segment soon enough.
  private func isNear(_ number: Int, job: TranscodeJob, plan: StreamPlan) -> Bool {
    guard !job.end.isEnded else { return false }
    if number < 0 { return true }
    let current = max(job.newest, job.start)
    return number >= current && number <= current + Self.patienceSeconds / plan.segmentLength
  }

  private func output(for key: Key) throws -> TranscodeOutput {
    if let output = outputs[key] { return output }
    let path = "\(folder)/\(nextFolder)"
    nextFolder += 1
    guard mkdir(path, 0o700) == 0 else {
      throw ReferenceServerError(
        .environment, "The folder '\(path)' cannot be made: \(String(cString: strerror(errno))).")
    }
    let output = TranscodeOutput(
      folder: path, deviceID: key.deviceID, playSessionID: key.playSessionID)
    outputs[key] = output
    return output
  }

  private func restart(_ number: Int, at startTicks: Int, plan: StreamPlan, key: Key) async throws {
    if let job = outputs[key]?.job {
      await job.child.stop()
      // Another request may have started an encoder meanwhile.
      guard outputs[key]?.job?.child === job.child else { return }
      outputs[key]?.update()
      outputs[key]?.removeUnfinished()
      outputs[key]?.job = nil
    }
    var encoded = plan
    if DoctoredFilms.areNeeded(for: plan) {
      let (doctored, copy) = doctoredFilms.prepare(plan, in: folder)
      try await copy.value
      guard outputs[key]?.job == nil else { return }
      encoded = doctored
    }
    guard !isStopped, let output = outputs[key] else { return }
    let arguments = EncoderArguments(
      plan: encoded, startTicks: startTicks, startNumber: number, folder: output.folder)
    let child = try ChildProcess(program: "ffmpeg", arguments: arguments.list)
    outputs[key]?.job = TranscodeJob(
      child: child, plan: plan, start: number, newest: number - 1, end: JobEnd(of: child))
  }

  /// The newest running job of a device.
  func job(ofDevice deviceID: String) -> TranscodeJob? {
    outputs.values.filter { $0.deviceID == deviceID && $0.job?.child.isRunning == true }
      .max { $0.lastRequest < $1.lastRequest }?.job
  }

  /// Whether a play session has a running job.
  func isRunning(playSessionID: String) -> Bool {
    outputs.values.contains { $0.playSessionID == playSessionID && $0.job?.child.isRunning == true }
  }

  /// Keeps the jobs of a play session alive.
  func ping(playSessionID: String) {
    for (key, output) in outputs where output.playSessionID == playSessionID {
      outputs[key]?.lastRequest = .now
    }
  }

  /// Ends the jobs of a device, or of one play session of it, and removes their segments.
  func end(deviceID: String?, playSessionID: String?) async {
    let keys = outputs.filter { _, output in
      // Where segments go stale on purpose they belong to no device.
      (deviceID == nil || keepsSegments || output.deviceID == deviceID)
        && (playSessionID == nil || output.playSessionID == playSessionID)
    }.map(\.key)
    for key in keys { await remove(key) }
  }

  private func remove(_ key: Key) async {
    guard let output = outputs[key] else { return }
    if keepsSegments, !isStopped {
      await output.job?.child.stop()
      outputs[key]?.update()
      outputs[key]?.removeUnfinished()
      outputs[key]?.job = nil
    } else {
      outputs[key] = nil
      await output.job?.child.stop()
      removeFolder(output.folder)
    }
  }

  private func startSweeping() {
    guard sweeper == nil, !isStopped else { return }
    sweeper = Task { [weak self] in
      while !Task.isCancelled {
        try? await Task.sleep(for: .seconds(5))
        await self?.sweep()
      }
    }
  }

  private func sweep() async {
    for (key, output) in outputs where output.lastRequest.duration(to: .now) > Self.idle {
      await remove(key)
    }
  }

  /// Ends all jobs and removes all segments.
  func stop() async {
    isStopped = true
    sweeper?.cancel()
    for key in outputs.keys { await remove(key) }
    removeFolder(folder)
  }
}

/// Removes a folder and the files in it.
func removeFolder(_ path: String) {
  if let directory = opendir(path) {
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { unlink("\(path)/\(name)") }
    }
    closedir(directory)
  }
  rmdir(path)
}
