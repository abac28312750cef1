// SPDX-License-Identifier: Apache-2.0
import HLSPlayback
import HTTPTransport
import MediaContainer
import SubtitleModel
import TestSupport
import Testing

@Suite("Files by byte ranges")
struct HTTPRangeSourceTests {
  /// 3 MB and a bit of noise.
  static let bytes: [UInt8] = {
    var generator = SeededGenerator(state: 3)
    return (0..<(3 << 20) / 8 + 11).flatMap { _ in
      withUnsafeBytes(of: generator.next()) { Array($0) }
    }
  }()

  private func read(_ source: HTTPRangeSource, at offset: Int, count: Int) throws -> [UInt8] {
    var result: [UInt8] = []
    while result.count < count {
      let piece = try [UInt8](unsafeUninitializedCapacity: count - result.count) { buffer, used in
        used = try source.read(
          at: Int64(offset + result.count), into: UnsafeMutableRawBufferPointer(buffer))
      }
      if piece.isEmpty { break }
      result += piece
    }
    return result
  }

  @Test("are the file's bytes, wherever they are read")
  func reading() throws {
    let server = try LoopbackServer { _ in .init(body: Self.bytes, allowsRanges: true) }
    let source = try HTTPRangeSource(
      url: server.url + "/Videos/1/stream?ApiKey=hidden-key", client: HTTPClient(),
      headers: [("Authorization", "hidden-token")])
    #expect(source.byteCount == Int64(Self.bytes.count))
    #expect(source.name == server.url + "/Videos/1/stream")
    var generator = SeededGenerator(state: 11)
    for _ in 0..<60 {
      let offset = Int.random(in: 0..<Self.bytes.count, using: &generator)
      let count = Int.random(in: 1..<20_000, using: &generator)
      let expected = Array(Self.bytes[offset..<min(offset + count, Self.bytes.count)])
      #expect(try read(source, at: offset, count: count) == expected)
    }
    #expect(try read(source, at: Self.bytes.count, count: 10) == [])
    #expect(try read(source, at: Self.bytes.count + 99, count: 10) == [])
    // Every block at most once: 3 MB are 7 of them.
    #expect(source.statistics.requests <= 7)
    #expect(source.statistics.bytes <= Int64(Self.bytes.count))
    #expect(server.requests.allSatisfy { $0.header("Authorization") == "hidden-token" })
  }

  @Test("are read ahead when read in order")
  func inOrder() throws {
    let server = try LoopbackServer { _ in .init(body: Self.bytes, allowsRanges: true) }
    let source = try HTTPRangeSource(url: server.url, client: HTTPClient())
    #expect(try read(source, at: 0, count: Self.bytes.count) == Self.bytes)
    #expect(source.statistics.requests == 2)
  }

  @Test("of a film are decoded")
  func film() async throws {
    let film = try await Film.of(.ranges)
    let server = try film.server()
    let source = try HTTPRangeSource(url: server.url + "/videos/own.m4s", client: HTTPClient())
    let reader = try VideoFrameReader(source: source)
    var count = 0
    while let frame = try reader.nextLuma() {
      let isSame = frame.luma == film.planes[count]
      #expect(isSame)
      count += 1
    }
    #expect(count == film.planes.count)
  }

  @Test("of a server without ranges, or with wrong ones, are refused")
  func refusals() throws {
    func part(_ range: String, _ count: Int) -> LoopbackServer.Answer {
      .init(206, headers: [("Content-Range", range)], body: Array(Self.bytes[..<count]))
    }
    let table: [(LoopbackServer.Answer, HLSFault.Kind)] = [
      (.init(body: Self.bytes), .ranges), (.init(206, body: [1, 2]), .ranges),
      (part("bytes 5-9/100", 5), .ranges), (part("bytes 0-9/100", 5), .ranges),
      (part("bytes 0-9/*", 10), .ranges), (part("bytes 0-9/5", 10), .ranges),
      (part("items 0-9/100", 10), .ranges), (.init(204), .ranges), (.init(401), .status(401)),
      (.init(404), .status(404)), (.init(416), .status(416)), (.init(503), .status(503)),
      (.init(delivery: .closed), .transport(.unreachable)),
    ]
    for (answer, kind) in table {
      let server = try LoopbackServer { _ in answer }
      let fault = #expect(throws: HLSFault.self) {
        try HTTPRangeSource(
          url: server.url + "/x?ApiKey=hidden-key", client: HTTPClient(),
          headers: [("Authorization", "hidden-token")])
      }
      #expect(fault?.kind == kind, "\(fault?.description ?? "")")
      #expect(fault?.description.contains("hidden") == false)
    }
  }

  @Test("that change while they are read are refused")
  func change() throws {
    let server = try LoopbackServer { request in
      let isFirst = request.header("Range")?.hasPrefix("bytes=0-") == true
      return .init(body: isFirst ? Self.bytes : Self.bytes.dropLast(), allowsRanges: true)
    }
    let source = try HTTPRangeSource(url: server.url, client: HTTPClient())
    let fault = #expect(throws: HLSFault.self) { try read(source, at: 1 << 20, count: 10) }
    #expect(fault?.kind == .ranges)
  }

  @Test("are asked for once more after a loss")
  func retry() throws {
    let server = try LoopbackServer { request in
      request.connection == 0
        ? .init(503) : .init(body: Array(Self.bytes[..<1000]), allowsRanges: true)
    }
    // A failure on the connection used first, then the answer on that same one is a failure again.
    #expect(throws: HLSFault.self) { try HTTPRangeSource(url: server.url, client: HTTPClient()) }
    let second = try LoopbackServer { request in
      request.connection == 0
        ? .init(delivery: .closed) : .init(body: Array(Self.bytes[..<1000]), allowsRanges: true)
    }
    let source = try HTTPRangeSource(url: second.url, client: HTTPClient())
    #expect(try read(source, at: 10, count: 5) == Array(Self.bytes[10..<15]))
  }

  @Test("end early when cancelled")
  func cancellation() throws {
    let flag = CancellationFlag()
    let server = try LoopbackServer { request in
      guard request.header("Range")?.hasPrefix("bytes=0-") == true else {
        flag.cancel()
        return .init(delivery: .hang)
      }
      return .init(body: Self.bytes, allowsRanges: true)
    }
    let source = try HTTPRangeSource(url: server.url, client: HTTPClient(), cancellation: flag)
    #expect(throws: CancellationError.self) { try read(source, at: 2 << 20, count: 10) }
  }
}
