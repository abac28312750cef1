// SPDX-License-Identifier: Apache-2.0
public import BinaryReading

/// Why a Matroska file, or a part of it, could not be read.
public struct MatroskaFault: Error, Sendable, Hashable {
  /// The kind of fault.
  public enum Kind: Sendable, Hashable {
    /// The file does not begin as Matroska or WebM does.
    case notMatroska
    /// A structure is damaged; offsets count from the start of the file.
    case damaged(ReadFault)
    /// The source could not be read; the text is the source's own.
    case unreadable(String)
    /// A track is coded in a way that needs a full decoder, such as encryption.
    case needsDecoder(String)
  }

  /// What is wrong.
  public var kind: Kind
  /// The file's name.
  public var name: String

  /// Makes a fault.
  public init(_ kind: Kind, name: String) {
    self.kind = kind
    self.name = name
  }
}

extension MatroskaFault: CustomStringConvertible {
  /// One sentence without a full stop.
  public var description: String {
    switch kind {
    case .notMatroska: "\(name): not a Matroska file (it does not begin with an EBML header)"
    case .damaged(let fault): "\(name): \(fault)"
    case .unreadable(let reason): "\(name): cannot be read: \(reason)"
    case .needsDecoder(let reason): "\(name): \(reason); decode the track instead"
    }
  }
}
