// SPDX-License-Identifier: Apache-2.0
internal import SubtitleModel

/// Reads the keys of one object of a script: each key once, none unknown, each of its own kind.
struct ScriptObject {
  /// The file and the object's name, for messages: `film.json, cue 3`.
  let place: String
  /// The line that the object begins in.
  let line: Int
  private let members: [(key: String, value: ScriptValue)]

  /// Takes an object whose keys must be among those named.
  init(_ value: ScriptValue, place: String, keys: [String]) throws(AuthoringFault) {
    guard case .object(let members) = value.content else {
      throw AuthoringFault(
        .input, "\(place) (line \(value.line)): an object is expected, not \(value.kindName)")
    }
    self.place = place
    line = value.line
    self.members = members
    if let unknown = members.first(where: { !keys.contains($0.key) }) {
      throw AuthoringFault(
        .input,
        "\(place) (line \(unknown.value.line)): unknown key '\(unknown.key)'; "
          + "known here: \(keys.joined(separator: ", "))")
    }
  }

  /// The value of a key, if it is there and not null.
  func value(_ key: String) -> ScriptValue? {
    guard let value = members.first(where: { $0.key == key })?.value else { return nil }
    if case .null = value.content { return nil }
    return value
  }

  func fault(_ key: String, _ reason: String) -> AuthoringFault {
    AuthoringFault(.input, "\(place) (line \(value(key)?.line ?? line)): '\(key)' \(reason)")
  }

  func string(_ key: String) throws(AuthoringFault) -> String? {
    guard let value = value(key) else { return nil }
    guard case .string(let text) = value.content else {
      throw fault(key, "must be a string, not \(value.kindName)")
    }
    return text
  }

  func boolean(_ key: String) throws(AuthoringFault) -> Bool {
    guard let value = value(key) else { return false }
    guard case .boolean(let flag) = value.content else {
      throw fault(key, "must be true or false, not \(value.kindName)")
    }
    return flag
  }

