// SPDX-License-Identifier: Apache-2.0

/// Bytes that can be read at any place: a file, or a resource behind byte ranges.
public protocol RandomAccessBytes: Sendable {
  /// The name for messages: a path, or a URL without its query.
  var name: String { get }

  /// The count of all bytes.
  var byteCount: Int64 { get }

  /// Reads bytes into a buffer.
  ///
  /// - Parameters:
  ///   - offset: Where to begin, 0 or more.
  ///   - buffer: Where to put them; as many bytes as it holds are wanted.
  /// - Returns: How many bytes were put there, 0 at the end and behind it.
  /// - Throws: What the source fails with.
  func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws -> Int
}

/// Bytes in memory.
public struct BytesInMemory: RandomAccessBytes {
  /// The name for messages.
  public let name: String
  private let bytes: [UInt8]

  /// Makes a source of an array.
  public init(_ bytes: [UInt8], name: String = "memory") {
    self.bytes = bytes
    self.name = name
  }

  /// The count of all bytes.
  public var byteCount: Int64 { Int64(bytes.count) }

  /// Copies bytes into a buffer; never fails.
  public func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    guard offset >= 0, offset < byteCount else { return 0 }
    let start = Int(offset)
    let count = min(buffer.count, bytes.count - start)
    buffer.copyBytes(from: bytes[start..<(start + count)])
    return count
  }
}
