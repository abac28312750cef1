// SPDX-License-Identifier: Apache-2.0
internal import CAss
internal import Glibc
package import SubtitleModel

/// Draws texts as pictures, by libass: white with a black outline, as discs have them.
///
/// Not Sendable: libass keeps state. The same font file gives the same pictures on every machine.
package final class TextRenderer {
  /// The family asked for where no font file is given.
  package static let defaultFamily = "DejaVu Sans"
  /// The largest side of a canvas that texts are drawn on: that of the largest films.
  ///
  /// A canvas of 65535 pixels a side would take minutes and gigabytes for every line of text.
  package static let maximumSide = 8192

  /// A drawn text.
  package struct Picture: Sendable, Hashable {
    /// The pixels, straight alpha, cut to what is not transparent.
    package var bitmap: RGBABitmap
    /// Column of the left edge on the canvas.
    package var x: Int
    /// Row of the top edge on the canvas.
    package var y: Int
  }

  private let library: OpaquePointer
  private let renderer: OpaquePointer
  private let messages: MessageLog
  private let canvas: Canvas
  private let family: String

  /// The fonts that libass chose, in order of first use: name and file.
  package var fonts: [String] { messages.fonts }

  /// Makes a renderer.
  ///
  /// - Parameters:
  ///   - canvas: The size that texts are laid out for.
  ///   - fontFile: A TrueType or OpenType file to draw with, and no other; nil asks fontconfig for
  ///     ``defaultFamily``.
  /// - Throws: A fault if the canvas is too large, the font cannot be read or libass cannot be started.
  package init(canvas: Canvas, fontFile: String? = nil) throws(AuthoringFault) {
    guard max(canvas.width, canvas.height) <= Self.maximumSide else {
      throw AuthoringFault(
        .input,
        "texts are drawn on canvases of at most \(Self.maximumSide) pixels a side, and this one has "
          + "\(canvas.width)x\(canvas.height); give a smaller canvas")
    }
    var family = Self.defaultFamily
    var font: [UInt8] = []
    if let fontFile {
      font = try FileAccess.read(fontFile)
      guard let name = FontFile.familyName(of: font) else {
        throw AuthoringFault(.input, "\(fontFile): is no TrueType or OpenType font with a name")
      }
      family = name
    }
    guard let library = ass_library_init() else {
      throw AuthoringFault(.library, "libass cannot be started")
    }
    let messages = MessageLog()
    messages.listen(to: library)
    if !font.isEmpty {
      // libass copies the bytes.
      font.withUnsafeBytes { bytes in
        ass_add_font(
          library, family, bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
          Int32(clamping: bytes.count))
      }
    }
    guard let renderer = ass_renderer_init(library) else {
      ass_library_done(library)
      throw AuthoringFault(.library, "libass cannot be started: \(messages.text)")
    }
    self.library = library
    self.renderer = renderer
    self.messages = messages
    self.canvas = canvas
    self.family = family
    ass_set_frame_size(renderer, Int32(canvas.width), Int32(canvas.height))
    ass_set_storage_size(renderer, Int32(canvas.width), Int32(canvas.height))
    let provider = font.isEmpty ? ASS_FONTPROVIDER_AUTODETECT : ASS_FONTPROVIDER_NONE
    ass_set_fonts(renderer, nil, family, Int32(provider.rawValue), nil, 1)
    ass_set_shaper(renderer, ASS_SHAPING_COMPLEX)
  }

  deinit {
    ass_renderer_done(renderer)
    ass_library_done(library)
  }

  /// Draws a text.
  ///
  /// - Parameters:
  ///   - text: The text; not blank.
  ///   - place: Where it comes from, for messages.
  /// - Returns: The picture and its place on the canvas.
  /// - Throws: A fault for a character that the font lacks, or if nothing was drawn.
  package func draw(_ text: StyledText, place: String) throws(AuthoringFault) -> Picture {
    messages.clear()
    var script = Array(TextScript(canvas: canvas, family: family).script(of: text).utf8CString)
    let track = script.withUnsafeMutableBufferPointer { buffer in
      ass_read_memory(library, buffer.baseAddress, buffer.count - 1, nil)
    }
    guard let track else {
      throw AuthoringFault(.library, "\(place): libass cannot read its text: \(messages.text)")
    }
    defer { ass_free_track(track) }
    let first = ass_render_frame(renderer, track, 1000, nil)
    if let scalar = messages.missingScalar {
      let code = String(scalar.value, radix: 16, uppercase: true)
      let name = String(repeating: "0", count: max(0, 4 - code.count)) + code
      throw AuthoringFault(
        .input,
        "\(place): no font has the character '\(Character(scalar))' (U+\(name)); "
          + "give one that has it with --font")
    }
    guard let picture = composite(first) else {
      let reason = messages.text.isEmpty ? "no font was found" : messages.text
      throw AuthoringFault(.library, "\(place): nothing was drawn: \(reason)")
    }
    return picture
  }

  /// Lays the images that libass drew over each other; nil if all is transparent.
  private func composite(_ first: UnsafeMutablePointer<ASS_Image>?) -> Picture? {
    let area = PixelRect(x: 0, y: 0, width: canvas.width, height: canvas.height)
    var bounds = PixelRect(x: 0, y: 0, width: 0, height: 0)
    for image in sequence(first: first, next: { $0?.pointee.next }).compactMap({ $0 }) {
      bounds = bounds.union(image.pointee.rect.intersection(area))
    }
    guard !bounds.isEmpty else { return nil }
    var layer = TextLayer(bounds: bounds)
    for image in sequence(first: first, next: { $0?.pointee.next }).compactMap({ $0 }) {
      let rect = image.pointee.rect.intersection(bounds)
      guard !rect.isEmpty, let coverage = image.pointee.bitmap else { continue }
      let stride = Int(image.pointee.stride)
      let offset = (rect.y - Int(image.pointee.dst_y)) * stride + rect.x - Int(image.pointee.dst_x)
      layer.blend(
        coverage + offset, stride: stride, rect: rect, color: image.pointee.color)
    }
    return layer.trimmed()
  }
}

