// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Synchronization

/// Folders that are there: those that a fixture keeps to the end go when the process does.
private let living = Mutex<Set<String>>([])
private let removal: Int32 = atexit {
  for path in living.withLock({ $0 }) { removeTree(path) }
}

/// A new, empty folder that goes with its last reference, or with the process.
package final class TemporaryFolder: Sendable {
  /// Its path, without a slash at the end.
  package let path: String

  /// Makes the folder under TMPDIR or /tmp.
  package init() throws {
    let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array((base + "/burnscope-test-XXXXXX").utf8CString)
    guard
      template.withUnsafeMutableBufferPointer({ $0.baseAddress.flatMap { mkdtemp($0) } })
        != nil
    else {
      throw SystemFault(operation: "mkdtemp", code: errno)
    }
    path = template.withUnsafeBufferPointer { buffer in
      buffer.baseAddress.map { String(cString: $0) } ?? base
    }
    _ = removal
    living.withLock { _ = $0.insert(path) }
  }

  deinit {
    removeTree(path)
    living.withLock { _ = $0.remove(path) }
  }

  /// The path of a file in the folder.
  package func file(_ name: String) -> String { path + "/" + name }

  /// Writes a file and returns its path.
  package func write(_ bytes: [UInt8], to name: String) throws -> String {
    let path = file(name)
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    guard descriptor >= 0 else { throw SystemFault(operation: "open \(name)", code: errno) }
    defer { close(descriptor) }
    var start = 0
    while start < bytes.count {
      let count = bytes[start...].withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
      guard count > 0 else { throw SystemFault(operation: "write \(name)", code: errno) }
      start += count
    }
    return path
  }

  /// The bytes of a file in the folder.
  package func read(_ name: String) throws -> [UInt8] { try readBytes(file(name)) }
}

/// Removes a file, or a folder with all that is in it; links are not followed.
private func removeTree(_ path: String) {
  if unlink(path) == 0 { return }
  if let folder = opendir(path) {
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { removeTree(path + "/" + name) }
    }
    closedir(folder)
  }
  rmdir(path)
}

/// A failed call of the system in a test's own set-up.
package struct SystemFault: Error, CustomStringConvertible {
  let operation: String
  let code: Int32
  /// One sentence.
  package var description: String { "\(operation): \(String(cString: strerror(code)))" }
}

/// The bytes of a file.
package func readBytes(_ path: String) throws -> [UInt8] {
  let descriptor = open(path, O_RDONLY)
  guard descriptor >= 0 else { throw SystemFault(operation: "open \(path)", code: errno) }
  defer { close(descriptor) }
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = buffer.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
    guard count > 0 else { break }
    bytes.append(contentsOf: buffer[..<count])
  }
  return bytes
}
