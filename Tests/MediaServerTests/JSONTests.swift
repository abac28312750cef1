// SPDX-License-Identifier: Apache-2.0
import MediaServer
import Testing

@Suite("JSON")
struct JSONTests {
  private func parse(_ text: String) throws(JSONFault) -> JSONValue {
    try JSONValue(parsing: Array(text.utf8))
  }

  @Test("is read with its escapes, numbers and blanks")
  func values() throws {
    let table: [(String, JSONValue)] = [
      ("null", .null), (" true ", true), ("[false]", [false]), ("-1.5e3", .number("-1.5e3")),
      ("\"\"", ""), ("[]", []), ("{}", [:]), ("\r\n\t[ 1 , \"a\" ]", [1, "a"]),
      ("{\"a\":{\"b\":[1,2,{}]}}", ["a": ["b": [1, 2, [:]]]]),
      (#""\u0026\"\\\/\b\f\n\r\t""#, "&\"\\/\u{8}\u{C}\n\r\t"),
      (#""\ud83d\ude00 \u00e9 é""#, "😀 é é"), (#""\ud83d x""#, "\u{FFFD} x"),
      (#""\ude00""#, "\u{FFFD}"), (#""\ud83d\u0041""#, "\u{FFFD}A"), ("\u{FEFF}1", 1),
    ]
    for (text, expected) in table { #expect(try parse(text) == expected, "\(text)") }
  }

  @Test("that is broken is refused with its place and without its content")
  func faults() {
    let table = [
      ("", 0), ("  ", 2), ("[1,]", 3), ("[1", 2), ("{\"hidden\"}", 9), ("{1:2}", 1),
      ("{\"a\":1", 6),
      ("tru", 0), ("nulll", 4), ("1 2", 2), ("\"hidden", 7), ("\"\u{1}\"", 1), (#""\x""#, 3),
      (#""\u12""#, 3), (#""\u12g4""#, 3), ("-", 0), ("1e", 0), ("+1", 0), (".5", 0), ("'a'", 0),
      ("[1}", 2), ("\\", 0),
    ]
    for (text, offset) in table {
      do throws(JSONFault) {
        _ = try parse(text)
        Issue.record("\(text) was read")
      } catch {
        #expect(error.offset == offset, "\(text): \(error)")
        #expect(!error.description.contains("hidden"))
      }
    }
  }

  @Test("nested or repeated beyond the limits is refused")
  func limits() {
    let deep = String(repeating: "[", count: 100_000)
    #expect(throws: JSONFault.self) { try parse(deep) }
    #expect(throws: JSONFault.self) { try parse(String(repeating: "{\"a\":", count: 100_000)) }
    let fits = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
    #expect(throws: Never.self) { try parse(fits) }
    let many = "[" + String(repeating: "[],", count: 200_000) + "1]"
    #expect(throws: JSONFault.self) { try parse(many) }
  }

  @Test("cut at any byte is refused")
  func truncation() {
    let bytes = Array(#"{"a":[1,"x\u00e9",{"b":null}],"c":true}"#.utf8)
    for count in 0..<bytes.count {
      #expect(throws: JSONFault.self) { try JSONValue(parsing: Array(bytes[..<count])) }
    }
    #expect(throws: Never.self) { try JSONValue(parsing: bytes) }
  }

  @Test("is looked into leniently")
  func lenience() throws {
    let value = try parse(
      #"{"Index":"3","index2":3.0,"Half":1.5,"IsForced":"True","One":1,"name":"n","Name":"N","x":null}"#
    )
    #expect(value["Index"].integer == 3)
    #expect(value["INDEX"].integer == 3)
    #expect(value["index2"].integer == 3)
    #expect(value["Half"].integer == nil)
    #expect(value["IsForced"].truth == true)
    #expect(value["One"].truth == true)
    #expect(value["name"].text == "n")
    #expect(value["Name"].text == "N")
    #expect(value["x"].isNull)
    #expect(value["missing"]["deeper"].isNull)
    #expect(value["One"].text == "1")
    #expect(value.elements.isEmpty)
    #expect(try parse("99999999999999999999").integer == nil)
    #expect(try parse("1e300").integer == nil)
  }

  @Test("is written so that it is read again")
  func writing() throws {
    let value: JSONValue = ["a \"\\\n\u{1}é": [1, true, .null, "x"], "b": [:]]
    #expect(value.encoded == "{\"a \\\"\\\\\\u000a\\u0001é\":[1,true,null,\"x\"],\"b\":{}}")
    #expect(try parse(value.encoded) == value)
  }
}
