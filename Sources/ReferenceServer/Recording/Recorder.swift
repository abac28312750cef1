// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Synchronization

/// Writes exchanges into a folder, one file each, numbered; a file that is there stays as it is.
package final class Recorder: Sendable {
  /// Files that one folder may get.
  static let countLimit = 999_999

  private struct State {
    var next = 1
    var secrets: Set<String>
    var fault: String?
  }

  private let folder: String
  private let state: Mutex<State>

  /// Makes the folder if it is not there.
  ///
  /// - Parameters:
  ///   - folder: Its path.
  ///   - secrets: API keys; tokens that are given out later are learned from the answers.
  /// - Throws: ``ReferenceServerError`` if it cannot be made.
  package init(folder: String, secrets: [String]) throws {
    self.folder = folder
    state = Mutex(State(secrets: Set(secrets)))
    if mkdir(folder, 0o700) == 0 { return }
    let code = errno
    var status = stat()
    guard code == EEXIST, stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
      access(folder, W_OK) == 0
    else {
      throw ReferenceServerError(
        .environment,
        "The recording's folder '\(folder)' cannot be made or written: "
          + "\(String(cString: strerror(code))).")
    }
  }

  /// Why an exchange could not be written, the first time; nil if all were.
  package var fault: String? { state.withLock { $0.fault } }

  /// Writes an exchange.
  package func note(_ request: ServerRequest, _ response: ServerResponse) {
    if response.body == .hangUp { return }
    let secrets = state.withLock { state in
      if let token = Self.token(in: response) { state.secrets.insert(token) }
      return state.secrets
    }
    let exchange = RecordedExchange(
      request: request, response: response, redaction: Redaction(known: secrets))
    let text = exchange.json.text(htmlSafe: false) + "\n"
    state.withLock { state in
      do throws(RecordingFault) {
        try write(Array(text.utf8), state: &state)
      } catch {
        state.fault = state.fault ?? error.reason
      }
    }
  }

  /// The token that a sign-in gives out.
  private static func token(in response: ServerResponse) -> String? {
    switch response.body {
    case .json(let value): value["AccessToken"]?.text
    case .bytes(let bytes) where bytes.first == UInt8(ascii: "{"):
      (try? JSON(parsing: bytes))?["AccessToken"]?.text
    default: nil
    }
  }

  /// Writes beside and links to the next free number, so that no file is there in part and none is
  /// written over.
  private func write(_ bytes: [UInt8], state: inout State) throws(RecordingFault) {
    let beside = "\(folder)/.writing-\(getpid())"
    let descriptor = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw fault(errno) }
    defer { unlink(beside) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else {
        let code = errno
        close(descriptor)
        throw fault(code)
      }
      rest = rest.dropFirst(count)
    }
    close(descriptor)
    while state.next <= Self.countLimit {
      let digits = String(state.next)
      let path = folder + "/" + String(repeating: "0", count: 6 - digits.count) + digits + ".json"
      state.next += 1
      if link(beside, path) == 0 { return }
      guard errno == EEXIST else { throw fault(errno) }
    }
    throw RecordingFault("the folder '\(folder)' has no number left")
  }

  private func fault(_ code: Int32) -> RecordingFault {
    RecordingFault("the folder '\(folder)' cannot be written: \(String(cString: strerror(code)))")
  }
}
