// SPDX-License-Identifier: Apache-2.0
internal import BurnInNegotiation
internal import CommandArguments
internal import Glibc
internal import MediaContainer
internal import MediaServer

/// Saved answers and vectors: small files that are read whole.
enum SavedAnswer {
  /// The longest file read: an answer with hundreds of streams is far below.
  static let maximumSize = 16 << 20
  /// How often a wait for standard input looks whether it was interrupted.
  private static let pollMilliseconds: Int32 = 200

  /// Reads a PlaybackInfo answer, a recorded exchange, or a transcode's URL alone.
  ///
  /// - Parameters:
  ///   - path: The file; `-` for standard input.
  ///   - track: The stream that is asked for, by the server's index.
  /// - Returns: The facts of the answer.
  /// - Throws: `MediaError`.
  static func read(_ path: String, track: Int) throws -> PlaybackAnswer {
    var bytes = try self.bytes(path)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
    guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
      throw MediaError(.notMedia, "\(name(path)): is no text in UTF-8; save it as UTF-8")
    }
    let trimmed = text.drop { $0.isWhitespace }
    guard trimmed.hasPrefix("{") else { return try url(trimmed, track: track, path: path) }
    let value: JSONValue
    do {
      value = try JSONValue(parsing: bytes)
    } catch {
      throw MediaError(.notMedia, "\(name(path)): is no JSON: \(error)")
    }
    // A recorded exchange holds the answer as its response's body.
    let recorded = value["response"]["body"]
    var answer = value
    if case .object = recorded { answer = recorded }
    if case .string(let body) = recorded, let inner = try? JSONValue(parsing: Array(body.utf8)) {
      answer = inner
    }
    guard !answer["MediaSources"].isNull || !answer["ErrorCode"].isNull else {
      throw MediaError(
        .notMedia,
        "\(name(path)): is no PlaybackInfo answer: it has neither MediaSources nor ErrorCode")
    }
    return PlaybackAnswer(answer, mediaSourceID: nil)
  }

  private static func url(
    _ text: Substring, track: Int, path: String
  ) throws -> PlaybackAnswer {
    let lines = text.split(whereSeparator: \.isNewline)
    let line = (lines.first ?? "").drop { $0 == "\"" }
    guard lines.count == 1, line.utf8.count < 32_768,
      ["/", "http://", "https://", "videos/"].contains(where: { line.lowercased().hasPrefix($0) })
    else {
      throw MediaError(
        .notMedia,
        "\(name(path)): is neither a PlaybackInfo answer (JSON) nor one TranscodingUrl on one line")
    }
    var url = String(line)
    while let last = url.last, last.isWhitespace || last == "\"" { url.removeLast() }
    return PlaybackAnswer(transcodingURL: url, track: track)
  }

  /// A file's bytes, or those of standard input.
  static func bytes(_ path: String) throws -> [UInt8] {
    guard path == "-" else {
      let file = try LocalFile(path: path)
      guard let count = file.byteCount, count <= maximumSize else {
        throw MediaError(.tooLarge, "\(path): is longer than \(maximumSize) bytes")
      }
      var bytes = [UInt8](repeating: 0, count: Int(count))
      var filled = 0
      while filled < bytes.count {
        let read = try bytes.withUnsafeMutableBytes { buffer in
          try file.read(
            at: Int64(filled), into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]))
        }
        if read == 0 { break }
        filled += read
      }
      return Array(bytes[..<filled])
    }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      // A terminal or pipe may never say anything: Ctrl-C must end the wait.
      var wait = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
      let ready = poll(&wait, 1, pollMilliseconds)
      if Task.isCancelled { throw CancellationError() }
      if ready == 0 || ready < 0 && errno == EINTR { continue }
      let count = buffer.withUnsafeMutableBytes { Glibc.read(0, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return bytes }
      bytes.append(contentsOf: buffer[..<count])
      guard bytes.count <= maximumSize else {
        throw MediaError(.tooLarge, "standard input: is longer than \(maximumSize) bytes")
      }
    }
  }

  /// What a path is called in messages.
  static func name(_ path: String) -> String { path == "-" ? "standard input" : path }
}

/// A run of test vectors for the decision functions.
enum NegotiationVectorRun {
  /// Runs a file and prints each failing id and a closing count.
  ///
  /// - Throws: `MediaError`, or `ExitCode` 1 if a vector fails.
  static func perform(_ path: String) throws {
    let vectors: NegotiationVectors
    do {
      vectors = try NegotiationVectors(parsing: try SavedAnswer.bytes(path))
    } catch let error as MediaError {
      throw error
    } catch let error as CancellationError {
      throw error
    } catch {
      throw MediaError(.notMedia, "\(SavedAnswer.name(path)): \(error)")
    }
    guard !vectors.vectors.isEmpty else {
      throw MediaError(.notMedia, "\(SavedAnswer.name(path)): holds no vectors")
    }
    let report = vectors.run()
    for failure in report.failures {
      StandardOutput.write(
        "\(failure.id) (\(failure.rule)): expected \(failure.expected), got \(failure.actual)\n")
    }
    StandardOutput.write("\(report.passed) of \(report.count) vectors pass\n")
    if !report.failures.isEmpty { throw ExitCode(1) }
  }
}
