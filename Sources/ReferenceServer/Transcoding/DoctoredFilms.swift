// SPDX-License-Identifier: Apache-2.0
internal import ChildProcess

/// Copies of films whose subtitle track is wrong on purpose, for the faults that no filter can make.
///
/// A copy holds the video, one audio stream if there is one, and the track, in this order.
struct DoctoredFilms {
  private var copies: [String: Task<Void, any Error>] = [:]

  /// PGS packets below this size hold no object: they only clear the picture.
  static let clearingPacketLimit = 64

  /// Whether a plan needs a copy.
  static func areNeeded(for plan: StreamPlan) -> Bool {
    plan.burned?.isText == false && !(shift(of: plan) == 0 && !dropsClears(in: plan))
  }

  private static func shift(of plan: StreamPlan) -> Double {
    plan.faults.reduce(0) { sum, fault in
      if case .delay(let seconds) = fault { sum + seconds } else { sum }
    }
  }

  static func dropsClears(in plan: StreamPlan) -> Bool {
    plan.faults.contains(.neverClear) && plan.burned?.codec == "hdmv_pgs_subtitle"
  }

  /// Starts to make the copy of a plan, unless it was started before.
  ///
  /// - Returns: The plan on the copy, and the making of it, which may fail.
  mutating func prepare(_ plan: StreamPlan, in folder: String) -> (
    StreamPlan, Task<Void, any Error>
  ) {
    guard let track = plan.burned else { return (plan, Task {}) }
    let path = "\(folder)/doctored-\(plan.film.id)-\(plan.audio?.index ?? -1)-\(track.index).mkv"
    let copy =
      copies[path]
      ?? Task { [arguments = Self.arguments(for: plan, track: track, path: path)] in
        let result = try await ChildProcess.run("ffmpeg", arguments)
        if result.status != 0 { throw SegmentFault.encoderFailed }
      }
    copies[path] = copy
    var doctored = plan
    doctored.film.path = path
    doctored.video.containerIndex = 0
    doctored.audio?.containerIndex = 1
    doctored.burned?.containerIndex = plan.audio == nil ? 1 : 2
    doctored.burned?.path = nil
    return (doctored, copy)
  }

  private static func arguments(
    for plan: StreamPlan, track: FilmStream, path: String
  ) -> [String] {
    var dropped = "lt(pts\\,0)"
    if dropsClears(in: plan) { dropped += "+lt(size\\,\(clearingPacketLimit))" }
    var list = ["-nostdin", "-v", "error"] + FilmProbe.searchArguments
    list += ["-i", "file:" + plan.film.path]
    list += ["-itsoffset", "\(shift(of: plan))"]
    let subtitles = EncoderArguments.readable(track.path ?? plan.film.path)
    list += FilmProbe.searchArguments + ["-i", "file:" + subtitles]
    list += ["-map", "0:\(plan.video.containerIndex)"]
    if let audio = plan.audio { list += ["-map", "0:\(audio.containerIndex)"] }
    list += ["-map", "1:\(track.containerIndex)", "-c", "copy"]
    return list + ["-bsf:s", "noise=amount=0:drop=\(dropped)", "-f", "matroska", "-y", path]
  }
}
