// SPDX-License-Identifier: Apache-2.0
import BurnInVerification
import FoundationEssentials
import SubtitleModel
import Testing

@testable import Burnscope
@testable import BurnscopeCommandLine

/// What a verification prints.
@Suite struct VerificationTextTests {
  private func report(_ verdict: VerificationVerdict, _ reason: String) -> VerificationReport {
    var result = VerificationResult(
      verdict: verdict, asked: "0:s:1", mode: .source, reason: reason)
    result.cues = .init(used: 9, passed: 7, failed: 1, void: 1)
    let tracks = [(2, 0, "English", TrackFlags.default), (3, 1, "Signs \"a\"", .forced)].map {
      VerifiedTrack(
        name: "0:s:\($0.1)",
        description: TrackDescription(
          streamIndex: $0.0, subtitleOrdinal: $0.1, codec: .pgs, codecName: "hdmv_pgs_subtitle",
          language: "eng", title: $0.2, flags: $0.3, canvas: nil), serverIndex: nil, cueCount: 12)
    }
    return VerificationReport(
      result: result, tracks: tracks, evidence: [], stream: "http://h/master.m3u8")
  }

  /// The members of an object of JSON, for looking at single ones.
  private struct Members: Decodable {
    var names: [String]
    var layoutIsNull = false
    var exitCode: Int32?
    struct Name: CodingKey {
      var stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Name.self)
      names = container.allKeys.map(\.stringValue).sorted()
      layoutIsNull = try container.decodeNil(forKey: Name(stringValue: "layout"))
      exitCode = try container.decodeIfPresent(Int32.self, forKey: Name(stringValue: "exitCode"))
    }
  }

  @Test(arguments: VerificationVerdict.allCases)
  func `JSON has its members for every verdict, the layout as null where there is none`(
    verdict: VerificationVerdict
  ) throws {
    let statuses: [VerificationVerdict: Int32] = [
      .burnedIn: 0, .oneOfEquals: 2, .cannotDecide: 2,
    ]
    let text = try VerificationText.json(report(verdict, "so it is"))
    let members = try JSONDecoder().decode(Members.self, from: Data(text.utf8))
    let always = [
      "asked", "cues", "drawn", "exitCode", "flags", "layout", "mode", "notExcludedBesides",
      "notes", "reason", "rivals", "stream", "tracks", "verdict",
    ]
    #expect(members.names == always)
    #expect(members.layoutIsNull)
    #expect(members.exitCode == statuses[verdict, default: 1])
    #expect(text.hasSuffix("}\n") && text.contains("\"verdict\" : \"\(verdict.rawValue)\""))
    #expect(text.contains("\"stream\" : \"http://h/master.m3u8\""))
  }

  @Test func `the text's last line has the verdict and says which tracks are meant`() {
    var told = report(.wrongTrack, "track 0:s:0 is drawn instead of track 0:s:1.")
    told.result.flags = [.late, .offColour]
    let lines = VerificationText.text(told).split(separator: "\n", omittingEmptySubsequences: false)
    let last =
      "wrong track (late, off-colour): track 0:s:0 (stream 2, pgs, eng, \"English\") is drawn"
      + " instead of track 0:s:1 (stream 3, pgs, eng, \"Signs \"a\"\", forced)."
    #expect(lines.suffix(2).map(String.init) == [last, ""])
    #expect(lines[1].hasSuffix("12 cues  <- asked"))
    #expect(
      lines.contains(
        "cues      of the asked track 7 passed, 1 failed, 1 void (nothing could be seen); "
          + "9 looks at all tracks"))
    #expect(lines.contains("layout    not found"))
  }

  @Test func `a reason of another track's name at its end is read whole`() {
    let text = VerificationText.text(report(.cannotDecide, "too little tells it from track 0:s:0"))
    #expect(text.hasSuffix("from track 0:s:0 (stream 2, pgs, eng, \"English\")\n"))
    let unknown = VerificationText.text(report(.cannotDecide, "as track 0:s:9: none"))
    #expect(unknown.hasSuffix("as track 0:s:9: none\n"))
  }
}
