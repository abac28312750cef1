// SPDX-License-Identifier: Apache-2.0
public import SubtitleModel

/// A task laid out on the grid of frames, before any picture is asked for.
public struct SessionPlan {
  /// What is to be found out.
  public let task: SessionTask
  let film: SessionFilm
  let firstFrame: Int
  let endFrame: Int

  /// Lays a task out.
  public init(task: SessionTask) {
    self.task = task
    film = SessionFilm(tracks: task.tracks, videoFramesPerSecond: task.videoFramesPerSecond)
    firstFrame = SessionFilm.frame(showing: task.range.lowerBound, rate: film.framesPerSecond)
    endFrame = SessionFilm.frame(showing: task.range.upperBound, rate: film.framesPerSecond)
  }

  /// Frames a second of the grid: those of the video, halved until 31 or fewer.
  public var framesPerSecond: Double { film.framesPerSecond }

  /// The cues of the asked track that lie in the range, in order of start.
  var judged: [DecisionCue] {
    SessionRequest(firstFrame: firstFrame, endFrame: endFrame)
      .judged(film.tracks[task.asked] ?? [])
  }

  /// When the cues that can be judged are on screen, in order of start.
  public var judgedCueTimes: [Range<Timestamp>] {
    judged.map { film.time(of: $0.startFrame)..<film.time(of: $0.endFrame) }
  }

  /// The grid frames that a session may ask for, of all tracks, in order.
  ///
  /// A decoder that keeps these alone serves all but the searches of a failed verification.
  public var likelyFrames: [Int] {
    var result: Set<Int> = []
    for cue in film.tracks.values.joined() {
      guard cue.endFrame >= firstFrame, cue.startFrame <= endFrame else { continue }
      result.formUnion(cue.lookFrames)
    }
    for cue in judged {
      let edges = [cue.startFrame - 6, cue.startFrame + 4, cue.endFrame - 4, cue.endFrame + 12]
      result.formUnion(edges)
    }
    return result.filter { $0 >= 0 }.sorted()
  }

  /// Share of a track's cues that must look exactly alike for two tracks to count as twins.
  private static let twinShare = 0.2

  /// Whether another track shares so many pictures with the asked one that it takes more looks.
  public var hasTwins: Bool {
    let asked = Set((film.tracks[task.asked] ?? []).map(\.key))
    return film.tracks.contains { name, cues in
      guard name != task.asked, !cues.isEmpty, !asked.isEmpty else { return false }
      let own = Set(cues.map(\.key))
      let shared = Double(own.intersection(asked).count)
      return shared >= Self.twinShare * Double(min(own.count, asked.count))
    }
  }
}
