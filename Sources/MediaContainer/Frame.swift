// SPDX-License-Identifier: Apache-2.0
internal import CFFmpegShims
internal import SubtitleModel

/// One frame's memory.
final class Frame {
  let pointer: UnsafeMutablePointer<AVFrame>

  /// Makes a frame for a decoder to fill.
  init() throws {
    guard let fresh = av_frame_alloc() else { throw Self.outOfMemory }
    pointer = fresh
  }

  /// Makes a frame with buffers, aligned as filters align them.
  convenience init(width: Int, height: Int, format: AVPixelFormat) throws {
    try self.init()
    pointer.pointee.width = Int32(width)
    pointer.pointee.height = Int32(height)
    pointer.pointee.format = format.rawValue
    guard av_frame_get_buffer(pointer, 0) >= 0 else { throw Self.outOfMemory }
  }

  deinit {
    var freeing: UnsafeMutablePointer<AVFrame>? = pointer
    av_frame_free(&freeing)
  }

  private static var outOfMemory: MediaError {
    MediaError(.tooLarge, "not enough memory for a frame")
  }

  /// Lets go of the frame's buffers.
  func reset() { av_frame_unref(pointer) }

  /// Copies a plane of one byte a sample.
  func plane(_ index: Int, _ size: Canvas) -> SamplePlane {
    let planes = [
      (pointer.pointee.data.0, pointer.pointee.linesize.0),
      (pointer.pointee.data.1, pointer.pointee.linesize.1),
      (pointer.pointee.data.2, pointer.pointee.linesize.2),
      (pointer.pointee.data.3, pointer.pointee.linesize.3),
    ]
    let count = size.width * size.height
    let samples = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      initialized = count
      guard let base = buffer.baseAddress, let data = planes[index].0 else {
        buffer.initialize(repeating: 0)
        return
      }
      for row in 0..<size.height {
        (base + row * size.width).update(
          from: data + row * Int(planes[index].1), count: size.width)
      }
    }
    return SamplePlane(width: size.width, height: size.height, samples: samples)
  }

  /// Copies a component (0 Y, 1 Cb, 2 Cr) as 8-bit samples; nil if the format has no plain one.
  func component(_ index: Int32, _ size: Canvas) -> SamplePlane? {
    let count = bs_copy_component(pointer, index, nil)
    guard count == Int64(size.width * size.height) else { return nil }
    let samples = [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, initialized in
      bs_copy_component(pointer, index, buffer.baseAddress)
      initialized = Int(count)
    }
    return SamplePlane(width: size.width, height: size.height, samples: samples)
  }
}
