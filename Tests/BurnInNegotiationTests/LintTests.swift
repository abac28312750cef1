// SPDX-License-Identifier: Apache-2.0
import BurnInNegotiation
import Testing

/// What shows a finding, and what nearly does.
struct LintCase: Sendable, CustomStringConvertible {
  var code: LintFinding.Code
  var finding: [LintFacts]
  var clean: [LintFacts]

  var description: String { code.rawValue }
}

@Suite("URL lint")
struct LintTests {
  private static let path = "/videos/i1/master.m3u8?DeviceId=d&MediaSourceId=s1&PlaySessionId=p2"
  private static let good = path + "&SubtitleStreamIndex=3&SubtitleMethod=Encode"

  private static func facts(
    _ url: String, _ track: Int? = 3, _ server: ServerKind? = .jellyfin,
    serverURL: String? = Film.server, asWritten: String? = nil, answer: PlaybackAnswer? = nil,
    first: PlaybackAnswer? = nil, body: PlaybackInfoBody? = nil
  ) -> LintFacts {
    LintFacts(
      url: url, track: track, server: server, serverURL: serverURL, asWritten: asWritten,
      answer: answer, firstAnswer: first, body: body)
  }

  private static func answer(
    session: String = "p2", subProtocol: String? = "hls", echo: Int? = 3
  ) -> PlaybackAnswer {
    PlaybackAnswer(
      playSessionID: session,
      source: .init(
        transcodingURL: good, transcodingSubProtocol: subProtocol,
        defaultSubtitleStreamIndex: echo, streams: Film.streams))
  }

  private static let segment =
    "/videos/i1/hls1/main/4.ts?SubtitleStreamIndex=3&SubtitleMethod=Encode"
  private static let timed = segment + "&runtimeTicks=120000000&actualSegmentLengthTicks=30000000"