  func number(_ key: String, _ range: ClosedRange<Double>) throws(AuthoringFault) -> Double? {
    guard let value = value(key) else { return nil }
    guard case .number(let number) = value.content else {
      throw fault(key, "must be a number, not \(value.kindName)")
    }
    guard range.contains(number) else {
      throw fault(key, "is \(number), outside \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  func integer(_ key: String, _ range: ClosedRange<Int>) throws(AuthoringFault) -> Int? {
    guard let value = value(key) else { return nil }
    guard case .number(let number) = value.content, let whole = Int(exactly: number) else {
      throw fault(key, "must be a whole number")
    }
    guard range.contains(whole) else {
      throw fault(key, "is \(whole), outside \(range.lowerBound) to \(range.upperBound)")
    }
    return whole
  }

  func required<Value>(_ key: String, _ value: Value?) throws(AuthoringFault) -> Value {
    guard let value else {
      throw AuthoringFault(.input, "\(place) (line \(line)): the key '\(key)' is missing")
    }
    return value
  }

  func array(_ key: String) throws(AuthoringFault) -> [ScriptValue]? {
    guard let value = value(key) else { return nil }
    guard case .array(let elements) = value.content else {
      throw fault(key, "must be an array, not \(value.kindName)")
    }
    return elements
  }

  func time(_ key: String) throws(AuthoringFault) -> Timestamp? {
    guard let value = value(key) else { return nil }
    return try Self.time(value, of: key, self)
  }

  /// Reads a time; `62.5`, `01:02.5` and `00:01:02.5` are the same.
  static func time(
    _ value: ScriptValue, of key: String, _ object: ScriptObject
  ) throws(AuthoringFault) -> Timestamp {
    guard case .string(let text) = value.content, let time = Timestamp(text),
      AuthoredCue.times.contains(time)
    else {
      throw AuthoringFault(
        .input,
        "\(object.place) (line \(value.line)): '\(key)' must be a time in quotes, "
          + "such as \"00:01:02.500\", below 100 hours")
    }
    return time
  }
}

/// Reads a script: JSON as docs/author.md has it.
struct ScriptReader {
  /// The largest side of a canvas and the farthest place on it: what 16 bits hold.
  static let maximumSide = 65_535

  private let file: String
  private var warnings: [String] = []

  private static let trackKeys = [
    "language", "title", "flags", "format", "canvas", "cues", "srt", "forcedCues",
  ]

  private init(file: String) { self.file = file }

  /// Reads a script.
  ///
  /// - Parameters:
  ///   - text: The JSON text.
  ///   - file: The script's path: named in messages, and the files it names are beside it.
  /// - Returns: The tracks, and warnings.
  /// - Throws: A fault that names the file, the cue, the line and the key.
  static func read(_ text: String, file: String) throws(AuthoringFault) -> AuthoringScript {
    var reader = ScriptReader(file: file)
    let root: ScriptValue
    do {
      root = try ScriptParser.parse(text)
    } catch {
      throw AuthoringFault(.input, "\(file), line \(error.line): \(error.reason)")
    }
    let tracks = try reader.tracks(root)
    return AuthoringScript(tracks: tracks, warnings: reader.warnings)
  }

  private mutating func tracks(_ root: ScriptValue) throws(AuthoringFault) -> [AuthoredTrack] {
    let object = try ScriptObject(root, place: file, keys: Self.trackKeys + ["tracks"])
    guard let elements = try object.array("tracks") else {
      return [try track(object, defaults: AuthoredTrack(cues: []))]
    }
    if let key = ["cues", "srt", "forcedCues"].first(where: { object.value($0) != nil }) {
      throw object.fault(key, "stands beside 'tracks'; it belongs into one of them")
    }
    let defaults = try header(object, defaults: AuthoredTrack(cues: []))
    var result: [AuthoredTrack] = []
    for (index, element) in elements.enumerated() {
      let track = try ScriptObject(
        element, place: "\(file), track \(index + 1)", keys: Self.trackKeys)
      result.append(try self.track(track, defaults: defaults))
    }
    guard !result.isEmpty else { throw object.fault("tracks", "is empty") }
    return result
  }

  /// The keys of a track that say what it is.
  private func header(
    _ object: ScriptObject, defaults: AuthoredTrack
  ) throws(AuthoringFault) -> AuthoredTrack {
    var track = defaults
    track.language = try object.string("language") ?? track.language
    track.title = try object.string("title") ?? track.title
    if let name = try object.string("format") {
      guard let format = SubtitleCodec.authorable.first(where: { $0.rawValue == name }) else {
        let names = SubtitleCodec.authorable.map(\.rawValue).joined(separator: ", ")
        throw object.fault("format", "is '\(name)'; it can be \(names)")
      }
      track.format = format
    }
    if let value = object.value("canvas") {
      let size = try ScriptObject(
        value, place: "\(object.place), canvas", keys: ["width", "height"])
      let range = 8...Self.maximumSide
      track.canvas = Canvas(
        width: try size.required("width", try size.integer("width", range)),
        height: try size.required("height", try size.integer("height", range)))
    }
    for value in try object.array("flags") ?? [] {
      guard case .string(let name) = value.content, let flag = TrackFlags.named(name) else {
        let names = TrackFlags(rawValue: .max).names.joined(separator: ", ")
        throw object.fault("flags", "has a flag that is unknown; known: \(names)")
      }
      track.flags.insert(flag)
    }
    return track
  }

  private mutating func track(
    _ object: ScriptObject, defaults: AuthoredTrack
  ) throws(AuthoringFault) -> AuthoredTrack {
    var track = try header(object, defaults: defaults)
    let elements = try object.array("cues")
    if let name = try object.string("srt") {
      guard elements == nil else { throw object.fault("srt", "stands beside 'cues'; use one") }
      let path = FileAccess.resolve(name, besides: file)
      let text = try SubRip.read(try FileAccess.readText(path), file: path)
      warnings += text.warnings
      track.cues = text.cues
      try mark(forced: object, in: &track)
      return track
    }
    if object.value("forcedCues") != nil {
      throw object.fault("forcedCues", "needs 'srt'; a cue of the script has 'forced'")
    }
    guard let elements else {
      throw AuthoringFault(
        .input, "\(object.place) (line \(object.line)): 'cues' or 'srt' is missing")
    }
    for (index, element) in elements.enumerated() {
      track.cues.append(
        try CueReader.read(element, number: index + 1, track: object.place, script: file))
    }
    guard !track.cues.isEmpty else { throw object.fault("cues", "is empty") }
    return track
  }

  /// Marks the cues of a text that `forcedCues` numbers, from 1.
  private func mark(
    forced object: ScriptObject, in track: inout AuthoredTrack
  ) throws(AuthoringFault) {
    for value in try object.array("forcedCues") ?? [] {
      guard case .number(let number) = value.content, let index = Int(exactly: number),
        track.cues.indices.contains(index - 1)
      else {
        throw object.fault(
          "forcedCues", "must hold whole numbers from 1 to \(track.cues.count)")
      }
      track.cues[index - 1].isForced = true
    }
  }
}

extension TrackFlags {
  /// The flag of a name, as ``names`` spells it.
  static func named(_ name: String) -> TrackFlags? {
    (0..<10).map { TrackFlags(rawValue: 1 << $0) }.first { $0.names == [name] }
  }
}
