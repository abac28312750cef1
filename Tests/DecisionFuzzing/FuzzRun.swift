// SPDX-License-Identifier: Apache-2.0

package import BurnInVerification

/// How often each verdict and judgement came up, by what was drawn.
package struct FuzzTally: Sendable {
  /// One row of the table.
  package struct Row: Sendable {
    package var claims = 0
    package var judgements: [Judgement: Int] = [:]
    package var verdicts: [String: Int] = [:]
    /// Verdicts on claims of the one track really drawn.
    package var rightClaims: [String: Int] = [:]

    package var falseCount: Int { judgements.filter { $0.key.isFalse }.values.reduce(0, +) }
    package var apartCount: Int { judgements.filter { $0.key.isApart }.values.reduce(0, +) }
  }

  package var sessions = 0
  package var rows: [Truth: Row] = [:]
  /// A line for each of the first false claims, enough to run it again.
  package var falseClaims: [String] = []

  package init() {}

  package var claims: Int { rows.values.map(\.claims).reduce(0, +) }
  package var falseCount: Int { rows.values.map(\.falseCount).reduce(0, +) }
}

/// Random sessions against the decision, every track of every film claimed.
package struct FuzzRun: Sendable {
  package var sessions: Int
  package var seed: UInt64
  /// Whether only some windows of frames are fetched.
  package var fetchesWindows: Bool

  package init(sessions: Int, seed: UInt64, fetchesWindows: Bool = false) {
    self.sessions = sessions
    self.seed = seed
    self.fetchesWindows = fetchesWindows
  }

  /// Runs all sessions; the same seed gives the same tally.
  package func tally() -> FuzzTally {
    var tally = FuzzTally()
    var seeds = Chance(seed: seed)
    for number in 0..<sessions { run(session: number, seed: seeds.bits(), into: &tally) }
    return tally
  }

  private func run(session: Int, seed: UInt64, into tally: inout FuzzTally) {
    var chance = Chance(seed: seed)
    let film = FuzzFilm(chance: &chance)
    let truth = chance.choice(Truth.allCases)
    let plan = fetchesWindows ? fetchPlan(&chance) : nil
    let picture = FuzzPicture(film: film, truth: truth, fetch: plan, chance: &chance)
    let judge = FuzzJudge(film: film, picture: picture)
    tally.sessions += 1
    for claimed in film.names {
      picture.forget()
      let request = SessionRequest(
        firstFrame: film.firstFrame, endFrame: film.endFrame, seed: chance.bits(),
        isPreferred: picture.isFetched)
      let decision = decide(
        claimed: claimed, tracks: film.tracks, request: request, looks: picture.looks)
      let judgement = judge.judge(decision, claimed: claimed)
      tally.rows[truth, default: .init()].claims += 1
      tally.rows[truth, default: .init()].verdicts[decision.verdict.title, default: 0] += 1
      tally.rows[truth, default: .init()].judgements[judgement, default: 0] += 1
      if truth == .one && picture.drawnTracks.contains(claimed) {
        tally.rows[truth, default: .init()].rightClaims[decision.verdict.title, default: 0] += 1
      }
      if judgement.isFalse && tally.falseClaims.count < 20 {
        tally.falseClaims.append(
          "session \(session) of seed \(self.seed): \(truth.title), tracks"
            + " \(picture.drawnTracks) drawn, \(claimed) claimed"
            + " (\(film.names.map { film.relations[$0]?.rawValue ?? "" }.joined(separator: ", ")))"
            + ": \(judgement.rawValue), \(decision)")
      }
    }
  }

  private func fetchPlan(_ chance: inout Chance) -> FuzzPicture.FetchPlan {
    let maximum = chance.choice([8, 16])
    return FuzzPicture.FetchPlan(
      windowLength: chance.choice([72, 144, 240]), maximumWindows: maximum,
      fetchedAtStart: chance.choice([0, 1, 3, maximum]))
  }
}

extension SessionDecision.Verdict {
  /// The names of all verdicts, in order of the tables.
  static let titles = [
    "VERIFIED", "ONE_OF_EQUALS", "BURNED_BUT", "WRONG_TRACK", "NOT_BURNED", "INCONCLUSIVE",
  ]

  /// The verdict's name in tables.
  package var title: String {
    switch self {
    case .verified: "VERIFIED"
    case .burnedBut: "BURNED_BUT"
    case .notBurned: "NOT_BURNED"
    case .wrongTrack: "WRONG_TRACK"
    case .inconclusive: "INCONCLUSIVE"
    case .oneOfEquals: "ONE_OF_EQUALS"
    }
  }
}
