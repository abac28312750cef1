// SPDX-License-Identifier: Apache-2.0
import ReferenceServer
import TestSupport
import Testing

struct StaticStreamTests {
  @Test(
    arguments: [
      (nil, 200, 0, 1000, nil), ("bytes=0-99", 206, 0, 100, "bytes 0-99/1000"),
      ("bytes=900-", 206, 900, 100, "bytes 900-999/1000"),
      ("bytes=-100", 206, 900, 100, "bytes 900-999/1000"),
      ("bytes=-5000", 206, 0, 1000, "bytes 0-999/1000"),
      ("bytes=990-5000", 206, 990, 10, "bytes 990-999/1000"),
      ("bytes=0-999", 206, 0, 1000, "bytes 0-999/1000"),
      ("bytes=0-1,5-6", 200, 0, 1000, nil), ("bytes=5-2", 200, 0, 1000, nil),
      ("bytes=x-", 200, 0, 1000, nil), ("lines=0-5", 200, 0, 1000, nil),
      ("bytes=99999999999999999999-", 200, 0, 1000, nil),
      ("bytes=1000-", 416, 0, 0, "bytes */1000"), ("bytes=-0", 416, 0, 0, "bytes */1000"),
    ] as [(String?, Int, Int64, Int64, String?)])
  func `ranges are answered by the table`(
    range: String?, status: Int, offset: Int64, count: Int64, contentRange: String?
  ) async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write([UInt8](repeating: 7, count: 1000), to: "film.mkv")
    let film = Fixtures.probed(path: path, byteCount: 1000)
    let service = Fixtures.service(films: [film])
    let answer = await service.ask(
      "GET", "/Videos/\(film.id)/stream?static=true&mediaSourceId=\(film.id)", token: nil,
      headers: range.map { [("Range", $0)] } ?? [])
    #expect(answer.status == status)
    #expect(answer.header("Content-Range") == contentRange)
    if status == 416 {
      #expect(answer.body == .bytes([]))
    } else {
      #expect(answer.body == .file(path: path, offset: offset, count: count))
      #expect(answer.header("Content-Type") == "video/x-matroska")
      #expect(answer.header("Accept-Ranges") == "bytes")
    }
  }

  @Test(arguments: [
    ("/stream.mp4?static=true", 200), ("/stream?static=false", 400), ("/stream", 400),
    ("/other?static=true", 404), ("/stream?static=true&mediaSourceId=x", 500),
    ("/stream?static=true&mediaSourceId=00000000000000000000000000000001", 400),
  ])
  func `only the file as it is can be had`(target: String, status: Int) async throws {
    let folder = try TemporaryFolder()
    let film = Fixtures.probed(path: try folder.write([1, 2, 3], to: "film.mkv"), byteCount: 3)
    let answer = await Fixtures.service(films: [film]).ask(
      "GET", "/Videos/\(film.id)\(target)", token: nil)
    #expect(answer.status == status)
    if status == 200 { #expect(answer.header("Content-Type") == "video/mp4") }
  }
}
