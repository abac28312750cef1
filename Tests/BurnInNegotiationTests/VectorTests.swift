// SPDX-License-Identifier: Apache-2.0
import BurnInNegotiation
import Foundation
import Testing

/// The vectors that are committed beside the tests.
enum VectorFile {
  static let vectors: [NegotiationVectors.Vector] = {
    guard
      let url = Bundle.module.url(
        forResource: "negotiation", withExtension: "json", subdirectory: "Resources"),
      let data = try? Data(contentsOf: url), let file = try? NegotiationVectors(parsing: data)
    else { return [] }
    return file.vectors
  }()

  static func of(_ function: String) -> [NegotiationVectors.Vector] {
    vectors.filter { $0.function == function }
  }
}

@Suite("Vectors")
struct VectorTests {
  @Test("are all there, and each names a function that exists")
  func whole() {
    #expect(VectorFile.vectors.count == 264)
    #expect(Set(VectorFile.vectors.map(\.function)) == Set(NegotiationVectors.functions))
    #expect(Set(VectorFile.vectors.map(\.id)).count == 264)
  }

  private func expect(
    _ vector: NegotiationVectors.Vector, at place: SourceLocation = #_sourceLocation
  ) {
    if let failure = NegotiationVectors.check(vector) {
      Issue.record(
        "\(vector): wanted \(failure.expected), got \(failure.actual)", sourceLocation: place)
    }
  }

  @Test(
    "R14: a row is named by the stream index (makeTrackId)", arguments: VectorFile.of("makeTrackId")
  )
  func makeTrackId(_ vector: NegotiationVectors.Vector) { expect(vector) }

  @Test("R14: the id space has its bounds (isSidecar)", arguments: VectorFile.of("isSidecar"))
  func isSidecar(_ vector: NegotiationVectors.Vector) { expect(vector) }

  @Test("R14: a row gives its index back (sidecarIndex)", arguments: VectorFile.of("sidecarIndex"))
  func sidecarIndex(_ vector: NegotiationVectors.Vector) { expect(vector) }

  @Test(
    "R9: bitmaps are told by the codec's name (isBitmapCodec)",
    arguments: VectorFile.of("isBitmapCodec"))
  func isBitmapCodec(_ vector: NegotiationVectors.Vector) { expect(vector) }

  @Test("R6: what confirms a burn-in (confirms)", arguments: VectorFile.of("confirms"))
  func confirms(_ vector: NegotiationVectors.Vector) { expect(vector) }

  @Test(
    "R25: reasons are read from the URL (transcodeReasons)",
    arguments: VectorFile.of("transcodeReasons"))
  func transcodeReasons(_ vector: NegotiationVectors.Vector) { expect(vector) }

  @Test(
    "R24: when the video is only repackaged (videoCopyOnly)",
    arguments: VectorFile.of("videoCopyOnly"))
  func videoCopyOnly(_ vector: NegotiationVectors.Vector) { expect(vector) }

  @Test(
    "R2 R3 R4 R5 R6 R7 R8 R21: what is asked, and which answer plays (negotiate)",
    arguments: VectorFile.of("negotiate"))
  func negotiate(_ vector: NegotiationVectors.Vector) { expect(vector) }

  @Test("R31: which pick goes to the server (bridgePick)", arguments: VectorFile.of("bridgePick"))
  func bridgePick(_ vector: NegotiationVectors.Vector) { expect(vector) }

  @Test("R13 R21 R31: which rows are listed (burnInRows)", arguments: VectorFile.of("burnInRows"))
  func burnInRows(_ vector: NegotiationVectors.Vector) { expect(vector) }

  @Test("R16: burn-in rows come last (pickerRows)", arguments: VectorFile.of("pickerRows"))
  func pickerRows(_ vector: NegotiationVectors.Vector) { expect(vector) }

  @Test(
    "R17: burn-in rows are not remembered (runtimeInventory)",
    arguments: VectorFile.of("runtimeInventory"))
  func runtimeInventory(_ vector: NegotiationVectors.Vector) { expect(vector) }

  @Test(
    "R11: which text is mounted beside the stream (mountedSubtitles)",
    arguments: VectorFile.of("mountedSubtitles"))
  func mountedSubtitles(_ vector: NegotiationVectors.Vector) { expect(vector) }

  @Test(
    "R18 R19 R20: what choosing a row comes to (selectionAction)",
    arguments: VectorFile.of("selectionAction"))
  func selectionAction(_ vector: NegotiationVectors.Vector) { expect(vector) }

  @Test(
    "R32: cycling skips burn-in rows (cycleSubtitle)", arguments: VectorFile.of("cycleSubtitle"))
  func cycleSubtitle(_ vector: NegotiationVectors.Vector) { expect(vector) }

  @Test(
    "R32: toggling skips burn-in rows (toggleSubtitles)",
    arguments: VectorFile.of("toggleSubtitles"))
  func toggleSubtitles(_ vector: NegotiationVectors.Vector) { expect(vector) }

