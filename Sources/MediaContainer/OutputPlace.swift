// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Where a finished file may be put.
///
/// Files are written under another name and renamed, which would take the place of whatever has the
/// name: a device or a pipe would be gone, and an input lost.
public enum OutputPlace {
  /// Refuses a name that a finished file must not get.
  ///
  /// - Parameters:
  ///   - path: The output's name.
  ///   - inputs: Files that are read, which the output must not replace by any of their names.
  /// - Throws: `MediaError` of kind `.invalidRequest` (no name, standard output, an input) or
  ///   `.unwritable` (a folder, a device, a pipe).
  public static func check(_ path: String, inputs: [String] = []) throws(MediaError) {
    if path.isEmpty {
      throw MediaError(.invalidRequest, "the output's name is empty; give the name of a file")
    }
    if path == "-" {
      throw MediaError(
        .invalidRequest,
        "'-' is no output, since files are not written to standard output; give a file's name, or "
          + "'./-' for a file that is named so")
    }
    guard let there = Self.status(path) else { return }
    switch there.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw MediaError(.unwritable, "\(path): is a folder, not a file to write")
    default:
      throw MediaError(
        .unwritable, "\(path): is a device or pipe, which is not replaced; give a file's name")
    }
    for input in inputs {
      guard let read = Self.status(input) else { continue }
      if read.st_dev == there.st_dev, read.st_ino == there.st_ino {
        throw MediaError(
          .invalidRequest, "\(path): is the input itself; give the output another name")
      }
    }
  }

  private static func status(_ path: String) -> stat? {
    var status = stat()
    return stat(path, &status) == 0 ? status : nil
  }
}
