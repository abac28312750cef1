// SPDX-License-Identifier: Apache-2.0

/// Identifiers of 32 lower-case hexadecimal digits.
enum Identifier {
  /// A random one.
  static func random() -> String {
    hexadecimal(UInt64.random(in: 0...UInt64.max)) + hexadecimal(UInt64.random(in: 0...UInt64.max))
  }

  /// The one that a text always has (two FNV-1a hashes with different beginnings).
  static func stable(_ text: String) -> String {
    hexadecimal(hash(text, from: 0xcbf2_9ce4_8422_2325))
      + hexadecimal(hash(text, from: 0x9e37_79b9_7f4a_7c15))
  }

  /// The decimal one that a text always has, nine digits, as Emby numbers its items.
  static func decimal(_ text: String) -> String {
    String(100_000_000 + hash(text, from: 0xcbf2_9ce4_8422_2325) % 900_000_000)
  }

  /// The form with dashes, 8-4-4-4-12.
  static func dashed(_ identifier: String) -> String {
    var result = ""
    for (index, digit) in identifier.enumerated() {
      if [8, 12, 16, 20].contains(index) { result += "-" }
      result.append(digit)
    }
    return result
  }

  /// The plain form of either form in any case; nil if it is none.
  static func parse(_ text: String) -> String? {
    let plain = text.lowercased().filter { $0 != "-" }
    let isDashed = text.utf8.count == 36 && dashed(plain) == text.lowercased()
    guard plain.utf8.count == 32, isDashed || text.utf8.count == 32,
      plain.utf8.allSatisfy({ "0123456789abcdef".utf8.contains($0) })
    else { return nil }
    return plain
  }

  private static func hash(_ text: String, from start: UInt64) -> UInt64 {
    text.utf8.reduce(start) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
  }

  private static func hexadecimal(_ value: UInt64) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
