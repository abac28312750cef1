// SPDX-License-Identifier: Apache-2.0
internal import PNGCoding
package import SubtitleModel

/// A cue whose pictures are there, as RGBA.
package struct DrawnCue: Sendable, Hashable {
  /// One picture of a cue.
  package struct Layer: Sendable, Hashable {
    /// The pixels, straight alpha.
    package var bitmap: RGBABitmap
    /// Column of the (cropped) picture's left edge on the canvas.
    package var x: Int
    /// Row of the (cropped) picture's top edge on the canvas.
    package var y: Int
    /// The part that is shown; nil shows all of it.
    package var crop: PixelRect?
    /// Whether it is forced.
    package var isForced: Bool
    /// The window asked for (PGS only).
    package var window: Int?
  }

  /// What was asked for: times, place in the script, fades.
  package var cue: AuthoredCue
  /// The pictures, in drawing order.
  package var layers: [Layer]
  /// Whether they were drawn from text.
  package var isText: Bool
}

/// Reads or draws the pictures of cues.
struct CueDrawer {
  private let canvas: Canvas
  private let fontFile: String?
  private var renderer: TextRenderer?
  private var files: [String: RGBABitmap] = [:]

  /// The most pixels of a picture: twice the largest canvas in use, 8192x4320.
  private static let maximumPixels = 2 * 8192 * 4320

  /// Makes a drawer.
  ///
  /// - Parameters:
  ///   - canvas: The size that texts are laid out for.
  ///   - fontFile: The font for texts; nil asks fontconfig.
  init(canvas: Canvas, fontFile: String?) {
    self.canvas = canvas
    self.fontFile = fontFile
  }

  /// The fonts that texts were drawn with, if any were.
  var fonts: [String] { renderer?.fonts ?? [] }

  /// Gets the pictures of a cue.
  mutating func draw(_ cue: AuthoredCue) throws(AuthoringFault) -> DrawnCue {
    switch cue.content {
    case .text(let text):
      let picture = try textRenderer().draw(text, place: cue.place)
      let layer = DrawnCue.Layer(
        bitmap: picture.bitmap, x: picture.x, y: picture.y, isForced: cue.isForced)
      return DrawnCue(cue: cue, layers: [layer], isText: true)
    case .images(let images):
      var layers: [DrawnCue.Layer] = []
      for image in images {
        let bitmap = try read(image.file, for: cue)
        if let crop = image.crop {
          let whole = PixelRect(x: 0, y: 0, width: bitmap.width, height: bitmap.height)
          guard crop.intersection(whole) == crop else {
            throw AuthoringFault(
              .input,
              "\(cue.place): the crop of \(crop.width)x\(crop.height) at \(crop.x),\(crop.y) does "
                + "not lie within '\(image.file)' of \(bitmap.width)x\(bitmap.height)")
          }
        }
        layers.append(
          DrawnCue.Layer(
            bitmap: bitmap, x: image.x, y: image.y, crop: image.crop,
            isForced: cue.isForced || image.isForced, window: image.window))
      }
      return DrawnCue(cue: cue, layers: layers, isText: false)
    }
  }

  private mutating func textRenderer() throws(AuthoringFault) -> TextRenderer {
    if let renderer { return renderer }
    let fresh = try TextRenderer(canvas: canvas, fontFile: fontFile)
    renderer = fresh
    return fresh
  }

  private mutating func read(
    _ file: String, for cue: AuthoredCue
  ) throws(AuthoringFault) -> RGBABitmap {
    if let known = files[file] { return known }
    let bytes: [UInt8]
    do {
      bytes = try FileAccess.read(file)
    } catch {
      throw AuthoringFault(error.kind, "\(cue.place): \(error.description)")
    }
    do {
      let bitmap = try PNG.decodeRGBA(bytes, maximumPixels: Self.maximumPixels)
      files[file] = bitmap
      return bitmap
    } catch {
      throw AuthoringFault(.input, "\(cue.place): \(file): \(error)")
    }
  }
}
