// SPDX-License-Identifier: Apache-2.0

/// Everything that can be set on a stand-in server.
public struct ReferenceServerConfiguration: Sendable {
  /// A user who may sign in.
  public struct User: Sendable, Hashable {
    /// The name.
    public var name: String
    /// The password.
    public var password: String

    /// Makes a user.
    public init(name: String, password: String) {
      self.name = name
      self.password = password
    }
  }

  /// The films, by path.
  public var files: [String]
  /// The numeric address to listen on.
  public var host = "127.0.0.1"
  /// The port; 0 takes a free one.
  public var port: UInt16 = 0
  /// The version to behave like.
  public var version = ServerVersion.standard
  /// Who may sign in.
  public var users = [User(name: "burnscope", password: "burnscope")]
  /// A token that is accepted without a sign-in, as an API key; nil for none.
  public var token: String?
  /// The most rows of a transcode; nil for no limit.
  public var maximumHeight: Int?
  /// The encoder's preset.
  public var preset = "veryfast"
  /// The path of a file that gets one line a request; nil for none.
  public var logFile: String?
  /// The path of a folder that gets one file an exchange, secrets replaced; nil for none.
  public var recordFolder: String?
  /// The path of a folder whose recorded answers are given instead of those of films; nil for none.
  public var replayFolder: String?
  /// What goes wrong on purpose.
  public var faults: [Fault] = []

  /// Makes a configuration with the standard settings.
  public init(files: [String]) { self.files = files }
}
