// SPDX-License-Identifier: Apache-2.0

import BurnInVerification
import Testing

/// Burns that are wrong in part, and films of which a part is seen.
@Suite struct DecisionFaultTests {
  let english = track(firstKey: 1000)
  let french = track(firstKey: 2000)

  private func decision(
    on picture: PaintedPicture, _ tracks: [String: [DecisionCue]]? = nil,
    isPreferred: @escaping (Int) -> Bool = { _ in true }
  ) -> SessionDecision {
    decide(
      claimed: "en", tracks: tracks ?? ["en": english, "fr": french],
      request: SessionRequest(
        firstFrame: picture.range.lowerBound, endFrame: picture.range.upperBound, seed: 3,
        isPreferred: isPreferred),
      looks: picture.looks)
  }

  // MARK: Times

  @Test(arguments: [8, 12, 16])
  func `cues that come late are late`(delay: Int) {
    let result = decision(on: PaintedPicture(drawn: english.moved(by: delay)))
    #expect(result.verdict == .burnedBut)
    #expect(result.flags.first == .late)
    #expect(!result.flags.contains(.early) && !result.flags.contains(.stuck))
  }

  @Test(arguments: [8, 12, 16])
  func `cues that come early are early`(lead: Int) {
    let result = decision(on: PaintedPicture(drawn: english.moved(by: -lead)))
    #expect(result.verdict == .burnedBut)
    #expect(result.flags == [.early])
  }

  @Test func `cues that stay are stuck`() {
    let result = decision(on: PaintedPicture(drawn: english.moved(by: 0, kept: 20)))
    #expect(result.verdict == .burnedBut)
    #expect(result.flags == [.stuck])
  }

  @Test(arguments: [0, 1, 2, 3])
  func `cues that play up to three frames late are verified`(delay: Int) {
    #expect(decision(on: PaintedPicture(drawn: english.moved(by: delay))).verdict == .verified)
  }

  // MARK: Parts

  @Test func `half a track with a rival is undecided and partial`() {
    let result = decision(on: PaintedPicture(drawn: Array(english[..<15])))
    #expect(result.verdict == .inconclusive)
    #expect(result.flags == [.partial])
    #expect(result.reasons.contains(.notToldAtEnds(rival: "fr")))
  }

  @Test func `half a track without a rival is partial`() {
    let result = decision(on: PaintedPicture(drawn: Array(english[..<15])), ["en": english])
    #expect(result.verdict == .burnedBut)
    #expect(result.flags == [.partial])
  }

  @Test func `old segments of a twin at an end are noticed`() {
    let twin = english.revised(at: 0..<30, firstKey: 3000)
    let picture = PaintedPicture(drawn: Array(english[..<27] + twin[27...]))
    picture.twinKeys = Set(zip(english, twin).map { [$0.key, $1.key] })
    let result = decision(on: picture, ["en": english, "twin": twin])
    #expect(result.verdict == .inconclusive)
    #expect(result.reasons.contains(.notToldAtEnds(rival: "twin")))
  }

  @Test func `a pass at an end that another look denies is none`() {
    // The last cue is not drawn; by chance its bitmap passes at one of the frames looked at.
    let picture = PaintedPicture(drawn: Array(english.dropLast()))
    let last = english[29]
    let perfect = picture.looks
    var looked: [Int] = []
    let looks = SessionLooks(
      look: { track, cue, frame in
        guard cue.key == last.key else { return perfect.look(track, cue, frame) }
        looked.append(frame)
        return looked.count == 2 ? 5 : -4
      }, pair: perfect.pair, under: perfect.under, still: perfect.still)
    let result = decide(
      claimed: "en", tracks: ["en": english],
      request: SessionRequest(
        firstFrame: picture.range.lowerBound, endFrame: picture.range.upperBound, seed: 3),
      looks: looks)
    #expect(looked.count >= 2)
    #expect(result.verdict == .inconclusive)
    #expect(result.reasons == [.lastCuesNotSeen(1)])
  }

  @Test func `two tracks in turn are both drawn, and none is named instead`() {
    // Cues of 30 frames in the other track's pauses of 120.
    let en = english.enumerated().map { number, cue in
      DecisionCue(
        index: number, startFrame: 60 + 150 * number, endFrame: 90 + 150 * number, key: cue.key,
        textLength: 20)
    }
    let pauses = en.moved(by: 75).enumerated().map { number, cue in
      var cue = cue
      cue.key = 2000 + number
      return cue
    }
    let result = decision(
      on: PaintedPicture(drawn: en + pauses), ["en": en, "fr": pauses])
    #expect(result.verdict == .burnedBut)
    #expect(result.flags == [.also("fr")])
    #expect(result.reasons.isEmpty)
    let instead = decision(on: PaintedPicture(drawn: pauses), ["en": en, "fr": pauses])
    #expect(instead.verdict == .wrongTrack("fr") || instead.verdict == .notBurned)
  }

  @Test func `two tracks at once are not told apart`() {
    let result = decision(on: PaintedPicture(drawn: english + french))
    #expect(result.verdict == .inconclusive)
    #expect(result.flags == [.also("fr")])
    #expect(result.reasons == [.onlyCuesShowNotBesides(rival: "fr", 0)])
  }

  @Test func `two cues of another track drawn over the claimed one are also there`() throws {
    let signs = [4, 20].map { number in
      var cue = french[number]
      cue.key += 5000
      return cue
    }
    let result = decision(
      on: PaintedPicture(drawn: english + signs), ["en": english, "signs": signs])
    #expect(result.verdict == .burnedBut)
    #expect(result.flags == [.also("signs")])
    #expect(try #require(result.rivals.first).ownCuesNotExcluded == 2)
  }

