// SPDX-License-Identifier: Apache-2.0
internal import CMicroHTTPD
internal import Glibc
internal import Synchronization

/// Hands an answer to the library, on its thread.
func queue(_ response: ServerResponse, on connection: OpaquePointer) -> MHD_Result {
  guard let body = libraryResponse(of: response.body) else {
    return response.body == .hangUp ? .NO : queue(.plain(404), on: connection)
  }
  defer { MHD_destroy_response(body) }
  // An empty value would be refused by the library.
  for (name, value) in response.headers where !value.isEmpty {
    MHD_add_response_header(body, name, value)
  }
  return MHD_queue_response(connection, UInt32(response.status), body)
}

private func libraryResponse(of body: ServerResponse.Body) -> OpaquePointer? {
  switch body {
  case .bytes(let bytes):
    return bytes.withUnsafeBytes { buffer in
      MHD_create_response_from_buffer(
        buffer.count, UnsafeMutableRawPointer(mutating: buffer.baseAddress), .RESPMEM_MUST_COPY)
    }
  case .json: return libraryResponse(of: body.written(htmlSafe: true))
  case .file(let path, let offset, let count):
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    let response = MHD_create_response_from_fd_at_offset64(
      UInt64(count), descriptor, UInt64(offset))
    if response == nil { close(descriptor) }
    return response
  case .endless(let bytes): return streamed(Piece(bytes: bytes, limit: nil), size: nil)
  case .cut(let bytes, let claimed):
    return streamed(Piece(bytes: bytes, limit: bytes.count), size: claimed)
  case .hangUp: return nil
  }
}

/// Bytes that are sent again and again, or once and then cut off.
private final class Piece: Sendable {
  let bytes: [UInt8]
  let limit: Int?
  init(bytes: [UInt8], limit: Int?) {
    self.bytes = bytes
    self.limit = limit
  }

  func read(at position: UInt64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let errorEnd = -2  // MHD_CONTENT_READER_END_WITH_ERROR
    guard !bytes.isEmpty else { return errorEnd }
    if let limit, position >= limit { return errorEnd }
    let start = Int(position % UInt64(bytes.count))
    let part = bytes[start...].prefix(buffer.count)
    part.withUnsafeBytes { buffer.copyMemory(from: $0) }
    return part.count
  }
}

private func streamed(_ piece: Piece, size: Int?) -> OpaquePointer? {
  let context = Unmanaged.passRetained(piece).toOpaque()
  let response = MHD_create_response_from_callback(
    size.map { UInt64($0) } ?? bs_http_unknown_size(), 32 << 10,
    { context, position, target, count in
      guard let context, let target else { return -2 }
      return Unmanaged<Piece>.fromOpaque(context).takeUnretainedValue().read(
        at: position, into: UnsafeMutableRawBufferPointer(start: target, count: count))
    }, context,
    { context in
      if let context { Unmanaged<Piece>.fromOpaque(context).release() }
    })
  if response == nil { Unmanaged<Piece>.fromOpaque(context).release() }
  return response
}
