// SPDX-License-Identifier: Apache-2.0
internal import CFFmpegShims

/// Checks that the loaded FFmpeg libraries are of the major versions this program was built for.
///
/// Called once when a program starts: a library of another major version has other structures, and
/// reading them crashes.
///
/// - Throws: `MediaError` of kind `.libraryMismatch`, naming both versions.
public func checkLibraryVersions() throws {
  for index in 0..<Int32(bs_library_count) {
    let built = bs_header_version(index)
    let loaded = bs_loaded_version(index)
    guard built >> 16 == loaded >> 16 else {
      let name = bs_library_name(index).map { String(cString: $0) } ?? "FFmpeg"
      throw MediaError(
        .libraryMismatch,
        "\(name) \(versionText(loaded)) is loaded, but this program was built for "
          + "\(versionText(built)); install FFmpeg's libraries of that major version or rebuild")
    }
  }
}

/// The loaded libraries as `libavformat 59.27.100`, one a line of the result.
public func loadedLibraryVersions() -> [String] {
  (0..<Int32(bs_library_count)).map { index in
    let name = bs_library_name(index).map { String(cString: $0) } ?? ""
    return "\(name) \(versionText(bs_loaded_version(index)))"
  }
}

private func versionText(_ version: UInt32) -> String {
  "\(version >> 16).\(version >> 8 & 0xff).\(version & 0xff)"
}

/// FFmpeg's messages, collected a thread instead of being printed.
enum LibraryLog {
  /// Installs the collecting callback, once.
  static let install: Void = bs_log_install()

  /// The lines collected in this thread since the last call.
  static func take() -> [String] {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = Int(bs_log_take(&buffer, Int32(buffer.count)))
    let bytes = buffer.prefix(count).map { UInt8(bitPattern: $0) }
    return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
      .map { line in line.trimmingSpaces }.filter { !$0.isEmpty }
  }
}

extension Substring {
  /// The text without spaces and full stops at its ends.
  var trimmingSpaces: String {
    var text = self
    while let last = text.last, last == " " || last == "." { text.removeLast() }
    while text.first == " " { text.removeFirst() }
    return String(text)
  }
}

/// FFmpeg's text for an error code.
func libraryMessage(_ code: Int32) -> String {
  var buffer = [CChar](repeating: 0, count: 256)
  av_strerror(code, &buffer, buffer.count)
  let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
  return String(decoding: bytes, as: UTF8.self)
}
