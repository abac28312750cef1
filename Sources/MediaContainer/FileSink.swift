// SPDX-License-Identifier: Apache-2.0
internal import CFFmpegShims

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The local file that a muxer writes; it takes its name only when it is whole.
final class FileSink {
  private let path: String
  private let partialPath: String
  private let descriptor: Int32
  private let dropsPacketHeads: Bool
  private var position: Int64 = 0
  /// Bytes of the current 192-byte packet that have come, where heads are dropped.
  private var phase = 0
  private(set) var fault: MediaError?
  private var isFinished = false

  /// Bytes of a packet of an .m2ts file, and of the time stamp before its transport packet.
  private static let sourcePacketSize = 192
  private static let headSize = 4

  /// Creates the file.
  ///
  /// - Parameters:
  ///   - path: Where it shall be; an existing file is replaced at the end.
  ///   - dropsPacketHeads: Whether packets of 192 bytes come and those of 188 are to be written.
  /// - Throws: `MediaError` of kind `.unwritable`, or `.invalidRequest` for no name.
  init(path: String, dropsPacketHeads: Bool) throws {
    self.path = path
    partialPath = path + ".partial"
    self.dropsPacketHeads = dropsPacketHeads
    descriptor = try Self.create(partialPath, for: path)
  }

  private static func create(_ partialPath: String, for path: String) throws -> Int32 {
    try OutputPlace.check(path)
    let opened = open(partialPath, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard opened >= 0 else {
      throw MediaError(.unwritable, "\(path): cannot be written: \(systemMessage(errno))")
    }
    return opened
  }

  deinit {
    close(descriptor)
    if !isFinished { unlink(partialPath) }
  }

  /// Makes the I/O context that writes through this sink.
  func makeContext() -> UnsafeMutablePointer<AVIOContext>? {
    bs_io_writer(
      Unmanaged.passUnretained(self).toOpaque(), 64 << 10,
      { opaque, buffer, size in
        guard let opaque, let buffer, size >= 0 else { return bs_invalid_argument }
        let sink = Unmanaged<FileSink>.fromOpaque(opaque).takeUnretainedValue()
        return sink.take(UnsafeRawBufferPointer(start: buffer, count: Int(size)))
      },
      dropsPacketHeads
        ? nil
        : { opaque, offset, whence in
          guard let opaque else { return Int64(bs_invalid_argument) }
          return Unmanaged<FileSink>.fromOpaque(opaque).takeUnretainedValue()
            .seek(offset, whence: whence)
        })
  }

  /// Gives the file its name.
  ///
  /// - Throws: `MediaError` of kind `.unwritable`.
  func finish() throws {
    if let fault { throw fault }
    guard rename(partialPath, path) == 0 else {
      throw MediaError(.unwritable, "\(path): cannot be put in place: \(systemMessage(errno))")
    }
    isFinished = true
  }

  private func take(_ bytes: UnsafeRawBufferPointer) -> Int32 {
    guard dropsPacketHeads else { return write(bytes) ? Int32(bytes.count) : bs_io_error }
    var rest = bytes[...]
    while !rest.isEmpty {
      let isHead = phase < Self.headSize
      let count = min(rest.count, (isHead ? Self.headSize : Self.sourcePacketSize) - phase)
      if !isHead, !write(UnsafeRawBufferPointer(rebasing: rest.prefix(count))) {
        return bs_io_error
      }
      rest = rest.dropFirst(count)
      phase = (phase + count) % Self.sourcePacketSize
    }
    return Int32(bytes.count)
  }

  private func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var done = 0
    while done < bytes.count {
      let count = pwrite(
        descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done, off_t(position))
      if count < 0 {
        if errno == EINTR { continue }
        fault = MediaError(.unwritable, "\(path): cannot be written: \(systemMessage(errno))")
        return false
      }
      done += count
      position += Int64(count)
    }
    return true
  }

  private func seek(_ offset: Int64, whence: Int32) -> Int64 {
    var status = stat()
    let size = fstat(descriptor, &status) == 0 ? Int64(status.st_size) : 0
    switch whence & ~AVSEEK_FORCE {
    case AVSEEK_SIZE: return size
    case 0: position = offset
    case 1: position += offset
    case 2: position = size + offset
    default: return Int64(bs_invalid_argument)
    }
    return position
  }
}
