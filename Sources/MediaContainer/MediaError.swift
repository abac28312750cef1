// SPDX-License-Identifier: Apache-2.0

/// Why a media file could not be opened, read, decoded or written.
///
/// Cancellation is not among the kinds: it surfaces as `CancellationError`.
public struct MediaError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What kind of fault it is, for exit codes and for callers that can recover.
  public enum Kind: String, Sendable, Hashable {
    /// There is no such file.
    case notFound
    /// The path names a directory.
    case isDirectory
    /// The file exists and cannot be read, or the source failed while reading.
    case unreadable
    /// The file has no bytes.
    case empty
    /// The bytes are no container that Burnscope reads.
    case notMedia
    /// The container is recognised, but its structure is broken or cut off.
    case damaged
    /// The `.sub` file that belongs to an `.idx` file is missing.
    case missingCompanion
    /// The file has no video stream.
    case noVideo
    /// The file has no stream of that index.
    case noSuchStream
    /// The stream is no bitmap subtitle track.
    case notBitmap
    /// The libraries have no decoder or encoder for the stream.
    case unsupported
    /// A limit on sizes or counts is passed.
    case tooLarge
    /// The output cannot be written.
    case unwritable
    /// The caller's values cannot be encoded or written to that format.
    case invalidRequest
    /// The loaded FFmpeg libraries are others than those of the build.
    case libraryMismatch
  }

  /// The kind of the fault.
  public var kind: Kind
  /// One sentence: what, where, which values.
  public var description: String

  /// Makes an error of its kind and its sentence.
  public init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}
