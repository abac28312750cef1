// SPDX-License-Identifier: Apache-2.0
import ReferenceServer

/// A film of 60 s as ffprobe describes it, and a service that offers it.
enum Fixtures {
  static let path = "/media/Harbour Lights (2024).mkv"
  static let item = probed().id
  static let dashedItem = [
    item.prefix(8), item.dropFirst(8).prefix(4), item.dropFirst(12).prefix(4),
    item.dropFirst(16).prefix(4), item.dropFirst(20),
  ].joined(separator: "-")
  static let key = "0011223344556677889900aabbccddee"

  static let video = """
    {"index":0,"codec_name":"h264","codec_type":"video","profile":"High","level":41,"width":1920,
    "height":1080,"pix_fmt":"yuv420p","is_avc":"true","r_frame_rate":"24000/1001",
    "avg_frame_rate":"24000/1001","bits_per_raw_sample":"8","bit_rate":"6000000",
    "sample_aspect_ratio":"1:1","display_aspect_ratio":"16:9","disposition":{"default":1}}
    """
  static let audio = """
    {"index":1,"codec_name":"aac","codec_type":"audio","profile":"LC","channels":2,
    "channel_layout":"stereo","sample_rate":"48000","bit_rate":"192000",
    "tags":{"language":"eng"},"disposition":{"default":1}}
    """

  /// A subtitle stream as ffprobe describes it.
  static func subtitle(
    _ index: Int, _ codec: String = "hdmv_pgs_subtitle", size: (Int, Int)? = (1920, 1080),
    isDefault: Bool = false, isForced: Bool = false
  ) -> String {
    let canvas = size.map { "\"width\":\($0.0),\"height\":\($0.1)," } ?? ""
    return """
      {"index":\(index),"codec_name":"\(codec)","codec_type":"subtitle",\(canvas)
      "tags":{"language":"eng"},
      "disposition":{"default":\(isDefault ? 1 : 0),"forced":\(isForced ? 1 : 0)}}
      """
  }

  /// The film with these subtitle streams.
  static func probed(
    _ subtitles: [String] = [subtitle(2)], path: String = path, byteCount: Int64 = 48_000_000,
    version: String = "10.11.11", size: (width: Int, height: Int) = (1920, 1080)
  ) -> Film {
    let picture = video.replacing("\"width\":1920", with: "\"width\":\(size.width)")
      .replacing("\"height\":1080", with: "\"height\":\(size.height)")
    let streams = ([picture, audio] + subtitles).joined(separator: ",")
    let text = """
      {"streams":[\(streams)],"format":{"format_name":"matroska,webm","duration":"60.000000",
      "bit_rate":"6192000"}}
      """
    let answer = (try? JSON(parsing: Array(text.utf8))) ?? .null
    return FilmProbe.film(
      of: answer, path: path, byteCount: byteCount, modified: 1_767_600_000,
      version: server(version))
  }

  /// A version by its number or its name.
  static func server(_ text: String) -> ServerVersion {
    ServerVersion(text) ?? ServerVersion(named: text) ?? .standard
  }

  /// The streams of a file beside the film, as ffprobe describes them.
  static func file(_ name: String, _ streams: [String], version: String) -> [FilmStream] {
    let answer =
      (try? JSON(parsing: Array("{\"streams\":[\(streams.joined(separator: ","))]}".utf8))) ?? .null
    let suffix = SubtitleFiles.suffix(of: name, besides: path) ?? ""
    return SubtitleFiles.streams(
      of: answer, path: "/media/" + name, suffix: suffix, version: server(version))
  }

  /// The film with two files beside it: an English .sup and a forced German .srt.
  static func filmWithFiles(_ version: String) -> Film {
    var film = probed([subtitle(2), subtitle(3)], version: version)
    var files = file(
      "Harbour Lights (2024).de.forced.srt", [subtitle(0, "subrip", size: nil)], version: version)
    files += file("Harbour Lights (2024).en.sup", [subtitle(0)], version: version)
    film.add(files, first: !version.hasPrefix("emby"))
    return film
  }

  static func configuration(
    _ version: String = "10.11.11", faults: [Fault] = []
  ) -> ReferenceServerConfiguration {
    var configuration = ReferenceServerConfiguration(files: [path])
    configuration.version = server(version)
    configuration.token = key
    configuration.faults = faults
    return configuration
  }

  /// A service without a network.
  static func service(
    _ version: String = "10.11.11", faults: [Fault] = [], films: [Film]? = nil
  ) -> Service {
    Service(
      configuration: configuration(version, faults: faults),
      films: films ?? [probed(version: version)],
      folder: "/nonexistent/burnscope")
  }
}

extension Service {
  static let client =
    "MediaBrowser Client=\"bench\", Device=\"bench\", DeviceId=\"bench-01\", "
    + "Version=\"1.0\""

  /// Sends a request with a token in the Authorization header; nil sends none.
  func ask(
    _ method: String = "GET", _ target: String, token: String? = Fixtures.key,
    headers: [(String, String)] = [], body: String? = nil
  ) async -> ServerResponse {
    var fields = [
      (
        name: "Authorization",
        value: Self.client + (token.map { ", Token=\"\($0)\"" } ?? "")
      )
    ]
    if body != nil { fields.append(("Content-Type", "application/json")) }
    fields += headers.map { (name: $0.0, value: $0.1) }
    return await answer(
      ServerRequest(method: method, target: target, headers: fields, body: Array((body ?? "").utf8))
    )
  }

  /// Signs the standard user in.
  func signIn() async throws -> (token: String, user: String) {
    let answer = try await ask(
      "POST", "/Users/AuthenticateByName", token: nil,
      body: #"{"Username":"burnscope","Pw":"burnscope"}"#
    ).json()
    return (answer["AccessToken"]?.text ?? "", answer["User"]?["Id"]?.text ?? "")
  }
}

extension ServerResponse {
  var text: String {
    if case .bytes(let bytes) = body { String(decoding: bytes, as: UTF8.self) } else { "" }
  }

  func json() throws -> JSON { try JSON(parsing: Array(text.utf8)) }

  func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}
