// SPDX-License-Identifier: Apache-2.0
public import BurnInNegotiation
public import HTTPTransport
internal import Synchronization

/// How a client proves who it is; descriptions never show the secret.
public enum Credentials: Sendable, CustomStringConvertible, CustomDebugStringConvertible {
  /// An access token or API key.
  case token(String)
  /// A user's name and password.
  case password(user: String, password: String)

  /// The kind alone.
  public var description: String {
    switch self {
    case .token: "a token"
    case .password: "a user and password"
    }
  }
  /// The same as the description.
  public var debugDescription: String { description }
}

/// What a client calls itself; a server lists it among its devices.
public struct ClientIdentity: Sendable, Hashable {
  /// The program's name.
  public var client: String
  /// The machine's name.
  public var device: String
  /// The machine's id.
  ///
  /// Of two sign-ins of one user with one id the server forgets the first, so two programs must not
  /// share it.
  public var deviceID: String
  /// The program's version.
  public var version: String

  /// Makes an identity; without an id, with a new random one.
  public init(
    client: String = "Burnscope", device: String = "Burnscope", deviceID: String? = nil,
    version: String = "1.0"
  ) {
    self.client = client
    self.device = device
    let random = UInt64.random(in: .min ... .max)
    self.deviceID = deviceID ?? "burnscope-" + String(random, radix: 16)
    self.version = version
  }
}

/// A Jellyfin or Emby server, spoken with over its HTTP interface in its own dialect.
///
/// Calls block: make them from a thread of their own. The first call that needs it signs in.
public final class MediaServerConnection: Sendable {
  /// The server's address without a slash at its end.
  public let baseURL: String
  /// What the client calls itself.
  public let identity: ClientIdentity
  let client: HTTPClient
  private let credentials: Credentials
  private let cancellation: (@Sendable () -> Bool)?
  private let session = Mutex<Session?>(nil)
  private let knownKind = Mutex<ServerKind?>(nil)

  /// Who is signed in.
  private struct Session {
    var token: String
    var userID: String
    /// Whether the token was made here, so that it can be given back.
    var isOwn: Bool
  }

  /// Makes a connection; nothing is sent before the first call.
  ///
  /// - Parameters:
  ///   - baseURL: The server, `http://host:8096` or with a path, `https://host/jellyfin`.
  ///   - credentials: A token, or a user and password.
  ///   - identity: What the client calls itself.
  ///   - client: What sends.
  ///   - cancellation: Asked about twenty times a second; once true, calls end early.
  /// - Throws: A fault of kind `.invalidRequest` if the address is none.
  public init(
    baseURL: String, credentials: Credentials, identity: ClientIdentity = ClientIdentity(),
    client: HTTPClient = HTTPClient(), cancellation: (@Sendable () -> Bool)? = nil
  ) throws(MediaServerFault) {
    let reference = URLReference(URLReference.encodingIllegalCharacters(in: baseURL))
    guard reference.isHTTP, reference.port != nil else {
      throw MediaServerFault(
        .invalidRequest,
        "the server's address \(reference) is not of the form http://host:port/path")
    }
    guard reference.query == nil, reference.fragment == nil,
      reference.authority?.contains("@") != true
    else {
      throw MediaServerFault(
        .invalidRequest,
        "the server's address \(reference) holds a query, a fragment or a user; give the address "
          + "alone and the credentials in the environment")
    }
    var text = reference.text
    while text.hasSuffix("/") { text.removeLast() }
    self.baseURL = text
    self.identity = identity
    self.client = client
    self.credentials = credentials
    self.cancellation = cancellation
  }

  /// What the server says of itself; needs no credentials.
  public func serverInfo() throws(MediaServerFault) -> ServerInfo {
    let endpoint = "/System/Info/Public"
    let json = try call(.get, endpoint, headers: [("Accept", "application/json")])
    guard let info = ServerInfo(json) else {
      throw MediaServerFault(.undecodable, "\(baseURL)\(endpoint): the answer has no version")
    }
    return info
  }

  /// What the server says of itself, if it is of a kind that is spoken with here.
  ///
  /// - Returns: The answer of a Jellyfin or Emby server.
  /// - Throws: A fault of kind `.unsupportedServer` for another product.
  @discardableResult
  public func requireKnownServer() throws(MediaServerFault) -> ServerInfo {
    let info = try serverInfo()
    guard let kind = info.kind else {
      throw MediaServerFault(
        .unsupportedServer,
        "\(baseURL): the server is neither Jellyfin nor Emby (version \(info.version.prefix(20))); a "
          + "stream of it can be checked by its HLS address")
    }
    knownKind.withLock { $0 = kind }
    return info
  }

  /// The server's dialect, asked for once.
  public func kind() throws(MediaServerFault) -> ServerKind {
    if let known = knownKind.withLock({ $0 }) { return known }
    return try requireKnownServer().kind ?? .jellyfin
  }

