// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import MediaContainer

/// Writes the renderer's files: whole or not at all, and over an old file only if that is wished.
public struct RenderOutput: Sendable {
  /// Whether existing files may be replaced.
  public var replacesFiles: Bool
  /// The files that are read, which are not replaced even so.
  public var inputs: [String]

  /// Makes a writer.
  public init(replacesFiles: Bool, inputs: [String] = []) {
    self.replacesFiles = replacesFiles
    self.inputs = inputs
  }

  /// Makes a folder, with the folders above it, unless it is there.
  ///
  /// - Throws: `MediaError` of kind `.unwritable`.
  public func makeFolder(_ path: String) throws {
    if Self.isFolder(path) { return }
    if let slash = path.lastIndex(of: "/"), slash != path.startIndex,
      path.index(after: slash) != path.endIndex
    {
      let parent = String(path[..<slash])
      if !Self.isFolder(parent) { try makeFolder(parent) }
    }
    guard mkdir(path, 0o777) != 0 else { return }
    let code = errno
    guard !Self.isFolder(path) else { return }
    throw Self.fault(path, "the folder cannot be made", code)
  }

  /// Refuses a file that must not be replaced, before any work is done for it.
  ///
  /// - Throws: `MediaError` of kind `.unwritable`, or `.invalidRequest` for an input or no file.
  public func check(_ path: String) throws {
    try OutputPlace.check(path, inputs: inputs)
    guard !replacesFiles, access(path, F_OK) == 0 else { return }
    throw MediaError(.unwritable, "\(path): the file exists; --force replaces it")
  }

  /// Writes a file under a temporary name beside it and renames it.
  ///
  /// - Throws: `MediaError` of kind `.unwritable`.
  public func write(_ bytes: [UInt8], to path: String) throws {
    try check(path)
    let temporary = "\(path).\(getpid()).part"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw Self.fault(path, "cannot be written") }
    var start = 0
    while start < bytes.count {
      let count = bytes[start...].withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0 {
        if errno == EINTR { continue }
        let fault = Self.fault(path, "cannot be written")
        close(descriptor)
        unlink(temporary)
        throw fault
      }
      start += count
    }
    guard close(descriptor) == 0, rename(temporary, path) == 0 else {
      let fault = Self.fault(path, "cannot be written")
      unlink(temporary)
      throw fault
    }
  }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  private static func fault(
    _ path: String, _ what: String, _ code: Int32 = errno
  ) -> MediaError {
    let reason = strerror(code).map { String(cString: $0) } ?? "error \(code)"
    return MediaError(.unwritable, "\(path): \(what): \(reason)")
  }
}
