// SPDX-License-Identifier: Apache-2.0
import HTTPTransport
import Testing

@Suite("URL references")
struct URLReferenceTests {
  /// The examples of RFC 3986 section 5.4, seen from http://a/b/c/d;p?q.
  static let examples: [(String, String)] = [
    ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"),
    ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"), ("//g", "http://g"),
    ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q#s"),
    ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"), (";x", "http://a/b/c/;x"),
    ("g;x", "http://a/b/c/g;x"), ("g;x?y#s", "http://a/b/c/g;x?y#s"), ("", "http://a/b/c/d;p?q"),
    (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../", "http://a/b/"),
    ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
    ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"),
    ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."),
    (".g", "http://a/b/c/.g"), ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"),
    ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"),
    ("g/../h", "http://a/b/c/h"), ("g;x=1/./y", "http://a/b/c/g;x=1/y"),
    ("g;x=1/../y", "http://a/b/c/y"), ("g?y/./x", "http://a/b/c/g?y/./x"),
    ("g?y/../x", "http://a/b/c/g?y/../x"), ("g#s/./x", "http://a/b/c/g#s/./x"),
    ("g#s/../x", "http://a/b/c/g#s/../x"), ("http:g", "http:g"),
  ]

  @Test("resolve as the standard's examples do", arguments: examples)
  func resolution(reference: String, expected: String) {
    let base = URLReference("http://a/b/c/d;p?q")
    #expect(URLReference(reference).resolved(against: base).text == expected)
  }

  @Test(
    "resolve a server's playlist lines",
    arguments: [
      (
        "http://h:8096/jf/videos/5d2e/master.m3u8?&DeviceId=a", "main.m3u8?&DeviceId=a",
        "http://h:8096/jf/videos/5d2e/main.m3u8?&DeviceId=a"
      ),
      (
        "http://h/videos/5d2e/main.m3u8?x=/../y", "hls1/main/-1.mp4?x=1&runtimeTicks=0",
        "http://h/videos/5d2e/hls1/main/-1.mp4?x=1&runtimeTicks=0"
      ),
      ("http://h", "main.m3u8", "http://h/main.m3u8"),
      ("https://h/a/b", "//other:1/c", "https://other:1/c"),
      ("http://h/a//b/c", "../d", "http://h/a//d"),
    ])
  func playlistLines(base: String, reference: String, expected: String) {
    #expect(URLReference(reference).resolved(against: URLReference(base)).text == expected)
  }

  @Test("are put together as they came, whatever they hold")
  func roundTrip() {
    let texts = [
      "http://u:p@[::1]:80/a?b?c#d#e", "?", "#", "//", "a:b", "1a:b", ":", "/a:b", "http:", "",
      "http://h?q", "héé/ü", "a b", "http://h:port/x",
    ]
    for text in texts { #expect(URLReference(text).text == text) }
  }

  @Test("tell host and port")
  func hostAndPort() {
    let table: [(String, String?, Int?)] = [
      ("http://Host/", "host", 80), ("https://host", "host", 443),
      ("http://host:8096/", "host", 8096),
      ("http://[::1]:81/", "::1", 81), ("https://[fe80::2]/", "fe80::2", 443),
      ("http://u:p@h:1/", "h", 1), ("http://a@b@h/", "h", 80), ("file:///x", nil, nil),
      ("http:///x", nil, 80), ("http://h:/x", "h", 80), ("http://h:x/", "h", nil), ("x", nil, nil),
    ]
    for (text, host, port) in table {
      #expect(URLReference(text).host == host, "\(text)")
      #expect(URLReference(text).port == port, "\(text)")
    }
  }

  @Test("show neither userinfo nor query nor fragment")
  func redaction() {
    let table = [
      ("http://user:secret@h:1/p?ApiKey=secret#secret", "http://h:1/p"),
      ("http://a@secret@h/p", "http://h/p"), ("/videos/x.m3u8?ApiKey=secret", "/videos/x.m3u8"),
      ("http://h?secret", "http://h"), ("//u:secret@h/p", "//h/p"),
      ("http:/user:secret@h", "a URL without a host (http:)"),
      ("user:secret@h", "a URL without a host (user:)"),
    ]
    for (url, shown) in table {
      #expect(URLReference.redacted(url) == shown)
      #expect("\(URLReference(url))" == shown)
      #expect(String(reflecting: URLReference(url)) == shown)
    }
  }

  @Test("encode only what no URL may hold")
  func encoding() {
    let table = [
      ("/a b|c", "/a%20b%7Cc"), ("/a%20b", "/a%20b"), ("/100%", "/100%25"), ("%zz", "%25zz"),
      ("/ü?x=\"1\"", "/%C3%BC?x=%221%22"), ("a=,%20b", "a=,%20b"), ("\u{0}\n", "%00%0A"),
      ("http://[::1]:80/?&a=b#c", "http://[::1]:80/?&a=b#c"), ("", ""),
    ]
    for (text, expected) in table {
      #expect(URLReference.encodingIllegalCharacters(in: text) == expected)
    }
    #expect(URLReference.encodingComponent("a b&c=ü/~-._") == "a%20b%26c%3D%C3%BC%2F~-._")
  }

  @Test("compare origins by scheme, host and port")
  func origins() {
    let base = URLReference("http://h/a")
    #expect(URLReference("HTTP://H:80/b").hasSameOrigin(as: base))
    #expect(!URLReference("https://h/a").hasSameOrigin(as: base))
    #expect(!URLReference("http://h:81/a").hasSameOrigin(as: base))
    #expect(!URLReference("http://h.example/a").hasSameOrigin(as: base))
  }
}
