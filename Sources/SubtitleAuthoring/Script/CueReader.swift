// SPDX-License-Identifier: Apache-2.0
internal import SubtitleModel

/// Reads one cue of a script.
enum CueReader {
  private static let keys = [
    "start", "end", "images", "text", "forced", "paletteUpdates", "acquisitionPoints",
    "continuesEpoch",
  ]

  /// The farthest place of a picture: what 16 bits hold, and as far to the left.
  private static let places = -ScriptReader.maximumSide...ScriptReader.maximumSide

  /// Reads a cue.
  ///
  /// - Parameters:
  ///   - value: The cue's object.
  ///   - number: Its number in the track, from 1.
  ///   - track: The track's name, for messages.
  ///   - script: The script's path; pictures are beside it.
  /// - Returns: The cue; its pictures are not read yet.
  /// - Throws: A fault that names the cue, the line and the key.
  static func read(
    _ value: ScriptValue, number: Int, track: String, script: String
  ) throws(AuthoringFault) -> AuthoredCue {
    let object = try ScriptObject(value, place: "\(track), cue \(number)", keys: keys)
    let start = try object.required("start", try object.time("start"))
    let end = try object.time("end")
    if let end, end <= start { throw object.fault("end", "is \(end), not after \(start)") }
    var cue = AuthoredCue(
      place: "\(track), cue \(number) (line \(value.line))", start: start, end: end,
      content: try content(object, script: script))
    cue.isForced = try object.boolean("forced")
    cue.continuesEpoch = try object.boolean("continuesEpoch")
    for point in try object.array("acquisitionPoints") ?? [] {
      let time = try ScriptObject.time(point, of: "acquisitionPoints", object)
      try check(time, "acquisitionPoints", after: start, cue, object)
      cue.acquisitionPoints.append(time)
    }
    var last = start
    for element in try object.array("paletteUpdates") ?? [] {
      let update = try ScriptObject(
        element, place: "\(object.place), palette update", keys: ["at", "alpha"])
      let time = try update.required("at", try update.time("at"))
      try check(time, "at", after: last, cue, update)
      last = time
      let alpha = try update.required("alpha", try update.number("alpha", 0...1))
      cue.paletteUpdates.append(PaletteUpdate(time: time, alpha: alpha))
    }
    return cue
  }

  private static func check(
    _ time: Timestamp, _ key: String, after bound: Timestamp, _ cue: AuthoredCue,
    _ object: ScriptObject
  ) throws(AuthoringFault) {
    guard time > bound else { throw object.fault(key, "is \(time), not after \(bound)") }
    if let end = cue.end, time >= end {
      throw object.fault(key, "is \(time), not before the cue's end at \(end)")
    }
  }

  private static func content(
    _ object: ScriptObject, script: String
  ) throws(AuthoringFault) -> AuthoredCue.Content {
    let elements = try object.array("images")
    if let text = try object.string("text") {
      guard elements == nil else { throw object.fault("text", "stands beside 'images'; use one") }
      let styled = StyledText(markup: text)
      guard !styled.isBlank else { throw object.fault("text", "has nothing to draw") }
      return .text(styled)
    }
    guard let elements else {
      throw AuthoringFault(
        .input, "\(object.place) (line \(object.line)): 'images' or 'text' is missing")
    }
    var images: [AuthoredImage] = []
    for element in elements { images.append(try image(element, of: object, script: script)) }
    guard !images.isEmpty else { throw object.fault("images", "is empty") }
    return .images(images)
  }

  private static func image(
    _ value: ScriptValue, of cue: ScriptObject, script: String
  ) throws(AuthoringFault) -> AuthoredImage {
    let object = try ScriptObject(
      value, place: "\(cue.place), image", keys: ["file", "x", "y", "crop", "forced", "window"])
    let file = try object.required("file", try object.string("file"))
    var image = AuthoredImage(
      file: FileAccess.resolve(file, besides: script),
      x: try object.required("x", try object.integer("x", places)),
      y: try object.required("y", try object.integer("y", places)))
    image.isForced = try object.boolean("forced")
    image.window = try object.integer("window", 0...1)
    if let value = object.value("crop") {
      let crop = try ScriptObject(
        value, place: "\(object.place), crop", keys: ["x", "y", "width", "height"])
      let side = 1...ScriptReader.maximumSide
      image.crop = PixelRect(
        x: try crop.required("x", try crop.integer("x", 0...ScriptReader.maximumSide)),
        y: try crop.required("y", try crop.integer("y", 0...ScriptReader.maximumSide)),
        width: try crop.required("width", try crop.integer("width", side)),
        height: try crop.required("height", try crop.integer("height", side)))
    }
    return image
  }
}
