// SPDX-License-Identifier: Apache-2.0
import BinaryReading
import SubtitleModel

/// What a decoder knows within an epoch.
struct PGSEpoch: Sendable {
  /// An object, decoded when it is first shown.
  struct StoredObject: Sendable {
    var width: Int
    var height: Int
    var version: UInt8
    var data: [UInt8]
    var offset: Int64
    var decoded: PGSRunLength.Decoded?
  }

  /// An object whose last part has not come.
  struct Fragments: Sendable {
    var id: Int
    var head: ObjectDefinitionSegment.Head
    var version: UInt8
    var data: [UInt8]
    var offset: Int64
  }

  var windows: [Int: PixelRect] = [:]
  var palettes: [Int: PGSPaletteState] = [:]
  var objects: [Int: StoredObject] = [:]
  var fragments: Fragments?
  var codedBytes = 0
  var decodedPixels = 0
  /// The palette last converted, with what it was converted by.
  var converted: (id: Int, conversion: PaletteConversion, palette: Palette)?

  /// Bytes of coded and decoded objects.
  var heldBytes: Int {
    objects.values.reduce(fragments?.data.count ?? 0) { sum, object in
      sum + object.data.count + (object.decoded?.bitmap.indices.count ?? 0)
    }
  }
}

extension PaletteEntry {
  /// Whether a visible colour leaves the limited range.
  fileprivate var isOutOfRange: Bool {
    alpha > 0 && (luma < 16 || luma > 235 || cb < 16 || cb > 240 || cr < 16 || cr > 240)
  }
}

extension PGSDecoder {
  /// Takes a window definition segment.
  mutating func define(
    _ segment: WindowDefinitionSegment, _ time: Timestamp?, at offset: Int64
  ) throws(StreamFinding) {
    for window in segment.windows { epoch.windows[window.id] = window.rect }
    let all = segment.windows
    for (index, window) in all.enumerated() {
      for other in all[(index + 1)...] where !window.rect.intersection(other.rect).isEmpty {
        try note(
          .pgsWindowsOverlap, time, offset, "windows \(window.id) and \(other.id) overlap")
      }
      if let canvas {
        let frame = PixelRect(x: 0, y: 0, width: canvas.width, height: canvas.height)
        if window.rect.intersection(frame) != window.rect {
          try note(
            .pgsWindowOutside, time, offset, "window \(window.id) leaves the canvas of \(canvas)")
        }
      }
    }
  }

  /// Takes a palette definition segment: entries sent replace those known, others stay.
  mutating func define(
    _ segment: PaletteDefinitionSegment, _ time: Timestamp?, at offset: Int64
  ) throws(StreamFinding) {
    if segment.id >= PaletteDefinitionSegment.limit {
      try note(
        .pgsPaletteID, time, offset,
        "palette \(segment.id) is defined, the format has 0 to \(PaletteDefinitionSegment.limit - 1)"
      )
    }
    if segment.entries.isEmpty {
      try note(.pgsPaletteEmpty, time, offset, "palette \(segment.id) is defined without entries")
    }
    if let first = segment.entries.first(where: \.entry.isOutOfRange) {
      let count = segment.entries.count { $0.entry.isOutOfRange }
      try note(
        .pgsPaletteRange, time, offset,
        "\(count) colours of palette \(segment.id) leave the limited range, the first is entry "
          + "\(first.index) with Y \(first.entry.luma), Cb \(first.entry.cb), Cr \(first.entry.cr)")
    }
    epoch.palettes[segment.id, default: PGSPaletteState()].merge(segment)
    if epoch.converted?.id == segment.id { epoch.converted = nil }
  }

  /// Takes an object definition segment: a whole object, its first part, or a further one.
  mutating func define(
    _ segment: ObjectDefinitionSegment, _ time: Timestamp?, at offset: Int64
  ) throws(StreamFinding) {
    if let head = segment.head {
      try dropFragments(time)
      epoch.fragments = PGSEpoch.Fragments(
        id: segment.id, head: head, version: segment.version, data: segment.data, offset: offset)
    } else if epoch.fragments?.id == segment.id {
      // A second reference to the parts would have them copied for each.
      if epoch.codedBytes + (epoch.fragments?.data.count ?? 0) + segment.data.count
        > Self.codedByteLimit
      {
        epoch.fragments = nil
        try note(
          .pgsObjectSize, time, offset,
          "the epoch's coded objects pass \(Self.codedByteLimit) bytes, object \(segment.id) is dropped"
        )
        return
      }
      epoch.fragments?.data += segment.data
    } else {
      try note(
        .pgsObjectIncomplete, time, offset,
        "a further part of object \(segment.id) comes without its first part")
      dependOnPast()
      return
    }
    if segment.isLast { try storeFragments(time) }
  }

