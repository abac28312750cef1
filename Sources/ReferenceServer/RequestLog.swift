// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A file that gets one line a request: time, method, path, names of the query, status and length
/// of time; never a value of the query, since tokens stand there.
package final class RequestLog: Sendable {
  private let descriptor: Int32

  /// Opens a file and appends to it.
  init(path: String) throws {
    descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else {
      throw ReferenceServerError(
        .environment, "The log '\(path)' cannot be written: \(String(cString: strerror(errno))).")
    }
  }

  deinit { close(descriptor) }

  /// Appends the line of one request.
  func note(_ request: ServerRequest, status: Int, milliseconds: Int) {
    let text = Self.line(request, status: status, milliseconds: milliseconds)
    let line = Array("\(dateText(time(nil))) \(text)\n".utf8)
    // One write a line, so that lines of several requests never mix.
    _ = line.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
  }

  /// The line without its time.
  package static func line(_ request: ServerRequest, status: Int, milliseconds: Int) -> String {
    let names = request.parameters.map { "\(printable($0.name))=…" }.joined(separator: "&")
    let target = printable(request.path) + (names.isEmpty ? "" : "?" + names)
    return "\(printable(request.method)) \(target) \(status) \(milliseconds) ms"
  }

  private static func printable(_ text: String) -> String {
    String(text.unicodeScalars.map { $0.value < 0x21 || $0.value == 0x7F ? "_" : Character($0) })
  }
}
