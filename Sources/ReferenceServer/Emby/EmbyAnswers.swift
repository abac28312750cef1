// SPDX-License-Identifier: Apache-2.0

extension Service {
  /// An answer with the headers and the errors of Emby.
  func embyAnswer(_ response: ServerResponse) -> ServerResponse {
    var response = response
    if response.status >= 400, response.body == .bytes([]) || response.isFixedErrorText {
      let allow = response.headers.filter { $0.name == "Allow" }
      response = Self.embyError(response.status)
      response.headers += allow
    }
    response.headers += [
      ("Server", "UPnP/1.0 DLNADOC/1.50"), ("Cross-Origin-Resource-Policy", "cross-origin"),
      ("Private-Network-Access-Name", "burnscope"), ("Private-Network-Access-Id", serverID),
      ("Access-Control-Allow-Origin", "*"),
      ("Access-Control-Allow-Methods", "GET, POST, PUT, DELETE, PATCH, OPTIONS"),
      (
        "Access-Control-Allow-Headers",
        "Accept, Authorization, Content-Type, Range, X-Emby-Token, X-Emby-Authorization"
      ),
    ]
    return response
  }

  /// An error as Emby tells it: the bare text of what was thrown.
  static func embyError(_ status: Int, _ text: String? = nil) -> ServerResponse {
    let words =
      switch status {
      case 400: "The request cannot be read."
      case 401: "Access token is invalid or expired."
      case 403: "Access is denied."
      case 404: "There is no such thing."
      case 405: "The method is not allowed."
      case 503: "The service is not available."
      default: "The request failed."
      }
    return ServerResponse(
      status: status, headers: [("Content-Type", "text/plain")],
      body: .bytes(Array((text ?? words).utf8)))
  }
}

extension ServerResponse {
  /// Whether it is Jellyfin's one text for everything that was thrown.
  fileprivate var isFixedErrorText: Bool { body == ServerResponse.plain(status).body }
}
