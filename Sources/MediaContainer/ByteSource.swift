// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Bytes that can be read at any offset: a file, memory, or ranges of a server's file.
public protocol ByteSource: Sendable {
  /// The source's name in messages: a path, or an address without its query.
  var name: String { get }
  /// The number of bytes; nil where unknown.
  var byteCount: Int64? { get }
  /// Reads bytes at an offset.
  ///
  /// - Parameters:
  ///   - offset: The first byte wanted, 0 or more.
  ///   - buffer: Where they go, 1 byte or more.
  /// - Returns: How many bytes were read, 0 only at the end.
  /// - Throws: Whatever failed; the reader that asked throws it on.
  func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws -> Int
}

/// A flag by which another thread ends a reader's work early.
public final class CancellationFlag: Sendable {
  private let flag = Atomic<Bool>(false)

  /// Makes a flag that is not set.
  public init() {}

  /// Sets the flag, for good.
  public func cancel() { flag.store(true, ordering: .releasing) }

  /// Whether the flag is set.
  public var isCancelled: Bool { flag.load(ordering: .acquiring) }
}

/// A regular file of the local file system.
public final class LocalFile: ByteSource {
  /// The path, as it was given.
  public let name: String
  /// The file's size when it was opened.
  public let byteCount: Int64?
  private let descriptor: Int32

  /// Opens a file for reading.
  ///
  /// - Throws: `MediaError` of kind `.notFound`, `.isDirectory`, `.unreadable` or `.empty`.
  public init(path: String) throws {
    name = path
    let opened = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard opened >= 0 else {
      let code = errno
      guard code == ENOENT || code == ENOTDIR else {
        throw MediaError(.unreadable, "\(path): cannot be opened: \(systemMessage(code))")
      }
      throw MediaError(.notFound, "\(path): there is no such file")
    }
    descriptor = opened
    var status = stat()
    guard fstat(opened, &status) == 0 else {
      byteCount = nil
      throw MediaError(.unreadable, "\(path): cannot be examined: \(systemMessage(errno))")
    }
    byteCount = Int64(status.st_size)
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw MediaError(.isDirectory, "\(path): is a directory, not a media file")
    default: throw MediaError(.unreadable, "\(path): is not a regular file")
    }
    guard status.st_size > 0 else {
      throw MediaError(.empty, "\(path): the file is empty (0 bytes)")
    }
  }

  deinit { close(descriptor) }

  /// Reads bytes at an offset.
  ///
  /// - Throws: `MediaError` of kind `.unreadable` if the system reports a failure.
  public func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    while true {
      let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
      if count >= 0 { return count }
      let code = errno
      guard code == EINTR else {
        throw MediaError(
          .unreadable, "\(name): cannot be read at byte \(offset): \(systemMessage(code))")
      }
    }
  }
}

/// Bytes in memory, given in parts that are read as one after the other.
///
/// An initialisation segment followed by media segments, for instance.
public final class MemoryBytes: ByteSource {
  /// The name for messages.
  public let name: String
  /// The number of bytes of all parts.
  public let byteCount: Int64?
  private let parts: [[UInt8]]
  /// The offset of each part's first byte.
  private let starts: [Int]
  private let total: Int

  /// Makes a source of the joined parts.
  ///
  /// - Parameters:
  ///   - name: The name for messages.
  ///   - parts: The bytes, in order.
  public init(name: String, parts: [[UInt8]]) {
    self.name = name
    self.parts = parts.filter { !$0.isEmpty }
    var starts: [Int] = []
    var total = 0
    for part in self.parts {
      starts.append(total)
      total += part.count
    }
    self.starts = starts
    self.total = total
    byteCount = Int64(total)
  }

  /// Copies bytes at an offset; never fails.
  public func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    guard offset >= 0, offset < Int64(total) else { return 0 }
    var low = 0
    var high = starts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= Int(offset) { low = middle } else { high = middle }
    }
    var copied = 0
    var index = low
    var inside = Int(offset) - starts[low]
    while copied < buffer.count, index < parts.count {
      let count = min(parts[index].count - inside, buffer.count - copied)
      parts[index].withUnsafeBytes { bytes in
        UnsafeMutableRawBufferPointer(rebasing: buffer[copied..<(copied + count)])
          .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[inside..<(inside + count)]))
      }
      copied += count
      index += 1
      inside = 0
    }
    return copied
  }
}

/// The system's text for an error number.
func systemMessage(_ code: Int32) -> String {
  guard let text = strerror(code) else { return "error \(code)" }
  return String(cString: text)
}
