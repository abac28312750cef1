// SPDX-License-Identifier: Apache-2.0

import DecisionFuzzing
import Glibc
import Testing

/// Random sessions without pictures; a longer run is `make accuracy`.
///
/// `BURNSCOPE_FUZZ_SESSIONS` and `BURNSCOPE_FUZZ_SEED` choose another number and seed.
@Suite struct DecisionFuzzTests {
  private let sessions = Int(variable("BURNSCOPE_FUZZ_SESSIONS", or: 3000))
  private let seed = variable("BURNSCOPE_FUZZ_SEED", or: 20_260_101)

  @Test func `no random session gives a false verdict`() {
    let tally = FuzzRun(sessions: sessions, seed: seed).tally()
    #expect(tally.falseCount == 0, "\(tally.falseClaims.joined(separator: "\n"))")
    let right = tally.rows[.one]?.rightClaims ?? [:]
    #expect(right["NOT_BURNED"] == nil && right["WRONG_TRACK"] == nil, "\(right)")
    // A decision that never claims anything would pass the above.
    let verified = right["VERIFIED", default: 0]
    #expect(10 * verified > right.values.reduce(0, +), "\(right)")
  }

  @Test func `no random session with few windows gives a false verdict`() {
    let tally = FuzzRun(sessions: max(1, sessions / 2), seed: seed, fetchesWindows: true).tally()
    #expect(tally.falseCount == 0, "\(tally.falseClaims.joined(separator: "\n"))")
    let right = tally.rows[.one]?.rightClaims ?? [:]
    #expect(right["NOT_BURNED"] == nil && right["WRONG_TRACK"] == nil, "\(right)")
  }

  @Test func `the same seed gives the same table`() {
    let run = FuzzRun(sessions: 40, seed: 5)
    #expect(run.tally().markdown == run.tally().markdown)
  }
}

private func variable(_ name: String, or standard: UInt64) -> UInt64 {
  guard let value = getenv(name) else { return standard }
  return UInt64(String(cString: value)) ?? standard
}
