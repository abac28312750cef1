// SPDX-License-Identifier: Apache-2.0

/// Presentation graphics written byte by byte for these tests, apart from the product's own writer.
enum PGSBytes {
  /// An object's place in a composition.
  struct Placed {
    var id: UInt8
    var x: UInt16
    var y: UInt16
    var isForced = false
  }

  /// A segment without its head in .sup files: type, 16-bit length, body.
  static func segment(_ type: UInt8, _ body: [UInt8]) -> [UInt8] {
    [type] + big(UInt16(body.count)) + body
  }

  /// A presentation composition, type 0x16.
  static func composition(
    number: UInt16, isEpochStart: Bool, objects: [Placed], width: UInt16 = 1280,
    height: UInt16 = 720
  ) -> [UInt8] {
    var body = big(width) + big(height)
    body += [0x10]  // frame rate, unused
    body += big(number)
    body += [isEpochStart ? 0x80 : 0x00]
    body += [0x00, 0x00]  // no palette update, palette 0
    body += [UInt8(objects.count)]
    for object in objects {
      body += [0x00, object.id, object.id]  // object, window
      body += [object.isForced ? 0x40 : 0x00]
      body += big(object.x)
      body += big(object.y)
    }
    return segment(0x16, body)
  }

  /// Windows of 4x2 at each object's place, type 0x17.
  static func windows(_ objects: [Placed]) -> [UInt8] {
    var body = [UInt8(objects.count)]
    for object in objects {
      body += [object.id]
      body += big(object.x)
      body += big(object.y)
      body += [0x00, 0x04, 0x00, 0x02]
    }
    return segment(0x17, body)
  }

  /// A palette, type 0x14: 1 is opaque white, 2 opaque black, 3 half-transparent grey.
  static let palette = segment(
    0x14,
    [
      0x00, 0x00,  // palette 0, version 0
      0x01, 0xEB, 0x80, 0x80, 0xFF,  // index, Y 235, Cr, Cb, alpha
      0x02, 0x10, 0x80, 0x80, 0xFF,
      0x03, 0x7E, 0x80, 0x80, 0x80,  // Y 126: (126 - 16) * 255 / 219 = 128.08
    ])

  /// An object of 4x2, type 0x15: a line of one colour, and a line of 1, 2, 3 and nothing.
  static func object(_ id: UInt8, color: UInt8) -> [UInt8] {
    let runs: [UInt8] = [
      0x00, 0x84, color, 0x00, 0x00,  // 4 pixels of a colour, end of line
      0x01, 0x02, 0x03, 0x00, 0x01, 0x00, 0x00,  // 1, 2, 3, one of index 0, end of line
    ]
    var body: [UInt8] = [0x00, id, 0x00, 0xC0]  // version 0, first and last fragment
    body += [0x00, 0x00, UInt8(runs.count + 4)]  // 24-bit length with the size
    body += [0x00, 0x04, 0x00, 0x02]  // 4x2
    return segment(0x15, body + runs)
  }

  /// The end of a display set, type 0x80.
  static let end = segment(0x80, [])

  /// A display set that shows objects; identifiers differ from one picture to the next by `color`.
  static func picture(_ number: UInt16, _ objects: [Placed], color: UInt8 = 1) -> [[UInt8]] {
    var set = [composition(number: number, isEpochStart: true, objects: objects)]
    set += [windows(objects), palette]
    for placed in objects { set.append(object(placed.id, color: color)) }
    return set + [end]
  }

  /// A display set that shows nothing.
  static func clear(_ number: UInt16) -> [[UInt8]] {
    [composition(number: number, isEpochStart: false, objects: []), windows([]), end]
  }

  /// Segments as a .sup file has them: `PG`, presentation time in 90 kHz ticks, decoding time.
  static func sup(_ milliseconds: UInt32, _ segments: [[UInt8]]) -> [UInt8] {
    segments.flatMap { segment -> [UInt8] in
      let ticks = milliseconds * 90
      let shifts: [UInt32] = [24, 16, 8, 0]
      let time = shifts.map { UInt8(truncatingIfNeeded: ticks >> $0) }
      let head: [UInt8] = [0x50, 0x47]
      return head + time + [UInt8](repeating: 0, count: 4) + segment
    }
  }

  private static func big(_ value: UInt16) -> [UInt8] {
    [UInt8(value >> 8), UInt8(value & 0xFF)]
  }
}
