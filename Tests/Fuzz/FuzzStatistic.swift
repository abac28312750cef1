// SPDX-License-Identifier: Apache-2.0
import BurnInVerification
import Compositing
import SubtitleModel

/// Numbers drawn from an input, zero after its end.
private struct Draw {
  let bytes: [UInt8]
  var position = 0

  mutating func byte() -> Int {
    defer { position += 1 }
    return position < bytes.count ? Int(bytes[position]) : 0
  }

  /// Mostly small, now and then far off.
  mutating func place() -> Int {
    let (low, high, kind) = (byte(), byte(), byte())
    let value = low | (high & 3) << 8
    switch kind & 15 {
    case 0: return Int.max - value
    case 1: return Int.min + value
    case 2: return value << 20
    case 3: return Int(Int32.max) - value
    case 4: return -value
    default: return value
    }
  }

  mutating func number() -> Double {
    let (low, kind) = (Double(byte()), byte())
    switch kind & 15 {
    case 0: return .nan
    case 1: return .infinity
    case 2: return -low
    case 3: return low * 1e15
    case 4: return low * 1e-15
    case 5: return .greatestFiniteMagnitude
    default: return (low + 1) / 128
    }
  }
}

/// Cues with hostile rectangles, sizes and placements, measured in small frames.
@Sendable func fuzzStatistic(_ bytes: [UInt8]) {
  var draw = Draw(bytes: bytes)
  let (width, height) = (draw.byte() & 127, draw.byte() & 63)
  let shape = draw.byte()
  let frame = SamplePlane(
    width: width, height: height,
    samples: (0..<width * height).map { UInt8(truncatingIfNeeded: $0 &* shape ^ $0 >> 3) })
  let objects = (0..<1 + draw.byte() % 3).map { _ in
    let (w, h, salt) = (draw.byte() & 63, draw.byte() & 31, draw.byte())
    return CueObject(
      x: draw.place(), y: draw.place(),
      bitmap: IndexedBitmap(
        width: w, height: h,
        indices: (0..<w * h).map { UInt8(truncatingIfNeeded: $0 &* salt >> 2) & 3 }),
      palette: Palette(
        colors: (0..<4).map { _ in
          let value = UInt8(draw.byte())
          return PaletteColor(red: value, green: value, blue: ~value, alpha: value &* 3)
        }), isForced: false)
  }
  let kernel: ResamplingKernel = draw.byte() & 1 == 0 ? .bilinear : .area
  let placement = Placement(
    scaleX: draw.number(), offsetX: draw.number(), scaleY: draw.number(), offsetY: draw.number())
  guard let bitmap = CueBitmap(objects: objects), bitmap.alpha.count < 1 << 16,
    let layer = CueLayer(bitmap: bitmap, placement: placement, kernel: kernel),
    layer.alpha.count < 1 << 16
  else { return }
  let prober = Prober()
  let line = draw.byte() & 1 == 0 ? nil : draw.number()
  let margin = draw.byte() & 1 == 0 ? nil : draw.place()
  _ = prober.measure(frame: frame, layer: layer, lineHeight: line, margin: margin)
  _ = prober.blockShift(frame: frame, layer: layer, lineHeight: line, margin: margin)
  _ = prober.fit(frame: frame, layer: layer, references: [frame], lineHeight: line)
  let offset = (dx: draw.place() % 64, dy: draw.place() % 64)
  _ = prober.pair(frame: frame, claimed: layer, rival: layer, offset: offset)
  _ = prober.likeness(layer, layer)
}
