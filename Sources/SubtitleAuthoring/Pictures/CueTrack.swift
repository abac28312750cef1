// SPDX-License-Identifier: Apache-2.0
package import MediaContainer
package import SubtitleModel

/// Makes cues for formats that have neither crops, epochs nor palette updates: VobSub, DVB and XSUB.
package enum CueTrack {
  /// Makes the cues of a track.
  ///
  /// Crops are carried out; a fade becomes cues that follow each other. A VobSub track's texts share
  /// one palette, since the whole track has 16 colours.
  ///
  /// - Parameters:
  ///   - drawn: The cues, in order and without overlap.
  ///   - codec: `.vobsub` or `.xsub` (4 colours a picture), or `.dvb` (16).
  ///   - canvas: The canvas.
  ///   - cancellation: Ends the work early, with `CancellationError`.
  /// - Returns: The cues.
  /// - Throws: ``AuthoringFault`` that names the cue: a picture outside the canvas, or a last cue without end.
  package static func cues(
    of drawn: [DrawnCue], codec: SubtitleCodec, canvas: Canvas,
    cancellation: CancellationFlag? = nil
  ) throws -> [Cue] {
    let colors = codec == .dvb ? 16 : 4
    let texts = drawn.filter(\.isText).flatMap { $0.layers.map(\.shown) }
    let shared = codec == .vobsub ? Quantizer.quantize(texts, maximumColors: colors) : nil
    var nextText = 0
    var result: [Cue] = []
    for (index, item) in drawn.enumerated() {
      try cancellation?.check()
      let quantized: Quantizer.Result
      if let shared, item.isText {
        let range = nextText..<nextText + item.layers.count
        nextText = range.upperBound
        quantized = Quantizer.Result(
          palette: shared.palette, bitmaps: Array(shared.bitmaps[range]), isExact: shared.isExact)
      } else {
        quantized = Quantizer.quantize(item.layers.map(\.shown), maximumColors: colors)
      }
      try checkPlaces(of: item, codec: codec, canvas: canvas)
      let next = index + 1 < drawn.count ? drawn[index + 1].cue.start : nil
      guard let end = item.cue.end ?? next else {
        throw AuthoringFault(
          .input, "\(item.cue.place): the last cue of a \(codec.rawValue) track needs an 'end'")
      }
      append(item, quantized, until: end, followed: next == end, to: &result)
    }
    return result
  }

  private static func append(
    _ item: DrawnCue, _ quantized: Quantizer.Result, until end: Timestamp, followed: Bool,
    to result: inout [Cue]
  ) {
    let steps =
      [PaletteUpdate(time: item.cue.start, alpha: 1)]
      + item.cue.paletteUpdates.filter { $0.time < end }
    for (step, update) in steps.enumerated() {
      let isLast = step == steps.count - 1
      let palette =
        update.alpha == 1 ? quantized.palette : quantized.palette.faded(by: update.alpha)
      let objects = zip(item.layers, quantized.bitmaps).map { layer, bitmap in
        CueObject(
          x: layer.x, y: layer.y, bitmap: bitmap, palette: palette, isForced: layer.isForced)
      }
      result.append(
        Cue(
          index: result.count, start: update.time, end: isLast ? end : steps[step + 1].time,
          endCause: isLast && !followed ? .streamDuration : .nextCue, objects: objects))
    }
  }

  private static func checkPlaces(
    of item: DrawnCue, codec: SubtitleCodec, canvas: Canvas
  ) throws(AuthoringFault) {
    let area = PixelRect(x: 0, y: 0, width: canvas.width, height: canvas.height)
    for layer in item.layers {
      let shown = layer.shown
      let rect = PixelRect(x: layer.x, y: layer.y, width: shown.width, height: shown.height)
      guard rect.intersection(area) == rect else {
        throw AuthoringFault(
          .input,
          "\(item.cue.place): the picture of \(rect.width)x\(rect.height) at \(rect.x),\(rect.y) "
            + "leaves the canvas of \(canvas), which \(codec.rawValue) cannot have")
      }
    }
  }
}

extension DrawnCue.Layer {
  /// The pixels that are shown: the crop, carried out.
  var shown: RGBABitmap { crop.map { bitmap.cropped(to: $0) } ?? bitmap }
}
