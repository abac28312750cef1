// SPDX-License-Identifier: Apache-2.0
import BurnInNegotiation
import Testing

/// A seeded generator, so that a walk that fails can be walked again.
private struct Seeded: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    var mixed = state
    mixed ^= mixed >> 33
    mixed = mixed &* 0xFF51_AFD7_ED55_8CCD
    return mixed ^ (mixed >> 33)
  }
}

/// A title under whatever users, servers and engines do, in any order; what must always hold is
/// checked at each step.
private struct Walk {
  var state = TitleState(server: .jellyfin, serverURL: Film.server)
  var random: Seeded
  /// Requests and streams that are out, with the load that they belong to.
  var asked: [(generation: Int, index: Int)] = []
  var opening: [Int] = []
  /// The sessions that were taken over and are not ended yet.
  var sessions: Set<String> = []
  var requestsOfLoad: [Int: [PlaybackInfoBody]] = [:]
  var counter = 0
  var faults: [String] = []

  init(seed: UInt64) { random = Seeded(state: seed) }

  mutating func check(_ holds: Bool, _ rule: String) { if !holds { faults.append(rule) } }

  mutating func take(_ effects: [Effect]) {
    for effect in effects {
      switch effect {
      case .ask(let body):
        let index = body.subtitleStreamIndex
        asked.append((state.generation, index))
        requestsOfLoad[state.generation, default: []].append(body)
        let bodies = requestsOfLoad[state.generation] ?? []
        check(bodies.count <= 2, "R39: more than two requests")
        check(bodies.first?.subtitleStreamIndex == -1, "R1: the first request names a subtitle")
        check(
          bodies.allSatisfy { $0.asking(forSubtitle: -1) == bodies[0] }, "R3: the bodies differ")
        check(index == -1 || index == 3 || index == 4, "R5: \(index) is no bitmap")
        check(!state.dropped.contains(index), "R21: a dropped row is asked for")
      case .open(let stream):
        opening.append(state.generation)
        if let session = stream.session { sessions.insert(session.id) }
        check(
          stream.burnedIndex.map { !state.dropped.contains($0) } ?? true, "R21: dropped, burned")
        check(stream.mounted.allSatisfy { $0.index == 2 }, "R11: a bitmap is mounted")
        check(stream.session == state.session, "the session is not the state's")
      case .retire(let session, _):
        check(sessions.remove(session.id) != nil, "a session ends twice")
      case .load(let start):
        take(state.begin(start, body: PlaybackInfoBody(startTimeTicks: start.startTimeTicks)))
      case .report(let report):
        check(report.session == state.session, "R29: another session is reported")
        check(
          state.burnedIndex == nil || report.subtitleStreamIndex == state.burnedIndex,
          "R29: the burned index is not reported")
      case .select, .notify, .remember, .fail: break
      }
    }
    checkState()
  }

  mutating func checkState() {
    check(
      sessions == Set(state.session.map { [$0.id] } ?? []),
      "sessions on the server: \(sessions.sorted()), known: \(state.session?.id ?? "none")")
    if let burned = state.burnedIndex {
      check(!state.dropped.contains(burned), "R21: what is dropped is burned in")
      check(state.isTranscode, "R4: burned in on direct play")
      check(state.selected == .burnInRow(index: burned), "R28: the burned row is not chosen")
      check(state.hasExplicitChoice && state.autoPreferences == nil, "R28: Auto may run")
    }
    let rows = state.tracks.filter(\.isBurnInRow)
    check(rows.isEmpty || state.isTranscode, "R15: rows on direct play")
    check(
      rows.allSatisfy { !state.dropped.contains($0.sourceIndex ?? -1) }, "R21: a dropped row")
    if state.phase == .established, case .burnInRow(let index)? = state.selected {
      check(state.burnedIndex == index, "a row is chosen that is not in the picture")
    }
  }

