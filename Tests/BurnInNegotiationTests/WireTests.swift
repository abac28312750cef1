// SPDX-License-Identifier: Apache-2.0
import BurnInNegotiation
import Testing

@Suite("JSON of answers and vectors")
struct WireTests {
  private func parse(_ text: String) throws(WireFault) -> WireValue {
    try WireValue(parsing: Array(text.utf8))
  }

  @Test("is read with its escapes, numbers and blanks")
  func values() throws {
    let table: [(String, WireValue)] = [
      ("null", .null), (" true ", .bool(true)), ("[false]", .array([.bool(false)])),
      ("-1.5e+3", .number("-1.5e+3")), ("0", .number("0")), ("\"\"", .string("")),
      ("[]", .array([])), ("{}", .object([])),
      ("\r\n\t[ 1 , 2 ]", .array([.integer(1), .integer(2)])),
      (#""\u0026\"\\\/\b\f\n\r\t""#, .string("&\"\\/\u{8}\u{C}\n\r\t")),
      (#""\ud83d\ude00 é""#, .string("😀 é")), (#""\ud83d x""#, .string("\u{FFFD} x")),
      (#""\ude00""#, .string("\u{FFFD}")), (#""\ud83d\u0041""#, .string("\u{FFFD}A")),
    ]
    for (text, expected) in table { #expect(try parse(text) == expected, "\(text)") }
  }

  @Test("that is broken is refused with its place and without its content")
  func faults() {
    let table = [
      ("", 0), ("  ", 2), ("[1,]", 3), ("[1", 2), ("{\"hidden\"}", 9), ("{1:2}", 1), ("tru", 0),
      ("nulll", 4), ("1 2", 2), ("01", 0), ("\"hidden", 7), ("\"\u{1}\"", 1), (#""\x""#, 2),
      (#""\u12""#, 3), (#""\u+123""#, 3), ("-", 0), ("1e", 2), ("1.", 2), ("+1", 0), ("[1}", 2),
    ]
    for (text, offset) in table {
      do throws(WireFault) {
        _ = try parse(text)
        Issue.record("\(text) was read")
      } catch {
        #expect(error.offset == offset, "\(text): \(error)")
        #expect(!error.description.contains("hidden"))
      }
    }
  }

  @Test("nested beyond the limit is refused, and up to it is read")
  func nesting() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(throws: Never.self) { try parse(nested(WireValue.nestingLimit)) }
    #expect(throws: WireFault.self) { try parse(nested(WireValue.nestingLimit + 2)) }
    #expect(throws: WireFault.self) { try parse(String(repeating: "{\"a\":[", count: 100_000)) }
  }

  @Test("cut at any byte is refused, and written again is the same")
  func truncation() throws {
    let text = #"{"a":[1,"x\n\"é",{"b":null}],"c":true,"d":-0.5}"#
    let bytes = Array(text.utf8)
    for count in 0..<bytes.count {
      do throws(WireFault) {
        _ = try WireValue(parsing: bytes[..<count])
        Issue.record("a prefix of \(count) bytes was read")
      } catch {
        #expect(error.offset <= count)
      }
    }
    let value = try WireValue(parsing: bytes)
    #expect(try WireValue(parsing: Array(value.description.utf8)) == value)
  }

  @Test("with any byte changed is read or refused")
  func mutation() {
    var seed: UInt64 = 0x5EED
    let original = Array(#"{"MediaSources":[{"Id":"s1","Index":"3","X":1e5}],"E":null}"#.utf8)
    for _ in 0..<5000 {
      var bytes = original
      for _ in 0..<3 {
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        bytes[Int(seed >> 33) % bytes.count] = UInt8(truncatingIfNeeded: seed >> 24)
      }
      if let value = try? WireValue(parsing: bytes) { _ = PlaybackAnswer(json: value) }
    }
  }

  @Test(
    "of an answer is borne in other letter case, with numbers as text and strangers beside them")
  func lenient() throws {
    let answer = PlaybackAnswer(
      json: try parse(
        """
        {"mediasources": [{"ID": "zz"}, {"Id": "5D2E-8f10", "SUPPORTSDIRECTPLAY": "false",
          "TranscodingUrl": "/v/master.m3u8?SubtitleStreamIndex=3\\u0026SubtitleMethod=Encode",
          "TranscodingSubProtocol": "hls", "DefaultSubtitleStreamIndex": "3", "New": [{}],
          "MediaStreams": [{"Index": "3", "type": "SUBTITLE", "Codec": "PGSSUB", "IsForced": 1,
            "DisplayTitle": "English", "Title": null, "Height": null, "DeliveryMethod": "Encode"},
            {"Type": "Lyric"}, 5]}], "PlaySessionId": "p1", "ErrorCode": null}
        """), mediaSourceID: "5d2e8f10")
    #expect(answer.playSessionID == "p1" && answer.errorCode == nil)
    let source = try #require(answer.source)
    #expect(!source.supportsDirectPlay && source.defaultSubtitleStreamIndex == 3)
    #expect(source.streams.count == 3 && source.streams.last?.type == .other)
    let stream = try #require(source.stream(3))
    #expect(stream.isBitmapSubtitle && stream.isForced && stream.title == "English")
    #expect(stream.deliveryMethod == "Encode" && stream.height == nil)
    #expect(Negotiation.judging(answer, track: 3).summary?.outcome == "confirmed")
  }

  @Test(
    "R2: of an answer that lacks the asked source, or everything, is no trap",
    arguments: [
      "{}", "[]", "null", "3", #"{"MediaSources": null}"#, #"{"MediaSources": [3]}"#,
      #"{"MediaSources": [{"Id": "other"}], "PlaySessionId": "p"}"#,
      #"{"MediaSources": {"Id": "s1"}, "PlaySessionId": 5}"#,
    ])
  func missing(text: String) throws {
    let answer = PlaybackAnswer(json: try parse(text), mediaSourceID: "s1")
    #expect(throws: Unplayable.self) { try answer.playable(serverURL: "https://h.test") }
  }

  @Test("gives whole numbers from digits, from text and from 3.0, and from nothing else")
  func integers() {
    let table: [(WireValue, Int?)] = [
      (.number("3"), 3), (.string(" -1 "), -1), (.number("3.0"), 3), (.number("3e2"), 300),
      (.number("3.5"), nil), (.number("1e400"), nil), (.string("three"), nil), (.string(""), nil),
      (.number("9223372036854775807"), .max), (.number("9223372036854775808"), nil),
      (.string("nan"), nil), (.bool(true), nil), (.null, nil),
    ]
    for (value, expected) in table { #expect(value.int == expected, "\(value)") }
  }

  @Test("R1 R12: of a request has its fields, and leaves out what is not set")
  func body() {
    var body = PlaybackInfoBody(
      userID: "u", mediaSourceID: "s", startTimeTicks: BurnIn.ticks(seconds: 90.25),
      audioStreamIndex: 1, maxStreamingBitrate: 4_000_000,
      deviceProfile: .members(["Name": .string("Sample")]))
    #expect(
      body.json.description == """
        {"UserId":"u","MediaSourceId":"s","StartTimeTicks":902500000,"IsPlayback":true,\
        "AutoOpenLiveStream":false,"EnableDirectPlay":true,"EnableDirectStream":true,\
        "EnableTranscoding":true,"SubtitleStreamIndex":-1,"AudioStreamIndex":1,\
        "MaxStreamingBitrate":4000000,"DeviceProfile":{"Name":"Sample"}}
        """)
    body = PlaybackInfoBody().forbiddingCopy()
    #expect(body.json["AllowVideoStreamCopy"]?.bool == false)
    #expect(body.json["EnableDirectPlay"]?.bool == false)
    #expect(body.json["UserId"] == nil && body.json["DeviceProfile"] == nil)
  }
}
