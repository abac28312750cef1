// SPDX-License-Identifier: Apache-2.0
internal import CFFmpegShims

/// Carries a byte source's bytes to a demuxer, and its failures back.
///
/// Belongs to one demuxer and outlives it; used by one thread at a time.
final class SourceBridge {
  let source: any ByteSource
  let cancellation: CancellationFlag?
  /// Where the demuxer reads next.
  private(set) var position: Int64 = 0
  /// The first failure of the source; the demuxer only knows that there was one.
  private(set) var fault: (any Error)?

  init(source: any ByteSource, cancellation: CancellationFlag?) {
    self.source = source
    self.cancellation = cancellation
  }

  /// Throws what the source threw, or `CancellationError` if the work was cancelled.
  func checkFault() throws {
    if cancellation?.isCancelled == true { throw CancellationError() }
    if let fault { throw fault }
  }

  /// Makes the I/O context that reads through this bridge.
  func makeContext() -> UnsafeMutablePointer<AVIOContext>? {
    bs_io_reader(
      Unmanaged.passUnretained(self).toOpaque(), Self.bufferSize,
      { opaque, buffer, size in
        guard let opaque, let buffer, size > 0 else { return bs_invalid_argument }
        return Unmanaged<SourceBridge>.fromOpaque(opaque).takeUnretainedValue()
          .read(UnsafeMutableRawBufferPointer(start: buffer, count: Int(size)))
      },
      { opaque, offset, whence in
        guard let opaque else { return Int64(bs_invalid_argument) }
        return Unmanaged<SourceBridge>.fromOpaque(opaque).takeUnretainedValue()
          .seek(offset, whence: whence)
      })
  }

  /// Bytes that are asked of the source at once.
  private static let bufferSize: Int32 = 64 << 10

  private func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int32 {
    if cancellation?.isCancelled == true { return bs_exit }
    if fault != nil { return bs_io_error }
    do {
      let count = try source.read(at: position, into: buffer)
      guard count > 0 else { return bs_eof }
      position += Int64(count)
      return Int32(count)
    } catch {
      fault = error
      return bs_io_error
    }
  }

  private func seek(_ offset: Int64, whence: Int32) -> Int64 {
    let base: Int64
    switch whence & ~AVSEEK_FORCE {
    case AVSEEK_SIZE: return source.byteCount ?? Int64(bs_not_supported)
    case 0: base = 0
    case 1: base = position
    case 2:
      guard let count = source.byteCount else { return Int64(bs_not_supported) }
      base = count
    default: return Int64(bs_invalid_argument)
    }
    let (target, overflow) = base.addingReportingOverflow(offset)
    guard !overflow, target >= 0 else { return Int64(bs_invalid_argument) }
    position = target
    return target
  }
}
