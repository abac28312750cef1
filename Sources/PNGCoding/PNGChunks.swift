// SPDX-License-Identifier: Apache-2.0

/// The chunk structure of a PNG file (PNG specification, clause 5).
enum PNGChunks {
  /// The eight bytes that every PNG file begins with.
  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// The chunks that make the picture; all others only describe it.
  private static let pictureChunks: Set<String> = ["IHDR", "PLTE", "tRNS", "IDAT", "IEND"]

  /// Removes every chunk that is not needed for the sample values.
  ///
  /// libpng's simplified interface always converts by `gAMA` and its kin; without those chunks it
  /// hands the samples over as they are. Damaged ends are kept, for libpng to name the damage.
  ///
  /// - Parameter bytes: A file that begins with the signature.
  /// - Returns: The same picture without gamma, profile, text and time.
  static func withoutColorManagement(_ bytes: [UInt8]) -> [UInt8] {
    var result = Array(bytes.prefix(signature.count))
    result.reserveCapacity(bytes.count)
    var position = result.count
    while bytes.count - position >= 12 {
      let length = bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
      guard length <= bytes.count - position - 12 else { break }
      let end = position + 12 + length
      let name = String(decoding: bytes[position + 4..<position + 8], as: UTF8.self)
      // An unknown critical chunk (upper case first letter) stays, so that libpng refuses it.
      let isCritical = bytes[position + 4] & 0x20 == 0
      if isCritical || pictureChunks.contains(name) { result += bytes[position..<end] }
      position = end
    }
    return result + bytes[position...]
  }
}
