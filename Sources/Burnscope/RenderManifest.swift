// SPDX-License-Identifier: Apache-2.0
internal import Compositing
internal import SubtitleModel

/// The list of rendered cues, as `manifest.json` holds it (docs/render.md).
struct RenderManifest {
  /// One cue.
  struct Entry {
    let picture: RenderedPicture
    let cue: Cue
    let part: PixelRect
    var file: String?

    init(picture: RenderedPicture, cue: Cue, part: PixelRect) {
      // Only the numbers are kept: the pixels of a whole track would not fit in memory.
      var light = picture
      light.bitmap = RGBABitmap(width: 0, height: 0, bytes: [])
      light.planes = nil
      light.cue = nil
      self.picture = light
      self.cue = cue
      self.part = part
    }
  }

  let renderer: Renderer
  let options: RenderOptions
  let entries: [Entry]

  /// The document, indented by two spaces a level, with a newline at its end.
  var text: String {
    var value = JSONText()
    let track = renderer.track.description
    let frame = renderer.frameSize(options)
    value.object {
      $0.member("version", 1)
      $0.member("source", Self.lastComponent(renderer.path))
      $0.object("track") {
        $0.member("stream", track.streamIndex)
        $0.member("subtitleStream", track.subtitleOrdinal)
        $0.member("codec", track.codec.rawValue)
        $0.member("language", track.language)
        $0.member("title", track.title)
      }
      $0.object("canvas") { $0.size(renderer.canvas) }
      $0.member("canvasIsAssumed", renderer.track.canvas == nil)
      $0.object("frame") { $0.size(frame) }
      $0.member("layout", options.effectiveLayout.rawValue)
      $0.member("decoder", renderer.decoder.rawValue)
      $0.member("colors", options.colors.rawValue)
      $0.member("background", options.background.description)
      $0.array("cues", entries) { writer, entry in
        Self.write(entry, on: renderer.canvas(of: entry.cue), to: &writer)
      }
      $0.array("diagnostics", renderer.track.diagnostics) { writer, text in writer.value(text) }
    }
    return value.text + "\n"
  }

  private static func write(_ entry: Entry, on canvas: Canvas, to writer: inout JSONText) {
    writer.object {
      $0.member("number", entry.cue.index + 1)
      $0.member("file", entry.file)
      $0.member("start", entry.cue.start.description)
      $0.member("end", entry.cue.end.description)
      $0.member("startNanoseconds", entry.cue.start.nanoseconds)
      $0.member("endNanoseconds", entry.cue.end.nanoseconds)
      $0.member("endCause", entry.cue.endCause.rawValue)
      $0.member("forced", entry.cue.isForced)
      $0.object("canvas") { $0.size(canvas) }
      $0.object("rect") { $0.rect(entry.cue.bounds) }
      $0.object("picture") { $0.rect(entry.part) }
      $0.member("objects", entry.cue.objects.count)
      $0.member("objectsLeftOut", entry.picture.leftOut.count)
      if entry.picture.time != entry.cue.start {
        $0.member("frameTime", entry.picture.time.description)
      }
    }
  }

  /// The file's name without its folders.
  private static func lastComponent(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }
}

/// Writes JSON text.
struct JSONText {
  private(set) var text = ""
  private var depth = 0
  private var isFirst = true

  private mutating func next() {
    if depth > 0 {
      text += (isFirst ? "\n" : ",\n") + String(repeating: "  ", count: depth)
    }
    isFirst = false
  }

  private mutating func nest(_ open: String, _ close: String, _ body: (inout JSONText) -> Void) {
    text += open
    depth += 1
    isFirst = true
    body(&self)
    depth -= 1
    if !isFirst { text += "\n" + String(repeating: "  ", count: depth) }
    text += close
    isFirst = false
  }

  mutating func object(_ body: (inout JSONText) -> Void) {
    next()
    nest("{", "}", body)
  }

  mutating func object(_ name: String, _ body: (inout JSONText) -> Void) {
    key(name)
    nest("{", "}", body)
  }

  mutating func array<Element>(
    _ name: String, _ elements: [Element], _ body: (inout JSONText, Element) -> Void
  ) {
    key(name)
    nest("[", "]") { writer in
      for element in elements { body(&writer, element) }
    }
  }

  mutating func member(_ name: String, _ value: some BinaryInteger) {
    key(name)
    text += "\(value)"
  }

  mutating func member(_ name: String, _ value: Bool) {
    key(name)
    text += value ? "true" : "false"
  }

  mutating func member(_ name: String, _ value: String?) {
    key(name)
    text += value.map(Self.quoted) ?? "null"
  }

  mutating func value(_ string: String) {
    next()
    text += Self.quoted(string)
  }

  mutating func size(_ size: Canvas) {
    member("width", size.width)
    member("height", size.height)
  }

  mutating func rect(_ rect: PixelRect) {
    member("x", rect.x)
    member("y", rect.y)
    member("width", rect.width)
    member("height", rect.height)
  }

  private mutating func key(_ name: String) {
    next()
    text += Self.quoted(name) + ": "
  }

  private static func quoted(_ string: String) -> String {
    var result = "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      default:
        if scalar.value < 32 {
          let digits = String(scalar.value, radix: 16)
          result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        } else {
          result.unicodeScalars.append(scalar)
        }
      }
    }
    return result + "\""
  }
}
