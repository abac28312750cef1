// SPDX-License-Identifier: Apache-2.0

public import SubtitleModel

/// By whose habits the objects of a cue come onto the canvas.
public enum DrawingHabit: String, Sendable, Hashable, CaseIterable {
  /// As FFmpeg does it, and with it every server that burns in by the `ffmpeg` program.
  ///
  /// Objects are copied, not composited: a later one replaces what an earlier one left, transparent
  /// pixels too. An object that reaches past the canvas is not drawn at all.
  case server
  /// As authored: each object is composited over the ones before it and clipped to the canvas.
  case authored
}

extension Cue {
  /// Draws the cue on an empty canvas.
  ///
  /// - Parameters:
  ///   - canvas: The size of the canvas.
  ///   - habit: By whose habits the objects are drawn.
  /// - Returns: A picture of the canvas's size, RGBA with straight alpha.
  /// - Throws: `.sizeOutOfRange` for a canvas without pixels or with too many.
  public func picture(
    on canvas: Canvas, habit: DrawingHabit = .authored
  ) throws(CompositingFault) -> RGBABitmap {
    try CompositingFault.check(canvas)
    var picture = RGBABitmap(width: canvas.width, height: canvas.height, filledWith: .transparent)
    for object in objects { object.draw(onto: &picture, habit: habit) }
    return picture
  }

  /// The objects that FFmpeg leaves out because they reach past the canvas, by position.
  ///
  /// - Parameter canvas: The size of the canvas.
  /// - Returns: Positions in `objects`, in order.
  public func objectsLeftOut(on canvas: Canvas) -> [Int] {
    objects.indices.filter { !objects[$0].fits(width: canvas.width, height: canvas.height) }
  }
}

extension CueObject {
  /// Whether the object lies inside the canvas with all its pixels.
  func fits(width: Int, height: Int) -> Bool {
    x >= 0 && y >= 0 && x <= width - bitmap.width && y <= height - bitmap.height
  }

  /// Draws the object onto a canvas.
  func draw(onto picture: inout RGBABitmap, habit: DrawingHabit) {
    if habit == .server && !fits(width: picture.width, height: picture.height) { return }
    // Coordinates come from files: no sum of them may overflow.
    let left = max(0, -max(x, -bitmap.width))
    let top = max(0, -max(y, -bitmap.height))
    guard x < picture.width, y < picture.height, left < bitmap.width, top < bitmap.height else {
      return
    }
    let right = min(bitmap.width, picture.width - x)
    let bottom = min(bitmap.height, picture.height - y)
    guard left < right, top < bottom else { return }
    let colors = palette.packed()
    let (columns, rows) = (left..<right, top..<bottom)
    let (pictureWidth, bitmapWidth, x, y) = (picture.width, bitmap.width, x, y)
    bitmap.indices.withUnsafeBufferPointer { indices in
      picture.bytes.withUnsafeMutableBytes { bytes in
        colors.withUnsafeBufferPointer { colors in
          for row in rows {
            var target = 4 * ((y + row) * pictureWidth + x + columns.lowerBound)
            let source = row * bitmapWidth
            for column in columns {
              let color = colors[Int(indices[source + column])]
              if habit == .server {
                bytes.storeBytes(of: color.littleEndian, toByteOffset: target, as: UInt32.self)
              } else if color >> 24 != 0 {
                let below = UInt32(
                  littleEndian: bytes.load(fromByteOffset: target, as: UInt32.self))
                bytes.storeBytes(
                  of: overStraight(color, below).littleEndian, toByteOffset: target,
                  as: UInt32.self)
              }
              target += 4
            }
          }
        }
      }
    }
  }
}

extension Palette {
  /// All 256 colours as words of R, G, B, A, red in the lowest byte; transparent past the end.
  func packed() -> [UInt32] {
    var words = [UInt32](repeating: 0, count: 256)
    for (index, color) in colors.prefix(256).enumerated() {
      words[index] =
        UInt32(color.red) | UInt32(color.green) << 8 | UInt32(color.blue) << 16
        | UInt32(color.alpha) << 24
    }
    return words
  }
}
