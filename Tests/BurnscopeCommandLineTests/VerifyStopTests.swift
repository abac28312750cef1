// SPDX-License-Identifier: Apache-2.0
import ChildProcess
import Glibc
import TestSupport
import Testing

/// The transcode of a server is stopped, whatever becomes of the verification.
@Suite(.serialized) struct VerifyStopTests {
  private func arguments(_ address: String, _ server: ServedFilm, _ film: String) -> [String] {
    VerifyRun.signIn + [
      BuiltProgram.path, "verify", "--server", address, "--item", server.items[0], "--track", "2",
      "--source", film,
    ]
  }

  @Test func `after a verdict`() async throws {
    let fixture = try await VerifyFixture.shared()
    try await serving([fixture.wide]) { server in
      let front = try FrontServer(server.address) { _ in nil }
      defer { front.server.stop() }
      let run = try await VerifyRun([
        "--server", front.url, "--item", server.items[0], "--track", "2", "--source", fixture.wide,
      ])
      #expect(run.output.verdict == "burned-in", "\(run.output.reason)")
      #expect(front.isStopped, "\(front.asked)")
      #expect(front.asked.last == "POST /Sessions/Logout")
    }
  }

  @Test func `after an error`() async throws {
    let fixture = try await VerifyFixture.shared()
    try await serving([fixture.wide]) { server in
      let front = try FrontServer(server.address) { request in
        request.path.contains("/hls1/") ? LoopbackServer.Answer(500) : nil
      }
      defer { front.server.stop() }
      let result = try await ChildProcess.run("env", arguments(front.url, server, fixture.wide))
      #expect(result.status == 69, "\(result.errors)")
      #expect(front.isStopped, "\(front.asked)")
    }
  }

  @Test(.timeLimit(.minutes(2)), arguments: [SIGINT, SIGTERM])
  func `after an interruption`(signal: Int32) async throws {
    let fixture = try await VerifyFixture.shared()
    try await serving([fixture.wide]) { server in
      let (segments, continuation) = AsyncStream.makeStream(of: Void.self)
      // The first segment never comes.
      let front = try FrontServer(server.address) { request in
        guard request.path.contains("/hls1/") else { return nil }
        continuation.yield()
        return LoopbackServer.Answer(delivery: .hang)
      }
      defer { front.server.stop() }
      let child = try ChildProcess(
        program: "env", arguments: arguments(front.url, server, fixture.wide))
      for await _ in segments { break }
      child.signal(signal)
      #expect(await child.status() == 130)
      #expect(front.isStopped, "\(front.asked)")
    }
  }
}
