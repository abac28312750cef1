// SPDX-License-Identifier: Apache-2.0
internal import ChildProcess
internal import Glibc

/// Looks into a media file with the `ffprobe` program, as the real server does.
package enum FilmProbe {
  /// How much of a file is searched for streams that begin late; the real server's values.
  static let searchArguments = ["-analyzeduration", "200M", "-probesize", "1G"]

  /// Reads what a file holds.
  ///
  /// - Throws: ``ReferenceServerError`` if there is no such file or it holds no video.
  package static func film(at path: String, version: ServerVersion) async throws -> Film {
    var status = stat()
    guard stat(path, &status) == 0 else {
      throw ReferenceServerError(.missingFile, "The file '\(path)' does not exist.")
    }
    guard status.st_mode & S_IFMT == S_IFREG, access(path, R_OK) == 0 else {
      throw ReferenceServerError(.missingFile, "'\(path)' is no file that can be read.")
    }
    let result = try await ChildProcess.run(
      "ffprobe",
      ["-v", "error"] + searchArguments + ["-show_format", "-show_streams", "-of", "json"]
        + ["file:" + path])
    try Task.checkCancellation()
    guard result.status == 0, let answer = try? JSON(parsing: result.output) else {
      throw ReferenceServerError(.noFilm, "'\(path)' is no media file that ffprobe can read.")
    }
    let absolute = absolutePath(path)
    var film = film(
      of: answer, path: absolute, byteCount: Int64(status.st_size),
      modified: Int(status.st_mtim.tv_sec), version: version)
    guard film.video != nil else {
      throw ReferenceServerError(.noFilm, "'\(path)' holds no video.")
    }
    film.add(
      try await SubtitleFiles.streams(besides: absolute, version: version),
      first: version.numbersFilesFirst)
    return film
  }

  /// The path from the root, of a link the link's own: subtitle files lie beside that, as in a
  /// library that is made of links.
  private static func absolutePath(_ path: String) -> String {
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { String(path[...$0]) } ?? "."
    guard let resolved = realpath(folder, nil) else { return path }
    defer { free(resolved) }
    let base = String(cString: resolved)
    return (base.hasSuffix("/") ? base : base + "/")
      + (slash.map { path[path.index(after: $0)...] } ?? path[...])
  }

  /// Makes a film of what ffprobe says.
  package static func film(
    of answer: JSON, path: String, byteCount: Int64, modified: Int,
    version: ServerVersion = .standard
  ) -> Film {
    let format = answer["format"]
    var streams: [FilmStream] = []
    for entry in answer["streams"]?.elements ?? [] {
      guard var stream = stream(of: entry, index: streams.count) else { continue }
      if version.numbersAttachments {
        stream.index = stream.containerIndex
      } else if stream.kind == .attachment {
        continue
      }
      streams.append(stream)
    }
    let bitRate = format?["bit_rate"]?.whole
    if let video = streams.firstIndex(where: { $0.kind == .video }), streams[video].bitRate == nil {
      streams[video].bitRate = bitRate
    }
    let (name, year) = title(of: path)
    let seconds = format?["duration"]?.text.flatMap { Double($0) }
    let id = version.isEmby ? Identifier.decimal(path) : Identifier.stable(path)
    return Film(
      id: id, sourceID: version.isEmby ? "mediasource_" + id : id, path: path, name: name,
      year: year,
      container: container(of: format?["format_name"]?.text ?? "", path: path),
      byteCount: byteCount, modified: modified,
      durationTicks: seconds.flatMap { Int(exactly: ($0 * 1e7).rounded()) }, bitRate: bitRate,
      streams: streams)
  }

  /// `Wide River (2019).mkv` is "Wide River" of 2019.
  static func title(of path: String) -> (name: String, year: Int?) {
    let file = path.split(separator: "/").last.map(String.init) ?? path
    let stem = file.lastIndex(of: ".").map { String(file[..<$0]) } ?? file
    guard stem.hasSuffix(")"), let open = stem.lastIndex(of: "("),
      let year = Int(stem[stem.index(after: open)...].dropLast()), (1800...2999).contains(year)
    else { return (stem, nil) }
    let name = stem[..<open].reversed().drop { $0 == " " }.reversed()
    return (String(name), year)
  }

  private static func container(of format: String, path: String) -> String {
    switch format {
    case "matroska,webm": path.lowercased().hasSuffix(".webm") ? "webm" : "mkv"
    case "mpegts": "ts"
    default: format
    }
  }

  /// A stream as ffprobe describes it; nil for a kind that no server knows.
  static func stream(of entry: JSON, index: Int) -> FilmStream? {
    let isPicture = entry["disposition"]?["attached_pic"]?.whole == 1
    let kind: FilmStream.Kind
    switch entry["codec_type"]?.text {
    case "video": kind = isPicture ? .image : .video
    case "audio": kind = .audio
    case "subtitle": kind = .subtitle
    case "data": kind = .data
    case "attachment": kind = .attachment
    default: return nil
    }
    let tags = entry["tags"]
    let disposition = entry["disposition"]
    var stream = FilmStream(
      kind: kind, index: index, containerIndex: entry["index"]?.whole ?? index,
      codec: entry["codec_name"]?.text ?? "unknown")
    stream.language = tags?["language"]?.text
    stream.title = tags?["title"]?.text
    stream.isDefault = disposition?["default"]?.whole == 1
    stream.isForced = disposition?["forced"]?.whole == 1
    stream.isHearingImpaired = disposition?["hearing_impaired"]?.whole == 1
    stream.timeBase = entry["time_base"]?.text
    stream.profile = entry["profile"]?.text
    stream.bitRate = entry["bit_rate"]?.whole ?? tags?["BPS"]?.whole
    stream.width = entry["width"]?.whole
    stream.height = entry["height"]?.whole
    if kind == .video { describePicture(entry, of: &stream) }
    if kind == .audio {
      stream.channels = entry["channels"]?.whole
      stream.channelLayout = entry["channel_layout"]?.text
      stream.sampleRate = entry["sample_rate"]?.whole
    }
    return stream
  }

  private static func describePicture(_ entry: JSON, of stream: inout FilmStream) {
    stream.level = entry["level"]?.whole.flatMap { $0 >= 0 ? $0 : nil }
    stream.averageFrameRate = rate(entry["avg_frame_rate"]?.text)
    stream.realFrameRate = rate(entry["r_frame_rate"]?.text)
    stream.displayAspect = entry["display_aspect_ratio"]?.text
    let sample = entry["sample_aspect_ratio"]?.text
    stream.isAnamorphic = sample != nil && sample != "1:1" && sample != "0:1"
    stream.isInterlaced = ["tt", "bb", "tb", "bt"].contains(entry["field_order"]?.text)
    stream.pixelFormat = entry["pix_fmt"]?.text
    let tenBits = stream.pixelFormat?.contains("10") == true
    stream.bitDepth = entry["bits_per_raw_sample"]?.whole ?? (tenBits ? 10 : 8)
    stream.isAVC = entry["is_avc"]?.text.map { $0 == "true" }
    stream.nalLengthSize = entry["nal_length_size"]?.text
    stream.colorRange = entry["color_range"]?.text
    stream.colorSpace = entry["color_space"]?.text
    stream.colorTransfer = entry["color_transfer"]?.text
    stream.colorPrimaries = entry["color_primaries"]?.text
  }

  private static func rate(_ text: String?) -> Float? {
    let parts = (text ?? "").split(separator: "/").map { Float($0) }
    guard parts.count == 2, let above = parts[0], let below = parts[1], above > 0, below > 0 else {
      return nil
    }
    return above / below
  }
}
