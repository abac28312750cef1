// SPDX-License-Identifier: Apache-2.0
import HTTPTransport
import Synchronization
import TestSupport
import Testing

@Suite("HTTP faults")
struct HTTPFaultTests {
  static let body = [UInt8](repeating: 7, count: 5000)

  /// What a server may do wrong, and the fault it is.
  static let misdeeds: [(String, LoopbackServer.Answer, HTTPFault.Kind)] = [
    ("hang", .init(delivery: .hang), .timeout),
    ("hang behind the headers", .init(body: body, delivery: .hangAfterHeaders), .timeout),
    ("drip", .init(body: body, delivery: .drip(milliseconds: 20)), .timeout),
    ("slow headers", .init(body: body, delivery: .dripHead(milliseconds: 20)), .timeout),
    ("cut body", .init(body: body, delivery: .cut(after: 100)), .truncated),
    ("cut before the body", .init(body: body, delivery: .cut(after: 0)), .truncated),
    ("cut chunks", .init(body: body, delivery: .chunked(isCut: true)), .truncated),
    ("closed", .init(delivery: .closed), .unreachable),
    (
      "a length too large",
      .init(headers: [("Content-Length", "6000")], body: body, delivery: .cut(after: 5000)),
      .truncated
    ),
    ("endless", .init(body: body, delivery: .endless), .tooLarge(limit: 100_000)),
    (
      "a huge length", .init(headers: [("Content-Length", "9000000000000000000")], body: body),
      .tooLarge(limit: 100_000)
    ),
    (
      "endless headers",
      .init(headers: (0..<400).map { ("X-\($0)", String(repeating: "x", count: 1000)) }),
      .tooLarge(limit: 262_144)
    ),
    ("no HTTP", .init(body: Array("hello\r\n\r\n".utf8), delivery: .raw), .malformed),
    ("a redirect to a file", .redirect("file:///etc/passwd?hidden-token"), .redirect),
    ("a redirect loop", .redirect("/?ApiKey=hidden-token"), .redirect),
  ]

  @Test("are told apart, in time and without any secret", arguments: misdeeds.map(\.0))
  func misdeed(name: String) throws {
    let row = try #require(Self.misdeeds.first { $0.0 == name })
    let server = try LoopbackServer { _ in row.1 }
    let limits = HTTPLimits(
      connect: .seconds(5), total: .milliseconds(400), body: 100_000, redirects: 3)
    let request = HTTPRequest(
      .get,
      "http://hidden-user:hidden-password@127.0.0.1:\(server.port)/place?ApiKey=hidden-token",
      headers: [("Authorization", "MediaBrowser Token=\"hidden-token\"")], limits: limits)
    let start = ContinuousClock.now
    let fault = try #require(faultRaised(by: request))
    #expect(fault.kind == row.2, "\(fault)")
    #expect(ContinuousClock.now - start < .seconds(9))
    for text in ["\(fault)", String(reflecting: fault), "\(request)", String(reflecting: request)] {
      #expect(!text.contains("hidden"))
      #expect(text.contains("http://127.0.0.1:\(server.port)/"))
    }
  }

  @Test("of an unreachable host name it and are quick")
  func unreachable() throws {
    let server = try LoopbackServer { _ in .text("") }
    let port = server.port
    server.stop()
    // A name of the reserved .invalid zone never resolves.
    for host in ["127.0.0.1:\(port)", "no-such-host.invalid"] {
      let limits = HTTPLimits(
        connect: .milliseconds(500), total: .seconds(5), body: 100, redirects: 0)
      let request = HTTPRequest(.get, "http://\(host)/?t=hidden-token", limits: limits)
      // The listener may live a moment longer than the call to stop it.
      var found: HTTPFault?
      for _ in 0..<200 where found == nil { found = faultRaised(by: request) }
      let fault = try #require(found)
      #expect(fault.kind == .unreachable)
      #expect(fault.host == host.prefix { $0 != ":" })
      #expect(!"\(fault)".contains("hidden"))
    }
  }

  @Test("of a TLS handshake that never ends come at the connection's deadline")
  func handshake() throws {
    let server = try LoopbackServer { _ in .init(delivery: .hang) }
    let limits = HTTPLimits(
      connect: .milliseconds(300), total: .seconds(10), body: 100, redirects: 0)
    let start = ContinuousClock.now
    let url = "https://127.0.0.1:\(server.port)/"
    let fault = try #require(faultRaised(by: HTTPRequest(.get, url, limits: limits)))
    #expect(fault.kind == .unreachable)
    #expect(fault.reason == "no connection within 0.3 s")
    #expect(ContinuousClock.now - start < .seconds(9))
  }

