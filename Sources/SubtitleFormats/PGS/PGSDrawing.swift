// SPDX-License-Identifier: Apache-2.0
import SubtitleModel

extension PGSDecoder {
  /// What a composition shows: its objects cropped, clipped to window and canvas, in drawing order.
  ///
  /// Objects of which nothing is visible are left out.
  mutating func draw(
    _ composition: PresentationCompositionSegment, at time: Timestamp, offset: Int64
  ) throws(StreamFinding) -> [ShownObject] {
    guard !composition.objects.isEmpty else { return [] }
    guard let state = epoch.palettes[composition.paletteID] else {
      dependOnPast()
      try note(
        .pgsPaletteUndefined, time, offset,
        "palette \(composition.paletteID) is not defined in this epoch, so nothing is shown")
      return []
    }
    let palette = convertedPalette(composition.paletteID, state)
    var shown: [ShownObject] = []
    for reference in composition.objects {
      guard let decoded = try pixels(of: reference.objectID, time) else {
        dependOnPast()
        try note(
          .pgsObjectUndefined, time, offset,
          "object \(reference.objectID) is not defined in this epoch and is not shown")
        continue
      }
      try checkEntries(decoded, state, reference, time, offset)
      guard let object = try place(reference, decoded, palette, time, offset) else { continue }
      shown.append(ShownObject(id: reference.objectID, object: object))
    }
    return shown
  }

  private mutating func convertedPalette(_ id: Int, _ state: PGSPaletteState) -> Palette {
    let conversion =
      options.conversion ?? .customary(for: canvas ?? Canvas(width: 1920, height: 1080))
    if let known = epoch.converted, known.id == id, known.conversion == conversion {
      return known.palette
    }
    let palette = state.colors(conversion)
    epoch.converted = (id, conversion, palette)
    return palette
  }

  private mutating func checkEntries(
    _ decoded: PGSRunLength.Decoded, _ state: PGSPaletteState, _ reference: CompositionObject,
    _ time: Timestamp, _ offset: Int64
  ) throws(StreamFinding) {
    let missing = decoded.used.missing(from: state.entries, decoded.bitmap)
    guard let first = missing.first else { return }
    dependOnPast()
    // Index 0 is commonly left undefined to stand for nothing, and 255 by many encoders.
    if missing.contains(where: { $0 != 0 && $0 != 255 }) || first == 255 {
      try note(
        .pgsEntryUndefined, time, offset,
        "object \(reference.objectID) uses \(missing.count) colours that are not defined, the first "
          + "is \(first); they are transparent")
    }
  }

  /// Crops an object and clips it to its window and the canvas; nil if nothing visible is left.
  private mutating func place(
    _ reference: CompositionObject, _ decoded: PGSRunLength.Decoded, _ palette: Palette,
    _ time: Timestamp, _ offset: Int64
  ) throws(StreamFinding) -> CueObject? {
    let bitmap = decoded.bitmap
    let whole = PixelRect(x: 0, y: 0, width: bitmap.width, height: bitmap.height)
    var source = whole
    if let crop = reference.crop {
      source = crop.intersection(whole)
      if source != crop {
        try note(
          .pgsCrop, time, offset,
          "the crop of \(crop.width)x\(crop.height) at \(crop.x),\(crop.y) leaves object "
            + "\(reference.objectID) of \(bitmap.width)x\(bitmap.height)")
      }
    }
    let placed = PixelRect(
      x: reference.x, y: reference.y, width: source.width, height: source.height)
    var target = placed
    if let window = epoch.windows[reference.windowID] {
      target = target.intersection(window)
      if target != placed {
        try note(
          .pgsWindowClips, time, offset,
          "object \(reference.objectID) of \(placed.width)x\(placed.height) at \(placed.x),"
            + "\(placed.y) leaves window \(reference.windowID) and is clipped")
      }
    } else {
      dependOnPast()
      try note(
        .pgsWindowUndefined, time, offset,
        "window \(reference.windowID) is not defined in this epoch, so nothing is clipped")
    }
    if let canvas {
      let frame = PixelRect(x: 0, y: 0, width: canvas.width, height: canvas.height)
      if placed.intersection(frame) != placed {
        try note(
          .pgsOutside, time, offset,
          "object \(reference.objectID) of \(placed.width)x\(placed.height) at \(placed.x),"
            + "\(placed.y) leaves the canvas of \(canvas) and is clipped")
      }
      target = target.intersection(frame)
    }
    guard !target.isEmpty else { return nil }
    guard budget.take(pixels: target.width * target.height) else {
      try note(
        .pgsPacketLimit, time, offset,
        "the pictures of the packet pass \(DecoderLimits.pixelsPerPacket) pixels, object "
          + "\(reference.objectID) is left out")
      return nil
    }
    let part = bitmap.cropped(
      to: PixelRect(
        x: source.x + target.x - placed.x, y: source.y + target.y - placed.y, width: target.width,
        height: target.height))
    let isWhole = part.width == bitmap.width && part.height == bitmap.height
    let isVisible =
      isWhole
      ? decoded.used.isVisible(part, in: palette) : part.isVisible(in: palette)
    guard isVisible else { return nil }
    return CueObject(
      x: target.x, y: target.y, bitmap: part, palette: palette, isForced: reference.isForced)
  }
}
