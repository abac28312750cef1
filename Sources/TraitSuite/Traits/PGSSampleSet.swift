// SPDX-License-Identifier: Apache-2.0
package import SubtitleFormats
package import SubtitleModel

/// A display set on a canvas of 16x8, with everything spelled out.
package struct PGSSampleSet {
  package static let canvas = Canvas(width: 16, height: 8)
  package static let white = PaletteEntry(luma: 235, cr: 128, cb: 128, alpha: 255)
  package static let black = PaletteEntry(luma: 16, cr: 128, cb: 128, alpha: 255)
  /// Red by BT.601, as 5 of 255 allow.
  package static let red = PaletteEntry(luma: 81, cr: 240, cb: 90, alpha: 255)
  /// The whole canvas.
  package static let everything = Window(id: 0, rect: PixelRect(x: 0, y: 0, width: 16, height: 8))

  package var seconds: Double
  package var state: CompositionState
  package var isUpdate: Bool
  package var paletteID: Int
  package var shown: [CompositionObject]
  package var windows: [Window]
  package var palettes: [PaletteDefinitionSegment]
  package var objects: [ObjectDefinition]

  /// Makes a set that shows nothing unless told.
  package init(
    seconds: Double, state: CompositionState = .epochStart, isUpdate: Bool = false,
    paletteID: Int = 0, shown: [CompositionObject] = [],
    windows: [Window] = [PGSSampleSet.everything], palettes: [PaletteDefinitionSegment] = [],
    objects: [ObjectDefinition] = []
  ) {
    self.seconds = seconds
    self.state = state
    self.isUpdate = isUpdate
    self.paletteID = paletteID
    self.shown = shown
    self.windows = windows
    self.palettes = palettes
    self.objects = objects
  }

  /// Index 1 white, 2 black, 3 red.
  package static func palette(id: Int = 0, alpha: UInt8 = 255) -> PaletteDefinitionSegment {
    var entries = [white, black, red]
    for index in entries.indices { entries[index].alpha = alpha }
    return PaletteDefinitionSegment(
      id: id, version: 0, entries: entries.enumerated().map { (UInt8($0 + 1), $1) })
  }

  package static func at(
    _ x: Int, _ y: Int, object: Int = 0, window: Int = 0, forced: Bool = false,
    crop: PixelRect? = nil
  ) -> CompositionObject {
    CompositionObject(
      objectID: object, windowID: window, isForced: forced, x: x, y: y, crop: crop)
  }

  /// A set that shows one white block, whole in itself.
  package static func block(
    _ seconds: Double, x: Int = 2, y: Int = 1, width: Int = 4, height: Int = 2,
    index: UInt8 = 1, state: CompositionState = .epochStart
  ) -> PGSSampleSet {
    PGSSampleSet(
      seconds: seconds, state: state, shown: [at(x, y)], palettes: [palette()],
      objects: [ObjectDefinition(id: 0, bitmap: IndexedBitmap(width, height, index))])
  }

  package static func clear(_ seconds: Double) -> PGSSampleSet {
    PGSSampleSet(seconds: seconds, state: .normal)
  }

  package var displaySet: PGSDisplaySet {
    PGSDisplaySet(
      pts: Int64(seconds * 90_000),
      composition: PresentationCompositionSegment(
        video: VideoDescriptor(canvas: Self.canvas), compositionNumber: 0, state: state,
        isPaletteUpdateOnly: isUpdate, paletteID: paletteID, objects: shown),
      windows: windows, palettes: palettes, objects: objects)
  }

  package var time: Timestamp { Timestamp(seconds: seconds) }

  package func segments() throws -> [PGSSegment] { try displaySet.segments() }

  /// The set as one packet of a container.
  package func packet() throws -> TrackPacket { try packet(segments()) }

  package func packet(_ segments: [PGSSegment]) -> TrackPacket {
    TrackPacket(time: time, bytes: bytes(segments))
  }

  package func bytes(_ segments: [PGSSegment]) -> [UInt8] {
    segments.flatMap { segment in
      [
        segment.type.rawValue, UInt8(segment.payload.count >> 8),
        UInt8(segment.payload.count & 255),
      ]
        + segment.payload
    }
  }
}
