// SPDX-License-Identifier: Apache-2.0
package import SubtitleModel

/// A picture for ``PGSTrackWriter``: what is shown from `start` to `end`.
package struct PGSPicture: Sendable, Hashable {
  /// One bitmap of the picture.
  package struct Object: Sendable, Hashable {
    /// The pixels, as indices into the picture's palette.
    package var bitmap: IndexedBitmap
    /// Column of the (cropped) bitmap's left edge on the canvas.
    package var x: Int
    /// Row of the (cropped) bitmap's top edge on the canvas.
    package var y: Int
    /// The part of the bitmap that is shown; nil shows all of it.
    package var crop: PixelRect?
    /// Whether it is to be shown though subtitles are off.
    package var isForced: Bool
    /// The window asked for, 0 or 1; nil lets the writer choose.
    package var window: Int?

    /// Makes an object.
    package init(
      bitmap: IndexedBitmap, x: Int, y: Int, crop: PixelRect? = nil, isForced: Bool = false,
      window: Int? = nil
    ) {
      self.bitmap = bitmap
      self.x = x
      self.y = y
      self.crop = crop
      self.isForced = isForced
      self.window = window
    }

    /// What it covers on the canvas.
    var rect: PixelRect {
      PixelRect(
        x: x, y: y, width: crop?.width ?? bitmap.width, height: crop?.height ?? bitmap.height)
    }
  }

  /// When it appears, in 90 kHz ticks.
  package var start: Int64
  /// When it goes, in 90 kHz ticks; nil leaves it standing until the next picture or for ever.
  package var end: Int64?
  /// The colours of all its objects: a composition has one palette.
  package var palette: Palette
  /// The bitmaps, in drawing order; at least one.
  package var objects: [Object]
  /// Later palettes for the same bitmaps, such as a fade's; times in 90 kHz ticks, rising.
  package var paletteUpdates: [(time: Int64, palette: Palette)] = []
  /// Times at which everything shown is sent again, so that decoding can begin there.
  package var acquisitionPoints: [Int64] = []
  /// Whether it belongs to its predecessor's epoch, whose objects it can use again.
  package var continuesEpoch = false

  /// Makes a picture.
  package init(start: Int64, end: Int64?, palette: Palette, objects: [Object]) {
    self.start = start
    self.end = end
    self.palette = palette
    self.objects = objects
  }

  package static func == (left: Self, right: Self) -> Bool {
    left.start == right.start && left.end == right.end && left.palette == right.palette
      && left.objects == right.objects && left.acquisitionPoints == right.acquisitionPoints
      && left.continuesEpoch == right.continuesEpoch
      && left.paletteUpdates.elementsEqual(right.paletteUpdates) { $0 == $1 }
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(start)
    hasher.combine(objects)
  }
}

