// SPDX-License-Identifier: Apache-2.0
import SubtitleModel
import Testing

@testable import BurnInVerification

/// Tracks laid out on a grid of frames.
@Suite struct SessionFilmTests {
  private static let canvas = Canvas(width: 1920, height: 1080)
  private static let palette = Palette(colors: [
    .transparent, PaletteColor(red: 235, green: 235, blue: 235, alpha: 255),
    PaletteColor(red: 0, green: 0, blue: 0, alpha: 63),
    PaletteColor(red: 0, green: 0, blue: 0, alpha: 64),
  ])

  /// A bitmap of rows of digits.
  private func object(_ rows: [String], x: Int = 100, y: Int = 900) -> CueObject {
    let indices = rows.joined().utf8.map { $0 - 48 }
    return CueObject(
      x: x, y: y,
      bitmap: IndexedBitmap(
        width: rows.first?.utf8.count ?? 0, height: rows.count, indices: indices),
      palette: Self.palette, isForced: false)
  }

  private func cue(_ index: Int, _ start: Double, _ end: Double, _ objects: [CueObject]) -> Cue {
    Cue(
      index: index, start: Timestamp(seconds: start), end: Timestamp(seconds: end),
      endCause: .clear, objects: objects)
  }

  @Test func `cues that look the same have one key, over all tracks, and others have their own`() {
    let (one, two) = (object(["0110"]), object(["0101"]))
    let moved = object(["0110"], x: 101)
    let tracks = [
      SessionTrack(
        name: "a", canvas: Self.canvas,
        cues: [cue(0, 1, 2, [one]), cue(1, 3, 4, [two]), cue(2, 5, 6, [one])]),
      SessionTrack(
        name: "b", canvas: Self.canvas, cues: [cue(0, 9, 10, [two]), cue(1, 11, 12, [moved])]),
      SessionTrack(
        name: "c", canvas: Canvas(width: 720, height: 576), cues: [cue(0, 1, 2, [one])]),
    ]
    let film = SessionFilm(tracks: tracks, videoFramesPerSecond: 24)
    let keys = { (name: String) in (film.tracks[name] ?? []).map(\.key) }
    #expect(keys("a") == [0, 1, 0])
    #expect(keys("b") == [1, 2])
    #expect(keys("c") == [3])
    #expect(film.pictures.count == 4)
    #expect(film.pictures[3].canvas.width == 720)
  }

  @Test func `a cue on a canvas of its own is looked for there`() {
    let own = Canvas(width: 1280, height: 720)
    var other = cue(1, 3, 4, [object(["0110"])])
    other.canvas = own
    let track = SessionTrack(
      name: "a", canvas: Self.canvas, cues: [cue(0, 1, 2, [object(["0110"])]), other])
    let film = SessionFilm(tracks: [track], videoFramesPerSecond: 24)
    #expect(film.pictures.map(\.canvas) == [Self.canvas, own])
    #expect(track.canvases == [Self.canvas, own])
  }

  @Test(arguments: [
    // Seconds, frames a second, the first frame at or after.
    (0.0, 24.0, 0), (1.0, 24.0, 24), (1.0001, 24.0, 24), (1.001, 24.0, 25), (1.041, 24.0, 25),
    (1.0417, 24.0, 25), (1.0425, 24.0, 26), (0.02, 25.0, 1), (-0.5, 24.0, -12),
    (100.1, 23.976, 2400),
  ])
  func `a time falls on the first frame at or after it, rounding forgiven`(
    seconds: Double, rate: Double, frame: Int
  ) {
    #expect(SessionFilm.frame(showing: Timestamp(seconds: seconds), rate: rate) == frame)
  }

  @Test func `times without bounds stay within`() {
    for time in [Timestamp(nanoseconds: .max), Timestamp(nanoseconds: .min)] {
      #expect(abs(SessionFilm.frame(showing: time, rate: 31)) <= 1_000_000_000)
    }
  }

  @Test func `cues shorter than a frame are left out, their numbers kept`() {
    let track = SessionTrack(
      name: "a", canvas: Self.canvas,
      cues: [
        cue(0, 1, 1, [object(["1"])]), cue(1, 2.01, 2.03, [object(["1"])]),
        cue(2, 3, 3.5, [object(["1"])]),
      ])
    let film = SessionFilm(tracks: [track], videoFramesPerSecond: 24)
    #expect(film.tracks["a"]?.map(\.index) == [2])
    #expect(film.tracks["a"]?.map(\.startFrame) == [72])
    #expect(film.tracks["a"]?.map(\.endFrame) == [84])
  }

  @Test(arguments: [(24.0, 24.0), (31.0, 31.0), (50.0, 25.0), (60.0, 30.0), (120.0, 30.0)])
  func `fast film is looked at in steps`(rate: Double, grid: Double) {
    #expect(SessionFilm(tracks: [], videoFramesPerSecond: rate).framesPerSecond == grid)
  }

  @Test func `letters come from the ink's width and the lines' height`() {
    // A line 10 high and 54 wide: letters of 5.4, ten of them.
    let line = [String](repeating: String(repeating: "1", count: 54), count: 10)
    #expect(TextShape.letters(of: [object(line)]) == 10)
    // Two lines apart by three rows without ink count each; by two they are one, 22 high:
    // letters of 11.88, five of them.
    let gap = { [String](repeating: String(repeating: "0", count: 54), count: $0) }
    #expect(TextShape.letters(of: [object(line + gap(3) + line)]) == 20)
    #expect(TextShape.letters(of: [object(line + gap(2) + line)]) == 5)
    // Margins without ink do not count, nor does what is nearly transparent.
    let wide = line.map { "000" + $0 + "222222222222" }
    #expect(TextShape.letters(of: [object(wide)]) == 10)
    let shaded = line.map { $0 + "333333" }
    #expect(TextShape.letters(of: [object(shaded)]) == 12)
    // Tiny text: a letter is at least 4 wide.
    #expect(TextShape.letters(of: [object(["11111111"])]) == 2)
    #expect(TextShape.letters(of: []) == 0)
    #expect(TextShape.letters(of: [object(gap(4))]) == 0)
  }
}
