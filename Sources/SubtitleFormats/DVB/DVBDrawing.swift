// SPDX-License-Identifier: Apache-2.0
import SubtitleModel

/// A region's memory.
struct DVBRegion: Sendable {
  var width: Int
  var height: Int
  var depth: PixelDepth
  var clutID: Int
  var pixels: [UInt8]
  var objects: [RegionCompositionSegment.Object]
  /// Whether its pixels are known from their filling on.
  var isKnown: Bool
}

extension DVBDecoder {
  /// Takes a region composition: fills it if asked, and notes where its objects lie.
  mutating func compose(
    _ segment: RegionCompositionSegment, at offset: Int64
  ) throws(StreamFinding) {
    let count = segment.width * segment.height
    let others = regions.reduce(0) { $0 + ($1.key == segment.id ? 0 : $1.value.pixels.count) }
    guard count > 0, others + count <= Self.pixelLimit else {
      regions[segment.id] = nil
      try note(
        .dvbRegionSize, offset,
        "region \(segment.id) is \(segment.width)x\(segment.height), which is empty or passes the "
          + "\(Self.pixelLimit) pixels of all regions, and is dropped")
      return
    }
    var depth = PixelDepth.four
    if let known = segment.depth {
      depth = known
    } else {
      try note(.dvbRegionDepth, offset, "region \(segment.id) has a reserved depth, taken for 4")
    }
    let fill =
      switch depth {
      case .two: segment.fill2
      case .four: segment.fill4
      case .eight: segment.fill8
      }
    let old = regions[segment.id]
    let isSame = old.map { $0.width == segment.width && $0.height == segment.height } ?? false
    if let old, !isSame || old.depth != depth {
      try note(
        .dvbRegionChanged, offset,
        "region \(segment.id) changes from \(old.width)x\(old.height) of \(old.depth.rawValue) bits to "
          + "\(segment.width)x\(segment.height) of \(depth.rawValue) within an epoch")
    }
    if old == nil, !segment.isFilled {
      try note(
        .dvbRegionUnfilled, offset,
        "region \(segment.id) is composed first without being filled; it begins with pixel code 0")
    }
    var region =
      isSame && !segment.isFilled
      ? old
      : DVBRegion(
        width: segment.width, height: segment.height, depth: depth, clutID: segment.clutID,
        pixels: [UInt8](repeating: segment.isFilled ? fill : 0, count: count), objects: [],
        isKnown: segment.isFilled)
    region?.depth = depth
    region?.clutID = segment.clutID
    region?.objects = segment.objects
    regions[segment.id] = region
    for object in segment.objects where object.type != 0 || object.provider != 0 {
      try note(
        .dvbObjectString, offset,
        "object \(object.id) is of type \(object.type) and provider \(object.provider), which is not "
          + "drawn")
    }
  }

  /// Draws an object into every region that places it.
  mutating func draw(_ segment: ObjectDataSegment, at offset: Int64) throws(StreamFinding) {
    let (top, bottom): ([UInt8], [UInt8])
    switch segment.content {
    case .pixels(let first, let second): (top, bottom) = (first, second.isEmpty ? first : second)
    case .characters(let codes):
      try note(
        .dvbObjectString, offset,
        "object \(segment.id) is a string of \(codes.count) characters, which is not drawn")
      return
    case .other(let method, _):
      try note(
        .dvbObjectProgressive, offset,
        "object \(segment.id) is coded by method \(method), which is not drawn")
      return
    }
    var isUsed = false
    var damages: Set<DVBPixelReader.Damage> = []
    for id in regions.keys.sorted() {
      guard let places = regions[id]?.objects.filter({ $0.id == segment.id && $0.type == 0 }),
        !places.isEmpty
      else { continue }
      for place in places {
        isUsed = true
        draw(top, bottom, at: place, in: id, segment.hasNonModifyingColor, &damages)
      }
    }
    if isUsed, segment.hasNonModifyingColor {
      try note(
        .dvbNonModifying, offset,
        "pixel code 1 of object \(segment.id) leaves the region's pixels as they are")
    }
    if !isUsed { try note(.dvbObjectUnused, offset, "object \(segment.id) is in no region") }
    try note(damages, of: segment.id, at: offset)
  }

  private mutating func draw(
    _ top: [UInt8], _ bottom: [UInt8], at place: RegionCompositionSegment.Object, in id: Int,
    _ keepsCode1: Bool, _ damages: inout Set<DVBPixelReader.Damage>
  ) {
    guard let region = regions[id] else { return }
    regions[id]?.pixels = []
    var target = DVBPixelReader.Target(
      pixels: region.pixels, width: region.width, height: region.height, depth: region.depth,
      x: place.x, y: place.y, keepsCode1: keepsCode1)
    for (first, data) in [(0, top), (1, bottom)] {
      // Map tables are those of the field's own data.
      var reader = DVBPixelReader(data)
      reader.draw(into: &target, first: first)
      damages.formUnion(reader.damages)
    }
    regions[id]?.pixels = target.pixels
  }

  private mutating func note(
    _ damages: Set<DVBPixelReader.Damage>, of id: Int, at offset: Int64
  ) throws(StreamFinding) {
    for damage in damages {
      switch damage {
      case .cut: try note(.dvbPixelData, offset, "the pixels of object \(id) end within a code")
      case .unknownType(let type):
        try note(
          .dvbPixelData, offset,
          "object \(id) has a block of type \(type), which is not known; the field ends there")
      case .endOfString:
        try note(
          .dvbEndOfString, offset,
          "strings of object \(id) lack their end or half of it, and end where the line is full")
      case .deeper:
        try note(
          .dvbPixelDepth, offset,
          "object \(id) has pixel codes beyond its region's depth, which are cut to it")
      case .outside:
        try note(.dvbObjectOutside, offset, "object \(id) leaves its region and is clipped")
      }
    }
  }
}
