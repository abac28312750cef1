// SPDX-License-Identifier: Apache-2.0
import SubtitleFormats
import SubtitleModel

/// A canvas as text: a letter for the colour of each pixel, `.` where nothing is visible.
///
/// W white, K black, R red, G green, B blue, Y yellow, M magenta, C cyan, N anything else; lower case
/// where the colour lets something through. Objects are drawn over each other in their order.
enum Screen {
  static func rows(_ objects: [CueObject], width: Int, height: Int) -> [String] {
    var grid = [[Character]](repeating: [Character](repeating: ".", count: width), count: height)
    for object in objects {
      for row in 0..<object.bitmap.height {
        for column in 0..<object.bitmap.width {
          let index = object.bitmap.indices[row * object.bitmap.width + column]
          let color = object.palette[index]
          let (x, y) = (object.x + column, object.y + row)
          guard color.alpha > 0, (0..<width).contains(x), (0..<height).contains(y) else { continue }
          grid[y][x] = letter(color)
        }
      }
    }
    return grid.map { String($0) }
  }

  static func rows(_ objects: [ShownObject], width: Int, height: Int) -> [String] {
    rows(objects.map(\.object), width: width, height: height)
  }

  private static func letter(_ color: PaletteColor) -> Character {
    func bit(_ value: UInt8) -> Int? { value >= 250 ? 1 : value <= 5 ? 0 : nil }
    var name = "N"
    if let red = bit(color.red), let green = bit(color.green), let blue = bit(color.blue) {
      name = ["K", "B", "G", "C", "R", "M", "Y", "W"][red * 4 + green * 2 + blue]
    }
    return Character(color.alpha == 255 ? name : name.lowercased())
  }
}

/// A seeded generator of random numbers (SplitMix64).
struct SeededNumbers: RandomNumberGenerator {
  var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }
}

/// What every decoder has to bear.
enum Torture {
  /// Every prefix of every packet, behind the packets before it.
  static func prefixes(_ packets: [TrackPacket], _ make: () -> any SubtitleDecoder) {
    for (index, packet) in packets.enumerated() {
      for length in 0..<packet.bytes.count {
        for strictness in [Strictness.lenient, .strict] {
          var decoder = make()
          if strictness == .strict { decoder = strict(decoder) }
          do {
            for before in packets[..<index] { _ = try decoder.decode(before) }
            var cut = packet
            cut.bytes = Array(packet.bytes.prefix(length))
            _ = try decoder.decode(cut)
            _ = try decoder.finish()
          } catch {
            precondition(strictness == .strict, "a lenient decoder threw \(error)")
          }
        }
      }
    }
  }

  /// Flipped, dropped and doubled bytes, from a seed.
  static func mutations(
    _ packets: [TrackPacket], seed: UInt64, rounds: Int, _ make: () -> any SubtitleDecoder
  ) {
    var numbers = SeededNumbers(seed: seed)
    for _ in 0..<rounds {
      var decoder = make()
      for packet in packets {
        var changed = packet
        for _ in 0..<Int.random(in: 0...4, using: &numbers) where !changed.bytes.isEmpty {
          let at = Int.random(in: 0..<changed.bytes.count, using: &numbers)
          switch Int.random(in: 0..<4, using: &numbers) {
          case 0: changed.bytes.remove(at: at)
          case 1: changed.bytes.insert(changed.bytes[at], at: at)
          case 2: changed.bytes[at] = [0, 0xFF, 0x7F, 0x80].randomElement(using: &numbers) ?? 0
          default: changed.bytes[at] ^= 1 << UInt8.random(in: 0..<8, using: &numbers)
          }
        }
        _ = try? decoder.decode(changed)
      }
      _ = try? decoder.finish()
    }
  }

  private static func strict(_ decoder: any SubtitleDecoder) -> any SubtitleDecoder {
    var copy = decoder
    copy.log.strictness = .strict
    return copy
  }
}
