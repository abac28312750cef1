// SPDX-License-Identifier: Apache-2.0
import ReferenceServer
import Testing

struct JSONTests {
  @Test func `members keep their order and those without a value are left out`() {
    let value = JSON.fields(["b": 1, "a": nil, "c": .null, "d": .object([])])
    #expect(value.serialized == #"{"b":1,"c":null,"d":{}}"#)
  }

  @Test(arguments: [
    (JSON.string("a&b"), #""a\u0026b""#),
    (.string("\"<é>'+`\\"), ##""\u0022\u003C\u00E9\u003E\u0027\u002B\u0060\\""##),
    (.string("\n\t\u{1}\u{7F}/"), #""\n\t\u0001\u007F/""#), (.string("😀"), #""\uD83D\uDE00""#),
    (.number(41), "41"), (.float(23.976025), "23.976025"), (.number(120.5), "120.5"),
    (.number(.infinity), "0"), (.bool(false), "false"), (.array([1, "x"]), #"[1,"x"]"#),
  ])
  func `values are written as the server writes them`(value: JSON, text: String) {
    #expect(value.serialized == text)
  }

  @Test func `what is written can be read`() throws {
    let value = JSON.fields([
      "text": "ü \" \\ \u{1F600} \n", "numbers": [0, -1, .number(0.25)], "flags": [true, false],
      "nothing": .null, "deep": .array([.array([.object([])])]),
    ])
    #expect(try JSON(parsing: Array(value.serialized.utf8)) == value)
  }

  @Test func `every proper prefix of a text is refused at an offset within it`() throws {
    let text = Array(#"{"a":[1.5e3,true,null,"x\u00e9\n"],"b":{"c":-7}}"#.utf8)
    _ = try JSON(parsing: text)
    for count in 0..<text.count {
      let fault = #expect(throws: JSONFault.self) { try JSON(parsing: Array(text[..<count])) }
      #expect((fault?.offset ?? Int.max) <= count)
    }
  }

  @Test(arguments: [
    "", "nul", "[1,]", "{\"a\"}", "{a:1}", "1 2", "\"\u{1}\"", #""\x""#, #""\u12G4""#, "--1", "[",
    #""\u-123""#, "1e999",
  ])
  func `damaged texts are refused`(text: String) {
    #expect(throws: JSONFault.self) { try JSON(parsing: Array(text.utf8)) }
  }

  @Test func `values nested too deeply are refused`() throws {
    func nested(_ depth: Int) -> [UInt8] {
      Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
    }
    _ = try JSON(parsing: nested(JSON.depthLimit))
    #expect(throws: JSONFault.self) { try JSON(parsing: nested(JSON.depthLimit + 2)) }
    #expect(throws: JSONFault.self) { try JSON(parsing: nested(100_000)) }
  }

  @Test func `names are found whatever their case`() throws {
    let value = try JSON(parsing: Array(#"{"MaxStreamingBitrate":"20"}"#.utf8))
    #expect(value["maxstreamingbitrate"]?.whole == 20)
  }
}
