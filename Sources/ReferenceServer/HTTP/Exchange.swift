// SPDX-License-Identifier: Apache-2.0
internal import CMicroHTTPD
internal import Synchronization

/// One request and its answer, from its first line to its end.
final class Exchange: Sendable {
  enum Stage {
    case new, reading, held
    case answered(ServerResponse)
  }

  private struct State {
    var stage = Stage.new
    var method = ""
    var headers: [(name: String, value: String)] = []
    var body: [UInt8] = []
    var isTooLong = false
  }

  private let target: String
  private let state = Mutex(State())

  /// - Parameter target: Path and query as they were sent.
  init(target: String) { self.target = target }

  var stage: Stage { state.withLock { $0.stage } }
  var isTooLong: Bool { state.withLock { $0.isTooLong } }

  /// What the client says its body has; 0 if it does not.
  var claimedLength: Int {
    state.withLock { state in
      let header = state.headers.first { $0.name.lowercased() == "content-length" }
      return header.flatMap { Int($0.value) } ?? 0
    }
  }

  func readHead(of connection: OpaquePointer, method: String) {
    let box = HeaderBox()
    _ = MHD_get_connection_values(
      connection, .HEADER_KIND,
      { context, _, name, value in
        guard let context, let name else { return .YES }
        Unmanaged<HeaderBox>.fromOpaque(context).takeUnretainedValue().headers.append(
          (String(cString: name), value.map { String(cString: $0) } ?? ""))
        return .YES
      }, Unmanaged.passUnretained(box).toOpaque())
    state.withLock { state in
      state.stage = .reading
      state.method = method
      state.headers = box.headers
    }
  }

  func append(_ bytes: UnsafePointer<CChar>?, _ count: Int) {
    state.withLock { state in
      guard let bytes, state.body.count + count <= HTTPDaemon.bodyLimit else {
        state.isTooLong = true
        return
      }
      state.body.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: count))
    }
  }

  /// The whole request; from now on the exchange waits for its answer.
  func hold() -> ServerRequest {
    state.withLock { state in
      state.stage = .held
      return ServerRequest(
        method: state.method, target: target, headers: state.headers, body: state.body)
    }
  }

  func answer(with response: ServerResponse) { state.withLock { $0.stage = .answered(response) } }
}

/// Collects headers on the library's thread.
private final class HeaderBox { var headers: [(name: String, value: String)] = [] }
