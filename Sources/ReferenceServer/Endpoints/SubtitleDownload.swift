// SPDX-License-Identifier: Apache-2.0
internal import ChildProcess
internal import Glibc

/// How a track by itself is made.
enum SubtitleDownload {
  /// The media types of text formats, by their names in addresses.
  static let textTypes = [
    "vtt": "text/vtt", "webvtt": "application/octet-stream", "srt": "application/x-subrip",
    "subrip": "application/octet-stream", "ass": "text/x-ssa", "ssa": "text/x-ssa",
  ]

  /// FFmpeg's muxer of a text format.
  static func muxer(of format: String) -> String {
    switch format {
    case "vtt", "webvtt": "webvtt"
    case "srt", "subrip": "srt"
    default: "ass"
    }
  }

  /// Bytes that were taken for Latin-1 text and written as UTF-8.
  static func spoiled(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count * 3 / 2)
    for byte in bytes {
      if byte < 0x80 {
        result.append(byte)
      } else {
        result += [0xC0 | byte >> 6, 0x80 | byte & 0x3F]
      }
    }
    return result
  }
}

extension Service {
  /// A track by itself.
  func subtitle(_ call: Call) async throws -> ServerResponse {
    guard let id = itemID(call["item"]), let film = films.first(where: { $0.id == id }),
      let track = film.subtitles.first(where: { $0.index == Int(call["index"]) }),
      call["stream"].lowercased().hasPrefix("stream.")
    else { throw Refusal(.plain(404)) }
    if configuration.faults.contains(.unauthorized) { throw Refusal(.empty(401)) }
    let format = String(call["stream"].lowercased().dropFirst(7))
    if version.givesVobSub, format == "sub", let path = track.path, path.hasSuffix(".sub") {
      return try FileAnswer(path: path, type: "application/octet-stream")
        .response(to: ServerRequest(method: "GET", target: "/"))
    }
    if let type = SubtitleDownload.textTypes[format], track.isText {
      let text = try await extract(track, of: film, as: SubtitleDownload.muxer(of: format))
      // Text that was converted begins with the mark of UTF-8.
      return download([0xEF, 0xBB, 0xBF] + text, type: type)
    }
    switch (track.codec, format) {
    case ("hdmv_pgs_subtitle", "pgssub") where version.givesPGS:
      var bytes = try await extract(track, of: film, as: "sup")
      if track.isExternal, version.spoilsSupFiles { bytes = SubtitleDownload.spoiled(bytes) }
      return download(bytes, type: "application/octet-stream")
    case ("dvd_subtitle", "mks") where version.givesVobSub:
      return download(
        try await extract(track, of: film, as: "matroska"), type: "video/x-matroska")
    default: throw Refusal(.plain(500))
    }
  }

  private func download(_ bytes: [UInt8], type: String) -> ServerResponse {
    ServerResponse(status: 200, headers: [("Content-Type", type)], body: .bytes(bytes))
  }

  /// One track, made into another file by ffmpeg.
  private func extract(
    _ track: FilmStream, of film: Film, as muxer: String
  ) async throws -> [UInt8] {
    let copies = !track.isText
    let result = try await ChildProcess.run(
      "ffmpeg",
      ["-nostdin", "-v", "error", "-i", "file:" + (track.path ?? film.path)]
        + ["-map", "0:\(track.containerIndex)"] + (copies ? ["-c", "copy"] : [])
        + ["-f", muxer, "pipe:1"])
    try Task.checkCancellation()
    guard result.status == 0 else { throw Refusal(.plain(500)) }
    return result.output
  }
}
