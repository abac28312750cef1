// SPDX-License-Identifier: Apache-2.0
import CCurlShims

/// What arrives during one transfer; the C callbacks write into it, on the thread that sends.
final class Transfer {
  /// All header lines of one answer together; servers send a few kB.
  static let headerLimit = 256 << 10

  /// Why the callbacks refused to take more.
  enum Refusal {
    case bodyTooLarge
    case headersTooLarge
    case rangeIgnored
  }

  let bodyLimit: Int
  let wantsRange: Bool
  let wantsBody: Bool
  let isCancelled: (() -> Bool)?
  private(set) var status = 0
  private(set) var headers: [(name: String, value: String)] = []
  private(set) var body: [UInt8] = []
  private(set) var refusal: Refusal?
  private var headerBytes = 0

  init(_ request: HTTPRequest, isCancelled: (() -> Bool)?) {
    bodyLimit = request.limits.body
    wantsRange = request.range != nil
    wantsBody = request.method != .head
    self.isCancelled = isCancelled
  }

  /// Takes one header line; false stops the transfer.
  func takeHeader(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
    headerBytes += line.count
    guard headerBytes <= Self.headerLimit else {
      refusal = .headersTooLarge
      return false
    }
    let text = String(decoding: line, as: UTF8.self)
    if text.utf8.starts(with: "HTTP/".utf8) {
      // A new answer begins: what came before was an interim one (100 Continue).
      headers = []
      status = Int(text.split(separator: " ", maxSplits: 2).dropFirst().first?.prefix(3) ?? "") ?? 0
      return true
    }
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return true }
    let name = String(text[..<colon])
    let value = trimmed(text[text.index(after: colon)...])
    headers.append((name, value))
    if wantsBody, name.lowercased() == "content-length", let announced = Int(value),
      announced > bodyLimit,
      !(wantsRange && status == 200)
    {
      refusal = .bodyTooLarge
      return false
    }
    return true
  }

  /// Takes a piece of the body; false stops the transfer.
  func takeBody(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    if wantsRange && status == 200 {
      refusal = .rangeIgnored
      return false
    }
    guard bytes.count <= bodyLimit - body.count else {
      refusal = .bodyTooLarge
      return false
    }
    body.append(contentsOf: bytes)
    return true
  }

  private func trimmed(_ text: Substring) -> String {
    func isBlank(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 || byte == 13 || byte == 10 }
    var bytes = text.utf8.drop(while: isBlank)
    while let last = bytes.last, isBlank(last) { bytes = bytes.dropLast() }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The object behind a callback's context, which outlives the transfer.
  fileprivate static func behind(_ context: UnsafeMutableRawPointer?) -> Transfer? {
    context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
  }
}

extension Transfer {
  /// Everything of one exchange that C needs.
  struct Wire {
    var url: String
    var method: String
    var headerLines: [String]
    var body: [UInt8]?
    var caFile: String?
    var userAgent: String
    var avoidsProxy: Bool
    var connectMilliseconds: Int64
    var totalMilliseconds: Int64
  }

  /// Sends and receives, blocking; what arrived is in the properties afterwards.
  func perform(_ wire: Wire, on handle: OpaquePointer) -> curlshim_outcome {
    var outcome = curlshim_outcome()
    withCStrings([wire.url, wire.method, wire.userAgent, wire.caFile ?? ""]) { strings in
      withCStrings(wire.headerLines) { lines in
        (wire.body ?? []).withUnsafeBufferPointer { body in
          lines.withUnsafeBufferPointer { linePointers in
            var request = curlshim_request()
            request.url = strings[0]
            request.method = strings[1]
            request.user_agent = strings[2]
            request.ca_file = wire.caFile == nil ? nil : strings[3]
            request.headers = linePointers.baseAddress
            request.header_count = lines.count
            request.body = body.baseAddress
            request.body_count = body.count
            request.has_body = wire.body == nil ? 0 : 1
            request.no_proxy = wire.avoidsProxy ? 1 : 0
            request.connect_milliseconds = wire.connectMilliseconds
            request.total_milliseconds = wire.totalMilliseconds
            request.context = Unmanaged.passUnretained(self).toOpaque()
            request.on_header = { context, bytes, count in
              let line = UnsafeBufferPointer(start: bytes, count: count)
              return Transfer.behind(context)?.takeHeader(line) == true ? count : 0
            }
            request.on_body = { context, bytes, count in
              let piece = UnsafeBufferPointer(start: bytes, count: count)
              return Transfer.behind(context)?.takeBody(piece) == true ? count : 0
            }
            request.is_cancelled = { context in
              Transfer.behind(context)?.isCancelled?() == true ? 1 : 0
            }
            curlshim_perform(handle, &request, &outcome)
          }
        }
      }
    }
    return outcome
  }

  /// Calls the body with the texts as C strings that live that long.
  private func withCStrings(
    _ texts: [String], _ body: ([UnsafePointer<CChar>?]) -> Void
  ) {
    var storage: [CChar] = []
    var starts: [Int] = []
    for text in texts {
      starts.append(storage.count)
      storage.append(contentsOf: text.utf8.map { CChar(bitPattern: $0) })
      storage.append(0)
    }
    storage.withUnsafeBufferPointer { buffer in
      body(starts.map { start in buffer.baseAddress.map { $0 + start } })
    }
  }
}
