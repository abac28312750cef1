// SPDX-License-Identifier: Apache-2.0

/// What a client says of itself.
struct ClientIdentity: Sendable, Hashable {
  var client: String
  var device: String
  var deviceID: String
  var version: String
}

/// The credentials that a request carries.
struct Credentials: Sendable, Equatable {
  var token: String?
  /// The parts of an Authorization header, by name; empty if there is none.
  var parts: [String: String] = [:]

  /// Reads every way of sending a token, in the server's order of preference.
  init(_ request: ServerRequest, version: ServerVersion) {
    let legacy = version.acceptsLegacyTokens
    if let header = request.header("Authorization") {
      parts = Self.parse(header, schemes: legacy ? ["mediabrowser", "emby"] : ["mediabrowser"])
    }
    if parts.isEmpty, legacy, let header = request.header("X-Emby-Authorization") {
      parts = Self.parse(header, schemes: ["mediabrowser", "emby"])
    }
    token = parts["Token"].flatMap { $0.isEmpty ? nil : $0 }
    if legacy {
      token = token ?? request.header("X-Emby-Token") ?? request.header("X-MediaBrowser-Token")
    }
    // Names of the query are compared without regard to case, but ApiKey and api_key are two.
    token = token ?? request.parameter("ApiKey")
    if legacy { token = token ?? request.parameter("api_key") }
    if version.isEmby { addEmbyForms(request) }
  }

  /// Emby's clients may say the token and what they are in headers or in the query.
  private mutating func addEmbyForms(_ request: ServerRequest) {
    token = token ?? request.parameter("X-Emby-Token")
    for (name, part) in [
      ("X-Emby-Client", "Client"), ("X-Emby-Device-Name", "Device"),
      ("X-Emby-Device-Id", "DeviceId"), ("X-Emby-Client-Version", "Version"),
    ] where parts[part] == nil {
      parts[part] = request.header(name) ?? request.parameter(name)
    }
  }

  /// The client, if it says all that a sign-in needs.
  var identity: ClientIdentity? {
    guard let client = parts["Client"], let device = parts["Device"],
      let deviceID = parts["DeviceId"], let version = parts["Version"], !client.isEmpty,
      !device.isEmpty, !deviceID.isEmpty, !version.isEmpty
    else { return nil }
    return ClientIdentity(client: client, device: device, deviceID: deviceID, version: version)
  }

  /// Reads `MediaBrowser Key="Value", …`: quotes are optional, names keep their case.
  static func parse(_ header: String, schemes: [String]) -> [String: String] {
    guard let space = header.firstIndex(of: " "),
      schemes.contains(header[..<space].lowercased())
    else { return [:] }
    var parts: [String: String] = [:]
    for item in items(of: header[header.index(after: space)...]) {
      guard let equals = item.firstIndex(of: "=") else { continue }
      let name = String(item[..<equals].drop { $0 == " " })
      var value = item[item.index(after: equals)...]
      if value.count >= 2, value.first == "\"", value.last == "\"" {
        value = value.dropFirst().dropLast()
      }
      parts[name] = percentDecoded(value, plusIsSpace: true)
    }
    return parts
  }

  /// Splits at the commas outside of quotes.
  private static func items(of text: Substring) -> [Substring] {
    var items: [Substring] = []
    var start = text.startIndex
    var isQuoted = false
    for index in text.indices {
      if text[index] == "\"" { isQuoted.toggle() }
      if text[index] == ",", !isQuoted {
        items.append(text[start..<index])
        start = text.index(after: index)
      }
    }
    return items + [text[start...]]
  }
}