  /// Notes and forgets an object whose last part did not come.
  mutating func dropFragments(_ time: Timestamp?) throws(StreamFinding) {
    guard let fragments = epoch.fragments else { return }
    let expected = max(0, fragments.head.dataLength - 4)
    if fragments.data.count >= expected, expected > 0 {
      // All the bytes are there, only the flag is missing.
      try storeFragments(time)
      return
    }
    epoch.fragments = nil
    try note(
      .pgsObjectIncomplete, time, fragments.offset,
      "object \(fragments.id) has \(fragments.data.count) of \(expected) bytes and is dropped")
  }

  private mutating func storeFragments(_ time: Timestamp?) throws(StreamFinding) {
    guard let object = epoch.fragments else { return }
    epoch.fragments = nil
    let (width, height) = (object.head.width, object.head.height)
    guard width > 0, height > 0, width * height <= Self.pixelLimit else {
      try note(
        .pgsObjectSize, time, object.offset,
        "object \(object.id) is \(width)x\(height), which is empty or passes "
          + "\(Self.pixelLimit) pixels, and is dropped")
      forgetPixels(of: object.id)
      epoch.codedBytes -= epoch.objects.removeValue(forKey: object.id)?.data.count ?? 0
      return
    }
    if object.head.dataLength != object.data.count + 4 {
      try note(
        .pgsObjectLength, time, object.offset,
        "object \(object.id) says \(object.head.dataLength - 4) bytes and has \(object.data.count)")
    }
    let old = epoch.objects[object.id]
    if old == nil, epoch.objects.count >= ObjectDefinition.limit {
      try note(
        .pgsEpochObjects, time, object.offset,
        "the epoch has more than \(ObjectDefinition.limit) objects")
      guard epoch.objects.count < Self.objectLimit else { return }
    }
    let bytes = epoch.codedBytes - (old?.data.count ?? 0) + object.data.count
    guard bytes <= Self.codedByteLimit else {
      try note(
        .pgsObjectSize, time, object.offset,
        "the epoch's coded objects pass \(Self.codedByteLimit) bytes, object \(object.id) is dropped"
      )
      return
    }
    epoch.codedBytes = bytes
    forgetPixels(of: object.id)
    epoch.objects[object.id] = PGSEpoch.StoredObject(
      width: width, height: height, version: object.version, data: object.data,
      offset: object.offset)
    let pixels = epoch.objects.values.reduce(0) { $0 + $1.width * $1.height }
    if pixels > Self.playerBuffer {
      try note(
        .pgsBuffer, time, object.offset,
        "the epoch's objects have \(pixels) pixels, a player holds \(Self.playerBuffer)")
    }
  }

  private mutating func forgetPixels(of id: Int) {
    guard let decoded = epoch.objects[id]?.decoded else { return }
    epoch.decodedPixels -= decoded.bitmap.width * decoded.bitmap.height
    epoch.objects[id]?.decoded = nil
  }

  /// The pixels of an object, decoded once.
  mutating func pixels(
    of id: Int, _ time: Timestamp
  ) throws(StreamFinding) -> PGSRunLength.Decoded? {
    guard let object = epoch.objects[id] else { return nil }
    if let decoded = object.decoded { return decoded }
    let count = object.width * object.height
    if epoch.decodedPixels + count > Self.decodedPixelLimit {
      for other in Array(epoch.objects.keys) { forgetPixels(of: other) }
    }
    let result = PGSRunLength.decoded(object.data, width: object.width, height: object.height)
    epoch.decodedPixels += count
    epoch.objects[id]?.decoded = result
    if !result.damage.isNone {
      let damage = result.damage
      try note(
        .pgsRows, time, object.offset,
        "object \(id) of \(object.width)x\(object.height) has \(damage.shortRows) short, "
          + "\(damage.longRows) long and \(damage.missingRows) missing rows"
          + (damage.firstRow.map { ", the first is row \($0)" } ?? "")
          + ", and \(damage.spareBytes) spare bytes")
    }
    return result
  }
}
