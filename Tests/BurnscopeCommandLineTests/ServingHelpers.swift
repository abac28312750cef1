// SPDX-License-Identifier: Apache-2.0
import ChildProcess
import HTTPTransport
import TestSupport
import Testing

/// Serves films with options, lets `body` ask, and stops the server whatever happens.
func serving<Result>(
  _ films: [String], _ options: [String] = [], environment: [String] = [],
  _ body: (ServedFilm) async throws -> Result
) async throws -> Result {
  let server = try ServedFilm(
    films, ["--preset", "ultrafast"] + options, environment: environment)
  do {
    let result = try await body(server)
    await server.stop()
    return result
  } catch {
    await server.stop()
    throw error
  }
}

/// A server in front of a served film that may answer in its place.
struct FrontServer: Sendable {
  let server: LoopbackServer
  var url: String { server.url }

  /// Every request's method and path, in order.
  var asked: [String] { server.requests.map { "\($0.method) \($0.path)" } }

  /// Starts to pass requests on.
  ///
  /// - Parameters:
  ///   - upstream: The address of the served film.
  ///   - instead: What is answered instead; nil passes the request on.
  /// - Throws: What the system says if no port can be had.
  init(
    _ upstream: String,
    instead: @escaping @Sendable (LoopbackServer.Request) -> LoopbackServer.Answer?
  ) throws {
    let client = HTTPClient()
    server = try LoopbackServer { request in
      if let answer = instead(request) { return answer }
      let passed = ["authorization", "content-type", "accept", "user-agent", "range"]
      let message = HTTPRequest(
        HTTPMethod(rawValue: request.method) ?? .get, upstream + request.target,
        headers: request.headers.filter { passed.contains($0.name.lowercased()) }
          .map { ($0.name, $0.value) },
        body: request.body.isEmpty ? nil : request.body, limits: .segment)
      guard let reply = try? client.send(message, cancellation: { false }) else {
        return LoopbackServer.Answer(502)
      }
      let type = reply.header("Content-Type").map { [(name: "Content-Type", value: $0)] } ?? []
      return LoopbackServer.Answer(reply.status, headers: type, body: reply.body)
    }
  }

  /// Whether the transcode was stopped, behind the last request for a segment.
  var isStopped: Bool {
    guard let stop = asked.lastIndex(of: "DELETE /Videos/ActiveEncodings") else { return false }
    return !asked[stop...].contains { $0.contains("/hls1/") }
  }
}

/// One run of the program that should fail, in an environment with secrets.
struct FailingRun {
  static let secret = "secret-5d41402abc4b"

  var status: Int32
  var output: String
  var errors: String

  init(
    _ arguments: [String], environment: [String] = ["BURNSCOPE_TOKEN=\(secret)"]
  ) async throws {
    let clean = ["-u", "BURNSCOPE_TOKEN", "-u", "BURNSCOPE_USER", "-u", "BURNSCOPE_PASSWORD"]
    let result = try await ChildProcess.run(
      "env", clean + environment + [BuiltProgram.path] + arguments)
    status = result.status
    output = result.text
    errors = result.errors
  }

  /// Expects a status, one sentence on standard error that says something, and no secret anywhere.
  func expect(
    _ status: Int32, saying words: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(self.status == status, "\(errors)", sourceLocation: sourceLocation)
    #expect(errors.hasPrefix("Error: "), "\(errors)", sourceLocation: sourceLocation)
    #expect(!errors.contains("\n"), "\(errors)", sourceLocation: sourceLocation)
    #expect(output.isEmpty, "\(output)", sourceLocation: sourceLocation)
    for word in words {
      #expect(errors.contains(word), "\(errors)", sourceLocation: sourceLocation)
    }
    for leak in ["secret", "?", "ApiKey", "PlaySessionId"] {
      #expect(!(output + errors).contains(leak), "\(errors)", sourceLocation: sourceLocation)
    }
  }
}
