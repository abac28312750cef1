// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The files of a recording.
package enum Recording {
  /// Bytes of one file that are read.
  static let fileLimit = 32 << 20
  /// Bytes of all files that are read; they are held in memory.
  static let totalLimit = 512 << 20
  /// Files that are read.
  static let countLimit = 200_000

  /// Reads every file of a folder whose name ends with `.json`, in the order of their names.
  ///
  /// - Throws: ``ReferenceServerError`` that names the file.
  package static func exchanges(in folder: String) throws -> [RecordedExchange] {
    guard let directory = opendir(folder) else {
      throw ReferenceServerError(
        .missingFile, "The recording '\(folder)' is no folder that can be read.")
    }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasSuffix(".json"), !name.hasPrefix(".") { names.append(name) }
      guard names.count <= countLimit else {
        throw fault(folder, "the folder holds more than \(countLimit) exchanges")
      }
    }
    guard !names.isEmpty else {
      throw ReferenceServerError(
        .missingFile, "The recording '\(folder)' holds no exchange, which is a file '….json'.")
    }
    var total = 0
    return try names.sorted().map { name in
      let path = folder + "/" + name
      let bytes = try read(path)
      total += bytes.count
      guard total <= totalLimit else {
        throw fault(path, "the recording has more than \(totalLimit >> 20) MiB")
      }
      do {
        return try RecordedExchange(JSON(parsing: bytes))
      } catch let fault as RecordingFault {
        throw Self.fault(path, fault.reason)
      } catch let fault as JSONFault {
        throw Self.fault(path, "it is no JSON at byte \(fault.offset): \(fault.reason)")
      }
    }
  }

  private static func fault(_ path: String, _ reason: String) -> ReferenceServerError {
    ReferenceServerError(.recording, "'\(path)' is no recorded exchange: \(reason).")
  }

  private static func read(_ path: String) throws -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw ReferenceServerError(
        .missingFile, "'\(path)' cannot be read: \(String(cString: strerror(errno))).")
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw fault(path, "it is no file")
    }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = buffer.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
      guard count >= 0 else {
        throw ReferenceServerError(
          .missingFile, "'\(path)' cannot be read: \(String(cString: strerror(errno))).")
      }
      if count == 0 { return bytes }
      bytes += buffer.prefix(count)
      guard bytes.count <= fileLimit else {
        throw fault(path, "it has more than \(fileLimit >> 20) MiB")
      }
    }
  }
}
