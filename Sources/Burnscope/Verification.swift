// SPDX-License-Identifier: Apache-2.0
public import BurnInVerification
public import Compositing
internal import HLSPlayback
internal import HTTPTransport
internal import MediaContainer
public import MediaServer
public import SubtitleModel

/// What is verified: a stream with its source, or an item of a server.
public enum VerificationTarget: Sendable {
  /// A playlist, and the file that it was made of.
  case stream(playlistURL: String, source: String, track: TrackSelector)
  /// A server's item and the stream index that a client sends; the file, where it is at hand.
  case server(VerificationServer, item: String, streamIndex: Int, source: String?)
}

/// A media server and how to sign in.
public struct VerificationServer: Sendable {
  /// Its address, `http://host:8096` or with a path.
  public var baseURL: String
  /// A token, or a user and password.
  public var credentials: Credentials
  /// What this client calls its device; nil for a new random name.
  public var deviceID: String?
  /// Rows of the transcode at most; nil for the source's.
  public var maximumHeight: Int?
  /// Bits a second at most.
  public var maximumBitrate: Int
  /// The container of the segments.
  public var container: SegmentContainer

  /// Makes a server of its address and credentials.
  public init(baseURL: String, credentials: Credentials) {
    self.baseURL = baseURL
    self.credentials = credentials
    maximumBitrate = BurnInRequest.generousBitrate
    container = .ts
  }
}

/// How a verification looks.
public struct VerificationOptions: Sendable {
  /// The earliest and the latest time looked at; nil for the film's ends.
  public var from: Timestamp?
  /// The latest time looked at.
  public var to: Timestamp?
  /// The layout that must be met; nil: by the server's version, else any known one.
  public var layout: Layout?
  /// Whether the source's own frames are left aside.
  public var isBlind = false
  /// What chooses between cues of equal worth.
  public var seed: UInt64 = 0
  /// A PEM file of certificates to trust instead of the system's.
  public var certificateAuthorityFile: String?
  /// Which decoder makes the cues that are looked for; a server that burns in has libavcodec's.
  public var decoder = DecoderChoice.libavcodec
  /// Whether pictures of the cues looked at are wanted.
  public var wantsEvidence = false

  /// Makes the default options.
  public init() {}
}

/// One bitmap track of the film that was verified.
public struct VerifiedTrack: Sendable, Hashable {
  /// The name that results use: `0:s:1`.
  public var name: String
  /// What the container says of it.
  public var description: TrackDescription
  /// The server's stream index; nil without a server.
  public var serverIndex: Int?
  /// Cues in the whole film.
  public var cueCount: Int

  /// The track in a few words: `stream 3, eng, "English"`.
  public var label: String {
    let words = ["stream \(description.streamIndex)", description.codec.rawValue]
    let language = description.language.map { [$0] } ?? []
    let title = description.title.map { ["\"\($0)\""] } ?? []
    let flags = description.flags.names.filter { $0 != "default" }
    return (words + language + title + flags).joined(separator: ", ")
  }
}

/// What a verification found, with its pictures.
public struct VerificationReport: Sendable {
  /// The verdict and all it rests on.
  public var result: VerificationResult
  /// The film's bitmap tracks.
  public var tracks: [VerifiedTrack]
  /// Pictures of the cues looked at, if they were wanted.
  public var evidence: [EvidencePicture]
  /// The stream, without its query.
  public var stream: String
}

/// Why a verification could not be made.
public struct VerificationFault: Error, Sendable, Hashable, CustomStringConvertible {
  /// What kind of fault it is.
  public enum Kind: Sendable, Hashable {
    /// The caller's values make no sense.
    case invalidRequest
    /// The film has no track to verify.
    case noTrack
  }
  /// What kind of fault it is.
  public var kind: Kind
  /// One sentence.
  public var description: String

  /// Makes a fault.
  public init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}

/// Verifies that a track is burned into a stream.
///
/// The transcode of a server is always stopped afterwards, also after an error and when cancelled.
///
/// - Parameters:
///   - target: What is verified.
///   - options: How it is looked at.
///   - progress: Told what is being done, on the thread that does it.
/// - Returns: The verdict with its evidence.
/// - Throws: `MediaError`, `MediaServerFault`, `HLSFault`, ``VerificationFault``,
///   `CancellationError`. A verdict other than "burned in" is no error.
public func verifyBurnIn(
  _ target: VerificationTarget, options: VerificationOptions = VerificationOptions(),
  progress: @escaping @Sendable (String) -> Void = { _ in }
) async throws -> VerificationReport {
  let cancellation = CancellationFlag()
  return try await withTaskCancellationHandler {
    try await onOwnThread {
      do {
        let run = VerificationRun(
          target: target, options: options, cancellation: cancellation, progress: progress)
        return try run.perform()
      } catch {
        // A cut connection is how a cancelled transfer ends.
        if cancellation.isCancelled { throw CancellationError() }
        throw error
      }
    }
  } onCancel: {
    cancellation.cancel()
  }
}
