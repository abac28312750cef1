// SPDX-License-Identifier: Apache-2.0
internal import Burnscope
internal import CommandArguments
internal import HTTPTransport
internal import MediaContainer

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
      case let error as HTTPFault: self.status(of: error)
      default: failure
      }
    return (status, error is CancellationError ? "" : "\(error)")
  }

  private static func status(of kind: MediaError.Kind) -> Int32 {
    switch kind {
    case .notFound, .isDirectory, .missingCompanion: noInput
    case .unreadable, .empty, .notMedia, .damaged, .noVideo, .notBitmap, .unsupported, .tooLarge:
      damagedInput
    case .noSuchStream, .invalidRequest: ExitCode.validationFailure.rawValue
    case .unwritable, .libraryMismatch: failure
    }
  }

  private static func status(of fault: HTTPFault) -> Int32 { unavailable }
}
