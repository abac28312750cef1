// SPDX-License-Identifier: Apache-2.0
import HTTPTransport
import Synchronization
import TestSupport
import Testing

/// Limits that no well-behaved loopback exchange reaches.
let roomy = HTTPLimits(connect: .seconds(5), total: .seconds(20), body: 1 << 20, redirects: 5)

@Suite("HTTP client")
struct HTTPClientTests {
  @Test("sends method, query, headers and body as given")
  func request() throws {
    let server = try LoopbackServer { request in
      .text("\(request.method) \(request.target) \(String(decoding: request.body, as: UTF8.self))")
    }
    let client = HTTPClient()
    for method in [HTTPMethod.get, .post, .delete] {
      let body: [UInt8]? = method == .post ? Array("{}".utf8) : nil
      let reply = try client.send(
        HTTPRequest(
          method, server.url + "/a%20b?&x=1", headers: [("X-Name", "value"), ("X-Empty", "")],
          body: body, limits: roomy))
      #expect(reply.status == 200)
      #expect(reply.isSuccess)
      #expect(
        String(decoding: reply.body, as: UTF8.self)
          == "\(method.rawValue) /a%20b?&x=1 \(body == nil ? "" : "{}")")
      #expect(reply.header("content-TYPE") == "text/plain")
      #expect(reply.finalURL == server.url + "/a%20b?&x=1")
    }
    for request in server.requests {
      #expect(request.header("X-Name") == "value")
      #expect(request.header("X-Empty") == "")
      #expect(request.header("User-Agent") == "burnscope")
      #expect(request.header("Expect") == nil)
      #expect(request.header("Content-Type") == nil)
    }
  }

  @Test("sends a post without a body with a length of 0")
  func emptyPost() throws {
    let server = try LoopbackServer { _ in .text("") }
    _ = try HTTPClient().send(HTTPRequest(.post, server.url, limits: roomy))
    #expect(server.requests.first?.header("Content-Length") == "0")
  }

  @Test(
    "returns any status as an answer", arguments: [201, 204, 400, 401, 403, 404, 416, 500, 503])
  func statuses(status: Int) throws {
    let server = try LoopbackServer { _ in
      .init(status, headers: [("WWW-Authenticate", "Basic realm=\"x\"")], body: [])
    }
    let reply = try HTTPClient().send(HTTPRequest(.get, server.url, limits: roomy))
    #expect(reply.status == status)
    #expect(reply.isSuccess == (status < 300))
  }

  @Test("asks a head without reading a body, whatever its length")
  func head() throws {
    let server = try LoopbackServer { _ in
      .init(headers: [("Content-Length", "99999999999")], body: [])
    }
    let reply = try HTTPClient().send(HTTPRequest(.head, server.url, limits: roomy))
    #expect(reply.body.isEmpty)
    #expect(reply.header("Content-Length") == "99999999999")
  }

  @Test("asks for byte ranges")
  func ranges() throws {
    let bytes = (0..<100).map { UInt8($0) }
    let server = try LoopbackServer { _ in .init(body: bytes, allowsRanges: true) }
    let reply = try HTTPClient().send(
      HTTPRequest(.get, server.url, range: 10..<20, limits: roomy))
    #expect(reply.status == 206)
    #expect(reply.body == Array(bytes[10..<20]))
    #expect(reply.header("Content-Range") == "bytes 10-19/100")
    let beyond = try HTTPClient().send(
      HTTPRequest(.get, server.url, range: 200..<300, limits: roomy))
    #expect(beyond.status == 416)
  }

  @Test("refuses a whole file where a range was asked for")
  func rangeIgnored() throws {
    let server = try LoopbackServer { _ in .init(body: .init(repeating: 1, count: 3 << 20)) }
    #expect(kind(of: HTTPRequest(.get, server.url, range: 0..<10, limits: roomy)) == .rangeIgnored)
  }

  @Test("reads chunked answers and answers behind 100 Continue")
  func framing() throws {
    let body = (0..<5000).map { UInt8(truncatingIfNeeded: $0) }
    let server = try LoopbackServer { request in
      if request.path == "/continue" {
        let text = "HTTP/1.1 100 Continue\r\nX-Early: 1\r\n\r\nHTTP/1.1 200 OK\r\n\r\nhello"
        return .init(body: Array(text.utf8), delivery: .raw)
      }
      return .init(body: body, delivery: .chunked(isCut: false))
    }
    let client = HTTPClient()
    #expect(try client.send(HTTPRequest(.get, server.url, limits: roomy)).body == body)
    let late = try client.send(HTTPRequest(.get, server.url + "/continue", limits: roomy))
    #expect(late.body == Array("hello".utf8))
    #expect(late.header("X-Early") == nil)
  }

  @Test("uses one connection again for requests in a row")
  func reuse() throws {
    let server = try LoopbackServer { _ in .text("x") }
    let client = HTTPClient()
    for _ in 0..<10 { _ = try client.send(HTTPRequest(.get, server.url, limits: roomy)) }
    #expect(Set(server.requests.map(\.connection)) == [0])
  }

  @Test("sends from many tasks at once")
  func concurrency() async throws {
    let server = try LoopbackServer { request in .text(request.target) }
    let client = HTTPClient()
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<40 {
        group.addTask {
          let reply = try await client.send(
            HTTPRequest(.get, server.url + "/\(number)", limits: roomy))
          return reply.body == Array("/\(number)".utf8)
        }
      }
      for try await isRight in group { #expect(isRight) }
    }
  }
}

