// SPDX-License-Identifier: Apache-2.0
import Glibc
import ReferenceServer
import TestSupport
import Testing

/// Recording exchanges, without a secret in any of them, and giving them back.
struct RecordingTests {
  static let secret = "5d41402abc4b2a76b9719d911017c592"

  @Test(arguments: [
    ("/Items?api_key=\(secret)&x=1", "/Items?api_key=TOKEN&x=1"),
    ("/Items?&DeviceId=a&ApiKey=\(secret)", "/Items?&DeviceId=a&ApiKey=TOKEN"),
    ("/Items?api%5Fkey=\(secret)", "/Items?api%5Fkey=TOKEN"),
    ("/Items?X-Emby-Token=\(secret)", "/Items?X-Emby-Token=TOKEN"),
    ("/Users/x?Pw=a&password=b", "/Users/x?Pw=PASSWORD&password=PASSWORD"),
    ("/x?u=http%3A%2F%2Fh%2F%3Fapi_key%3D\(secret)", "/x?u=http%3A%2F%2Fh%2F%3Fapi_key%3DTOKEN"),
    (
      "/x?SubtitleStreamIndex=2&TranscodeReasons=A,B",
      "/x?SubtitleStreamIndex=2&TranscodeReasons=A,B"
    ),
    ("/a/\(secret)/b?c=\(secret)&d", "/a/TOKEN/b?c=TOKEN&d"), ("/x?=&&a", "/x?=&&a"),
    ("/Users/x/Password/hunter2/y", "/Users/x/Password/PASSWORD/y"),
    ("/Users/x/Password//hunter2?a=b", "/Users/x/Password//PASSWORD?a=b"),
    ("/Auth/Keys/0123abcd", "/Auth/Keys/TOKEN"), ("/Auth/Keys?a=b", "/Auth/Keys?a=b"),
    ("/Users/x/Password", "/Users/x/Password"), ("/api%5Fkey/abc", "/api%5Fkey/TOKEN"),
  ])
  func `secrets of an address`(target: String, clean: String) {
    #expect(Redaction(known: [Self.secret]).target(target) == clean)
  }

  @Test(arguments: [
    ("X-Emby-Token", "abc", "TOKEN"), ("x-mediabrowser-token", "abc", "TOKEN"),
    ("Authorization", "Bearer abc", "TOKEN"), ("Authorization", "abc", "TOKEN"),
    ("Cookie", "a=b", "TOKEN"), ("Accept", "a=b", "a=b"),
    (
      "Authorization", "MediaBrowser Client=\"c\", Token=\"abc\", DeviceId=d",
      "MediaBrowser Client=\"c\", DeviceId=\"d\", Token=\"TOKEN\""
    ),
    ("X-Emby-Authorization", "Emby Token=abc,Client=c", "Emby Client=\"c\", Token=\"TOKEN\""),
    ("Referer", "http://h/?a=1&ApiKey=abc", "http://h/?a=1&ApiKey=TOKEN"),
    ("Location", "/web/?token=abc&b=2", "/web/?token=TOKEN&b=2"),
  ])
  func `secrets of a header`(name: String, value: String, clean: String) {
    #expect(Redaction(known: []).header(name, value) == clean)
  }

  @Test func `secrets of a body keep their place and what is no secret its value`() throws {
    let body = """
      {"Username":"ann","Pw":"hunter2","AccessToken":"abc","HasPassword":true,"Pin":1234,
      "Token":["a",{"b":"c"}],"PasswordResetProviderId":"x","TranscodingUrl":
      "/v/m.m3u8?A=1&api_key=abc&B=2","Password":null,"Deep":[{"newPassword":"n"}],
      "Text":"the \(Self.secret) itself","Inner":"{\\"Pw\\":\\"x\\",\\"a\\":1}",
      "Address":"see http://ann:hunter2@host:80/x and http://host/a@b:c","List":"[1, 2]"}
      """
    let clean = """
      {"Username":"ann","Pw":"PASSWORD","AccessToken":"TOKEN","HasPassword":true,"Pin":"PASSWORD",
      "Token":["TOKEN",{"b":"TOKEN"}],"PasswordResetProviderId":"x","TranscodingUrl":
      "/v/m.m3u8?A=1&api_key=TOKEN&B=2","Password":null,"Deep":[{"newPassword":"PASSWORD"}],
      "Text":"the TOKEN itself","Inner":"{\\"Pw\\":\\"PASSWORD\\",\\"a\\":1}",
      "Address":"see http://ann:PASSWORD@host:80/x and http://host/a@b:c","List":"[1, 2]"}
      """
    let value = Redaction(known: [Self.secret]).json(try JSON(parsing: Array(body.utf8)))
    #expect(try value == JSON(parsing: Array(clean.utf8)))
  }

