// SPDX-License-Identifier: Apache-2.0

import BurnInVerification
import Testing

@Suite struct DecisionTests {
  let english = track(firstKey: 1000)
  let french = track(firstKey: 2000)

  private func decision(
    on picture: PaintedPicture, claimed: String = "en", _ tracks: [String: [DecisionCue]]
  ) -> SessionDecision {
    decide(
      claimed: claimed, tracks: tracks,
      request: SessionRequest(
        firstFrame: picture.range.lowerBound, endFrame: picture.range.upperBound, seed: 7),
      looks: picture.looks)
  }

  // MARK: Whole films

  @Test func `the drawn track is verified from its first to its last cue`() throws {
    let result = decision(on: PaintedPicture(drawn: english), ["en": english, "fr": french])
    #expect(result.verdict == .verified)
    #expect(result.reasons.isEmpty && result.flags.isEmpty)
    #expect(result.span == 77...(60 + 72 * 29 + 17))
    let rival = try #require(result.rivals.first)
    #expect(rival.track == "fr")
    #expect(rival.evidence >= 13.8)
    #expect(rival.missingCount >= 3)
    #expect(rival.ownCuesNotExcluded == nil && rival.equality == nil)
    #expect(result.failedCues.isEmpty && result.voidCount == 0)
  }

  @Test func `nothing drawn is not burned after four cues`() {
    // Four absent cues give 4 * -4 = -16, three only -12.
    let result = decision(on: PaintedPicture(drawn: []), ["en": english, "fr": french])
    #expect(result.verdict == .notBurned)
    #expect(result.usedCues == 4)
    #expect(result.failedCues.count == 4)
    #expect(result.span == nil)
  }

  @Test func `another track drawn is named after three cues`() {
    // Each absent cue of the claimed track at which one of the other passes gives -5.
    let result = decision(on: PaintedPicture(drawn: french), ["en": english, "fr": french])
    #expect(result.verdict == .wrongTrack("fr"))
    #expect(result.usedCues == 3)
  }

  @Test func `a film without other tracks is verified by three cues and its ends`() {
    let result = decision(on: PaintedPicture(drawn: english), ["en": english])
    #expect(result.verdict == .verified)
    #expect(result.usedCues >= 3)
    #expect(result.rivals.isEmpty)
  }

  // MARK: Twins

  @Test(arguments: [1, 2])
  func `a twin that differs in too few cues leaves it undecided`(count: Int) {
    let twin = english.revised(at: 10..<10 + count, firstKey: 3000)
    let result = decision(on: PaintedPicture(drawn: english), ["en": english, "twin": twin])
    #expect(result.verdict == .inconclusive)
    #expect(result.reasons == [.onlyCuesTell(rival: "twin", count)])
    #expect(
      result.reasons.first?.description
        == "only \(count) visible \(count == 1 ? "cue tells" : "cues tell")"
        + " the asked track from track twin")
  }

  @Test func `a twin that differs in three cues is told apart`() {
    let twin = english.revised(at: 10..<13, firstKey: 3000)
    let tracks = ["en": english, "twin": twin]
    #expect(decision(on: PaintedPicture(drawn: english), tracks).verdict == .verified)
    #expect(decision(on: PaintedPicture(drawn: twin), tracks).verdict == .wrongTrack("twin"))
  }

  @Test func `a twin that differs in too few pixels leaves it undecided`() {
    let twin = english.revised(at: 0..<30, firstKey: 3000)
    let picture = PaintedPicture(drawn: english)
    picture.alikeKeys = Set(zip(english, twin).map { [$0.key, $1.key] })
    let result = decision(on: picture, ["en": english, "twin": twin])
    #expect(result.verdict == .inconclusive)
    #expect(result.reasons == [.onlyCuesTell(rival: "twin", 0)])
  }

  @Test func `a track equal in the whole film is said to be`() throws {
    let result = decision(on: PaintedPicture(drawn: english), ["copy": english, "en": english])
    #expect(result.verdict == .oneOfEquals)
    #expect(try #require(result.rivals.first).equality == .film)
  }

  @Test func `a track equal in the range only is said to be`() throws {
    let copy = english.revised(at: 20..<30, firstKey: 3000)
    let picture = PaintedPicture(drawn: english, range: 0..<1000)
    let result = decision(on: picture, ["copy": copy, "en": english])
    #expect(result.verdict == .oneOfEquals)
    #expect(try #require(result.rivals.first).equality == .range)
  }

  @Test func `a copy one second later is told by its times`() {
    // At a cue's middle, 17 frames in, the copy may show from 24 - 6 = 18 frames in.
    let copy = english.moved(by: 24)
    let tracks = ["copy": copy, "en": english]
    #expect(decision(on: PaintedPicture(drawn: english), tracks).verdict == .verified)
    #expect(decision(on: PaintedPicture(drawn: copy), claimed: "copy", tracks).verdict == .verified)
  }

  // MARK: Forced tracks

  @Test func `a subset of the drawn track is excluded by the cues it lacks`() throws {
    let forced = [english[4], english[20]]
    let result = decision(on: PaintedPicture(drawn: english), ["en": english, "forced": forced])
    #expect(result.verdict == .verified)
    #expect(try #require(result.rivals.first).ownCuesNotExcluded == nil)
  }

  @Test func `a rival with two cues of its own is not excluded besides`() throws {
    // In the pauses of 32 frames after cues 4 and 20, nothing of the claimed track near: 14 + 6.
    let signs = [4, 20].map { number in
      DecisionCue(
        index: number, startFrame: 60 + 72 * number + 55, endFrame: 60 + 72 * number + 65,
        key: 4000 + number, textLength: 9)
    }
    let result = decision(on: PaintedPicture(drawn: english), ["en": english, "signs": signs])
    #expect(result.verdict == .verified)
    let rival = try #require(result.rivals.first)
    #expect(rival.missingCount == 2)
    #expect(rival.ownCuesNotExcluded == 2)
  }

  @Test func `a claimed track of two cues is never verified`() {
    let forced = [english[4], english[20]]
    let result = decision(
      on: PaintedPicture(drawn: forced), claimed: "forced", ["en": english, "forced": forced])
    #expect(result.verdict == .inconclusive)
    #expect(result.reasons == [.onlyCuesSeen(2)])
  }

  @Test func `the full track drawn where the forced one is claimed is named`() {
    let forced = (0..<10).map { english[3 * $0] }
    let result = decision(
      on: PaintedPicture(drawn: english), claimed: "forced", ["en": english, "forced": forced])
    #expect(result.verdict == .wrongTrack("en"))
  }

  @Test func `an unknown track and an empty one are undecided`() {
    let picture = PaintedPicture(drawn: english)
    #expect(decision(on: picture, claimed: "xx", ["en": english]).reasons == [.onlyCuesSeen(0)])
    #expect(decision(on: picture, ["en": []]).reasons == [.onlyCuesSeen(0)])
  }

  @Test func `the same seed asks the same questions`() {
    let tracks = ["en": english, "fr": french, "rev": english.revised(at: 3..<9, firstKey: 3000)]
    let first = PaintedPicture(drawn: english)
    let second = PaintedPicture(drawn: english)
    #expect(decision(on: first, tracks) == decision(on: second, tracks))
    #expect(first.questions == second.questions)
  }
}
