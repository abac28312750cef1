// SPDX-License-Identifier: Apache-2.0
package import BinaryReading
package import SubtitleModel

/// The kinds of segment in a presentation graphics stream.
package enum PGSSegmentType: UInt8, Sendable {
  /// Palette definition segment, PDS.
  case paletteDefinition = 0x14
  /// Object definition segment, ODS.
  case objectDefinition = 0x15
  /// Presentation composition segment, PCS.
  case presentationComposition = 0x16
  /// Window definition segment, WDS.
  case windowDefinition = 0x17
  /// End of display set segment, END.
  case end = 0x80
}

/// One segment: its kind, and what stands behind the size field.
package struct PGSSegment: Sendable, Hashable {
  /// The longest payload written.
  ///
  /// The size field holds 65535; a transport stream's packet length counts 16 bytes more (PES header
  /// of 13 behind the length, segment header of 3), so the rest is what fits in every container.
  package static let maximumPayload = 65_535 - 16

  /// The kind.
  package var type: PGSSegmentType
  /// The bytes behind the size field.
  package var payload: [UInt8]

  /// Makes a segment.
  package init(type: PGSSegmentType, payload: [UInt8]) {
    self.type = type
    self.payload = payload
  }

  /// Appends type (1 byte), size (2) and payload, as Matroska and transport streams have them.
  package func write(to writer: inout ByteWriter) throws(PGSWritingFault) {
    let size = try field(payload.count, "size", of: "segment", as: UInt16.self)
    writer.u8(type.rawValue)
    writer.u16(size)
    writer.bytes(payload)
  }
}

/// The header that a .sup file has before each segment, 13 bytes with type and size.
///
/// `"PG"`, PTS (4 bytes), DTS (4), then type (1) and size (2) of the segment itself.
package struct SUPSegmentHeader: Sendable, Hashable {
  /// Presentation time in 90 kHz ticks; the field holds 32 bits (13 h 15 min).
  package var pts: Int64
  /// Decoding time in 90 kHz ticks; 0 means unset, as most files have it.
  package var dts: Int64

  /// Makes a header.
  package init(pts: Int64, dts: Int64 = 0) {
    self.pts = pts
    self.dts = dts
  }

  /// Appends the ten bytes before the segment's own type and size.
  package func write(to writer: inout ByteWriter) throws(PGSWritingFault) {
    writer.bytes([0x50, 0x47])  // "PG"
    writer.u32(try field(Int(pts), "PTS", of: ".sup segment header", as: UInt32.self))
    writer.u32(try field(Int(dts), "DTS", of: ".sup segment header", as: UInt32.self))
  }
}

/// The video that the composition belongs to: 5 bytes of the PCS.
package struct VideoDescriptor: Sendable, Hashable {
  /// Width and height of the canvas.
  package var canvas: Canvas
  /// The frame rate's code, 4 bits: 1 is 23.976, 2 is 24, 3 is 25, 4 is 29.97, 6 is 50, 7 is 59.94.
  package var frameRate: UInt8 = 1

  /// Makes a descriptor.
  package init(canvas: Canvas, frameRate: UInt8 = 1) {
    self.canvas = canvas
    self.frameRate = frameRate
  }
}

/// What a display set is within its epoch: two bits of the PCS.
package enum CompositionState: UInt8, Sendable {
  /// Changes what came before.
  case normal = 0x00
  /// Decoding can begin here, inside an epoch: everything shown is sent again.
  case acquisitionPoint = 0x40
  /// Everything that came before is forgotten.
  case epochStart = 0x80
  /// The epoch goes on over a seam of the disc.
  case epochContinue = 0xC0
}

/// An object as a composition shows it.
package struct CompositionObject: Sendable, Hashable {
  /// The object definition meant.
  package var objectID: Int
  /// The window that it is drawn in.
  package var windowID: Int
  /// Whether it is to be shown though subtitles are off.
  package var isForced: Bool
  /// Column of the (cropped) object's left edge on the canvas.
  package var x: Int
  /// Row of the (cropped) object's top edge on the canvas.
  package var y: Int
  /// The part of the object that is shown, in the object's own pixels; nil shows all of it.
  package var crop: PixelRect?

  /// Makes an object of a composition.
  package init(
    objectID: Int, windowID: Int, isForced: Bool = false, x: Int, y: Int, crop: PixelRect? = nil
  ) {
    self.objectID = objectID
    self.windowID = windowID
    self.isForced = isForced
    self.x = x
    self.y = y
    self.crop = crop
  }
}