  // MARK: What is seen of the film

  @Test func `a range with two whole cues is too short`() {
    // Cues 1 and 2 are whole in 130...270: 132..<172 and 204..<244, and 14 frames after.
    let result = decision(on: PaintedPicture(drawn: english, range: 130..<270))
    #expect(result.verdict == .inconclusive)
    #expect(result.reasons == [.onlyCuesSeen(2)])
  }

  @Test func `a range with three whole cues is enough against another language`() {
    let result = decision(on: PaintedPicture(drawn: english, range: 130..<340))
    #expect(result.verdict == .verified)
    #expect(result.passedCues.count == 3)
  }

  @Test(arguments: [(10, true), (11, false)])
  func `up to a third of the cues may be missing in a row`(count: Int, isEnough: Bool) {
    let picture = PaintedPicture(drawn: english)
    picture.missingFrames = [english[10].startFrame - 10..<english[9 + count].endFrame + 10]
    let result = decision(on: picture)
    #expect(result.verdict == (isEnough ? .verified : .inconclusive))
    #expect(result.reasons == (isEnough ? [] : [.cuesInARowNotSeen(count)]))
  }

  @Test func `missing segments at the ends shorten the span`() throws {
    let picture = PaintedPicture(drawn: english)
    picture.missingFrames = [
      0..<english[1].endFrame + 10, english[28].startFrame - 10..<english[29].endFrame + 30,
    ]
    let result = decision(on: picture)
    #expect(result.verdict == .verified)
    #expect(result.span == english[2].middleFrame...english[27].middleFrame)
    #expect(result.voidCount == 4)
  }

  @Test func `a film that never comes is undecided`() {
    let picture = PaintedPicture(drawn: english)
    picture.missingFrames = [0..<10_000]
    let result = decision(on: picture)
    #expect(result.verdict == .inconclusive)
    #expect(result.reasons == [.onlyCuesSeen(0)])
  }

  @Test func `the first and the last visible cue must pass`() {
    let picture = PaintedPicture(drawn: english)
    picture.doubtfulKeys = [english[0].key]
    #expect(decision(on: picture, ["en": english]).reasons == [.firstCuesNotSeen(1)])
    picture.doubtfulKeys = [english[28].key, english[29].key]
    let result = decision(on: picture, ["en": english])
    #expect(result.verdict == .inconclusive)
    #expect(result.reasons == [.lastCuesNotSeen(2)])
  }

  @Test func `times that cannot be seen leave it undecided`() {
    // Only the frames at the middle of each cue ever come.
    let picture = PaintedPicture(drawn: english)
    picture.missingFrames = english.flatMap { cue in
      [cue.middleFrame - 52..<cue.middleFrame, cue.middleFrame + 1..<cue.middleFrame + 20]
    }
    picture.missingFrames.append(english[29].middleFrame + 1..<10_000)
    let result = decision(on: picture, ["en": english])
    #expect(result.verdict == .inconclusive)
    #expect(result.reasons == [.timesNotSeen])
  }

  @Test func `a rival seen where the claimed track pauses is also there`() throws {
    // Every sign stands in a pause of the claimed track, frames 55 to 65 of each 72.
    let signs = english.map { cue in
      DecisionCue(
        index: cue.index, startFrame: cue.startFrame + 55, endFrame: cue.startFrame + 65,
        key: cue.key + 6000, textLength: 9)
    }
    let result = decision(
      on: PaintedPicture(drawn: english + signs), ["en": english, "signs": signs])
    #expect(result.verdict != .verified)
    #expect(try #require(result.rivals.first).seenCount > 1)
  }

  @Test func `looks are bounded`() {
    let result = decide(
      claimed: "en", tracks: ["en": english, "fr": french],
      request: SessionRequest(maximumCues: 3), looks: PaintedPicture(drawn: english).looks)
    #expect(result.verdict == .inconclusive)
    #expect(result.usedCues == 3)
  }

  // MARK: Windows

  /// Windows of six seconds at 24 frames; a window counts once a frame of it was asked for.
  @Test(arguments: [0, 1, 2, 3, 4, 5, 6, 7])
  func `few windows are looked at when fetched ones are preferred`(seed: UInt64) {
    let long = track(firstKey: 1000, count: 200)
    let other = track(firstKey: 2000, count: 200)
    let picture = PaintedPicture(drawn: long)
    let result = decide(
      claimed: "en", tracks: ["en": long, "fr": other],
      request: SessionRequest(seed: seed) { frame in
        picture.framesAsked.contains { $0 / 144 == frame / 144 }
      },
      looks: picture.looks)
    #expect(result.verdict == .verified)
    #expect(Set(picture.framesAsked.map { $0 / 144 }).count <= 8)
  }

  @Test(arguments: [0, 1, 2, 3, 4, 5, 6, 7])
  func `twins cost at most twice as many windows`(seed: UInt64) {
    let long = track(firstKey: 1000, count: 200)
    let tracks = [
      "en": long, "fr": track(firstKey: 2000, count: 200),
      "forced": long.filter { $0.index % 11 == 4 },
      "sdh": long.enumerated().map { position, cue in
        position % 3 == 1 ? [cue].revised(at: 0..<1, firstKey: 5000 + position)[0] : cue
      },
    ]
    let picture = PaintedPicture(drawn: long)
    let result = decide(
      claimed: "en", tracks: tracks,
      request: SessionRequest(seed: seed) { frame in
        picture.framesAsked.contains { $0 / 144 == frame / 144 }
      },
      looks: picture.looks)
    #expect(result.verdict == .verified)
    #expect(Set(picture.framesAsked.map { $0 / 144 }).count <= 16)
  }
}