/// Makes the display sets of a track from its pictures.
///
/// Each picture begins an epoch, unless it says that it continues its predecessor's; where it ends
/// before the next begins, a display set without objects clears the screen.
package struct PGSTrackWriter {
  /// Objects that a composition can show on a real player; more are written with a warning.
  package static let objectsPerSet = 2

  /// Size and frame rate of the canvas.
  package let video: VideoDescriptor
  /// What was written though a real player may refuse it, one sentence each.
  package private(set) var warnings: [String] = []

  private var sets: [PGSDisplaySet] = []
  private var epoch = Epoch()

  /// What a decoder knows within an epoch.
  private struct Epoch {
    var windows: [Window] = []
    var bitmaps: [IndexedBitmap: Int] = [:]
    var palettes: [Int: (palette: Palette, version: UInt8)] = [:]
    var paletteID = -1
  }

  private init(video: VideoDescriptor) { self.video = video }

  /// Makes the display sets of a track.
  ///
  /// - Parameters:
  ///   - pictures: In order of start, none overlapping its successor.
  ///   - video: The canvas, and the frame rate that is written beside it.
  /// - Returns: The display sets in order, and warnings.
  /// - Throws: `.disordered` for times out of order, `.limitExceeded` for an epoch with over 64
  ///   objects, `.outOfRange` for a place that its field cannot hold.
  package static func displaySets(
    of pictures: [PGSPicture], video: VideoDescriptor
  ) throws(PGSWritingFault) -> (sets: [PGSDisplaySet], warnings: [String]) {
    try checkOrder(of: pictures)
    try checkPlaces(of: pictures)
    var writer = PGSTrackWriter(video: video)
    for (index, picture) in pictures.enumerated() {
      let isNewEpoch = index == 0 || !picture.continuesEpoch
      if isNewEpoch {
        let last = pictures[(index + 1)...].firstIndex { !$0.continuesEpoch } ?? pictures.endIndex
        writer.beginEpoch(of: pictures[index..<last], at: index)
      }
      let next = index + 1 < pictures.count ? pictures[index + 1] : nil
      try writer.append(picture, index: index, isNewEpoch: isNewEpoch, next: next)
    }
    return (writer.sets, writer.warnings)
  }

  private static func checkOrder(of pictures: [PGSPicture]) throws(PGSWritingFault) {
    var bound: Int64 = 0
    for (index, picture) in pictures.enumerated() {
      guard picture.start >= bound else {
        throw .disordered(picture: index, start: picture.start, bound: bound)
      }
      var last = picture.start
      for time in picture.paletteUpdates.map(\.time) + (picture.end.map { [$0] } ?? []) {
        guard time > last else { throw .disordered(picture: index, start: time, bound: last + 1) }
        last = time
      }
      bound = picture.end ?? last + 1
    }
  }

  /// Refuses places that no segment can hold, before anything is computed with them.
  private static func checkPlaces(of pictures: [PGSPicture]) throws(PGSWritingFault) {
    let range = 0...Int(UInt16.max)
    for (index, picture) in pictures.enumerated() {
      for object in picture.objects {
        let size = PixelRect(
          x: 0, y: 0, width: object.bitmap.width, height: object.bitmap.height)
        var values = [("x", object.x), ("y", object.y)]
        if let crop = object.crop {
          values += [("crop x", crop.x), ("crop y", crop.y)]
          values += [("crop width", crop.width), ("crop height", crop.height)]
        }
        for (name, value) in values where !range.contains(value) {
          throw .outOfRange(
            structure: "object of picture \(index + 1)", field: name, value: value, range: range)
        }
        if let crop = object.crop, crop.isEmpty || crop.intersection(size) != crop {
          throw .cropOutside(
            picture: index, crop: crop, width: object.bitmap.width, height: object.bitmap.height)
        }
      }
    }
  }

  /// Forgets the epoch before, and places the windows for all pictures of the new one.
  private mutating func beginEpoch(of pictures: ArraySlice<PGSPicture>, at index: Int) {
    epoch = Epoch()
    let empty = PixelRect(x: 0, y: 0, width: 0, height: 0)
    var slots = [empty, empty]
    var isExplicit = false
    for picture in pictures {
      for (order, object) in picture.objects.enumerated() {
        let slot = slot(of: object, order: order)
        slots[slot] = slots[slot].union(object.rect)
        isExplicit = isExplicit || object.window != nil
      }
    }
    if !slots[0].intersection(slots[1]).isEmpty {
      if isExplicit {
        warnings.append("picture \(index + 1): its two windows overlap")
      } else {
        slots = [slots[0].union(slots[1]), empty]
      }
    }
    epoch.windows = slots.enumerated().compactMap { id, rect in
      rect.isEmpty ? nil : Window(id: id, rect: rect)
    }
  }

  private func slot(of object: PGSPicture.Object, order: Int) -> Int {
    min(max(object.window ?? order, 0), 1)
  }

  private mutating func append(
    _ picture: PGSPicture, index: Int, isNewEpoch: Bool, next: PGSPicture?
  ) throws(PGSWritingFault) {
    warn(about: picture, index: index)
    var newObjects: [ObjectDefinition] = []
    var shown: [CompositionObject] = []
    for (order, object) in picture.objects.enumerated() {
      let (id, isNew) = identify(object.bitmap)
      if isNew { newObjects.append(ObjectDefinition(id: id, bitmap: object.bitmap)) }
      let slot = slot(of: object, order: order)
      shown.append(
        CompositionObject(
          objectID: id, windowID: epoch.windows.contains { $0.id == slot } ? slot : 0,
          isForced: object.isForced, x: object.x, y: object.y, crop: object.crop))
    }
    guard epoch.bitmaps.count <= ObjectDefinition.limit else {
      throw .limitExceeded(
        what: "objects in the epoch of picture \(index + 1)", count: epoch.bitmaps.count,
        limit: ObjectDefinition.limit)
    }
    let palette = define(picture.palette, isUpdate: false)
    appendSet(
      at: picture.start, state: isNewEpoch ? .epochStart : .normal, shown: shown,
      palettes: palette.map { [$0] } ?? [], objects: newObjects)
    appendChanges(within: picture, shown: shown)
    if let end = picture.end, next?.start != end {
      appendSet(at: end, state: .normal, shown: [], palettes: [], objects: [])
    }
  }

  /// Appends palette updates and acquisition points in order of time.
  private mutating func appendChanges(within picture: PGSPicture, shown: [CompositionObject]) {
    let points = picture.acquisitionPoints.filter { point in
      point > picture.start && point < picture.end ?? .max
        && !picture.paletteUpdates.contains { $0.time == point }
    }
    let changes: [(time: Int64, palette: Palette?)] =
      picture.paletteUpdates.map { ($0.time, $0.palette) } + points.map { ($0, nil) }
    var current = picture.palette
    for change in changes.sorted(by: { $0.time < $1.time }) {
      if let palette = change.palette {
        current = palette
        let definition = define(palette, isUpdate: true)
        appendSet(
          at: change.time, state: .normal, isPaletteUpdateOnly: true, shown: shown,
          palettes: definition.map { [$0] } ?? [], objects: [], hasWindows: false)
      } else {
        let version = epoch.palettes[epoch.paletteID]?.version ?? 0
        var objects: [ObjectDefinition] = []
        for object in picture.objects {
          let id = identify(object.bitmap).id
          if !objects.contains(where: { $0.id == id }) {
            objects.append(ObjectDefinition(id: id, bitmap: object.bitmap))
          }
        }
        appendSet(
          at: change.time, state: .acquisitionPoint, shown: shown,
          palettes: [
            PaletteDefinitionSegment(
              id: epoch.paletteID, version: version, palette: current,
              matrix: .of(video.canvas))
          ],
          objects: objects)
      }
    }
  }

  /// The number of a bitmap within the epoch, and whether it has to be sent.
  private mutating func identify(_ bitmap: IndexedBitmap) -> (id: Int, isNew: Bool) {
    if let id = epoch.bitmaps[bitmap] { return (id, false) }
    let id = epoch.bitmaps.count
    epoch.bitmaps[bitmap] = id
    return (id, true)
  }

  /// Makes a palette the current one; nil if the decoder has it already.
  private mutating func define(_ palette: Palette, isUpdate: Bool) -> PaletteDefinitionSegment? {
    let known = epoch.palettes.filter { $0.value.palette == palette }.keys.min()
    if !isUpdate, let known {
      epoch.paletteID = known
      return nil
    }
    if !isUpdate || epoch.paletteID < 0 {
      epoch.paletteID = (epoch.paletteID + 1) % PaletteDefinitionSegment.limit
    }
    let version = epoch.palettes[epoch.paletteID].map { $0.version &+ 1 } ?? 0
    epoch.palettes[epoch.paletteID] = (palette, version)
    return PaletteDefinitionSegment(
      id: epoch.paletteID, version: version, palette: palette, matrix: .of(video.canvas))
  }

  private mutating func appendSet(
    at pts: Int64, state: CompositionState, isPaletteUpdateOnly: Bool = false,
    shown: [CompositionObject], palettes: [PaletteDefinitionSegment], objects: [ObjectDefinition],
    hasWindows: Bool = true
  ) {
    let composition = PresentationCompositionSegment(
      video: video, compositionNumber: sets.count, state: state,
      isPaletteUpdateOnly: isPaletteUpdateOnly, paletteID: max(0, epoch.paletteID), objects: shown)
    sets.append(
      PGSDisplaySet(
        pts: pts, composition: composition, windows: hasWindows ? epoch.windows : [],
        palettes: palettes, objects: objects))
  }

  private mutating func warn(about picture: PGSPicture, index: Int) {
    let canvas = PixelRect(x: 0, y: 0, width: video.canvas.width, height: video.canvas.height)
    if picture.objects.count > Self.objectsPerSet {
      warnings.append(
        "picture \(index + 1): \(picture.objects.count) objects, a player shows at most "
          + "\(Self.objectsPerSet)")
    }
    for object in picture.objects where object.rect.intersection(canvas) != object.rect {
      let rect = object.rect
      warnings.append(
        "picture \(index + 1): the object of \(rect.width)x\(rect.height) at \(rect.x),\(rect.y) "
          + "leaves the canvas of \(video.canvas)")
    }
  }
}
