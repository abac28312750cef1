// SPDX-License-Identifier: Apache-2.0
internal import Burnscope
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
    (failure, "\(error)")
  }
}

/// Refuses to run on libraries of other major versions than the headers the program was built with.
func checkLibraries() throws {}
