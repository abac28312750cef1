// SPDX-License-Identifier: Apache-2.0

import DecisionFuzzing
import Glibc

/// Runs the decision against random sessions without pictures and prints the tables as Markdown.
///
/// The number of sessions and the seed are the two arguments, or `BURNSCOPE_FUZZ_SESSIONS` and
/// `BURNSCOPE_FUZZ_SEED`. A tenth as many sessions are run with few windows of frames fetched.
enum AccuracyReport {
  private static let usage = "usage: burnscope-accuracy [SESSIONS [SEED]]"

  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count <= 2,
      let sessions = number(arguments.first, or: "BURNSCOPE_FUZZ_SESSIONS", default: 150_000),
      let seed = number(arguments.dropFirst().first, or: "BURNSCOPE_FUZZ_SEED", default: 1),
      sessions <= 1_000_000_000
    else {
      complain(usage)
      exit(64)
    }
    let count = Int(sessions)
    let isSound = [
      report("All frames at hand", FuzzRun(sessions: count, seed: seed)),
      report(
        "Few windows fetched",
        FuzzRun(sessions: max(1, count / 10), seed: seed, fetchesWindows: true)),
    ].allSatisfy { $0 }
    exit(isSound ? 0 : 1)
  }

  /// Prints one table; false if a claim of it is false.
  private static func report(_ title: String, _ run: FuzzRun) -> Bool {
    let tally = run.tally()
    print("### \(title): \(tally.sessions) sessions, seed \(run.seed)\n")
    print(tally.markdown, "\n")
    for line in tally.falseClaims { complain("false: \(line)") }
    return tally.falseCount == 0
  }

  /// Writes a line to standard error.
  private static func complain(_ line: String) {
    let text = line + "\n"
    _ = text.withCString { write(STDERR_FILENO, $0, text.utf8.count) }
  }

  private static func number(
    _ argument: String?, or variable: String, default standard: UInt64
  ) -> UInt64? {
    if let argument { return UInt64(argument) }
    guard let value = getenv(variable) else { return standard }
    return UInt64(String(cString: value))
  }
}
