// SPDX-License-Identifier: Apache-2.0
internal import Burnscope
internal import CommandArguments
internal import HLSPlayback
internal import HTTPTransport
internal import MediaContainer
internal import MediaServer

/// The statuses that the program ends with, and which error ends with which.
enum ExitStatus {
  /// The run failed.
  static let failure: Int32 = 1
  /// Damaged input (`EX_DATAERR`).
  static let damagedInput: Int32 = 65
  /// No such input (`EX_NOINPUT`).
  static let noInput: Int32 = 66
  /// The server cannot be reached (`EX_UNAVAILABLE`).
  static let unavailable: Int32 = 69
  /// Not authorized (`EX_NOPERM`).
  static let notAuthorized: Int32 = 77

  /// The status and the sentence of an error.
  static func describe(_ error: any Error) -> (status: Int32, message: String) {
    let status: Int32 =
      switch error {
      case is CancellationError: Interruption.status
      case let error as MediaError: self.status(of: error.kind)
      case let error as HTTPFault: self.status(of: error.kind)
      case let error as HLSFault: self.status(of: error.kind)
      case let error as MediaServerFault: self.status(of: error.kind)
      case let error as VerificationFault: self.status(of: error.kind)
      default: failure
      }
    return (status, error is CancellationError ? "" : "\(error)".onOneLine)
  }

  private static func status(of kind: MediaError.Kind) -> Int32 {
    switch kind {
    case .notFound, .isDirectory, .missingCompanion, .unreadable: noInput
    case .empty, .notMedia, .damaged, .noVideo, .notBitmap, .unsupported, .tooLarge:
      damagedInput
    case .noSuchStream, .invalidRequest: ExitCode.validationFailure.rawValue
    case .unwritable, .libraryMismatch: failure
    }
  }

  private static func status(of kind: HTTPFault.Kind) -> Int32 {
    switch kind {
    case .cancelled: Interruption.status
    case .invalidRequest: ExitCode.validationFailure.rawValue
    case .tooLarge, .malformed, .truncated, .rangeIgnored: damagedInput
    case .unreachable, .timeout, .tls, .redirect: unavailable
    }
  }

  private static func status(of kind: HLSFault.Kind) -> Int32 {
    switch kind {
    case .status(401), .status(403): notAuthorized
    case .status: unavailable
    case .transport(let kind): status(of: kind)
    case .malformed, .incomplete, .encrypted, .tooLarge, .forbiddenAddress, .ranges, .timeline:
      damagedInput
    case .invalidRequest: ExitCode.validationFailure.rawValue
    }
  }

  private static func status(of kind: MediaServerFault.Kind) -> Int32 {
    switch kind {
    case .unreachable, .serverError: unavailable
    case .unauthorized: notAuthorized
    case .notFound: noInput
    case .transport(let kind): status(of: kind)
    case .undecodable: damagedInput
    case .notTranscoded, .unsupportedServer: failure
    case .invalidRequest: ExitCode.validationFailure.rawValue
    }
  }

  private static func status(of kind: VerificationFault.Kind) -> Int32 {
    switch kind {
    case .invalidRequest: ExitCode.validationFailure.rawValue
    case .noTrack: damagedInput
    }
  }
}
