// SPDX-License-Identifier: Apache-2.0
public import SubtitleModel

/// One bitmap track as a session sees it.
public struct SessionTrack: Sendable, Hashable {
  /// The name that verdicts use, such as `0:s:1`.
  public var name: String
  /// The canvas that cues are placed in which state none of their own.
  public var canvas: Canvas
  /// The cues, in order of start.
  public var cues: [Cue]

  /// Makes a track.
  public init(name: String, canvas: Canvas, cues: [Cue]) {
    self.name = name
    self.canvas = canvas
    self.cues = cues
  }

  /// The track's canvas and those of its cues.
  var canvases: Set<Canvas> { cues.reduce(into: [canvas]) { $0.formUnion([$1.canvas ?? canvas]) } }
}

/// A cue's picture: what is drawn, and in which coordinate space.
struct CuePicture: Hashable {
  var canvas: Canvas
  var objects: [CueObject]
}

/// The bitmap tracks of a film on a grid of numbered frames.
///
/// Frame *n* is shown from `n / framesPerSecond` on. Cues of any track that show the same bitmaps at
/// the same place of the same canvas have one key.
struct SessionFilm {
  /// Frames a second of the grid.
  let framesPerSecond: Double
  /// The cues of each track.
  let tracks: [String: [DecisionCue]]
  /// The picture of each key; keys count from 0.
  let pictures: [CuePicture]

  /// The most frames a second that the rules were measured for; faster film is looked at in steps.
  static let mostFramesPerSecond = 31.0

  /// Lays tracks out on the grid of a video.
  ///
  /// - Parameters:
  ///   - tracks: The bitmap tracks.
  ///   - videoFramesPerSecond: Frames a second of the transcode, more than 0.
  init(tracks: [SessionTrack], videoFramesPerSecond: Double) {
    var rate = videoFramesPerSecond
    while rate > Self.mostFramesPerSecond { rate /= 2 }
    framesPerSecond = rate
    var keys: [CuePicture: Int] = [:]
    var pictures: [CuePicture] = []
    var letters: [Int] = []
    var result: [String: [DecisionCue]] = [:]
    for track in tracks {
      result[track.name] = track.cues.compactMap { cue in
        let picture = CuePicture(canvas: cue.canvas ?? track.canvas, objects: cue.objects)
        let key: Int
        if let known = keys[picture] {
          key = known
        } else {
          key = pictures.count
          keys[picture] = key
          pictures.append(picture)
          letters.append(TextShape.letters(of: cue.objects))
        }
        let start = Self.frame(showing: cue.start, rate: rate)
        let end = Self.frame(showing: cue.end, rate: rate)
        guard end > start else { return nil }
        return DecisionCue(
          index: cue.index, startFrame: start, endFrame: end, key: key, textLength: letters[key])
      }
    }
    self.tracks = result
    self.pictures = pictures
  }

  /// The first frame at or after a time, with a hundredth of a frame for rounded times.
  static func frame(showing time: Timestamp, rate: Double) -> Int {
    let position = (time.seconds * rate - 0.01).rounded(.up)
    return Int(max(-1e9, min(1e9, position)))
  }

  /// When a frame is shown.
  func time(of frame: Int) -> Timestamp { Timestamp(seconds: Double(frame) / framesPerSecond) }
}

/// What the bitmaps of a cue tell of its text.
enum TextShape {
  /// Pixels of less alpha than this are no ink.
  private static let inkAlpha: UInt8 = 64

  /// Letters, guessed from the width of the ink and the height of its lines.
  ///
  /// A line of text is a run of rows with ink; a gap of more than two rows ends it. A letter is about
  /// half as wide as its line is high.
  static func letters(of objects: [CueObject]) -> Int {
    let lines = objects.flatMap(lines)
    let tallest = Double(lines.map(\.height).max() ?? 16)
    let letterWidth = max(4, tallest * 0.54)
    return lines.reduce(0) { $0 + Int((Double($1.width) / letterWidth).rounded(.up)) }
  }

  private static func lines(of object: CueObject) -> [(height: Int, width: Int)] {
    let isInk = (0..<256).map { object.palette[UInt8($0)].alpha >= inkAlpha }
    let bitmap = object.bitmap
    var result: [(height: Int, width: Int)] = []
    var run: (first: Int, last: Int, left: Int, right: Int)?
    func finish() {
      if let run { result.append((run.last - run.first + 1, run.right - run.left + 1)) }
      run = nil
    }
    for row in 0..<bitmap.height {
      let indices = bitmap.indices[(row * bitmap.width)..<((row + 1) * bitmap.width)]
      guard let left = indices.firstIndex(where: { isInk[Int($0)] }),
        let right = indices.lastIndex(where: { isInk[Int($0)] })
      else {
        if let current = run, row - current.last > 2 { finish() }
        continue
      }
      let (first, last) = (left - row * bitmap.width, right - row * bitmap.width)
      if let current = run {
        run = (current.first, row, min(current.left, first), max(current.right, last))
      } else {
        run = (row, row, first, last)
      }
    }
    finish()
    return result
  }
}
