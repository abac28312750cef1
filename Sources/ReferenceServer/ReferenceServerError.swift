// SPDX-License-Identifier: Apache-2.0

/// A server that could not be started.
public struct ReferenceServerError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is at fault.
  public enum Kind: Sendable, Hashable {
    /// A file that is not there or cannot be read.
    case missingFile
    /// A file that is no film.
    case noFilm
    /// A recording that holds what is no exchange.
    case recording
    /// A setting that makes no sense.
    case setting
    /// The machine: a port that is taken, a folder that cannot be written.
    case environment
  }

  /// What is at fault.
  public let kind: Kind
  /// One sentence.
  public let description: String

  init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}
