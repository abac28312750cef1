// SPDX-License-Identifier: Apache-2.0

import BurnInVerification
import Testing

@Suite struct VerdictMappingTests {
  private static let expectedLayout = SessionFacts.Geometry.layout("jellyfin")

  private func facts(
    _ geometry: SessionFacts.Geometry = expectedLayout, mode: VerificationResult.Mode = .source
  ) -> SessionFacts {
    SessionFacts(
      mode: mode, geometry: geometry, frameWidth: 854, frameHeight: 480, secondsPerFrame: 0.04)
  }

  private func decision(
    _ verdict: SessionDecision.Verdict, _ flags: [SessionDecision.Flag] = [],
    passed: Int = 6, failed: Int = 0
  ) -> SessionDecision {
    var decision = SessionDecision(verdict: verdict)
    decision.flags = flags
    decision.usedCues = passed + failed + 2
    decision.passedCues = track(firstKey: 0, count: passed)
      .map { .init(cue: $0, frame: $0.startFrame + 17) }
    decision.failedCues = track(firstKey: 100, count: failed)
      .map { .init(cue: $0, frame: $0.startFrame + 17) }
    decision.span = passed > 0 ? 100...500 : nil
    return decision
  }

  // MARK: Verdicts

  struct Case: CustomTestStringConvertible {
    var verdict: SessionDecision.Verdict
    var flags: [SessionDecision.Flag] = []
    var geometry = expectedLayout
    var isDouble = false
    var expected: VerificationVerdict
    var published: [VerificationFlag] = []
    var exitCode: Int32
    var testDescription: String { "\(verdict) \(flags) \(geometry) \(isDouble)" }
  }

  static let elsewhere = SessionFacts.Geometry.unexplained(
    expected: "jellyfin", scale: 0.95, dx: 20, dy: -3)
  static let older = SessionFacts.Geometry.otherLayout(found: "jellyfin-10.8", expected: "jellyfin")

  static let cases: [Case] = [
    Case(verdict: .verified, expected: .burnedIn, exitCode: 0),
    Case(verdict: .notBurned, expected: .notBurned, exitCode: 1),
    Case(verdict: .wrongTrack("4"), expected: .wrongTrack, exitCode: 1),
    Case(verdict: .inconclusive, expected: .cannotDecide, exitCode: 2),
    Case(verdict: .oneOfEquals, expected: .oneOfEquals, exitCode: 2),
    Case(
      verdict: .burnedBut, flags: [.late], expected: .wrongTime, published: [.late], exitCode: 1),
    Case(
      verdict: .burnedBut, flags: [.early], expected: .wrongTime, published: [.early], exitCode: 1),
    Case(
      verdict: .burnedBut, flags: [.stuck], expected: .flawed, published: [.stuck], exitCode: 1),
    Case(
      verdict: .burnedBut, flags: [.partial], expected: .flawed, published: [.partial], exitCode: 1),
    Case(
      verdict: .burnedBut, flags: [.also("4")], expected: .flawed, published: [.alsoDrawn],
      exitCode: 1),
    Case(
      verdict: .verified, isDouble: true, expected: .flawed, published: [.double], exitCode: 1),
    Case(verdict: .verified, geometry: elsewhere, expected: .wrongGeometry, exitCode: 1),
    Case(verdict: .verified, geometry: older, expected: .wrongGeometry, exitCode: 1),
    Case(verdict: .oneOfEquals, geometry: older, expected: .wrongGeometry, exitCode: 1),
    // Of several problems the gravest names the verdict.
    Case(
      verdict: .burnedBut, flags: [.partial], geometry: elsewhere, expected: .wrongGeometry,
      published: [.partial], exitCode: 1),
    Case(
      verdict: .burnedBut, flags: [.late, .partial], geometry: elsewhere, expected: .wrongTime,
      published: [.late, .partial], exitCode: 1),
    Case(verdict: .wrongTrack("4"), geometry: elsewhere, expected: .wrongTrack, exitCode: 1),
    // What is not told apart stays undecided, whatever else is wrong.
    Case(
      verdict: .inconclusive, flags: [.late], geometry: elsewhere, expected: .cannotDecide,
      exitCode: 2),
  ]

  @Test(arguments: cases)
  func `each decision has its verdict and exit code`(example: Case) {
    var facts = facts(example.geometry)
    facts.isDouble = example.isDouble
    let result = VerdictMapping.result(
      asked: "3", decision: decision(example.verdict, example.flags), facts: facts)
    #expect(result.verdict == example.expected)
    #expect(result.flags == example.published)
    #expect(result.verdict.exitCode == example.exitCode)
    #expect(!result.reason.isEmpty && !result.reason.contains("\n"))
  }

  // MARK: What a search found