  @Test(
    "refuse URLs that must not be sent",
    arguments: [
      "", "/relative", "file:///etc/passwd", "ftp://127.0.0.1/", "http://", "http:///x", "http:x",
      "http://127.0.0.1:99999/", "http://127.0.0.1/a b", "http://127.0.0.1/a\r\nX: y",
      "http://127.0.0.1/a\u{0}b", "http://127.0.0.1/ü", "http://[::1", "http://127.0.0.1:x/",
    ])
  func urls(url: String) {
    #expect(kind(of: HTTPRequest(.get, url, limits: roomy)) == .invalidRequest)
  }

  @Test("refuse headers with line breaks and nonsense ranges")
  func headers() {
    let url = "http://127.0.0.1:9/"
    for header in [("A", "x\r\nB: y"), ("A", "x\u{0}"), ("A\n", "x"), ("", "x"), ("A:", "x")] {
      let request = HTTPRequest(.get, url, headers: [header], limits: roomy)
      #expect(kind(of: request) == .invalidRequest)
    }
    for range in [Int64(5)..<5, -4..<10] {
      #expect(kind(of: HTTPRequest(.get, url, range: range, limits: roomy)) == .invalidRequest)
    }
    let long = url + String(repeating: "x", count: 70_000)
    #expect(kind(of: HTTPRequest(.get, long, limits: roomy)) == .invalidRequest)
  }

  @Test("of a body exactly at its limit do not exist")
  func exactLimit() throws {
    for delivery in [LoopbackServer.Delivery.whole, .chunked(isCut: false)] {
      let server = try LoopbackServer { _ in .init(body: Self.body, delivery: delivery) }
      var limits = roomy
      limits.body = 5000
      #expect(
        try HTTPClient().send(HTTPRequest(.get, server.url, limits: limits)).body == Self.body)
      limits.body = 4999
      #expect(kind(of: HTTPRequest(.get, server.url, limits: limits)) == .tooLarge(limit: 4999))
    }
  }
}

@Suite("HTTP cancellation")
struct HTTPCancellationTests {
  static let deliveries: [(String, LoopbackServer.Answer)] = [
    ("before the answer", .init(delivery: .hang)),
    ("in the headers", .init(body: [1], delivery: .dripHead(milliseconds: 20))),
    ("behind the headers", .init(body: [1], delivery: .hangAfterHeaders)),
    (
      "in a dripping body",
      .init(body: .init(repeating: 1, count: 10_000), delivery: .drip(milliseconds: 5))
    ),
    ("in an endless body", .init(body: [1, 2, 3], delivery: .endless)),
  ]

  @Test("by flag ends a transfer within a fraction of a second", arguments: deliveries.map(\.0))
  func byFlag(name: String) throws {
    let row = try #require(Self.deliveries.first { $0.0 == name })
    let server = try LoopbackServer { _ in row.1 }
    var limits = roomy
    limits.body = 1 << 30
    let start = ContinuousClock.now
    let fault = try #require(
      faultRaised(by: HTTPRequest(.get, server.url, limits: limits)) {
        ContinuousClock.now - start > .milliseconds(100)
      })
    #expect(fault.kind == .cancelled)
    #expect(ContinuousClock.now - start < .seconds(15))
  }

  @Test("before the start sends nothing")
  func before() throws {
    let server = try LoopbackServer { _ in .text("") }
    #expect(
      faultRaised(by: HTTPRequest(.get, server.url, limits: roomy)) { true }?.kind == .cancelled)
    #expect(server.requests.isEmpty)
  }

  @Test("of the task ends a transfer with a cancellation error")
  func byTask() async throws {
    let (started, signal) = AsyncStream<Void>.makeStream()
    let server = try LoopbackServer { _ in
      signal.yield()
      return .init(delivery: .hang)
    }
    let client = HTTPClient()
    let task = Task { try await client.send(HTTPRequest(.get, server.url, limits: roomy)) }
    for await _ in started { break }
    // Were it not ended, the deadline would end it, with another error.
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    // The client stays usable.
    let other = try LoopbackServer { _ in .text("x") }
    #expect(try await client.send(HTTPRequest(.get, other.url, limits: roomy)).status == 200)
  }
}
