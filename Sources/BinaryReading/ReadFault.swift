// SPDX-License-Identifier: Apache-2.0

/// Why bytes could not be read as the structure that they should hold.
public struct ReadFault: Error, Sendable, Hashable {
  /// The kind of fault, with the values that show it.
  public enum Kind: Sendable, Hashable {
    /// The structure needs more bytes than there are.
    case truncated(needed: Int, available: Int)
    /// A field has a value that the format does not allow; `reason` completes "field is value, …".
    case invalid(field: String, value: Int64, reason: String)
    /// A number passes a limit that this reader sets.
    case limitExceeded(limit: String, value: Int64, maximum: Int64)
  }

  /// What is wrong.
  public var kind: Kind
  /// Absolute offset of the first byte at fault, counted as the reader's `base` counts.
  public var offset: Int64
  /// The structure being read, such as `object definition segment`.
  public var structure: String

  /// Makes a fault.
  public init(_ kind: Kind, offset: Int64, structure: String) {
    self.kind = kind
    self.offset = offset
    self.structure = structure
  }
}

extension ReadFault: CustomStringConvertible {
  /// One sentence without a full stop: structure, absolute offset, values.
  public var description: String {
    let place = "\(structure) at byte \(offset)"
    switch kind {
    case .truncated(let needed, let available):
      return "\(place): needs \(needed) bytes, \(available) are left"
    case .invalid(let field, let value, let reason):
      return "\(place): \(field) is \(value), \(reason)"
    case .limitExceeded(let limit, let value, let maximum):
      return "\(place): \(limit) is \(value), more than the \(maximum) that are allowed"
    }
  }
}
