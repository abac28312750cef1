// SPDX-License-Identifier: Apache-2.0

/// Why a track could not be authored.
public struct AuthoringFault: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is at fault, for exit codes.
  public enum Kind: Sendable, Hashable {
    /// What was asked for makes no sense together, such as VobSub in a .sup file.
    case request
    /// A script, text or picture is damaged, or asks for what its format cannot hold.
    case input
    /// A file that is needed does not exist or cannot be read.
    case missingInput
    /// The output exists already or cannot be written.
    case output
    /// A library failed to do its work.
    case library
  }

  /// What is at fault.
  public var kind: Kind
  /// One sentence that names file, place and values.
  public var description: String

  /// Makes a fault.
  public init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}