@Suite("HTTP redirects")
struct HTTPRedirectTests {
  @Test("are followed, relative and absolute, up to the limit")
  func following() throws {
    let server = try LoopbackServer { request in
      guard let left = Int(request.path.dropFirst()), left > 0 else {
        return .text("end \(request.target)")
      }
      return .redirect("\(left - 1)?a b=\(left)")
    }
    let client = HTTPClient()
    let reply = try client.send(HTTPRequest(.get, server.url + "/5", limits: roomy))
    #expect(reply.body == Array("end /0?a%20b=1".utf8))
    #expect(reply.finalURL == server.url + "/0?a%20b=1")
    #expect(kind(of: HTTPRequest(.get, server.url + "/6", limits: roomy)) == .redirect)
  }

  @Test("that loop are a fault, and with no redirects allowed are an answer")
  func loop() throws {
    let server = try LoopbackServer { _ in .redirect("/?token=hidden") }
    let request = HTTPRequest(.get, server.url, limits: roomy)
    #expect(throws: HTTPFault.self) { try HTTPClient().send(request) }
    #expect(kind(of: request) == .redirect)
    var limits = roomy
    limits.redirects = 0
    let reply = try HTTPClient().send(HTTPRequest(.get, server.url, limits: limits))
    #expect(reply.status == 302)
  }

  @Test(
    "to anything but http are refused by name",
    arguments: ["file:///etc/passwd", "ftp://127.0.0.1/x", "gopher://127.0.0.1", "data:,x"])
  func schemes(target: String) throws {
    let server = try LoopbackServer { _ in .redirect(target) }
    let fault = try #require(faultRaised(by: HTTPRequest(.get, server.url, limits: roomy)))
    #expect(fault.kind == .redirect)
    #expect(fault.description.contains(target.prefix { $0 != ":" }))
  }

  @Test("to another origin drop every credential")
  func credentials() throws {
    let other = try LoopbackServer { _ in .text("other") }
    let server = try LoopbackServer { request in
      request.path == "/same"
        ? .redirect("/end")
        : request.path == "/other" ? .redirect(other.url + "/end") : .text("same")
    }
    let headers = [
      ("Authorization", "t"), ("X-Emby-Token", "t"), ("Cookie", "t"), ("X-MediaBrowser-Token", "t"),
      ("Accept", "t"),
    ]
    for path in ["/same", "/other"] {
      _ = try HTTPClient().send(
        HTTPRequest(.get, server.url + path, headers: headers, limits: roomy))
    }
    func names(_ request: LoopbackServer.Request?) -> Set<String> {
      Set(request?.headers.filter { $0.value == "t" }.map(\.name) ?? [])
    }
    #expect(names(server.requests.last { $0.path == "/end" }) == Set(headers.map(\.0)))
    #expect(names(other.requests.last) == ["Accept"])
  }

  @Test("turn a post into a get, but for 307 and 308")
  func methods() throws {
    let server = try LoopbackServer { request in
      guard let status = Int(request.path.dropFirst()) else { return .text("end") }
      return .redirect("/end", status: status)
    }
    for (status, method, body) in [
      (301, "GET", ""), (302, "GET", ""), (303, "GET", ""), (307, "POST", "{}"),
      (308, "POST", "{}"),
    ] {
      let reply = try HTTPClient().send(
        HTTPRequest(
          .post, server.url + "/\(status)", headers: [("Content-Type", "application/json")],
          body: Array("{}".utf8), limits: roomy))
      #expect(reply.status == 200)
      let last = try #require(server.requests.last)
      #expect(last.method == method)
      #expect(last.body == Array(body.utf8))
      #expect((last.header("Content-Type") == nil) == body.isEmpty)
    }
  }
}

/// The fault that a request ends in; nil when it is answered.
func faultRaised(by request: HTTPRequest, cancellation: (() -> Bool)? = nil) -> HTTPFault? {
  do throws(HTTPFault) {
    _ = try HTTPClient().send(request, cancellation: cancellation)
    return nil
  } catch {
    return error
  }
}

/// The kind of the fault that a request ends in.
func kind(of request: HTTPRequest) -> HTTPFault.Kind? { faultRaised(by: request)?.kind }
