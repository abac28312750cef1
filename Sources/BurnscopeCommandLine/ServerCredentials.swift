// SPDX-License-Identifier: Apache-2.0
internal import CommandArguments
internal import Glibc
internal import MediaServer

/// How to sign in to a media server: never on the command line, where others could read it.
enum ServerCredentials {
  /// The credentials of the environment's variables.
  ///
  /// - Returns: A token, or a user and password.
  /// - Throws: `ValidationError` where none are set.
  static func fromEnvironment() throws -> Credentials {
    if let token = variable("BURNSCOPE_TOKEN") { return .token(token) }
    if let user = variable("BURNSCOPE_USER") {
      return .password(user: user, password: variable("BURNSCOPE_PASSWORD") ?? "")
    }
    throw ValidationError(
      "Set BURNSCOPE_TOKEN, or BURNSCOPE_USER and BURNSCOPE_PASSWORD, to sign in to the server.")
  }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }
}
