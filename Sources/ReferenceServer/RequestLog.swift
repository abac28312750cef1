// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Synchronization

/// A file that gets one line a request: time, method, path, names of the query, status and length
/// of time; never a value of the query, since tokens stand there.
package final class RequestLog: Sendable {
  private let descriptor: Int32
  private let path: String
  private let hasFailed = Atomic(false)

  /// Opens a file and appends to it.
  init(path: String) throws {
    self.path = path
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
    let written = line.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    if written != line.count { warn(written < 0 ? errno : ENOSPC) }
  }

  /// Says on standard error that lines are missing: once, and serving goes on.
  private func warn(_ code: Int32) {
    guard !hasFailed.exchange(true, ordering: .relaxed) else { return }
    let reason = String(cString: strerror(code))
    let text = Array(
      "Warning: the log '\(Self.printable(path))' cannot be written: \(reason); lines are missing.\n"
        .utf8)
    _ = text.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
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