  private static let cases: [LintCase] = [
    LintCase(
      code: .methodMissing,
      finding: [
        facts(path + "&SubtitleStreamIndex=3"),
        facts(path + "&SubtitleStreamIndex=3&SubtitleMethod="),
      ],
      clean: [
        facts(good),
        facts(path + "&SubtitleStreamIndex=3&alwaysBurnInSubtitleWhenTranscoding=true"),
      ]),
    LintCase(
      code: .methodDoubled,
      finding: [facts(good + "&SubtitleMethod=Encode"), facts(good + "&subtitlemethod=")],
      clean: [facts(good), facts(good + "&XSubtitleMethod=Encode")]),
    LintCase(
      code: .methodContradicts, finding: [facts(good + "&SubtitleMethod=Hls")],
      clean: [facts(good), facts(good + "&SubtitleMethod=ENCODE")]),
    LintCase(
      code: .methodNotEncode,
      finding: [facts(path + "&SubtitleStreamIndex=3&SubtitleMethod=Embed")],
      clean: [facts(good), facts(path + "&SubtitleStreamIndex=3&SubtitleMethod=encode")]),
    LintCase(
      code: .encodeWithoutIndex, finding: [facts(path + "&SubtitleMethod=Encode")],
      clean: [facts(good), facts(path), facts(path + "&SubtitleMethod=Encode", nil)]),
    LintCase(
      code: .indexMissing, finding: [facts(path)],
      clean: [facts(good), facts(path, nil), facts(path + "&SubtitleMethod=Encode")]),
    LintCase(
      code: .indexDoubled, finding: [facts(good + "&SubtitleStreamIndex=3")],
      clean: [facts(good), facts(good + "&SubtitleStreamIndexes=3")]),
    LintCase(
      code: .indexContradicts, finding: [facts(good + "&SubtitleStreamIndex=4")],
      clean: [facts(good), facts(good + "&subtitlestreamindex=3")]),
    LintCase(
      code: .indexOfAnotherStream,
      finding: [facts(good, 4), facts(path + "&SubtitleStreamIndex=30&SubtitleMethod=Encode")],
      clean: [facts(good), facts(good + "&AudioStreamIndex=1")]),
    LintCase(
      code: .indexMalformed,
      finding: [
        facts(path + "&SubtitleStreamIndex=three&SubtitleMethod=Encode"),
        facts(path + "&SubtitleStreamIndex=&SubtitleMethod=Encode"),
      ], clean: [facts(good), facts(path)]),
    LintCase(
      code: .indexUnwanted, finding: [facts(good, nil, .emby)],
      clean: [facts(path, nil), facts(path + "&SubtitleStreamIndex=-1", nil), facts(good)]),
    LintCase(
      code: .streamUnknown,
      finding: [facts(good, 9, answer: answer()), facts(good, 1, answer: answer())],
      clean: [facts(good, answer: answer()), facts(good)]),
    LintCase(
      code: .copyAllowed,
      finding: [
        facts(good, 3, .emby), facts(good + "&EnableAutoStreamCopy=true", 3, .emby),
        facts(path + "&SubtitleStreamIndex=3&alwaysBurnInSubtitleWhenTranscoding=true"),
        facts(path + "&SubtitleStreamIndex=3&allowVideoStreamCopy=true"),
      ],
      clean: [
        facts(good), facts(good + "&EnableAutoStreamCopy=false", 3, .emby),
        facts(path + "&SubtitleStreamIndex=3&allowVideoStreamCopy=false"), facts(path, nil, .emby),
      ]),
    LintCase(
      code: .sessionReused,
      finding: [
        facts(good, answer: answer(session: "P1"), first: answer(session: "p1")),
        facts(good, first: answer(session: "p2")),
      ], clean: [facts(good, answer: answer(), first: answer(session: "p1")), facts(good)]),
    LintCase(
      code: .sessionContradicts, finding: [facts(good, answer: answer(session: "p9"))],
      clean: [facts(good, answer: answer(session: "P2")), facts(good)]),
    LintCase(
      code: .tokenInQuery,
      finding: [
        "api_key", "ApiKey", "X-Emby-Token", "x-mediabrowser-token", "access_token", "%61pikey",
      ]
      .map { facts(good + "&\($0)=hidden") },
      clean: [facts(good), facts(good + "&api_key="), facts(good + "&Tag=api_key")]),
    LintCase(
      code: .runtimeTicksAltered,
      finding: [
        facts(timed.replacing("120000000", with: "90000000"), asWritten: timed),
        facts(segment, asWritten: timed),
      ],
      clean: [
        facts(timed, asWritten: timed), facts(timed), facts(timed + "&A=1", asWritten: timed),
      ]),
    LintCase(
      code: .segmentTicksMissing,
      finding: [
        facts(segment + "&runtimeTicks=5"), facts(segment + "&actualSegmentLengthTicks=5"),
      ],
      clean: [facts(timed), facts(segment), facts(good)]),
    LintCase(
      code: .notHLS,
      finding: [
        facts(good, answer: answer(subProtocol: "http")),
        facts("/videos/i1/stream?SubtitleStreamIndex=3&SubtitleMethod=Encode"),
      ],
      clean: [
        facts(good), facts(timed), facts(good, answer: answer(subProtocol: nil)),
        facts(good, answer: answer(subProtocol: "HLS")),
      ]),
    LintCase(
      code: .absoluteURL,
      finding: [facts(Film.server + good), facts("https://x.test" + good, serverURL: nil)],
      clean: [facts(good), facts("https://x.test" + good)]),
    LintCase(
      code: .foreignOrigin,
      finding: [
        facts("https://x.test" + good), facts("//x.test" + good),
        facts("http://media.example.test" + good),
        facts("https://u@media.example.test" + good),
      ], clean: [facts(good), facts(Film.server + good), facts(Film.server + ":443" + good)]),
    LintCase(
      code: .reasonsMixed, finding: [facts(good + "&TranscodeReasons=A,B,%20C")],
      clean: [
        facts(good), facts(good + "&TranscodeReasons=A,B,C"),
        facts(good + "&TranscodeReasons=A,%20B,%20C"),
        facts(good + "&TranscodeReasons=A"),
      ]),
    LintCase(
      code: .startTimeOnHLS, finding: [facts(good + "&StartTimeTicks=5")],
      clean: [
        facts(good), facts(good + "&StartTimeTicks=0"), facts(good + "&StartTimeTicks=5", 3, .emby),
      ]),
    LintCase(
      code: .directStreamDisabled, finding: [facts(good + "&EnableDirectStream=false", 3, .emby)],
      clean: [
        facts(good, 3, .emby), facts(good + "&EnableDirectStream=true", 3, .emby),
        facts(good + "&EnableDirectStream=false"),
      ]),
    LintCase(
      code: .manifestSubtitles, finding: [facts(good + "&ManifestSubtitles=vtt", 3, .emby)],
      clean: [facts(good), facts(path + "&ManifestSubtitles=vtt", nil)]),
    LintCase(
      code: .echoDiffers,
      finding: [facts(good, answer: answer(echo: -1)), facts(good, answer: answer(echo: 4))],
      clean: [facts(good, answer: answer()), facts(good, answer: answer(echo: nil))]),
    LintCase(
      code: .sourceNotSent,
      finding: [facts(good, body: PlaybackInfoBody(userID: "u").asking(forSubtitle: 3))],
      clean: [
        facts(good, body: PlaybackInfoBody(userID: "u")),
        facts(good, body: PlaybackInfoBody(mediaSourceID: "s").asking(forSubtitle: 3)),
      ]),
    LintCase(
      code: .illegalCharacters,
      finding: [facts(good + "&Tag=a b"), facts(good + "&P=a|b"), facts(good + "&T=é")],
      clean: [facts(good + "&Tag=a%20b"), facts(good)]),
  ]

