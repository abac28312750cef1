// SPDX-License-Identifier: Apache-2.0
internal import ChildProcess
internal import Glibc

/// A running `burnscope serve`; stop it when done.
package struct ServedFilm: Sendable {
  /// Its address, without a slash at the end.
  package let address: String
  /// The items' ids, in order of the files.
  package let items: [String]
  private let child: ChildProcess

  /// Starts the built program and waits until it listens.
  ///
  /// - Parameters:
  ///   - files: The films.
  ///   - options: Further arguments.
  ///   - environment: Further variables, `NAME=VALUE`.
  /// - Throws: ``SystemFault`` if the program does not start or says something else.
  package init(
    _ files: [String], _ options: [String] = [], environment: [String] = []
  ) throws {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw SystemFault(operation: "pipe", code: errno) }
    defer { close(ends[0]) }
    do {
      child = try ChildProcess(
        program: "env",
        arguments: environment + [BuiltProgram.path, "serve"] + files + options, output: ends[1])
    } catch {
      close(ends[1])
      throw error
    }
    close(ends[1])
    var text: [UInt8] = []
    var byte: UInt8 = 0
    while text.count(where: { $0 == 10 }) < files.count + 1, read(ends[0], &byte, 1) == 1 {
      text.append(byte)
    }
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
    guard lines.count == files.count + 1, lines[0].hasPrefix("Listening on ") else {
      throw SystemFault(operation: "burnscope serve said '\(lines)'", code: ECHILD)
    }
    address = String(lines[0].dropFirst("Listening on ".count))
    items = lines.dropFirst().map { String($0.prefix { $0 != "\t" }) }
  }

  /// What it says on standard error until it ends; ask once, and stop it first.
  package func errors() async -> [String] {
    var lines: [String] = []
    for await line in child.errorLines { lines.append(line) }
    return lines
  }

  /// Ends the server and waits until it is gone.
  package func stop() async {
    child.signal(SIGINT)
    _ = await child.status()
  }
}
