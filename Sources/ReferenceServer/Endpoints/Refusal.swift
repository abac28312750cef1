// SPDX-License-Identifier: Apache-2.0

/// An answer that ends a handler early.
struct Refusal: Error {
  var response: ServerResponse
  init(_ response: ServerResponse) { self.response = response }
}

/// The shapes of errors.
struct ErrorShapes: Sendable {
  let version: ServerVersion

  /// What a controller says when it finds nothing.
  var notFound: ServerResponse { problem(404, "Not Found") }

  /// An error as a JSON object.
  func problem(_ status: Int, _ title: String) -> ServerResponse {
    if version.isEmby { return Service.embyError(status) }
    return .json(
      .fields([
        "type": .string(type(of: status)), "title": .string(title), "status": .integer(status),
        "traceId": .string(trace()),
      ]), status: status)
  }

  /// What the binder says of a parameter that is missing or cannot be read.
  func validation(_ name: String, _ text: String) -> ServerResponse {
    if version.isEmby { return Service.embyError(400, "\(name): \(text)") }
    return .json(
      .fields([
        "type": .string(type(of: 400)), "title": "One or more validation errors occurred.",
        "status": 400,
        "errors": .object([.init(name: name, value: .array([.string(text)]))]),
        "traceId": .string(trace()),
      ]), status: 400)
  }

  /// A required parameter is missing.
  func missing(_ name: String) -> ServerResponse {
    validation(name, "The \(name) field is required.")
  }

  private func type(of status: Int) -> String {
    let isOld = !version.isJellyfin(from: 9)
    let clause =
      switch status {
      case 404: isOld ? "4" : "5"
      case 415: isOld ? "13" : "16"
      default: "1"
      }
    return version.problemType + clause
  }

  private func trace() -> String {
    "00-\(Identifier.random())-\(Identifier.random().prefix(16))-00"
  }
}