  @Test("R10: finds what is there, and nothing that only looks like it", arguments: cases)
  func findings(_ row: LintCase) {
    for facts in row.finding {
      let codes = BurnIn.lint(facts).map(\.code)
      #expect(codes.contains(row.code), "\(facts.url): \(codes)")
      #expect(Set(codes).count == codes.count)
    }
    for facts in row.clean {
      #expect(!BurnIn.lint(facts).map(\.code).contains(row.code), "\(facts.url)")
    }
  }

  @Test("has a case for every code")
  func complete() {
    #expect(Set(Self.cases.map(\.code)) == Set(LintFinding.Code.allCases))
  }

  @Test("has nothing to say about URLs as servers write them, the ?& of Jellyfin 10.11 among them")
  func legal() {
    let urls = [
      Self.good, Self.good.replacing("?", with: "?&"),
      Self.good + "&TranscodeReasons=VideoBitrateNotSupported,AudioCodecNotSupported"
        + "&allowVideoStreamCopy=false",
    ]
    for url in urls { #expect(BurnIn.lint(Self.facts(url)).isEmpty, "\(url)") }
    #expect(BurnIn.lint(Self.facts(Self.good + "&EnableAutoStreamCopy=false", 3, .emby)).isEmpty)
  }

  @Test("never repeats a value of the query")
  func secrets() {
    for row in Self.cases {
      for facts in row.finding {
        for name in [
          "api_key", "PlaySessionId", "SubtitleMethod", "SubtitleStreamIndex", "DeviceId",
        ] {
          var facts = facts
          facts.url += "&\(name)=HIDDEN"
          for finding in BurnIn.lint(facts) {
            #expect(!finding.description.lowercased().contains("hidden"))
            #expect(!finding.sentence.isEmpty && finding.sentence.hasSuffix("."))
            #expect(!finding.source.isEmpty)
          }
        }
      }
    }
  }

  @Test("bears nonsense")
  func nonsense() {
    for url in [
      "", "?", "?&&&=", "%", "?%=%&%zz", "://", "http://", "#?SubtitleStreamIndex=3", "\u{0}",
    ] {
      _ = BurnIn.lint(Self.facts(url))
      _ = BurnIn.lint(Self.facts(url, nil, nil, serverURL: url, asWritten: url))
    }
  }
}
