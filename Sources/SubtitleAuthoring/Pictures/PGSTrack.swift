// SPDX-License-Identifier: Apache-2.0
package import MediaContainer
package import SubtitleFormats
package import SubtitleModel

/// Makes PGS display sets of drawn cues.
package enum PGSTrack {
  /// Colours of a picture: 256 entries, of which 255 is left undefined, as discs leave it.
  static let maximumColors = 255

  /// Makes the display sets of a track.
  ///
  /// - Parameters:
  ///   - cues: The cues, in order and without overlap.
  ///   - canvas: The canvas.
  ///   - cancellation: Ends the work early, with `CancellationError`.
  /// - Returns: The sets in order, and warnings.
  /// - Throws: ``AuthoringFault`` that names the cue.
  package static func displaySets(
    of cues: [DrawnCue], canvas: Canvas, cancellation: CancellationFlag? = nil
  ) throws -> (sets: [PGSDisplaySet], warnings: [String]) {
    let pictures = try cues.map { cue in
      try cancellation?.check()
      return picture(of: cue)
    }
    do {
      let video = VideoDescriptor(canvas: canvas)
      return try PGSTrackWriter.displaySets(of: pictures, video: video)
    } catch {
      throw AuthoringFault(.input, "\(error)")
    }
  }

  /// A cue as the writer takes it: one palette for all its pictures, later ones with less alpha.
  private static func picture(of drawn: DrawnCue) -> PGSPicture {
    let quantized = Quantizer.quantize(drawn.layers.map(\.bitmap), maximumColors: maximumColors)
    let objects = zip(drawn.layers, quantized.bitmaps).map { layer, bitmap in
      PGSPicture.Object(
        bitmap: bitmap, x: layer.x, y: layer.y, crop: layer.crop, isForced: layer.isForced,
        window: layer.window)
    }
    var picture = PGSPicture(
      start: drawn.cue.start.ticks90k, end: drawn.cue.end?.ticks90k, palette: quantized.palette,
      objects: objects)
    picture.paletteUpdates = drawn.cue.paletteUpdates.map { update in
      (update.time.ticks90k, quantized.palette.faded(by: update.alpha))
    }
    picture.acquisitionPoints = drawn.cue.acquisitionPoints.map(\.ticks90k)
    picture.continuesEpoch = drawn.cue.continuesEpoch
    return picture
  }
}

extension Palette {
  /// The palette with every alpha multiplied by a factor of 0 to 1.
  func faded(by factor: Double) -> Palette {
    Palette(
      colors: colors.map { color in
        var faded = color
        faded.alpha = UInt8((Double(color.alpha) * factor).rounded())
        return faded
      })
  }
}
