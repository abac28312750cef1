// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A file, or the part of it that a Range header asks for.
struct FileAnswer {
  var path: String
  var type: String

  /// What a Range header comes to.
  enum Selection: Equatable {
    case whole
    case part(first: Int64, last: Int64)
    case unsatisfiable
  }

  /// The answer.
  func response(to request: ServerRequest) throws -> ServerResponse {
    var status = stat()
    guard stat(path, &status) == 0 else { return .plain(404) }
    let size = Int64(status.st_size)
    let headers = [
      (name: "Content-Type", value: type), ("Accept-Ranges", "bytes"),
      ("Last-Modified", httpDateText(Int(status.st_mtim.tv_sec))),
    ]
    switch Self.selection(of: request.header("Range"), size: size) {
    case .whole:
      return ServerResponse(
        status: 200, headers: headers, body: .file(path: path, offset: 0, count: size))
    case .part(let first, let last):
      return ServerResponse(
        status: 206, headers: headers + [("Content-Range", "bytes \(first)-\(last)/\(size)")],
        body: .file(path: path, offset: first, count: last - first + 1))
    case .unsatisfiable:
      return ServerResponse(status: 416, headers: [("Content-Range", "bytes */\(size)")])
    }
  }

  /// Reads a Range header: one range is a part, several or unreadable ones are the whole file.
  static func selection(of header: String?, size: Int64) -> Selection {
    guard let header, header.lowercased().hasPrefix("bytes=") else { return .whole }
    let text = header.dropFirst(6)
    guard !text.contains(","), let dash = text.firstIndex(of: "-") else { return .whole }
    let from = text[..<dash].trimmed
    let to = text[text.index(after: dash)...].trimmed
    guard from.utf8.allSatisfy(isDigit), to.utf8.allSatisfy(isDigit) else { return .whole }
    switch (Int64(from), Int64(to)) {
    case (nil, let count?) where from.isEmpty:
      return count == 0 || size == 0
        ? .unsatisfiable : .part(first: max(size - count, 0), last: size - 1)
    case (let first?, nil) where to.isEmpty:
      return first < size ? .part(first: first, last: size - 1) : .unsatisfiable
    case (let first?, let last?):
      guard first <= last else { return .whole }
      return first < size ? .part(first: first, last: min(last, size - 1)) : .unsatisfiable
    default: return .whole
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }

  /// The media type of a file name's extension.
  static func type(of extensionName: String) -> String {
    switch extensionName.lowercased() {
    case "mkv": "video/x-matroska"
    case "mp4", "m4v": "video/mp4"
    case "ts": "video/mp2t"
    case "m2ts": "video/m2ts"
    case "mts": "model/vnd.mts"
    case "mov": "video/quicktime"
    case "webm": "video/webm"
    case "avi": "video/x-msvideo"
    case "mpg", "mpeg", "vob": "video/mpeg"
    default: "application/octet-stream"
    }
  }
}

extension Substring {
  /// Without spaces at both ends.
  fileprivate var trimmed: Substring {
    var rest = drop { $0 == " " }
    while rest.last == " " { rest = rest.dropLast() }
    return rest
  }
}