  /// Signs in with a password, or finds the user of a token.
  ///
  /// - Returns: The user's id.
  @discardableResult
  public func signIn() throws(MediaServerFault) -> String {
    if let session = session.withLock({ $0 }) { return session.userID }
    let fresh: Session
    _ = try kind()
    switch credentials {
    case .token(let token):
      fresh = Session(token: token, userID: try userID(ofToken: token), isOwn: false)
    case .password(let user, let password): fresh = try signIn(user, password)
    }
    session.withLock { $0 = fresh }
    return fresh.userID
  }

  /// Gives a token back that `signIn` got by a password; never fails, never waits long.
  public func signOut() {
    let old = session.withLock { session in
      defer { session = nil }
      return session
    }
    guard let old, old.isOwn else { return }
    let request = HTTPRequest(
      .post, baseURL + "/Sessions/Logout", headers: headers(token: old.token), limits: .parting)
    _ = try? client.send(request)
  }

  /// The header fields that prove who asks, for playlists, segments and files of this server.
  public func mediaHeaders() throws(MediaServerFault) -> [(String, String)] {
    try signIn()
    return headers(token: session.withLock { $0?.token })
  }

  /// An item with its media sources and streams.
  ///
  /// - Parameter id: The item's id, with or without dashes.
  /// - Returns: The item; it has one source at least.
  /// - Throws: A fault, of kind `.notFound` for an id that the server does not know.
  public func item(_ id: String) throws(MediaServerFault) -> MediaItem {
    let user = try signIn()
    try Self.check(id: id)
    var json: JSONValue
    let underUser = "/Users/\(user)/Items/\(id)"
    do throws(MediaServerFault) {
      let endpoint = try kind() == .emby ? underUser : "/Items/\(id)?userId=\(user)"
      json = try call(.get, endpoint, headers: try mediaHeaders())
    } catch {
      // Up to 10.8, and on Emby, the item is found under its user only.
      if error.kind == .serverError(status: 400) {
        // An id that is none of the server's kind.
        throw MediaServerFault(
          .notFound,
          "\(place("/Items/\(id)")): the server takes this for no item's id (400); "
            + "an item's id stands in the address of its page in the server's web client")
      }
      guard error.kind == .notFound || error.kind == .serverError(status: 405) else { throw error }
      guard try kind() == .jellyfin else { throw error }
      json = try call(.get, underUser, headers: try mediaHeaders())
    }
    let sources = json["MediaSources"].elements.compactMap { MediaSource($0) }
    guard !sources.isEmpty else {
      throw MediaServerFault(
        .undecodable, "\(baseURL)/Items/\(id): the item has no media source; is it a film?")
    }
    return MediaItem(
      id: json["Id"].text ?? id, name: json["Name"].text ?? id, sources: sources)
  }

  /// The address of a source's file, for byte ranges.
  ///
  /// - Parameters:
  ///   - item: The item's id.
  ///   - source: The media source's id.
  /// - Returns: The absolute URL; ask it with `mediaHeaders()`.
  /// - Throws: A fault of kind `.invalidRequest` for an id that is none.
  public func staticStreamURL(
    item: String, source: String
  ) throws(MediaServerFault) -> String {
    try Self.check(id: item)
    return baseURL + "/Videos/\(item)/stream?static=true&mediaSourceId="
      + URLReference.encodingComponent(source)
  }

  /// Stops a transcode and lets the server remove its files.
  ///
  /// Works also after cancellation, and takes 10 s at the most.
  ///
  /// - Parameters:
  ///   - playSessionID: The session, as PlaybackInfo gave it.
  ///   - deviceID: The device, as the transcode's URL names it; nil for this client's own.
  /// - Returns: What went wrong, or nil.
  @discardableResult
  public func stop(playSessionID: String, deviceID: String? = nil) -> MediaServerFault? {
    let device = URLReference.encodingComponent(deviceID ?? identity.deviceID)
    let play = URLReference.encodingComponent(playSessionID)
    let endpoint = "/Videos/ActiveEncodings"
    let request = HTTPRequest(
      .delete, "\(baseURL)\(endpoint)?deviceId=\(device)&playSessionId=\(play)",
      headers: headers(token: knownToken), limits: .parting)
    do throws(HTTPFault) {
      return fault(of: try client.send(request), endpoint)
    } catch {
      return MediaServerFault(error)
    }
  }
}

// Signing in.
extension MediaServerConnection {
  /// The token, signed in or not.
  private var knownToken: String? {
    if let session = session.withLock({ $0 }) { return session.token }
    if case .token(let token) = credentials { return token }
    return nil
  }

  private func signIn(_ user: String, _ password: String) throws(MediaServerFault) -> Session {
    let endpoint = "/Users/AuthenticateByName"
    let body: JSONValue = ["Username": .string(user), "Pw": .string(password)]
    let json = try call(.post, endpoint, headers: headers(token: nil), body: body)
    guard let token = json["AccessToken"].text, let id = json["User"]["Id"].text, !token.isEmpty
    else {
      throw MediaServerFault(.undecodable, "\(baseURL)\(endpoint): the answer has no token or user")
    }
    try Self.check(id: id)
    return Session(token: token, userID: id, isOwn: true)
  }

