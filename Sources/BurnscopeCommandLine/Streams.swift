// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Synchronization

/// Standard output, where only results go.
///
/// It is buffered; an error of the system ends the program.
package enum StandardOutput {
  private static let buffer = Mutex<[UInt8]>([])
  private static let capacity = 64 << 10

  /// Adds text; it is written when the buffer is full or flushed.
  package static func write(_ text: String) {
    let isFull = buffer.withLock { bytes in
      bytes.append(contentsOf: text.utf8)
      return bytes.count >= capacity
    }
    if isFull { flush() }
  }

  /// Writes what is buffered.
  ///
  /// A closed pipe ends the program quietly; a full device ends it with a sentence and status 1.
  package static func flush() {
    let bytes = buffer.withLock { bytes in
      defer { bytes.removeAll(keepingCapacity: true) }
      return bytes
    }
    let fault = writeAll(bytes, to: 1)
    guard fault != 0 else { return }
    if fault == EPIPE { _exit(141) }
    StandardError.write(
      "Error: standard output cannot be written: \(String(cString: strerror(fault))).\n")
    _exit(ExitStatus.failure)
  }
}

/// Standard error, where warnings, errors and progress go, unbuffered.
package enum StandardError {
  private static let progressLine = Mutex(false)

  /// Writes text, clearing a progress line before it.
  package static func write(_ text: String) {
    clearProgress()
    _ = writeAll(Array(text.withoutControls.utf8), to: 2)
  }

  /// Writes a warning of one sentence.
  package static func warn(_ sentence: String) { write("Warning: \(sentence.onOneLine)\n") }

  /// Writes an error of one sentence.
  package static func fail(_ sentence: String) { write("Error: \(sentence.onOneLine)\n") }

  /// Whether standard error is a terminal, so that progress may be shown.
  package static var isTerminal: Bool { isatty(2) == 1 }

  fileprivate static func showProgress(_ text: String) {
    progressLine.withLock { $0 = true }
    _ = writeAll(Array("\r\u{1B}[K\(text)".utf8), to: 2)
  }

  fileprivate static func clearProgress() {
    let isShown = progressLine.withLock { shown in
      defer { shown = false }
      return shown
    }
    if isShown { _ = writeAll(Array("\r\u{1B}[K".utf8), to: 2) }
  }
}

extension String {
  /// The text with control characters written as escapes, which a terminal would obey; line feeds
  /// are kept.
  ///
  /// Names of files, titles and answers of servers may hold any.
  package var withoutControls: String { escapingControls(keepingLines: true) }

  /// The text on one line: line feeds are escaped too.
  package var onOneLine: String { escapingControls(keepingLines: false) }

  private func escapingControls(keepingLines: Bool) -> String {
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      switch (scalar, scalar.properties.generalCategory) {
      case ("\n", _) where keepingLines: result.append(scalar)
      case ("\n", _): result.append(contentsOf: "\\n".unicodeScalars)
      case (_, .control), (_, .lineSeparator), (_, .paragraphSeparator):
        result.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
      default: result.append(scalar)
      }
    }
    return String(result)
  }
}

/// A line on standard error that tells how far a long work is, if that is a terminal.
///
/// Nothing is shown in the first second, and at most ten changes a second.
package final class Progress: Sendable {
  private let begin = ContinuousClock.now
  private let last = Mutex(ContinuousClock.now)

  /// Starts to count the time.
  package init() {}

  /// Shows a text, unless it is too early for one.
  package func show(_ text: @autoclosure () -> String) {
    guard StandardError.isTerminal else { return }
    let now = ContinuousClock.now
    guard now - begin >= .seconds(1) else { return }
    let isDue = last.withLock { last in
      guard now - last >= .milliseconds(100) else { return false }
      last = now
      return true
    }
    if isDue { StandardError.showProgress(text()) }
  }

  /// Takes the line away.
  package func finish() { StandardError.clearProgress() }
}

/// Writes all bytes to a descriptor; 0, or the system's error number.
private func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
  var start = 0
  while start < bytes.count {
    let count = bytes[start...].withUnsafeBytes {
      Glibc.write(descriptor, $0.baseAddress, $0.count)
    }
    if count < 0 {
      if errno == EINTR { continue }
      return errno
    }
    start += count
  }
  return 0
}
