// SPDX-License-Identifier: Apache-2.0

/// What is read of a font file before it is handed to libass: the family's name.
enum FontFile {
  /// The first four bytes of TrueType and OpenType files.
  private static let signatures: [[UInt8]] = [
    [0x00, 0x01, 0x00, 0x00], Array("OTTO".utf8), Array("true".utf8),
  ]

  /// The family that a font file names (OpenType `name` table, name 1; the first font of a collection).
  ///
  /// - Parameter bytes: The whole file.
  /// - Returns: The name, or nil if the bytes are no font or name no family.
  static func familyName(of bytes: [UInt8]) -> String? {
    var start = 0
    if bytes.starts(with: Array("ttcf".utf8)) {
      guard let first = number(bytes, at: 12, count: 4) else { return nil }
      start = first
    }
    guard start < bytes.count,
      signatures.contains(where: { bytes[start...].starts(with: $0) }),
      let tables = number(bytes, at: start + 4, count: 2)
    else { return nil }
    for table in 0..<tables {
      let record = start + 12 + 16 * table
      guard record + 16 <= bytes.count else { return nil }
      if bytes[record..<record + 4].elementsEqual("name".utf8) {
        return number(bytes, at: record + 8, count: 4).flatMap { familyName(of: bytes, table: $0) }
      }
    }
    return nil
  }

  /// Looks through the name records: platform 2, encoding 2, language 2, name 2, length 2, offset 2.
  private static func familyName(of bytes: [UInt8], table: Int) -> String? {
    guard let count = number(bytes, at: table + 2, count: 2),
      let storage = number(bytes, at: table + 4, count: 2)
    else { return nil }
    var fallback: String?
    for record in 0..<count {
      let at = table + 6 + 12 * record
      guard let platform = number(bytes, at: at, count: 2),
        let language = number(bytes, at: at + 4, count: 2),
        let name = number(bytes, at: at + 6, count: 2),
        let length = number(bytes, at: at + 8, count: 2),
        let offset = number(bytes, at: at + 10, count: 2)
      else { return fallback }
      let start = table + storage + offset
      guard name == 1, start + length <= bytes.count else { continue }
      let text = bytes[start..<start + length]
      switch platform {
      case 0, 3:
        let units = stride(from: text.startIndex, to: text.endIndex - 1, by: 2).map {
          UInt16(text[$0]) << 8 | UInt16(text[$0 + 1])
        }
        let family = String(decoding: units, as: UTF16.self)
        // Windows' English name is the one that font systems go by.
        if platform == 3, language == 0x0409 { return family }
        fallback = fallback ?? family
      case 1:
        fallback = fallback ?? String(decoding: text, as: UTF8.self)
      default: continue
      }
    }
    return fallback
  }

  /// A big-endian number, or nil past the end.
  private static func number(_ bytes: [UInt8], at offset: Int, count: Int) -> Int? {
    guard offset >= 0, offset + count <= bytes.count else { return nil }
    return bytes[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
  }
}
