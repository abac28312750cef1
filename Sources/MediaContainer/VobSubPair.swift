// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Finds the `.sub` file that belongs to an `.idx` file.
package enum VobSubPair {
  /// The path of the companion; nil for files that are no `.idx`.
  ///
  /// - Throws: `MediaError` of kind `.missingCompanion`, naming the path that was looked for, or
  ///   `.notMedia` if the file is not a VobSub index.
  package static func companion(of file: LocalFile) throws -> String? {
    let path = file.name
    guard path.lowercased().hasSuffix(".idx") else { return nil }
    try requireIndex(file)
    let stem = String(path.dropLast(4))
    let candidates = [".sub", ".SUB", ".Sub"].map { stem + $0 }
    guard let found = candidates.first(where: { access($0, R_OK) == 0 }) else {
      throw MediaError(
        .missingCompanion,
        "\(path): the file with its pictures, \(stem).sub, is missing or not readable")
    }
    return found
  }

  /// Checks the index's first bytes: it is text and names itself or has a time line.
  private static func requireIndex(_ file: LocalFile) throws {
    var head = [UInt8](repeating: 0, count: 4096)
    let count = try head.withUnsafeMutableBytes { try file.read(at: 0, into: $0) }
    let text = String(decoding: head.prefix(count), as: UTF8.self)
    let marks = ["VobSub index file", "timestamp:", "langidx:", "palette:"]
    guard !head.prefix(count).contains(0), marks.contains(where: { text.contains($0) }) else {
      throw MediaError(.notMedia, "\(file.name): is not a VobSub index (.idx)")
    }
  }
}