  mutating func answer(_ index: Int) -> Result<PlaybackAnswer, PlaybackError> {
    counter += 1
    var answer = PlaybackAnswer(
      playSessionID: "p\(counter)",
      source: .init(transcodingURL: Film.address, streams: Film.streams))
    switch Int.random(in: 0..<12, using: &random) {
    case 0: return .failure(.timedOut)
    case 1: return .failure(.cancelled)
    case 2: answer.errorCode = "NotAllowed"
    case 3: answer.source?.supportsDirectPlay = true
    case 4: answer.source?.transcodingURL = Film.address + "&SubtitleStreamIndex=\(index)"
    default:
      if index >= 0 {
        answer.source?.transcodingURL =
          Film.address + "&SubtitleStreamIndex=\(index)&SubtitleMethod=Encode"
      }
    }
    return .success(answer)
  }

  mutating func start() -> LoadStart {
    let picks: [SubtitlePick] = [
      .unspecified, .unspecified, .off, .stream(2), .stream(3), .stream(4),
    ]
    return Film.start(
      picks.randomElement(using: &random) ?? .off,
      title: ["A", "A", "B"].randomElement(using: &random) ?? "A",
      auto: Bool.random(using: &random) ? Film.english : nil)
  }

  mutating func step() {
    let at = Film.at(Int64.random(in: 0..<1000, using: &random), paused: .random(using: &random))
    // A title that neither plays nor loads is started again sooner.
    let isResting = !state.isLoading && state.phase != .established
    switch Int.random(in: 0..<(isResting ? 4 : 60), using: &random) {
    case 0: take(state.play(start()))
    case 1: take(state.playNext(start(), at: at))
    case 2: take(state.stop(at: at))
    case 3: take(state.reload(ReloadReason.allCases.randomElement(using: &random) ?? .seek, at: at))
    case 4:
      let error = PlaybackError.load(LoadFailure(.sourceRefused, code: 404))
      take(state.playbackFailed(error, at: at))
    case 5: take(state.audioSwitched(language: "fra", streamIndex: 1))
    case 6..<9:
      let choices: [SubtitleChoice] = [
        .off, .textSidecar(index: 2), .burnInRow(index: 3), .burnInRow(index: 4),
        .embedded(index: 3), .openSubtitles(file: 9),
      ]
      take(state.choose(choices.randomElement(using: &random) ?? .off, at: at))
    case 9..<30 where !asked.isEmpty:
      let isLate = Int.random(in: 0..<5, using: &random) == 0
      let place = isLate ? Int.random(in: 0..<asked.count, using: &random) : asked.count - 1
      let request = asked.remove(at: place)
      take(state.answered(answer(request.index), generation: request.generation))
    default:
      guard !opening.isEmpty else { return }
      let generation = opening.remove(at: Int.random(in: 0..<opening.count, using: &random))
      switch Int.random(in: 0..<6, using: &random) {
      case 0:
        let blamed = PlaybackError.load(LoadFailure(.softwarePipelineFailed))
        take(state.openFailed(blamed, generation: generation))
      case 1: take(state.openFailed(.cancelled, generation: generation))
      default:
        take(
          state.established(
            state.isTranscode ? Film.transcode : Film.file, generation: generation))
      }
    }
  }
}

@Suite("Random walks through the states of a title")
struct RandomWalkTests {
  @Test(
    "R3 R4 R11 R15 R21 R28 R29 R39: whatever happens in whatever order, these hold",
    arguments: 1...20 as ClosedRange<UInt64>)
  func walk(seed: UInt64) {
    var walk = Walk(seed: seed)
    var burned = 0
    for step in 0..<1500 {
      walk.step()
      if walk.state.burnedIndex != nil, walk.state.phase == .established { burned += 1 }
      if !walk.faults.isEmpty {
        Issue.record("seed \(seed), step \(step): \(walk.faults)")
        return
      }
    }
    #expect(burned > 20, "the walk comes to what it is about")
  }
}
