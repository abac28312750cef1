// SPDX-License-Identifier: Apache-2.0
import SubtitleModel

extension Canvas {
  /// What FFmpeg takes where neither a track nor a video states a size.
  static let ofDiscs = Canvas(width: 720, height: 576)

  /// The sizes that a canvas is assumed to have, smallest first.
  private static let usual = [
    ofDiscs, Canvas(width: 1280, height: 720), Canvas(width: 1920, height: 1080),
    Canvas(width: 3840, height: 2160),
  ]

  /// The canvas, or where pictures reach past it the smallest usual one that holds them all.
  ///
  /// A lone .idx file without `size:` says nothing of its canvas. FFmpeg takes 720x576 for it and
  /// draws nothing of a cue that lies lower.
  ///
  /// - Parameter reach: The least canvas that holds the pictures.
  /// - Returns: This canvas or a larger one.
  func assumed(toHold reach: Canvas) -> Canvas {
    func holds(_ canvas: Canvas) -> Bool {
      reach.width <= canvas.width && reach.height <= canvas.height
    }
    if holds(self) { return self }
    return Self.usual.first(where: holds)
      ?? Canvas(width: max(width, reach.width), height: max(height, reach.height))
  }

  /// The same for cues.
  func assumed(toHold cues: [Cue]) -> Canvas {
    assumed(
      toHold: Canvas(
        width: cues.map { $0.bounds.x + $0.bounds.width }.max() ?? 0,
        height: cues.map { $0.bounds.y + $0.bounds.height }.max() ?? 0))
  }
}
