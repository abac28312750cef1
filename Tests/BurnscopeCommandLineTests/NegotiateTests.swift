// SPDX-License-Identifier: Apache-2.0
import ChildProcess
import FoundationEssentials
import TestSupport
import Testing

/// The built program's `negotiate`, against the stand-in server and on saved answers.
@Suite(.serialized) struct NegotiateTests {
  typealias Track = VerifyFixture.Track

  /// What `negotiate --json` prints, as far as tests read it.
  struct Output: Decodable {
    struct Finding: Decodable { var code, weight, sentence, source: String }
    struct Auto: Decodable {
      var verdict: String
      var stream: Int?
      var burnIn: Bool
    }
    struct Body: Decodable {
      var SubtitleStreamIndex: Int
      var MediaSourceId: String
    }
    var outcome: String
    var burned: Int?
    var requests: [Int]
    var plays: String?
    var reason: String
    var lint: [Finding]
    var auto: Auto?
    var bodies: [Body]?
  }

  struct Run {
    var status: Int32
    var output: Output
  }

  private func negotiate(_ arguments: [String], input: String? = nil) async throws -> Run {
    let result = try await ChildProcess.run(
      "env", VerifyRun.signIn + [BuiltProgram.path, "negotiate", "--json"] + arguments,
      input: input.map { Array($0.utf8) })
    let output = try #require(
      try? JSONDecoder().decode(Output.self, from: Data(result.output)),
      "status \(result.status): \(result.errors)")
    #expect(!result.text.contains("hidden"))
    return Run(status: result.status, output: output)
  }

  private func served<Result>(
    _ options: [String] = [], _ body: (ServedFilm) async throws -> Result
  ) async throws -> Result {
    let server = try ServedFilm([try await VerifyFixture.shared().film], options)
    do {
      let result = try await body(server)
      await server.stop()
      return result
    } catch {
      await server.stop()
      throw error
    }
  }

  private func asking(_ server: ServedFilm) -> [String] {
    ["--server", server.address, "--item", server.items[0]]
  }

  @Test func `a transcode is asked twice, direct play once and other streams never`() async throws {
    try await served { server in
      let right = try await negotiate(asking(server) + ["--track", "6", "--show-requests"])
      #expect(right.status == 0)
      #expect(right.output.outcome == "confirmed")
      #expect(right.output.burned == 6 && right.output.plays == "second")
      #expect(right.output.requests == [-1, 6])
      #expect(right.output.bodies?.map(\.SubtitleStreamIndex) == [-1, 6])
      #expect(right.output.bodies?.allSatisfy { !$0.MediaSourceId.isEmpty } == true)
      #expect(right.output.lint.allSatisfy { $0.weight == "note" }, "\(right.output.lint)")

      let direct = try await negotiate(asking(server) + ["--track", "6", "--direct-play"])
      #expect(direct.status == 1)
      #expect(direct.output.outcome == "direct-play")
      #expect(direct.output.requests == [-1] && direct.output.burned == nil)

      for index in ["0", "1", "99"] {
        for command in ["negotiate", "verify"] {
          let other = try await ChildProcess.run(
            "env",
            VerifyRun.signIn + [BuiltProgram.path, command] + asking(server) + ["--track", index])
          #expect(other.status == 64 && other.output.isEmpty)
          #expect(
            other.errors.contains(
              "the server's stream \(index) is no subtitle; its subtitle streams are 2, 3"),
            "\(other.errors)")
          #expect(!other.errors.contains("See '"))
        }
      }
    }
  }

  @Test(arguments: [
    "jellyfin-10.8", "jellyfin-10.9", "jellyfin-10.10", "jellyfin-10.11", "jellyfin-12", "emby-4.9",
  ])
  func `every dialect confirms a burn-in`(dialect: String) async throws {
    try await served(["--as", dialect]) { server in
      let run = try await negotiate(asking(server) + ["--track", "7"])
      #expect(run.status == 0, "\(run.output.reason)")
      #expect(run.output.burned == 7 && run.output.requests == [-1, 7])
      #expect(run.output.lint.allSatisfy { $0.weight != "fault" }, "\(run.output.lint)")
    }
  }

  struct Answer: CustomTestStringConvertible {
    var kind: String
    var outcome = "unconfirmed"
    /// What the lint says of it on Jellyfin, beside its notes.
    var codes: [String] = []
    var testDescription: String { kind }
  }

  @Test(arguments: [
    Answer(kind: "external", codes: ["method-not-encode"]),
    Answer(kind: "no-method", outcome: "confirmed", codes: ["method-missing"]),
    Answer(kind: "doubled-method", outcome: "confirmed", codes: ["method-doubled"]),
    Answer(kind: "other-index", codes: ["index-of-another-stream"]),
    Answer(kind: "no-index", codes: ["encode-without-index"]), Answer(kind: "error-code"),
    Answer(kind: "direct-play"), Answer(kind: "foreign", codes: ["foreign-origin"]),
    Answer(kind: "no-source"), Answer(kind: "not-hls", codes: ["not-hls"]),
    Answer(kind: "refused", outcome: "failed"), Answer(kind: "hang-up", outcome: "failed"),
  ])
  func `a wrong answer to the burn-in request plays the first`(answer: Answer) async throws {
    for dialect in ["jellyfin-10.11", "emby-4.9"] {
      try await served(["--as", dialect, "--fault", "burn-in-answer=\(answer.kind)"]) { server in
        let run = try await negotiate(asking(server) + ["--track", "6"])
        let isConfirmed = answer.outcome == "confirmed"
        #expect(run.output.outcome == answer.outcome, "\(dialect): \(run.output.reason)")
        #expect(run.status == (isConfirmed ? 0 : 1))
        #expect(run.output.plays == (isConfirmed ? "second" : "first"))
        #expect(run.output.burned == (isConfirmed ? 6 : nil))
        #expect(run.output.requests == [-1, 6])
        let codes = run.output.lint.filter { $0.weight != "note" }.map(\.code)
        #expect(answer.codes.allSatisfy(codes.contains), "\(dialect): \(codes)")
        if dialect == "jellyfin-10.11" { #expect(codes == answer.codes) }
      }
    }
  }

  @Test func `Auto picks by its preferences, and says when it picks nothing`() async throws {
    try await served { server in
      let french = try await negotiate(asking(server) + ["--pick-auto", "--languages", "fr"])
      #expect(french.output.outcome == "confirmed")
      #expect(french.output.burned == Track.french.rawValue)
      #expect(french.output.auto?.burnIn == true)

      let forced = try await negotiate(
        asking(server) + ["--pick-auto", "--languages", "eng", "--audio-language", "en"])
      #expect(forced.output.burned == Track.forced.rawValue)

      let hearing = try await negotiate(
        asking(server)
          + ["--pick-auto", "--languages", "eng", "--hearing-impaired", "--audio-language", "fr"])
      #expect(hearing.output.burned == Track.hearing.rawValue)

      let none = try await negotiate(asking(server) + ["--pick-auto", "--languages", "jpn"])
      #expect(none.output.outcome == "not-asked" && none.output.requests == [-1])
      #expect(none.output.auto?.verdict == "no-change")
    }
  }

  struct Saved: CustomTestStringConvertible {
    var text: String
    var outcome: String
    var codes: [String]
    var testDescription: String { outcome + " " + codes.joined(separator: " ") }
  }

  @Test(arguments: [
    Saved(
      text: "/videos/x/master.m3u8?SubtitleStreamIndex=3&SubtitleMethod=Encode&PlaySessionId=a",
      outcome: "confirmed", codes: []),
    Saved(
      text: "/videos/x/master.m3u8?subtitlestreamindex=3&SUBTITLEMETHOD=encode&api_key=hidden",
      outcome: "confirmed", codes: ["token-in-query"]),
    Saved(
      text: "\u{FEFF}\"/videos/x/master.m3u8?SubtitleStreamIndex=3&SubtitleMethod=Encode\"\r\n",
      outcome: "confirmed", codes: []),
    Saved(
      text: "/videos/x/master.m3u8?SubtitleStreamIndex=3&SubtitleMethod=Encode&VideoCodec=copy",
      outcome: "confirmed", codes: ["copy-allowed"]),
    Saved(
      text: "/videos/x/master.m3u8?SubtitleStreamIndex=4&SubtitleMethod=Encode",
      outcome: "unconfirmed", codes: ["index-of-another-stream"]),
    Saved(
      text: "/videos/x/master.m3u8?SubtitleMethod=Encode&TranscodeReasons=DirectPlayError",
      outcome: "unconfirmed", codes: ["encode-without-index"]),
    Saved(
      text: #"{"MediaSources":[],"ErrorCode":"NoCompatibleStream"}"#, outcome: "unplayable",
      codes: []),
    Saved(
      text: #"{"NewField":[1],"mediaSources":[{"id":"s","TranscodingUrl":"/videos/x/master.m3u8"#
        + #"?SubtitleStreamIndex=3&PlaySessionId=p","transcodingSubProtocol":"HLS","MediaStreams""#
        + #":[{"Index":"3","Type":"Subtitle","Codec":"PGSSUB","DeliveryMethod":"encode"}]}],"#
        + #""PlaySessionId":"p"}"#, outcome: "confirmed", codes: ["method-missing", "copy-allowed"]),
    Saved(
      text: #"{"MediaSources":[{"Id":"s","SupportsDirectPlay":true,"MediaStreams":[]}],"#
        + #""PlaySessionId":"p"}"#, outcome: "direct-play", codes: []),
  ])
  func `a saved answer is judged without a server`(saved: Saved) async throws {
    let run = try await negotiate(["--answer", "-", "--track", "3"], input: saved.text)
    #expect(run.output.outcome == saved.outcome)
    #expect(run.status == (saved.outcome == "confirmed" ? 0 : 1))
    #expect(run.output.lint.map(\.code) == saved.codes, "\(run.output.lint)")
    #expect(run.output.burned == (saved.outcome == "confirmed" ? 3 : nil))
  }

  @Test func `an address that only the second answer makes absolute is not believed`() async throws
  {
    let folder = try TemporaryFolder()
    func write(_ url: String, _ session: String) throws -> String {
      let streams = #"[{"Index":3,"Type":"Subtitle","Codec":"DVDSUB"}]"#
      let text =
        "{\"MediaSources\":[{\"Id\":\"s\",\"TranscodingUrl\":\"\(url)\",\"MediaStreams\":\(streams)}],"
        + "\"PlaySessionId\":\"\(session)\"}"
      return try folder.write(Array(text.utf8), to: "\(session).json")
    }
    let first = try write("/videos/x/master.m3u8", "a")
    let second = try write(
      "http://other/videos/x/master.m3u8?SubtitleStreamIndex=3&SubtitleMethod=Encode", "b")
    let run = try await negotiate(["--answer", second, "--first", first, "--track", "3"])
    #expect(run.output.outcome == "unconfirmed", "\(run.output.reason)")
    #expect(run.output.plays == "first")
  }

  @Test func `a session used twice is found when the first answer is at hand`() async throws {
    let folder = try TemporaryFolder()
    let answer =
      #"{"MediaSources":[{"Id":"s","TranscodingUrl":"/videos/x/master.m3u8?QUERY","#
      + #""MediaStreams":[{"Index":3,"Type":"Subtitle","Codec":"DVDSUB"}]}],"PlaySessionId":"p"}"#
    let first = try folder.write(
      Array(answer.replacing("QUERY", with: "PlaySessionId=p").utf8), to: "first.json")
    let second = try folder.write(
      Array(
        answer.replacing(
          "QUERY", with: "PlaySessionId=p&SubtitleStreamIndex=3&SubtitleMethod=Encode"
        ).utf8), to: "second.json")
    let run = try await negotiate(["--answer", second, "--first", first, "--track", "3"])
    #expect(run.output.outcome == "confirmed")
    #expect(run.output.lint.map(\.code) == ["session-reused"])
  }

  @Test(arguments: [
    ("61256", "", true), ("5d2e8f10-a4b3-4c6d-9e7f-00112233aabb", "", false),
    ("x", "Nothing in the answer tells whose it is", false),
  ])
  func `the item's id tells whose a saved answer is`(
    id: String, said: String, isEmby: Bool
  ) async throws {
    let folder = try TemporaryFolder()
    let answer =
      #"{"MediaSources":[{"Id":"s","TranscodingUrl":"/videos/ID/master.m3u8?PlaySessionId=p"#
      + #"&SubtitleStreamIndex=3&SubtitleMethod=Encode","#
      + #""MediaStreams":[{"Index":3,"Type":"Subtitle","Codec":"DVDSUB"}]}],"PlaySessionId":"p"}"#
    let file = try folder.write(
      Array(answer.replacing("ID", with: id).utf8), to: "answer.json")
    func run(_ more: [String]) async throws -> ProcessResult {
      try await BuiltProgram.run(["negotiate", "--answer", file, "--track", "3"] + more)
    }
    let told = try await run([])
    #expect(told.status == 0 && (said.isEmpty ? told.errors.isEmpty : told.errors.contains(said)))
    // Only Emby copies a video unless it is forbidden twice.
    let emby = try await run(["--server-kind", "emby"])
    let jellyfin = try await run(["--server-kind", "jellyfin"])
    #expect(emby.text.contains("copy-allowed") && !jellyfin.text.contains("copy-allowed"))
    #expect(told.text == (isEmby ? emby.text : jellyfin.text))
  }

  struct Wrong: CustomTestStringConvertible {
    var arguments: [String]
    var input: String = ""
    var status: Int32
    var part: String
    var testDescription: String { arguments.joined(separator: " ") }
  }

  @Test(arguments: [
    Wrong(arguments: [], status: 64, part: "Give one of --server"),
    Wrong(arguments: ["--server", "http://h"], status: 64, part: "--server needs --item"),
    Wrong(arguments: ["--answer", "-"], status: 64, part: "Give --track"),
    Wrong(
      arguments: ["--answer", "-", "--pick-auto"], status: 64,
      part: "--pick-auto goes with --server"
    ),
    Wrong(
      arguments: ["--answer", "-", "--track", "3"], status: 65, part: "standard input: is neither"),
    Wrong(
      arguments: ["--answer", "-", "--track", "3"], input: "{\"a\":", status: 65,
      part: "standard input: is no JSON"),
    Wrong(
      arguments: ["--answer", "-", "--track", "3"], input: "{\"a\":1}", status: 65,
      part: "is no PlaybackInfo answer"),
    Wrong(
      arguments: ["--answer", "/no/such.json", "--track", "3"], status: 66, part: "/no/such.json"),
    Wrong(
      arguments: ["--answer", "-", "--track", "3"], input: "<html>/login</html>", status: 65,
      part: "is neither"),
    Wrong(
      arguments: ["--answer", "-", "--track", "3"], input: "{\u{0}\"\u{0}", status: 65,
      part: "UTF-8"),
    Wrong(
      arguments: ["--answer", "-", "--track", "3", "--direct-play"], status: 64,
      part: "--direct-play goes with --server"),
    Wrong(
      arguments: ["--server", "http://h", "--item", "a", "--track", "3", "--languages", "eng"],
      status: 64, part: "--languages is a preference of Auto"),
    Wrong(
      arguments: [
        "--server", "http://127.0.0.1:1", "--item", "a", "--track", "3", "--ca-file", "/no/ca.pem",
      ], status: 66, part: "/no/ca.pem"),
    Wrong(arguments: ["--vectors", "-"], input: "[]", status: 65, part: "holds no vectors"),
    Wrong(arguments: ["--vectors", "-"], input: "[]x", status: 65, part: "byte 2"),
    Wrong(
      arguments: ["--vectors", "-"], input: "[{\"id\":1}]", status: 65, part: "standard input"),
    Wrong(
      arguments: ["--server", "http://127.0.0.1:1", "--item", "a", "--track", "3"], status: 69,
      part: "127.0.0.1:1"),
  ])
  func `what cannot be is said in one line`(wrong: Wrong) async throws {
    let result = try await ChildProcess.run(
      "env", VerifyRun.signIn + [BuiltProgram.path, "negotiate"] + wrong.arguments,
      input: Array(wrong.input.utf8))
    #expect(result.status == wrong.status, "\(result.errors)")
    #expect(result.errors.contains(wrong.part), "\(result.errors)")
    #expect(result.output.isEmpty)
  }

  @Test func `vectors are run, and a failing one is named`() async throws {
    let vectors =
      #"[{"id":"good","rule":"R9","fn":"isBitmapCodec","input":{"codec":"pgs"},"expected":true},"#
      + #"{"id":"bad","rule":"R9","fn":"isBitmapCodec","input":{"codec":"pgs"},"expected":false},"#
      + #"{"id":"odd","rule":"R9","fn":"noSuchFunction","input":{},"expected":1}]"#
    let result = try await ChildProcess.run(
      BuiltProgram.path, ["negotiate", "--vectors", "-"], input: Array(vectors.utf8))
    let lines = result.text.split(separator: "\n")
    #expect(result.status == 1)
    #expect(lines.count == 3)
    #expect(lines.first?.hasPrefix("bad (R9): expected false, got true") == true)
    #expect(lines.last == "1 of 3 vectors pass")
  }
}
