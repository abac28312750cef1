// SPDX-License-Identifier: Apache-2.0
internal import CommandArguments
internal import Glibc
internal import MediaServer

/// How to sign in to a media server: never on the command line, where others could read it.
enum ServerCredentials {
  /// The credentials of the environment's variables.
  ///
  /// - Returns: A token, or a user and password.
  /// - Throws: `MediaServerFault` of kind `.unauthorized` where none are set.
  static func fromEnvironment() throws -> Credentials {
    if let token = variable("BURNSCOPE_TOKEN") { return .token(token) }
    if let user = variable("BURNSCOPE_USER") {
      return .password(user: user, password: variable("BURNSCOPE_PASSWORD") ?? "")
    }
    throw MediaServerFault(
      .unauthorized(status: 401),
      "Nobody to sign in as: set BURNSCOPE_TOKEN, or BURNSCOPE_USER and BURNSCOPE_PASSWORD.")
  }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }
}
