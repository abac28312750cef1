// SPDX-License-Identifier: Apache-2.0
import ChildProcess
import Testing

struct ChildProcessTests {
  @Test func `collects output, errors and status`() async throws {
    let result = try await ChildProcess.run(
      "sh", ["-c", "printf abc; echo first >&2; printf 'second' >&2; exit 7"])
    #expect(result.status == 7)
    #expect(result.text == "abc")
    #expect(result.errors == "first\nsecond")
  }

  @Test func `feeds standard input`() async throws {
    let input = [UInt8](repeating: 65, count: 300_000)
    let result = try await ChildProcess.run("cat", [], input: input)
    #expect(result.output == input)
  }

  @Test func `a child that reads nothing does not hang the writer`() async throws {
    let result = try await ChildProcess.run(
      "true", [], input: [UInt8](repeating: 65, count: 1 << 20))
    #expect(result.status == 0)
  }

  @Test func `keeps no more output than the limit`() async throws {
    let result = try await ChildProcess.run(
      "head", ["-c", "200000", "/dev/zero"], outputLimit: 1000)
    #expect(result.output.count == 1000)
    #expect(result.status == 0)
  }

  @Test func `a missing program is named with the remedy`() async throws {
    await #expect(throws: ChildProcessError.self) {
      try await ChildProcess.run("burnscope-no-such-program", [])
    }
    let error = ChildProcessError(program: "ffmpeg", code: 2)
    #expect(error.description.contains("'ffmpeg' was not found; install it"))
  }

  @Test func `much unread standard error does not block the child`() async throws {
    let child = try ChildProcess(
      program: "sh", arguments: ["-c", "head -c 3000000 /dev/zero | tr '\\0' x >&2; exit 3"])
    #expect(await child.status() == 3)
    #expect(!child.isRunning)
  }

  @Test(.timeLimit(.minutes(10)))
  func `stop ends a child that ignores SIGTERM, and its children`() async throws {
    let child = try ChildProcess(
      program: "sh",
      arguments: ["-c", "trap '' TERM; sleep 1000 & echo ready >&2; wait; wait"])
    for await line in child.errorLines where line == "ready" { break }
    await child.stop()
    #expect(await child.status() == 128 + 9)
  }

  @Test(.timeLimit(.minutes(10)))
  func `cancelling a run ends the program`() async throws {
    let task = Task { try await ChildProcess.run("sleep", ["1000"]) }
    task.cancel()
    let result = try await task.value
    #expect(result.status == 128 + 15)
  }
}
