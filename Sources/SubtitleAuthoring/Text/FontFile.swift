// SPDX-License-Identifier: Apache-2.0

/// What is asked of a font file before it is handed to libass.
enum FontFile {
  /// The first four bytes of TrueType, OpenType and collection files.
  private static let signatures: [[UInt8]] = [
    [0x00, 0x01, 0x00, 0x00], Array("OTTO".utf8), Array("true".utf8), Array("ttcf".utf8),
  ]

  /// Whether the bytes begin as a font file does.
  static func isFont(_ bytes: [UInt8]) -> Bool {
    signatures.contains { bytes.starts(with: $0) }
  }
}
