// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// A user with the identifier that clients see.
struct Account: Sendable, Hashable {
  var id: String
  var name: String
  var password: String
}

/// Who sends a request.
struct Caller: Sendable, Hashable {
  var token: String
  /// The user; nil for an API key.
  var account: Account?
  var identity: ClientIdentity

  /// What the session of this caller is known by.
  var sessionID: String { Identifier.stable("session \(token) \(identity.deviceID)") }
}

/// Who may come in.
final class Accounts: Sendable {
  let serverID: String
  let all: [Account]
  private let key: String?
  private let tokens = Mutex<[String: Caller]>([:])

  init(configuration: ReferenceServerConfiguration, serverID: String) {
    self.serverID = serverID
    key = configuration.token.flatMap { $0.isEmpty ? nil : $0 }
    all = configuration.users.map { user in
      Account(
        id: Identifier.stable("user \(user.name)"), name: user.name, password: user.password)
    }
  }

  /// The account of an identifier.
  func account(_ id: String) -> Account? { all.first { $0.id == id } }

  /// Signs a user in; nil for a wrong name or password.
  ///
  /// A second sign-in of a user from the same device ends the first.
  func signIn(name: String, password: String, from identity: ClientIdentity) -> Caller? {
    guard
      let account = all.first(where: {
        $0.name.lowercased() == name.lowercased() && $0.password == password
      })
    else { return nil }
    let caller = Caller(token: Identifier.random(), account: account, identity: identity)
    tokens.withLock { tokens in
      tokens = tokens.filter {
        $0.value.account != account || $0.value.identity.deviceID != identity.deviceID
      }
      tokens[caller.token] = caller
    }
    return caller
  }

  /// Forgets the token of a caller.
  func signOut(_ caller: Caller) {
    tokens.withLock { $0[caller.token] = nil }
  }

  /// Who a request comes from; nil without a valid token.
  func caller(of credentials: Credentials) -> Caller? {
    guard let token = credentials.token else { return nil }
    if token == key {
      let parts = credentials.parts
      let identity = ClientIdentity(
        client: parts["Client"] ?? "Burnscope", device: parts["Device"] ?? "API key",
        deviceID: parts["DeviceId"] ?? serverID, version: parts["Version"] ?? "1.0")
      return Caller(token: token, account: nil, identity: identity)
    }
    return tokens.withLock { tokens in
      guard var caller = tokens[token] else { return nil }
      if let device = credentials.parts["DeviceId"], !device.isEmpty {
        caller.identity.deviceID = device
      }
      return caller
    }
  }
}
