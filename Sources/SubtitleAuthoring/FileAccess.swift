// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Reading inputs whole, and writing outputs so that a half-written one never has the final name.
enum FileAccess {
  /// The longest script, text or picture read: far above any of them.
  static let maximumInput = 256 << 20

  /// Reads a whole file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - mayWait: Whether it may be a pipe, as the shell's `<(…)` is. What a script names may not: a
  ///     pipe that nobody writes to would be waited for without end.
  /// - Returns: Its bytes.
  /// - Throws: `.missingInput` or `.input`.
  static func read(_ path: String, mayWait: Bool = false) throws(AuthoringFault) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | (mayWait ? 0 : O_NONBLOCK))
    guard descriptor >= 0 else { throw unreadable(path, errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw unreadable(path, errno) }
    let kind = status.st_mode & S_IFMT
    guard kind == S_IFREG || kind == S_IFDIR || mayWait else {
      throw AuthoringFault(.input, "\(path): is not a regular file")
    }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = buffer.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
      if count == 0 { return bytes }
      if count < 0 {
        if errno == EINTR { continue }
        throw unreadable(path, errno)
      }
      bytes.append(contentsOf: buffer[..<count])
      guard bytes.count <= maximumInput else {
        throw AuthoringFault(.input, "\(path): the file is longer than \(maximumInput) bytes")
      }
    }
  }

  /// Reads a whole text file.
  ///
  /// - Parameters:
  ///   - path: A file in UTF-8, with or without a byte order mark.
  ///   - mayWait: Whether it may be a pipe.
  /// - Returns: The text without the mark.
  /// - Throws: `.missingInput`, or `.input` with the line that is not UTF-8.
  static func readText(
    _ path: String, mayWait: Bool = false
  ) throws(AuthoringFault) -> String {
    let bytes = try read(path, mayWait: mayWait)
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      throw AuthoringFault(.input, "\(path): the text is UTF-16; save it as UTF-8")
    }
    let body = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    if let text = String(validating: body, as: UTF8.self) { return text }
    // Each line by itself tells which one is at fault.
    let lines = body.split(separator: 0x0A, omittingEmptySubsequences: false)
    let line = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0
    throw AuthoringFault(
      .input, "\(path), line \(line + 1): the text is not UTF-8; save it as UTF-8")
  }

  /// Whether anything has that name.
  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// A path as seen from the folder that another file lies in.
  static func resolve(_ path: String, besides file: String) -> String {
    guard !path.hasPrefix("/"), let slash = file.lastIndex(of: "/") else { return path }
    return String(file[...slash]) + path
  }

  /// A name beside the output that the work is done under.
  static func temporaryName(for path: String) -> String {
    let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    return path[..<slash] + ".burnscope-\(getpid())-" + path[slash...]
  }

  /// Writes bytes to a new file of a temporary name.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - temporary: Where they are written.
  ///   - path: The output's own name, for messages.
  /// - Throws: A fault of kind `.output`.
  static func write(
    _ bytes: [UInt8], to temporary: String, for path: String
  ) throws(AuthoringFault) {
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw unwritable(path, errno) }
    var start = 0
    while start < bytes.count {
      let count = bytes[start...].withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0 {
        if errno == EINTR { continue }
        let code = errno
        close(descriptor)
        throw unwritable(path, code)
      }
      start += count
    }
    guard close(descriptor) == 0 else { throw unwritable(path, errno) }
  }

  /// Gives a finished file its final name.
  static func publish(
    _ temporary: String, as path: String, overwriting: Bool
  ) throws(AuthoringFault) {
    if !overwriting {
      if link(temporary, path) == 0 {
        unlink(temporary)
        return
      }
      if errno == EEXIST { throw alreadyThere(path) }
    }
    guard rename(temporary, path) == 0 else { throw unwritable(path, errno) }
  }

  /// Removes a file, if it is there.
  static func remove(_ path: String) { unlink(path) }

  /// The fault of an output that exists.
  static func alreadyThere(_ path: String) -> AuthoringFault {
    AuthoringFault(.output, "\(path): the file exists; --force overwrites it")
  }

  private static func unreadable(_ path: String, _ code: Int32) -> AuthoringFault {
    AuthoringFault(.missingInput, "\(path): cannot be read: \(String(cString: strerror(code)))")
  }

  private static func unwritable(_ path: String, _ code: Int32) -> AuthoringFault {
    AuthoringFault(.output, "\(path): cannot be written: \(String(cString: strerror(code)))")
  }
}