  @Test func `a playlist keeps all but the token`() {
    let text = "#EXTM3U\nmain.m3u8?A=1&ApiKey=abc&B=2\nURI=\"x?api_key=abc\",C=\"d\"\n"
    #expect(
      Redaction(known: []).text(text)
        == "#EXTM3U\nmain.m3u8?A=1&ApiKey=TOKEN&B=2\nURI=\"x?api_key=TOKEN\",C=\"d\"\n")
  }

  /// Signs in, looks around, negotiates and reads the playlists, in each dialect, recorded.
  private func record(_ name: String, in folder: String) async throws -> [String] {
    let service = Fixtures.service(name)
    let recorder = try Recorder(folder: folder, secrets: [Fixtures.key])
    var secrets = [Fixtures.key, "hunter2secret"]
    func ask(
      _ method: String, _ target: String, token: String?, _ body: String? = nil
    ) async -> ServerResponse {
      var headers = [
        (
          name: "X-Emby-Authorization",
          value: Service.client + (token.map { ", Token=\($0)" } ?? "")
        ),
        ("Content-Type", "application/json"), ("Cookie", "session=hunter2secret"),
      ]
      if let token { headers.append(("Authorization", "MediaBrowser Token=\"\(token)\"")) }
      let request = ServerRequest(
        method: method, target: target, headers: headers, body: Array((body ?? "").utf8))
      let answer = await service.answer(request)
      recorder.note(request, answer)
      return answer
    }
    let bad = #"{"Username":"burnscope","Pw":"hunter2secret"}"#
    _ = await ask("POST", "/Users/AuthenticateByName", token: nil, bad)
    _ = await ask("POST", "/Users/AuthenticateByName", token: nil, String(bad.dropLast()))
    let (token, user) = try await service.signIn()
    let good = #"{"Username":"burnscope","Pw":"burnscope"}"#
    let answer = await service.ask("POST", "/Users/AuthenticateByName", token: nil, body: good)
    let fresh = try #require(try answer.json()["AccessToken"]?.text)
    recorder.note(
      ServerRequest(method: "POST", target: "/Users/AuthenticateByName", body: Array(good.utf8)),
      answer)
    secrets += [token, fresh]
    let film = Fixtures.probed(version: name)
    _ = await ask("GET", "/System/Info?api_key=\(fresh)&ApiKey=\(fresh)", token: nil)
    _ = await ask("GET", "/Items?recursive=true&limit=\(fresh)", token: fresh)
    let body = """
      {"UserId":"\(user)","MediaSourceId":"\(film.sourceID)","SubtitleStreamIndex":2,
      "EnableDirectPlay":false,\(NegotiationTests.burningProfile)}
      """
    let info = try await ask("POST", "/Items/\(film.id)/PlaybackInfo", token: fresh, body).json()
    let url = try #require(info["MediaSources"]?.elements.first?["TranscodingUrl"]?.text)
    _ = await ask("GET", url, token: fresh)
    _ = await ask("GET", url.replacing("master", with: "main"), token: fresh)
    _ = await ask("GET", "/Sessions", token: Fixtures.key)
    return secrets
  }

  @Test(arguments: ["jellyfin-10.8", "jellyfin-10.11", "jellyfin-12", "emby-4.9"])
  func `no secret is in any file, and the files tell the exchange`(name: String) async throws {
    let folder = try TemporaryFolder()
    let place = folder.file("record")
    let secrets = try await record(name, in: place)
    let names = try folder.names(in: "record")
    #expect(names == (1...9).map { "00000\($0).json" })
    for file in names {
      let text = String(decoding: try folder.read("record/" + file), as: UTF8.self)
      for secret in secrets { #expect(!text.contains(secret), "\(file) \(text.prefix(400))") }
      #expect(!text.contains("\"burnscope\",\"Pw\":\"burnscope\""))
      let json = try JSON(parsing: Array(text.utf8))
      #expect(json["request"]?["method"] != nil)
      #expect(json["response"]?["status"] != nil)
    }
    let first = try JSON(parsing: try folder.read("record/000001.json"))
    #expect(first["request"]?["path"] == "/Users/AuthenticateByName")
    #expect(first["request"]?["body"]?["Pw"] == "PASSWORD")
    // Version 12 does not look at the header that says who asks.
    #expect(first["response"]?["status"] == (name == "jellyfin-12" ? 400 : 401))
    let exchanges = try Recording.exchanges(in: place)
    #expect(exchanges.count == 9)
  }

  @Test func `files that are there stay as they are`() throws {
    let folder = try TemporaryFolder()
    let kept = Array("mine".utf8)
    for name in ["000001.json", "000003.json"] { _ = try folder.write(kept, to: name) }
    let recorder = try Recorder(folder: folder.path, secrets: [])
    for number in 1...3 {
      recorder.note(
        ServerRequest(method: "GET", target: "/\(number)"), ServerResponse(status: 204))
    }
    #expect(recorder.fault == nil)
    #expect(
      try folder.names(in: "").filter { $0.hasSuffix("json") }
        == ["000001.json", "000002.json", "000003.json", "000004.json", "000005.json"])
    for name in ["000001.json", "000003.json"] { #expect(try folder.read(name) == kept) }
    let second = try JSON(parsing: try folder.read("000002.json"))
    #expect(second["request"]?["path"] == "/1")
  }

  @Test func `media is described and not kept`() throws {
    let request = ServerRequest(method: "GET", target: "/v/hls1/main/0.ts")
    func exchange(_ type: String, _ body: ServerResponse.Body) -> RecordedExchange {
      RecordedExchange(
        request: request,
        response: ServerResponse(status: 200, headers: [("Content-Type", type)], body: body),
        redaction: Redaction(known: []))
    }
    #expect(
      exchange("video/mp2t", .file(path: "/x", offset: 0, count: 5000)).responseBody
        == .omitted(type: "video/mp2t", byteCount: 5000))
    #expect(
      exchange("video/mp4", .bytes([1, 2, 3])).responseBody
        == .omitted(type: "video/mp4", byteCount: 3))
    let endless = exchange("video/mp2t", .endless([1]))
    #expect(endless.responseBody == .omitted(type: "video/mp2t", byteCount: nil))
    #expect(try RecordedExchange(endless.json) == endless)
    #expect(exchange("text/vtt", .bytes(Array("WEBVTT".utf8))).responseBody == .text("WEBVTT"))
  }

  @Test func `answers come back by what was asked, in their order`() throws {
    let folder = try TemporaryFolder()
    func file(_ number: Int, _ method: String, _ path: String, _ body: String, _ answer: String)
      throws
    {
      let type = #""headers":{"Content-Type":"application/json","Transfer-Encoding":"chunked"}"#
      let text = """
        {"request":{"method":"\(method)","path":"\(path)",\(type),"body":\(body)},
        "response":{"status":200,\(type),"body":\(answer)}}
        """
      _ = try folder.write(Array(text.utf8), to: "00000\(number).json")
    }
    try file(1, "GET", "/Sessions?api_key=TOKEN&a=1&b=2", "null", "[1]")
    try file(2, "GET", "/Sessions?b=2&a=1", "null", "[2]")
    try file(3, "POST", "/Items/x/PlaybackInfo", #"{"A":1,"B":[2]}"#, #"{"C":"one"}"#)
    try file(4, "POST", "/Items/x/PlaybackInfo", #"{"A":2,"B":[2]}"#, #"{"C":"two"}"#)
    let replayer = Replayer(try Recording.exchanges(in: folder.path))
    func ask(_ method: String, _ target: String, _ body: String = "") -> ServerResponse {
      replayer.answer(
        ServerRequest(
          method: method, target: target, headers: [("Content-Type", "application/json")],
          body: Array(body.utf8)))
    }
    let list = "/sessions/?B=2&&a=1&ApiKey=other"
    #expect((1...3).map { _ in ask("GET", list).text } == ["[1]", "[2]", "[2]"])
    #expect(ask("POST", "/Items/x/PlaybackInfo", #"{"B":[2],"A":2}"#).text == #"{"C":"two"}"#)
    let first = ask("POST", "/Items/x/PlaybackInfo", #"{"A":1,"B":[2]}"#)
    #expect(first.text == #"{"C":"one"}"#)
    #expect(first.header("Content-Type") == "application/json")
    #expect(first.header("Transfer-Encoding") == nil)
    for (answer, words) in [
      (ask("GET", "/Nowhere"), "No exchange with the path of GET /Nowhere was recorded."),
      (ask("PUT", "/Sessions"), "only other methods were recorded: GET"),
      (ask("GET", "/Sessions?a=secret&b=2"), "another query; these parameters differ: a."),
      (ask("POST", "/Items/x/PlaybackInfo", #"{"A":3}"#), "but with another body"),
    ] {
      #expect(answer.status == 501)
      #expect(answer.text.contains(words), "\(answer.text)")
      #expect(!answer.text.contains("secret"))
    }
  }

  @Test func `a replay without the bytes says so`() throws {
    let exchange = RecordedExchange(
      request: ServerRequest(method: "GET", target: "/v/0.ts?runtimeTicks=0"),
      response: ServerResponse(
        status: 200, headers: [("Content-Type", "video/mp2t")],
        body: .file(path: "/x", offset: 0, count: 77)), redaction: Redaction(known: []))
    let replayer = Replayer([exchange])
    let answer = replayer.answer(ServerRequest(method: "GET", target: "/v/0.ts?runtimeTicks=0"))
    #expect(answer.status == 501)
    #expect(answer.text.contains("77 bytes of 'video/mp2t'"))
  }

  @Test(arguments: [
    ("", "no JSON"), ("[]", "no members"), ("{}", "no members"),
    (#"{"request":{},"response":{}}"#, "request.method"),
    (#"{"request":{"method":"get","path":"/"},"response":{"status":200}}"#, "request.method"),
    (#"{"request":{"method":"GET","path":"x"},"response":{"status":200}}"#, "request.path"),
    (#"{"request":{"method":"GET","path":"/"},"response":{"status":99}}"#, "response.status"),
    (#"{"request":{"method":"GET","path":"/"},"response":{"status":1e30}}"#, "response.status"),
    (
      #"{"request":{"method":"GET","path":"/","headers":[]},"response":{"status":200}}"#,
      "request.headers"
    ),
    (
      #"{"request":{"method":"GET","path":"/"},"response":{"status":200,"headers":{"a\nb":"c"}}}"#,
      "response.headers"
    ),
    (
      #"{"request":{"method":"GET","path":"/"},"response":{"status":200,"headers":{"a":"b\r\nc"}}}"#,
      "response.headers"
    ),
  ])
  func `what is no exchange is refused with its file`(text: String, words: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Array(text.utf8), to: "000001.json")
    let error = #expect(throws: ReferenceServerError.self) {
      try Recording.exchanges(in: folder.path)
    }
    #expect(error?.kind == .recording)
    #expect(error?.description.contains(path) == true)
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
  }

  @Test func `every part of a recorded file is refused or read`() async throws {
    let folder = try TemporaryFolder()
    _ = try await record("jellyfin-10.11", in: folder.file("record"))
    for name in ["000001.json", "000004.json"] {
      let bytes = try folder.read("record/" + name)
      for count in 0..<bytes.count {
        let value = try? JSON(parsing: Array(bytes.prefix(count)))
        if let value { _ = try? RecordedExchange(value) }
      }
      var state: UInt64 = 7
      for _ in 0..<2000 {
        var changed = bytes
        for _ in 0..<3 {
          state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
          changed[Int(state >> 33) % changed.count] = UInt8(truncatingIfNeeded: state >> 20)
        }
        guard let value = try? JSON(parsing: changed),
          let exchange = try? RecordedExchange(value)
        else { continue }
        let answer = Replayer([exchange]).answer(ServerRequest(method: "GET", target: "/Items?a=b"))
        #expect((200...599).contains(answer.status))
      }
    }
  }

  @Test func `folders that are none are refused`() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write([1], to: "file")
    for path in [folder.file("absent"), file, folder.path] {
      let error = #expect(throws: ReferenceServerError.self) {
        try Recording.exchanges(in: path)
      }
      #expect(error?.kind == .missingFile)
    }
    for path in [file, folder.file("absent/deeper")] {
      let error = #expect(throws: ReferenceServerError.self) {
        try Recorder(folder: path, secrets: [])
      }
      #expect(error?.kind == .environment)
    }
  }
}

extension TemporaryFolder {
  /// The names of the files in a folder inside, sorted.
  fileprivate func names(in name: String) throws -> [String] {
    let directory = try #require(opendir(file(name)))
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }
}