  @Test(
    "R33: a bitmap is never secondary (canBeSecondary)", arguments: VectorFile.of("canBeSecondary"))
  func canBeSecondary(_ vector: NegotiationVectors.Vector) { expect(vector) }

  @Test(
    "R30: which controls are offered (styleControls)", arguments: VectorFile.of("styleControls"))
  func styleControls(_ vector: NegotiationVectors.Vector) { expect(vector) }

  @Test("R22: which failures are blamed (blamesBurnIn)", arguments: VectorFile.of("blamesBurnIn"))
  func blamesBurnIn(_ vector: NegotiationVectors.Vector) { expect(vector) }

  @Test(
    "R23: what follows a failure to open (openFailure)", arguments: VectorFile.of("openFailure"))
  func openFailure(_ vector: NegotiationVectors.Vector) { expect(vector) }

  @Test(
    "R8 R28: what follows a negotiation (afterNegotiation)",
    arguments: VectorFile.of("afterNegotiation"))
  func afterNegotiation(_ vector: NegotiationVectors.Vector) { expect(vector) }

  @Test(
    "R21: how long a row stays dropped (dropLifetime)", arguments: VectorFile.of("dropLifetime"))
  func dropLifetime(_ vector: NegotiationVectors.Vector) { expect(vector) }

  @Test("R26: what a reload carries (carriedPick)", arguments: VectorFile.of("carriedPick"))
  func carriedPick(_ vector: NegotiationVectors.Vector) { expect(vector) }

  @Test(
    "R29: which index is reported (reportedSubtitleIndex)",
    arguments: VectorFile.of("reportedSubtitleIndex"))
  func reportedSubtitleIndex(_ vector: NegotiationVectors.Vector) { expect(vector) }

  @Test(
    "R10: which URL is played (sanitizeStreamUrl)", arguments: VectorFile.of("sanitizeStreamUrl"))
  func sanitizeStreamUrl(_ vector: NegotiationVectors.Vector) { expect(vector) }

  @Test("R1: seconds as ticks (ticks)", arguments: VectorFile.of("ticks"))
  func ticks(_ vector: NegotiationVectors.Vector) { expect(vector) }

  @Test(
    "RA2: which tags name one language (languagesMatch)", arguments: VectorFile.of("languagesMatch")
  )
  func languagesMatch(_ vector: NegotiationVectors.Vector) { expect(vector) }

  @Test(
    "RA4: titles for the hearing impaired (titleIndicatesHearingImpaired)",
    arguments: VectorFile.of("titleIndicatesHearingImpaired"))
  func titleIndicatesHearingImpaired(_ vector: NegotiationVectors.Vector) { expect(vector) }

  @Test(
    "RA3: titles of forced tracks (titleIndicatesForced)",
    arguments: VectorFile.of("titleIndicatesForced"))
  func titleIndicatesForced(_ vector: NegotiationVectors.Vector) { expect(vector) }

  @Test("R24: what Auto chooses from (autoCandidates)", arguments: VectorFile.of("autoCandidates"))
  func autoCandidates(_ vector: NegotiationVectors.Vector) { expect(vector) }

  @Test(
    "R16 R24 R27 RA1 RA2 RA3 RA5 RA6 RA7 RA8 RA9 RA10 RA11: what Auto chooses (resolveAuto)",
    arguments: VectorFile.of("resolveAuto"))
  func resolveAuto(_ vector: NegotiationVectors.Vector) { expect(vector) }

  @Test(
    "R35: what a carried pick selects (pendingPickOnDirectPlay)",
    arguments: VectorFile.of("pendingPickOnDirectPlay"))
  func pendingPickOnDirectPlay(_ vector: NegotiationVectors.Vector) { expect(vector) }

  @Test("that want something else fail, and are named with what came instead")
  func failing() throws {
    let text = """
      [{"id": "a", "rule": "R14", "fn": "makeTrackId", "input": {"index": 3}, "expected": 4},
       {"id": "b", "rule": "R9", "fn": "noSuchFunction", "input": {}, "expected": null},
       {"id": "c", "rule": "R9", "fn": "isBitmapCodec", "input": {"codec": "pgs"},
        "expected": true}]
      """
    let report = try NegotiationVectors(parsing: Array(text.utf8)).run()
    #expect(report.count == 3 && report.passed == 1)
    #expect(report.failures.map(\.id) == ["a", "b"])
    #expect(report.failures.first?.actual == "1073741827")
  }

  @Test("with every expectation changed all fail")
  func sensitive() {
    for vector in VectorFile.vectors {
      var other = vector
      other.expected = .string("something else")
      #expect(NegotiationVectors.check(other) != nil, "\(vector)")
    }
  }

  @Test("that are none are refused", arguments: ["{}", "[1]", "[{\"id\": \"a\"}]", "[", ""])
  func refused(text: String) {
    #expect(throws: (any Error).self) { try NegotiationVectors(parsing: Array(text.utf8)) }
  }
}