  /// The user of a token; an API key has none, so the server's first administrator stands in.
  ///
  /// Emby has no such question; there the list of users, which is for administrators, must do.
  private func userID(ofToken token: String) throws(MediaServerFault) -> String {
    let headers = headers(token: token)
    var user: JSONValue
    do throws(MediaServerFault) {
      guard try kind() == .jellyfin else {
        throw MediaServerFault(.serverError(status: 400), "\(baseURL): Emby has no /Users/Me")
      }
      user = try call(.get, "/Users/Me", headers: headers)
    } catch {
      guard error.kind == .serverError(status: 400) else { throw error }
      let users = try call(.get, "/Users", headers: headers).elements
      user =
        users.first { $0["Policy"]["IsAdministrator"].truth == true } ?? users.first ?? .null
    }
    guard let id = user["Id"].text else {
      throw MediaServerFault(.undecodable, "\(baseURL)/Users/Me: the answer names no user")
    }
    try Self.check(id: id)
    return id
  }

  /// The identity and the token, as the server wants them; values are percent-encoded there.
  ///
  /// Jellyfin takes both in `Authorization`, in every version; Emby in fields of its own.
  func headers(token: String?) -> [(String, String)] {
    let isEmby = knownKind.withLock { $0 == .emby }
    var parts = [
      ("Client", identity.client), ("Device", identity.device), ("DeviceId", identity.deviceID),
      ("Version", identity.version),
    ]
    if let token, !isEmby { parts.append(("Token", token)) }
    let text = parts.map { "\($0)=\"\(URLReference.encodingComponent($1))\"" }
      .joined(separator: ", ")
    guard isEmby else {
      return [("Authorization", "MediaBrowser " + text), ("Accept", "application/json")]
    }
    return [("X-Emby-Authorization", "Emby " + text), ("Accept", "application/json")]
      + (token.map { [("X-Emby-Token", $0)] } ?? [])
  }

  /// Refuses an id that would change the path it is put into.
  static func check(id: String) throws(MediaServerFault) {
    let isPlain =
      !id.isEmpty && id.utf8.count <= 128
      && id.utf8.allSatisfy { byte in
        let scalar = Unicode.Scalar(byte)
        return scalar.properties.isAlphabetic && byte < 128 || (48...57).contains(byte)
          || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
      }
    guard isPlain else {
      throw MediaServerFault(
        .invalidRequest,
        "the id of \(id.utf8.count) bytes is no server's id: only letters, digits, - and _ are")
    }
  }
}

// Sending.
extension MediaServerConnection {
  /// One request and its answer's JSON; the endpoint is path and query behind the base address.
  func call(
    _ method: HTTPMethod, _ endpoint: String, headers: [(String, String)], body: JSONValue? = nil
  ) throws(MediaServerFault) -> JSONValue {
    var request = HTTPRequest(
      method, URLReference.encodingIllegalCharacters(in: baseURL + endpoint), headers: headers,
      limits: .answer)
    if let body {
      request.headers.append(("Content-Type", "application/json"))
      request.body = Array(body.encoded.utf8)
    }
    let reply: HTTPReply
    do throws(HTTPFault) {
      reply = try client.send(request, cancellation: cancellation)
    } catch {
      throw MediaServerFault(error)
    }
    if let fault = fault(of: reply, endpoint) { throw fault }
    do throws(JSONFault) {
      return try JSONValue(parsing: reply.body)
    } catch {
      throw MediaServerFault(
        .undecodable,
        "\(place(endpoint)): the answer of \(reply.body.count) bytes is no JSON: \(error)")
    }
  }

  /// The endpoint without its query.
  private func place(_ endpoint: String) -> String { URLReference.redacted(baseURL + endpoint) }

  /// The fault that an answer's status is; nil for success.
  private func fault(of reply: HTTPReply, _ endpoint: String) -> MediaServerFault? {
    let place = place(endpoint)
    switch reply.status {
    case 200..<300: return nil
    case 300..<400:
      let target = URLReference.redacted(reply.header("Location") ?? "nowhere")
      return MediaServerFault(
        .serverError(status: reply.status),
        "\(place): the server redirects to \(target); give the address with its whole path")
    case 401:
      return MediaServerFault(
        .unauthorized(status: 401), "\(place): the credentials are missing or refused (401)")
    case 403:
      return MediaServerFault(
        .unauthorized(status: 403), "\(place): the user is not permitted to do this (403)")
    case 404:
      return MediaServerFault(.notFound, "\(place): the server knows no such item or page (404)")
    case let status:
      return MediaServerFault(
        .serverError(status: status), "\(place): the server answered \(status)")
    }
  }
}

extension HTTPLimits {
  /// For leaving: what is asked then must not keep anybody waiting.
  static let parting = HTTPLimits(
    connect: .seconds(5), total: .seconds(10), body: 1 << 20, redirects: 0)
}