  @Test func `a search counts where no cue passed`() {
    var facts = facts(.unknown(expected: "jellyfin"))
    let unseen = decision(.notBurned, passed: 0, failed: 4)
    facts.diagnosis = .displacedInTime(-2)
    let early = VerdictMapping.result(asked: "3", decision: unseen, facts: facts)
    #expect(early.verdict == .wrongTime && early.flags == [.early])
    #expect(early.reason == "track 3 is on screen 2.00 s too early")
    facts.diagnosis = .displaced(scale: 0.9, dx: 12.25, dy: -0.04)
    let moved = VerdictMapping.result(asked: "3", decision: nil, facts: facts)
    #expect(moved.verdict == .wrongGeometry && moved.drawn == ["3"])
    #expect(
      moved.reason == "track 3 is on screen in the wrong place: scale 0.900,"
        + " 12.3 px to the right, 0.0 px down")
    facts.diagnosis = .anotherTrack("5")
    let other = VerdictMapping.result(asked: "3", decision: nil, facts: facts)
    #expect(other.verdict == .wrongTrack && other.drawn == ["5"])
  }

  @Test func `a search does not overrule cues that passed`() {
    var facts = facts()
    facts.diagnosis = .anotherTrack("5")
    let seen = VerdictMapping.result(asked: "3", decision: decision(.verified), facts: facts)
    #expect(seen.verdict == .burnedIn)
    let some = VerdictMapping.result(
      asked: "3", decision: decision(.inconclusive, passed: 2), facts: facts)
    #expect(some.verdict == .cannotDecide)
  }

  @Test func `a session without a decision says what hindered it`() {
    var facts = facts()
    facts.obstacle = "2 of 9 segments came"
    let result = VerdictMapping.result(asked: "3", decision: nil, facts: facts)
    #expect(result.verdict == .cannotDecide)
    #expect(result.reason == "cannot decide: 2 of 9 segments came")
    #expect(result.cues == VerificationResult.Cues())
  }

  // MARK: Place and colour

  @Test(arguments: [(1.9, 854, true), (3.5, 854, false), (7.0, 1920, true), (-8, 1920, false)])
  func `a burn off its place is wrong geometry`(offset: Double, width: Int, isInPlace: Bool) {
    // 0.4 % of 854 pixels is 3.416, of 1920 pixels 7.68.
    var facts = facts()
    facts.frameWidth = width
    facts.calibration = .init(dx: 0.2, dy: offset, scale: 1, kernel: "bilinear")
    let result = VerdictMapping.result(asked: "3", decision: decision(.verified), facts: facts)
    #expect(result.verdict == (isInPlace ? .burnedIn : .wrongGeometry))
  }

  static let colours: [(SessionFacts.Colour, Int, [VerificationFlag])] = [
    (.init(fillRatio: 0.99, slope: 0.98), 480, []),
    (.init(fillRatio: 1.11, slope: 0.76), 480, []),
    (.init(fillRatio: 0.62, slope: 0.98), 480, [.offColour]),
    (.init(fillRatio: 1.2, slope: 0.9), 480, [.offColour]),
    (.init(fillRatio: 0.95, slope: 0.7), 480, [.faint]),
    (.init(fillRatio: 0.95, slope: 0.7), 240, []),
    (.init(fillRatio: 0.62, slope: 0.5), 480, [.faint, .offColour]),
    (.init(fillRatio: 0.7, slope: 0.5, occlusion: 0.48), 480, [.faint]),
    (.init(fillRatio: 0.62, slope: 0.6, occlusion: 1.02), 480, [.offColour]),
    (.init(), 480, []),
  ]

  @Test(arguments: colours)
  func `weak and wrong colours are flaws`(
    colour: SessionFacts.Colour, height: Int, flags: [VerificationFlag]
  ) {
    var facts = facts()
    facts.frameHeight = height
    facts.colour = colour
    let result = VerdictMapping.result(asked: "3", decision: decision(.verified), facts: facts)
    #expect(result.flags == flags)
    #expect(result.verdict == (flags.isEmpty ? .burnedIn : .flawed))
  }

  // MARK: What is published

  @Test func `a real decision is published whole`() throws {
    let english = track(firstKey: 1000)
    let signs = [4, 20].map { number in
      DecisionCue(
        index: number, startFrame: 60 + 72 * number + 55, endFrame: 60 + 72 * number + 65,
        key: 4000 + number, textLength: 9)
    }
    let decision = decide(
      claimed: "3", tracks: ["3": english, "4": signs, "5": track(firstKey: 2000)],
      request: SessionRequest(seed: 1), looks: PaintedPicture(drawn: english).looks)
    let result = VerdictMapping.result(asked: "3", decision: decision, facts: facts(mode: .blind))
    #expect(result.verdict == .burnedIn)
    #expect(result.drawn == ["3"])
    #expect(result.layout == "jellyfin")
    #expect(result.notExcludedBesides == ["4"])
    #expect(result.rivals.map(\.relation) == [.notExcludedBesides, .toldApart])
    #expect(result.reason.hasPrefix("track 3 is burned in, as jellyfin lays it out:"))
    #expect(result.notes.contains { $0.hasPrefix("track 4 is not excluded besides") })
    #expect(result.notes.contains { $0.hasPrefix("without the source") })
    let span = try #require(result.span)
    #expect(abs(span.from - 77 * 0.04) < 1e-9)
    #expect(result.timing?.early.yes == 0)
  }

  @Test func `equals and undecided rivals are named with their numbers`() {
    let english = track(firstKey: 1000)
    let copy = decide(
      claimed: "3", tracks: ["3": english, "6": english], request: SessionRequest(),
      looks: PaintedPicture(drawn: english).looks)
    let equal = VerdictMapping.result(asked: "3", decision: copy, facts: facts())
    #expect(equal.verdict == .oneOfEquals && equal.drawn == ["3", "6"])
    #expect(
      equal.reason
        == "one of the tracks 3 and 6 is burned in; they show the same in the whole film")
    #expect(equal.rivals.map(\.relation) == [.equalInFilm])
    let twin = english.revised(at: 9..<11, firstKey: 7000)
    let open = decide(
      claimed: "3", tracks: ["3": english, "7": twin], request: SessionRequest(),
      looks: PaintedPicture(drawn: english).looks)
    let undecided = VerdictMapping.result(asked: "3", decision: open, facts: facts())
    #expect(undecided.drawn.isEmpty)
    #expect(
      undecided.reason
        == "cannot decide: only 2 visible cues tell the asked track from track 7")
    #expect(undecided.rivals.map(\.relation) == [.notTold])
  }
}
