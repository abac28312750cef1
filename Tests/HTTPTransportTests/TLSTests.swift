// SPDX-License-Identifier: Apache-2.0
import ChildProcess
import HTTPTransport
import TestSupport
import Testing

@Suite("HTTP over TLS")
struct TLSTests {
  /// A server of the openssl program with a certificate of its own for localhost.
  private struct Server {
    let folder: TemporaryFolder
    let process: ChildProcess
    let port: Int

    init() async throws {
      folder = try TemporaryFolder()
      let (key, certificate) = (folder.file("key.pem"), folder.file("certificate.pem"))
      let made = try await ChildProcess.run(
        "openssl",
        ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "3", "-subj", "/CN=localhost"]
          + ["-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate])
      try #require(made.status == 0, "\(made.errors)")
      // The port is told on standard output, of which only the error lines can be followed.
      process = try ChildProcess(
        program: "sh",
        arguments: [
          "-c", "exec openssl s_server -accept 127.0.0.1:0 -key \"$0\" -cert \"$1\" -www 1>&2",
          key, certificate,
        ])
      var port: Int?
      for await line in process.errorLines where line.hasPrefix("ACCEPT") {
        port = line.split(separator: ":").last.flatMap { Int($0) }
        break
      }
      self.port = try #require(port)
    }

    var certificate: String { folder.file("certificate.pem") }
  }

  private func kind(
    _ url: String, trusting file: String?
  ) -> (kind: HTTPFault.Kind?, text: String) {
    let client = HTTPClient(configuration: HTTPConfiguration(certificateAuthorityFile: file))
    do throws(HTTPFault) {
      let reply = try client.send(HTTPRequest(.get, url, limits: roomy))
      return (nil, "\(reply.status)")
    } catch {
      return (error.kind, error.description)
    }
  }

  @Test("trusts only what is signed by a trusted authority, for the right name")
  func trust() async throws {
    let server = try await Server()
    let named = "https://localhost:\(server.port)/?token=hidden-token"
    let numbered = "https://127.0.0.1:\(server.port)/?token=hidden-token"
    let trusted = kind(named, trusting: server.certificate)
    #expect(trusted.kind == nil)
    #expect(trusted.text == "200")
    for (url, file) in [
      (named, nil), (numbered, server.certificate), (named, server.folder.file("key.pem")),
      (named, server.folder.file("missing.pem")),
    ] {
      let refused = kind(url, trusting: file)
      #expect(refused.kind == .tls, "\(refused.text)")
      #expect(!refused.text.contains("hidden"))
    }
    await server.process.stop()
  }
}