/// PCS 0x16: what is shown from its PTS on.
///
///     width 2, height 2, frame rate 1 (high nibble), composition number 2, state 1,
///     palette update flag 1 (0x80), palette id 1, object count 1, then each object:
///     object id 2, window id 1, flags 1 (0x80 cropped, 0x40 forced), x 2, y 2, [crop x y w h 2 each]
package struct PresentationCompositionSegment: Sendable, Hashable {
  /// The video.
  package var video: VideoDescriptor
  /// Counts the display sets; the low 16 bits are written.
  package var compositionNumber: Int
  /// What the display set is within its epoch.
  package var state: CompositionState
  /// Whether only the palette changes.
  package var isPaletteUpdateOnly: Bool
  /// The palette that all objects are drawn with.
  package var paletteID: Int
  /// What is shown, in drawing order; none clears the screen.
  package var objects: [CompositionObject]

  /// Makes a composition.
  package init(
    video: VideoDescriptor, compositionNumber: Int, state: CompositionState,
    isPaletteUpdateOnly: Bool = false, paletteID: Int, objects: [CompositionObject]
  ) {
    self.video = video
    self.compositionNumber = compositionNumber
    self.state = state
    self.isPaletteUpdateOnly = isPaletteUpdateOnly
    self.paletteID = paletteID
    self.objects = objects
  }

  /// The segment's bytes.
  package func segment() throws(PGSWritingFault) -> PGSSegment {
    let name = "presentation composition segment"
    var writer = ByteWriter()
    writer.u16(try field(video.canvas.width, "width", of: name, as: UInt16.self))
    writer.u16(try field(video.canvas.height, "height", of: name, as: UInt16.self))
    writer.u8(video.frameRate << 4)
    writer.u16(UInt16(truncatingIfNeeded: compositionNumber))
    writer.u8(state.rawValue)
    writer.u8(isPaletteUpdateOnly ? 0x80 : 0x00)
    writer.u8(try field(paletteID, "palette id", of: name, as: UInt8.self))
    writer.u8(try field(objects.count, "object count", of: name, as: UInt8.self))
    for object in objects {
      writer.u16(try field(object.objectID, "object id", of: name, as: UInt16.self))
      writer.u8(try field(object.windowID, "window id", of: name, as: UInt8.self))
      writer.u8((object.crop == nil ? 0 : 0x80) | (object.isForced ? 0x40 : 0))
      writer.u16(try field(object.x, "x", of: name, as: UInt16.self))
      writer.u16(try field(object.y, "y", of: name, as: UInt16.self))
      if let crop = object.crop { try write(crop, to: &writer, of: name) }
    }
    return PGSSegment(type: .presentationComposition, payload: writer.bytes)
  }
}

/// A rectangle of the canvas that objects are drawn in.
package struct Window: Sendable, Hashable {
  /// The number that compositions name it by.
  package var id: Int
  /// The rectangle, in canvas pixels.
  package var rect: PixelRect

  /// Makes a window.
  package init(id: Int, rect: PixelRect) {
    self.id = id
    self.rect = rect
  }
}

/// WDS 0x17: count 1, then each window: id 1, x 2, y 2, width 2, height 2.
package struct WindowDefinitionSegment: Sendable, Hashable {
  /// The windows of the epoch.
  package var windows: [Window]

  /// Makes a definition.
  package init(windows: [Window]) { self.windows = windows }

  /// The segment's bytes.
  package func segment() throws(PGSWritingFault) -> PGSSegment {
    let name = "window definition segment"
    var writer = ByteWriter()
    writer.u8(try field(windows.count, "window count", of: name, as: UInt8.self))
    for window in windows {
      writer.u8(try field(window.id, "window id", of: name, as: UInt8.self))
      try write(window.rect, to: &writer, of: name)
    }
    return PGSSegment(type: .windowDefinition, payload: writer.bytes)
  }
}

/// One colour of a palette definition: 5 bytes, index and these four.
package struct PaletteEntry: Sendable, Hashable {
  /// Y, 16 to 235.
  package var luma: UInt8
  /// Cr, 16 to 240.
  package var cr: UInt8
  /// Cb, 16 to 240.
  package var cb: UInt8
  /// Straight alpha, 255 is opaque.
  package var alpha: UInt8

  /// Makes an entry of its components, in the order they are written.
  package init(luma: UInt8, cr: UInt8, cb: UInt8, alpha: UInt8) {
    self.luma = luma
    self.cr = cr
    self.cb = cb
    self.alpha = alpha
  }
}

/// PDS 0x14: id 1, version 1, then each entry: index 1, Y 1, Cr 1, Cb 1, alpha 1.
package struct PaletteDefinitionSegment: Sendable, Hashable {
  /// Palettes of one epoch.
  package static let limit = 8

  /// The palette's number, 0 to 7.
  package var id: Int
  /// Counts the definitions of this palette within the epoch.
  package var version: UInt8
  /// The entries sent, by index; those not sent keep their colour.
  package var entries: [(index: UInt8, entry: PaletteEntry)]

  /// Makes a definition.
  package init(id: Int, version: UInt8, entries: [(index: UInt8, entry: PaletteEntry)]) {
    self.id = id
    self.version = version
    self.entries = entries
  }

  package static func == (left: Self, right: Self) -> Bool {
    left.id == right.id && left.version == right.version
      && left.entries.elementsEqual(right.entries) { $0 == $1 }
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(version)
    hasher.combine(entries.count)
  }

  /// The segment's bytes.
  package func segment() throws(PGSWritingFault) -> PGSSegment {
    let name = "palette definition segment"
    guard (0..<Self.limit).contains(id) else {
      throw .outOfRange(structure: name, field: "palette id", value: id, range: 0...Self.limit - 1)
    }
    guard entries.count <= 256 else {
      throw .limitExceeded(what: "entries of a palette", count: entries.count, limit: 256)
    }
    var writer = ByteWriter()
    writer.u8(UInt8(id))
    writer.u8(version)
    for (index, entry) in entries {
      writer.bytes([index, entry.luma, entry.cr, entry.cb, entry.alpha])
    }
    return PGSSegment(type: .paletteDefinition, payload: writer.bytes)
  }
}

private func write(
  _ rect: PixelRect, to writer: inout ByteWriter, of structure: String
) throws(PGSWritingFault) {
  writer.u16(try field(rect.x, "rectangle x", of: structure, as: UInt16.self))
  writer.u16(try field(rect.y, "rectangle y", of: structure, as: UInt16.self))
  writer.u16(try field(rect.width, "rectangle width", of: structure, as: UInt16.self))
  writer.u16(try field(rect.height, "rectangle height", of: structure, as: UInt16.self))
}
