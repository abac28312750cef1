// SPDX-License-Identifier: Apache-2.0

/// One bitmap on the canvas, as a cue shows it.
public struct CueObject: Sendable, Hashable {
  /// Column of the bitmap's left edge, in canvas pixels; may lie outside the canvas.
  public var x: Int
  /// Row of the bitmap's top edge, in canvas pixels; may lie outside the canvas.
  public var y: Int
  /// The pixels, as indices into `palette`.
  public var bitmap: IndexedBitmap
  /// The colours, full-range RGB with straight alpha.
  public var palette: Palette
  /// Whether the stream marks this object as forced (to be shown though subtitles are off).
  public var isForced: Bool

  /// Makes an object.
  public init(x: Int, y: Int, bitmap: IndexedBitmap, palette: Palette, isForced: Bool) {
    self.x = x
    self.y = y
    self.bitmap = bitmap
    self.palette = palette
    self.isForced = isForced
  }

  /// The object's rectangle, in canvas pixels.
  public var rect: PixelRect {
    PixelRect(x: x, y: y, width: bitmap.width, height: bitmap.height)
  }
}

/// What ends a cue.
public enum CueEnd: String, Sendable, Hashable, Codable {
  /// The next picture of the track replaces it.
  case nextCue
  /// The stream clears the screen.
  case clear
  /// The container states its duration.
  case containerDuration
  /// The stream states its duration (VobSub stop command, DVB page time-out).
  case streamDuration
  /// The file ends first.
  case endOfFile
}

/// A picture with start and end: what one track shows over one span of time, unchanged.
public struct Cue: Sendable, Hashable {
  /// Position in the track, from 0, in order of start.
  public var index: Int
  /// When it appears.
  public var start: Timestamp
  /// When it goes, at or after `start`.
  public var end: Timestamp
  /// What ends it.
  public var endCause: CueEnd
  /// The bitmaps, in drawing order; at least one.
  public var objects: [CueObject]
  /// The canvas that the objects are placed in; nil where it is the track's.
  ///
  /// A DVB display definition or a PGS composition may change it from cue to cue.
  public var canvas: Canvas?

  /// Makes a cue.
  public init(
    index: Int, start: Timestamp, end: Timestamp, endCause: CueEnd, objects: [CueObject],
    canvas: Canvas? = nil
  ) {
    self.canvas = canvas
    self.index = index
    self.start = start
    self.end = end
    self.endCause = endCause
    self.objects = objects
  }

  /// Whether any of its objects is marked as forced.
  public var isForced: Bool { objects.contains { $0.isForced } }

  /// The smallest rectangle around all objects, in canvas pixels.
  public var bounds: PixelRect {
    objects.reduce(PixelRect(x: 0, y: 0, width: 0, height: 0)) { $0.union($1.rect) }
  }
}