extension ASS_Image {
  /// What the image covers on the canvas.
  fileprivate var rect: PixelRect {
    PixelRect(x: Int(dst_x), y: Int(dst_y), width: Int(w), height: Int(h))
  }
}

/// What libass says while it works.
private final class MessageLog {
  /// Messages of this level and below are what a user must see (libass counts 0 fatal, 2 warning).
  private static let warning: Int32 = 2

  private(set) var warnings: [String] = []
  private(set) var fonts: [String] = []
  private(set) var missingScalar: Unicode.Scalar?

  var text: String { warnings.joined(separator: "; ") }

  /// Gets the messages of a library; lives as long as it.
  func listen(to library: OpaquePointer) {
    ass_set_message_cb(
      library,
      { level, format, arguments, opaque in
        guard let format, let opaque else { return }
        Unmanaged<MessageLog>.fromOpaque(opaque).takeUnretainedValue()
          .take(level: level, format: format, arguments: arguments)
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  func clear() {
    warnings = []
    missingScalar = nil
  }

  func take(level: Int32, format: UnsafePointer<CChar>, arguments: CVaListPointer?) {
    // Optional on some platforms only.
    guard let arguments else { return }
    var buffer = [CChar](repeating: 0, count: 1024)
    vsnprintf(&buffer, buffer.count, format, arguments)
    let line = String(
      decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    if level <= Self.warning { warnings.append(line) }
    if let range = line.firstRange(of: "failed to find any fallback with glyph 0x") {
      let digits = line[range.upperBound...].prefix(while: \.isHexDigit)
      let scalar = UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init)
      missingScalar = missingScalar ?? scalar
    }
    if line.hasPrefix("fontselect: "), let arrow = line.firstRange(of: " -> ") {
      // Behind the arrow: file, index in it, and the font's PostScript name.
      let parts = line[arrow.upperBound...].split(separator: ", ")
      let font = parts.count == 3 ? "\(parts[2]) (\(parts[0]))" : String(line[arrow.upperBound...])
      if !fonts.contains(font) { fonts.append(font) }
    }
  }
}
