// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// The server's mind: answers requests, whoever carries them.
package final class Service: Sendable {
  let configuration: ReferenceServerConfiguration
  let films: [Film]
  let serverID: String
  let accounts: Accounts
  let sessions = SessionStore()
  let resumes = Resumes()
  let transcoder: Transcoder
  let errors: ErrorShapes
  /// Emby's play sessions.
  let streams = EmbyStreams()
  /// `http://host:port`, set once the server listens.
  let address = Mutex("")

  var version: ServerVersion { configuration.version }

  package init(configuration: ReferenceServerConfiguration, films: [Film], folder: String) {
    self.configuration = configuration
    self.films = films
    serverID = Identifier.stable("server " + films.map(\.path).joined(separator: "\n"))
    accounts = Accounts(configuration: configuration, serverID: serverID)
    errors = ErrorShapes(version: configuration.version)
    transcoder = Transcoder(
      folder: folder, keepsSegments: configuration.faults.contains(.staleSegments))
  }

  /// Answers a request.
  package func answer(_ request: ServerRequest) async -> ServerResponse {
    let clock = ContinuousClock()
    let begin = clock.now
    var response = await unadornedAnswer(to: request)
    let parts = begin.duration(to: clock.now).components
    let microseconds = parts.seconds * 1_000_000 + parts.attoseconds / 1_000_000_000_000
    let fraction = String(microseconds % 1000)
    let padding = String(repeating: "0", count: 3 - fraction.count)
    if version.isEmby {
      response = embyAnswer(response)
      response.body = response.body.written(htmlSafe: false)
      return response
    }
    response.body = response.body.written(htmlSafe: true)
    response.headers += [
      ("Server", "Kestrel"), ("X-Response-Time-ms", "\(microseconds / 1000).\(padding)\(fraction)"),
    ]
    if request.header("Origin") != nil {
      response.headers.append(("Access-Control-Allow-Origin", "*"))
    }
    return response
  }

  private func unadornedAnswer(to request: ServerRequest) async -> ServerResponse {
    for case .error(let prefix, let status) in configuration.faults
    where request.path.lowercased().hasPrefix(prefix.lowercased()) {
      return status == 401 || status == 403 ? .empty(status) : .plain(status)
    }
    do {
      return try await route(request)
    } catch let refusal as Refusal {
      return refusal.response
    } catch is CancellationError {
      return ServerResponse(status: 499, body: .hangUp)
    } catch {
      return .plain(500)
    }
  }

  /// The film of an identifier in a path or query; where no film has it, `missing` is answered, or
  /// what a controller says.
  func film(_ text: String?, missing: ServerResponse? = nil) throws -> Film {
    guard let text, let id = itemID(text) else {
      throw Refusal(
        errors.validation("itemId", "The value '\(text ?? "")' is not valid."))
    }
    guard let film = films.first(where: { $0.id == id }) else {
      throw Refusal(missing ?? errors.notFound)
    }
    return film
  }

  /// The plain form of an item's identifier; nil for a text that can be none.
  func itemID(_ text: String) -> String? {
    guard version.isEmby else { return Identifier.parse(text) }
    return Int(text).flatMap { $0 > 0 ? String($0) : nil } ?? Identifier.parse(text)
  }

  /// The user whom a request is about: the one that it names, else the caller.
  ///
  /// - Throws: A refusal if the user is another than the caller, or if an API key names nobody.
  func account(_ text: String?, caller: Caller) throws -> Account {
    guard let text else {
      guard let own = caller.account else { throw Refusal(.plain(400)) }
      return own
    }
    guard let id = Identifier.parse(text) else {
      throw Refusal(errors.validation("userId", "The value '\(text)' is not valid."))
    }
    if let own = caller.account, own.id != id { throw Refusal(.plain(403)) }
    guard let account = accounts.account(id) else { throw Refusal(errors.notFound) }
    return account
  }
}
