// SPDX-License-Identifier: Apache-2.0
import ReferenceServer
import Testing

struct RouteTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var method = "GET"
    var target: String
    var token: String? = Fixtures.key
    var status: Int
    /// How the body begins.
    var body = ""
    var testDescription: String { "\(method) \(target) \(status)" }
  }

  static let problem404 =
    #"{"type":"https://tools.ietf.org/html/rfc9110#section-15.5.5","title":"Not Found","status":404,"traceId":"#
  static let unknown = "/Items/00000000000000000000000000000001"
  static let segment = "/Videos/\(Fixtures.item)/hls1/main/0.ts?MediaSourceId=\(Fixtures.item)"

  @Test(arguments: [
    Case(target: "/System/Info/Public", token: nil, status: 200, body: #"{"LocalAddress":"#),
    Case(target: "/system/INFO/public/", token: nil, status: 200),
    Case(target: "/emby/System/Info/Public", token: nil, status: 200),
    Case(target: "/System/Info/Public//", token: nil, status: 404),
    Case(method: "POST", target: "/System/Ping", token: nil, status: 200, body: "\""),
    Case(target: "/System/Info", token: nil, status: 401),
    Case(target: "/System/Info", token: "wrong", status: 401),
    Case(target: "/System/Info", status: 200),
    Case(target: "/", token: nil, status: 302),
    Case(target: "/Nowhere", status: 404),
    Case(method: "PUT", target: "/System/Info", status: 405),
    Case(method: "POST", target: "/Videos/\(Fixtures.item)/master.m3u8", status: 405),
    Case(target: "/Users/Me", status: 400, body: #"{"type":"#),
    Case(
      target: "/Users/00000000000000000000000000000001", status: 404, body: "\"User not found\""),
    Case(target: "/Users/x", status: 400, body: #"{"type":"#),
    Case(target: "/UserViews", status: 400, body: "Error processing request."),
    Case(target: "/Items/\(Fixtures.item)", status: 400, body: "Error processing request."),
    Case(target: "/Items?ids=\(Fixtures.item)", status: 200, body: #"{"Items":[{"Name":"Harbour"#),
    Case(target: "/Items?limit=abc", status: 400, body: #"{"type":"#),
    Case(target: "\(unknown)/PlaybackInfo", status: 404, body: problem404),
    Case(target: "/Items/x/PlaybackInfo", status: 400),
    Case(target: "/Items/\(Fixtures.dashedItem)/PlaybackInfo", status: 200),
    Case(target: "/Videos/\(Fixtures.item)/master.m3u8", token: nil, status: 401),
    Case(target: "/Videos/\(Fixtures.item)/master.m3u8", status: 400, body: #"{"type":"#),
    Case(
      target: "/Videos/\(Fixtures.item)/master.m3u8?MediaSourceId=x", status: 500,
      body: "Error processing request."),
    Case(
      target: "/Videos/\(Fixtures.item)/main.m3u8?MediaSourceId=00000000000000000000000000000001",
      status: 400, body: "Error processing request."),
    Case(
      target: "/Videos/00000000000000000000000000000001/main.m3u8", status: 404,
      body: "Error processing request."),
    Case(target: segment, status: 400, body: #"{"type":"#),
    Case(target: segment + "&runtimeTicks=0", status: 400, body: #"{"type":"#),
    Case(
      target: segment + "&runtimeTicks=0&actualSegmentLengthTicks=30000000&StartTimeTicks=7",
      status: 400, body: "Error processing request."),
    Case(method: "DELETE", target: "/Videos/ActiveEncodings?deviceId=a", status: 400),
    Case(
      method: "DELETE", target: "/Videos/ActiveEncodings?deviceId=a&playSessionId=b", status: 204),
    Case(method: "POST", target: "/Sessions/Playing/Ping", status: 400),
    Case(method: "POST", target: "/Sessions/Playing/Ping?playSessionId=x", status: 204),
    Case(method: "POST", target: "/Sessions/Playing/Stopped", status: 204),
    Case(target: "/Sessions", status: 200, body: "["),
  ])
  func `each address answers with its status and shape`(test: Case) async {
    let answer = await Fixtures.service().ask(test.method, test.target, token: test.token)
    #expect(answer.status == test.status)
    #expect(answer.text.hasPrefix(test.body), "\(answer.text)")
    if test.body.isEmpty, test.status == 401 || test.status == 404 { #expect(answer.text.isEmpty) }
  }

  @Test(arguments: [
    ("X-Emby-Token", Fixtures.key), ("X-MediaBrowser-Token", Fixtures.key),
    ("Authorization", "MediaBrowser Token=\(Fixtures.key)"),
    ("Authorization", "Emby Token=\"\(Fixtures.key)\""),
    ("X-Emby-Authorization", "MediaBrowser Client=\"a, b\", Token=\"\(Fixtures.key)\""),
  ])
  func `a token is taken from every header until 10 11`(name: String, value: String) async {
    let request = ServerRequest(
      method: "GET", target: "/System/Info", headers: [(name: name, value: value)])
    #expect(await Fixtures.service().answer(request).status == 200)
    let isModern = value.hasPrefix("MediaBrowser") && name == "Authorization"
    #expect(await Fixtures.service("12.0.0").answer(request).status == (isModern ? 200 : 401))
  }

  @Test(arguments: [("ApiKey", 200), ("api_key", 401)])
  func `a token is taken from the query`(name: String, modern: Int) async {
    let target = "/System/Info?\(name)=\(Fixtures.key)"
    #expect(await Fixtures.service().ask("GET", target, token: nil).status == 200)
    #expect(await Fixtures.service("12.0.0").ask("GET", target, token: nil).status == modern)
  }

  @Test func `names in an Authorization header keep their case`() async {
    let request = ServerRequest(
      method: "GET", target: "/System/Info",
      headers: [("Authorization", "MediaBrowser token=\"\(Fixtures.key)\"")])
    #expect(await Fixtures.service().answer(request).status == 401)
  }

  @Test func `a second sign-in from a device ends the first`() async throws {
    let service = Fixtures.service()
    let first = try await service.signIn().token
    #expect(await service.ask("GET", "/Users/Me", token: first).status == 200)
    let second = try await service.signIn().token
    #expect(await service.ask("GET", "/Users/Me", token: first).status == 401)
    #expect(await service.ask("GET", "/Users/Me", token: second).status == 200)
  }

  @Test(arguments: [
    (#"{"Username":"burnscope","Pw":"wrong"}"#, 401), (#"{"Username":"nobody","Pw":""}"#, 401),
    (#"{"Pw":"x"}"#, 400), ("{", 400),
  ])
  func `a sign-in that fails says so`(body: String, status: Int) async {
    let answer = await Fixtures.service().ask(
      "POST", "/Users/AuthenticateByName", token: nil, body: body)
    #expect(answer.status == status)
  }

  @Test func `routes that came later are missing in old versions`() async throws {
    let service = Fixtures.service("10.8.13")
    let (token, user) = try await service.signIn()
    #expect(await service.ask("GET", "/UserViews", token: token).status == 404)
    #expect(await service.ask("GET", "/Items/\(Fixtures.item)", token: token).status == 404)
    let old = "/Users/\(user)/Items/\(Fixtures.item)"
    #expect(await service.ask("GET", old, token: token).status == 200)
    #expect(await service.ask("GET", "/Users/\(user)/Views", token: token).status == 200)
  }

  @Test func `the log never shows a value of the query`() {
    let request = ServerRequest(
      method: "GET", target: "/Videos/a%0Ab/main.m3u8?ApiKey=secret&x=y\u{7F}&flag")
    let line = RequestLog.line(request, status: 200, milliseconds: 3)
    #expect(line == "GET /Videos/a_b/main.m3u8?ApiKey=…&x=…&flag=… 200 3 ms")
  }

  @Test func `faults answer instead of the server`() async {
    let unauthorized = Fixtures.service(faults: [.unauthorized])
    #expect(await unauthorized.ask("GET", "/System/Info").status == 401)
    #expect(await unauthorized.ask("GET", "/System/Info/Public").status == 200)
    let broken = Fixtures.service(faults: [.error(prefix: "/items", status: 500)])
    #expect(await broken.ask("GET", "/Items").status == 500)
    #expect(await broken.ask("GET", "/Sessions").status == 200)
    let missing = Fixtures.service(faults: [.missingSegment(0)])
    let target = Self.segment + "&runtimeTicks=0&actualSegmentLengthTicks=30000000"
    #expect(await missing.ask("GET", target).status == 503)
  }
}
